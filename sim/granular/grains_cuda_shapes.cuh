/* Distances of shapes on the device. */
#ifndef CQ_GRAINS_CUDA_SHAPES_CUH
#define CQ_GRAINS_CUDA_SHAPES_CUH

#include "ball.h"
#include "box.h"
#include "capsule.h"
#include "device_shapes.h"
#include "domain.h"
#include "gear.h"
#include "grains_cuda_world.cuh"
#include "half_space.h"
#include "height_field.h"
#include "polygon.h"
#include "sdf.h"
#include "turned.h"

/* Of all but composites. */
CQ_FN double simple_distance(const cq_shape *s, const double *x) {
  double own[3] = {0.0, 0.0, 0.0};
  shape_unturn(s, x, own);
  switch (s->kind) {
#define CQ_DISTANCE(name)                                                                          \
case CQ_SHAPE_##name:                                                                              \
  return name##_distance(s, own);
    CQ_SHAPES_ON_DEVICE(CQ_DISTANCE)
#undef CQ_DISTANCE
  default:
    return cq_sdf_at(s->sdf, own, NULL);
  }
}

/* The gradient of a grid, brought to length 1. */
CQ_FN void grid_normal(const cq_shape *s, const double *x, double *normal) {
  double length = 0.0;
  cq_sdf_at(s->sdf, x, normal);
  for (int a = 0; a < s->dim; a++) {
    length += normal[a] * normal[a];
  }
  for (int a = 0; a < s->dim; a++) {
    normal[a] = length > 0.0 ? normal[a] / sqrt(length) : (a == 1 ? 1.0 : 0.0);
  }
}

CQ_FN void simple_normal(const cq_shape *s, const double *x, double *normal) {
  double own[3] = {0.0, 0.0, 0.0}, n[3] = {0.0, 0.0, 0.0};
  shape_unturn(s, x, own);
  switch (s->kind) {
#define CQ_NORMAL(name)                                                                            \
case CQ_SHAPE_##name:                                                                              \
  name##_normal(s, own, n);                                                                        \
  break;
    CQ_SHAPES_ON_DEVICE(CQ_NORMAL)
#undef CQ_NORMAL
  default:
    grid_normal(s, own, n);
  }
  shape_turn_direction(s, n, normal);
}

#define CQ_PART(what) simple_##what
#include "composite.h"

static __device__ inline double shape_distance(const cq_shape *s, const double *x) {
  double own[3] = {0.0, 0.0, 0.0};
  if (s->kind != CQ_SHAPE_composite) {
    return simple_distance(s, x);
  }
  shape_unturn(s, x, own);
  return composite_distance(s, own);
}

static __device__ inline void shape_normal(const cq_shape *s, const double *x, double *normal) {
  double own[3] = {0.0, 0.0, 0.0}, n[3] = {0.0, 0.0, 0.0};
  if (s->kind != CQ_SHAPE_composite) {
    simple_normal(s, x, normal);
    return;
  }
  shape_unturn(s, x, own);
  composite_normal(s, own, n);
  shape_turn_direction(s, n, normal);
}

/* As cq_tool_touches. */
static __device__ inline bool part_touches(const cq_shape *s, const cq_tool_place *place,
                                           const cq_tool_pose *pose, const double *origin,
                                           const double *x, double reach, cq_tool_touch *at) {
  double local[3] = {0.0, 0.0, 0.0}, normal[3] = {0.0, 0.0, 0.0};
  if (place->is_plane) {
    return tool_meets_plane(place, CQ_DIM, x, reach, at);
  }
  if (!tool_nears_bounds(place, pose, origin, CQ_DIM, x, reach, local)) {
    return false;
  }
  at->distance = shape_distance(s, local);
  if (!(at->distance < reach)) {
    return false;
  }
  shape_normal(s, local, normal);
  tool_turn(pose->turn, 1.0, normal, at->normal);
  return true;
}

#endif
