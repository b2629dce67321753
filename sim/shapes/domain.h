/* All that is outside of a box: walls along the faces of a room. Between the walls the normal is
 * that of the nearest, as the box's; within them that of the face, and behind an edge, where those
 * of several axes are, of the later axis (the gradient would be across, away from the edge). */
#ifndef CQ_SHAPES_DOMAIN_H
#define CQ_SHAPES_DOMAIN_H

#include "box.h"

CQ_FN double domain_distance(const cq_shape *s, const double *x) {
  return -box_distance(s, x);
}

CQ_FN void domain_normal(const cq_shape *s, const double *x, double *normal) {
  int outside = -1;
  for (int a = 0; a < s->dim; a++) {
    outside = fabs(x[a] - s->center[a]) > 0.5 * s->size[a] ? a : outside;
  }
  box_normal(s, x, normal);
  for (int a = 0; a < s->dim; a++) {
    const double inward = x[a] < s->center[a] ? 1.0 : -1.0;
    normal[a] = outside < 0 ? -normal[a] : (a == outside ? inward : 0.0);
  }
}

#endif
