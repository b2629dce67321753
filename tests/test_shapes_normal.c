/* Signed distance, normal, volume, bounds and rays of every shape, turned and not: against tests of
 * what is inside that are written here, random points, and differences. */
#include "gear.h"
#include "mesh_maker.h"
#include "ray.h"

enum { POINTS = 400, NEARBY = 60 };

static cq_rng rng;

static double draw(double low, double high) {
  return low + (high - low) * cq_rng_uniform(&rng);
}

/* --- what is inside of an unturned shape ------------------------------------------------------ */

static const double corners[] = {0.2, 0.1, 1.1, 0.3, 0.9, 0.9, 0.6, 0.5, 0.3, 0.8};
static const double backward[] = {0.3, 0.8, 0.6, 0.5, 0.9, 0.9, 1.1, 0.3, 0.2, 0.1};
static const double flat_ends[] = {0.3, 0.4, 0.8, 0.6}, ends[] = {0.3, 0.4, 0.5, 0.8, 0.6, 0.3};
static cq_cubic pieces[5];

static int in_box(const double *x, const double *center, const double *half, int dim) {
  int is = 1;
  for (int a = 0; a < dim; a++) {
    is = is && x[a] > center[a] - half[a] && x[a] < center[a] + half[a];
  }
  return is;
}

static int in_ball(const double *x, double cx, double cy, double cz, double r, int dim) {
  const double z = dim == 3 ? x[2] - cz : 0.0;
  return (x[0] - cx) * (x[0] - cx) + (x[1] - cy) * (x[1] - cy) + z * z < r * r;
}

/* the polygon as three triangles about its reflex corner */
static int in_polygon(const double *x) {
  static const int rim[4] = {4, 0, 1, 2};
  for (int h = 0; h < 3; h++) {
    const int of[4] = {3, rim[h], rim[h + 1], 3};
    int is = 1;
    for (int i = 0; i < 3; i++) {
      const double *a = corners + 2 * of[i], *b = corners + 2 * of[i + 1];
      is = is && (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]) >= 0.0;
    }
    if (is) {
      return 1;
    }
  }
  return 0;
}

/* within a segment's radius: a ball at one of many of its points */
static int in_capsule(const double *x, const double *p, const double *q, double r, int dim) {
  int is = 0;
  for (int i = 0; i <= 1500 && !is; i++) {
    const double t = i / 1500.0, z = dim == 3 ? p[2] + t * (q[2] - p[2]) : 0.0;
    is = in_ball(x, p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), z, r, dim);
  }
  return is;
}

static const double center[3] = {0.5, 0.6, 0.4}, half[3] = {0.3, 0.15, 0.2};

/* Eight teeth, by the angle that is left of half a tooth at a radius. */
static int in_gear(const double *x, double helix, int dim) {
  const double pitch = 4.0 * 0.045 / cos(helix), pressure = atan(tan(0.35) / cos(helix));
  const double base = pitch * cos(pressure), dx = x[0] - center[0], dy = x[1] - center[1];
  const double along = dim == 3 ? x[2] - center[2] : 0.0, r = sqrt(dx * dx + dy * dy);
  const double roll = r > base ? sqrt(r * r - base * base) / base : 0.0;
  const double tooth = maker_pi / 16.0 + tan(pressure) - pressure - roll + atan(roll);
  const double angle = atan2(dy, dx) - along * tan(helix) / pitch;
  const double off = fabs(angle - maker_pi / 4.0 * floor(angle / (maker_pi / 4.0) + 0.5));
  return r > 0.05 && fabs(along) < 0.2 &&
         (r < pitch - 1.25 * 0.045 || (r < pitch + 0.045 && off < tooth));
}

static int holds(const cq_shape *s, const double *x) {
  const double plane[3] = {0.48, 0.64, 0.6}, above = s->dim == 3 ? x[2] - 0.4 : 0.0;
  switch (s->kind) {
  case CQ_SHAPE_box:
    return in_box(x, center, half, s->dim);
  case CQ_SHAPE_ball:
    return in_ball(x, 0.5, 0.6, 0.4, 0.25, s->dim);
  case CQ_SHAPE_polygon:
    return in_polygon(x);
  case CQ_SHAPE_mesh: /* the polygon, in 3D a prism over it */
    return in_polygon(x) && (s->dim == 2 || (x[2] > 0.2 && x[2] < 0.6));
  case CQ_SHAPE_capsule:
    return in_capsule(x, s->dim == 2 ? flat_ends : ends, (s->dim == 2 ? flat_ends : ends) + s->dim,
                      0.15, s->dim);
  case CQ_SHAPE_composite:
    return (in_box(x, center, half, s->dim) || in_ball(x, 0.8, 0.6, 0.4, 0.18, s->dim)) &&
           !in_ball(x, 0.45, 0.65, 0.4, 0.1, s->dim);
  case CQ_SHAPE_gear:
    return in_gear(x, s->dim == 3 ? 0.4 : 0.0, s->dim);
  case CQ_SHAPE_domain:
    return !in_box(x, center, half, s->dim);
  case CQ_SHAPE_half_space:
    return s->dim == 2 ? 0.6 * (x[0] - 0.5) + 0.8 * (x[1] - 0.6) < 0.0
                       : plane[0] * (x[0] - 0.5) + plane[1] * (x[1] - 0.6) + plane[2] * above < 0.0;
  default:
    return x[1] < cq_curve_at(&s->curve, x[0]).y;
  }
}

/* --- the shapes ------------------------------------------------------------------------------- */

static cq_part parts[2][3];

/* A prism, its ends of the triangles about the reflex corner; in 2D the polygon. */
static const cq_mesh *prism(int dim) {
  static const cq_mesh *meshes[2];
  static double memory[2][2000];
  static const double still[3] = {0.0, 0.0, 0.0};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_surface s = maker_begin(ctx, dim, 10, 16);
  int turned = 0;
  for (int i = 0; i < (dim == 2 ? 5 : 10); i++) {
    maker_vertex(&s, corners[2 * (i % 5)], corners[2 * (i % 5) + 1], i < 5 ? 0.2 : 0.6);
  }
  for (int i = 0; i < 5; i++) {
    const int next = (i + 1) % 5;
    if (dim == 2) {
      maker_face(&s, i, next, 0);
      continue;
    }
    maker_quad(&s, i, next, 5 + next, 5 + i);
    if (i != 3 && next != 3) {
      maker_face(&s, 3, next, i);
      maker_face(&s, 8, 5 + i, 5 + next);
    }
  }
  CHECK(cq_mesh_bytes(&s) <= sizeof memory[0]);
  CHECK(cq_surface_mend(ctx, "prism", &s, &turned) == CQ_OK && turned == 0);
  CHECK(cq_mesh_make(ctx, &s, 1.0, still, memory[dim - 2], &meshes[dim - 2]) == CQ_OK);
  cq_surface_free(ctx, &s);
  cq_ctx_destroy(ctx);
  return meshes[dim - 2];
}

static cq_shape make(cq_shape_kind kind, int dim) {
  cq_shape s = {.kind = kind, .dim = dim, .center = {0.5, 0.6, 0.4}, .radius = 0.25};
  for (int a = 0; a < 3; a++) {
    s.size[a] = 2.0 * half[a];
  }
  if (kind == CQ_SHAPE_polygon) {
    s.n_points = 5;
    s.points = corners;
  } else if (kind == CQ_SHAPE_capsule) {
    s.n_points = 2;
    s.points = dim == 2 ? flat_ends : ends;
    s.radius = 0.15;
  } else if (kind == CQ_SHAPE_half_space) {
    const double n[2][3] = {{0.6, 0.8, 0.0}, {0.48, 0.64, 0.6}};
    memcpy(s.normal, n[dim - 2], sizeof s.normal);
  } else if (kind == CQ_SHAPE_height_field) {
    const double x[4] = {0.0, 0.4, 0.7, 1.0}, y[4] = {0.3, 0.5, 0.4, 0.6};
    cq_curve_fit(4, x, y, pieces);
    s.curve = (cq_curve){4, pieces};
  } else if (kind == CQ_SHAPE_composite) {
    cq_part *p = parts[dim - 2];
    for (int i = 0; i < 3; i++) {
      p[i] =
          (cq_part){.shape = make(i == 0 ? CQ_SHAPE_box : CQ_SHAPE_ball, dim), .subtract = i == 2};
    }
    p[1].shape.center[0] = 0.8;
    p[1].shape.radius = 0.18;
    p[2].shape.center[0] = 0.45;
    p[2].shape.center[1] = 0.65;
    p[2].shape.radius = 0.1;
    s.parts = p;
    s.n_parts = 3;
  } else if (kind == CQ_SHAPE_mesh) {
    s.mesh = prism(dim);
  } else if (kind == CQ_SHAPE_gear) {
    s.gear = cq_gear_make(8, 0.045, 0.35, dim == 3 ? 0.4 : 0.0, dim == 3 ? 0.4 : 0.0, 0.05);
  }
  return s;
}

/* of each kind and dimension, unturned and turned */
static int for_each(void (*check)(const cq_shape *shape, const double *rotation)) {
  static const double none[3] = {0.0, 0.0, 0.0};
  static const double turns[2][3] = {{0.7, 0.0, 0.0}, {0.4, -0.9, 0.5}};
  int n = 0;
  rng = cq_rng_seed(11);
  for (int kind = 0; kind < CQ_N_SHAPES; kind++) {
    for (int dim = kind == CQ_SHAPE_polygon ? 2 : 3; dim >= 2; dim--) {
      cq_shape s = make((cq_shape_kind)kind, dim);
      check(&s, none);
      if (kind < CQ_SHAPE_domain) {
        cq_shape_turn(&s, turns[dim - 2]);
        check(&s, turns[dim - 2]);
      }
      n++;
    }
  }
  return n;
}

/* x turned back about the shape's centre: by the angle, or about an axis */
static void turn_back(const cq_shape *s, const double *rotation, const double *x, double *own) {
  double r[3] = {0}, k[3] = {0.0, 0.0, 1.0}, angle = -rotation[0], dot = 0.0;
  if (s->dim == 3) {
    angle =
        -sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
    for (int a = 0; a < 3; a++) {
      k[a] = angle != 0.0 ? -rotation[a] / angle : 0.0;
    }
  }
  for (int a = 0; a < s->dim; a++) {
    r[a] = x[a] - s->center[a];
    dot += k[a] * r[a];
  }
  for (int a = 0; a < s->dim; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    own[a] = s->center[a] + r[a] * cos(angle) + (k[b] * r[c] - k[c] * r[b]) * sin(angle) +
             k[a] * dot * (1.0 - cos(angle));
  }
}

/* --- the checks ------------------------------------------------------------------------------- */

static bool exact(const cq_shape *s) {
  return s->kind != CQ_SHAPE_composite && s->kind != CQ_SHAPE_gear &&
         s->kind != CQ_SHAPE_height_field;
}

/* The sign is that of the test here. No point nearer than the distance is on the other side, and
 * (where it is exact) the point that far against the normal is on the surface. */
static void check_distance(const cq_shape *s, const double *rotation) {
  for (int i = 0; i < POINTS; i++) {
    double x[3] = {draw(-0.2, 1.3), draw(-0.1, 1.2), draw(-0.2, 1.0)}, own[3], n[3];
    double length = 0.0, foot[3];
    turn_back(s, rotation, x, own);
    const double d = cq_shape_distance(s, x);
    if (fabs(d) < 1e-6) {
      continue;
    }
    CHECK_MSG((d < 0.0) == holds(s, own), "kind %d: wrong side", (int)s->kind);
    cq_shape_normal(s, x, n);
    for (int a = 0; a < s->dim; a++) {
      length += n[a] * n[a];
      foot[a] = x[a] - d * n[a];
    }
    CHECK_NEAR(length, 1.0, 1e-14);
    for (int k = 0; k < NEARBY && s->kind != CQ_SHAPE_height_field; k++) {
      double y[3], square = 0.0;
      for (int a = 0; a < s->dim; a++) {
        y[a] = draw(-1.0, 1.0);
        square += y[a] * y[a];
      }
      for (int a = 0; a < s->dim; a++) {
        y[a] = x[a] + y[a] / fmax(1.0, sqrt(square)) * fabs(d) * (1.0 - 1e-5);
      }
      turn_back(s, rotation, y, own);
      CHECK_MSG((d < 0.0) == holds(s, own), "kind %d: the surface is nearer than %g", (int)s->kind,
                d);
    }
    int behind = 0; /* an edge of the domain, where the normal is not the gradient */
    for (int a = 0; a < s->dim && s->kind == CQ_SHAPE_domain; a++) {
      behind += fabs(x[a] - center[a]) > half[a];
    }
    if (exact(s) && behind < 2) {
      CHECK_NEAR(cq_shape_distance(s, foot), 0.0, 1e-12);
    }
  }
}

static int kinks, smooth;

/* The normal is the gradient, by differences, of the distance; at the surface for a height field.
 */
static void check_normal(const cq_shape *s, const double *rotation) {
  const double h = 1e-6;
  (void)rotation;
  for (int i = 0; i < POINTS; i++) {
    double x[3] = {draw(-0.2, 1.3), draw(-0.1, 1.2), draw(-0.2, 1.0)}, n[3], slope[3];
    double square = 0.0;
    if (s->kind == CQ_SHAPE_height_field) {
      x[1] = cq_curve_at(&s->curve, x[0]).y;
    }
    for (int a = 0; a < s->dim; a++) {
      const double at = x[a];
      x[a] = at + h;
      slope[a] = cq_shape_distance(s, x);
      x[a] = at - h;
      slope[a] = (slope[a] - cq_shape_distance(s, x)) / (2.0 * h);
      x[a] = at;
      square += slope[a] * slope[a];
    }
    double axes = 0.0;
    for (int a = 0; a < s->dim; a++) {
      axes = fmax(axes, fabs(slope[a]) / sqrt(square));
    }
    const bool behind = s->kind == CQ_SHAPE_domain && axes < 1.0 - 1e-9;
    if (fabs(square - 1.0) > 1e-6 || behind) {
      kinks++; /* a difference over a kink, or behind an edge of the domain */
      continue;
    }
    smooth++;
    cq_shape_normal(s, x, n);
    for (int a = 0; a < s->dim; a++) {
      CHECK_NEAR(n[a], slope[a], 2e-6);
    }
  }
}

/* By random points of a room: the volume is their share, and all of them are in the bounds, whose
 * faces they reach. */
static void check_volume(const cq_shape *s, const double *rotation) {
  enum { N = 20000 };
  double low[3], size[3], least[3] = {9, 9, 9}, largest[3] = {-9, -9, -9};
  const double room = s->dim == 2 ? 1.6 * 1.6 : 1.6 * 1.6 * 1.6;
  int inside = 0;
  if (s->kind >= CQ_SHAPE_domain) {
    return;
  }
  cq_shape_bounds(s, low, size);
  for (int i = 0; i < N; i++) {
    double x[3] = {draw(-0.2, 1.4), draw(-0.2, 1.4), draw(-0.4, 1.2)}, own[3];
    turn_back(s, rotation, x, own);
    if (i % 20 != 0 && s->kind == CQ_SHAPE_capsule) {
      if (cq_shape_distance(s, x) >= 0.0) { /* tested above; the slow test for a few */
        continue;
      }
    } else if (!holds(s, own)) {
      continue;
    }
    inside++;
    for (int a = 0; a < s->dim; a++) {
      least[a] = fmin(least[a], x[a]);
      largest[a] = fmax(largest[a], x[a]);
      CHECK(x[a] >= low[a] && x[a] <= low[a] + size[a]);
    }
  }
  const double share = (double)inside / N;
  if (s->kind != CQ_SHAPE_composite) {
    CHECK_NEAR(share * room, cq_shape_volume(s), 4.0 * room * sqrt(share / N));
    for (int a = 0; a < s->dim; a++) {
      CHECK_NEAR(least[a], low[a], s->dim == 2 ? 0.08 : 0.15);
      CHECK_NEAR(largest[a], low[a] + size[a], s->dim == 2 ? 0.08 : 0.15);
    }
  }
}

static void check_points(const cq_shape *s, const double *rotation) {
  (void)rotation;
  if (s->kind >= CQ_SHAPE_domain) {
    return;
  }
  /* random ones, and those of a lattice, which is turned with the shape */
  const cq_shape unturned = cq_shape_unturned(s);
  cq_lattice lattice = {.dim = s->dim, .count = {7, 9, 5}, .offset = 0.5};
  double size[3] = {0}, x[3 * 315], y[3 * 315];
  cq_shape_bounds(&unturned, lattice.low, size);
  for (int a = 0; a < s->dim; a++) {
    lattice.spacing[a] = size[a] / lattice.count[a];
  }
  const size_t n = cq_lattice_points(&lattice, s, x);
  CHECK(n > 0 && n == cq_lattice_points(&lattice, &unturned, y));
  for (size_t i = 0; i < n; i++) {
    CHECK_NEAR(cq_shape_distance(s, x + i * (size_t)s->dim),
               cq_shape_distance(&unturned, y + i * (size_t)s->dim), 1e-14);
  }
  for (int i = 0; i < POINTS; i++) {
    cq_shape_sample(s, &rng, x);
    CHECK(cq_shape_distance(s, x) <= 1e-15);
  }
}

enum { RAYS = 60, PLACES = 400 };

static bool is_in(const cq_shape *s, const double *rotation, const cq_ray *ray, double t) {
  double x[3] = {0.0}, own[3] = {0.0};
  for (int a = 0; a < s->dim; a++) {
    x[a] = ray->from[a] + t * ray->along[a];
  }
  turn_back(s, rotation, x, own);
  return holds(s, own) != 0;
}

/* Does the ray come from outside into the shape at one of many places before `end`, by more than a
 * place? What it touches for less may be on either side. */
static bool comes_in(const cq_shape *s, const double *rotation, const cq_ray *ray, double end) {
  bool outside = false;
  int inside = 0;
  for (int i = 0; i <= PLACES; i++) {
    const double t = ray->low + (ray->high - ray->low) * i / PLACES;
    const bool in = is_in(s, rotation, ray, t);
    outside = outside || !in;
    inside = in && outside && t < end - 1e-5 ? inside + 1 : 0;
    if (inside == 2) {
      return true;
    }
  }
  return false;
}

/* What is met is a surface, from outside, and nothing was before it. Parts of a composite of which
 * none is taken away count alone, but here one is. */
static void check_rays(const cq_shape *s, const double *rotation) {
  int met = 0;
  for (int i = 0; i < RAYS; i++) {
    cq_ray ray = {.low = 0.05, .high = 3.0};
    for (int a = 0; a < s->dim; a++) {
      ray.from[a] = draw(-0.6, 1.6);
      ray.along[a] = draw(0.2, 1.0) - ray.from[a];
    }
    const double t = cq_shape_ray(s, &ray);
    if (isfinite(t)) {
      met++;
      CHECK_MSG(t >= ray.low && t <= ray.high, "kind %d: beyond its ends", (int)s->kind);
      CHECK_MSG(!is_in(s, rotation, &ray, t - 1e-5) && is_in(s, rotation, &ray, t + 1e-5),
                "kind %d in %dD: no surface at %g", (int)s->kind, s->dim, t);
    }
    CHECK_MSG(!comes_in(s, rotation, &ray, t), "kind %d in %dD: it met the shape before %g",
              (int)s->kind, s->dim, t);
  }
  CHECK_MSG(met > RAYS / 10, "kind %d in %dD: %d rays met it", (int)s->kind, s->dim, met);
}
static void rays(void) {
  for_each(check_rays);
}

static void distances(void) {
  CHECK(for_each(check_distance) == 2 * CQ_N_SHAPES - 1);
}
static void normals(void) {
  for_each(check_normal);
  CHECK_MSG(kinks < smooth / 10, "%d kinks beside %d smooth points", kinks, smooth);
}
static void volumes_and_bounds(void) {
  for_each(check_volume);
}
static void points(void) {
  for_each(check_points);
}

static void check_choice(const cq_shape *s, double x, double y, double z, double nx, double ny,
                         double nz) {
  const double at[3] = {x, y, z}, wanted[3] = {nx, ny, nz};
  double n[3] = {0};
  cq_shape_normal(s, at, n);
  for (int a = 0; a < s->dim; a++) {
    CHECK_NEAR(n[a], wanted[a], 1e-14);
  }
}

/* Where there is no gradient, it is what the headers say. */
static void choices(void) {
  const double r = sqrt(0.5);
  cq_shape s = {.kind = CQ_SHAPE_box, .dim = 2, .center = {1, 2}, .size = {2, 2}};
  check_choice(&s, 1, 2, 0, 0, 1, 0);      /* the middle */
  check_choice(&s, 0.5, 1.5, 0, 0, -1, 0); /* two faces as near */
  check_choice(&s, 2, 3, 0, 0, 1, 0);      /* a corner */
  check_choice(&s, 3, 4, 0, r, r, 0);      /* away from it */
  s.kind = CQ_SHAPE_domain;
  check_choice(&s, -1, 0, 0, 0, 1, 0); /* behind an edge */
  check_choice(&s, -1, 2, 0, 1, 0, 0);
  check_choice(&s, 1.5, 2, 0, -1, 0, 0);
  s = make(CQ_SHAPE_ball, 3);
  check_choice(&s, 0.5, 0.6, 0.4, 0, 1, 0);
  s = make(CQ_SHAPE_capsule, 2);
  const double along = sqrt(0.25 + 0.04);
  check_choice(&s, 0.3, 0.4, 0, -0.2 / along, 0.5 / along, 0);
  s = make(CQ_SHAPE_polygon, 2);
  check_choice(&s, 0.65, 0.2, 0, 0.2 / sqrt(0.85), -0.9 / sqrt(0.85), 0); /* on an edge */
  s.points = backward;                                                    /* the other way round */
  check_choice(&s, 0.65, 0.2, 0, 0.2 / sqrt(0.85), -0.9 / sqrt(0.85), 0);
}

/* Heights over x and z on a plane are that plane, beyond them, too; others are met, and the normal
 * is the gradient at the surface. */
static void heights(void) {
  enum { COLUMNS = 4, N = 3 * COLUMNS };
  double plane[3 * N], rough[3 * N];
  rng = cq_rng_seed(3);
  for (int i = 0; i < N; i++) {
    const double x = 0.1 + 0.25 * (i % COLUMNS), z = 0.2 + 0.25 * (i / COLUMNS);
    const double flat[3] = {x, 0.4 + 0.3 * (x - 0.1) - 0.2 * (z - 0.2), z};
    memcpy(plane + 3 * i, flat, sizeof flat);
    memcpy(rough + 3 * i, flat, sizeof flat);
    rough[3 * i + 1] = draw(0.0, 1.0);
  }
  cq_shape s = {.kind = CQ_SHAPE_height_field, .dim = 3, .n_points = N, .points = plane};
  const double length = sqrt(1.0 + 0.09 + 0.04);
  const cq_shape space = {.kind = CQ_SHAPE_half_space,
                          .dim = 3,
                          .center = {0.1, 0.4, 0.2},
                          .normal = {-0.3 / length, 1.0 / length, 0.2 / length}};
  for (int i = 0; i < POINTS; i++) {
    const double x[3] = {draw(-1.0, 2.0), draw(-1.0, 2.0), draw(-1.0, 2.0)};
    double n[2][3];
    CHECK_NEAR(cq_shape_distance(&s, x), cq_shape_distance(&space, x), 1e-13);
    cq_shape_normal(&s, x, n[0]);
    cq_shape_normal(&space, x, n[1]);
    for (int a = 0; a < 3; a++) {
      CHECK_NEAR(n[0][a], n[1][a], 1e-13);
    }
  }
  s.points = rough;
  for (int i = 0; i < N; i++) {
    CHECK_NEAR(cq_shape_distance(&s, rough + 3 * i), 0.0, 1e-14);
  }
  for (int i = 0; i < POINTS; i++) {
    const double h = 1e-6;
    double x[3] = {draw(-0.5, 1.5), 0.0, draw(-0.5, 1.5)}, n[3];
    cq_shape_normal(&s, x, n);
    x[1] -= cq_shape_distance(&s, x) / n[1];
    CHECK_NEAR(cq_shape_distance(&s, x), 0.0, 1e-14);
    for (int a = 0; a < 3; a++) {
      double y[3] = {x[0], x[1], x[2]};
      y[a] += h;
      const double above = cq_shape_distance(&s, y);
      y[a] -= 2.0 * h;
      CHECK_NEAR(n[a], (above - cq_shape_distance(&s, y)) / (2.0 * h), 2e-6);
    }
  }
}

int main(void) {
  RUN(distances);
  RUN(normals);
  RUN(volumes_and_bounds);
  RUN(rays);
  RUN(points);
  RUN(choices);
  RUN(heights);
  return TEST_RESULT();
}
