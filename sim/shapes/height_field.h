/* The ground under a curve y = h(x), in 3D the same for all z. The normal at a point is that of the
 * curve straight above or below, (-h', 1, 0) / sqrt(1 + h'^2), and the distance that from the
 * tangent there: both are exact on the curve, and to first order near it. */
#ifndef CQ_SHAPES_HEIGHT_FIELD_H
#define CQ_SHAPES_HEIGHT_FIELD_H

#include "shapes.h"

CQ_FN double height_field_distance(const cq_shape *s, const double *x) {
  const cq_curve_point at = cq_curve_at(&s->curve, x[0]);
  const double slope = cq_wide_number(at.slope);
  return (x[1] - cq_wide_number(at.y)) / sqrt(1.0 + slope * slope);
}

CQ_FN void height_field_normal(const cq_shape *s, const double *x, double *normal) {
  const double slope = cq_wide_number(cq_curve_at(&s->curve, x[0]).slope);
  const double length = sqrt(1.0 + slope * slope);
  normal[0] = -slope / length;
  normal[1] = 1.0 / length;
  if (s->dim == 3) {
    normal[2] = 0.0;
  }
}

#endif
