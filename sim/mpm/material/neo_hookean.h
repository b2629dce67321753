/* Compressible neo-Hookean elasticity:
 *   Psi = mu/2 (|F|^2 - d) - mu log J + lambda/2 (log J)^2,   P = mu (F - F^-T) + lambda log J
 * F^-T. In 2D, d = 2. Defined for J > 0 only. */
#ifndef CQ_MATERIAL_NEO_HOOKEAN_H
#define CQ_MATERIAL_NEO_HOOKEAN_H

#include "material/lame.h"

CQ_FN real neo_hookean_energy(lame l, mat F) {
  const real j = real_log(mat_det(F));
  return K(0.5) * l.mu * (mat_dot(F, F) - K(CQ_DIM)) - l.mu * j + K(0.5) * l.lambda * j * j;
}

CQ_FN mat neo_hookean_pk1(lame l, mat F) {
  const real j = real_log(mat_det(F));
  return mat_axpy(mat_scale(l.mu, F), l.lambda * j - l.mu, mat_inverse_transpose(F));
}

CQ_FN mat neo_hookean_adjoint(lame l, mat F, mat dP, lame *dl) {
  const mat inverse_t = mat_inverse_transpose(F);
  const real j = real_log(mat_det(F));
  const real along = mat_dot(inverse_t, dP);
  /* d(F^-T) in direction D is -F^-T D^T F^-T */
  const mat turned = mat_mul(mat_mul_t(inverse_t, dP), inverse_t);
  mat dF = mat_axpy(mat_scale(l.mu, dP), l.lambda * along, inverse_t);
  dF = mat_axpy(dF, l.mu - l.lambda * j, turned);
  dl->mu = dl->mu + mat_dot(F, dP) - along;
  dl->lambda = dl->lambda + j * along;
  return dF;
}

CQ_FN real neo_hookean_out_of_plane(lame l, mat F) {
  return l.lambda * real_log(mat_det(F));
}

CQ_FN mat neo_hookean_out_of_plane_adjoint(lame l, mat F, real dP33, lame *dl) {
  dl->lambda = dl->lambda + dP33 * real_log(mat_det(F));
  return mat_scale(dP33 * l.lambda, mat_inverse_transpose(F));
}

#endif
