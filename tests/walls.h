/* Walls for the scenes of tests. C and C++. */
#ifndef CQ_TESTS_WALLS_H
#define CQ_TESTS_WALLS_H

#include "mpm_model.h"

#include <math.h>
#include <string.h>

static inline cq_boundary scene_wall(cq_boundary_kind kind, cq_geometry_kind geometry) {
  cq_boundary b;
  memset(&b, 0, sizeof b);
  b.kind = kind;
  b.geometry.kind = geometry;
  return b;
}

/* the layers at the low and high end of every axis, but `floor` of them below */
static inline cq_boundary scene_domain(const cq_mpm_model *m, cq_boundary_kind kind, int low,
                                       int floor, int high) {
  const int lows[3] = {low, floor, low}, highs[3] = {high, high, high};
  cq_boundary b = scene_wall(kind, CQ_GEOMETRY_domain);
  b.geometry.domain = domain_of_layers(m->grid, m->cell, lows, highs);
  return b;
}

static inline cq_boundary scene_half_space(cq_boundary_kind kind, int dim, double nx, double ny,
                                           double nz, double px, double py) {
  cq_boundary b = scene_wall(kind, CQ_GEOMETRY_half_space);
  const double length = sqrt(nx * nx + ny * ny + (dim == 3 ? nz * nz : 0.0));
  b.geometry.half_space.normal[0] = nx / length;
  b.geometry.half_space.normal[1] = ny / length;
  b.geometry.half_space.normal[2] = dim == 3 ? nz / length : 0.0;
  b.geometry.half_space.point[0] = px;
  b.geometry.half_space.point[1] = py;
  b.geometry.half_space.point[2] = 0.3;
  return b;
}

static inline cq_boundary scene_ball_wall(cq_boundary_kind kind, double cx, double cy, double cz,
                                          double radius) {
  cq_boundary b = scene_wall(kind, CQ_GEOMETRY_ball);
  b.geometry.ball.center[0] = cx;
  b.geometry.ball.center[1] = cy;
  b.geometry.ball.center[2] = cz;
  b.geometry.ball.radius = radius;
  return b;
}

static inline cq_boundary scene_box_wall(cq_boundary_kind kind, int dim, double cx, double cy,
                                         double cz, double size, double angle) {
  cq_boundary b = scene_wall(kind, CQ_GEOMETRY_box);
  b.geometry.box.center[0] = cx;
  b.geometry.box.center[1] = cy;
  b.geometry.box.center[2] = cz;
  for (int a = 0; a < 3; a++) {
    b.geometry.box.size[a] = size;
  }
  b.geometry.box.angle = dim == 2 ? angle : 0.0;
  return b;
}

/* under the curve through n points; pieces [n + 1] must live as long as the model */
static inline cq_boundary scene_height_field(cq_boundary_kind kind, int n, const double *x,
                                             const double *y, cq_cubic *pieces) {
  cq_boundary b = scene_wall(kind, CQ_GEOMETRY_height_field);
  cq_curve_fit(n, x, y, pieces);
  b.geometry.height_field.curve.n = n;
  b.geometry.height_field.curve.pieces = pieces;
  return b;
}

#endif
