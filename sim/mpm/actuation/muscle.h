/* Muscle: sigma = u D, one control u [Pa] and a constant symmetric pattern D in material space. A
 * positive u on D = e e^T contracts the body along e. */
#ifndef CQ_ACTUATION_MUSCLE_H
#define CQ_ACTUATION_MUSCLE_H

#include "actuation/actuator.h"

CQ_FN mat muscle_sigma(const actuator *a, const real *w) {
  mat s;
  FOR_AXES(i) {
    FOR_AXES(j) {
      s.m[i][j] = w[0] * a->direction[i][j];
    }
  }
  return s;
}

CQ_FN void muscle_sigma_adjoint(const actuator *a, mat dsigma, real *dw) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      dw[0] = dw[0] + dsigma.m[i][j] * a->direction[i][j];
    }
  }
}

CQ_ACTUATION_OF_SIGMA(muscle)

#endif
