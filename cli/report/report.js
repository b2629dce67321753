/* The page of a run, or of several. */

function warningsSection(run) {
  return run.warnings.length === 0 ? null : section(several ? "Warnings of " + run.name : "Warnings",
    el("ul", { class: "warnings" }, run.warnings.map((line) => el("li", {}, line))));
}

function quoted(word) {
  return /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function repeatSection(run) {
  const r = run.run;
  const list = [];
  const add = (name, value) => value && list.push(el("dt", {}, name), el("dd", {}, value));
  add("Command", el("code", {}, (r.command_line || []).map(quoted).join(" ")));
  add("The same problem again", el("code", {}, "cqopt solve " + quoted(run.folder + "/problem.cfg") + " --threads " + r.threads));
  add("The best design, recorded", el("code", {}, "cqopt simulate " + quoted(run.folder + "/problem.cfg") + " --design " + quoted(run.folder)));
  add("Version", r.version + " (" + r.build_id + ", " + r.build_type + ", " + r.compiler + ")");
  add("Machine", [r.cpu, r.simd, r.threads + (r.threads === 1 ? " thread" : " threads"), r.system].filter((v) => v).join(", "));
  add("Started", r.started + (r.ended ? ", ended " + r.ended : "") + (r.resumed ? ", resumed " + r.resumed + " times" : ""));
  add("Seed", String(r.seed));
  return section(several ? "How to repeat " + run.name : "How to repeat it", el("dl", { class: "facts" }, list));
}

function problemSection(run) {
  return section(several ? "Problem file of " + run.name : "Problem file",
    el("details", {}, el("summary", {}, "problem.cfg, with every default filled in"), el("pre", { tabindex: "0" }, run.problem)));
}

function build() {
  const { runs } = data;
  const motions = runs.map((run) => readMotion(run.motion));
  const parts = [el("h1", {}, data.title)];
  if (several) {
    parts.push(comparison(runs));
  } else {
    parts.push(outcomeSentence(runs[0]));
  }
  parts.push(motionSection(runs, motions));
  if (!several) {
    parts.push(resultSection(runs[0]));
  }
  parts.push(convergenceSection(runs));
  runs.forEach((run, i) => parts.push(designSection(run, motions[i])));
  runs.forEach((run) => parts.push(warningsSection(run)));
  runs.forEach((run) => parts.push(problemSection(run), repeatSection(run)));
  document.getElementById("report").replaceChildren(...parts.filter((part) => part));
  document.documentElement.dataset.ready = "yes";
}

build();
