/* What is observed of a group of particles, z: 2 dim numbers, the mass-weighted mean position [m]
 * and mean velocity [m/s], then the CQ_Z_... below. */
#ifndef CQ_MATH_OBSERVED_H
#define CQ_MATH_OBSERVED_H

enum {
  CQ_Z_SQUARE, /* mass-weighted mean of |v|^2 [m^2/s^2] */
  CQ_Z_VOLUME, /* sum J_p V_p / sum V_p, J_p = det F_p */
  CQ_Z_ENERGY, /* elastic energy, sum V_p Psi(F_p) [J] */
  CQ_Z_STRESS, /* (sum V_p s_p^q / sum V_p)^(1/q) of the von Mises stresses s_p [Pa] */
  CQ_Z_MASS,   /* of the group [kg] */
  CQ_Z_SCALARS
};

/* where they stand in z */
#define CQ_Z(dim, what) (2 * (dim) + CQ_Z_##what)

/* VOLUME, ENERGY and STRESS cost time, so they are zero unless a group asks for them by these bits
 */
enum {
  CQ_OBSERVE_VOLUME = 1 << CQ_Z_VOLUME,
  CQ_OBSERVE_ENERGY = 1 << CQ_Z_ENERGY,
  CQ_OBSERVE_STRESS = 1 << CQ_Z_STRESS
};

#endif
