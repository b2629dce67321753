/* Capsule: all points within `radius` of a segment, points[0] to points[1]. On the segment itself
 * the normal is across it, as near to the axis that it is least along as may be. */
#ifndef CQ_SHAPES_CAPSULE_H
#define CQ_SHAPES_CAPSULE_H

#include "ball.h"
#include "polygon.h"

CQ_FN double capsule_distance(const cq_shape *s, const double *x) {
  double d[3], square;
  polygon_segment(s->points, s->points + s->dim, x, s->dim, d, &square);
  return sqrt(square) - s->radius;
}

/* Away from the nearest point of the segment. */
CQ_FN void capsule_normal(const cq_shape *s, const double *x, double *normal) {
  const double *p = s->points, *q = s->points + s->dim;
  double square, length = 0.0;
  polygon_segment(p, q, x, s->dim, normal, &square);
  if (!(square > 0.0)) {
    int least = s->dim - 1;
    for (int a = s->dim - 1; a >= 0; a--) {
      least = fabs(q[a] - p[a]) < fabs(q[least] - p[least]) ? a : least;
      length += (q[a] - p[a]) * (q[a] - p[a]);
    }
    for (int a = 0; a < s->dim; a++) {
      const double along = length > 0.0 ? (q[a] - p[a]) * (q[least] - p[least]) / length : 0.0;
      normal[a] = (a == least ? 1.0 : 0.0) - along;
      square += normal[a] * normal[a];
    }
  }
  for (int a = 0; a < s->dim; a++) {
    normal[a] /= sqrt(square);
  }
}

static inline double capsule_volume(const cq_shape *s) {
  const double r = s->radius;
  double d[3], square;
  polygon_segment(s->points, s->points, s->points + s->dim, s->dim, d, &square);
  return ball_volume(s) + sqrt(square) * (s->dim == 2 ? 2.0 * r : BALL_PI * r * r);
}

static inline void capsule_bounds(const cq_shape *s, double *low, double *size) {
  polygon_bounds(s, low, size);
  for (int a = 0; a < s->dim; a++) {
    low[a] -= s->radius;
    size[a] += 2.0 * s->radius;
  }
}

static inline void capsule_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
