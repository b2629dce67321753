/* A scene in 3D, in perspective, turned by dragging, the arrow keys and the wheel: yaw about y, then
 * pitch, seen from `distance` sizes of the scene away. */

class View3d {
  constructor(drawings, [low, high], spacing) {
    this.drawings = drawings;
    this.spacing = spacing;
    this.center = low.map((v, a) => (v + high[a]) / 2);
    this.radius = Math.max(1e-9, Math.hypot(...low.map((v, a) => high[a] - v)) / 2);
    this.ratio = 0.75;
    this.yaw = -0.5;
    this.pitch = 0.35;
    this.distance = 2.7;
  }
  turn(yaw, pitch, zoom) {
    this.yaw += yaw;
    this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + pitch));
    this.distance = Math.max(1.3, Math.min(12, this.distance * zoom));
  }
  fit(width, height) {
    this.width = width;
    this.height = height;
    this.focus = 1.35 * Math.min(width, height);
    this.sy = Math.sin(this.yaw);
    this.cy = Math.cos(this.yaw);
    this.sp = Math.sin(this.pitch);
    this.cp = Math.cos(this.pitch);
  }
  /* depth in radii of the scene, from the eye */
  project(x, y, z) {
    const u = (x - this.center[0]) / this.radius;
    const v = (y - this.center[1]) / this.radius;
    const w = (z - this.center[2]) / this.radius;
    const right = this.cy * u - this.sy * w;
    const back = this.sy * u + this.cy * w;
    const up = this.cp * v - this.sp * back;
    const depth = Math.max(0.05, this.distance - (this.sp * v + this.cp * back));
    return [this.width / 2 + (this.focus * right) / depth, this.height / 2 - (this.focus * up) / depth, depth];
  }
  /* far ones first; particles that are far are paler */
  particles(context, places, colourOf, grow) {
    this.drawSorted(context, this.squares(context, places, colourOf, grow, () => true));
  }
  bodies(context, motion, places, colourOf) {
    const list = this.squares(context, places, colourOf, 1, (p) => !motion.hidden(p));
    this.drawSorted(context, motion.surface ? list.concat(this.triangles(context, motion, places, colourOf)) : list);
  }
  /* list: [{ depth, alpha, draw }] */
  drawSorted(context, list) {
    list.sort((p, q) => q.depth - p.depth);
    for (const { alpha, draw } of list) {
      context.globalAlpha = alpha;
      draw();
    }
    context.globalAlpha = 1;
  }
  projectAll(places) {
    const at = new Float32Array(places.length);
    for (let i = 0; i < places.length; i += 3) {
      at.set(this.project(places[i], places[i + 1], places[i + 2]), i);
    }
    return at;
  }
  squares(context, places, colourOf, grow, wanted) {
    const at = this.projectAll(places);
    const size = (grow * this.spacing * this.focus) / this.radius;
    const list = [];
    for (let p = 0; p < places.length / 3; p++) {
      if (wanted(p)) {
        const depth = at[3 * p + 2];
        const alpha = Math.max(0.35, Math.min(1, 1.15 - 0.35 * (depth - this.distance + 1)));
        list.push({ depth, alpha, draw: () => this.square(context, at[3 * p], at[3 * p + 1], size / depth, colourOf(p)) });
      }
    }
    return list;
  }
  square(context, x, y, size, fill) {
    const side = Math.max(1.5, Math.min(40, size));
    context.fillStyle = fill;
    context.fillRect(x - side / 2, y - side / 2, side, side);
    if (side > 4) { /* edges show the shape of what has one colour */
      context.strokeStyle = "rgba(0, 0, 0, 0.22)";
      context.lineWidth = 0.6;
      context.strokeRect(x - side / 2, y - side / 2, side, side);
    }
  }
  /* the faces of a surface that are seen from outside, lit from above on the left */
  triangles(context, motion, places, colourOf) {
    const { faces, carriers, each, at: places3 } = motion.surface;
    motion.carry(places);
    const at = this.projectAll(places3);
    const list = [];
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = faces.subarray(f, f + 3);
      const turn = (at[3 * b] - at[3 * a]) * (at[3 * c + 1] - at[3 * a + 1]) -
        (at[3 * c] - at[3 * a]) * (at[3 * b + 1] - at[3 * a + 1]);
      if (turn < 0) { /* y points down on a canvas */
        const depth = (at[3 * a + 2] + at[3 * b + 2] + at[3 * c + 2]) / 3;
        list.push({ depth, alpha: 1, draw: () => this.triangle(context, at, [a, b, c],
          shaded(colourOf(carriers[each * a]), this.light(places3, a, b, c))) });
      }
    }
    return list;
  }
  triangle(context, at, corners, fill) {
    context.beginPath();
    corners.forEach((v, k) => (k === 0 ? context.moveTo(at[3 * v], at[3 * v + 1]) : context.lineTo(at[3 * v], at[3 * v + 1])));
    context.closePath();
    context.fillStyle = context.strokeStyle = fill;
    context.lineWidth = 0.7; /* covers the seam to the next one */
    context.fill();
    context.stroke();
  }
  light(x, a, b, c) {
    const side = (v, w) => [0, 1, 2].map((k) => x[3 * w + k] - x[3 * v + k]);
    const [p, q] = [side(a, b), side(a, c)];
    const n = [0, 1, 2].map((k) => p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3]);
    const back = this.sy * n[0] + this.cy * n[2];
    const turned = [this.cy * n[0] - this.sy * n[2], this.cp * n[1] - this.sp * back, this.sp * n[1] + this.cp * back];
    const dot = -0.41 * turned[0] + 0.64 * turned[1] + 0.65 * turned[2];
    return 0.42 + 0.58 * Math.max(0, dot / (Math.hypot(...n) || 1));
  }
  walls(context, drawings) {
    for (const d of drawings) {
      if (d.form === "ball") {
        this.ball(context, d);
      } else if (d.role === "wall" || d.role === "domain") {
        trace(context, this, this.near(cornersOf(d)));
        if (d.role === "wall") {
          context.fillStyle = colour("wall");
          context.globalAlpha = 0.25;
          context.fill();
          context.globalAlpha = 1;
        }
        context.strokeStyle = colour("line");
        context.lineWidth = d.role === "wall" ? 1 : 0.6;
        context.stroke();
      }
    }
  }
  /* which way the axes point, at the lower left */
  ruler(context) {
    context.strokeStyle = context.fillStyle = colour("soft");
    context.lineWidth = 1.5;
    context.font = "11px system-ui, sans-serif";
    const turned = [[this.cy, -this.sp * this.sy], [0, this.cp], [-this.sy, -this.sp * this.cy]];
    turned.forEach(([right, up], a) => {
      const [x, y] = [30, this.height - 30];
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 20 * right, y - 20 * up);
      context.stroke();
      context.fillText("xyz"[a], x + 26 * right - 3, y - 26 * up + 4);
    });
  }
  /* corners behind the eye are drawn up to it */
  near(corners) {
    const reach = 4 * this.radius;
    return corners.map((c) => c.map((v, a) =>
      Math.max(this.center[a] - reach, Math.min(this.center[a] + reach, v))));
  }
  ball(context, d) {
    const [x, y, depth] = this.project(...d.points);
    context.beginPath();
    context.arc(x, y, (d.radius * this.focus) / this.radius / depth, 0, 2 * Math.PI);
    context.fillStyle = colour("wall");
    context.globalAlpha = 0.4;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour("line");
    context.stroke();
  }
}
