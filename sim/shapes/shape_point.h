/* Distance and normal of every shape of shape_list.h behind one call, for kernels: C, C++ and CUDA.
 * Always in double, whatever the precision of the particles. Everybody else calls those of
 * shapes.h. */
#ifndef CQ_SHAPES_SHAPE_POINT_H
#define CQ_SHAPES_SHAPE_POINT_H

#include "ball.h"
#include "box.h"
#include "capsule.h"
#include "composite.h"
#include "domain.h"
#include "half_space.h"
#include "height_field.h"
#include "mesh.h"
#include "polygon.h"

/* x in the frame of the unturned shape */
CQ_FN void shape_unturn(const cq_shape *s, const double *x, double *own) {
  for (int a = 0; a < s->dim; a++) {
    own[a] = s->center[a];
    for (int b = 0; b < s->dim; b++) {
      own[a] += s->turn.Q[b][a] * (x[b] - s->center[b]);
    }
  }
}

CQ_FN double shape_unturned_distance(const cq_shape *s, const double *x) {
  switch (s->kind) {
#define CQ_SHAPE(name, extent)                                                                     \
case CQ_SHAPE_##name:                                                                              \
  return name##_distance(s, x);
#include "shape_list.h"
#undef CQ_SHAPE
  default:
    return INFINITY;
  }
}

CQ_FN void shape_unturned_normal(const cq_shape *s, const double *x, double *normal) {
  switch (s->kind) {
#define CQ_SHAPE(name, extent)                                                                     \
case CQ_SHAPE_##name:                                                                              \
  name##_normal(s, x, normal);                                                                     \
  break;
#include "shape_list.h"
#undef CQ_SHAPE
  default:
    break;
  }
}

CQ_FN_APART double shape_distance(const cq_shape *s, const double *x) {
  if (!s->turn.is) {
    return shape_unturned_distance(s, x);
  }
  double own[3] = {0.0};
  shape_unturn(s, x, own);
  return shape_unturned_distance(s, own);
}

CQ_FN_APART void shape_normal(const cq_shape *s, const double *x, double *normal) {
  if (!s->turn.is) {
    shape_unturned_normal(s, x, normal);
    return;
  }
  double own[3] = {0.0}, n[3] = {0.0};
  shape_unturn(s, x, own);
  shape_unturned_normal(s, own, n);
  for (int a = 0; a < s->dim; a++) {
    normal[a] = 0.0;
    for (int b = 0; b < s->dim; b++) {
      normal[a] += s->turn.Q[a][b] * n[b];
    }
  }
}

#endif
