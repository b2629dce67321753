/* Many grains in a round tube on a floor, up along y: filled, settled, let go. What is measured of
 * them is in diameters. Single precision, one thread; one step after the other by hand, so that the
 * tube may be driven and grains taken away. */
#ifndef CQ_TESTS_GRANULAR_BULK_H
#define CQ_TESTS_GRANULAR_BULK_H

#include "granular_kernels.h"
#include "granular_scene.h"
#include "mesh_maker.h"
#include "rng.h"

enum { BULK_SHELL_POINTS = 2 };

typedef struct bulk {
  double d, dt; /* diameter [m], step [s] */
  int iterations;
  double friction, rolling;
  cq_ctx *ctx;
  int n, steps;
  double *x, *v, *spin;    /* [n][3] */
  bool has_tube, has_plug; /* a plug: a plane at the floor */
  double tube;             /* its inner radius [m]; of a channel where the gate is */
  double channel;          /* > 0: in place of the tube a channel along x, so wide [m] */
  double lift;             /* its lower edge [m] */
  const cq_shape *floor;   /* NULL: the plane y = 0 */
  double ends_in[3 * BULK_SHELL_POINTS], ends_out[3 * BULK_SHELL_POINTS];
  cq_part shell[2];
  grain_scene scene; /* while it runs */
  void *work, *state;
} bulk;

static inline bulk bulk_begin(double d, int iterations) {
  return (bulk){.d = d,
                .dt = 1e-3,
                .iterations = iterations,
                .ctx = cq_ctx_create(1, 1),
                .has_tube = true,
                .has_plug = true};
}

static inline void bulk_end(bulk *b) {
  cq_ctx_destroy(b->ctx);
  free(b->x);
  free(b->v);
  free(b->spin);
}

/* n grains of a loose lattice in a tube of `radius` diameters. */
static inline void bulk_fill(bulk *b, double radius, int n) {
  const double pitch = 1.06 * b->d, most = (radius - 0.52) * b->d;
  const int half = (int)ceil(radius);
  cq_rng rng = cq_rng_seed(7);
  b->tube = radius * b->d;
  b->x = calloc(3 * (size_t)n, sizeof *b->x);
  b->v = calloc(3 * (size_t)n, sizeof *b->v);
  b->spin = calloc(3 * (size_t)n, sizeof *b->spin);
  for (int layer = 0; b->n < n; layer++) {
    const double shift = layer % 2 != 0 ? 0.25 * pitch : -0.25 * pitch;
    for (int k = 0; k < (2 * half + 1) * (2 * half + 1) && b->n < n; k++) {
      const double x = (k % (2 * half + 1) - half) * pitch + shift;
      const double z = (k / (2 * half + 1) - half) * pitch + shift;
      if (hypot(x, z) < most) {
        double *to = b->x + 3 * (size_t)b->n++;
        to[0] = x + 0.04 * b->d * (cq_rng_uniform(&rng) - 0.5);
        to[1] = (layer + 0.55) * pitch + 0.04 * b->d * (cq_rng_uniform(&rng) - 0.5);
        to[2] = z + 0.04 * b->d * (cq_rng_uniform(&rng) - 0.5);
      }
    }
  }
}

/* The same in a channel, behind a gate at `length` diameters. */
static inline void bulk_fill_channel(bulk *b, double length, double width, int n) {
  const double pitch = 1.06 * b->d;
  const int along = (int)((length - 0.1) / 1.06), across = (int)((width - 0.1) / 1.06);
  cq_rng rng = cq_rng_seed(7);
  b->tube = length * b->d;
  b->channel = width * b->d;
  b->n = n;
  b->x = calloc(3 * (size_t)n, sizeof *b->x);
  b->v = calloc(3 * (size_t)n, sizeof *b->v);
  b->spin = calloc(3 * (size_t)n, sizeof *b->spin);
  for (int i = 0; i < n; i++) {
    const int at[3] = {i % along, i / (along * across), i / along % across};
    for (int a = 0; a < 3; a++) {
      b->x[3 * (size_t)i + (size_t)a] =
          (at[a] + 0.55) * pitch + 0.04 * b->d * (cq_rng_uniform(&rng) - 0.5);
    }
  }
}

/* Smooth walls on both sides and at the end, and the gate. */
static inline void bulk_channel(const bulk *b, grain_scene *s) {
  static const double normal[4][3] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}};
  const double at[4][3] = {{0, 0, 0}, {0, 0, b->channel}, {0, 0, 0}, {b->tube, 0, 0}};
  for (int k = 0; k < (b->has_tube ? 4 : 3); k++) {
    grain_plane(s, at[k], normal[k], 0.0);
  }
}

/* The tube: what is between two capsules, smooth, driven along y by control 0. Its lower edge is
 * where they end. */
static inline void bulk_tube(bulk *b, grain_scene *s) {
  const double out = b->tube + 0.5 * b->d, up[3] = {0.0, 1.0, 0.0}, at[3] = {0.0};
  const double end = b->lift + sqrt(out * out - b->tube * b->tube);
  const int k = s->model.n_boundaries;
  grain_plane(s, at, up, 0.0);
  b->ends_out[1] = end;
  b->ends_in[1] = b->lift - b->tube;
  b->ends_out[4] = b->ends_in[4] = 1e3 * b->d;
  b->shell[0] = (cq_part){
      .shape = {
          .kind = CQ_SHAPE_capsule, .dim = 3, .radius = out, .n_points = 2, .points = b->ends_out}};
  b->shell[1] = (cq_part){.shape = b->shell[0].shape, .subtract = true};
  b->shell[1].shape.radius = b->tube;
  b->shell[1].shape.points = b->ends_in;
  s->parts[k] = (cq_shape){.kind = CQ_SHAPE_composite, .dim = 3, .n_parts = 2, .parts = b->shell};
  s->tools[k].linear[1] = 0;
}

static inline void bulk_walls(bulk *b, grain_scene *s, double friction) {
  const double up[3] = {0.0, 1.0, 0.0}, at[3] = {0.0};
  if (b->floor == NULL || b->has_plug) {
    grain_plane(s, at, up, friction);
  }
  if (b->floor != NULL) {
    grain_plane(s, at, up, friction);
    s->parts[s->model.n_boundaries - 1] = *b->floor;
  }
  if (b->channel > 0.0) {
    bulk_channel(b, s);
  } else if (b->has_tube) {
    bulk_tube(b, s);
  }
}

/* What is there becomes an engine's. */
static inline void bulk_start(bulk *b) {
  b->scene = grain_begin(3, 32, b->n, 0.5 * b->d, b->dt, b->iterations);
  grain_scene *s = &b->scene;
  const size_t bytes = 3 * (size_t)b->n * sizeof *b->x;
  s->model.n_drives = s->model.n_controls = 1;
  bulk_walls(b, s, b->friction);
  s->layout = cq_model_layout(&s->model);
  memcpy(grain_of(s, CQ_GRAIN_x, 0), b->x, bytes);
  memcpy(grain_of(s, CQ_GRAIN_v, 0), b->v, bytes);
  memcpy(grain_of(s, CQ_GRAIN_spin, 0), b->spin, bytes);
  grain_all(s, CQ_GRAIN_grain_friction, b->friction);
  grain_all(s, CQ_GRAIN_rolling_friction, b->rolling);
  grain_gravity(s)[1] = -9.81;
  grain_settle(s);
  CHECK(cq_grains_3d_f32.create(s->ctx, &s->model, &s->layout, &b->work) == CQ_OK);
  const size_t size = (cq_grains_3d_f32.state_bytes(b->work) + 63) / 64 * 64;
  b->state = aligned_alloc(64, size);
  CHECK(cq_grains_3d_f32.upload(b->work, s->inputs, b->state) == CQ_OK);
}

/* x, v and spin as they are now */
static inline void bulk_look(bulk *b) {
  grain_scene *s = &b->scene;
  const size_t bytes = 3 * (size_t)b->n * sizeof *b->x;
  cq_grains_3d_f32.download(b->work, b->state, s->state);
  memcpy(b->x, grain_after(s, CQ_GRAIN_x, 0), bytes);
  memcpy(b->v, grain_after(s, CQ_GRAIN_v, 0), bytes);
  memcpy(b->spin, grain_after(s, CQ_GRAIN_spin, 0), bytes);
}

/* Seconds more, the tube going up at `speed`; then a look. */
static inline void bulk_go(bulk *b, double seconds, double speed) {
  const int steps = (int)lround(seconds / b->dt);
  for (int k = 0; k < steps; k++) {
    const cq_status status =
        cq_grains_3d_f32.step(b->work, b->steps++, b->state, b->state, &speed, true);
    CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(b->scene.ctx));
  }
  b->lift += speed * seconds;
  bulk_look(b);
}

/* The deepest penetration since bulk_start [radii] */
static inline double bulk_deepest(const bulk *b) {
  return 1e-6 * (double)cq_grains_3d_f32.tally(b->work)->of[CQ_GRAIN_PENETRATION];
}

static inline void bulk_stop(bulk *b) {
  cq_grains_3d_f32.destroy(b->work);
  free(b->state);
  grain_end(&b->scene);
}

/* Falls together; the less friction, the denser. */
static inline void bulk_settle(bulk *b, double friction) {
  b->friction = friction;
  b->rolling = 0.0;
  bulk_start(b);
  bulk_go(b, 0.6, 0.0);
  bulk_stop(b);
}

/* --- what is measured ------------------------------------------------------------------------- */

static inline int bulk_compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The slope of a heap [degrees]: that of the cone whose grains have the same mean height, a quarter
 * of the cone's, and the same median distance from its axis, half of its radius; grains that rolled
 * away alone change the median little. */
static inline double bulk_slope(const bulk *b) {
  double *from = calloc((size_t)b->n, sizeof *from), height = 0.0, middle[2] = {0.0, 0.0};
  for (int i = 0; i < b->n; i++) {
    middle[0] += b->x[3 * (size_t)i] / b->n;
    middle[1] += b->x[3 * (size_t)i + 2] / b->n;
    height += b->x[3 * (size_t)i + 1] / b->n;
  }
  for (int i = 0; i < b->n; i++) {
    from[i] = hypot(b->x[3 * (size_t)i] - middle[0], b->x[3 * (size_t)i + 2] - middle[1]);
  }
  qsort(from, (size_t)b->n, sizeof *from, bulk_compare);
  const double slope = atan(2.0 * height / from[b->n / 2]) * 180.0 / GRAIN_PI;
  free(from);
  return slope;
}

/* The slope of a heap's flank alone [degrees]: a straight line through the levels of rings a
 * diameter wide, by the volume of their grains, where these are between a tenth and two thirds of
 * the highest. */
static inline double bulk_flank(const bulk *b) {
  enum { RINGS = 64 };
  double middle[2] = {0.0, 0.0}, level[RINGS] = {0.0}, top = 0.0;
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (int i = 0; i < b->n; i++) {
    middle[0] += b->x[3 * (size_t)i] / b->n;
    middle[1] += b->x[3 * (size_t)i + 2] / b->n;
  }
  for (int i = 0; i < b->n; i++) {
    const double *x = b->x + 3 * (size_t)i;
    const int ring = (int)(hypot(x[0] - middle[0], x[2] - middle[1]) / b->d);
    if (ring < RINGS) { /* in diameters, packed to 0.58 */
      level[ring] += GRAIN_PI / 6.0 / 0.58 / (GRAIN_PI * (2 * ring + 1));
    }
  }
  for (int k = 0; k < RINGS; k++) {
    top = fmax(top, level[k]);
  }
  for (int k = 0; k < RINGS; k++) {
    if (level[k] > 0.1 * top && level[k] < 2.0 / 3.0 * top) {
      const double x = k + 0.5;
      n += 1.0;
      sx += x;
      sy += level[k];
      sxx += x * x;
      sxy += x * level[k];
    }
  }
  return atan((sx * sy - n * sxy) / (n * sxx - sx * sx)) * 180.0 / GRAIN_PI;
}

/* The highest point [diameters] */
static inline double bulk_top(const bulk *b) {
  double top = 0.0;
  for (int i = 0; i < b->n; i++) {
    top = fmax(top, b->x[3 * (size_t)i + 1] / b->d + 0.5);
  }
  return top;
}

/* Marks what grains cover of a raster of the floor. */
static inline void bulk_cover(const bulk *b, int across, int fine, unsigned char *covered) {
  for (int i = 0; i < b->n; i++) {
    const double u = b->x[3 * (size_t)i] / b->d * fine + across / 2;
    const double w = b->x[3 * (size_t)i + 2] / b->d * fine + across / 2;
    for (int p = (int)ceil(u - 0.5 * fine); p <= u + 0.5 * fine; p++) {
      for (int q = (int)ceil(w - 0.5 * fine); q <= w + 0.5 * fine; q++) {
        const bool in = p >= 0 && p < across && q >= 0 && q < across;
        if (in && hypot(p - u, q - w) <= 0.5 * fine) {
          covered[p * across + q] = 1;
        }
      }
    }
  }
}

/* How far grains cover more than half of the floor, seen from above [diameters]: where the share of
 * a ring that they cover falls below a half. */
static inline double bulk_reach(const bulk *b) {
  enum { WIDE = 1200, FINE = 4, RINGS = WIDE / 2 / FINE - 1 }; /* four points a diameter */
  unsigned char *covered = calloc((size_t)WIDE * WIDE, 1);
  double all[RINGS] = {0.0}, of[RINGS] = {0.0};
  bulk_cover(b, WIDE, FINE, covered);
  for (int p = 0; p < WIDE * WIDE; p++) {
    const int ring = (int)(hypot(p / WIDE - WIDE / 2, p % WIDE - WIDE / 2) / FINE);
    if (ring < RINGS) {
      all[ring] += 1.0;
      of[ring] += covered[p];
    }
  }
  free(covered);
  int k = 1;
  while (k < RINGS - 1 && of[k] > 0.5 * all[k]) {
    k++;
  }
  const double before = of[k - 1] / all[k - 1];
  return k - 0.5 + (before - 0.5) / (before - of[k] / all[k]);
}

/* The same along a channel: where there are grains for half of the floor, by places a diameter
 * wide. */
static inline double bulk_front(const bulk *b) {
  enum { PLACES = 400 };
  double share[PLACES] = {0.0};
  for (int i = 0; i < b->n; i++) {
    const int at = (int)(b->x[3 * (size_t)i] / b->d);
    if (at >= 0 && at < PLACES) {
      share[at] += b->d / b->channel * GRAIN_PI / 4.0;
    }
  }
  int k = 1;
  while (k < PLACES - 1 && share[k] > 0.5) {
    k++;
  }
  return k - 0.5 + (share[k - 1] - 0.5) / (share[k - 1] - share[k]);
}

/* Height of a column that fills its tube [diameters]: twice that of its centre. */
static inline double bulk_height(const bulk *b) {
  double sum = 0.0;
  for (int i = 0; i < b->n; i++) {
    sum += b->x[3 * (size_t)i + 1];
  }
  return 2.0 * sum / b->n / b->d;
}

/* How many grains have their centre between these levels [diameters]. */
static inline int bulk_between(const bulk *b, double low, double high) {
  int n = 0;
  for (int i = 0; i < b->n; i++) {
    const double y = b->x[3 * (size_t)i + 1] / b->d;
    n += y > low && y < high;
  }
  return n;
}

/* Lays grains that are `below` diameters or more under the floor on top, by layers of a lattice
 * that begin a diameter above the highest; returns their number. They begin slowly downwards. */
static inline int bulk_lift(bulk *b, double below) {
  const double pitch = 1.06 * b->d, most = b->tube - 0.52 * b->d;
  const int half = (int)ceil(b->tube / b->d), across = 2 * half + 1;
  double level = 0.0;
  int lifted = 0, at = 0;
  for (int i = 0; i < b->n; i++) {
    level = fmax(level, b->x[3 * (size_t)i + 1] + 1.05 * b->d);
  }
  for (int i = 0; i < b->n; i++) {
    double *x = b->x + 3 * (size_t)i;
    if (x[1] > -below * b->d) {
      continue;
    }
    do {
      x[0] = (at % across - half) * pitch;
      x[1] = level + at / (across * across) * pitch;
      x[2] = (at / across % across - half) * pitch;
      at++;
    } while (hypot(x[0], x[2]) >= most);
    for (size_t a = 0; a < 3; a++) {
      b->v[3 * (size_t)i + a] = a == 1 ? -0.3 : 0.0;
      b->spin[3 * (size_t)i + a] = 0.0;
    }
    lifted++;
  }
  return lifted;
}

#endif
