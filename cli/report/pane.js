/* A motion on a canvas of its own: a pane { title, run, motion, take } of a player, which says the
 * frame, the colours and the particle that is chosen. */

/* a field as it is told */
function fieldName(name) {
  return name === "strain" ? "strain, norm" : name.replaceAll("_", " ");
}

/* panes: [{ title, run, motion, take }] */
function colouring(panes, what) {
  const motion = panes[0].motion;
  if (what === "body") {
    return {
      plain: true,
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
  const scale = scaleOf(ends, fieldName(what), unit.replace("dim", String(motion.dimension)));
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
  const takes = player.panes.filter((q) => q.run === pane.run).map((q) => q.take);
  pane.view = makeView(pane.motion, pane.run.drawings, takes, false);
  pane.places = new Float32Array(3 * pane.motion.kept);
  pane.values = new Float32Array(pane.motion.kept);
  pane.drawn = canvas("Motion of the " + pane.title, pane.view.ratio,
    (context, width, height) => drawPane(pane, player, context, width, height));
  pane.drawn.node.tabIndex = 0;
  pane.drawn.node.addEventListener("click", (event) => {
    const box = pane.drawn.node.getBoundingClientRect();
    player.choose(pane, event.clientX - box.left, event.clientY - box.top);
  });
  pane.drawn.node.addEventListener("keydown", (event) => {
    const step = { ",": -1, ".": 1 }[event.key];
    if (step) {
      const n = pane.motion.kept;
      player.read(player.chosen === null ? 0 : (player.chosen + step + n) % n);
      event.preventDefault();
    }
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
  /* walls are behind the bodies, in 3D too: they are what is to be seen */
  view.walls(context, motion.drawn(view.drawings, take, frame, part));
  view.bodies(context, motion, pane.places, player.colours.of(pane, Math.min(frame + (part > 0.5 ? 1 : 0), last)),
    player.colours.plain);
  drawPoints(context, view, take.time[frame]);
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
