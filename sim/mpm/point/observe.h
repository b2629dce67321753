/* What a group's observation sums over its particles, and the adjoint. With M = sum m,
 *   z = (sum m x / M, sum m v / M, sum m |v|^2 / M),
 * so that d(mean)/dm_p = (value_p - mean) / M. Sums and z are wide. */
#ifndef CQ_POINT_OBSERVE_H
#define CQ_POINT_OBSERVE_H

#include "linalg.h"

enum { CQ_Z_SIZE = 2 * CQ_DIM + 1 };

typedef struct observation {
  wide mass;
  wide sum[CQ_Z_SIZE];
} observation;

CQ_FN void observe_values(const wide *x, const wide *v, wide *value) {
  wide squared = v[0] * v[0];
  FOR_AXES(a) {
    value[a] = x[a];
    value[CQ_DIM + a] = v[a];
    squared = a == 0 ? squared : squared + v[a] * v[a];
  }
  value[2 * CQ_DIM] = squared;
}

CQ_FN void observe_add(observation *o, wide mass, const wide *x, const wide *v) {
  wide value[CQ_Z_SIZE];
  observe_values(x, v, value);
  o->mass = o->mass + mass;
  for (int i = 0; i < CQ_Z_SIZE; i++) {
    o->sum[i] = o->sum[i] + mass * value[i];
  }
}

/* Adds to dx, dv and returns dL/d(mass). total is M, z the observation, dz its gradient. */
CQ_FN wide observe_adjoint(wide mass, wide total, const wide *x, const wide *v, const wide *z,
                           const wide *dz, wide *dx, wide *dv) {
  wide value[CQ_Z_SIZE];
  observe_values(x, v, value);
  const wide share = mass / total;
  wide dmass = dz[0] * (value[0] - z[0]);
  for (int i = 1; i < CQ_Z_SIZE; i++) {
    dmass = dmass + dz[i] * (value[i] - z[i]);
  }
  FOR_AXES(a) {
    dx[a] = dx[a] + share * dz[a];
    dv[a] = dv[a] + share * (dz[CQ_DIM + a] + 2.0 * dz[2 * CQ_DIM] * v[a]);
  }
  return dmass / total;
}

#endif
