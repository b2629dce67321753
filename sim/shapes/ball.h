/* Ball; a disc in 2D. Its normal points away from the centre; at the centre itself, upwards. */
#ifndef CQ_SHAPES_BALL_H
#define CQ_SHAPES_BALL_H

#include "shapes.h"

#define BALL_PI 3.14159265358979323846

CQ_FN double ball_distance(const cq_shape *s, const double *x) {
  double square = 0.0;
  for (int a = 0; a < s->dim; a++) {
    square += (x[a] - s->center[a]) * (x[a] - s->center[a]);
  }
  return sqrt(square) - s->radius;
}

CQ_FN void ball_normal(const cq_shape *s, const double *x, double *normal) {
  double square = 0.0;
  for (int a = 0; a < s->dim; a++) {
    normal[a] = x[a] - s->center[a];
    square += normal[a] * normal[a];
  }
  const double distance = sqrt(square);
  for (int a = 0; a < s->dim; a++) {
    normal[a] = distance > 0.0 ? normal[a] / distance : (a == 1 ? 1.0 : 0.0);
  }
}

static inline double ball_volume(const cq_shape *s) {
  const double r = s->radius;
  return s->dim == 2 ? BALL_PI * r * r : 4.0 / 3.0 * BALL_PI * r * r * r;
}

static inline void ball_bounds(const cq_shape *s, double *low, double *size) {
  for (int a = 0; a < s->dim; a++) {
    low[a] = s->center[a] - s->radius;
    size[a] = 2.0 * s->radius;
  }
}

/* Inverse of the distribution of the radius, r/R = u^(1/dim); Archimedes' theorem for the height of
 * a point on a sphere. */
static inline void ball_sample(const cq_shape *s, cq_rng *rng, double *x) {
  const double u = cq_rng_uniform(rng);
  const double angle = 2.0 * BALL_PI * cq_rng_uniform(rng);
  const double r = s->radius * (s->dim == 2 ? sqrt(u) : cbrt(u));
  double across = r;
  if (s->dim == 3) {
    const double height = 2.0 * cq_rng_uniform(rng) - 1.0;
    x[2] = s->center[2] + r * height;
    across = r * sqrt(1.0 - height * height);
  }
  x[0] = s->center[0] + across * cos(angle);
  x[1] = s->center[1] + across * sin(angle);
}

#endif
