/* How the runs went: objective, terms, violation and gradient over evaluations, simulations or time. */

const axes = {
  evaluations: "evaluation",
  simulations: "simulations",
  elapsed: "time [s]",
};

/* x of every row of the record */
function along(run, axis) {
  const e = run.evaluations;
  if (axis === "evaluations") {
    return e.index;
  }
  if (axis === "elapsed") {
    return e.elapsed;
  }
  let sum = 0;
  return e.simulations.map((n) => (sum += n));
}

function points(xs, ys) {
  return xs.map((x, i) => [x, ys[i]]).filter((p) => p[0] !== null && p[1] !== null);
}

/* the best f so far among evaluations that are feasible, as far as there are any */
function bestSoFar(run, xs) {
  const e = run.evaluations;
  const tolerance = run.settings.constraint_tolerance;
  let best = null;
  const list = [];
  e.f.forEach((f, i) => {
    const excess = Math.max((e.violation[i] ?? Infinity) - tolerance, 0);
    if (f !== null && (!best || excess < best[0] || (excess === best[0] && f < best[1]))) {
      best = [excess, f];
    }
    if (best && xs[i] !== null) {
      list.push([xs[i], best[1]]);
    }
  });
  return list;
}

/* a logarithmic axis for what is positive and spans more than a factor of 30 */
function spansDecades(series) {
  const ys = series.flatMap((s) => s.points.map((p) => p[1]));
  const range = rangeOf(ys.filter((y) => y > 0));
  return range !== null && ys.every((y) => y >= 0) && range[1] > 30 * range[0];
}

/* Steps that went far astray must not make all others a line: what to show at most of values on a
 * linear axis. */
function mostShown(run) {
  const fs = run.evaluations.f.filter((f) => f !== null);
  const [low] = rangeOf(fs) || [0];
  const gain = fs[0] - low;
  return gain > 0 && Math.max(...fs) > fs[0] + 4 * gain ? fs[0] + 1.5 * gain : undefined;
}

function convergencePlots(runs, axis) {
  const x = axes[axis];
  const single = runs.length === 1;
  const plots = [];
  const add = (title, series, marks, most) => {
    const shown = series.filter((s) => s.points.length > 0);
    if (shown.length > 0) {
      const log = spansDecades(shown);
      plots.push(chart({ title, x, series: shown, log, marks, most: log ? undefined : most }));
    }
  };
  const each = (of) => runs.map((run, i) => of(run, along(run, axis), hue(i), single ? "" : run.name)).flat();
  const marks = single ? failedMarks(runs[0], along(runs[0], axis)) : [];
  add(single ? "Objective" : "Objective, best so far", each((run, xs, c, name) => [
    { name: name || "best so far", colour: c, step: true, points: bestSoFar(run, xs) },
    { name: "evaluations", colour: hue(1), dots: true, points: points(xs, run.evaluations.f) },
  ].slice(0, single ? 2 : 1)), marks, single ? mostShown(runs[0]) : undefined);
  if (single && runs[0].terms.length > 1) {
    const xs = along(runs[0], axis);
    add("Terms of the objective", runs[0].terms.map((name, i) =>
      ({ name, colour: hue(i), points: points(xs, runs[0].evaluations.terms[i]) })));
  }
  if (runs.some((run) => run.constraints.length > 0)) {
    add("Largest violation of a constraint", each((run, xs, c, name) =>
      ({ name: name || "violation", colour: c, points: points(xs, run.evaluations.violation) })));
  }
  add("Norm of the gradient, by typical changes of the variables", each((run, xs, c, name) =>
    ({ name: name || "gradient", colour: c, points: points(xs, run.evaluations.gradient) })));
  return plots;
}

function failedMarks(run, xs) {
  return run.evaluations.status.map((status, i) =>
    status === 0 || xs[i] === null ? null : { x: xs[i], name: "evaluation " + run.evaluations.index[i] + " failed" })
    .filter((mark) => mark);
}

function convergenceSection(runs) {
  const holder = el("div", { class: "plots" });
  const show = (axis) => holder.replaceChildren(...convergencePlots(runs, axis));
  show("evaluations");
  const thinned = runs.some((run) => run.evaluations.every > 1);
  return section("Convergence",
    choice("Over", [["evaluations", "evaluations"], ["simulations", "simulations"], ["elapsed", "time"]], "evaluations",
      show),
    holder,
    thinned ? el("p", { class: "note" }, "Of very many evaluations some are drawn: history.csv has all.") : null);
}
