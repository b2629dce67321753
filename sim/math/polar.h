/* Polar decomposition F = R S with R a proper rotation for every F, and its derivative.
 *
 * R maximises tr(R^T F). With singular values s1 >= s2 >= |s3|, the last one carrying the sign of
 * det F, tr S = s1 + s2 (+ s3), and R = d(tr S)/dF. The derivative is
 *   dR = R W,  W skew,  W S + S W = R^T D - D^T R,
 * whose eigenvalues are the sums s_i + s_j: no difference of singular values ever stands in a
 * denominator, so F = I and repeated stretches need no special case. The sums are >= 0 and vanish
 * only where the rotation itself is undefined; there they are held at 1e-6.
 *
 * 3D: tr S is the largest root of the characteristic quartic of the 4 x 4 matrix of the
 * orthogonal Procrustes problem (Horn 1987),
 *   p(t) = t^4 - 2 a t^2 - 8 J t + 2 b - a^2,  a = |F|^2, b = |F^T F|^2, J = det F,
 * found by Newton's method from above (t0 = sqrt(3 a) >= s1 + s2 + s3), and R = -(dp/dF)/(dp/dt).
 */
#ifndef CQ_MATH_POLAR_H
#define CQ_MATH_POLAR_H

#include "linalg.h"

#define CQ_POLAR_FLOOR K(1e-6)

typedef struct polar {
  mat R;
  mat S;         /* R^T F, symmetric */
  real trace;    /* tr S */
  truth clamped; /* a sum s_i + s_j is at or below the floor */
} polar;

CQ_FN real polar_floor(real a, real floor) {
  return real_select(a > floor, a, floor);
}

#if CQ_DIM == 2

CQ_FN polar polar_decompose(mat F) {
  polar p;
  const real c = F.m[0][0] + F.m[1][1];
  const real s = F.m[1][0] - F.m[0][1];
  const real squared = c * c + s * s;
  p.clamped = truth_not(squared > CQ_POLAR_FLOOR * CQ_POLAR_FLOOR);
  const real floored = polar_floor(squared, real_splat(CQ_POLAR_FLOOR * CQ_POLAR_FLOOR));
  const real inverse = real_inverse_sqrt(floored);
  p.trace = floored * inverse;
  p.R.m[0][0] = c * inverse;
  p.R.m[1][1] = c * inverse;
  p.R.m[1][0] = s * inverse;
  p.R.m[0][1] = -(s * inverse);
  p.S = mat_t_mul(p.R, F);
  return p;
}

/* dR in direction D. The map D -> dR is symmetric, so it is its own adjoint. */
CQ_FN mat polar_tangent(polar p, mat D) {
  const mat A = mat_t_mul(p.R, D);
  const real w = (A.m[1][0] - A.m[0][1]) / p.trace;
  mat W = mat_zero();
  W.m[1][0] = w;
  W.m[0][1] = -w;
  return mat_mul(p.R, W);
}

#else

/* largest root of p(t) */
CQ_FN real polar_largest_root(real a, real b, real J) {
  const real c0 = K(2) * b - a * a;
  const real tiny = real_splat(K(1e-30));
  real t = real_sqrt(K(3) * a) + tiny;
  /* a lane that has arrived stays as it is, whatever its neighbours still need */
  truth going = a >= K(0);
  for (int i = 0; i < 40; i++) {
    const real t2 = t * t;
    const real value = (t2 - K(2) * a) * t2 - K(8) * J * t + c0;
    const real slope = (K(4) * t2 - K(4) * a) * t - K(8) * J;
    const real step = value / (slope + tiny);
    /* from above the steps are positive until rounding stops them */
    t = real_select(truth_and(going, step > -(K(1e-2) * t)), t - step, t);
    going = truth_and(going, step > K(4) * CQ_EPSILON * t);
    if (real_all(truth_not(going))) {
      break;
    }
  }
  return t;
}

CQ_FN polar polar_decompose(mat F) {
  polar p;
  const mat FtF = mat_t_mul(F, F);
  const real a = mat_trace(FtF);
  const real b = mat_dot(FtF, FtF);
  const real J = mat_det(F);
  const real t = polar_largest_root(a, b, J);
  /* product = (s1+s2)(s2+s3)(s3+s1) = (dp/dt)/8, pairs = the sum of the pairwise products of those
   * sums; product/pairs is at most s2+s3 and near it when that is small, so it is what is floored
   */
  const real product = K(0.5) * ((t * t - a) * t) - J;
  const real pairs = t * t + K(0.5) * (t * t - a);
  const real floor = CQ_POLAR_FLOOR * pairs + K(1e-30);
  p.clamped = truth_not(product > floor);
  const real inverse = K(1) / (K(2) * polar_floor(product, floor));
  const mat FFtF = mat_mul(F, FtF);
  mat R = mat_scale((t * t + a) * inverse, F);
  R = mat_axpy(R, K(2) * t * inverse, mat_cofactor(F));
  R = mat_axpy(R, -(K(2) * inverse), FFtF);
  p.R = R;
  p.trace = t;
  const mat S = mat_t_mul(R, F);
  p.S = mat_scale(real_splat(K(0.5)), mat_add(S, mat_transpose(S)));
  return p;
}

/* dR in direction D. With w the axial vector of W, (tr S I - S) w = axial(R^T D - D^T R); the
 * matrix has eigenvalues s_i + s_j and is inverted by its cofactors. */
CQ_FN mat polar_tangent(polar p, mat D) {
  const mat A = mat_t_mul(p.R, D);
  mat M = mat_scale(real_splat(K(-1)), p.S);
  FOR_AXES(i) {
    M.m[i][i] = M.m[i][i] + p.trace;
  }
  const mat cofactor = mat_cofactor(M);
  const real floor = CQ_POLAR_FLOOR * mat_trace(cofactor) + K(1e-30);
  const real det = polar_floor(mat_det(M), floor);
  vec axial;
  axial.v[0] = A.m[2][1] - A.m[1][2];
  axial.v[1] = A.m[0][2] - A.m[2][0];
  axial.v[2] = A.m[1][0] - A.m[0][1];
  const vec w = vec_scale(K(1) / det, mat_vec(cofactor, axial));
  mat W = mat_zero();
  W.m[2][1] = w.v[0];
  W.m[1][2] = -w.v[0];
  W.m[0][2] = w.v[1];
  W.m[2][0] = -w.v[1];
  W.m[1][0] = w.v[2];
  W.m[0][1] = -w.v[2];
  return mat_mul(p.R, W);
}

#endif

#endif
