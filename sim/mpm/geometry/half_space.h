/* The side of a plane where normal.(x - point) < 0. */
#ifndef CQ_GEOMETRY_HALF_SPACE_H
#define CQ_GEOMETRY_HALF_SPACE_H

#include "wide.h"

typedef struct cq_geometry_half_space {
  double normal[3]; /* of length 1, pointing to where bodies may be */
  double point[3];  /* [m] */
} cq_geometry_half_space;

CQ_FN int half_space_holds(const cq_geometry_half_space *g, int dim, const double *x,
                           double *normal) {
  double distance = 0.0;
  for (int a = 0; a < dim; a++) {
    distance += g->normal[a] * (x[a] - g->point[a]);
    normal[a] = g->normal[a];
  }
  return distance < 0.0;
}

#endif
