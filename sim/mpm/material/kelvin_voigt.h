/* Kelvin-Voigt damping: a viscous stress beside the elastic one. With D = (C + C^T)/2 the rate of
 * strain, C the velocity gradient that a particle carries, and eta the viscosity [Pa s],
 *   sigma = 2 eta D,   P = J sigma F^-T = 2 eta D cof F.
 * No deviator is taken: one constant damps every mode of deformation, volume included, in 2D (where
 * the rate out of the plane is zero) as in 3D. A uniform stretching at rate e in one direction
 * meets 2 eta e; shearing at rate g, eta g. */
#ifndef CQ_MATERIAL_KELVIN_VOIGT_H
#define CQ_MATERIAL_KELVIN_VOIGT_H

#include "linalg.h"

/* 2 D */
CQ_FN mat kelvin_voigt_rate(mat C) {
  return mat_add(C, mat_transpose(C));
}

CQ_FN mat kelvin_voigt_pk1(scalar eta, mat F, mat C) {
  return mat_scale(real_splat(eta), mat_mul(kelvin_voigt_rate(C), mat_cofactor(F)));
}

/* Given dP = dL/dP: adds to *dF and *dC. */
CQ_FN void kelvin_voigt_adjoint(scalar eta, mat F, mat C, mat dP, mat *dF, mat *dC) {
  const mat scaled = mat_scale(real_splat(eta), dP);
  const mat dcofactor = mat_mul(kelvin_voigt_rate(C), scaled);
  *dC = mat_add(*dC, kelvin_voigt_rate(mat_mul_t(scaled, mat_cofactor(F))));
  /* the cofactor is the gradient of det F, so its derivative is its own adjoint */
  *dF = mat_add(*dF, mat_cofactor_tangent(F, dcofactor));
}

#endif
