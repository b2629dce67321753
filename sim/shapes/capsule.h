/* Capsule: all points within `radius` of a segment, points[0] to points[1]. */
#ifndef CQ_SHAPES_CAPSULE_H
#define CQ_SHAPES_CAPSULE_H

#include "ball.h"
#include "polygon.h"

static inline double capsule_distance(const cq_shape *s, const double *x) {
  return sqrt(polygon_segment_square(s->points, s->points + s->dim, x, s->dim)) - s->radius;
}

static inline double capsule_volume(const cq_shape *s) {
  const double r = s->radius;
  const double length =
      sqrt(polygon_segment_square(s->points, s->points, s->points + s->dim, s->dim));
  return ball_volume(s) + length * (s->dim == 2 ? 2.0 * r : BALL_PI * r * r);
}

static inline void capsule_bounds(const cq_shape *s, double *low, double *size) {
  for (int a = 0; a < s->dim; a++) {
    const double p = s->points[a], q = s->points[s->dim + a];
    low[a] = fmin(p, q) - s->radius;
    size[a] = fabs(p - q) + 2.0 * s->radius;
  }
}

static inline void capsule_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
