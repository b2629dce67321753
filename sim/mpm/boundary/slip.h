/* Slip: v.n = 0 always (bilateral); the tangential velocity is free. */
#ifndef CQ_BOUNDARY_SLIP_H
#define CQ_BOUNDARY_SLIP_H

#include "kinds.h"
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

CQ_FN vec slip_normal_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv) {
  (void)friction;
  (void)epsilon;
  return vec_axpy(vec_scale(-vec_dot(v, n), dv), -vec_dot(dv, n), v);
}

CQ_FN real slip_state(vec v, vec n, real friction, scalar epsilon) {
  (void)v;
  (void)n;
  (void)friction;
  (void)epsilon;
  return real_splat(K(CQ_CONTACT_NONE));
}

#endif
