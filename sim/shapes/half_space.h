/* The side of a plane where normal.(x - center) < 0. */
#ifndef CQ_SHAPES_HALF_SPACE_H
#define CQ_SHAPES_HALF_SPACE_H

#include "shapes.h"

CQ_FN double half_space_distance(const cq_shape *s, const double *x) {
  double distance = 0.0;
  for (int a = 0; a < s->dim; a++) {
    distance += s->normal[a] * (x[a] - s->center[a]);
  }
  return distance;
}

CQ_FN void half_space_normal(const cq_shape *s, const double *x, double *normal) {
  (void)x;
  for (int a = 0; a < s->dim; a++) {
    normal[a] = s->normal[a];
  }
}

#endif
