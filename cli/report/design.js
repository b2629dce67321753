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
  const name = fieldNames[block.variable] || block.variable.replace(/_/g, " ");
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

function rowsOf(values, columns) {
  const rows = [];
  for (let i = 0; i < values.length; i += columns) {
    rows.push(values.slice(i, i + columns));
  }
  return rows;
}

function transpose(rows) {
  return rows[0].map((_, c) => rows.map((row) => row[c]));
}

/* Weights have labels "controller.leg1.head.x": rows by what they drive, columns by what they read. */
function weightMap(block, values, title, scale) {
  const parts = block.labels.map((label) => label.slice(block.name.length + 1));
  const cut = (label) => /^(\d+\[\d+\])(\[\d+\])$/.exec(label)?.slice(1) ||
    [label.slice(0, label.indexOf(".")), label.slice(label.indexOf(".") + 1)];
  const rows = [...new Set(parts.map((label) => cut(label)[0]))];
  const columns = [...new Set(parts.map((label) => cut(label)[1]))];
  const cells = rows.map(() => columns.map(() => null));
  parts.forEach((label, i) => {
    const [row, column] = cut(label);
    cells[rows.indexOf(row)][columns.indexOf(column)] = values[i];
  });
  return rows.length * columns.length > 4 * parts.length
    ? stripMap(block, values, title, scale)
    : heatMap({ title, rows, columns, values: cells, scale });
}

function stripMap(block, values, title, scale) {
  const columns = Math.min(values.length, Math.max(16, Math.ceil(Math.sqrt(4 * values.length))));
  const label = (i) => block.labels[i] || block.name + " " + i * block.every;
  const rows = rowsOf(values, columns);
  return heatMap({ title, rows: rows.map((_, r) => label(r * columns)), columns: Array(columns).fill(""), values: rows,
    scale });
}

function heatBlock(block) {
  const draw = (values, title, scale) => {
    if (block.row_seconds !== null && block.every === 1) {
      const times = rowsOf(values, block.components).map((_, r) => text(r * block.row_seconds, 3) + " s");
      const controls = Array.from({ length: block.components }, (_, c) =>
        block.labels[c] ? block.labels[c].replace(/^.*\]\./, "") : "control " + c);
      return heatMap({ title, rows: controls, columns: times, values: transpose(rowsOf(values, block.components)), scale });
    }
    return block.labels.length > 0 && block.variable === "controller"
      ? weightMap(block, values, title, scale) : stripMap(block, values, title, scale);
  };
  const known = block.best.some((v) => v !== null);
  const scale = scaleOf([...block.first, ...block.best], "value", block.unit);
  const slopes = block.slope.some((s) => s !== null) ? block.slope.map((s) => Math.abs(s)) : null;
  return el("div", { class: "heats" }, draw(block.first, "first design", scale),
    known ? draw(block.best, "best design", scale) : null,
    slopes ? draw(slopes, sensitivity, scaleOf(slopes, change, "")) : null);
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
        columns: Array.from(take.sampled, (t) => text(t, 3) + " s"),
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
