/* Tables of numbers as colours, with labels beside their rows and below their columns. */

const heatFont = "11px system-ui, sans-serif";
const heatLine = 12; /* pixels that a label needs */
const ruler = document.createElement("canvas").getContext("2d");

function textWidth(words) {
  ruler.font = heatFont;
  return ruler.measureText(words).width;
}

/* words in so many pixels: a longer one loses its middle */
function cutText(words, most) {
  let kept = words.length;
  let cut = words;
  while (kept > 2 && textWidth(cut) > most) {
    kept--;
    cut = words.slice(0, Math.ceil(kept / 2)) + "\u2026" + words.slice(words.length - Math.floor(kept / 2));
  }
  return cut;
}

/* the widest of the words, but no more than there is room for */
function widest(words, most) {
  return Math.min(most, Math.max(0, ...words.map(textWidth)));
}

/* Where cells and labels are, at a width: left and bottom edges, and every how many rows and columns
 * have a label. */
function heatPlaces(map, width) {
  const rows = map.values.length;
  const columns = map.values[0].length;
  const cellHeight = Math.min(24, 400 / rows);
  const left = Math.ceil(widest(map.rows, 0.4 * width)) + 6;
  const cellWidth = (width - left) / columns;
  const named = map.columns.some((name) => name !== "");
  const below = map.axis ? 30 : named ? Math.ceil(widest(map.columns, 110)) + 8 : 0;
  return { rows, columns, left, cellWidth, cellHeight, bottom: rows * cellHeight, height: rows * cellHeight + below,
    everyRow: Math.ceil(heatLine / cellHeight), everyColumn: named ? Math.ceil(heatLine / cellWidth) : 0 };
}

function paintRowLabels(map, context, p) {
  context.textAlign = "right";
  const told = [];
  for (let r = 0; r < p.rows; r += p.everyRow) {
    const y = (r + 0.5) * p.cellHeight;
    context.fillText(cutText(map.rows[r], p.left - 6), p.left - 6, Math.max(y, heatLine / 2));
    told.push([map.rows[r], y]);
  }
  return told;
}

/* Turned by a quarter: names are longer than columns are wide. The last column, a bias mostly, has
 * one. */
function paintColumnLabels(map, context, p) {
  context.textAlign = "right";
  for (let c = p.columns - 1; p.everyColumn > 0 && c >= 0; c -= p.everyColumn) {
    context.save();
    context.translate(p.left + (c + 0.5) * p.cellWidth, p.bottom + 5);
    context.rotate(-Math.PI / 2);
    context.fillText(cutText(map.columns[c], 110), 0, 0);
    context.restore();
  }
}

/* numbers along the columns: axis.low and axis.high are at the edges of the cells */
function paintAxis(axis, context, p, width) {
  const at = (v) => p.left + ((v - axis.low) / (axis.high - axis.low)) * (width - p.left);
  context.textAlign = "center";
  context.strokeStyle = colour("line");
  for (const v of ticks(Math.max(axis.low, axis.from), axis.high, Math.max(2, Math.min(8, (width - p.left) / 70)))) {
    const words = text(v, 3);
    const half = textWidth(words) / 2;
    context.beginPath();
    context.moveTo(at(v), p.bottom);
    context.lineTo(at(v), p.bottom + 4);
    context.stroke();
    context.fillText(words, Math.max(half, Math.min(width - half, at(v))), p.bottom + 11);
  }
  context.textAlign = "right";
  context.fillText(axis.name, width, p.bottom + 24);
}

/* map: { title, rows, columns: labels, values [row][column], scale, axis }; axis { name, low, high,
 * from } where columns follow each other in numbers, which begin at `from`. The value under the
 * pointer or the arrow keys is told. */
function heatMap(map) {
  const note = el("output", { class: "reading", "aria-live": "polite" });
  const rows = map.values.length;
  const columns = map.values[0].length;
  let at = null;
  let places = null;
  const paint = (context, width) => {
    const p = places = heatPlaces(map, width);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const value = map.values[r][c];
        context.fillStyle = value === null || value === undefined ? colour("line") : map.scale.of(value);
        context.fillRect(p.left + c * p.cellWidth, r * p.cellHeight, p.cellWidth + 0.6, p.cellHeight + 0.6);
      }
    }
    context.clearRect(p.left, p.bottom, width, p.height);
    if (at) {
      context.strokeStyle = colour("ink");
      context.strokeRect(p.left + at[1] * p.cellWidth, at[0] * p.cellHeight, p.cellWidth, p.cellHeight);
    }
    context.font = heatFont;
    context.fillStyle = colour("soft");
    context.textBaseline = "middle";
    drawn.node.dataset.rows = JSON.stringify(paintRowLabels(map, context, p));
    drawn.node.dataset.cells = [p.left, p.cellWidth, p.cellHeight, p.bottom].join(" ");
    if (map.axis) {
      paintAxis(map.axis, context, p, width);
    } else {
      paintColumnLabels(map, context, p);
    }
  };
  const drawn = canvas(map.title + ", " + rows + " by " + columns, (width) => heatPlaces(map, width).height, paint);
  const tell = (r, c) => {
    at = r === null ? null : [r, c];
    note.textContent = at ? map.rows[r] + (map.columns[c] ? ", " + map.columns[c] : "") + ": " +
      text(map.values[r][c]) : "";
    drawn.redraw();
  };
  drawn.node.tabIndex = 0;
  drawn.node.addEventListener("pointermove", (event) => {
    const box = drawn.node.getBoundingClientRect();
    const r = Math.floor((event.clientY - box.top) / places.cellHeight);
    const c = Math.floor((event.clientX - box.left - places.left) / places.cellWidth);
    tell(Math.max(0, Math.min(rows - 1, r)), Math.max(0, Math.min(columns - 1, c)));
  });
  drawn.node.addEventListener("pointerleave", () => tell(null));
  drawn.node.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (step) {
      const [r, c] = at || [0, 0];
      tell(Math.max(0, Math.min(rows - 1, r + step[0])), Math.max(0, Math.min(columns - 1, c + step[1])));
      event.preventDefault();
    }
  });
  return el("figure", { class: "heat" }, el("figcaption", {}, map.title), drawn.node, map.scale.legend(), note);
}
