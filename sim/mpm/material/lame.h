/* Lame parameters of Young's modulus E and Poisson's ratio nu. In 2D the body is in plane strain.
 */
#ifndef CQ_MATERIAL_LAME_H
#define CQ_MATERIAL_LAME_H

#include "linalg.h"

typedef struct lame {
  real mu, lambda; /* [Pa] */
} lame;

/* One division serves both, and their derivatives: mu = E/(2 (1 + nu)) and
 * lambda = E nu/((1 + nu) (1 - 2 nu)). */
CQ_FN lame lame_parameters(real E, real nu) {
  const real q = K(1) - K(2) * nu, inverse = E / ((K(1) + nu) * q);
  lame l;
  l.mu = K(0.5) * inverse * q;
  l.lambda = inverse * nu;
  return l;
}

/* adds to *dE and *dnu the pull-back of (d.mu, d.lambda) */
CQ_FN void lame_adjoint(real E, real nu, lame d, real *dE, real *dnu) {
  const real p = K(1) + nu, q = K(1) - K(2) * nu, inverse = K(1) / (p * q);
  const real per_p = inverse * q;
  *dE = *dE + K(0.5) * d.mu * per_p + d.lambda * nu * inverse;
  *dnu = *dnu + E * (d.lambda * (K(1) + K(2) * nu * nu) * inverse * inverse -
                     K(0.5) * d.mu * per_p * per_p);
}

#endif
