/* Pneumatic: a gas of pressure p [Pa] fills the particles. The Kirchhoff stress is -p J I, that is
 * P = -p cof F: a Cauchy stress of -p, whatever the particle has become. A positive p inflates. */
#ifndef CQ_ACTUATION_PNEUMATIC_H
#define CQ_ACTUATION_PNEUMATIC_H

#include "actuation/actuator.h"

CQ_FN mat pneumatic_pk1(const actuator *a, const real *w, mat F) {
  (void)a;
  return mat_scale(-w[0], mat_cofactor(F));
}

/* cof F is the derivative of det F, so its tangent is symmetric. */
CQ_FN mat pneumatic_adjoint(const actuator *a, const real *w, mat F, mat dP, real *dw) {
  (void)a;
  dw[0] = dw[0] - mat_dot(mat_cofactor(F), dP);
  return mat_scale(-w[0], mat_cofactor_tangent(F, dP));
}

CQ_FN real pneumatic_bound(const actuator *a, const real *u) {
  (void)a;
  return u[0];
}

#endif
