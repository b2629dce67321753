/* Box. Inside, its normal is that of the nearest face; where two are as near, of the later axis,
 * and in the middle of an axis of the upper face. */
#ifndef CQ_SHAPES_BOX_H
#define CQ_SHAPES_BOX_H

#include "shapes.h"

CQ_FN double box_distance(const cq_shape *s, const double *x) {
  double outside = 0.0, inside = -INFINITY;
  for (int a = 0; a < s->dim; a++) {
    const double d = fabs(x[a] - s->center[a]) - 0.5 * s->size[a];
    outside += d > 0.0 ? d * d : 0.0;
    inside = d > inside ? d : inside;
  }
  return outside > 0.0 ? sqrt(outside) : inside;
}

CQ_FN void box_normal(const cq_shape *s, const double *x, double *normal) {
  int nearest = 0;
  double largest = -INFINITY, square = 0.0;
  for (int a = 0; a < s->dim; a++) {
    const double at = x[a] - s->center[a], d = fabs(at) - 0.5 * s->size[a];
    nearest = d >= largest ? a : nearest;
    largest = d > largest ? d : largest;
    normal[a] = d > 0.0 ? copysign(d, at) : 0.0; /* from the nearest point */
    square += normal[a] * normal[a];
  }
  for (int a = 0; a < s->dim; a++) {
    const double face = a == nearest ? (x[a] < s->center[a] ? -1.0 : 1.0) : 0.0;
    normal[a] = square > 0.0 ? normal[a] / sqrt(square) : face;
  }
}

static inline double box_volume(const cq_shape *s) {
  return s->size[0] * s->size[1] * (s->dim == 3 ? s->size[2] : 1.0);
}

static inline void box_bounds(const cq_shape *s, double *low, double *size) {
  for (int a = 0; a < s->dim; a++) {
    low[a] = s->center[a] - 0.5 * s->size[a];
    size[a] = s->size[a];
  }
  cq_shape_turn_bounds(s, low, size);
}

static inline void box_sample(const cq_shape *s, cq_rng *rng, double *x) {
  for (int a = 0; a < s->dim; a++) {
    x[a] = s->center[a] + (cq_rng_uniform(rng) - 0.5) * s->size[a];
  }
}

#endif
