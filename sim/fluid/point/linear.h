/* Derivatives of the point formulas, for the exact gradients. The change of a slope by a change of
 * x_i - x_j is bend * (x_i - x_j) . change, that of a kernel's value slope * (x_i - x_j) . change.
 */
#ifndef CQ_FLUID_LINEAR_H
#define CQ_FLUID_LINEAR_H

#include "pair.h"

/* (W'(r)/r)'/r; 0 at a distance of 0, where it has no limit and nothing acts */
CQ_FN real kernel_bend(const kernel *k, real q) {
  const truth near = q<K(0.5), apart = q> K(1e-12);
  const scalar scale = k->steep * k->inverse * k->inverse;
  const real safe = real_select(apart, q, real_splat(K(1)));
  const real outer = kernel_positive(K(1) - q);
  const real far = outer * (K(1) + q) / (safe * safe * safe);
  const real bend = scale * real_select(near, K(3) / safe, far);
  return real_select(apart, bend, real_splat(K(0)));
}

/* pair_viscosity by the square, per what it is */
CQ_FN real pair_viscosity_rate(const kernel *k, real square) {
  const real r = real_sqrt(square), left = kernel_positive(K(1) - r * k->inverse);
  const truth acts = truth_and(left > K(0), r > K(0));
  const scalar power = CQ_DIM == 2 ? K(2.5) : K(2.25);
  const real below = real_select(acts, left * r, real_splat(K(1)));
  return real_select(acts, -(K(0.5) * power * k->inverse) / below, real_splat(K(0)));
}

/* of pair_drag for a viscosity of 1 and V_b = 1: its change by x_i - x_b is rate * (x_i - x_b) .
 * change */
CQ_FN real pair_drag_rate(const kernel *k, real slope, real bend, real square) {
  const scalar soft = K(1e-4) * k->h * k->h;
  const real part = K(1) / (square + soft);
  return K(2) * (bend * square * part + slope * K(2) * soft * part * part);
}

/* of pair_cohesion(r)/r: its change by x_i - x_j is rate * (x_i - x_j) . change; r > 0 */
CQ_FN real pair_cohesion_rate(const kernel *k, real r) {
  const double pi = 3.14159265358979323846;
  const scalar h = k->h, h3 = h * h * h;
  const scalar norm = K(32.0 / pi) / (CQ_DIM == 3 ? h3 * h3 * h3 : h3 * h3 * h * h);
  const real beyond = kernel_positive(h - r);
  const real slope = K(3) * norm * beyond * beyond * r * r * (h - K(2) * r);
  const real steep = real_select(r > K(0.5) * h, slope, K(2) * slope);
  return (steep - pair_cohesion(k, r) / r) / (r * r);
}

/* S grad + T (D . grad) D: what a change of V grad W, to which L changes by `grad`, says of D. */
CQ_FN vec linear_pull(real slope, real bend, vec d, vec grad) {
  return vec_axpy(vec_scale(slope, grad), bend * vec_dot(d, grad), d);
}

#endif
