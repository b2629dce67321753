/* Diagonal: sigma = diag(u), one control [Pa] an axis of the material frame: muscles along every
 * axis at once, without shear. */
#ifndef CQ_ACTUATION_DIAGONAL_H
#define CQ_ACTUATION_DIAGONAL_H

#include "actuation/actuator.h"

CQ_FN mat diagonal_sigma(const actuator *a, const real *w) {
  (void)a;
  mat s = mat_zero();
  FOR_AXES(i) {
    s.m[i][i] = w[i];
  }
  return s;
}

CQ_FN void diagonal_sigma_adjoint(const actuator *a, mat dsigma, real *dw) {
  (void)a;
  FOR_AXES(i) {
    dw[i] = dw[i] + dsigma.m[i][i];
  }
}

CQ_ACTUATION_OF_SIGMA(diagonal)

#endif
