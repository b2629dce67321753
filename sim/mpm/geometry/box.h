/* A box, in 2D turned by an angle. Its normal is that of the nearest face; where two are as near,
 * of the later axis, and in the middle of an axis of the upper face. */
#ifndef CQ_GEOMETRY_BOX_H
#define CQ_GEOMETRY_BOX_H

#include "wide.h"

#include <math.h>

typedef struct cq_geometry_box {
  double center[3], size[3]; /* [m] */
  double angle;              /* 2D, counterclockwise; 0 in 3D [rad] */
} cq_geometry_box;

#define CQ_GEOMETRY_KEYS_box(K)                                                                    \
  K(box, center, POINT, "m", ANY, REQUIRED, "", "its centre")                                      \
  K(box, size, POINT, "m", POSITIVE, REQUIRED, "", "its edge lengths")                             \
  K(box, angle, NUMBER, "rad", ANY, "0", "", "2D: turned counterclockwise about its centre")

CQ_FN int box_holds(const cq_geometry_box *g, int dim, const double *x, double *normal) {
  const double c = cos(g->angle), s = sin(g->angle);
  double at[3] = {0.0, 0.0, 0.0}; /* in the frame of the box */
  for (int a = 0; a < dim; a++) {
    at[a] = x[a] - g->center[a];
  }
  const double across = at[0];
  at[0] = c * across + s * at[1];
  at[1] = c * at[1] - s * across;
  int nearest = 0;
  double depth = 0.5 * g->size[0] - fabs(at[0]);
  for (int a = 1; a < dim; a++) {
    const double below = 0.5 * g->size[a] - fabs(at[a]);
    if (below <= depth) {
      nearest = a;
      depth = below;
    }
  }
  const double sign = at[nearest] < 0.0 ? -1.0 : 1.0;
  for (int a = 0; a < dim; a++) {
    normal[a] = a == nearest ? sign : 0.0;
  }
  const double sideways = normal[0];
  normal[0] = c * sideways - s * normal[1];
  normal[1] = s * sideways + c * normal[1];
  return depth > 0.0;
}

#endif
