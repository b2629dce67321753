/* Walls for the scenes of tests. C and C++. */
#ifndef CQ_TESTS_WALLS_H
#define CQ_TESTS_WALLS_H

#include "mpm_model.h"

#include <math.h>
#include <string.h>

static inline cq_boundary scene_wall(cq_boundary_kind kind, cq_shape_kind shape, int dim, double x,
                                     double y, double z) {
  cq_boundary b;
  memset(&b, 0, sizeof b);
  b.kind = kind;
  b.shape.kind = shape;
  b.shape.dim = dim;
  b.shape.center[0] = x;
  b.shape.center[1] = y;
  b.shape.center[2] = z;
  return b;
}

/* the layers at the low and high end of every axis, but `floor` of them below */
static inline cq_boundary scene_domain(const cq_mpm_model *m, cq_boundary_kind kind, int low,
                                       int floor, int high) {
  const int lows[3] = {low, floor, low}, highs[3] = {high, high, high};
  cq_boundary b;
  memset(&b, 0, sizeof b);
  b.kind = kind;
  b.shape = cq_mpm_domain(m, lows, highs);
  return b;
}

static inline cq_boundary scene_half_space(cq_boundary_kind kind, int dim, double nx, double ny,
                                           double nz, double px, double py) {
  cq_boundary b = scene_wall(kind, CQ_SHAPE_half_space, dim, px, py, 0.3);
  const double length = sqrt(nx * nx + ny * ny + (dim == 3 ? nz * nz : 0.0));
  b.shape.normal[0] = nx / length;
  b.shape.normal[1] = ny / length;
  b.shape.normal[2] = dim == 3 ? nz / length : 0.0;
  return b;
}

static inline cq_boundary scene_ball_wall(cq_boundary_kind kind, int dim, double cx, double cy,
                                          double cz, double radius) {
  cq_boundary b = scene_wall(kind, CQ_SHAPE_ball, dim, cx, cy, cz);
  b.shape.radius = radius;
  return b;
}

/* turned in 2D by `angle`, in 3D about x by a quarter of it, too */
static inline cq_boundary scene_box_wall(cq_boundary_kind kind, int dim, double cx, double cy,
                                         double cz, double size, double angle) {
  const double rotation[3] = {dim == 2 ? angle : 0.25 * angle, 0.0, angle};
  cq_boundary b = scene_wall(kind, CQ_SHAPE_box, dim, cx, cy, cz);
  for (int a = 0; a < 3; a++) {
    b.shape.size[a] = size;
  }
  cq_shape_turn(&b.shape, rotation);
  return b;
}

/* under the curve through n points; pieces [n + 1] must live as long as the model */
static inline cq_boundary scene_height_field(cq_boundary_kind kind, int dim, int n, const double *x,
                                             const double *y, cq_cubic *pieces) {
  cq_boundary b = scene_wall(kind, CQ_SHAPE_height_field, dim, 0.0, 0.0, 0.0);
  cq_curve_fit(n, x, y, pieces);
  b.shape.curve.n = n;
  b.shape.curve.pieces = pieces;
  return b;
}

#endif
