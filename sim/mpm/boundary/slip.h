/* Slip: v.n = 0 always (bilateral); the tangential velocity is free. */
#ifndef CQ_BOUNDARY_SLIP_H
#define CQ_BOUNDARY_SLIP_H

#include "linalg.h"

CQ_FN vec slip_apply(vec v, vec n, real friction, scalar epsilon) {
  (void)friction;
  (void)epsilon;
  return vec_axpy(v, -vec_dot(v, n), n);
}

CQ_FN vec slip_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv, real *dfriction) {
  (void)v;
  (void)dfriction;
  return slip_apply(dv, n, friction, epsilon); /* a projection: symmetric */
}

#endif
