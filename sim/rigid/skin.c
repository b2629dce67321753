#include "skin.h"

#include "alloc.h"
#include "status.h"
#include "surface.h"

/* Where points go: counted, and written once there is room. */
typedef struct maker {
  const cq_shape *whole;
  const double *center;
  double pitch, rounding;
  int n;
  cq_skin *room; /* NULL: only count */
} maker;

/* a shape inside of others, whose turns its points follow */
typedef struct place {
  const cq_shape *shape;
  const struct place *around;
} place;

static void turn_out(const place *at, double *x) {
  for (; at != NULL; at = at->around) {
    cq_shape_turn_point(at->shape, x);
  }
}

/* x + s n lies outside of the whole */
static bool is_out(const maker *m, const double *x, const double *n, double s) {
  double y[3];
  for (int a = 0; a < m->whole->dim; a++) {
    y[a] = x[a] + s * n[a];
  }
  return cq_shape_distance(m->whole, y) > 0.0;
}

/* A point of the part at `at`; n points out of the surface, and is 0 where the part is round. Kept
 * are points inside of the whole from which the way along n leaves it. */
static void emit(maker *m, const place *at, const double *x, const double *n, double radius) {
  const int dim = m->whole->dim;
  double point[3] = {0}, tip[3] = {0}, direction[3] = {0}, square = 0.0;
  for (int a = 0; a < dim; a++) {
    point[a] = x[a];
    tip[a] = x[a] + n[a];
    square += n[a] * n[a];
  }
  turn_out(at, point);
  turn_out(at, tip);
  for (int a = 0; a < dim && square > 0.0; a++) {
    direction[a] = (tip[a] - point[a]) / sqrt(square);
  }
  const bool flat = square > 0.0;
  if (is_out(m, point, direction, 0.0) || (flat && !is_out(m, point, direction, 2.0 * radius))) {
    return;
  }
  if (m->room != NULL) {
    for (int a = 0; a < dim; a++) {
      m->room->x[m->n * dim + a] = point[a] - m->center[a];
    }
    m->room->radius[m->n] = radius;
  }
  m->n++;
}

static int pieces(double length, double pitch) {
  const double n = ceil(length / pitch - 1e-9);
  return n > 1.0 ? (int)n : 1;
}

/* the lattice on the faces of a box; `side` is -1 for what is taken away */
static void box_points(maker *m, const place *at, double side) {
  const cq_shape *s = at->shape;
  double shortest = INFINITY;
  int n[3] = {0}, i[3] = {0};
  for (int a = 0; a < s->dim; a++) {
    shortest = fmin(shortest, s->size[a]);
  }
  const double inset = fmin(m->rounding, 0.25 * shortest);
  for (int a = 0; a < s->dim; a++) {
    n[a] = pieces(s->size[a] - 2.0 * side * inset, m->pitch);
  }
  while (i[0] <= n[0]) {
    double x[3] = {0}, normal[3] = {0};
    bool on_face = false;
    for (int a = 0; a < s->dim; a++) {
      const double edge = s->size[a] - 2.0 * side * inset;
      x[a] = s->center[a] + edge * ((double)i[a] / n[a] - 0.5);
      normal[a] = side * (i[a] == 0 ? -1.0 : i[a] == n[a] ? 1.0 : 0.0);
      on_face = on_face || i[a] == 0 || i[a] == n[a];
    }
    if (on_face) {
      emit(m, at, x, normal, inset);
    }
    i[s->dim - 1]++;
    for (int a = s->dim - 1; a > 0 && i[a] > n[a]; a--) {
      i[a] = 0;
      i[a - 1]++;
    }
  }
}

/* unit normal of the edge after corner i, out of the polygon; round is 1 if it goes anticlockwise
 */
static void edge_normal(const cq_shape *s, int i, double round, double *n) {
  const double *p = s->points + 2 * i, *q = s->points + 2 * ((i + 1) % s->n_points);
  const double length = hypot(q[0] - p[0], q[1] - p[1]);
  n[0] = round * (q[1] - p[1]) / length;
  n[1] = round * (p[0] - q[0]) / length;
}

/* corner i moved in by `inset` from both of its edges; returns whether it is convex */
static bool inner_corner(const cq_shape *s, int i, double round, double inset, double *x,
                         double *n) {
  double before[2], after[2];
  edge_normal(s, (i + s->n_points - 1) % s->n_points, round, before);
  edge_normal(s, i, round, after);
  const double both = 1.0 + before[0] * after[0] + before[1] * after[1];
  for (int a = 0; a < 2; a++) {
    n[a] = before[a] + after[a];
    x[a] = s->points[2 * i + a] - inset * n[a] / fmax(both, 0.1);
  }
  return round * (before[0] * after[1] - before[1] * after[0]) > 0.0;
}

/* convex corners, and points between the corners along each edge */
static void polygon_points(maker *m, const place *at, double side) {
  const cq_shape *s = at->shape;
  double twice = 0.0;
  for (int i = 0; i < s->n_points; i++) {
    const double *p = s->points + 2 * i, *q = s->points + 2 * ((i + 1) % s->n_points);
    twice += p[0] * q[1] - p[1] * q[0];
  }
  const double round = twice > 0.0 ? side : -side;
  for (int i = 0; i < s->n_points; i++) {
    double x[2], next[2], n[2], next_n[2], edge[2];
    if (inner_corner(s, i, round, m->rounding, x, n)) {
      emit(m, at, x, n, m->rounding);
    }
    inner_corner(s, (i + 1) % s->n_points, round, m->rounding, next, next_n);
    edge_normal(s, i, round, edge);
    const int count = pieces(hypot(next[0] - x[0], next[1] - x[1]), m->pitch);
    for (int k = 1; k < count; k++) {
      const double t = (double)k / count;
      const double y[2] = {x[0] + t * (next[0] - x[0]), x[1] + t * (next[1] - x[1])};
      emit(m, at, y, edge, m->rounding);
    }
  }
}

/* along its segment, each with the radius of the capsule */
static void capsule_points(maker *m, const place *at) {
  const cq_shape *s = at->shape;
  const double *p = s->points, *q = s->points + s->dim, none[3] = {0};
  double length = 0.0;
  for (int a = 0; a < s->dim; a++) {
    length = hypot(length, q[a] - p[a]);
  }
  const int count = pieces(length, m->pitch);
  for (int k = 0; k <= count; k++) {
    double x[3] = {0};
    for (int a = 0; a < s->dim; a++) {
      x[a] = p[a] + (double)k / count * (q[a] - p[a]);
    }
    emit(m, at, x, none, s->radius);
  }
}

/* Corners, edges and faces of a mesh. Where its faces are small it may be meant to be round, and
 * points lie closer, so that it rolls. */
static cq_status mesh_points(cq_ctx *ctx, maker *m, const place *at, double side) {
  static const double closer = 0.5, across = 16.0;
  cq_shape plain = cq_shape_unturned(at->shape);
  double low[3] = {0}, size[3] = {0}, shortest = INFINITY, longest = 0.0, *x = NULL;
  int n = 0;
  plain.sdf = NULL; /* which blunts corners */
  cq_shape_bounds(&plain, low, size);
  for (int a = 0; a < plain.dim; a++) {
    shortest = fmin(shortest, size[a]);
    longest = fmax(longest, size[a]);
  }
  const double inset = fmin(m->rounding, 0.25 * shortest);
  const double close = fmin(closer * m->pitch, longest / across);
  CQ_TRY(cq_mesh_inner_points(ctx, plain.mesh, close, m->pitch, side * inset, &x, &n));
  for (int i = 0; i < n; i++) {
    const double *point = x + i * plain.dim;
    const double depth = -side * cq_shape_distance(&plain, point);
    double normal[3] = {0};
    cq_shape_normal(&plain, point, normal);
    for (int a = 0; a < plain.dim; a++) {
      normal[a] *= side;
    }
    if (depth > 0.0) {
      emit(m, at, point, normal, depth); /* less than the inset at the tips of needles */
    }
  }
  cq_free(ctx, x);
  return CQ_OK;
}

/* All over the surface, as of a mesh without corners of its own. */
static cq_status gear_points(cq_ctx *ctx, maker *m, const place *at, double side) {
  const cq_shape plain = cq_shape_unturned(at->shape);
  const double least =
      fmin(plain.gear.tip - plain.gear.root, plain.dim == 3 ? plain.gear.width : plain.gear.tip);
  double *x = NULL;
  int n = 0;
  CQ_TRY(cq_shape_surface_points(ctx, &plain, m->pitch, side * fmin(m->rounding, 0.1 * least), &x,
                                 &n));
  for (int i = 0; i < n; i++) {
    const double *point = x + i * plain.dim;
    double normal[3] = {0};
    cq_shape_normal(&plain, point, normal);
    for (int a = 0; a < plain.dim; a++) {
      normal[a] *= side;
    }
    emit(m, at, point, normal, -side * cq_shape_distance(&plain, point));
  }
  cq_free(ctx, x);
  return CQ_OK;
}

/* by kind; `side` is 1 where the shape is added and -1 where it is taken away */
static cq_status shape_points(cq_ctx *ctx, maker *m, const place *at, double side) {
  const cq_shape *s = at->shape;
  const double none[3] = {0};
  switch (s->kind) {
  case CQ_SHAPE_box:
    box_points(m, at, side);
    break;
  case CQ_SHAPE_polygon:
    polygon_points(m, at, side);
    break;
  case CQ_SHAPE_ball:
    if (side > 0.0) {
      emit(m, at, s->center, none, s->radius);
    }
    break;
  case CQ_SHAPE_capsule:
    if (side > 0.0) {
      capsule_points(m, at);
    }
    break;
  case CQ_SHAPE_mesh:
    return mesh_points(ctx, m, at, side);
  case CQ_SHAPE_gear:
    return gear_points(ctx, m, at, side);
  default:
    for (int i = 0; i < s->n_parts; i++) {
      const place part = {&s->parts[i].shape, at};
      CQ_TRY(shape_points(ctx, m, &part, s->parts[i].subtract ? -side : side));
    }
  }
  return CQ_OK;
}

/* counts, then writes */
cq_status cq_skin_make(cq_ctx *ctx, const cq_shape *shape, const double *center, double pitch,
                       double rounding, cq_skin *skin) {
  cq_shape whole = *shape;
  whole.sdf = NULL;
  maker m = {.whole = &whole, .center = center, .pitch = pitch, .rounding = rounding};
  const place top = {shape, NULL};
  *skin = (cq_skin){0};
  CQ_CHECK(ctx, pitch > 0.0 && rounding > 0.0, CQ_USAGE,
           "the points of a surface need a pitch and a rounding above 0, not %g and %g", pitch,
           rounding);
  CQ_TRY(shape_points(ctx, &m, &top, 1.0));
  CQ_TRY(CQ_ALLOC(ctx, skin->x, m.n * shape->dim));
  cq_status status = CQ_ALLOC(ctx, skin->radius, m.n);
  m.room = skin;
  m.n = 0;
  status = status == CQ_OK ? shape_points(ctx, &m, &top, 1.0) : status;
  skin->n = m.n;
  if (status != CQ_OK) {
    cq_skin_free(ctx, skin);
  }
  return status;
}

void cq_skin_free(cq_ctx *ctx, cq_skin *skin) {
  cq_free(ctx, skin->x);
  cq_free(ctx, skin->radius);
  *skin = (cq_skin){0};
}
