/* What particles do to each other beside pressure. */
#ifndef CQ_FLUID_PAIR_H
#define CQ_FLUID_PAIR_H

#include "kernel.h"

/* Viscosity: the force on a volume is
 *   -(2/m) sum_j V_j mu f(r/h) ((v_i - v_j) . x_ij) x_ij,  m = int f x^2 y^2 dV.
 * V_j and V_i are the volumes that the particles have at their densities of now. Forces are
 * central: moments add up to 0, and a fluid that turns as if it were rigid feels nothing. That
 * takes fourth moments of the neighbours, and f = (1 - q)^2.5 in 2D, (1 - q)^2.25 in 3D, is where
 * those of a lattice have no preferred axis: 1.08 to 1.10 of what they should be. Where layers of
 * it have slid by half a spacing they are 0.93 to 1.01, 1.02 on the way there. (With f = W'/r^3, of
 * Monaghan, they are 0.66 along the axes of a lattice and 1.36 along its diagonals.) This is the
 * factor of
 * ((v_i - v_j) . x_ij) x_ij in one pair; square is r^2. */
CQ_FN real pair_viscosity(const kernel *k, real viscosity, real volume, real square) {
  const double pi = 3.14159265358979323846;
  /* m: h^6 B(6, 3.5) pi/4, h^7 B(7, 3.25) 4 pi/15 */
  const scalar h2 = k->h * k->h, h6 = h2 * h2 * h2;
  const scalar m = CQ_DIM == 2 ? K(0.00334306216659158 * pi / 4.0) * h6
                               : K(0.00287135702957204 * 4.0 * pi / 15.0) * h6 * k->h;
  const real left = kernel_positive(K(1) - real_sqrt(square) * k->inverse);
  const real root = real_sqrt(left), more = CQ_DIM == 2 ? root : real_sqrt(root);
  return K(-2 * 1.035) / m * viscosity * volume * (left * left * more);
}

/* At samples that drag (Morris et al. 1997): the force on a volume is
 *   2 sum_b V_b mu r^2/(r^2 + h^2/10^4) W'/r (v_i - v_b),
 * with what belongs to the sample moving as it does at the particle, where it takes the force, too:
 * so moments are kept here as well. This is the factor of v_i - v_b. */
CQ_FN real pair_drag(const kernel *k, real viscosity, real slope, real square) {
  const scalar soft = K(1e-4) * k->h * k->h;
  return K(2) * viscosity * slope * square / (square + soft);
}

/* Surface tension (Akinci et al. 2013). The acceleration of i is -gamma sum_j K_ij
 * (m_j C(r) x_ij/r + n_i - n_j), with n = h sum V_j grad W over the fluid and K_ij = 2/(d_i + d_j),
 * d the densities as parts of those at rest. This is C: it pulls beyond half a support and pushes
 * below. In 2D masses are per metre, and so is C. */
CQ_FN real pair_cohesion(const kernel *k, real r) {
  const double pi = 3.14159265358979323846;
  const scalar h = k->h, h3 = h * h * h;
  const scalar norm = K(32.0 / pi) / (CQ_DIM == 3 ? h3 * h3 * h3 : h3 * h3 * h * h);
  const real beyond = h - r, both = beyond * beyond * beyond * r * r * r;
  const real near = K(2) * both - h3 * h3 * K(1.0 / 64.0);
  return real_select(beyond > K(0), norm * real_select(r > K(0.5) * h, both, near),
                     real_splat(K(0)));
}

/* One layer of samples stands for all that is behind a surface. In a linear shear flow over a wall,
 * on a lattice, the fluid passes on this many times the momentum that such a layer takes. */
#define CQ_FLUID_WALL_DRAG K(CQ_DIM == 2 ? 1.85 : 1.92)

#endif
