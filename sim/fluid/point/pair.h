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

/* One layer of samples stands for all that is behind a surface. In a linear shear flow over a wall,
 * on a lattice, the fluid passes on this many times the momentum that such a layer takes. */
#define CQ_FLUID_WALL_DRAG K(CQ_DIM == 2 ? 1.85 : 1.92)

#endif
