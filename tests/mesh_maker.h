/* Closed surfaces for tests, made by formulas. */
#ifndef CQ_TESTS_MESH_MAKER_H
#define CQ_TESTS_MESH_MAKER_H

#include "alloc.h"
#include "surface.h"
#include "test.h"

static const double maker_pi = 3.14159265358979323846;

static cq_surface maker_begin(cq_ctx *ctx, int dim, int n_vertices, int n_faces) {
  cq_surface s = {.dim = dim};
  if (CQ_ALLOC(ctx, s.vertices, n_vertices * dim) != CQ_OK ||
      CQ_ALLOC(ctx, s.faces, n_faces * dim) != CQ_OK) {
    abort();
  }
  return s;
}

static inline int maker_vertex(cq_surface *s, double x, double y, double z) {
  const double at[3] = {x, y, z};
  memcpy(s->vertices + s->dim * s->n_vertices, at, (size_t)s->dim * sizeof *at);
  return s->n_vertices++;
}

static inline void maker_face(cq_surface *s, int a, int b, int c) {
  const int face[3] = {a, b, c};
  memcpy(s->faces + s->dim * s->n_faces, face, (size_t)s->dim * sizeof *face);
  s->n_faces++;
}

static inline void maker_quad(cq_surface *s, int a, int b, int c, int d) {
  maker_face(s, a, b, c);
  maker_face(s, a, c, d);
}

/* A closed curve (r, y)[n], counterclockwise, about the axis y, in m steps. */
static inline cq_surface maker_revolve(cq_ctx *ctx, int n, const double (*curve)[2], int m) {
  cq_surface s = maker_begin(ctx, 3, n * m, 2 * n * m);
  for (int j = 0; j < m; j++) {
    const double angle = 2.0 * maker_pi * j / m;
    for (int i = 0; i < n; i++) {
      maker_vertex(&s, curve[i][0] * cos(angle), curve[i][1], -curve[i][0] * sin(angle));
    }
  }
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++) {
      const int a = j * n, b = (j + 1) % m * n, next = (i + 1) % n;
      maker_quad(&s, a + i, b + i, b + next, a + next);
    }
  }
  return s;
}

/* A torus about the axis y. */
static inline cq_surface maker_torus(cq_ctx *ctx, double ring, double tube, int m, int n) {
  double curve[512][2];
  for (int i = 0; i < n; i++) {
    curve[i][0] = ring + tube * cos(2.0 * maker_pi * i / n);
    curve[i][1] = tube * sin(2.0 * maker_pi * i / n);
  }
  return maker_revolve(ctx, n, (const double(*)[2])curve, m);
}

/* A sphere of n rings and 2 n meridians, its radius times 1 + bump(x, y, z of length 1). */
static inline cq_surface maker_sphere(cq_ctx *ctx, double radius, int n,
                                      double (*bump)(double, double, double)) {
  const int m = 2 * n;
  cq_surface s = maker_begin(ctx, 3, (n - 1) * m + 2, 2 * n * m);
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < m; j++) {
      const double t = maker_pi * i / n, p = 2.0 * maker_pi * j / m;
      const double x = sin(t) * cos(p), y = cos(t), z = -sin(t) * sin(p);
      const double r = radius * (1.0 + (bump != NULL ? bump(x, y, z) : 0.0));
      maker_vertex(&s, r * x, r * y, r * z);
    }
  }
  const double up = bump != NULL ? bump(0, 1, 0) : 0.0, down = bump != NULL ? bump(0, -1, 0) : 0.0;
  const int top = maker_vertex(&s, 0, radius * (1.0 + up), 0);
  const int bottom = maker_vertex(&s, 0, -radius * (1.0 + down), 0);
  for (int j = 0; j < m; j++) {
    const int next = (j + 1) % m;
    maker_face(&s, top, j, next);
    for (int i = 0; i + 2 < n; i++) {
      maker_quad(&s, i * m + j, (i + 1) * m + j, (i + 1) * m + next, i * m + next);
    }
    maker_face(&s, bottom, (n - 2) * m + next, (n - 2) * m + j);
  }
  return s;
}

/* An outline (x, y)[n], counterclockwise and seen whole from the origin, from z = 0 to height. */
static inline cq_surface maker_extrude(cq_ctx *ctx, int n, const double (*outline)[2],
                                       double height) {
  cq_surface s = maker_begin(ctx, 3, 2 * n + 2, 4 * n);
  for (int i = 0; i < 2 * n; i++) {
    maker_vertex(&s, outline[i % n][0], outline[i % n][1], i < n ? 0.0 : height);
  }
  const int low = maker_vertex(&s, 0, 0, 0), high = maker_vertex(&s, 0, 0, height);
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n;
    maker_quad(&s, i, next, n + next, n + i);
    maker_face(&s, low, next, i);
    maker_face(&s, high, n + i, n + next);
  }
  return s;
}

/* A gear: teeth with straight flanks. */
static inline cq_surface maker_gear(cq_ctx *ctx, int teeth, double inner, double outer,
                                    double height) {
  double outline[256][2];
  for (int i = 0; i < 4 * teeth; i++) {
    const double r = i % 4 < 2 ? outer : inner;
    const double angle = 2.0 * maker_pi * (i / 4 + 0.25 * (i % 4) + 0.05 * (i % 2)) / teeth;
    outline[i][0] = r * cos(angle);
    outline[i][1] = r * sin(angle);
  }
  return maker_extrude(ctx, 4 * teeth, (const double(*)[2])outline, height);
}

static inline cq_surface maker_box(cq_ctx *ctx, const double *low, const double *high) {
  static const int quads[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                  {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  cq_surface s = maker_begin(ctx, 3, 8, 12);
  for (int i = 0; i < 8; i++) {
    maker_vertex(&s, (i & 4 ? high : low)[0], (i & 2 ? high : low)[1], (i & 1 ? high : low)[2]);
  }
  for (int i = 0; i < 6; i++) {
    maker_quad(&s, quads[i][0], quads[i][1], quads[i][2], quads[i][3]);
  }
  return s;
}

/* As a scanner might see a mug without handle: a thick bowl with a rough surface, of uneven
 * triangles. */
static inline cq_surface maker_scan(cq_ctx *ctx, int m) {
  static const double curve[14][2] = {
      {0.02, 0.0}, {0.5, 0.0},  {0.8, 0.1},  {0.95, 0.4}, {1.0, 0.8},  {1.02, 1.2}, {0.97, 1.25},
      {0.9, 1.2},  {0.88, 0.8}, {0.8, 0.45}, {0.65, 0.2}, {0.4, 0.14}, {0.2, 0.12}, {0.02, 0.12}};
  cq_surface s = maker_revolve(ctx, 14, curve, m);
  cq_rng rng = cq_rng_seed(3);
  for (int i = 0; i < 3 * s.n_vertices; i++) {
    const double near_axis = i / 3 % 14 == 0 || i / 3 % 14 == 13 ? 0.1 : 1.0;
    s.vertices[i] += 0.02 * near_axis * (cq_rng_uniform(&rng) - 0.5);
  }
  return s;
}

/* Writes a surface as OBJ, and frees it. */
static inline void maker_write_obj(cq_ctx *ctx, const char *path, cq_surface s) {
  FILE *out = fopen(path, "w");
  for (int i = 0; out != NULL && i < s.n_vertices; i++) {
    const double *x = s.vertices + 3 * i;
    fprintf(out, "v %.17g %.17g %.17g\n", x[0], x[1], x[2]);
  }
  for (int f = 0; out != NULL && f < s.n_faces; f++) {
    const int *v = s.faces + 3 * f;
    fprintf(out, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
  }
  CHECK(out != NULL && fclose(out) == 0);
  cq_surface_free(ctx, &s);
}

#endif
