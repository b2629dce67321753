/* Lame parameters of Young's modulus E and Poisson's ratio nu. In 2D the body is in plane strain.
 */
#ifndef CQ_MATERIAL_LAME_H
#define CQ_MATERIAL_LAME_H

#include "linalg.h"

typedef struct lame {
  real mu, lambda; /* [Pa] */
} lame;

CQ_FN lame lame_parameters(real E, real nu) {
  lame l;
  l.mu = E / (K(2) * (K(1) + nu));
  l.lambda = E * nu / ((K(1) + nu) * (K(1) - K(2) * nu));
  return l;
}

/* adds to *dE and *dnu the pull-back of (d.mu, d.lambda) */
CQ_FN void lame_adjoint(real E, real nu, lame d, real *dE, real *dnu) {
  const real p = K(1) + nu, q = K(1) - K(2) * nu;
  *dE = *dE + d.mu / (K(2) * p) + d.lambda * nu / (p * q);
  *dnu =
      *dnu - d.mu * E / (K(2) * p * p) + d.lambda * E * (K(1) + K(2) * nu * nu) / (p * p * q * q);
}

#endif
