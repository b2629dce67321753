/* Points on the surface of any shape: boxes that the surface may go through are halved until they
 * are a fraction of the pitch; what is left is moved onto the surface, along the normal, and
 * thinned out. */
#include "alloc.h"
#include "apart.h"
#include "status.h"

enum { FINE = 3, STEPS = 8 }; /* boxes in a pitch */

typedef struct seeker {
  const cq_shape *shape; /* not turned */
  double pitch, inset;
  cq_apart apart;
} seeker;

/* Moves x to where the distance is -inset; false where that does not come to an end: beside an
 * edge that the inset has cut off, say. */
static bool settle(const seeker *s, double *x) {
  double off = INFINITY;
  for (int k = 0; k < STEPS && fabs(off) > 1e-9 * s->pitch; k++) {
    double normal[3] = {0};
    off = cq_shape_distance(s->shape, x) + s->inset;
    cq_shape_normal(s->shape, x, normal);
    for (int a = 0; a < s->shape->dim; a++) {
      x[a] -= off * normal[a];
    }
  }
  return fabs(cq_shape_distance(s->shape, x) + s->inset) <= 1e-6 * s->pitch;
}

/* A box of so much on each side of its middle. */
static cq_status visit(seeker *s, const double *middle, double half) {
  const int dim = s->shape->dim;
  const double off = cq_shape_distance(s->shape, middle) + s->inset;
  /* a distance changes by no more than the way; from a grid (sdf.h) by a little more */
  if (fabs(off) > 1.2 * sqrt((double)dim) * half) {
    return CQ_OK;
  }
  if (2.0 * half <= s->pitch / FINE) {
    double x[3] = {0};
    memcpy(x, middle, (size_t)dim * sizeof *x);
    return settle(s, x) && cq_apart_is_free(&s->apart, x, s->pitch) ? cq_apart_add(&s->apart, x)
                                                                    : CQ_OK;
  }
  for (int k = 0; k < 1 << dim; k++) {
    double part[3] = {0};
    for (int a = 0; a < dim; a++) {
      part[a] = middle[a] + ((k >> (dim - 1 - a) & 1) != 0 ? 0.5 : -0.5) * half;
    }
    CQ_TRY(visit(s, part, 0.5 * half));
  }
  return CQ_OK;
}

/* From a cube around the shape, unturned; the points are turned in the end. */
cq_status cq_shape_surface_points(cq_ctx *ctx, const cq_shape *shape, double pitch, double inset,
                                  double **x, int *n) {
  const cq_shape unturned = cq_shape_unturned(shape);
  seeker s = {.shape = &unturned, .pitch = pitch, .inset = inset};
  double low[3] = {0}, size[3] = {0}, middle[3] = {0}, longest = 0.0, around = 0.0;
  const double more = fmax(-inset, 0.0) + pitch;
  *x = NULL;
  *n = 0;
  cq_shape_bounds(&unturned, low, size);
  for (int a = 0; a < shape->dim; a++) {
    middle[a] = low[a] + 0.5 * size[a];
    low[a] -= more;
    size[a] += 2.0 * more;
    longest = fmax(longest, size[a]);
  }
  around = shape->dim == 2 ? longest / pitch : longest * longest / (pitch * pitch);
  cq_status status = cq_apart_begin(ctx, shape->dim, low, size, fmin(around, 1e8), pitch, &s.apart);
  status = status == CQ_OK ? visit(&s, middle, 0.5 * longest) : status;
  if (status == CQ_OK) {
    *x = s.apart.points;
    *n = s.apart.n;
    s.apart.points = NULL;
    for (int i = 0; i < *n; i++) {
      cq_shape_turn_point(shape, *x + (size_t)i * (size_t)shape->dim);
    }
  }
  cq_apart_end(&s.apart);
  return status;
}
