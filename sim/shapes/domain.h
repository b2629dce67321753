/* All that is outside of a box: walls along the faces of a room. Between the walls the normal is
 * that of the nearest, as the box's; within them that of the face, and behind an edge, where those
 * of several axes are, of the later axis (the gradient would be across, away from the edge). */
#ifndef CQ_SHAPES_DOMAIN_H
#define CQ_SHAPES_DOMAIN_H

#include "box.h"

CQ_FN double domain_distance(const cq_shape *s, const double *x) {
  return -box_distance(s, x);
}

/* Of the walls that x is in, or else of the nearest. */
CQ_FN void domain_normal(const cq_shape *s, const double *x, double *normal) {
  int behind = 0;
  for (int a = 0; a < s->dim; a++) {
    const double at = x[a] - s->center[a];
    if (fabs(at) > 0.5 * s->size[a]) {
      for (int b = 0; b < a; b++) {
        normal[b] = 0.0;
      }
      normal[a] = at < 0.0 ? 1.0 : -1.0;
      behind = 1;
    } else {
      normal[a] = 0.0;
    }
  }
  if (!behind) {
    box_normal(s, x, normal);
    for (int a = 0; a < s->dim; a++) {
      normal[a] = -normal[a];
    }
  }
}

#endif
