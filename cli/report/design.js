/* The design before and after, and how much the objective depends on each part of it. */

const sensitivity = "sensitivity at the best design";
const change = "|change of f|";
const designNames = { first: "first design", best: "best design", last: "last design" };

/* --- maps: variables that are spread over particles --- */

function particleMap(run, motion, values, label, takeName, scale) {
  const take = motion.takes[motion.labels.get(takeName) ?? 0];
  const places = motion.places(take, 0, 0, new Float32Array(3 * motion.kept));
  const view = makeView(motion, run.drawings, [take], true);
  const drawn = canvas(label, view.ratio, (context, width, height) => {
    view.fit(width, height);
    view.particles(context, places, (p) => (values[p] === null ? colour("line") : scale.of(values[p])), 1.2);
  });
  return el("figure", { class: "map" }, el("figcaption", {}, label), drawn.node, scale.legend());
}

function mapBlock(run, motion, block) {
  const { map } = block;
  const name = fieldName(block.variable);
  const scale = scaleOf([...map.first, ...(map.best || [])], name, block.unit);
  const figures = [particleMap(run, motion, map.first, "first design", "first", scale)];
  if (map.best) {
    figures.push(particleMap(run, motion, map.best, "best design", "best", scale));
  }
  if (map.slope && map.slope.length > 0) {
    figures.push(particleMap(run, motion, map.slope, sensitivity, "best", scaleOf(map.slope, change, "")));
  }
  return el("div", { class: "maps" }, figures);
}

/* --- tables of controls and weights as heat maps --- */

/* A table: { name, rows, columns: labels, at [row][column]: which variable, -1: none, axis }. */

/* cells: [[row, column], ...] of the variables, by their names */
function tableOf(name, cells, first) {
  const rows = [...new Set(cells.map((cell) => cell[0]))];
  const columns = [...new Set(cells.map((cell) => cell[1]))];
  const at = rows.map(() => columns.map(() => -1));
  cells.forEach(([row, column], i) => {
    at[rows.indexOf(row)][columns.indexOf(column)] = first + i;
  });
  return { name, rows, columns, at };
}

/* "controller.leg1.head.x": a row is what is driven, a column what is read. Who is driven has a bias. */
function weightTables(labels) {
  const layers = labels.map((label) => /^(\d+)(?:\[(\d+)\]\[(\d+)\]|\.bias\[(\d+)\])$/.exec(label));
  if (layers.every((match) => match)) {
    const count = Number(layers[layers.length - 1][1]) + 1;
    return Array.from({ length: count }, (_, k) => {
      const own = layers.map((match) => Number(match[1]) === k);
      const cells = layers.filter((_, i) => own[i]).map(([, , row, column, bias]) =>
        ["unit " + (row ?? bias), column === undefined ? "bias" : String(column)]);
      return tableOf("layer " + k, cells, own.indexOf(true));
    });
  }
  const driven = labels.filter((label) => label.endsWith(".bias")).map((label) => label.slice(0, -5));
  return [tableOf("", labels.map((label) => {
    const row = driven.find((name) => label.startsWith(name + "."));
    return row === undefined ? [label, ""] : [row, label.slice(row.length + 1)];
  }), 0)];
}

/* the rows of controls lie: time goes to the right */
function controlTable(block) {
  const n = block.components;
  const rows = block.first.length / n;
  const names = Array.from({ length: n }, (_, c) =>
    block.labels[c] ? block.labels[c].replace(/^.*\]\./, "") : "control " + c);
  return { name: "", rows: names, columns: Array.from({ length: rows }, (_, r) => text(r * block.row_seconds, 3) + " s"),
    at: names.map((_, c) => Array.from({ length: rows }, (_, r) => r * n + c)),
    axis: { name: "time [s]", low: 0, high: rows * block.row_seconds, from: 0 } };
}

/* whatever else there is, line by line */
function stripTable(block) {
  const n = block.first.length;
  const columns = Math.min(n, Math.max(16, Math.ceil(Math.sqrt(4 * n))));
  const starts = Array.from({ length: Math.ceil(n / columns) }, (_, r) => r * columns);
  return { name: "", rows: starts.map((i) => block.labels[i] || block.name + " " + i * block.every),
    columns: Array(columns).fill(""),
    at: starts.map((i) => Array.from({ length: columns }, (_, c) => (i + c < n ? i + c : -1))) };
}

function tablesOf(block) {
  if (block.row_seconds !== null && block.every === 1) {
    return [controlTable(block)];
  }
  if (block.labels.length === block.count && block.variable === "controller" && block.every === 1) {
    const tables = weightTables(block.labels.map((label) => label.slice(block.name.length + 1)));
    if (tables.every((t) => t.rows.length * t.columns.length <= 2 * block.count)) {
      return tables;
    }
  }
  return [stripTable(block)];
}

function heatBlock(block) {
  const known = block.best.some((v) => v !== null);
  const scale = scaleOf([...block.first, ...block.best], "value", block.unit);
  const slopes = block.slope.some((s) => s !== null) ? block.slope.map((s) => Math.abs(s)) : null;
  const draw = (table, values, title, colours) => heatMap({ title: table.name ? title + ", " + table.name : title,
    rows: table.rows, columns: table.columns, axis: table.axis, scale: colours,
    values: table.at.map((row) => row.map((i) => (i < 0 ? null : values[i]))) });
  return tablesOf(block).map((table) => el("div", { class: "heats" }, draw(table, block.first, "first design", scale),
    known ? draw(table, block.best, "best design", scale) : null,
    slopes ? draw(table, slopes, sensitivity, scaleOf(slopes, change, "")) : null));
}

/* --- single variables --- */

function variablesTable(blocks) {
  const rows = [];
  const most = Math.max(...blocks.flatMap((b) => b.slope.map((s) => Math.abs(s ?? 0))), 1e-300);
  for (const block of blocks) {
    block.first.forEach((first, j) => {
      const slope = block.slope[j];
      rows.push([block.labels[j] || block.name + " " + j, block.unit, text(first, 6), text(block.best[j], 6),
        text(block.last[j], 6), text(block.lower[j], 5), text(block.upper[j], 5),
        el("span", { class: "slope", title: text(slope, 5) },
          el("span", { style: "width:" + (100 * Math.abs(slope ?? 0)) / most + "%" }), text(slope, 2))]);
    });
  }
  return table("Variables",
    [{ head: "variable" }, { head: "unit" },
      ...["first", "best", "last", "lower", "upper"].map((head) => ({ head, number: true })), { head: sensitivity }], rows);
}

/* --- what the actuators did --- */

/* of columns that are samples: half a distance before the first and behind the last */
function timeAxis(times) {
  const half = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) / 2 : 0.5;
  return { name: "time [s]", low: times[0] - half, high: times[times.length - 1] + half, from: times[0] };
}

function controlCurves(run, motion) {
  const holder = el("div", { class: "plots" });
  const names = ["first", "best", "last"].filter((name) => motion.labels.has(name));
  const n = motion.controls.length;
  const show = (name) => {
    const take = motion.takes[motion.labels.get(name)];
    const curve = (i) => Array.from(take.sampled, (t, j) => [t, take.controls[j * n + i]]);
    if (n <= 8) {
      const units = [...new Set(motion.controls.map((c) => c.unit))].join(", ");
      holder.replaceChildren(chart({ title: "Controls [" + units + "], " + designNames[name], x: "time [s]", log: false,
        series: motion.controls.map((c, i) => ({ name: c.name, colour: hue(i), step: true, points: curve(i) })) }));
    } else {
      holder.replaceChildren(heatMap({ title: "Controls, " + designNames[name], rows: motion.controls.map((c) => c.name),
        columns: Array.from(take.sampled, (t) => text(t, 3) + " s"), axis: timeAxis(take.sampled),
        values: motion.controls.map((_, i) => curve(i).map((p) => p[1])),
        scale: scaleOf(take.controls, "control", motion.controls[0].unit) }));
    }
  };
  const shown = names.includes("best") ? "best" : names[0];
  show(shown);
  return [el("h3", {}, "Controls over time"),
    choice("Of the", names.map((name) => [name, designNames[name]]), shown, show), holder];
}

function designParts(run, motion) {
  const few = run.blocks.filter((b) => b.count <= 12);
  const many = run.blocks.filter((b) => b.count > 12);
  const parts = few.length > 0 ? [variablesTable(few)] : [];
  for (const block of many) {
    parts.push(el("h3", {}, block.name + (block.unit && block.unit !== "1" ? " [" + block.unit + "]" : "") + ", " +
      count(block.count, "variable")));
    parts.push(block.map && motion ? mapBlock(run, motion, block) : heatBlock(block));
  }
  if (motion && motion.controls.length > 0) {
    parts.push(...controlCurves(run, motion));
  }
  return [...parts, el("p", { class: "note" }, "Sensitivity is what a typical change of a variable (its scale) does to " +
    "the objective f. design.csv has every variable.")];
}
