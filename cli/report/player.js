/* Motions side by side, driven by one clock: play, speed, a slider of frames, colours, what a particle
 * under the pointer is. */

const fieldNames = {
  youngs_modulus: "Young's modulus",
  density: "density",
  speed: "speed",
  strain: "strain, norm",
  actuation: "actuation",
};

/* panes: [{ title, run, motion, take }] */
function colouring(panes, what) {
  const motion = panes[0].motion;
  if (what === "body") {
    return {
      of: (pane, frame) => (p) => hue(pane.motion.body[p]),
      legend: () => el("div", { class: "legend" }, motion.bodies.map((name, b) => el("span", { class: "key" },
        el("span", { class: "swatch dot", style: "background:" + hue(b) }), name))),
    };
  }
  const ends = panes.flatMap((pane) => {
    const field = pane.motion.fields.find((f) => f.name === what);
    const buffer = new Float32Array(pane.motion.kept);
    return field ? field.range : rangeOf(pane.motion.values(pane.take, what, 0, buffer));
  });
  const unit = [...motion.fields, ...motion.fixed].find((f) => f.name === what).unit;
  const scale = scaleOf(ends, fieldNames[what] || what, unit.replace("dim", String(motion.dimension)));
  return {
    of(pane, frame) {
      const values = pane.motion.values(pane.take, what, frame, pane.values);
      return (p) => scale.of(values[p]);
    },
    legend: () => scale.legend(),
  };
}

/* one motion on its canvas */
function makePane(pane, player) {
  pane.view = makeView(pane.motion, pane.run.drawings, player.panes.filter((q) => q.run === pane.run).map((q) => q.take), false);
  pane.places = new Float32Array(3 * pane.motion.kept);
  pane.values = new Float32Array(pane.motion.kept);
  pane.drawn = canvas("Motion of the " + pane.title, pane.view.ratio, (context, width, height) => drawPane(pane, player, context, width, height));
  pane.drawn.node.tabIndex = 0;
  pane.drawn.node.addEventListener("click", (event) => {
    const box = pane.drawn.node.getBoundingClientRect();
    player.choose(pane, event.clientX - box.left, event.clientY - box.top);
  });
  if (pane.view instanceof View3d) {
    makeTurnable(pane, player);
  }
  return el("figure", { class: "pane" }, el("figcaption", {}, pane.title), pane.drawn.node);
}

function drawPane(pane, player, context, width, height) {
  const { view, motion, take } = pane;
  const last = take.frames - 1;
  const frame = Math.min(Math.floor(player.at), last);
  const part = frame === last ? 0 : player.at - frame;
  view.fit(width, height);
  pane.drawn.node.dataset.view = view instanceof View3d ? "3d" : [view.x0, view.y0, view.scale, view.height].join(" ");
  motion.places(take, frame, part, pane.places);
  const scene = () => view.scene(context, take.time[frame]);
  if (!(view instanceof View3d)) {
    scene();
  }
  view.particles(context, pane.places, player.colours.of(pane, Math.min(frame + (part > 0.5 ? 1 : 0), last)), 1);
  if (view instanceof View3d) {
    scene();
  }
  view.ruler(context);
  drawPaths(pane, context, frame);
  if (player.chosen !== null && player.chosen < motion.kept) {
    const p = player.chosen;
    const [x, y] = view.project(pane.places[3 * p], pane.places[3 * p + 1], pane.places[3 * p + 2]);
    context.strokeStyle = colour("ink");
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context.stroke();
  }
  context.fillStyle = colour("ink");
  context.font = "12px system-ui, sans-serif";
  context.fillText(text(take.time[frame], 3) + " s" + (frame === last && take.note ? ": " + take.note : ""), 8, 16);
}

/* the way of what the terms look at */
function drawPaths(pane, context, frame) {
  const { motion, take, view } = pane;
  context.strokeStyle = colour("ink");
  context.lineWidth = 1;
  for (let i = 0; i < motion.points.length; i++) {
    const path = motion.path(take, i, frame).map((x) => view.project(...x));
    context.globalAlpha = 0.6;
    context.beginPath();
    path.forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.stroke();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(path[frame][0], path[frame][1], 3, 0, 2 * Math.PI);
    context.stroke();
  }
}

function makeTurnable(pane, player) {
  const node = pane.drawn.node;
  let from = null;
  const turn = (yaw, pitch, zoom) => {
    player.panes.forEach((q) => q.view.turn && q.view.turn(yaw, pitch, zoom));
    player.draw();
  };
  node.classList.add("turnable");
  node.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (from) {
      turn((event.clientX - from[0]) / 120, (event.clientY - from[1]) / 120, 1);
      from = [event.clientX, event.clientY];
    }
  });
  node.addEventListener("pointerup", () => (from = null));
  node.addEventListener("pointercancel", () => (from = null));
  node.addEventListener("wheel", (event) => {
    if (event.ctrlKey) {
      turn(0, 0, Math.exp(event.deltaY / 300));
      event.preventDefault();
    }
  }, { passive: false });
  node.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.1, 0, 1], ArrowRight: [0.1, 0, 1], ArrowUp: [0, -0.1, 1], ArrowDown: [0, 0.1, 1],
      "+": [0, 0, 0.9], "-": [0, 0, 1.1] }[event.key];
    if (step) {
      turn(...step);
      event.preventDefault();
    }
  });
}

class Player {
  constructor(panes) {
    this.panes = panes;
    this.at = 0; /* frames from the start, with a part */
    this.last = Math.max(...panes.map((pane) => pane.take.frames)) - 1;
    /* seconds of the motion a frame, for the clock */
    const longest = panes.find((pane) => pane.take.frames - 1 === this.last).take;
    this.seconds = this.last > 0 ? longest.time[this.last] / this.last : 0;
    /* a motion takes about four seconds */
    const speeds = [["0.02", "1/50"], ["0.05", "1/20"], ["0.1", "1/10"], ["0.25", "1/4"], ["0.5", "1/2"], ["1", "1"], ["2", "2"],
      ["5", "5"]];
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
    return [["body", "body"], ...shared.map((name) => [name, fieldNames[name] || name])];
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
    this.chosen = best;
    this.draw();
    this.tell();
  }
  tell() {
    const p = this.chosen;
    this.note.textContent = p === null ? "" : this.panes.map((pane) => {
      if (p >= pane.motion.kept) {
        return "";
      }
      const { motion, take } = pane;
      const frame = Math.min(Math.round(this.at), take.frames - 1);
      const x = motion.places(take, frame, 0, pane.places).subarray(3 * p, 3 * p + motion.dimension);
      const buffer = new Float32Array(motion.kept);
      const values = [...motion.fields, ...motion.fixed].map((f) =>
        (fieldNames[f.name] || f.name) + " " + text(motion.values(take, f.name, frame, buffer)[p], 3) + (f.unit === "1" ? "" : " " + f.unit.replace("dim", String(motion.dimension))));
      return pane.title + ": particle " + motion.particle[p] + " of " + motion.bodies[motion.body[p]] + " at (" +
        Array.from(x, (v) => text(v, 5)).join(", ") + ") m, " + values.join(", ");
    }).join("\n");
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
  notes.push("Circles are centres and markers that terms look at, crosses their targets. Click a particle to read it." +
    (motion.dimension === 3 ? " Drag or use the arrow keys to turn, + and \u2212 to zoom." : ""));
  return section("Motion", new Player(panes).node, el("p", { class: "note" }, notes.join(" ")));
}

function bestPane(run, motion) {
  const t = motion.labels.get("best") ?? 0;
  return { title: run.name, run, motion, take: motion.takes[t] };
}
