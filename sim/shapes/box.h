/* Axis-aligned box. */
#ifndef CQ_SHAPES_BOX_H
#define CQ_SHAPES_BOX_H

#include "shapes.h"

static inline double box_distance(const cq_shape *s, const double *x) {
  double outside = 0.0, inside = -INFINITY;
  for (int a = 0; a < s->dim; a++) {
    const double d = fabs(x[a] - s->center[a]) - 0.5 * s->size[a];
    outside += d > 0.0 ? d * d : 0.0;
    inside = fmax(inside, d);
  }
  return outside > 0.0 ? sqrt(outside) : inside;
}

static inline double box_volume(const cq_shape *s) {
  return s->size[0] * s->size[1] * (s->dim == 3 ? s->size[2] : 1.0);
}

static inline void box_bounds(const cq_shape *s, double *low, double *size) {
  for (int a = 0; a < s->dim; a++) {
    low[a] = s->center[a] - 0.5 * s->size[a];
    size[a] = s->size[a];
  }
}

static inline void box_sample(const cq_shape *s, cq_rng *rng, double *x) {
  for (int a = 0; a < s->dim; a++) {
    x[a] = s->center[a] + (cq_rng_uniform(rng) - 0.5) * s->size[a];
  }
}

#endif
