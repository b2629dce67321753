/* Every actuation model of actuation_list.h behind one call. An actuator adds P_a = F sigma to the
 * first Piola-Kirchhoff stress of its particles, that is the Kirchhoff stress F sigma F^T of the
 * paper's section III (eq. (1) of the supplement); sigma depends on its controls u. A model <name>
 * is a header <name>.h with
 *   mat  <name>_sigma(const actuator *, const real *u)
 *   void <name>_sigma_adjoint(const actuator *, mat dsigma, real *du)   adds to du. */
#ifndef CQ_ACTUATION_ACTUATION_H
#define CQ_ACTUATION_ACTUATION_H

#include "actuation/muscle.h"
#include "actuation/stress.h"
#include "kinds.h"

CQ_FN mat actuation_sigma(const actuator *a, const real *u) {
  switch (a->kind) {
#define CQ_ACTUATION(name, in_2d, in_3d)                                                           \
case CQ_ACTUATION_##name:                                                                          \
  return name##_sigma(a, u);
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    return mat_zero();
  }
}

CQ_FN mat actuation_pk1(const actuator *a, const real *u, mat F) {
  return mat_mul(F, actuation_sigma(a, u));
}

/* Given dP: returns the pull-back to F (eq. (70), third term) and adds to du (eq. (91)). */
CQ_FN mat actuation_adjoint(const actuator *a, const real *u, mat F, mat dP, real *du) {
  const mat dsigma = mat_t_mul(F, dP);
  switch (a->kind) {
#define CQ_ACTUATION(name, in_2d, in_3d)                                                           \
case CQ_ACTUATION_##name:                                                                          \
  name##_sigma_adjoint(a, dsigma, du);                                                             \
  break;
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    break;
  }
  return mat_mul_t(dP, actuation_sigma(a, u)); /* sigma is symmetric: dP sigma^T */
}

#endif
