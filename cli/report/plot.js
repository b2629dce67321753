/* Lines over an axis, in SVG: axes that can be read, a legend, values under the pointer or the arrow
 * keys. */

/* round numbers about n of them from low to high */
function ticks(low, high, n) {
  const rough = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    list.push(i * step);
  }
  return list;
}

function logTicks(low, high, n) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first) / n));
  const between = last - first < 2 ? [1, 2, 5] : [1];
  const list = [];
  for (let e = first - 1; e <= last; e++) {
    list.push(...between.map((m) => m * 10 ** e).filter((v) => (e - first) % every === 0 && v >= low && v <= high));
  }
  return list;
}

/* A direction of a plot: numbers to pixels. */
function axisOf(values, log, from, to) {
  let [low, high] = rangeOf(values) || [0, 1];
  if (log) {
    [low, high] = high > low ? [low, high] : [low / 2, high * 2];
    const a = Math.log(low);
    const b = Math.log(high);
    return { low, high, log, at: (v) => from + ((Math.log(v) - a) / (b - a)) * (to - from) };
  }
  if (high === low) {
    const half = Math.abs(low) / 2;
    [low, high] = half > 0 ? [low - half, high + half] : [0, 1];
  }
  return { low, high, log, at: (v) => from + ((v - low) / (high - low)) * (to - from) };
}

/* plot: { title, x, log, series: [{ name, colour, points: [[x, y]], dots, step }], marks: [{ x, name }],
 * most }; x names the axis, values above `most` are drawn as arrows at the upper edge */
function chart(plot) {
  const holder = el("figure", { class: "chart" });
  const note = el("output", { class: "reading", "aria-live": "polite" });
  const series = plot.series.filter((s) => s.points.length > 0);
  let chosen = null;
  const draw = () => {
    const width = holder.clientWidth;
    if (width > 0) {
      holder.querySelector("svg")?.remove();
      holder.insertBefore(drawChart(plot, series, width, 230, chosen), holder.querySelector(".legend"));
    }
  };
  const pick = (value) => {
    chosen = value;
    note.textContent = value === null ? "" : readingOf(plot, series, value);
    draw();
  };
  const xs = [...new Set(series.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
  holder.append(el("figcaption", {}, plot.title), legendOf(series), note);
  holder.tabIndex = 0;
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", describe(plot, series));
  holder.addEventListener("pointermove", (event) => {
    const area = holder.querySelector("svg")?.dataset;
    const box = holder.querySelector("svg")?.getBoundingClientRect();
    if (area && event.clientY >= box.top && event.clientY <= box.bottom) {
      const at = event.clientX - box.left;
      pick(nearest(xs, (x) => Math.abs(Number(area.left) + (x - area.low) * area.slope - at)));
    }
  });
  holder.addEventListener("pointerleave", () => pick(null));
  holder.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -xs.length, End: xs.length }[event.key];
    if (step) {
      const i = chosen === null ? (step < 0 ? xs.length : -1) : xs.indexOf(chosen);
      pick(xs[Math.max(0, Math.min(xs.length - 1, i + step))]);
      event.preventDefault();
    }
  });
  new ResizeObserver(draw).observe(holder);
  return holder;
}

function nearest(list, distance) {
  return list.reduce((best, x) => (best === null || distance(x) < distance(best) ? x : best), null);
}

function describe(plot, series) {
  const parts = series.map((s) => {
    const last = s.points[s.points.length - 1];
    return s.name + " from " + text(s.points[0][1]) + " to " + text(last[1]);
  });
  return plot.title + " by " + plot.x + ". " + parts.join("; ") + ". Arrow keys read values.";
}

function readingOf(plot, series, x) {
  const parts = series.map((s) => {
    const point = nearest(s.points, (p) => Math.abs(p[0] - x));
    return point[0] === x ? s.name + " " + text(point[1], 5) : null;
  });
  return plot.x + " " + text(x) + ": " + parts.filter((p) => p).join(", ");
}

function legendOf(series) {
  return el("div", { class: "legend" }, series.length < 2 ? [] : series.map((s) =>
    el("span", { class: "key" },
      el("span", { class: "swatch" + (s.dots ? " dot" : ""), style:
        (s.dots ? "background:" : "border-top:2px solid ") + s.colour }),
      s.name)));
}

function drawChart(plot, series, width, height, chosen) {
  const left = 62;
  const right = width - 12;
  const top = 10;
  const bottom = height - 34;
  const all = series.flatMap((s) => s.points);
  const most = plot.most ?? Infinity;
  const ys = all.map((p) => Math.min(p[1], most)).filter((y) => !plot.log || y > 0);
  const x = axisOf(all.map((p) => p[0]), false, left, right);
  const y = axisOf(ys, plot.log, bottom, top);
  const slope = (right - left) / (x.high - x.low);
  const picture = svg("svg", {
    width, height, viewBox: "0 0 " + width + " " + height, "aria-hidden": "true",
    "data-left": left, "data-low": x.low, "data-slope": slope,
  });
  const yTicks = y.log ? logTicks(y.low, y.high, 5) : ticks(y.low, y.high, 4);
  for (const v of yTicks.length > 1 ? yTicks : [y.low, y.high]) {
    picture.append(svg("line", { class: "grid", x1: left, x2: right, y1: y.at(v), y2: y.at(v) }),
      svg("text", { x: left - 6, y: y.at(v) + 4, "text-anchor": "end" }, text(v, 3)));
  }
  const whole = all.every((p) => Number.isInteger(p[0]));
  for (const v of ticks(x.low, x.high, Math.max(2, Math.min(8, width / 90))).filter((t) => !whole || Number.isInteger(t))) {
    picture.append(svg("line", { class: "axis", x1: x.at(v), x2: x.at(v), y1: bottom, y2: bottom + 4 }),
      svg("text", { x: x.at(v), y: bottom + 17, "text-anchor": "middle" }, text(v, 4)));
  }
  picture.append(svg("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
    svg("text", { class: "label", x: right, y: height - 3, "text-anchor": "end" }, plot.x));
  for (const mark of plot.marks || []) {
    picture.append(svg("text", { class: "failed", x: x.at(mark.x), y: bottom - 3, "text-anchor": "middle" },
      "\u00d7", svg("title", {}, mark.name)));
  }
  for (const s of series) {
    picture.append(drawSeries(s, x, y, plot.log, chosen, most));
  }
  if (chosen !== null) {
    picture.append(svg("line", { class: "cursor", x1: x.at(chosen), x2: x.at(chosen), y1: top, y2: bottom }));
  }
  return picture;
}

function drawSeries(s, x, y, log, chosen, most) {
  const group = svg("g", {});
  let path = "";
  let before = null;
  for (const [px, py] of s.points) {
    if (py === null || (log && py <= 0)) {
      before = null;
      continue;
    }
    const at = [x.at(px).toFixed(1), y.at(Math.min(py, most)).toFixed(1)];
    if (s.dots && py > most) {
      group.append(svg("path", { d: "M" + at + "l-4,7h8z", fill: s.colour }));
      continue;
    }
    path += before === null ? "M" + at : (s.step ? "H" + at[0] + "V" + at[1] : "L" + at);
    before = at;
    if (s.dots || px === chosen || s.points.length === 1) {
      group.append(svg("circle", { cx: at[0], cy: at[1], r: px === chosen ? 4 : 2.4, fill: s.colour }));
    }
  }
  if (!s.dots) {
    group.prepend(svg("path", { d: path, fill: "none", stroke: s.colour, "stroke-width": 1.8,
      "stroke-linejoin": "round" }));
  }
  return group;
}
