/* St. Venant-Kirchhoff elasticity: linear in the Green strain E = (F^T F - I)/2,
 *   Psi = mu E : E + lambda/2 (tr E)^2,   P = F S,   S = 2 mu E + lambda tr E I.
 * Defined for every F, but it softens under compression and does not resist inversion. */
#ifndef CQ_MATERIAL_ST_VENANT_KIRCHHOFF_H
#define CQ_MATERIAL_ST_VENANT_KIRCHHOFF_H

#include "material/lame.h"

CQ_FN mat st_venant_kirchhoff_strain(mat F) {
  return mat_scale(real_splat(K(0.5)), mat_sub(mat_t_mul(F, F), mat_identity()));
}

/* the map from strain to stress, symmetric: from dS to dE as well */
CQ_FN mat st_venant_kirchhoff_stress(lame l, mat E) {
  return mat_axpy(mat_scale(K(2) * l.mu, E), l.lambda * mat_trace(E), mat_identity());
}

CQ_FN real st_venant_kirchhoff_energy(lame l, mat F) {
  const mat E = st_venant_kirchhoff_strain(F);
  const real trace = mat_trace(E);
  return l.mu * mat_dot(E, E) + K(0.5) * l.lambda * trace * trace;
}

CQ_FN mat st_venant_kirchhoff_pk1(lame l, mat F) {
  return mat_mul(F, st_venant_kirchhoff_stress(l, st_venant_kirchhoff_strain(F)));
}

CQ_FN mat st_venant_kirchhoff_adjoint(lame l, mat F, mat dP, lame *dl) {
  const mat E = st_venant_kirchhoff_strain(F);
  const mat pulled = mat_t_mul(F, dP);
  const mat dS = mat_scale(real_splat(K(0.5)), mat_add(pulled, mat_transpose(pulled)));
  dl->mu = dl->mu + K(2) * mat_dot(E, dS);
  dl->lambda = dl->lambda + mat_trace(E) * mat_trace(dS);
  return mat_add(mat_mul(dP, st_venant_kirchhoff_stress(l, E)),
                 mat_mul(F, st_venant_kirchhoff_stress(l, dS)));
}

CQ_FN real st_venant_kirchhoff_out_of_plane(lame l, mat F) {
  return l.lambda * mat_trace(st_venant_kirchhoff_strain(F));
}

CQ_FN mat st_venant_kirchhoff_out_of_plane_adjoint(lame l, mat F, real dP33, lame *dl) {
  dl->lambda = dl->lambda + dP33 * mat_trace(st_venant_kirchhoff_strain(F));
  return mat_scale(dP33 * l.lambda, F);
}

#endif
