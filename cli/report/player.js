/* Motions side by side, driven by one clock: play, speed, a slider of frames, colours, what a particle
 * under the pointer is. */

class Player {
  constructor(panes) {
    this.panes = panes;
    this.at = 0; /* frames from the start, with a part */
    this.last = Math.max(...panes.map((pane) => pane.take.frames)) - 1;
    /* seconds of the motion a frame, for the clock */
    const longest = panes.find((pane) => pane.take.frames - 1 === this.last).take;
    this.seconds = this.last > 0 ? longest.time[this.last] / this.last : 0;
    /* a motion takes about four seconds */
    const speeds = [["0.02", "1/50"], ["0.05", "1/20"], ["0.1", "1/10"], ["0.25", "1/4"], ["0.5", "1/2"], ["1", "1"],
      ["2", "2"], ["5", "5"]];
    const wanted = (this.last * this.seconds) / 4;
    const speed = nearest(speeds.map((s) => s[0]), (s) => Math.abs(Math.log(Number(s) / wanted)));
    this.speed = Number(speed);
    this.playing = false;
    this.chosen = null;
    this.colours = colouring(panes, "body");
    this.note = el("output", { class: "reading", "aria-live": "polite" });
    this.legend = el("div", {}, this.colours.legend());
    this.button = el("button", { type: "button", onclick: () => this.play(!this.playing) }, "Play");
    this.slider = el("input", { type: "range", min: 0, max: this.last, step: 1, value: 0, "aria-label": "Frame",
      oninput: () => this.seek(Number(this.slider.value)) });
    this.node = el("div", { class: "player" },
      el("div", { class: "panes" }, panes.map((pane) => makePane(pane, this))),
      el("div", { class: "controls" }, this.button, this.slider,
        selection("Speed", speeds, speed, (v) => (this.speed = Number(v))),
        selection("Colour", this.fields(), "body", (what) => this.recolour(what))),
      this.legend, this.note);
    this.seek(this.last);
  }
  fields() {
    const of = (motion) => [...motion.fixed, ...motion.fields].map((f) => f.name);
    const shared = of(this.panes[0].motion).filter((name) => this.panes.every((pane) => of(pane.motion).includes(name)));
    return [["body", "body"], ...shared.map((name) => [name, fieldName(name)])];
  }
  recolour(what) {
    this.colours = colouring(this.panes, what);
    this.legend.replaceChildren(this.colours.legend());
    this.draw();
  }
  draw() {
    this.panes.forEach((pane) => pane.drawn.redraw());
  }
  seek(at) {
    this.at = at;
    this.slider.value = Math.round(at);
    this.slider.setAttribute("aria-valuetext", text(at * this.seconds, 3) + " s");
    this.draw();
    this.tell();
  }
  play(on) {
    this.playing = on && this.last > 0;
    this.button.textContent = this.playing ? "Pause" : "Play";
    if (!this.playing) {
      this.seek(Math.round(this.at));
      return;
    }
    let before = null;
    if (this.at >= this.last) {
      this.at = 0;
    }
    const tick = (now) => {
      if (!this.playing) {
        return;
      }
      const passed = before === null ? 0 : (now - before) / 1000;
      before = now;
      const at = this.at + (passed * this.speed) / Math.max(this.seconds, 1e-9);
      this.seek(Math.min(at, this.last));
      if (at >= this.last) {
        this.play(false);
      } else {
        requestAnimationFrame(tick);
      }
    };
    requestAnimationFrame(tick);
  }
  /* the particle nearest to a pixel, within 12; in 3D the one in front of those within 6 */
  choose(pane, x, y) {
    let best = null;
    let least = Infinity;
    for (let p = 0; p < pane.motion.kept; p++) {
      const [px, py, depth] = pane.view.project(pane.places[3 * p], pane.places[3 * p + 1], pane.places[3 * p + 2]);
      const distance = Math.hypot(px - x, py - y);
      const rank = depth > 0 && distance < 6 ? depth : depth * 1e3 + distance;
      if (distance < 12 && rank < least) {
        [least, best] = [rank, p];
      }
    }
    this.read(best);
  }
  read(particle) {
    this.chosen = particle;
    this.draw();
    this.tell();
  }
  tell() {
    const lines = this.chosen === null ? [] : this.panes.filter((pane) => this.chosen < pane.motion.kept)
      .map((pane) => this.words(pane, this.chosen));
    this.note.textContent = lines.join("\n");
  }
  /* what is known of particle p at this time */
  words(pane, p) {
    const { motion, take } = pane;
    const frame = Math.min(Math.round(this.at), take.frames - 1);
    const x = motion.places(take, frame, 0, pane.places).subarray(3 * p, 3 * p + motion.dimension);
    const buffer = new Float32Array(motion.kept);
    const values = [...motion.fields, ...motion.fixed].map((f) => {
      const unit = f.unit === "1" ? "" : " " + f.unit.replace("dim", String(motion.dimension));
      return fieldName(f.name) + " " + text(motion.values(take, f.name, frame, buffer)[p], 3) + unit;
    });
    return pane.title + ": particle " + motion.particle[p] + " of " + motion.bodies[motion.body[p]] + " at (" +
      Array.from(x, (v) => text(v, 5)).join(", ") + ") m, " + values.join(", ");
  }
}

/* The panes of a run: each take once, in the order first, best, last. */
function panesOf(run, motion) {
  const order = ["first", "best", "last"].map((name) => motion.labels.get(name)).filter((t) => t !== undefined);
  return [...new Set(order)].map((t) => ({
    title: motion.names(t).join(" and ") + " design" + (motion.takes[t].note ? " (" + motion.takes[t].note + ")" : ""),
    run, motion, take: motion.takes[t],
  }));
}

function motionSection(runs, motions) {
  const panes = several
    ? runs.map((run, i) => motions[i] && bestPane(run, motions[i])).filter((pane) => pane)
    : motions[0] ? panesOf(runs[0], motions[0]) : [];
  if (panes.length === 0) {
    return section("Motion", el("p", {}, "There is no motion beside this run: cqopt report RUN makes it."));
  }
  const motion = panes[0].motion;
  const notes = [];
  if (motion.kept < motion.total) {
    notes.push("Of " + motion.total.toLocaleString("en") + " particles " + motion.kept.toLocaleString("en") +
      " are shown, evenly of every body.");
  }
  if (!several && ["first", "best", "last"].some((name) => !motion.labels.has(name))) {
    notes.push("Some of the first, best and last design have no motion here: cqopt report RUN makes it.");
  }
  if (several && panes.length < runs.length) {
    notes.push(count(runs.length - panes.length, "run has", "runs have") + " no motion here.");
  }
  if (/\bvary = \(\s*\{/.test(runs[0].problem)) {
    notes.push("The motion is that of the file's own settings, not of a scenario.");
  }
  if (/^experiments = \(\s*\{/m.test(runs[0].problem)) {
    notes.push("The motion is that of the first experiment; cqopt render RUN/experiments/NAME draws each.");
  }
  const seen = runs.some((run) => run.drawings.some((d) => d.role === "track"));
  notes.push("Circles are centres and markers that terms look at, crosses their targets" +
    (seen ? ", red rings where markers were seen" : "") + ". Click a particle to read it, or go through them by comma and full stop." +
    (motion.dimension === 3 ? " Drag or use the arrow keys to turn, + and \u2212 to zoom." : ""));
  return section("Motion", new Player(panes).node, el("p", { class: "note" }, notes.join(" ")));
}

function bestPane(run, motion) {
  const t = motion.labels.get("best") ?? 0;
  return { title: run.name, run, motion, take: motion.takes[t] };
}
