/* Sticky: v = 0. Wins over every other condition at its node. */
#ifndef CQ_BOUNDARY_STICKY_H
#define CQ_BOUNDARY_STICKY_H

#include "kinds.h"
#include "linalg.h"

CQ_FN vec sticky_apply(vec v, vec n, real friction, scalar epsilon) {
  (void)v;
  (void)n;
  (void)friction;
  (void)epsilon;
  return vec_zero();
}

CQ_FN vec sticky_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv, real *dfriction) {
  (void)v;
  (void)n;
  (void)friction;
  (void)epsilon;
  (void)dv;
  (void)dfriction;
  return vec_zero();
}

CQ_FN vec sticky_normal_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv) {
  (void)v;
  (void)n;
  (void)friction;
  (void)epsilon;
  (void)dv;
  return vec_zero();
}

CQ_FN real sticky_state(vec v, vec n, real friction, scalar epsilon) {
  (void)v;
  (void)n;
  (void)friction;
  (void)epsilon;
  return real_splat(K(CQ_CONTACT_NONE));
}

#endif
