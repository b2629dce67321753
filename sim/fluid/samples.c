#include "samples.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { NEWTON = 6, MOST_TRACED = 4000000 };

/* Room doubles. */
cq_status cq_points_add(cq_ctx *ctx, int dim, const double *x, size_t most, cq_points *out) {
  const size_t width = (size_t)dim;
  CQ_CHECK(ctx, out->n < most, CQ_CONFIG,
           "the surfaces of walls and bodies need more than %zu samples; take a larger radius",
           most);
  if (out->n == out->room) {
    double *grown = NULL;
    const size_t room = out->room == 0 ? 256 : 2 * out->room;
    CQ_TRY(CQ_ALLOC(ctx, grown, room * width));
    if (out->n > 0) {
      memcpy(grown, out->x, out->n * width * sizeof *grown);
    }
    cq_free(ctx, out->x);
    out->x = grown;
    out->room = room;
  }
  memcpy(out->x + out->n * width, x, width * sizeof *x);
  out->n++;
  return CQ_OK;
}

void cq_points_free(cq_ctx *ctx, cq_points *points) {
  cq_free(ctx, points->x);
  *points = (cq_points){0};
}

/* Is a point of the list from `first` on nearer to x than `reach`? */
static bool is_near(const cq_points *points, int dim, size_t first, const double *x, double reach) {
  for (size_t i = points->n; i > first; i--) { /* the last ones are the likely ones */
    double square = 0.0;
    for (int a = 0; a < dim; a++) {
      const double d = points->x[(i - 1) * (size_t)dim + (size_t)a] - x[a];
      square += d * d;
    }
    if (square < reach * reach) {
      return true;
    }
  }
  return false;
}

/* Moves x onto the level, along normals; false where that fails. */
static bool project(const cq_shape *shape, double level, double precision, double *x) {
  for (int i = 0; i < NEWTON; i++) {
    double n[3];
    const double off = cq_shape_distance(shape, x) - level;
    if (fabs(off) < precision) {
      return true;
    }
    cq_shape_normal(shape, x, n);
    for (int a = 0; a < shape->dim; a++) {
      x[a] -= off * n[a];
    }
  }
  return fabs(cq_shape_distance(shape, x) - level) < 100.0 * precision;
}

/* A step along the level from x, with the surface's normal as at `at`. */
static bool go_on(const cq_shape *shape, double level, double step, const double *x,
                  const double *at, double *ahead, double *next) {
  double n[3];
  cq_shape_normal(shape, at, n);
  next[0] = ahead[0] = x[0] - step * n[1];
  next[1] = ahead[1] = x[1] + step * n[0];
  return project(shape, level, 1e-3 * step, next);
}

/* One closed curve of the level through x, as points about `step` apart. It ends where it cannot be
 * followed. */
static cq_status trace(cq_ctx *ctx, const cq_shape *shape, double level, double step,
                       const double *start, size_t most, cq_points *curve) {
  double x[3] = {start[0], start[1], 0.0};
  for (size_t way = 0;; way++) {
    double ahead[3] = {0}, beyond[3] = {0}, next[3] = {0};
    CQ_TRY(cq_points_add(ctx, 2, x, most, curve));
    bool goes = go_on(shape, level, step, x, x, ahead, next);
    if (goes && hypot(next[0] - x[0], next[1] - x[1]) < 0.5 * step) {
      /* a corner holds it: go on as the surface does beyond */
      goes = go_on(shape, level, step, x, ahead, beyond, next);
    }
    if (!goes) {
      return CQ_OK;
    }
    memcpy(x, next, sizeof x);
    if (way > 4 && hypot(x[0] - start[0], x[1] - start[1]) < 0.7 * step) {
      return CQ_OK;
    }
  }
}

/* Points of a closed curve at equal distances along it, about `spacing`. */
static cq_status spread(cq_ctx *ctx, const cq_points *curve, double spacing, size_t most,
                        cq_points *out) {
  double length = 0.0, done = 0.0;
  for (size_t i = 0; i < curve->n; i++) {
    const double *a = curve->x + 2 * i, *b = curve->x + 2 * ((i + 1) % curve->n);
    length += hypot(b[0] - a[0], b[1] - a[1]);
  }
  const double count = fmax(1.0, round(length / spacing)), apart = length / count;
  double wanted = 0.0;
  for (size_t i = 0; i < curve->n; i++) {
    const double *a = curve->x + 2 * i, *b = curve->x + 2 * ((i + 1) % curve->n);
    const double piece = hypot(b[0] - a[0], b[1] - a[1]);
    while (wanted < done + piece && wanted < length - 0.5 * apart) {
      const double t = (wanted - done) / piece;
      const double x[2] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])};
      CQ_TRY(cq_points_add(ctx, 2, x, most, out));
      wanted += apart;
    }
    done += piece;
  }
  return CQ_OK;
}

/* What a search over a lattice around the shape does with a point that is on the level. */
typedef struct search {
  cq_ctx *ctx;
  const cq_shape *shape;
  double level, spacing;
  size_t most, first;
  cq_points traced; /* 2D: all curves so far */
  cq_points *out;
} search;

static cq_status take_curve(search *s, const double *x) {
  const double step = s->spacing / 16.0;
  if (is_near(&s->traced, 2, 0, x, s->spacing / 4.0)) {
    return CQ_OK;
  }
  cq_points curve = {0};
  cq_status status = trace(s->ctx, s->shape, s->level, step, x, MOST_TRACED, &curve);
  status = status != CQ_OK ? status : spread(s->ctx, &curve, s->spacing, s->most, s->out);
  for (size_t i = 0; i < curve.n && status == CQ_OK; i++) {
    status = cq_points_add(s->ctx, 2, curve.x + 2 * i, SIZE_MAX, &s->traced);
  }
  cq_points_free(s->ctx, &curve);
  return status;
}

/* 3D: in the order of a lattice, where nothing is near; on flat faces that makes a lattice. The
 * part of the spacing is that at which random points fill a plane as densely as a square lattice.
 */
static cq_status take_point(search *s, const double *x) {
  return is_near(s->out, 3, s->first, x, 0.83 * s->spacing)
             ? CQ_OK
             : cq_points_add(s->ctx, 3, x, s->most, s->out);
}

static cq_status visit(search *s, const double *lattice_point, double edge) {
  double x[3];
  memcpy(x, lattice_point, sizeof x);
  if (fabs(cq_shape_distance(s->shape, x) - s->level) > edge ||
      !project(s->shape, s->level, 1e-4 * s->spacing, x)) {
    return CQ_OK;
  }
  return s->shape->dim == 2 ? take_curve(s, x) : take_point(s, x);
}

/* Goes over a lattice a third of the spacing wide, from whose points the level is reached. */
cq_status cq_fluid_sample(cq_ctx *ctx, const cq_shape *shape, double level, double spacing,
                          size_t most, cq_points *out) {
  double low[3] = {0}, size[3] = {0};
  const double edge = spacing / 3.0, wider = fmax(level, 0.0) + edge;
  search s = {.ctx = ctx,
              .shape = shape,
              .level = level,
              .spacing = spacing,
              .most = most,
              .first = out->n,
              .out = out};
  cq_shape_bounds(shape, low, size);
  int count[3] = {1, 1, 1};
  for (int a = 0; a < shape->dim; a++) {
    CQ_CHECK(ctx, size[a] / edge < 1e5, CQ_CONFIG,
             "a shape of %g m is too large for samples every %g m", size[a], spacing);
    count[a] = 2 + (int)ceil((size[a] + 2.0 * wider) / edge);
    low[a] -= wider;
  }
  cq_status status = CQ_OK;
  for (int i = 0; i < count[0] && status == CQ_OK; i++) {
    for (int j = 0; j < count[1] && status == CQ_OK; j++) {
      for (int k = 0; k < count[2] && status == CQ_OK; k++) {
        const double x[3] = {low[0] + i * edge, low[1] + j * edge, low[2] + k * edge};
        status = visit(&s, x, edge);
      }
    }
  }
  cq_points_free(ctx, &s.traced);
  return status;
}

/* A lattice, without what is inside of it. */
cq_status cq_fluid_sample_box(cq_ctx *ctx, int dim, const double *low, const double *high,
                              double spacing, size_t most, cq_points *out) {
  int count[3] = {0};
  for (int a = 0; a < dim; a++) {
    CQ_CHECK(ctx, (high[a] - low[a]) / spacing < 1e6, CQ_CONFIG,
             "a wall of %g m is too long for samples every %g m", high[a] - low[a], spacing);
    count[a] = (int)fmax(1.0, round((high[a] - low[a]) / spacing));
  }
  for (int i = 0; i <= count[0]; i++) {
    for (int j = 0; j <= count[1]; j++) {
      const bool rim = i == 0 || i == count[0] || j == 0 || j == count[1];
      for (int k = 0; k <= count[2]; k++) {
        const int at[3] = {i, j, k};
        double x[3] = {0};
        for (int a = 0; a < dim; a++) {
          x[a] = low[a] + (high[a] - low[a]) * at[a] / count[a];
        }
        if (rim || (dim == 3 && (k == 0 || k == count[2]))) {
          CQ_TRY(cq_points_add(ctx, dim, x, most, out));
        }
      }
    }
  }
  return CQ_OK;
}

/* Two directions along the plane; in 2D the second is 0. */
static void span(const cq_shape *plane, double along[2][3]) {
  const double *n = plane->normal;
  memset(along, 0, 2 * sizeof *along);
  if (plane->dim == 2) {
    along[0][0] = -n[1];
    along[0][1] = n[0];
    return;
  }
  const int flat = fabs(n[0]) < 0.6 ? 0 : 1; /* an axis that is far from the normal */
  for (int a = 0; a < 3; a++) {
    along[0][a] = (a == flat) - n[a] * n[flat];
  }
  const double length = sqrt(1.0 - n[flat] * n[flat]);
  for (int a = 0; a < 3; a++) {
    along[0][a] /= length;
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    along[1][a] = n[b] * along[0][c] - n[c] * along[0][b];
  }
}

/* A lattice about the foot of the middle of the box, as far as the box goes. */
cq_status cq_fluid_sample_plane(cq_ctx *ctx, const cq_shape *plane, double level, const double *low,
                                const double *high, double spacing, size_t most, cq_points *out) {
  const int dim = plane->dim;
  double along[2][3], foot[3] = {0}, square = 0.0;
  span(plane, along);
  for (int a = 0; a < dim; a++) {
    foot[a] = 0.5 * (low[a] + high[a]);
    square += (high[a] - low[a]) * (high[a] - low[a]);
  }
  const double above = cq_shape_distance(plane, foot) - level;
  const double reach = ceil(0.5 * sqrt(square) / spacing);
  CQ_CHECK(ctx, reach < 1e6, CQ_CONFIG, "a plane of %g m is too long for samples every %g m",
           sqrt(square), spacing);
  const int m = (int)reach, k_most = dim == 3 ? m : 0;
  for (int i = -m; i <= m; i++) {
    for (int k = -k_most; k <= k_most; k++) {
      double x[3] = {0};
      bool inside = true;
      for (int a = 0; a < dim; a++) {
        x[a] = foot[a] - above * plane->normal[a] + spacing * (i * along[0][a] + k * along[1][a]);
        inside = inside && x[a] >= low[a] && x[a] <= high[a];
      }
      if (inside) {
        CQ_TRY(cq_points_add(ctx, dim, x, most, out));
      }
    }
  }
  return CQ_OK;
}
