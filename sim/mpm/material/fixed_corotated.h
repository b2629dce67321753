/* Fixed corotated elasticity (Stomakhin et al. 2012), the material of ChainQueen:
 *   Psi = mu |F - R|^2 + lambda/2 (J - 1)^2,   P = 2 mu (F - R) + lambda (J - 1) cof F,
 * with R the rotation of the polar decomposition and cof F = J F^-T. Defined for every F. */
#ifndef CQ_MATERIAL_FIXED_COROTATED_H
#define CQ_MATERIAL_FIXED_COROTATED_H

#include "material/lame.h"
#include "polar.h"

CQ_FN real fixed_corotated_energy(lame l, mat F) {
  const mat E = mat_sub(F, polar_decompose(F).R);
  const real j = mat_det(F) - K(1);
  return l.mu * mat_dot(E, E) + K(0.5) * l.lambda * j * j;
}

CQ_FN mat fixed_corotated_pk1(lame l, mat F) {
  const polar p = polar_decompose(F);
  const mat P = mat_scale(K(2) * l.mu, mat_sub(F, p.R));
  return mat_axpy(P, l.lambda * (mat_det(F) - K(1)), mat_cofactor(F));
}

/* Given dP = dL/dP: returns dL/dF and adds dL/d(mu, lambda) to *dl. The Hessian of Psi is
 * symmetric, so the adjoint applies the tangent itself. */
CQ_FN mat fixed_corotated_adjoint(lame l, mat F, mat dP, lame *dl) {
  const polar p = polar_decompose(F);
  const mat cofactor = mat_cofactor(F);
  const real j = mat_det(F) - K(1);
  const real along = mat_dot(cofactor, dP);
  mat dF = mat_scale(K(2) * l.mu, mat_sub(dP, polar_tangent(p, dP)));
  dF = mat_axpy(dF, l.lambda * along, cofactor);
  dF = mat_axpy(dF, l.lambda * j, mat_cofactor_tangent(F, dP));
  dl->mu = dl->mu + K(2) * mat_dot(mat_sub(F, p.R), dP);
  dl->lambda = dl->lambda + j * along;
  return dF;
}

/* In plane strain the stretch out of the plane is 1, and so is R_33. */
CQ_FN real fixed_corotated_out_of_plane(lame l, mat F) {
  const real J = mat_det(F);
  return l.lambda * (J - K(1)) * J;
}

CQ_FN mat fixed_corotated_out_of_plane_adjoint(lame l, mat F, real dP33, lame *dl) {
  const real J = mat_det(F);
  dl->lambda = dl->lambda + dP33 * (J - K(1)) * J;
  return mat_scale(dP33 * l.lambda * (K(2) * J - K(1)), mat_cofactor(F));
}

#endif
