/* What a term sees of a set of particles, z: 2 dim numbers, the mean position [m] and the mean
 * velocity [m/s], then the CQ_Z_... below. What it does not name in term_list.h is zero. */
#ifndef CQ_MATH_OBSERVED_H
#define CQ_MATH_OBSERVED_H

enum {
  CQ_Z_SQUARE, /* mean of |v|^2 [m^2/s^2] */
  CQ_Z_MASS,   /* [kg] */
  CQ_Z_OWN,    /* the quantity of the engine's own that the term names, or three of a rigid body */
  CQ_Z_SCALARS = CQ_Z_OWN + 3
};

/* where they stand in z, and how long it is */
#define CQ_Z(dim, what) (2 * (dim) + CQ_Z_##what)
#define CQ_Z_SIZE(dim)  (2 * (dim) + CQ_Z_SCALARS)

#endif
