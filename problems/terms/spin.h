/* The spin of a rigid body in the frame of the world, in 2D anticlockwise. */
#ifndef CQ_TERMS_SPIN_H
#define CQ_TERMS_SPIN_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_spin "how fast a rigid body spins"

#define CQ_TERM_KEYS_spin(K) CQ_OF_RIGID_KEYS(K, spin, "rad/s", "a number or in 3D three")

typedef struct cq_term_spin {
  CQ_TERM_KEYS_spin(CQ_TERM_FIELD)
} cq_term_spin;

CQ_TERM_OF_RIGID(spin, cq_rigid_spins(in->dim))

#endif
