/* The ground under a curve y = h(x), in 3D the same for all z, or under a surface y = h(x, z)
 * through the points of the shape (heights.h). The normal at a point is that of the curve or
 * surface straight above or below, (-h_x, 1, -h_z) / sqrt(1 + h_x^2 + h_z^2), and the distance that
 * from the tangent there: both are exact on it, and to first order near it. */
#ifndef CQ_SHAPES_HEIGHT_FIELD_H
#define CQ_SHAPES_HEIGHT_FIELD_H

#include "heights.h"
#include "shapes.h"

CQ_FN cq_heights_point height_field_at(const cq_shape *s, const double *x) {
  if (s->n_points > 0) {
    const cq_heights h = cq_heights_make(s->n_points, s->points);
    return cq_heights_at(&h, x[0], x[2]);
  }
  const cq_curve_point at = cq_curve_at(&s->curve, x[0]);
  const cq_heights_point flat = {
      cq_wide_number(at.y), {cq_wide_number(at.slope), 0.0}, {cq_wide_number(at.bend), 0.0, 0.0}};
  return flat;
}

CQ_FN double height_field_length(const cq_heights_point *at) {
  return sqrt(1.0 + at->slope[0] * at->slope[0] + at->slope[1] * at->slope[1]);
}

CQ_FN double height_field_distance(const cq_shape *s, const double *x) {
  const cq_heights_point at = height_field_at(s, x);
  return (x[1] - at.y) / height_field_length(&at);
}

CQ_FN void height_field_normal(const cq_shape *s, const double *x, double *normal) {
  const cq_heights_point at = height_field_at(s, x);
  const double length = height_field_length(&at);
  normal[0] = -at.slope[0] / length;
  normal[1] = 1.0 / length;
  if (s->dim == 3) {
    normal[2] = (0.0 - at.slope[1]) / length; /* not -0 under a curve */
  }
}

#endif
