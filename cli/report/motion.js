/* motion.bin, as record/motion.h has it. */

function readMotion(id) {
  const source = id ? document.getElementById(id) : null;
  if (!source) {
    return null;
  }
  const packed = atob(source.textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) {
    bytes[i] = packed.charCodeAt(i);
  }
  source.remove(); /* it is held once */
  return new Motion(bytes.buffer);
}

class Motion {
  constructor(buffer) {
    this.buffer = buffer;
    this.at = 8; /* after "cqmotion" */
    const counts = this.take(Uint32Array, 12);
    const version = counts[0];
    [, , this.dimension, this.total, this.kept] = counts;
    const [bodies, fields, fixed, points, controls, takes, labels] = counts.subarray(5);
    this.low = this.take(Float64Array, 3);
    this.size = this.take(Float64Array, 3);
    this.bodies = this.texts(bodies);
    this.fields = this.pairs(fields);
    this.fixed = this.pairs(fixed);
    this.points = this.texts(points);
    this.controls = this.pairs(controls);
    const names = this.texts(labels);
    const named = this.take(Uint32Array, labels);
    this.particle = this.take(Uint32Array, this.kept);
    this.body = this.take(Uint32Array, this.kept);
    const ranges = this.take(Float32Array, 2 * fields);
    this.fields.forEach((f, k) => (f.range = [ranges[2 * k], ranges[2 * k + 1]]));
    this.takes = [];
    for (let t = 0; t < takes; t++) {
      this.takes.push(this.readTake());
    }
    const surface = version > 1 ? this.readSurface() : null;
    this.surface = surface && surface.vertices > 0 ? surface : null;
    this.movers = version > 2 ? this.readMovers() : [];
    /* names of designs, and the take of each */
    this.labels = new Map(names.map((name, i) => [name, named[i]]));
    delete this.buffer;
  }
  /* a section: so many numbers, then zeros up to a multiple of 8 bytes */
  take(Type, length) {
    const values = new Type(this.buffer, this.at, length);
    this.at += 8 * Math.ceil(values.byteLength / 8);
    return values;
  }
  texts(n) {
    const size = 48;
    const bytes = this.take(Uint8Array, n * size);
    return Array.from({ length: n }, (_, i) => {
      const text = bytes.subarray(i * size, (i + 1) * size);
      return new TextDecoder().decode(text.subarray(0, text.indexOf(0)));
    });
  }
  pairs(n) {
    const all = this.texts(2 * n);
    return Array.from({ length: n }, (_, i) => ({ name: all[2 * i], unit: all[2 * i + 1] }));
  }
  readTake() {
    const head = this.take(Uint8Array, 56);
    const [frames, samples] = new Uint32Array(this.buffer, head.byteOffset, 2);
    const note = new TextDecoder().decode(head.subarray(8)).replace(/\0.*$/, "");
    return {
      frames, samples, note,
      time: this.take(Float64Array, frames),
      fixed: this.take(Float32Array, this.fixed.length * this.kept),
      points: this.take(Float32Array, frames * this.points.length * this.dimension),
      sampled: this.take(Float64Array, samples),
      controls: this.take(Float32Array, samples * this.controls.length),
      x: this.take(Uint16Array, frames * this.kept * this.dimension),
      fields: this.take(Uint8Array, this.fields.length * frames * this.kept),
    };
  }
  /* record/cover.h: triangles, in 2D segments, and the particles that carry their vertices */
  readSurface() {
    const [vertices, faces, each] = this.take(Uint32Array, 4);
    const surface = {
      vertices, each,
      faces: this.take(Uint32Array, faces * this.dimension),
      carriers: this.take(Uint32Array, vertices * each),
      weights: this.take(Float32Array, vertices * each),
      covered: this.bodies.map(() => false), /* bodies that are drawn by it */
      at: new Float32Array(3 * vertices),
    };
    for (let v = 0; v < vertices; v++) {
      surface.covered[this.body[surface.carriers[each * v]]] = true;
    }
    return surface;
  }
  /* What moves and has no particles: its names, and in each take maps [frames][movers][3][4]. */
  readMovers() {
    const [n] = this.take(Uint32Array, 2);
    const names = this.texts(n);
    this.takes.forEach((take) => (take.maps = this.take(Float64Array, 12 * take.frames * n)));
    return names;
  }
  /* The map of mover i between two frames. */
  map(take, i, frame, part) {
    const at = (k) => 12 * (k * this.movers.length + i);
    const [from, to] = [at(frame), at(Math.min(frame + 1, take.frames - 1))];
    return Array.from({ length: 12 }, (_, j) => take.maps[from + j] + part * (take.maps[to + j] - take.maps[from + j]));
  }
  /* Drawings as they are between two frames. What moves has gone from where the file has it, and planes are cut off
   * at the room; what the motion does not tell the place of is left out. */
  drawn(drawings, take, frame, part) {
    const room = roomOf(drawings);
    return drawings.filter((d) => !d.moves || this.movers.includes(d.name)).map((d) => {
      if (!d.moves) {
        return d;
      }
      const moved = cornersOf(d).map(mapped(this.map(take, this.movers.indexOf(d.name), frame, part)));
      const points = d.form === "plane" ? cutToBox(moved, room, this.dimension) : moved;
      return { ...d, form: d.form === "plane" ? "polygon" : d.form, points: points.flat() };
    });
  }
  /* Moves the vertices to where the places [kept][3] of the particles carry them. */
  carry(places) {
    const { vertices, each, carriers, weights, at } = this.surface;
    at.fill(0);
    for (let i = 0; i < vertices * each; i++) {
      const v = 3 * Math.floor(i / each);
      for (let a = 0; a < 3; a++) {
        at[v + a] += weights[i] * places[3 * carriers[i] + a];
      }
    }
  }
  /* Whether particle p is hidden in a surface. */
  hidden(p) {
    return this.surface !== null && this.surface.covered[this.body[p]];
  }
  /* Places between frames `frame` and frame + 1 of a take, `part` of the way: out [kept][3]. */
  places(take, frame, part, out) {
    const dim = this.dimension;
    const n = this.kept;
    const next = Math.min(frame + 1, take.frames - 1);
    for (let p = 0; p < n; p++) {
      for (let a = 0; a < dim; a++) {
        const from = take.x[(frame * n + p) * dim + a];
        const to = take.x[(next * n + p) * dim + a];
        out[3 * p + a] = this.low[a] + ((from + part * (to - from)) / 65535) * this.size[a];
      }
    }
    return out;
  }
  /* Values of a field at a frame, or of a fixed one: out [kept]. */
  values(take, name, frame, out) {
    const n = this.kept;
    const fixed = this.fixed.findIndex((f) => f.name === name);
    if (fixed >= 0) {
      out.set(take.fixed.subarray(fixed * n, (fixed + 1) * n));
      return out;
    }
    const k = this.fields.findIndex((f) => f.name === name);
    const [low, high] = this.fields[k].range;
    const from = (k * take.frames + frame) * n;
    for (let p = 0; p < n; p++) {
      out[p] = low + (take.fields[from + p] / 255) * (high - low);
    }
    return out;
  }
  /* Where point i is at each frame up to `frame`: a list of [x, y, z]. */
  path(take, i, frame) {
    const dim = this.dimension;
    const list = [];
    for (let k = 0; k <= frame; k++) {
      const from = (k * this.points.length + i) * dim;
      list.push([take.points[from], take.points[from + 1], dim === 3 ? take.points[from + 2] : 0]);
    }
    return list;
  }
  /* What a take is of: ["first", "best"]. */
  names(index) {
    return ["first", "best", "last"].filter((name) => this.labels.get(name) === index);
  }
}
