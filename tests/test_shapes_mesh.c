/* Meshes: distance, side and normal against brute force; volume and moments against closed forms;
 * what is mended and what is refused. */
#include "mesh.h"
#include "mesh_maker.h"

static cq_ctx *ctx;
static cq_rng rng;

static double draw(double low, double high) {
  return low + (high - low) * cq_rng_uniform(&rng);
}

/* --- a mesh of a surface, with its memory ----------------------------------------------------- */

typedef struct made {
  cq_shape shape;
  cq_surface surface;
  void *memory;
  int turned;
} made;

static made make(cq_surface surface) {
  made m = {.surface = surface};
  const double still[3] = {0.0, 0.0, 0.0};
  const cq_status status = cq_surface_mend(ctx, "test", &m.surface, &m.turned);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (status != CQ_OK || cq_alloc(ctx, &m.memory, cq_mesh_bytes(&m.surface), 1) != CQ_OK) {
    abort();
  }
  m.shape = (cq_shape){.kind = CQ_SHAPE_mesh, .dim = surface.dim};
  CHECK(cq_mesh_make(ctx, &m.surface, 1.0, still, m.memory, &m.shape.mesh) == CQ_OK);
  return m;
}

static void drop(made *m) {
  cq_surface_free(ctx, &m->surface);
  cq_free(ctx, m->memory);
}

/* --- brute force ------------------------------------------------------------------------------ */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Distance of x from the triangle a b c, by its regions (Ericson 2005). */
static double from_triangle(const double *x, const double *a, const double *b, const double *c) {
  double ab[3], ac[3], ap[3], bp[3], cp[3], d[3];
  for (int i = 0; i < 3; i++) {
    ab[i] = b[i] - a[i];
    ac[i] = c[i] - a[i];
    ap[i] = x[i] - a[i];
    bp[i] = x[i] - b[i];
    cp[i] = x[i] - c[i];
  }
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  double v, w;
  if (d1 <= 0 && d2 <= 0) {
    v = w = 0;
  } else if (d3 >= 0 && d4 <= d3) {
    v = 1, w = 0;
  } else if (d6 >= 0 && d5 <= d6) {
    v = 0, w = 1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    v = d1 / (d1 - d3), w = 0;
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    v = 0, w = d2 / (d2 - d6);
  } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1 - w;
  } else {
    v = vb / (va + vb + vc), w = vc / (va + vb + vc);
  }
  for (int i = 0; i < 3; i++) {
    d[i] = ap[i] - v * ab[i] - w * ac[i];
  }
  return sqrt(dot(d, d));
}

/* The part of the sphere about x that a triangle covers, by the angles of the spherical triangle.
 */
static double covered(const double *x, const double *a, const double *b, const double *c) {
  double r[3][3], n[3][3];
  for (int i = 0; i < 3; i++) {
    r[0][i] = a[i] - x[i];
    r[1][i] = b[i] - x[i];
    r[2][i] = c[i] - x[i];
  }
  for (int k = 0; k < 3; k++) {
    const double *p = r[k], *q = r[(k + 1) % 3];
    for (int i = 0; i < 3; i++) {
      n[k][i] = p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
    }
  }
  double sum = -maker_pi;
  for (int k = 0; k < 3; k++) {
    const double *p = n[k], *q = n[(k + 2) % 3];
    sum += acos(fmax(-1.0, fmin(1.0, -dot(p, q) / sqrt(dot(p, p) * dot(q, q)))));
  }
  return (dot(r[0], n[1]) < 0.0 ? -sum : sum) / (4.0 * maker_pi);
}

static double brute(const cq_mesh *m, const double *x) {
  double least = INFINITY, around = 0.0;
  for (int f = 0; f < m->n_faces; f++) {
    const double *a = mesh_corner(m, f, 0), *b = mesh_corner(m, f, 1), *c = mesh_corner(m, f, 2);
    least = fmin(least, from_triangle(x, a, b, c));
    around += covered(x, a, b, c);
  }
  return fabs(around) > 0.5 ? -least : least;
}

/* A thousand random points around a mesh, a third of them near its surface. */
static void compare(const made *m) {
  const cq_mesh *mesh = m->shape.mesh;
  int inside = 0;
  for (int i = 0; i < 1000; i++) {
    double x[3], size = 0.0;
    const double *corner = mesh_corner(mesh, (int)draw(0, mesh->n_faces), 0);
    for (int a = 0; a < 3; a++) {
      size = fmax(size, mesh->high[a] - mesh->low[a]);
    }
    for (int a = 0; a < 3; a++) {
      x[a] = i % 3 == 0 ? corner[a] + 0.02 * size * draw(-1, 1)
                        : draw(mesh->low[a] - 0.2 * size, mesh->high[a] + 0.2 * size);
    }
    const double wanted = brute(mesh, x), d = cq_shape_distance(&m->shape, x);
    inside += wanted < 0.0;
    CHECK_NEAR(d, wanted, 1e-12 * size);
    if (fabs(d) > 1e-6 * size) { /* from there the normal leads to the surface */
      double n[3], foot[3];
      cq_shape_normal(&m->shape, x, n);
      for (int a = 0; a < 3; a++) {
        foot[a] = x[a] - d * n[a];
      }
      CHECK_NEAR(dot(n, n), 1.0, 1e-14);
      CHECK_NEAR(cq_shape_distance(&m->shape, foot), 0.0, 1e-12 * size);
    }
  }
  CHECK_MSG(inside > 50 && inside < 800, "%d points are inside", inside);
}

static void brute_force(void) {
  made m[] = {make(maker_sphere(ctx, 0.5, 12, NULL)), make(maker_torus(ctx, 0.5, 0.2, 30, 16)),
              make(maker_gear(ctx, 9, 0.7, 1.0, 0.3)), make(maker_scan(ctx, 40))};
  for (int i = 0; i < 4; i++) {
    CHECK(m[i].turned == 0);
    compare(&m[i]);
    drop(&m[i]);
  }
}

/* --- ties ------------------------------------------------------------------------------------- */

static void check_normal(const cq_shape *s, double x, double y, double z, double nx, double ny,
                         double nz) {
  const double at[3] = {x, y, z}, wanted[3] = {nx, ny, nz};
  double n[3] = {0}, length = sqrt(dot(wanted, wanted));
  cq_shape_normal(s, at, n);
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(n[a], wanted[a] / length, 1e-14);
  }
}

/* On edges and at corners, and where faces, edges or corners are as near as each other. */
static void ties(void) {
  const double low[3] = {0, 0, 0}, high[3] = {1, 2, 3};
  made box = make(maker_box(ctx, low, high));
  const cq_shape *s = &box.shape;
  CHECK(cq_shape_distance(s, (double[]){1, 2, 3}) == 0.0);
  CHECK(cq_shape_distance(s, (double[]){1, 1, 3}) == 0.0);
  CHECK(cq_shape_distance(s, (double[]){0.5, 1, 1.5}) == -0.5);
  CHECK(cq_shape_distance(s, (double[]){0.75, 1.75, 2.75}) == -0.25);
  CHECK_NEAR(cq_shape_distance(s, (double[]){2, 3, 4}), sqrt(3.0), 1e-15);
  CHECK_NEAR(cq_shape_distance(s, (double[]){-3, 1, 3 + 4}), 5.0, 1e-15);
  check_normal(s, 1, 2, 3, 1, 1, 1); /* a corner: angles of 90 degrees each */
  check_normal(s, 1, 1, 3, 1, 0, 1); /* an edge */
  check_normal(s, 1, 1, 1, 1, 0, 0); /* a face, and across its diagonal */
  check_normal(s, 1, 2.0 / 3.0, 1, 1, 0, 0);
  check_normal(s, 2, 4, 6, 1, 2, 3); /* away from the corner */
  check_normal(s, -1, -1, 1, -1, -1, 0);
  drop(&box);
  /* from a sharp point the side is that of no single face: all those of a spike */
  cq_surface spike = maker_begin(ctx, 3, 5, 6);
  const int tip = maker_vertex(&spike, 0, 0, 0), top = maker_vertex(&spike, 0, 5, 0);
  const int a = maker_vertex(&spike, 0.1, 5, 0), b = maker_vertex(&spike, -0.1, 5, 0.1),
            c = maker_vertex(&spike, -0.1, 5, -0.1);
  maker_face(&spike, tip, a, c);
  maker_face(&spike, tip, c, b);
  maker_face(&spike, tip, b, a);
  maker_face(&spike, top, c, a);
  maker_face(&spike, top, b, c);
  maker_face(&spike, top, a, b);
  made m = make(spike);
  for (int i = 0; i < 1000; i++) {
    const double x[3] = {draw(-0.2, 0.2), draw(-0.5, 0.1), draw(-0.2, 0.2)};
    CHECK_NEAR(cq_shape_distance(&m.shape, x), brute(m.shape.mesh, x), 1e-14);
  }
  drop(&m);
}

/* A face without area, as a T of two edges makes: its edges are there, its plane is not. */
static void thin_faces(void) {
  cq_surface s = maker_begin(ctx, 3, 5, 6);
  maker_vertex(&s, 0, 0, 0);
  maker_vertex(&s, 1, 0, 0);
  maker_vertex(&s, 0, 1, 0);
  maker_vertex(&s, 0, 0, 1);
  maker_vertex(&s, 0.5, 0, 0); /* in the middle of the edge 0 1 */
  maker_face(&s, 0, 2, 4);
  maker_face(&s, 4, 2, 1);
  maker_face(&s, 0, 4, 1); /* no area */
  maker_face(&s, 0, 1, 3);
  maker_face(&s, 0, 3, 2);
  maker_face(&s, 1, 2, 3);
  made m = make(s);
  CHECK_NEAR(m.shape.mesh->volume, 1.0 / 6.0, 1e-15);
  for (int i = 0; i < 1000; i++) {
    const double x[3] = {draw(-0.5, 1), draw(-0.5, 1), draw(-0.5, 1)};
    const bool in = x[0] > 0 && x[1] > 0 && x[2] > 0 && x[0] + x[1] + x[2] < 1;
    CHECK((cq_shape_distance(&m.shape, x) < 0.0) == in);
  }
  CHECK_NEAR(cq_shape_distance(&m.shape, (double[]){0.25, -1, -1}), sqrt(2.0), 1e-15);
  drop(&m);
}

/* --- grids of distances --- */

/* The largest error beside the distance of a torus, away from its ring and its axis. */
static double sdf_error(const cq_shape *s, int cells, double ring, double tube) {
  double worst = 0.0;
  int elsewhere = 0;
  void *memory = NULL;
  cq_shape gridded = *s;
  if (cq_alloc(ctx, &memory, cq_sdf_bytes(s, cells), 1) != CQ_OK) {
    abort();
  }
  gridded.sdf = cq_sdf_make(s, cells, memory);
  rng = cq_rng_seed(8);
  for (int i = 0; i < 3000; i++) {
    double n[3], slope[3];
    const double p = draw(0, 6.28), q = draw(0, 6.28), r = tube + draw(-0.04, 0.04);
    const double out = ring + r * cos(q);
    const double x[3] = {out * cos(p), r * sin(q), out * sin(p)};
    const double error = fabs(cq_shape_distance(&gridded, x) - cq_shape_distance(s, x));
    worst = fmax(worst, error);
    cq_sdf_at(gridded.sdf, x, slope);
    cq_shape_normal(&gridded, x, n);
    for (int a = 0; a < 3; a++) { /* the gradient is that of the interpolant */
      double to[2][3];
      const double h = 1e-7;
      memcpy(to[0], x, sizeof x);
      memcpy(to[1], x, sizeof x);
      to[0][a] -= h;
      to[1][a] += h;
      const double d =
          (cq_sdf_at(gridded.sdf, to[1], NULL) - cq_sdf_at(gridded.sdf, to[0], NULL)) / (2 * h);
      elsewhere += fabs(d - slope[a]) > 1e-6; /* but where h reaches over a node */
      CHECK_NEAR(n[a], slope[a] / sqrt(dot(slope, slope)), 1e-14);
    }
  }
  CHECK(elsewhere < 10);
  cq_free(ctx, memory);
  return worst;
}

/* The error falls by four with half the spacing. */
static void grids(void) {
  made m = make(maker_torus(ctx, 0.5, 0.2, 240, 120)); /* smooth beside a cell */
  const double coarse = sdf_error(&m.shape, 24, 0.5, 0.2), fine = sdf_error(&m.shape, 48, 0.5, 0.2);
  CHECK_MSG(coarse / fine > 3.3 && coarse / fine < 4.8, "%g and %g", coarse, fine);
  printf("24 cells: %.2g m, 48 cells: %.2g m\n", coarse, fine);
  CHECK(fine < 1.5e-3);
  void *memory = NULL;
  CHECK(cq_alloc(ctx, &memory, cq_sdf_bytes(&m.shape, 24), 1) == CQ_OK);
  cq_shape gridded = m.shape;
  gridded.sdf = cq_sdf_make(&m.shape, 24, memory);
  for (int i = 0; i < 1000; i++) { /* outside it is no less, and the way there is known */
    const double x[3] = {draw(-3, 3), draw(-3, 3), draw(-3, 3)};
    double n[3];
    const double d = cq_shape_distance(&gridded, x), exact = cq_shape_distance(&m.shape, x);
    CHECK(d > exact - 0.03);
    CHECK((d < 0.0) == (exact < 0.0) || fabs(exact) < 0.01);
    cq_shape_normal(&gridded, x, n);
    CHECK_NEAR(dot(n, n), 1.0, 1e-14);
  }
  cq_free(ctx, memory);
  drop(&m);
}

/* --- lattices --- */

/* Those points of a lattice that are inside, whatever is spared of asking. */
static void lattices(void) {
  made m = make(maker_scan(ctx, 30));
  cq_lattice l = {.dim = 3, .count = {20, 15, 23}, .offset = 0.5};
  double size_of[3], *x = NULL;
  size_t n = 0;
  cq_shape_bounds(&m.shape, l.low, size_of);
  for (int a = 0; a < 3; a++) {
    l.spacing[a] = size_of[a] / l.count[a];
  }
  const size_t found = cq_lattice_points(&l, &m.shape, NULL);
  CHECK(found > 500 && CQ_ALLOC(ctx, x, 3 * found) == CQ_OK);
  CHECK(cq_lattice_points(&l, &m.shape, x) == found);
  for (int i = 0; i < 20 * 15 * 23; i++) {
    const int at[3] = {i / (15 * 23), i / 23 % 15, i % 23};
    double point[3];
    for (int a = 0; a < 3; a++) {
      point[a] = l.low[a] + (at[a] + l.offset) * l.spacing[a];
    }
    if (cq_shape_distance(&m.shape, point) <= 0.0) {
      CHECK(n < found && memcmp(x + 3 * n, point, sizeof point) == 0);
      n++;
    }
  }
  CHECK(n == found);
  CHECK_NEAR((double)n * l.spacing[0] * l.spacing[1] * l.spacing[2] / m.shape.mesh->volume, 1.0,
             0.05);
  cq_free(ctx, x);
  drop(&m);
}

/* --- points on surfaces --- */

/* Points of a surface, at a pitch and an inset: on it, apart, and near every point of it, which is
 * found by going from random ones to the surface. */
static void check_surface(const cq_shape *s, double pitch, double inset) {
  double low[3] = {0}, size[3] = {0}, *x = NULL, far = 0.0, near = INFINITY;
  int n = 0, tried = 0;
  CHECK_MSG(cq_shape_surface_points(ctx, s, pitch, inset, &x, &n) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  cq_shape_bounds(s, low, size);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(cq_shape_distance(s, x + s->dim * i), -inset, 1e-6 * pitch);
    for (int j = 0; j < i; j++) {
      double square = 0.0;
      for (int a = 0; a < s->dim; a++) {
        square += pow(x[s->dim * i + a] - x[s->dim * j + a], 2);
      }
      near = fmin(near, sqrt(square));
    }
  }
  CHECK_MSG(near >= pitch * (1 - 1e-12), "%g", near);
  while (tried < 300) {
    double y[3], normal[3], least = INFINITY;
    for (int a = 0; a < s->dim; a++) {
      y[a] = draw(low[a], low[a] + size[a]);
    }
    for (int k = 0; k < 4; k++) {
      const double d = cq_shape_distance(s, y) + inset;
      cq_shape_normal(s, y, normal);
      for (int a = 0; a < s->dim; a++) {
        y[a] -= d * normal[a];
      }
    }
    if (fabs(cq_shape_distance(s, y) + inset) > 1e-9) {
      continue;
    }
    tried++;
    for (int i = 0; i < n; i++) {
      double square = 0.0;
      for (int a = 0; a < s->dim; a++) {
        square += pow(x[s->dim * i + a] - y[a], 2);
      }
      least = fmin(least, sqrt(square));
    }
    far = fmax(far, least);
  }
  CHECK_MSG(far <= 1.4 * pitch, "%g pitches", far / pitch);
  cq_free(ctx, x);
}

static void surfaces(void) {
  made scan = make(maker_scan(ctx, 24));
  cq_shape box = {.kind = CQ_SHAPE_box, .dim = 3, .center = {0, 0, 0}, .size = {1, 0.6, 0.8}};
  cq_shape ball = {.kind = CQ_SHAPE_ball, .dim = 3, .radius = 0.5};
  const cq_shape disc = {.kind = CQ_SHAPE_ball, .dim = 2, .radius = 0.5};
  cq_shape_turn(&box, (double[]){0.3, 0.4, -0.2});
  check_surface(&box, 0.08, 0.0);
  check_surface(&box, 0.08, 0.05);
  check_surface(&ball, 0.07, 0.0);
  check_surface(&ball, 0.07, -0.1);
  check_surface(&disc, 0.05, 0.0);
  check_surface(&scan.shape, 0.1, 0.0);
  drop(&scan);
}

/* --- closed shapes ---------------------------------------------------------------------------- */

static void moments(void) {
  const double low[3] = {1, 2, 3}, high[3] = {2, 4, 6};
  made box = make(maker_box(ctx, low, high));
  const cq_mesh_moments b = cq_mesh_moments_of(box.shape.mesh);
  CHECK_NEAR(b.volume, 6.0, 1e-14);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(b.center[i], 0.5 * (low[i] + high[i]), 1e-14);
    for (int j = 0; j < 3; j++) {
      CHECK_NEAR(b.second[i][j], i == j ? 6.0 * pow(high[i] - low[i], 2) / 12.0 : 0.0, 1e-13);
    }
  }
  drop(&box);
}

/* Of closed shapes: distance, volume, moment of inertia about the axis y. */
static const double radius = 0.5, ring = 0.5, tube = 0.2, sides[3] = {1.0, 0.5, 0.25};

static double from_box(const double *x) {
  const cq_shape box = {.kind = CQ_SHAPE_box, .dim = 3, .size = {sides[0], sides[1], sides[2]}};
  return cq_shape_distance(&box, x);
}

static double from_sphere(const double *x) {
  return sqrt(dot(x, x)) - radius;
}

static double from_torus(const double *x) {
  const double to_ring = sqrt(x[0] * x[0] + x[2] * x[2]) - ring;
  return sqrt(to_ring * to_ring + x[1] * x[1]) - tube;
}

/* A row of the table in docs/validation.md; errors are at most `error`. */
static void beside(const char *name, cq_surface surface, double (*distance)(const double *x),
                   double volume, double inertia, double error) {
  made m = make(surface);
  const cq_mesh_moments s = cq_mesh_moments_of(m.shape.mesh);
  cq_lattice l = {.dim = 3,
                  .low = {-1, -1, -1},
                  .spacing = {0.02, 0.02, 0.02},
                  .count = {100, 100, 100},
                  .offset = 0.5};
  double worst = 0.0;
  int within = 0;
  for (int i = 0; i < 5000; i++) {
    const double x[3] = {draw(-1, 1), draw(-1, 1), draw(-1, 1)};
    worst = fmax(worst, fabs(cq_shape_distance(&m.shape, x) - distance(x)));
  }
  for (int i = 0; i < 1000000; i++) {
    const double x[3] = {0.02 * (i / 10000 + 0.5) - 1, 0.02 * (i / 100 % 100 + 0.5) - 1,
                         0.02 * (i % 100 + 0.5) - 1};
    within += distance(x) <= 1e-12;
  }
  const int particles = (int)cq_lattice_points(&l, &m.shape, NULL);
  const double about_y = s.second[0][0] + s.second[2][2];
  printf("| %s | %d | %.2g | %.2g | %.2g | %d, %d |\n", name, m.surface.n_faces, worst,
         fabs(s.volume / volume - 1), fabs(about_y / inertia - 1), particles, within);
  CHECK(worst <= 0.2 * error + 1e-15);
  CHECK_NEAR(s.volume / volume, 1.0, 0.5 * error + 1e-15);
  CHECK_NEAR(about_y / inertia, 1.0, error + 1e-15);
  CHECK_NEAR((double)particles / within, 1.0, error);
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(s.center[a], 0.0, 1e-15);
  }
  drop(&m);
}

static void closed_shapes(void) {
  const double low[3] = {-sides[0] / 2, -sides[1] / 2, -sides[2] / 2};
  const double high[3] = {sides[0] / 2, sides[1] / 2, sides[2] / 2};
  const double v = sides[0] * sides[1] * sides[2], r2 = radius * radius;
  const double ball = 4.0 / 3.0 * maker_pi * r2 * radius;
  const double torus = 2.0 * maker_pi * maker_pi * ring * tube * tube;
  beside("box", maker_box(ctx, low, high), from_box, v,
         v * (sides[0] * sides[0] + sides[2] * sides[2]) / 12, 0.0);
  for (int n = 24; n <= 48; n *= 2) { /* errors that fall by four */
    const double error = 20.0 / (n * n);
    beside("sphere", maker_sphere(ctx, radius, n, NULL), from_sphere, ball, 0.4 * ball * r2, error);
    beside("torus", maker_torus(ctx, ring, tube, 2 * n, n), from_torus, torus,
           torus * (ring * ring + 0.75 * tube * tube), error);
  }
}

/* --- mending and refusing --------------------------------------------------------------------- */

static cq_surface cube(double at, double size) {
  const double low[3] = {at, at, at}, high[3] = {at + size, at + size, at + size};
  return maker_box(ctx, low, high);
}

static cq_surface both(cq_surface a, cq_surface b) {
  cq_surface s = maker_begin(ctx, 3, a.n_vertices + b.n_vertices, a.n_faces + b.n_faces);
  for (int i = 0; i < a.n_vertices + b.n_vertices; i++) {
    const double *x = i < a.n_vertices ? a.vertices + 3 * i : b.vertices + 3 * (i - a.n_vertices);
    maker_vertex(&s, x[0], x[1], x[2]);
  }
  for (int f = 0; f < a.n_faces + b.n_faces; f++) {
    const int more = f < a.n_faces ? 0 : a.n_vertices;
    const int *v = f < a.n_faces ? a.faces + 3 * f : b.faces + 3 * (f - a.n_faces);
    maker_face(&s, v[0] + more, v[1] + more, v[2] + more);
  }
  cq_surface_free(ctx, &a);
  cq_surface_free(ctx, &b);
  return s;
}

static void flip(cq_surface *s, int f) {
  const int v = s->faces[3 * f];
  s->faces[3 * f] = s->faces[3 * f + 1];
  s->faces[3 * f + 1] = v;
}

/* Faces that are inside out, cavities, loose vertices. */
static void mended(void) {
  const double in[3] = {0.2, 0.3, 0.4}, hollow[3] = {0.5, 0.5, 0.5};
  cq_surface inverted = cube(0, 1), some = cube(0, 1);
  for (int f = 0; f < 12; f++) {
    flip(&inverted, f);
  }
  flip(&some, 0);
  flip(&some, 7);
  /* a cavity, whose faces look the same way as those around it, and a ball in it */
  made m[] = {make(inverted), make(some),
              make(both(both(cube(0, 1), cube(0.25, 0.5)), cube(0.4, 0.2)))};
  const int turned[] = {12, 2, 12};
  const double volume[] = {1, 1, 1 - 0.125 + 0.008};
  for (int i = 0; i < 3; i++) {
    CHECK(m[i].turned == turned[i]);
    CHECK_NEAR(m[i].shape.mesh->volume, volume[i], 1e-14);
    CHECK(cq_shape_distance(&m[i].shape, in) < 0.0);
    CHECK_NEAR(cq_shape_distance(&m[i].shape, hollow), i < 2 ? -0.5 : -0.1, 1e-15);
    /* what was mended stays as it is */
    made copy = make(both(m[i].surface, maker_begin(ctx, 3, 1, 1)));
    const cq_mesh *was = m[i].shape.mesh, *is = copy.shape.mesh;
    m[i].surface = (cq_surface){0};
    CHECK(copy.turned == 0 && is->n_vertices == was->n_vertices && is->n_faces == was->n_faces);
    CHECK(memcmp(is->faces, was->faces, sizeof(int) * 3 * (size_t)is->n_faces) == 0);
    CHECK(memcmp(is->vertices, was->vertices, sizeof(double) * 3 * (size_t)is->n_vertices) == 0);
    drop(&copy);
    drop(&m[i]);
  }
  /* a vertex a face, as STL has it, and a face of no width */
  cq_surface loose = maker_begin(ctx, 3, 39, 13);
  cq_surface whole = cube(0, 1);
  for (int i = 0; i < 36; i++) {
    const double *x = whole.vertices + 3 * whole.faces[i];
    maker_vertex(&loose, x[0], x[1], i % 2 == 0 && x[2] == 0.0 ? -0.0 : x[2]);
  }
  for (int f = 0; f < 12; f++) {
    maker_face(&loose, 3 * f, 3 * f + 1, 3 * f + 2);
  }
  maker_face(&loose, 0, 1, 1);
  made l = make(loose);
  CHECK(l.surface.n_vertices == 8 && l.surface.n_faces == 12 && l.turned == 0);
  cq_surface_free(ctx, &whole);
  drop(&l);
}

static void refuse(cq_surface s, const char *words) {
  int turned;
  CHECK(cq_surface_mend(ctx, "leg.stl", &s, &turned) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), words) != NULL, "\"%s\" is not in \"%s\"", words,
            cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
  cq_surface_free(ctx, &s);
}

/* One sentence each, with the place. */
static void refused(void) {
  cq_surface s = cube(0, 1);
  s.n_faces--;
  refuse(s, "leg.stl: the surface is open: 3 edges have a face on one side alone, "
            "the first from (0, 0, 1) to (0, 1, 1); close the hole");
  s = cube(0, 1);
  s.vertices[7] = NAN;
  refuse(s, "the coordinate y of vertex 2 is nan");
  s = cube(0, 1);
  s.faces[4] = 8;
  refuse(s, "face 1 has a vertex 8, and there are 8");
  refuse(both(cube(0, 1), cube(0.5, 1)), "crosses or touches itself near");
  refuse(both(cube(0, 1), cube(0, 1)),
         "18 edges are of more than two faces, the first, from (0, 0, 0) to (0, 0, 1), of 4");
  refuse(both(cube(0, 1), cube(1, 1)), "touches itself at the corner (1, 1, 1)");
  /* a cube on another, moved along: their faces overlap in a plane */
  s = both(cube(0, 1), cube(0, 1));
  for (int i = 8; i < 16; i++) {
    s.vertices[3 * i] += 1.0;
    s.vertices[3 * i + 1] += 0.3;
  }
  refuse(s, "crosses or touches itself near");
  s = maker_begin(ctx, 3, 3, 2);
  maker_vertex(&s, 0, 0, 0);
  maker_vertex(&s, 1, 0, 0);
  maker_vertex(&s, 0, 1, 0);
  maker_face(&s, 0, 1, 2);
  maker_face(&s, 0, 2, 1);
  refuse(s, "has 2 faces, which enclose nothing");
}

/* Rooms with crossing pieces: a sphere through itself is found wherever it crosses. */
static void crossings(void) {
  for (int i = 0; i < 20; i++) {
    cq_surface a = maker_sphere(ctx, 0.5, 9, NULL), b = maker_sphere(ctx, 0.1, 5, NULL);
    const double angle = draw(0, 6.28), up = draw(-0.9, 0.9), out = sqrt(1 - up * up);
    const double far = i % 2 == 0 ? draw(0.42, 0.57) : draw(0.61, 0.9);
    for (int v = 0; v < b.n_vertices; v++) {
      b.vertices[3 * v] += far * out * cos(angle);
      b.vertices[3 * v + 1] += far * up;
      b.vertices[3 * v + 2] += far * out * sin(angle);
    }
    if (i % 2 == 0) {
      refuse(both(a, b), "crosses or touches itself near");
    } else {
      made m = make(both(a, b));
      drop(&m);
    }
  }
}

/* --- two dimensions --------------------------------------------------------------------------- */

/* A ring and a wedge: an outline with a hole, given either way round, against a polygon. */
static void outlines(void) {
  static const double corners[] = {0.2, 0.1, 1.1, 0.3, 0.9, 0.9, 0.6, 0.5, 0.3, 0.8};
  cq_surface s = maker_begin(ctx, 2, 9, 9);
  for (int i = 0; i < 5; i++) {
    maker_vertex(&s, corners[2 * i], corners[2 * i + 1], 0);
    maker_face(&s, (i + 1) % 5, i, 0); /* clockwise */
  }
  const double hole[] = {0.6, 0.3, 0.7, 0.3, 0.7, 0.4, 0.6, 0.4};
  for (int i = 0; i < 4; i++) {
    maker_vertex(&s, hole[2 * i], hole[2 * i + 1], 0);
    maker_face(&s, 5 + i, 5 + (i + 1) % 4, 0);
  }
  made m = make(s);
  CHECK(m.turned == 9);
  const cq_shape outer = {.kind = CQ_SHAPE_polygon, .dim = 2, .n_points = 5, .points = corners};
  const cq_shape inner = {
      .kind = CQ_SHAPE_box, .dim = 2, .center = {0.65, 0.35}, .size = {0.1, 0.1}};
  for (int i = 0; i < 1000; i++) {
    const double x[2] = {draw(0, 1.3), draw(-0.1, 1)};
    const double a = cq_shape_distance(&outer, x), b = cq_shape_distance(&inner, x);
    double n[2], na[2];
    CHECK_NEAR(cq_shape_distance(&m.shape, x), b < 0 ? -b : (fabs(a) < b ? a : (a < 0 ? -b : b)),
               1e-14);
    cq_shape_normal(&m.shape, x, n);
    cq_shape_normal(&outer, x, na);
    if (fabs(a) < b) {
      CHECK_NEAR(n[0], na[0], 1e-12);
      CHECK_NEAR(n[1], na[1], 1e-12);
    }
  }
  const cq_mesh_moments q = cq_mesh_moments_of(m.shape.mesh);
  CHECK_NEAR(q.volume, cq_shape_volume(&outer) - 0.01, 1e-15);
  void *memory = NULL; /* the same from a grid */
  cq_shape gridded = m.shape;
  CHECK(cq_alloc(ctx, &memory, cq_sdf_bytes(&m.shape, 100), 1) == CQ_OK);
  gridded.sdf = cq_sdf_make(&m.shape, 100, memory);
  for (int i = 0; i < 1000; i++) {
    const double x[2] = {draw(0.18, 1.12), draw(0.08, 0.92)}, h = 1e-7;
    double slope[2];
    CHECK_NEAR(cq_shape_distance(&gridded, x), cq_shape_distance(&m.shape, x), 0.005);
    cq_sdf_at(gridded.sdf, x, slope);
    const double right = cq_sdf_at(gridded.sdf, (double[]){x[0] + h, x[1]}, NULL);
    const double above = cq_sdf_at(gridded.sdf, (double[]){x[0], x[1] + h}, NULL);
    CHECK_NEAR(slope[0], (right - cq_sdf_at(gridded.sdf, x, NULL)) / h, 1e-5);
    CHECK_NEAR(slope[1], (above - cq_sdf_at(gridded.sdf, x, NULL)) / h, 1e-5);
  }
  cq_free(ctx, memory);
  drop(&m);
  s = maker_begin(ctx, 2, 4, 4);
  maker_vertex(&s, 0, 0, 0);
  maker_vertex(&s, 1, 1, 0);
  maker_vertex(&s, 1, 0, 0);
  maker_vertex(&s, 0, 1, 0);
  for (int i = 0; i < 4; i++) {
    maker_face(&s, i, (i + 1) % 4, 0);
  }
  refuse(s, "the outline crosses or touches itself near");
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  rng = cq_rng_seed(5);
  RUN(brute_force);
  RUN(ties);
  RUN(thin_faces);
  RUN(grids);
  RUN(lattices);
  RUN(surfaces);
  RUN(moments);
  RUN(closed_shapes);
  RUN(mended);
  RUN(refused);
  RUN(crossings);
  RUN(outlines);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
