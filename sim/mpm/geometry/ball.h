/* A ball, in 2D a disc. Its normal points away from the centre; at the centre itself, upwards. */
#ifndef CQ_GEOMETRY_BALL_H
#define CQ_GEOMETRY_BALL_H

#include "wide.h"

#include <math.h>

typedef struct cq_geometry_ball {
  double center[3], radius; /* [m] */
} cq_geometry_ball;

#define CQ_GEOMETRY_KEYS_ball(K)                                                                   \
  K(ball, center, POINT, "m", ANY, REQUIRED, "", "its centre")                                     \
  K(ball, radius, NUMBER, "m", POSITIVE, REQUIRED, "", "its radius")

CQ_FN int ball_holds(const cq_geometry_ball *g, int dim, const double *x, double *normal) {
  double square = 0.0;
  for (int a = 0; a < dim; a++) {
    normal[a] = x[a] - g->center[a];
    square += normal[a] * normal[a];
  }
  const double distance = sqrt(square);
  for (int a = 0; a < dim; a++) {
    normal[a] = distance > 0.0 ? normal[a] / distance : (a == 1 ? 1.0 : 0.0);
  }
  return distance < g->radius;
}

#endif
