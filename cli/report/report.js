/* The page of a run, or of several. */

/* what the log warns of; failed evaluations have a table of their own */
function warnings(run) {
  const lines = run.warnings.filter((line) => !/evaluation \d+ failed:/.test(line))
    .map((line) => line.replace(/^warning: /, ""));
  return lines.length === 0 ? null : el("ul", { class: "warnings" }, lines.map((line) => el("li", {}, line)));
}

function quoted(word) {
  return /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function repeating(run) {
  const r = run.run;
  const list = [];
  const add = (name, value) => value && list.push(el("dt", {}, name), el("dd", {}, value));
  const file = quoted(run.folder + "/problem.cfg");
  add("Command", el("code", {}, (r.command_line || []).map(quoted).join(" ")));
  add("The same problem again", el("code", {}, "cqopt solve " + file + " --threads " + r.threads));
  add("The best design, recorded", el("code", {}, "cqopt simulate " + file + " --design " + quoted(run.folder)));
  add("Version", r.version + " (" + r.build_id + ", " + r.build_type + ", " + r.compiler + ")");
  add("Machine", [r.gpu, r.cpu, r.simd, count(r.threads, "thread"), r.system].filter((v) => v).join(", "));
  add("Started", r.started + (r.ended ? ", ended " + r.ended : "") +
    (r.resumed ? ", resumed " + count(r.resumed, "time") : ""));
  add("Seed", String(r.seed));
  return el("dl", { class: "facts" }, list);
}

function problem(run) {
  return el("details", {}, el("summary", {}, "problem.cfg, with every default filled in"),
    el("pre", { tabindex: "0" }, run.problem));
}

function single(run, motion) {
  const said = warnings(run);
  return [outcomeSentence(run), motionSection([run], [motion]), resultSection(run), convergenceSection([run]),
    section("Design", ...designParts(run, motion)), said && section("Warnings", said), section("Problem file", problem(run)),
    section("How to repeat it", repeating(run))];
}

/* What belongs to one of several runs is folded away. */
function details(run, motion) {
  return el("details", {}, el("summary", {}, run.name), outcomeSentence(run), facts(run), termsTable(run),
    constraintsTable(run), failures(run), el("h3", {}, "Design"), designParts(run, motion), warnings(run), problem(run),
    repeating(run));
}

/* Of several starts: how the whole ended, and what the best one, which comes first, warns of. */
function ofStarts(runs) {
  const reason = (data.whole.reason || "").replace(/<=/g, "\u2264").replace(/\.?$/, ".");
  const said = warnings(runs[0]);
  return [el("p", { class: "outcome" }, badge({ run: data.whole }), " ", reason),
    said && section("Warnings of the best start", said)];
}

function sideBySide(runs, motions) {
  return [...(data.whole ? ofStarts(runs) : []), comparison(runs), motionSection(runs, motions),
    convergenceSection(runs), designsTable(runs),
    section("Each run", runs.map((run, i) => details(run, motions[i])))];
}

function runsPage() {
  const motions = data.runs.map((run) => readMotion(run.motion));
  return several ? sideBySide(data.runs, motions) : single(data.runs[0], motions[0]);
}

document.getElementById("report").replaceChildren(el("h1", {}, data.title),
  ...(data.table ? batchPage() : runsPage()).filter((part) => part));
document.documentElement.dataset.ready = "yes";
