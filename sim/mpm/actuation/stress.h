/* Stress: a full symmetric sigma in material space; controls are its diagonal, then the upper
 * triangle row by row (2D: xx, yy, xy; 3D: xx, yy, zz, xy, xz, yz) [Pa]. */
#ifndef CQ_ACTUATION_STRESS_H
#define CQ_ACTUATION_STRESS_H

#include "actuation/actuator.h"

CQ_FN mat stress_sigma(const actuator *a, const real *w) {
  (void)a;
  mat s;
  int k = CQ_DIM;
  FOR_AXES(i) {
    s.m[i][i] = w[i];
    for (int j = i + 1; j < CQ_DIM; j++) {
      s.m[i][j] = w[k];
      s.m[j][i] = w[k];
      k++;
    }
  }
  return s;
}

CQ_FN void stress_sigma_adjoint(const actuator *a, mat dsigma, real *dw) {
  (void)a;
  int k = CQ_DIM;
  FOR_AXES(i) {
    dw[i] = dw[i] + dsigma.m[i][i];
    for (int j = i + 1; j < CQ_DIM; j++) {
      dw[k] = dw[k] + dsigma.m[i][j] + dsigma.m[j][i];
      k++;
    }
  }
}

CQ_ACTUATION_OF_SIGMA(stress)

#endif
