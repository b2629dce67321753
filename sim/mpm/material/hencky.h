/* Hencky elasticity: linear in the logarithmic strain H = log V, V the left stretch of F = V R,
 *   Psi = mu H : H + lambda/2 (log J)^2,   P = tau F^-T,   tau = 2 mu H + lambda log J I.
 * Defined for J > 0 only.
 *
 * The logarithm of a matrix needs no eigenvectors, whose derivatives do not exist at equal
 * stretches. With the Cayley transform Z = (V - I)(V + I)^-1,
 *   log V = 2 artanh Z = integral of Z (I + s Z)^-1 over s from -1 to 1,
 * by Gauss-Legendre quadrature with 12 points, two of which, s and -s, make one inverse
 * N = (I - s^2 Z^2)^-1:
 *   H = sum w 2 Z N,   dH = sum 2 w N (dZ + s^2 Z dZ Z) N,
 * a symmetric map, its own adjoint. It is the diagonal Pade approximant: exact at V = I, odd under
 * inversion of V; off by rounding for stretches of 1/2 to 2, by 1e-11 at 1/4
 * and 4, by 1e-7 at 1/8 and 8 (measured). */
#ifndef CQ_MATERIAL_HENCKY_H
#define CQ_MATERIAL_HENCKY_H

#include "material/lame.h"
#include "polar.h"

enum { CQ_HENCKY_NODES = 6 };

/* s^2 and the weight of node i (Abramowitz and Stegun, table 25.4) */
CQ_FN void hencky_node(int i, scalar *squared, scalar *weight) {
  const scalar nodes[CQ_HENCKY_NODES][2] = {
      {K(0.01568340660740045328), K(0.24914704581340277323)},
      {K(0.13530001165524824236), K(0.23349253653835480571)},
      {K(0.34494237942741723391), K(0.20316742672306592477)},
      {K(0.59275012773154167611), K(0.16007832854334622108)},
      {K(0.81742801326687497543), K(0.10693932599531842664)},
      {K(0.96346127870282172179), K(0.04717533638651182776)},
  };
  *squared = nodes[i][0];
  *weight = nodes[i][1];
}

typedef struct hencky_strain {
  polar p;
  mat W;    /* (V + I)^-1 */
  mat Z, H; /* symmetric, as W is: their inverse is the transposed one */
  mat inverse_t;
  real log_J;
} hencky_strain;

CQ_FN mat hencky_resolvent(scalar squared, mat Z2) {
  return mat_inverse_transpose(mat_axpy(mat_identity(), real_splat(-squared), Z2));
}

/* The logarithm of the stretch, by quadrature over resolvents, and what its adjoint needs again. */
CQ_FN_APART void hencky_strain_of(const mat *at, hencky_strain *out) {
  const mat F = *at;
  hencky_strain e;
  e.p = polar_decompose(F);
  const mat V = mat_mul_t(mat_mul(e.p.R, e.p.S), e.p.R);
  e.W = mat_inverse_transpose(mat_add(V, mat_identity()));
  e.Z = mat_mul(mat_sub(V, mat_identity()), e.W);
  const mat Z2 = mat_mul(e.Z, e.Z);
  mat sum = mat_zero();
  for (int i = 0; i < CQ_HENCKY_NODES; i++) {
    scalar squared, weight;
    hencky_node(i, &squared, &weight);
    sum = mat_axpy(sum, real_splat(K(2) * weight), hencky_resolvent(squared, Z2));
  }
  e.H = mat_mul(e.Z, sum);
  e.inverse_t = mat_inverse_transpose(F);
  e.log_J = real_log(mat_det(F));
  *out = e;
}

/* dF = dL/dF of dH = dL/dH, symmetric */
CQ_FN_APART void hencky_strain_adjoint(const hencky_strain *e, const mat *F, const mat *dH,
                                       mat *dF) {
  const mat Z2 = mat_mul(e->Z, e->Z), turned = mat_mul(mat_mul(e->Z, *dH), e->Z);
  mat dZ = mat_zero();
  for (int i = 0; i < CQ_HENCKY_NODES; i++) {
    scalar squared, weight;
    hencky_node(i, &squared, &weight);
    const mat N = hencky_resolvent(squared, Z2);
    const mat inner = mat_axpy(*dH, real_splat(squared), turned);
    dZ = mat_axpy(dZ, real_splat(K(2) * weight), mat_mul(mat_mul(N, inner), N));
  }
  /* Z = I - 2 W, V = F R^T */
  const mat dV = mat_scale(real_splat(K(2)), mat_mul(mat_mul(e->W, dZ), e->W));
  *dF = mat_add(mat_mul(dV, e->p.R), polar_tangent(e->p, mat_mul(dV, *F)));
}

CQ_FN mat hencky_kirchhoff(lame l, const hencky_strain *e) {
  return mat_axpy(mat_scale(K(2) * l.mu, e->H), l.lambda * e->log_J, mat_identity());
}

CQ_FN real hencky_energy(lame l, mat F) {
  hencky_strain e;
  hencky_strain_of(&F, &e);
  return l.mu * mat_dot(e.H, e.H) + K(0.5) * l.lambda * e.log_J * e.log_J;
}

CQ_FN mat hencky_pk1(lame l, mat F) {
  hencky_strain e;
  hencky_strain_of(&F, &e);
  return mat_mul(hencky_kirchhoff(l, &e), e.inverse_t);
}

CQ_FN mat hencky_adjoint(lame l, mat F, mat dP, lame *dl) {
  hencky_strain e;
  hencky_strain_of(&F, &e);
  const mat P = mat_mul(hencky_kirchhoff(l, &e), e.inverse_t);
  const mat dtau = mat_mul_t(dP, e.inverse_t);
  const mat dH = mat_scale(l.mu, mat_add(dtau, mat_transpose(dtau)));
  const real along = mat_trace(dtau);
  dl->mu = dl->mu + K(2) * mat_dot(e.H, dtau);
  dl->lambda = dl->lambda + e.log_J * along;
  mat dF;
  hencky_strain_adjoint(&e, &F, &dH, &dF);
  dF = mat_axpy(dF, l.lambda * along, e.inverse_t);
  /* d(F^-T) in direction D is -F^-T D^T F^-T */
  return mat_sub(dF, mat_mul(mat_mul_t(e.inverse_t, dP), P));
}

CQ_FN real hencky_out_of_plane(lame l, mat F) {
  return l.lambda * real_log(mat_det(F));
}

CQ_FN mat hencky_out_of_plane_adjoint(lame l, mat F, real dP33, lame *dl) {
  dl->lambda = dl->lambda + dP33 * real_log(mat_det(F));
  return mat_scale(dP33 * l.lambda, mat_inverse_transpose(F));
}

#endif
