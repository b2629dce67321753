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
  /* far ones first, and paler */
  particles(context, places, colourOf, grow) {
    const n = places.length / 3;
    const at = new Float32Array(3 * n);
    for (let p = 0; p < n; p++) {
      at.set(this.project(places[3 * p], places[3 * p + 1], places[3 * p + 2]), 3 * p);
    }
    const order = Array.from({ length: n }, (_, p) => p).sort((p, q) => at[3 * q + 2] - at[3 * p + 2]);
    const size = (grow * this.spacing * this.focus) / this.radius;
    context.strokeStyle = "rgba(0, 0, 0, 0.22)";
    context.lineWidth = 0.6;
    for (const p of order) {
      const side = Math.max(1.5, Math.min(40, size / at[3 * p + 2]));
      context.globalAlpha = Math.max(0.35, Math.min(1, 1.15 - 0.35 * (at[3 * p + 2] - this.distance + 1)));
      context.fillStyle = colourOf(p);
      context.fillRect(at[3 * p] - side / 2, at[3 * p + 1] - side / 2, side, side);
      if (side > 4) { /* edges show the shape of what has one colour */
        context.strokeRect(at[3 * p] - side / 2, at[3 * p + 1] - side / 2, side, side);
      }
    }
    context.globalAlpha = 1;
  }
  walls(context) {
    for (const d of this.drawings) {
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
