#include "outline.h"

#include "alloc.h"
#include "mesh.h"
#include "status.h"

#include <math.h>
#include <string.h>

void cq_outline_free(cq_ctx *ctx, cq_outline *outline) {
  cq_free(ctx, outline->vertices);
  cq_free(ctx, outline->faces);
  *outline = (cq_outline){.dim = outline->dim};
}

static cq_status create(cq_ctx *ctx, int dim, int n_vertices, int n_faces, cq_outline *out) {
  *out = (cq_outline){.dim = dim};
  CQ_TRY(CQ_ALLOC(ctx, out->vertices, (size_t)n_vertices * (size_t)dim));
  const cq_status status = CQ_ALLOC(ctx, out->faces, (size_t)n_faces * (size_t)dim);
  if (status != CQ_OK) {
    cq_outline_free(ctx, out);
  }
  return status;
}

static int add_vertex(cq_outline *o, const double *x) {
  memcpy(o->vertices + (size_t)o->n_vertices * (size_t)o->dim, x, (size_t)o->dim * sizeof *x);
  return o->n_vertices++;
}

static void add_face(cq_outline *o, const int *vertices) {
  memcpy(o->faces + (size_t)o->n_faces++ * (size_t)o->dim, vertices,
         (size_t)o->dim * sizeof *vertices);
}

/* --- 2D: loops --- */

/* Every k-th point of a loop of n, which are `stride` numbers apart; backwards where that goes
 * round counterclockwise. */
static void add_loop(cq_outline *o, int n, const double *const *points, int k, bool backwards) {
  const int first = o->n_vertices;
  for (int i = 0; i < n; i++) {
    if (i % k == 0) {
      add_vertex(o, points[backwards ? n - 1 - i : i]);
    }
  }
  for (int v = first; v < o->n_vertices; v++) {
    add_face(o, (const int[2]){v, v + 1 < o->n_vertices ? v + 1 : first});
  }
}

static void add_polygon(cq_outline *o, const cq_shape *s, int k, const double **points) {
  for (int i = 0; i < s->n_points; i++) {
    points[i] = s->points + 2 * (size_t)i;
  }
  add_loop(o, s->n_points, points, k, polygon_twice(s) < 0.0);
}

/* The loops of a plane mesh, from the least vertex of each; next [n_vertices], -1 where a vertex
 * has been used. */
static void add_loops(cq_outline *o, const cq_mesh *m, int k, int *next, const double **points) {
  for (int v = 0; v < m->n_vertices; v++) {
    next[v] = -1;
  }
  for (int f = 0; f < m->n_faces; f++) {
    next[m->faces[2 * f]] = m->faces[2 * f + 1];
  }
  for (int start = 0; start < m->n_vertices; start++) {
    int n = 0;
    for (int v = start; next[v] >= 0;) {
      const int after = next[v];
      points[n++] = m->vertices + 3 * (size_t)v;
      next[v] = -1;
      v = after;
    }
    if (n > 0) {
      add_loop(o, n, points, n / k < 3 ? (n + 2) / 3 : k, false);
    }
  }
}

/* --- 3D: the vertices of a cell are drawn as one, their mean --- */

typedef struct coarse {
  int cells;    /* along the longest side of the bounds; 0: every vertex is one of its own */
  int *as;      /* [mesh vertices] the vertex that each becomes */
  int *of_cell; /* [cells + 1]^3, -1: none */
  int *counts;  /* [mesh vertices] how many each is the mean of */
} coarse;

static int cell_of(const cq_mesh *m, int cells, const double *x) {
  double longest = 0.0;
  int cell = 0;
  for (int a = 0; a < 3; a++) {
    longest = fmax(longest, m->high[a] - m->low[a]);
  }
  for (int a = 0; a < 3; a++) {
    const int i = (int)((x[a] - m->low[a]) / longest * cells);
    cell = cell * (cells + 1) + (i < cells ? i : cells);
  }
  return cell;
}

/* Which vertex each becomes; returns how many there are. */
static int join(const cq_mesh *m, coarse *c) {
  const size_t cells = (size_t)(c->cells + 1);
  int n = 0;
  memset(c->of_cell, 0xff, cells * cells * cells * sizeof *c->of_cell);
  for (int v = 0; v < m->n_vertices; v++) {
    int *const at =
        &c->of_cell[c->cells > 0 ? cell_of(m, c->cells, m->vertices + 3 * (size_t)v) : 0];
    if (*at < 0 || c->cells == 0) {
      *at = n++;
    }
    c->as[v] = *at;
  }
  return n;
}

static bool is_kept(const cq_mesh *m, const coarse *c, int face) {
  const int *const v = m->faces + 3 * (size_t)face;
  return c->as[v[0]] != c->as[v[1]] && c->as[v[1]] != c->as[v[2]] && c->as[v[2]] != c->as[v[0]];
}

static int count_kept(const cq_mesh *m, const coarse *c) {
  int count = 0;
  for (int f = 0; f < m->n_faces; f++) {
    count += is_kept(m, c, f);
  }
  return count;
}

/* A mesh whose vertices are the means of those that became one. */
static void add_mesh(cq_outline *o, const cq_mesh *m, const coarse *c, int n) {
  const int first = o->n_vertices;
  double *const x = o->vertices + 3 * (size_t)first;
  memset(x, 0, 3 * (size_t)n * sizeof *x);
  memset(c->counts, 0, (size_t)n * sizeof *c->counts);
  for (int v = 0; v < m->n_vertices; v++) {
    const int part = ++c->counts[c->as[v]];
    for (int a = 0; a < 3; a++) {
      double *const mean = &x[3 * (size_t)c->as[v] + (size_t)a];
      *mean += (m->vertices[3 * (size_t)v + (size_t)a] - *mean) / part;
    }
  }
  o->n_vertices += n;
  for (int f = 0; f < m->n_faces; f++) {
    const int *const v = m->faces + 3 * (size_t)f;
    if (is_kept(m, c, f)) {
      add_face(o, (const int[3]){first + c->as[v[0]], first + c->as[v[1]], first + c->as[v[2]]});
    }
  }
}

/* With larger cells until few enough faces are left. */
static cq_status add_solid(cq_ctx *ctx, cq_outline *o, const cq_mesh *m, int most) {
  enum { CELLS = 32 };
  coarse c = {.cells = m->n_faces > most ? CELLS : 0};
  cq_status status = CQ_ALLOC(ctx, c.as, m->n_vertices);
  status = status == CQ_OK ? CQ_ALLOC(ctx, c.counts, m->n_vertices) : status;
  status =
      status == CQ_OK ? CQ_ALLOC(ctx, c.of_cell, (CELLS + 1) * (CELLS + 1) * (CELLS + 1)) : status;
  if (status == CQ_OK) {
    int n = join(m, &c);
    while (count_kept(m, &c) > most && c.cells > 2) {
      c.cells -= 1 + c.cells / 8;
      n = join(m, &c);
    }
    add_mesh(o, m, &c, n);
  }
  cq_free(ctx, c.as);
  cq_free(ctx, c.counts);
  cq_free(ctx, c.of_cell);
  return status;
}

/* --- a shape and its parts --- */

static int faces_of(const cq_shape *s) {
  return s->kind == CQ_SHAPE_polygon ? s->n_points : s->mesh->n_faces;
}

static int vertices_of(const cq_shape *s) {
  return s->kind == CQ_SHAPE_polygon ? s->n_points : s->mesh->n_vertices;
}

static cq_status add_plane(cq_ctx *ctx, cq_outline *o, const cq_shape *s, int most) {
  const int k = 1 + (faces_of(s) - 1) / most;
  const double **points = NULL;
  int *next = NULL;
  cq_status status = CQ_ALLOC(ctx, points, vertices_of(s));
  status = status == CQ_OK ? CQ_ALLOC(ctx, next, vertices_of(s)) : status;
  if (status == CQ_OK && s->kind == CQ_SHAPE_polygon) {
    add_polygon(o, s, k, points);
  } else if (status == CQ_OK) {
    add_loops(o, s->mesh, k, next, points);
  }
  cq_free(ctx, points);
  cq_free(ctx, next);
  return status;
}

/* A part, turned as it is and as the whole. */
static cq_status add_part(cq_ctx *ctx, cq_outline *o, const cq_shape *part, const cq_shape *whole,
                          int most) {
  const int first = o->n_vertices;
  CQ_TRY((part->dim == 2 ? add_plane(ctx, o, part, most) : add_solid(ctx, o, part->mesh, most)));
  for (int v = first; v < o->n_vertices; v++) {
    double *const x = o->vertices + (size_t)v * (size_t)o->dim;
    cq_shape_turn_point(part, x);
    if (whole != part) {
      cq_shape_turn_point(whole, x);
    }
  }
  return CQ_OK;
}

static cq_status gather(cq_ctx *ctx, const cq_shape *shape, int most, cq_outline *out) {
  const bool is_whole = shape->kind != CQ_SHAPE_composite;
  const int parts = is_whole ? 1 : shape->n_parts;
  int n_vertices = 0, n_faces = 0;
  for (int i = 0; i < parts; i++) {
    n_vertices += vertices_of(is_whole ? shape : &shape->parts[i].shape);
    n_faces += faces_of(is_whole ? shape : &shape->parts[i].shape);
  }
  CQ_TRY(create(ctx, shape->dim, n_vertices, n_faces, out));
  for (int i = 0; i < parts; i++) {
    CQ_TRY(add_part(ctx, out, is_whole ? shape : &shape->parts[i].shape, shape,
                    most / parts > 8 ? most / parts : 8));
  }
  return CQ_OK;
}

/* --- long edges --- */

/* Edges that are divided: from [n], to [n] of a table by their two vertices. */
typedef struct edges {
  int room; /* a power of two */
  int (*ends)[2];
  int *middle; /* the vertex; -1: the place is free */
} edges;

static bool is_long(const cq_outline *o, int v, int w, double longest) {
  double square = 0.0;
  for (int a = 0; a < o->dim; a++) {
    const double d = o->vertices[(size_t)v * (size_t)o->dim + (size_t)a] -
                     o->vertices[(size_t)w * (size_t)o->dim + (size_t)a];
    square += d * d;
  }
  return square > longest * longest;
}

/* The vertex in the middle of an edge, made where there is none yet. */
static int middle_of(edges *e, cq_outline *o, int v, int w) {
  const int low = v < w ? v : w, high = v < w ? w : v;
  unsigned at = ((unsigned)low * 2654435761u ^ (unsigned)high * 2246822519u);
  for (at &= (unsigned)e->room - 1; e->middle[at] >= 0; at = (at + 1) & ((unsigned)e->room - 1)) {
    if (e->ends[at][0] == low && e->ends[at][1] == high) {
      return e->middle[at];
    }
  }
  double x[3];
  for (int a = 0; a < o->dim; a++) {
    x[a] = 0.5 * (o->vertices[(size_t)low * (size_t)o->dim + (size_t)a] +
                  o->vertices[(size_t)high * (size_t)o->dim + (size_t)a]);
  }
  e->ends[at][0] = low;
  e->ends[at][1] = high;
  e->middle[at] = add_vertex(o, x);
  return e->middle[at];
}

static void divide_segment(const int *v, double longest, edges *e, cq_outline *to) {
  if (!is_long(to, v[0], v[1], longest)) {
    add_face(to, v);
    return;
  }
  const int m = middle_of(e, to, v[0], v[1]);
  add_face(to, (const int[2]){v[0], m});
  add_face(to, (const int[2]){m, v[1]});
}

/* A triangle in one to four, by which of its edges are long: neighbours agree on each. */
static void divide_triangle(const int *v, double longest, edges *e, cq_outline *to) {
  int middle[3], n = 0, k = 0;
  for (int i = 0; i < 3; i++) {
    const bool divided = is_long(to, v[i], v[(i + 1) % 3], longest);
    middle[i] = divided ? middle_of(e, to, v[i], v[(i + 1) % 3]) : -1;
    n += divided;
  }
  for (int i = 0; i < 3; i++) { /* k: of one that of it, of two the first of them */
    k = (n == 1 && middle[i] >= 0) || (n == 2 && middle[(i + 2) % 3] < 0) ? i : k;
  }
  const int a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
  const int ab = middle[k], bc = middle[(k + 1) % 3], ca = middle[(k + 2) % 3];
  if (n == 0) {
    add_face(to, v);
  } else if (n == 1) {
    add_face(to, (const int[3]){a, ab, c});
    add_face(to, (const int[3]){ab, b, c});
  } else {
    add_face(to, (const int[3]){ab, b, bc});
    add_face(to, (const int[3]){a, ab, n == 2 ? bc : ca});
    add_face(to, n == 2 ? (const int[3]){a, bc, c} : (const int[3]){ca, bc, c});
  }
  if (n == 3) {
    add_face(to, (const int[3]){ab, bc, ca});
  }
}

/* All long edges once: *more says whether there were any. */
static cq_status divide(cq_ctx *ctx, double longest, cq_outline *o, bool *more) {
  const int dim = o->dim, parts = dim == 2 ? 2 : 4;
  edges e = {.room = 8};
  cq_outline to;
  while (e.room < 6 * o->n_faces) {
    e.room *= 2;
  }
  CQ_TRY(create(ctx, dim, o->n_vertices + dim * o->n_faces, parts * o->n_faces, &to));
  cq_status status = CQ_ALLOC(ctx, e.ends, e.room);
  status = status == CQ_OK ? CQ_ALLOC(ctx, e.middle, e.room) : status;
  if (status == CQ_OK) {
    memset(e.middle, 0xff, (size_t)e.room * sizeof *e.middle);
    memcpy(to.vertices, o->vertices, (size_t)o->n_vertices * (size_t)dim * sizeof *o->vertices);
    to.n_vertices = o->n_vertices;
    for (int f = 0; f < o->n_faces; f++) {
      (dim == 2 ? divide_segment : divide_triangle)(o->faces + (size_t)f * (size_t)dim, longest, &e,
                                                    &to);
    }
  }
  cq_free(ctx, e.ends);
  cq_free(ctx, e.middle);
  *more = status == CQ_OK && to.n_faces > o->n_faces;
  cq_outline_free(ctx, status == CQ_OK ? o : &to);
  *o = status == CQ_OK ? to : *o;
  return status;
}

cq_status cq_outline_make(cq_ctx *ctx, const cq_shape *shape, int most, double longest,
                          cq_outline *out) {
  bool more = longest > 0.0;
  cq_status status = gather(ctx, shape, most, out);
  while (status == CQ_OK && more && (shape->dim == 2 ? 2 : 4) * out->n_faces <= most) {
    status = divide(ctx, longest, out, &more);
  }
  if (status != CQ_OK) {
    cq_outline_free(ctx, out);
  }
  return status;
}
