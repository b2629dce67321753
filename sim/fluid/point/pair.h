/* What particles do to each other beside pressure. */
#ifndef CQ_FLUID_PAIR_H
#define CQ_FLUID_PAIR_H

#include "kernel.h"

/* Viscosity (Morris et al. 1997): the force on a volume is
 *   2 sum_j V_j mu r^2/(r^2 + h^2/10^4) W'/r (v_i - v_j).
 * with V_j and V_i the volumes that the particles have at their densities of now.
 * It needs second moments of the neighbours alone, and is right within 4 % on lattices, sheared or
 * not; the form with (v . x) x in place of r^2 v, which would keep angular momentum to rounding
 * too, is 27 % too weak between layers that slide. This is the factor of v_i - v_j in one pair;
 * slope is V_j W'/r, square is r^2. */
CQ_FN real pair_viscosity(const kernel *k, real viscosity, real slope, real square) {
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
