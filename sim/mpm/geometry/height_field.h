/* The ground under a curve y = h(x), in 3D the same for all z. Its normal at a node is that of the
 * curve straight above: (-h', 1, 0) / sqrt(1 + h'^2). */
#ifndef CQ_GEOMETRY_HEIGHT_FIELD_H
#define CQ_GEOMETRY_HEIGHT_FIELD_H

#include "curve.h"

#include <math.h>

typedef struct cq_geometry_height_field {
  cq_curve curve; /* [m] */
} cq_geometry_height_field;

CQ_FN int height_field_holds(const cq_geometry_height_field *g, int dim, const double *x,
                             double *normal) {
  const cq_curve_point at = cq_curve_at(&g->curve, x[0]);
  const double slope = cq_wide_number(at.slope), length = sqrt(1.0 + slope * slope);
  normal[0] = -slope / length;
  normal[1] = 1.0 / length;
  for (int a = 2; a < dim; a++) {
    normal[a] = 0.0;
  }
  return x[1] < cq_wide_number(at.y);
}

#endif
