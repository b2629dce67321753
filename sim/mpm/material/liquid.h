/* Weakly compressible liquid: no shear stiffness, and a pressure that is linear in the density,
 *   Psi = k (J - 1 - log J),   P = k (J - 1) F^-T,   pressure = -k (J - 1)/J = k (rho/rho_0 - 1),
 * with k = lambda + 2/3 mu the bulk modulus. F carries nothing but its determinant: each step
 * settles it to diag(J, 1, ...), or its shear would grow until the inverse of F fails. Defined for
 * J > 0 only. */
#ifndef CQ_MATERIAL_LIQUID_H
#define CQ_MATERIAL_LIQUID_H

#include "material/lame.h"

CQ_FN real liquid_bulk_modulus(lame l) {
  return l.lambda + K(2.0 / 3.0) * l.mu;
}

CQ_FN void liquid_bulk_modulus_adjoint(real dk, lame *dl) {
  dl->lambda = dl->lambda + dk;
  dl->mu = dl->mu + K(2.0 / 3.0) * dk;
}

CQ_FN real liquid_energy(lame l, mat F) {
  const real J = mat_det(F);
  return liquid_bulk_modulus(l) * (J - K(1) - real_log(J));
}

CQ_FN mat liquid_pk1(lame l, mat F) {
  return mat_scale(liquid_bulk_modulus(l) * (mat_det(F) - K(1)), mat_inverse_transpose(F));
}

CQ_FN mat liquid_adjoint(lame l, mat F, mat dP, lame *dl) {
  const mat inverse_t = mat_inverse_transpose(F);
  const real J = mat_det(F), k = liquid_bulk_modulus(l);
  const real along = mat_dot(inverse_t, dP);
  const mat turned = mat_mul(mat_mul_t(inverse_t, dP), inverse_t);
  liquid_bulk_modulus_adjoint((J - K(1)) * along, dl);
  return mat_axpy(mat_scale(k * J * along, inverse_t), -(k * (J - K(1))), turned);
}

CQ_FN real liquid_out_of_plane(lame l, mat F) {
  return liquid_bulk_modulus(l) * (mat_det(F) - K(1));
}

CQ_FN mat liquid_out_of_plane_adjoint(lame l, mat F, real dP33, lame *dl) {
  liquid_bulk_modulus_adjoint(dP33 * (mat_det(F) - K(1)), dl);
  return mat_scale(dP33 * liquid_bulk_modulus(l), mat_cofactor(F));
}

CQ_FN mat liquid_settle(mat F) {
  mat r = mat_identity();
  r.m[0][0] = mat_det(F);
  return r;
}

CQ_FN mat liquid_settle_adjoint(mat F, mat d) {
  return mat_scale(d.m[0][0], mat_cofactor(F));
}

#endif
