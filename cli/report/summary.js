/* How a run ended: its outcome, terms and constraints before and after, effort, checks. */

const outcomes = {
  OK: ["good", "verified optimum"],
  BUDGET: ["fair", "stopped by its budget"],
  INTERRUPTED: ["fair", "interrupted"],
  TERMINATED: ["fair", "terminated"],
  running: ["fair", "still running, or ended without a word"],
};

/* [class, words] */
function outcomeOf(run) {
  const status = run.run.status;
  if (status === "OK" && /target/.test(run.run.reason)) {
    return ["good", "target reached"];
  }
  if (status === "OK" && data.whole && data.whole.starts_different > 1) {
    return ["fair", "local optimum"];
  }
  return outcomes[status] || ["bad", status.toLowerCase().replace(/_/g, " ")];
}

function badge(run) {
  const [kind, words] = outcomeOf(run);
  return el("span", { class: "badge " + kind }, words);
}

/* "of 120 evaluations: f 0.0092 to 5.8e-6" in words */
function outcomeSentence(run) {
  const r = run.run;
  const gain = run.best.evaluation > 0
    ? " The objective went from " + text(run.first.f) + " to " + text(run.best.f) + " in " +
      count(r.evaluations ?? run.last.evaluation, "evaluation") + "."
    : " No evaluation succeeded.";
  let reason = r.reason || "";
  if (reason.startsWith(outcomeOf(run)[1] + ": ")) {
    reason = reason.slice(outcomeOf(run)[1].length + 2); /* the badge says it */
  }
  reason = reason.replace(/<=/g, "\u2264").replace(/\.?$/, reason ? "." : "");
  reason = reason.replace(/^[a-z](?=[a-z]+[ ,:])/, (c) => c.toUpperCase());
  return el("p", { class: "outcome" }, badge(run), " ", reason + gain);
}

function termsTable(run) {
  const rows = run.terms.map((label, i) => [label, text(run.first.terms?.[i], 6), text(run.best.terms?.[i], 6)]);
  if (rows.length !== 1) {
    rows.push(["sum", text(run.first.f, 6), text(run.best.f, 6)]);
  }
  return table("Objective", [{ head: "term" }, { head: "first", number: true }, { head: "best", number: true }], rows);
}

/* What each scenario has of the objective, of which the table above is the mean or the worst. */
function scenariosTable(run) {
  const n = run.terms.length;
  const own = (design, k) => (design.scenarios || []).slice(k * n, (k + 1) * n);
  const sum = (values) => (values.length === n ? values.reduce((a, b) => a + b, 0) : null);
  if (run.scenarios.length === 0) {
    return null;
  }
  const rows = run.scenarios.map((settings, k) => [String(k), settings, text(sum(own(run.first, k)), 5),
    text(sum(own(run.best, k)), 5), ...(n > 1 ? own(run.best, k).map((value) => text(value, 5)) : [])]);
  return table("In each scenario, the objective is " + (run.run.combine === "worst" ? "that of the worst" : "their mean"),
    [{ head: "scenario" }, { head: "settings" }, { head: "first", number: true }, { head: "best", number: true },
      ...(n > 1 ? run.terms.map((head) => ({ head, number: true })) : [])], rows);
}

/* What each experiment is of the objective; of chi-squares, how near they are to their residuals. */
function experimentsTable(run) {
  const experiments = run.run.experiments || []; /* in the order in which the objective has their terms */
  if (experiments.length === 0) {
    return null;
  }
  let first = 0;
  const rows = experiments.map((e) => {
    const own = (design) => (design.terms || []).slice(first, first + e.terms).reduce((a, b) => a + b, 0);
    const row = [e.name, text(e.weight, 4), text(own(run.first), 5), text(own(run.best), 5), String(e.residuals || "-")];
    first += e.terms;
    return row;
  });
  return table("In each experiment", [{ head: "experiment" }, { head: "weight", number: true }, { head: "first", number: true },
    { head: "best", number: true }, { head: "residuals", number: true }], rows);
}

function violationOf(constraint) {
  return constraint.c === null ? null : constraint.relation === "=" ? Math.abs(constraint.c) : Math.max(constraint.c, 0);
}

function constraintsTable(run) {
  if (run.constraints.length === 0) {
    return null;
  }
  const rows = run.constraints.map((c, i) => {
    const violation = violationOf(c);
    const good = violation !== null && violation <= run.settings.constraint_tolerance;
    return [c.label, text(run.first.constraints?.[i], 5), text(run.best.constraints?.[i], 5),
      c.relation.replace("<=", "\u2264").replace(">=", "\u2265") + " " + text(c.bound, 5),
      text(run.run.multipliers?.[i]),
      el("span", { class: good ? "good" : "bad" }, good ? "satisfied" : "violated by " + text(violation, 3))];
  });
  return table("Constraints", [{ head: "term" }, { head: "first", number: true }, { head: "best", number: true },
    { head: "bound", number: true }, { head: "multiplier", number: true }, { head: "" }], rows);
}

function against(value, limit) {
  if (value === null || value === undefined) {
    return "not known";
  }
  const good = value <= limit;
  return el("span", { class: good ? "good" : "bad" }, text(value, 3) + (good ? " \u2264 " : " above ") + text(limit, 3));
}

/* Error bars of a fit. */
function uncertaintyTable(run) {
  const u = run.run.uncertainty;
  if (!u) {
    return null;
  }
  const rows = u.parameters.map((p) => [p.name, p.unit, text(p.value, 6), p.is === "determined" ? text(p.standard_error, 3) : p.is,
    text(p.lower_95, 6), text(p.upper_95, 6)]);
  const scale = u.deviations === "given" ? "chi-square " + text(u.chi_square, 4) + ", probability " + text(u.probability, 3)
    : "by the deviation that they have";
  return table("Error bars: " + count(u.residuals, "residual") + ", " + count(u.degrees_of_freedom, "degree") + " of freedom, " + scale +
    u.undetermined.map((sentence) => "; " + sentence).join(""),
  [{ head: "variable" }, { head: "unit" }, { head: "best", number: true }, { head: "standard error", number: true },
    { head: "95 % from", number: true }, { head: "to", number: true }], rows);
}

/* What a fit leaves, in standard deviations: near 1 where model and data agree, alike at all times. */
function residualsOf(run) {
  const u = run.run.uncertainty;
  const markers = u?.residuals_by_marker || [];
  const times = (u?.residuals_by_time || []).filter((t) => t.root_mean_square !== null);
  if (markers.length === 0) {
    return null;
  }
  const scenarios = markers.some((m) => m.scenario !== null);
  const rows = [...markers].sort((a, b) => b.root_mean_square - a.root_mean_square).map((m) =>
    [...(scenarios ? [text(m.scenario)] : []), m.term, m.marker === null ? "" : text(m.marker), String(m.count),
      text(m.root_mean_square, 3), text(m.largest, 3)]);
  const holder = el("div", {}, el("details", { open: rows.length <= 12 ? "" : null }, el("summary", {}, "Residuals by marker"),
    table("Residuals by marker, in standard deviations", [...(scenarios ? [{ head: "scenario" }] : []), { head: "term" },
      { head: "marker" }, { head: "residuals", number: true }, { head: "root mean square", number: true },
      { head: "largest", number: true }], rows)));
  if (times.length > 1) {
    holder.append(chart({ title: "Residuals by time, in standard deviations", x: "time [s]", log: false, series: [
      { name: "root mean square", colour: hue(0), dots: true, points: times.map((t) => [t.time, t.root_mean_square]) },
      { name: "largest", colour: hue(1), dots: true, points: times.map((t) => [t.time, t.largest]) }] }));
  }
  return holder;
}

/* Where the time went, as a bar. */
function timeBar(run) {
  const r = run.run;
  const parts = [["forward", r.forward_seconds, hue(0)], ["backward", r.backward_seconds, hue(1)],
    ["optimizer", Math.max(0, r.optimizer_seconds), hue(2)]].filter((p) => p[1] > 0);
  const whole = Math.max(r.seconds || 0, parts.reduce((sum, p) => sum + p[1], 0));
  if (!(whole > 0)) {
    return null;
  }
  return el("div", { class: "time" },
    el("div", { class: "bar", role: "img", "aria-label": parts.map((p) => p[0] + " " + duration(p[1])).join(", ") },
      parts.map(([, seconds, c]) => el("span", { style: "width:" + (100 * seconds) / whole + "%;background:" + c }))),
    el("div", { class: "legend" }, parts.map(([name, seconds, c]) => el("span", { class: "key" },
      el("span", { class: "swatch dot", style: "background:" + c }), name + " " + duration(seconds)))));
}

function facts(run) {
  const r = run.run;
  const s = run.settings;
  const list = [];
  const add = (name, ...value) => list.push(el("dt", {}, name), el("dd", {}, ...value));
  add("Problem", r.problem + ": " + s.dimension + "D, " + (s.bits === 64 ? "double" : "float") + ", " +
    count(s.particles, "particle") + ", " + count(s.steps, "step") + " of " + text(s.time_step) + " s");
  add("Optimizer", s.optimizer);
  if (run.best.evaluation > 0) {
    add("Best", "evaluation " + run.best.evaluation);
    if (r.repeats > 0) {
      add("Re-runs", r.repeats + " from other starts: mean f " + text(r.f_mean, 5) + ", deviation " +
        text(r.f_deviation, 2) + ", worst " + text(r.f_worst, 5) +
        (r.repeats_failed > 0 ? "; " + r.repeats_failed + " failed" : ""));
    }
    add("Violation", against(r.violation, s.constraint_tolerance));
    add("KKT residual", against(r.kkt_residual, s.optimality_tolerance));
  }
  if (r.gradient !== undefined) {
    add("Gradient", r.gradient);
  }
  if (r.half_step_f !== undefined) {
    add("Half the time step", "f " + text(r.half_step_f, 5) + (r.half_step_share === null ? "" :
      ", a change of " + text(100 * r.half_step_share, 2) + " % of what the run gained") +
      ", violation " + text(r.half_step_violation, 3));
  } else if (r.half_step) {
    add("Half the time step", r.half_step);
  }
  if (r.gradient_growth !== undefined) {
    add("Gradient backward in time", "changes " + text(r.gradient_growth, 3) + "-fold (" +
      text(r.gradient_growth_rate, 3) + " per s) at evaluation " + r.gradient_growth_evaluation +
      ", at most " + text(r.gradient_growth_worst, 3) + "-fold");
  }
  for (const sentence of r.inactive || []) {
    add("Inactive", sentence);
  }
  if (r.contact_steps !== undefined) {
    add("Contact", "in " + count(r.contact_steps, "step") + ", " + count(r.contact_spells, "spell"));
  }
  if (r.torn_body !== undefined) {
    add("Torn", text(100 * r.torn_share, 3) + " % of the particles of \u201c" + r.torn_body +
      "\u201d have lost their neighbours at " + text(r.torn_time, 4) + " s, the first of them at " +
      text(r.torn_since, 4) + " s" + (r.torn_scenario === undefined ? "" : ", in scenario " + r.torn_scenario));
  }
  if (r.evaluations !== undefined) {
    add("Effort", count(r.evaluations, "evaluation") + ", " + count(r.gradients, "gradient") + ", " +
      count(r.simulations, "simulation") + ", " + r.failures + " failed" +
      (r.recovered > 0 ? ", " + r.recovered + " solved in smaller steps" : "") +
      (r.replayed > 0 ? ", " + r.replayed + " replayed" : ""));
    add("Time", duration(r.seconds), timeBar(run));
  }
  return el("dl", { class: "facts" }, list);
}

/* Evaluations that failed: what the log says of each, else the status. */
function failures(run) {
  if (run.failures.length === 0) {
    return null;
  }
  const said = new Map();
  for (const line of run.warnings) {
    const match = /evaluation (\d+) failed: (.*)/.exec(line);
    if (match) {
      said.set(Number(match[1]), match[2]);
    }
  }
  const rows = run.failures.map((f) => [String(f.evaluation), said.get(f.evaluation) || f.status]);
  return el("details", { open: rows.length <= 5 ? "" : null },
    el("summary", {}, count(run.failures.length, "failed evaluation")),
    table("Failed evaluations", [{ head: "evaluation" }, { head: "where and when" }], rows));
}

function resultSection(run) {
  return section("Result", facts(run), termsTable(run), scenariosTable(run), experimentsTable(run), constraintsTable(run),
    uncertaintyTable(run), residualsOf(run), failures(run));
}

/* Several runs, a row each; the best of a column is bold, where there is one. */
function comparison(runs) {
  const columns = [["objective", (run) => run.run.f ?? run.best.f], ["mean of re-runs", (run) => run.run.f_mean],
    ["violation", (run) => run.run.violation],
    ["KKT residual", (run) => run.run.kkt_residual], ["evaluations", (run) => run.run.evaluations],
    ["simulations", (run) => run.run.simulations], ["failed", (run) => run.run.failures],
    ["in smaller steps", (run) => run.run.recovered],
    ["time [s]", (run) => run.run.seconds]];
  const best = columns.map(([, of]) => {
    const range = rangeOf(runs.map((run) => of(run) ?? NaN));
    return range && range[0] < range[1] ? range[0] : null;
  });
  const rows = runs.map((run, i) => [
    el("span", { class: "key" }, el("span", { class: "swatch dot", style: "background:" + hue(i) }), run.name),
    badge(run), run.settings.optimizer,
    ...columns.map(([, of], c) => el(of(run) !== undefined && of(run) === best[c] ? "b" : "span", {}, text(of(run), 5)))]);
  return section("Runs side by side", table("Runs", [{ head: "run" }, { head: "outcome" }, { head: "optimizer" },
    ...columns.map(([head]) => ({ head, number: true }))], rows));
}

/* The best design of each run, if all have the same few variables. */
function designsTable(runs) {
  const labels = (run) => run.blocks.flatMap((b) => b.labels.length === b.count ? b.labels : [null]);
  const first = labels(runs[0]);
  if (first.length > 60 || first.includes(null) || runs.some((run) => labels(run).join() !== first.join())) {
    return null;
  }
  const columns = runs.map((run) => run.blocks.flatMap((b) => b.best));
  const units = runs[0].blocks.flatMap((b) => b.best.map(() => b.unit));
  return section("Best designs", table("Variables", [{ head: "variable" }, { head: "unit" },
    ...runs.map((run) => ({ head: run.name, number: true }))],
  first.map((label, j) => [label, units[j], ...columns.map((values) => text(values[j], 6))])));
}
