/* What every part of the page uses: elements, numbers as text, colours. */

const data = JSON.parse(document.getElementById("data").textContent);
const several = data.runs.length > 1 && !data.table;

/* An element: el("p", { class: "note" }, "text", child). Attributes that begin with "on" are
 * listeners; null and undefined are left out. */
function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}
function svg(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) {
      node.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined) {
      node.setAttribute(key, value);
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

let lastId = 0;
function newId() {
  return "id-" + ++lastId;
}

/* --- numbers --- */

/* "0.00924", "5.84e-6", "12,300"; "-" for what is not known */
function text(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return "\u2013";
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e").replace(/-/g, "\u2212");
  }
  return Number(value.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: digits })
    .replace("-", "\u2212");
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return "\u2013";
  }
  if (seconds < 100) {
    return text(seconds, 3) + " s";
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? minutes + " min" : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}

function count(n, one, many) {
  return n.toLocaleString("en") + " " + (n === 1 ? one : many || one + "s");
}

/* least and largest of the numbers that are finite; null: there are none */
function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value !== null && Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : null;
}

/* --- colours --- */

const dark = window.matchMedia("(prefers-color-scheme: dark)");
/* called when the colours of the page change */
const recolour = [];
dark.addEventListener("change", () => recolour.forEach((draw) => draw()));

/* a colour of the style sheet, by its name there */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/* distinct hues that can be told apart on light and dark ground, and by most colour-blind eyes */
const hues = ["#2f7ed8", "#e0752d", "#2a9d6f", "#b656b0", "#c9a227", "#d1495b", "#4aa9c9", "#8a6d5b"];
function hue(i) {
  return hues[i % hues.length];
}

/* a colour "#rrggbb" or "rgb(r,g,b)" in less light, 0 ... 1 */
function shaded(text, light) {
  const parts = text.startsWith("#") ? [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16))
    : text.match(/[\d.]+/g).map(Number);
  return "rgb(" + parts.map((c) => Math.round(light * c)).join(",") + ")";
}

const ramps = {
  /* from little to much: dark blue, green, yellow */
  amount: [[40, 60, 130], [35, 110, 150], [40, 155, 135], [120, 195, 90], [245, 225, 70]],
  /* below and above zero: blue, grey, red */
  sign: [[45, 95, 190], [120, 160, 210], [160, 160, 160], [225, 135, 105], [190, 45, 45]],
};

/* colours of a ramp at 0, 1/255, ... 1 */
function colours(ramp) {
  const stops = ramps[ramp];
  const table = [];
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    const mixed = stops[k].map((c, a) => Math.round(c + (at - k) * (stops[k + 1][a] - c)));
    table.push("rgb(" + mixed.join(",") + ")");
  }
  return table;
}
const tables = { amount: colours("amount"), sign: colours("sign") };

/* What the ends of a ramp of colours mean. */
function rampLegend(table, name, unit, range) {
  const stops = table.filter((c, i) => i % 51 === 0).join(",");
  return el("div", { class: "legend" },
    el("span", {}, name + (unit && unit !== "1" ? " [" + unit + "]" : "")),
    el("span", { class: "key number" }, text(range[0], 3),
      el("span", { class: "ramp", style: "background:linear-gradient(to right," + stops + ")" }), text(range[1], 3)));
}

/* A scale of colours over a range of numbers: of(value), and its legend. */
function scaleOf(values, name, unit) {
  let range = rangeOf(values) || [0, 1];
  const signed = range[0] < 0;
  const most = Math.max(Math.abs(range[0]), Math.abs(range[1])) || 1;
  if (signed) {
    range = [-most, most];
  } else if (range[1] - range[0] < 1e-6 * most) {
    range = [range[0], range[0] + most];
  }
  const table = signed ? tables.sign : tables.amount;
  const scale = {
    range,
    of(value) {
      const part = (value - range[0]) / (range[1] - range[0]);
      return table[Math.max(0, Math.min(255, Math.round(255 * part)))];
    },
    legend: () => rampLegend(table, name, unit, range),
  };
  return scale;
}

/* --- parts of the page --- */

function section(title, ...children) {
  const id = newId();
  return el("section", { "aria-labelledby": id }, el("h2", { id }, title), ...children);
}

/* columns: [{ head, number: true }]; rows: lists of cells, which are texts or elements */
function table(caption, columns, rows) {
  return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    el("table", {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {},
        columns.map((c) => el("th", { scope: "col", class: c.number ? "number" : null }, c.head)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) =>
        el(i === 0 ? "th" : "td",
          { scope: i === 0 ? "row" : null, class: columns[i].number ? "number" : null }, cell)))))));
}

/* a choice of one of few: options [[value, name]] */
function choice(label, options, value, onchange) {
  const name = newId();
  return el("fieldset", { class: "choice" }, el("legend", {}, label),
    options.map(([v, title]) => {
      const id = newId();
      const input = el("input", { type: "radio", name, id, value: v, onchange: () => onchange(v) });
      input.checked = v === value;
      return el("span", {}, input, el("label", { for: id }, title));
    }));
}

function selection(label, options, value, onchange) {
  const list = el("select", { onchange: () => onchange(list.value) },
    options.map(([v, title]) => el("option", { value: v }, title)));
  list.value = value;
  return el("label", { class: "selection" }, label + " ", list);
}

/* Draws into a canvas whenever its size or the colours change: draw(context, width, height). ratio is
 * that of height and width, or a function that gives the height at a width. */
function canvas(label, ratio, draw) {
  const node = el("canvas", { role: "img", "aria-label": label });
  const redraw = () => {
    const width = node.clientWidth;
    const height = Math.max(1, Math.round(typeof ratio === "function" ? ratio(width) : width * ratio));
    const density = window.devicePixelRatio || 1;
    if (width === 0) {
      return;
    }
    node.style.height = height + "px";
    if (node.width !== Math.round(width * density) || node.height !== Math.round(height * density)) {
      node.width = Math.round(width * density);
      node.height = Math.round(height * density);
    }
    const context = node.getContext("2d");
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context, width, height);
  };
  new ResizeObserver(redraw).observe(node);
  recolour.push(redraw);
  return { node, redraw };
}
