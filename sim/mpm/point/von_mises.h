/* Von Mises stress of a particle's material: s = sqrt(3/2) |dev(sigma)|, sigma = P F^T / J the
 * Cauchy stress as a 3 x 3 tensor. In 2D the body is in plane strain, so that sigma_33 = P_33 / J
 * counts. |J| is held at 1e-6. s has a kink at sigma = 0, where its gradient is taken as zero. */
#ifndef CQ_POINT_VON_MISES_H
#define CQ_POINT_VON_MISES_H

#include "material/material.h"

/* J sigma without its mean, and what it is made of */
typedef struct deviator {
  mat P, D;       /* D: the part in the axes of the simulation */
  real D33;       /* 2D: the part out of the plane */
  real size, J;   /* sqrt(D : D + D33^2), |J| */
  truth is_floor; /* |J| is held */
  truth smooth;   /* size > 0 */
  real sign;      /* of J */
} deviator;

/* The deviator of the Kirchhoff stress, its size, and |J|, no smaller than 1e-6. */
CQ_FN deviator von_mises_deviator(int material, lame l, mat F) {
  const real zero = real_splat(K(0)), one = real_splat(K(1));
  deviator d;
  d.P = material_pk1(material, l, F);
  d.D = mat_mul_t(d.P, F);
  const real out = CQ_DIM == 2 ? material_out_of_plane(material, l, F) : zero;
  const real mean = (mat_trace(d.D) + out) / K(3);
  FOR_AXES(a) {
    d.D.m[a][a] = d.D.m[a][a] - mean;
  }
  d.D33 = CQ_DIM == 2 ? out - mean : zero;
  const real squared = mat_dot(d.D, d.D) + d.D33 * d.D33;
  d.smooth = squared > K(0);
  d.size = real_select(d.smooth, real_sqrt(real_select(d.smooth, squared, one)), zero);
  const real J = mat_det(F);
  d.sign = real_select(J > K(0), one, -one);
  d.is_floor = truth_not(d.sign * J > K(1e-6));
  d.J = real_select(d.is_floor, real_splat(K(1e-6)), d.sign * J);
  return d;
}

CQ_FN real von_mises(int material, lame l, mat F) {
  const deviator d = von_mises_deviator(material, l, F);
  return K(1.2247448713915890) * d.size / d.J;
}

/* Given ds = dL/ds: returns dL/dF and adds dL/d(mu, lambda) to *dl. */
CQ_FN mat von_mises_adjoint(int material, lame l, mat F, real ds, lame *dl) {
  const deviator d = von_mises_deviator(material, l, F);
  const real zero = real_splat(K(0));
  const real scaled = K(1.2247448713915890) * ds / d.J;
  const real size = real_select(d.smooth, d.size, real_splat(K(1)));
  const real along = real_select(d.smooth, scaled / size, zero);
  const mat dT = mat_scale(along, d.D);
  mat dF = mat_mul(mat_transpose(dT), d.P);
  dF = mat_add(dF, material_adjoint(material, l, F, mat_mul(dT, F), dl));
  if (CQ_DIM == 2) {
    dF = mat_add(dF, material_out_of_plane_adjoint(material, l, F, along * d.D33, dl));
  }
  const real dJ = real_select(d.is_floor, zero, -(scaled * d.size * d.sign / d.J));
  return mat_axpy(dF, dJ, mat_cofactor(F));
}

#endif
