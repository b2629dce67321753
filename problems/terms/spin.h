/* The spin of a rigid body in the frame of the world, in 2D anticlockwise. */
#ifndef CQ_TERMS_SPIN_H
#define CQ_TERMS_SPIN_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_spin "how fast a rigid body spins"

#define CQ_TERM_KEYS_spin(K)                                                                       \
  K(spin, direction, POINT, "", ANY, NONE, "", "axis",                                             \
    "the component along it: numbers, used as they are, or an axis, \"x\"")                        \
  K(spin, target, NUMBERS, "rad/s", ANY, NONE, "", "",                                             \
    "what it should be, a number or in 3D three, with direction a number: the distance from "      \
    "it is measured then")                                                                         \
  K(spin, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_spin {
  CQ_TERM_KEYS_spin(CQ_TERM_FIELD)
} cq_term_spin;

CQ_FN cq_of_rigid cq_spin_of(const cq_term_spin *keys, const cq_term_in *in) {
  const cq_of_rigid r = {cq_rigid_spins(in->dim), keys->direction, keys->target, keys->squared};
  return r;
}

CQ_FN wide cq_spin_value(const cq_term_spin *keys, const cq_term_in *in) {
  const cq_of_rigid r = cq_spin_of(keys, in);
  return cq_of_rigid_value(&r, in);
}

CQ_FN void cq_spin_adjoint(const cq_term_spin *keys, const cq_term_in *in, wide seed, wide *dz,
                           wide *du) {
  const cq_of_rigid r = cq_spin_of(keys, in);
  (void)du;
  cq_of_rigid_adjoint(&r, in, seed, dz);
}

#endif
