#include "surface_cross.h"

#include "mesh.h"

/* two faces: their corners, and which of them they share */
typedef struct pair {
  const double *p[2][3];
  int shared[2][3], n_shared;
  double size; /* the largest extent of both */
} pair;

/* Corners, shared ones, and the size of both together. */
static pair pair_of(const cq_mesh *m, int f, int g) {
  const int face[2] = {f, g};
  pair both = {.n_shared = 0};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int s = 0; s < 2; s++) {
    for (int k = 0; k < m->dim; k++) {
      both.p[s][k] = mesh_corner(m, face[s], k);
      for (int l = 0; l < m->dim; l++) {
        both.shared[s][k] |= both.p[s][k] == mesh_corner(m, face[1 - s], l);
      }
      both.n_shared += s == 0 && both.shared[s][k];
      for (int a = 0; a < m->dim; a++) {
        low[a] = fmin(low[a], both.p[s][k][a]);
        high[a] = fmax(high[a], both.p[s][k][a]);
        both.size = fmax(both.size, high[a] - low[a]);
      }
    }
  }
  return both;
}

/* Six times the volume of a tetrahedron. */
static double volume(const double *a, const double *b, const double *c, const double *d) {
  double e[3][3];
  for (int i = 0; i < 3; i++) {
    e[0][i] = b[i] - a[i];
    e[1][i] = c[i] - a[i];
    e[2][i] = d[i] - a[i];
  }
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
         e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* Does the segment from p to q go from one side of a triangle to the other, through it? */
static int pierces(const double *p, const double *q, const double *const *t, double tolerance) {
  const double at_p = volume(t[0], t[1], t[2], p), at_q = volume(t[0], t[1], t[2], q);
  if (!((at_p > tolerance && at_q < -tolerance) || (at_p < -tolerance && at_q > tolerance))) {
    return 0;
  }
  const double u = volume(p, q, t[0], t[1]), v = volume(p, q, t[1], t[2]);
  const double w = volume(p, q, t[2], t[0]);
  return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

/* Twice the area of a triangle in the plane of two axes. */
static double area(const double *a, const double *b, const double *c, const int *axes) {
  const int i = axes[0], j = axes[1];
  return (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
}

static int inside(const double *x, const double *const *t, const int *axes, double tolerance) {
  const double u = area(t[0], t[1], x, axes), v = area(t[1], t[2], x, axes);
  const double w = area(t[2], t[0], x, axes);
  return (u > tolerance && v > tolerance && w > tolerance) ||
         (u < -tolerance && v < -tolerance && w < -tolerance);
}

/* Do two segments of a plane cross, neither ending on the other? */
static int edges_cross(const double *a, const double *b, const double *c, const double *d,
                       const int *axes, double tolerance) {
  const double u = area(a, b, c, axes), v = area(a, b, d, axes);
  const double w = area(c, d, a, axes), z = area(c, d, b, axes);
  return ((u > tolerance && v < -tolerance) || (u < -tolerance && v > tolerance)) &&
         ((w > tolerance && z < -tolerance) || (w < -tolerance && z > tolerance));
}

/* Two triangles of one plane: does one cover a part of the other? */
static int overlaps(const pair *both, const double *normal) {
  const double tolerance = 1e-12 * both->size * both->size;
  int across = 0, any = 0;
  for (int a = 1; a < 3; a++) {
    across = fabs(normal[a]) > fabs(normal[across]) ? a : across;
  }
  const int axes[2] = {(across + 1) % 3, (across + 2) % 3};
  for (int s = 0; s < 2; s++) {
    double center[3];
    for (int a = 0; a < 3; a++) {
      center[a] = (both->p[s][0][a] + both->p[s][1][a] + both->p[s][2][a]) / 3.0;
    }
    any |= inside(center, both->p[1 - s], axes, tolerance);
    for (int k = 0; k < 3; k++) {
      any |= inside(both->p[s][k], both->p[1 - s], axes, tolerance);
      any |= edges_cross(both->p[0][k], both->p[0][(k + 1) % 3], both->p[1][(k + s) % 3],
                         both->p[1][(k + s + 1) % 3], axes, tolerance) ||
             edges_cross(both->p[0][k], both->p[0][(k + 1) % 3], both->p[1][(k + 2) % 3],
                         both->p[1][k], axes, tolerance);
    }
  }
  return any;
}

static int triangles_meet(const pair *both, const double *normal) {
  const double tolerance = 1e-12 * both->size * both->size * both->size;
  int flat = 1, any = 0;
  for (int s = 0; s < 2; s++) {
    const double *const *t = both->p[1 - s];
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3;
      flat = flat && fabs(volume(t[0], t[1], t[2], both->p[s][k])) <= tolerance;
      if (!both->shared[s][k] && !both->shared[s][next]) {
        any |= pierces(both->p[s][k], both->p[s][next], t, tolerance);
      }
    }
  }
  return any || (flat && overlaps(both, normal));
}

/* In 2D: segments that have a point in common beside a shared end. */
static int segments_meet(const pair *both) {
  static const int axes[2] = {0, 1};
  const double *a = both->p[0][0], *b = both->p[0][1], *c = both->p[1][0], *d = both->p[1][1];
  if (both->n_shared == 0) {
    return area(a, b, c, axes) * area(a, b, d, axes) <= 0.0 &&
           area(c, d, a, axes) * area(c, d, b, axes) <= 0.0;
  }
  const double *from = both->shared[0][0] ? a : b, *to = both->shared[0][0] ? b : a;
  const double *other = both->shared[1][0] ? d : c;
  const double dot =
      (to[0] - from[0]) * (other[0] - from[0]) + (to[1] - from[1]) * (other[1] - from[1]);
  return fabs(area(from, to, other, axes)) <= 1e-12 * both->size * both->size && dot > 0.0;
}

/* the box around a face */
static cq_mesh_node box_of(const cq_mesh *m, int f) {
  cq_mesh_node box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, 0};
  for (int k = 0; k < m->dim; k++) {
    for (int a = 0; a < 3; a++) {
      box.low[a] = fmin(box.low[a], mesh_corner(m, f, k)[a]);
      box.high[a] = fmax(box.high[a], mesh_corner(m, f, k)[a]);
    }
  }
  return box;
}

static int apart(const cq_mesh_node *one, const cq_mesh_node *other) {
  int is = 0;
  for (int a = 0; a < 3; a++) {
    is |= one->low[a] > other->high[a] || one->high[a] < other->low[a];
  }
  return is;
}

static int meet(const cq_mesh *m, const cq_mesh_node *box, int f, int g) {
  const cq_mesh_node other = box_of(m, g);
  if (apart(box, &other)) {
    return 0;
  }
  const pair both = pair_of(m, f, g);
  if (both.n_shared == m->dim) {
    return 1;
  }
  return m->dim == 2 ? segments_meet(&both)
                     : triangles_meet(&both, m->face_normals + 3 * (size_t)f);
}

/* Does face f meet one of a later index? */
static int meets_later(const cq_mesh *m, int f) {
  const cq_mesh_node box = box_of(m, f);
  int stack[MESH_MOST_DEPTH], n = 1;
  stack[0] = 0;
  while (n > 0) {
    const cq_mesh_node *node = m->nodes + stack[--n];
    if (apart(&box, node)) {
      continue;
    }
    for (int i = node->first; i < node->first + node->count; i++) {
      if (m->order[i] > f && meet(m, &box, f, m->order[i])) {
        return 1;
      }
    }
    if (node->count == 0) {
      stack[n++] = node->first;
      stack[n++] = node->first + 1;
    }
  }
  return 0;
}

int cq_mesh_crosses(const cq_mesh *m, int *f) {
  for (*f = 0; *f < m->n_faces; (*f)++) {
    if (meets_later(m, *f)) {
      return 1;
    }
  }
  return 0;
}
