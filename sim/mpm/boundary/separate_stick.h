/* Separate with infinite friction, as a branch of its own: v = 0 when the material moves into the
 * wall, free otherwise. (Infinity in the friction formula would be inf * 0.) */
#ifndef CQ_BOUNDARY_SEPARATE_STICK_H
#define CQ_BOUNDARY_SEPARATE_STICK_H

#include "kinds.h"
#include "linalg.h"

CQ_FN vec separate_stick_apply(vec v, vec n, real friction, scalar epsilon) {
  (void)friction;
  (void)epsilon;
  const real normal = vec_dot(v, n);
  FOR_AXES(a) {
    v.v[a] = real_select(normal < K(0), real_splat(K(0)), v.v[a]);
  }
  return v;
}

CQ_FN vec separate_stick_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv,
                                 real *dfriction) {
  (void)friction;
  (void)epsilon;
  (void)dfriction;
  const real normal = vec_dot(v, n);
  FOR_AXES(a) {
    dv.v[a] = real_select(normal < K(0), real_splat(K(0)), dv.v[a]);
  }
  return dv;
}

CQ_FN vec separate_stick_normal_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv) {
  (void)v;
  (void)n;
  (void)friction;
  (void)epsilon;
  (void)dv;
  return vec_zero(); /* n only says which branch it is */
}

CQ_FN real separate_stick_state(vec v, vec n, real friction, scalar epsilon) {
  (void)friction;
  (void)epsilon;
  return real_select(vec_dot(v, n) < K(0), real_splat(K(CQ_CONTACT_HOLDS)),
                     real_splat(K(CQ_CONTACT_NONE)));
}

#endif
