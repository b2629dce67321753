/* The page of a study or a comparison: its runs on parallel axes, as a scatter and as a table; the one
 * that is chosen anywhere is chosen everywhere, and its best design moves. */

/* A column: its texts, and numbers where all of them are numbers; else each text has a place. */
function batchColumn(head, index, rows) {
  const texts = rows.map((row) => row[index]);
  const told = texts.filter((t) => t !== "" && t !== "inf" && t !== "nan");
  const numeric = told.length > 0 && told.every((t) => Number.isFinite(Number(t)));
  const words = [...new Set(texts)];
  const values = texts.map((t) => (numeric ? (told.includes(t) && t !== "" ? Number(t) : null) : words.indexOf(t)));
  const range = rangeOf(values);
  const log = numeric && range !== null && range[0] > 0 && range[1] > 50 * range[0];
  const short = head.includes(".") ? head.replace(/^.*\.(?!\[)/, "") : head;
  return { head, short, index, texts, values, numeric, words, range, log, varies: range !== null && range[0] < range[1] };
}

/* What happens to all parts at once: a run is chosen, the filter changes. */
class Batch {
  constructor(table) {
    this.rows = table.rows;
    this.columns = table.columns.map((head, i) => batchColumn(head, i, table.rows));
    this.keys = this.columns.slice(0, table.keys);
    this.status = this.column("status");
    this.chosen = null;
    this.limits = new Map(); /* of columns: [low, high] of what is shown */
    this.word = "";
    this.listeners = [];
    const aside = ["folder", "reason", "status", "exit_code"];
    this.measures = this.columns.slice(table.keys).filter((c) => !aside.includes(c.head));
    const f = this.column("f") || this.measures[0];
    const axis = axisOf(f.values, f.log, 0, 255);
    this.colourOf = (i) => (f.values[i] === null ? colour("bad") : tables.amount[Math.round(axis.at(f.values[i]))]);
    this.legend = () => rampLegend(tables.amount, f.head + (f.log ? ", logarithmic" : ""), "", [axis.low, axis.high]);
  }
  column(head) {
    return this.columns.find((c) => c.head === head);
  }
  listen(what) {
    this.listeners.push(what);
    what();
  }
  changed() {
    this.listeners.forEach((what) => what());
  }
  choose(i) {
    this.chosen = i;
    this.changed();
  }
  limit(column, range) {
    if (range === null) {
      this.limits.delete(column);
    } else {
      this.limits.set(column, range);
    }
    this.changed();
  }
  shows(i) {
    const inside = [...this.limits].every(([c, [low, high]]) => c.values[i] !== null && c.values[i] >= low && c.values[i] <= high);
    return inside && (this.word === "" || this.rows[i].some((t) => t.toLowerCase().includes(this.word)));
  }
  shown() {
    return this.rows.map((row, i) => i).filter((i) => this.shows(i));
  }
  /* of a run in a few words: its keys, and the seed where there are several */
  name(i) {
    const seed = this.column("seed");
    return [...this.keys, ...(seed.varies ? [seed] : [])].filter((c) => c.texts[i] !== "")
      .map((c) => c.short + " " + c.texts[i]).join(", ");
  }
}

/* --- parallel axes --- */

function axisPixels(column, top, bottom) {
  if (!column.numeric) {
    const n = Math.max(column.words.length - 1, 1);
    return { at: (v) => bottom + (v / n) * (top - bottom), value: (y) => ((y - bottom) / (top - bottom)) * n };
  }
  const axis = axisOf(column.values, column.log, bottom, top);
  const from = column.log ? Math.log(axis.low) : axis.low;
  const to = column.log ? Math.log(axis.high) : axis.high;
  const value = (y) => from + ((y - bottom) / (top - bottom)) * (to - from);
  return { at: axis.at, value: (y) => (column.log ? Math.exp(value(y)) : value(y)) };
}

function drawParallel(batch, columns, width, height) {
  const [top, bottom] = [34, height - 22];
  const place = (k) => 60 + (k * (width - 120)) / Math.max(columns.length - 1, 1);
  const axes = columns.map((c) => axisPixels(c, top, bottom));
  const picture = svg("svg", { width, height, viewBox: "0 0 " + width + " " + height, "aria-hidden": "true" });
  const line = (i) => columns.map((c, k) => (c.values[i] === null ? null : [place(k), axes[k].at(c.values[i])]))
    .reduce((path, p) => (p === null ? path + " " : path + (path === "" || path.endsWith(" ") ? "M" : "L") + p[0].toFixed(1) + "," + p[1].toFixed(1)), "");
  const order = batch.rows.map((row, i) => i).sort((a, b) => (a === batch.chosen) - (b === batch.chosen) || batch.shows(a) - batch.shows(b));
  for (const i of order) {
    const [shows, chosen] = [batch.shows(i), i === batch.chosen];
    picture.append(svg("path", { d: line(i), fill: "none", stroke: chosen ? colour("ink") : shows ? batch.colourOf(i) : colour("grid"),
      "stroke-width": chosen ? 3 : 1.3, "data-run": i }));
  }
  columns.forEach((c, k) => {
    const x = place(k);
    const limits = batch.limits.get(c);
    picture.append(svg("line", { class: "axis", x1: x, x2: x, y1: top, y2: bottom }),
      svg("text", { x, y: 14, "text-anchor": "middle" }, c.short, svg("title", {}, c.head)));
    const ends = c.numeric ? [[c.range[1], text(c.range[1], 3)], [c.range[0], text(c.range[0], 3)]]
      : c.words.map((word, v) => [v, word.length > 14 ? word.slice(0, 13) + "\u2026" : word]).slice(0, 12);
    for (const [value, label] of ends) {
      picture.append(svg("text", { x: x + 4, y: axes[k].at(value) + (c.numeric ? (value === c.range[0] ? 14 : -4) : 4) }, label));
    }
    if (limits) {
      const [a, b] = [axes[k].at(limits[1]), axes[k].at(limits[0])];
      picture.append(svg("rect", { class: "limits", x: x - 6, width: 12, y: a, height: Math.max(b - a, 1) }));
    }
  });
  picture.axes = axes;
  picture.place = place;
  return picture;
}

/* a run whose line passes nearest to a point of the picture, within 14 pixels */
function nearestLine(batch, columns, picture, x, y) {
  let [best, least] = [null, 14];
  const k = Math.max(0, columns.findIndex((c, j) => picture.place(j) >= x) - 1);
  const next = Math.min(k + 1, columns.length - 1);
  for (const i of batch.shown()) {
    const [a, b] = [columns[k].values[i], columns[next].values[i]];
    if (a === null || b === null) {
      continue;
    }
    const part = next === k ? 0 : (x - picture.place(k)) / (picture.place(next) - picture.place(k));
    const at = picture.axes[k].at(a) + part * (picture.axes[next].at(b) - picture.axes[k].at(a));
    if (Math.abs(at - y) < least) {
      [best, least] = [i, Math.abs(at - y)];
    }
  }
  return best;
}

/* Dragging along an axis limits what is shown, a click beside the axes takes a line. */
function parallelSection(batch) {
  const measured = batch.measures.filter((c) => c.varies && !/^(seed|violation|kkt_residual|gradients|recovered|failures|f_start)$/.test(c.head));
  const columns = [...batch.keys.filter((c) => c.varies), ...measured].slice(0, 10);
  const holder = el("div", { class: "scroll parallel" });
  let drag = null;
  const draw = () => holder.clientWidth > 0 &&
    holder.replaceChildren(drawParallel(batch, columns, Math.max(holder.clientWidth, 96 * columns.length), 300));
  const at = (event) => {
    const box = holder.firstChild.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  holder.addEventListener("pointerdown", (event) => {
    const [x, y] = at(event);
    const k = columns.findIndex((c, j) => Math.abs(holder.firstChild.place(j) - x) < 12);
    drag = { k, x, y, moved: false };
  });
  holder.addEventListener("pointermove", (event) => {
    const [, y] = at(event);
    if (drag && drag.k >= 0 && Math.abs(y - drag.y) > 4) {
      drag.moved = true;
      const ends = [drag.y, y].map((p) => holder.firstChild.axes[drag.k].value(p)).sort((a, b) => a - b);
      batch.limit(columns[drag.k], ends);
    }
  });
  holder.addEventListener("pointerup", (event) => {
    const [x, y] = at(event);
    if (drag && drag.k >= 0 && !drag.moved) {
      batch.limit(columns[drag.k], null);
    } else if (drag && !drag.moved) {
      batch.choose(nearestLine(batch, columns, holder.firstChild, x, y));
    }
    drag = null;
  });
  new ResizeObserver(draw).observe(holder);
  recolour.push(draw);
  batch.listen(draw);
  return columns.length < 2 ? null : section("All runs", holder, batch.legend(),
    el("p", { class: "note" }, "A line is a run. Drag along an axis to filter, click the axis to show all again; click a line to choose its run."));
}

/* --- two columns --- */

/* as many as it takes to tell the ticks of an axis apart */
function digitsOf(axis) {
  const most = Math.max(Math.abs(axis.low), Math.abs(axis.high));
  return Math.min(12, 2 + Math.max(1, Math.ceil(Math.log10(most / (axis.high - axis.low)))));
}

function scatterSection(batch) {
  const columns = [...batch.keys, ...batch.measures].filter((c) => c.varies);
  if (columns.length < 2) {
    return null;
  }
  const pick = { x: columns[0], y: columns.find((c) => c.head === "f") || columns[1] };
  const holder = el("figure", { class: "chart", "data-part": "scatter" });
  let places = [];
  const draw = () => {
    const [width, height] = [holder.clientWidth, 300];
    if (width === 0) {
      return;
    }
    const scale = (c, from, to) => (c.numeric ? axisOf(c.values, c.log, from, to)
      : { at: (v) => from + ((v + 0.5) / c.words.length) * (to - from) });
    const [x, y] = [scale(pick.x, 66, width - 14), scale(pick.y, height - 36, 12)];
    const picture = svg("svg", { width, height, viewBox: "0 0 " + width + " " + height, "aria-hidden": "true" });
    const marks = (c, axis) => (!c.numeric ? c.words.map((w, i) => [i, w.slice(0, 12)])
      : (c.log ? logTicks(axis.low, axis.high, 5) : ticks(axis.low, axis.high, 4)).map((v) => [v, text(v, digitsOf(axis))]));
    for (const [v, label] of marks(pick.y, y)) {
      picture.append(svg("line", { class: "grid", x1: 66, x2: width - 14, y1: y.at(v), y2: y.at(v) }),
        svg("text", { x: 60, y: y.at(v) + 4, "text-anchor": "end" }, label));
    }
    for (const [v, label] of marks(pick.x, x)) {
      picture.append(svg("text", { x: x.at(v), y: height - 18, "text-anchor": "middle" }, label));
    }
    picture.append(svg("text", { x: width - 14, y: height - 3, "text-anchor": "end" }, pick.x.head));
    places = batch.shown().filter((i) => pick.x.values[i] !== null && pick.y.values[i] !== null)
      .map((i) => ({ i, x: x.at(pick.x.values[i]), y: y.at(pick.y.values[i]) }));
    for (const p of places) {
      const chosen = p.i === batch.chosen;
      picture.append(svg("circle", { cx: p.x, cy: p.y, r: chosen ? 6 : 3.5, fill: batch.colourOf(p.i),
        stroke: chosen ? colour("ink") : "none", "stroke-width": 2, "data-run": p.i }, svg("title", {}, batch.name(p.i))));
    }
    holder.replaceChildren(picture);
  };
  holder.addEventListener("click", (event) => {
    const box = holder.getBoundingClientRect();
    const p = nearest(places, (q) => Math.hypot(q.x - event.clientX + box.left, q.y - event.clientY + box.top));
    if (p && Math.hypot(p.x - event.clientX + box.left, p.y - event.clientY + box.top) < 20) {
      batch.choose(p.i);
    }
  });
  const choose = (label, axis) => selection(label, columns.map((c) => [c.head, c.head]), pick[axis].head, (head) => {
    pick[axis] = batch.column(head);
    draw();
  });
  new ResizeObserver(draw).observe(holder);
  recolour.push(draw);
  batch.listen(draw);
  return section("Two columns", el("div", { class: "controls" }, choose("Across", "x"), choose("Up", "y")), holder);
}

/* --- the table --- */

function tableSection(batch) {
  const extra = batch.measures.filter((c) => c.varies || c.head === "f");
  const columns = [...batch.keys, ...extra, batch.status];
  const by = { column: batch.column("f") || extra[0], down: false };
  const body = el("tbody", {});
  const said = el("output", { class: "note", "aria-live": "polite" });
  const fillRows = () => {
    const order = batch.shown().sort((a, b) => {
      const [p, q] = [by.column.values[a], by.column.values[b]];
      return p === null || q === null ? (p === null) - (q === null) || a - b : (by.down ? q - p : p - q) || a - b;
    });
    body.replaceChildren(...order.map((i) => el("tr", { "data-run": i, "aria-selected": String(i === batch.chosen),
      class: i === batch.chosen ? "chosen" : null, onclick: () => batch.choose(i) }, columns.map((c, k) => {
      const cell = c.numeric ? (c.values[i] === null ? c.texts[i] || "\u2013" : text(c.values[i], 5)) : c.texts[i];
      return el("td", { class: c.numeric ? "number" : null },
        k === 0 ? el("button", { type: "button", class: "plain", onclick: () => batch.choose(i) }, cell || "\u2013") : cell);
    }))));
    said.textContent = order.length + " of " + count(batch.rows.length, "run");
  };
  const heads = columns.map((c) => el("th", { scope: "col", class: c.numeric ? "number" : null },
    el("button", { type: "button", class: "plain", title: c.head, onclick: () => {
      by.down = by.column === c && !by.down;
      by.column = c;
      fillRows();
    } }, c.short)));
  const filter = el("input", { type: "search", "aria-label": "Show runs with this text", placeholder: "filter by text",
    oninput: () => {
      batch.word = filter.value.toLowerCase();
      batch.changed();
    } });
  const all = el("button", { type: "button", onclick: () => {
    batch.limits.clear();
    batch.word = filter.value = "";
    batch.changed();
  } }, "Show all");
  batch.listen(fillRows);
  return section("Runs", el("div", { class: "controls" }, filter, all, said),
    el("div", { class: "scroll tall", tabindex: "0", role: "group", "aria-label": "Runs" },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), body)));
}

/* --- the one that is chosen, and those that failed --- */

function chosenSection(batch) {
  const room = el("div", { "data-part": "chosen" });
  const motions = new Map(); /* read when they are wanted */
  let shown;
  batch.listen(() => {
    const i = batch.chosen;
    if (i === shown) {
      return;
    }
    shown = i;
    if (i === null || i === undefined) {
      room.replaceChildren(el("p", {}, "Choose a run in the table or in a picture."));
      return;
    }
    const run = data.runs[i];
    if (run.motion && !motions.has(i)) {
      motions.set(i, readMotion(run.motion));
    }
    const motion = motions.get(i);
    const measures = batch.measures.filter((c) => c.texts[i] !== "").map((c) => [el("dt", {}, c.head), el("dd", {}, c.numeric ? text(c.values[i], 6) : c.texts[i])]);
    room.replaceChildren(el("h3", {}, batch.name(i) || run.folder), el("p", {}, batch.column("reason").texts[i]),
      motion ? new Player([{ title: "best design", run, motion, take: motion.takes[motion.labels.get("best") ?? 0] }]).node
        : el("p", { class: "note" }, "There is no motion of it here: cqopt report " + quoted(run.folder.replace(/\/runs\/[^/]*$/, "")) + " makes those that are missing."),
      el("dl", { class: "facts" }, measures, el("dt", {}, "Folder"), el("dd", {}, el("code", {}, run.folder))));
  });
  return section("The chosen run", room);
}

/* Runs that ended at no optimum, by what they say. */
function failedSection(batch) {
  const failed = batch.rows.map((row, i) => i).filter((i) => !["OK", "BUDGET"].includes(batch.status.texts[i]));
  const rows = failed.map((i) => [el("button", { type: "button", class: "plain", onclick: () => batch.choose(i) }, batch.name(i) || String(i + 1)),
    batch.status.texts[i], batch.column("reason").texts[i]]);
  return rows.length === 0 ? null : section("Runs without an answer",
    table(count(rows.length, "run") + " of " + batch.rows.length, [{ head: "run" }, { head: "status" }, { head: "why" }], rows));
}

function batchPage() {
  const batch = new Batch(data.table);
  const good = batch.status.texts.filter((t) => t === "OK").length;
  const f = batch.column("f");
  const least = f && f.range ? batch.rows.map((row, i) => i).filter((i) => f.values[i] === f.range[0])[0] : null;
  const said = el("p", { class: "outcome" }, count(batch.rows.length, "run") + ", " + good + " ended well" +
    (least === null ? "." : "; the least objective is " + text(f.range[0], 6) + ", of " + batch.name(least) + "."));
  const parts = [said, chosenSection(batch), parallelSection(batch), scatterSection(batch), tableSection(batch), failedSection(batch),
    section("How to repeat it", el("dl", { class: "facts" }, el("dt", {}, "Command"),
      el("dd", {}, el("code", {}, (data.whole.command_line || []).map(quoted).join(" "))),
      el("dt", {}, "Version"), el("dd", {}, data.whole.version + " (" + data.whole.build_id + ")")))];
  batch.choose(least);
  return parts;
}
