/* Where things of a scene are on a canvas, and how they are drawn there. A view has
 *   ratio                         height over width that suits it
 *   fit(width, height)            takes the size of its canvas
 *   project(x, y, z) -> [px, py, depth]
 *   particles(context, places, colourOf, grow)   places [kept][3]
 *   bodies(context, motion, places, colourOf, plain)   surfaces, and the particles of the other bodies; plain: a
 *                                 body has one colour
 *   walls(context, drawings)      of a frame
 *   ruler(context)                a length, or the directions of the axes */

/* Makes [low, high] enclose the particles in places [kept][3]; of one body, if it is given. */
function enclose([low, high], places, body, b) {
  for (let i = 0; i < places.length; i++) {
    if (body && body[Math.floor(i / 3)] !== b) {
      continue;
    }
    const a = i % 3;
    low[a] = Math.min(low[a], places[i]);
    high[a] = Math.max(high[a], places[i]);
  }
}

function nothing() {
  return [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
}

/* the room of a scene: [low, high] */
function roomOf(drawings) {
  const box = nothing();
  drawings.filter((d) => d.role === "room").forEach((d) => enclose(box, d.points));
  return box;
}

/* x -> M x + t, by the twelve numbers of the rows (M, t) */
function mapped(map) {
  return (x) => [0, 4, 8].map((row) => map[row] * x[0] + map[row + 1] * x[1] + map[row + 2] * x[2] + map[row + 3]);
}

/* the part of a polygon that is in a box */
function cutToBox(corners, [low, high], dim) {
  for (let face = 0; face < 2 * dim; face++) {
    const a = face >> 1;
    const inside = (x) => (face % 2 === 0 ? x[a] - low[a] : high[a] - x[a]);
    corners = corners.flatMap((p, i) => {
      const q = corners[(i + 1) % corners.length];
      const [at, then] = [inside(p), inside(q)];
      const crossing = (at >= 0) !== (then >= 0) ? [p.map((v, k) => v + (at / (at - then)) * (q[k] - v))] : [];
      return at >= 0 ? [p, ...crossing] : crossing;
    });
  }
  return corners;
}

/* Makes the box enclose what moves without particles in a take, as far as it is in the room. */
function encloseMovers(box, motion, drawings, take) {
  const [low, high] = roomOf(drawings);
  const inRoom = (x) => x.every((v, a) => a >= motion.dimension || (v >= low[a] && v <= high[a]));
  for (const d of drawings.filter((d) => d.moves && motion.movers.includes(d.name))) {
    const reach = d.form === "ball" ? [-d.radius, d.radius] : [0];
    for (let k = 0; k < take.frames; k++) {
      const at = cornersOf(d).map(mapped(motion.map(take, motion.movers.indexOf(d.name), k, 0)));
      at.filter(inRoom).forEach((x) => reach.forEach((r) => enclose(box, x.map((v, a) => v + (a < motion.dimension ? r : 0)))));
    }
  }
}

/* The box around particles (all frames, or the first one), what moves, targets and tracks: [low, high]. */
function boundsOf(motion, drawings, takes, still) {
  const box = nothing();
  const places = new Float32Array(3 * motion.kept);
  for (const take of takes) {
    for (let k = 0; k < (still ? 1 : take.frames); k++) {
      enclose(box, motion.places(take, k, 0, places));
    }
    if (!still) {
      encloseMovers(box, motion, drawings, take);
    }
  }
  for (const d of still ? [] : drawings) {
    if (d.role === "target" || d.role === "track") {
      enclose(box, d.points);
    }
  }
  return box;
}

/* A length that particles have to each other: what balls measure across, or by the room that each
   body takes at first. */
function spacingOf(motion) {
  if (motion.fixed.some((f) => f.name === "radius")) {
    const radii = motion.values(motion.takes[0], "radius", 0, new Float32Array(motion.kept)).filter((r) => r > 0);
    return (2 * radii.reduce((sum, r) => sum + r, 0)) / Math.max(1, radii.length);
  }
  const places = motion.places(motion.takes[0], 0, 0, new Float32Array(3 * motion.kept));
  let room = 0;
  motion.bodies.forEach((_, b) => {
    const [low, high] = nothing();
    enclose([low, high], places, motion.body, b);
    const size = low.slice(0, motion.dimension).map((v, a) => Math.max(high[a] - v, 1e-9));
    room += Number.isFinite(size[0]) ? size.reduce((product, s) => product * s, 1) : 0;
  });
  return (room / motion.kept) ** (1 / motion.dimension);
}

/* polygons of a drawing, as lists of [x, y, z] */
function cornersOf(drawing) {
  const list = [];
  for (let i = 0; i < drawing.points.length; i += 3) {
    list.push(drawing.points.slice(i, i + 3));
  }
  return list;
}

function trace(context, view, corners) {
  context.beginPath();
  corners.forEach((corner, i) => {
    const [x, y] = view.project(...corner);
    if (i === 0) {
      context.moveTo(x, y);
    } else {
      context.lineTo(x, y);
    }
  });
  context.closePath();
}

/* targets of terms, and where markers were seen */
function drawPoints(context, view, time) {
  for (const d of view.drawings) {
    if (d.role === "target" || d.role === "track") {
      drawPoint(context, view, d, time);
    }
  }
}

/* a cross at a target, a small ring where a marker was seen (full at about its time) */
function drawPoint(context, view, drawing, time) {
  const [x, y] = view.project(...drawing.points);
  context.lineWidth = 2;
  context.strokeStyle = colour("target");
  context.beginPath();
  if (drawing.role === "target") {
    for (const [dx, dy] of [[6, 6], [6, -6]]) {
      context.moveTo(x - dx, y - dy);
      context.lineTo(x + dx, y + dy);
    }
  } else {
    context.lineWidth = 1;
    context.globalAlpha = time !== null && Math.abs(drawing.time - time) < 1e-9 + 0.02 * Math.abs(time) ? 1 : 0.35;
    context.arc(x, y, 2.5, 0, 2 * Math.PI);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function makeView(motion, drawings, takes, still) {
  const bounds = boundsOf(motion, drawings, takes, still);
  const spacing = spacingOf(motion);
  return motion.dimension === 3 ? new View3d(drawings, bounds, spacing) : new View2d(drawings, bounds, spacing, still);
}

class View2d {
  constructor(drawings, [low, high], spacing, still) {
    const room = drawings.find((d) => d.role === "room");
    this.drawings = drawings;
    this.spacing = spacing;
    this.low = low.slice();
    this.high = high.slice();
    const margin = still ? 0.02 : 0.06;
    for (let a = 0; a < 2; a++) {
      const pad = margin * Math.max(high[0] - low[0], high[1] - low[1], 1e-9);
      this.low[a] = Math.max(low[a] - pad, still ? -Infinity : 0);
      this.high[a] = Math.min(high[a] + pad, still ? Infinity : room.points[6 + a]);
    }
    /* walls within a tenth of the picture are shown */
    this.ratio = Math.min(1.1, Math.max(0.3, (this.high[1] - this.low[1]) / (this.high[0] - this.low[0])));
  }
  fit(width, height) {
    this.height = height;
    const size = [this.high[0] - this.low[0], this.high[1] - this.low[1]];
    this.scale = Math.min(width / size[0], height / size[1]);
    this.x0 = this.low[0] - (width / this.scale - size[0]) / 2;
    this.y0 = this.low[1] - (height / this.scale - size[1]) / 2;
  }
  project(x, y) {
    return [(x - this.x0) * this.scale, this.height - (y - this.y0) * this.scale, 0];
  }
  particles(context, places, colourOf, grow) {
    const side = Math.max(1.5, Math.min(40, 0.9 * grow * this.spacing * this.scale));
    let last = null;
    for (let p = 0; p < places.length / 3; p++) {
      const c = colourOf(p);
      if (c !== last) {
        context.fillStyle = last = c;
      }
      const x = (places[3 * p] - this.x0) * this.scale;
      const y = this.height - (places[3 * p + 1] - this.y0) * this.scale;
      context.fillRect(x - side / 2, y - side / 2, side, side);
    }
  }
  /* An outline is filled; where its particles have colours of their own they are drawn within. */
  bodies(context, motion, places, colourOf, plain) {
    if (!motion.surface) {
      this.particles(context, places, colourOf, 1);
      return;
    }
    const pick = (wanted) => places.map((x, i) => (wanted(Math.floor(i / 3)) ? x : NaN));
    this.particles(context, pick((p) => !motion.hidden(p)), colourOf, 1);
    motion.carry(places);
    motion.bodies.forEach((_, body) => {
      if (motion.surface.covered[body]) {
        const { path, first } = this.outline(motion, body);
        context.fillStyle = colourOf(first);
        context.fill(path);
        if (!plain) {
          context.save();
          context.clip(path);
          this.particles(context, pick((p) => motion.body[p] === body), colourOf, 1.2);
          context.restore();
        }
        context.strokeStyle = colour("line");
        context.lineWidth = 1;
        context.stroke(path);
      }
    });
  }
  /* the loops of a body's segments, which follow each other, and the particle where they begin */
  outline(motion, body) {
    const { faces, carriers, each, at } = motion.surface;
    const path = new Path2D();
    let first = null;
    let end = null;
    for (let f = 0; f < faces.length; f += 2) {
      const carrier = carriers[each * faces[f]];
      if (motion.body[carrier] === body) {
        const [x, y] = this.project(at[3 * faces[f]], at[3 * faces[f] + 1], 0);
        first = first ?? carrier;
        if (faces[f] === end) {
          path.lineTo(x, y);
        } else {
          path.closePath();
          path.moveTo(x, y);
        }
        end = faces[f + 1];
      }
    }
    path.closePath();
    return { path, first };
  }
  walls(context, drawings) {
    for (const d of drawings) {
      if (d.role === "room" || d.role === "domain") {
        trace(context, this, cornersOf(d));
        context.strokeStyle = colour("line");
        context.lineWidth = d.role === "domain" ? 1.5 : 0.5;
        context.stroke();
      } else if (d.role === "wall") {
        this.wall(context, d);
      }
    }
  }
  /* a length to compare with, at the lower left */
  ruler(context) {
    const most = 100 / this.scale;
    const power = 10 ** Math.floor(Math.log10(most));
    const long = [5, 2, 1].map((m) => m * power).find((l) => l <= most);
    const y = this.height - 10;
    context.strokeStyle = context.fillStyle = colour("soft");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(8, y);
    context.lineTo(8 + long * this.scale, y);
    context.stroke();
    context.font = "11px system-ui, sans-serif";
    context.fillText(text(long) + " m", 8, y - 5);
  }
  wall(context, d) {
    if (d.form === "ball") {
      const [x, y] = this.project(...d.points);
      context.beginPath();
      context.arc(x, y, d.radius * this.scale, 0, 2 * Math.PI);
    } else {
      trace(context, this, cornersOf(d));
    }
    context.fillStyle = colour("wall");
    context.fill();
    context.strokeStyle = colour("line");
    context.lineWidth = 1;
    context.stroke();
  }
}
