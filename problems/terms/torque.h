/* The torque about its centre of mass by which material, other rigid bodies and walls pushed a
 * rigid body in the step that led to the state, its mean over the step. */
#ifndef CQ_TERMS_TORQUE_H
#define CQ_TERMS_TORQUE_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_torque "torque of what pushes a rigid body"

#define CQ_TERM_KEYS_torque(K)                                                                     \
  K(torque, direction, POINT, "", ANY, NONE, "", "axis",                                           \
    "the component along it: numbers, used as they are, or an axis, \"x\"")                        \
  K(torque, target, NUMBERS, "N m", ANY, NONE, "", "",                                             \
    "what it should be, a number or in 3D three, with direction a number: the distance from "      \
    "it is measured then")                                                                         \
  K(torque, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_torque {
  CQ_TERM_KEYS_torque(CQ_TERM_FIELD)
} cq_term_torque;

CQ_FN cq_of_rigid cq_torque_of(const cq_term_torque *keys, const cq_term_in *in) {
  const cq_of_rigid r = {cq_rigid_spins(in->dim), keys->direction, keys->target, keys->squared};
  return r;
}

CQ_FN wide cq_torque_value(const cq_term_torque *keys, const cq_term_in *in) {
  const cq_of_rigid r = cq_torque_of(keys, in);
  return cq_of_rigid_value(&r, in);
}

CQ_FN void cq_torque_adjoint(const cq_term_torque *keys, const cq_term_in *in, wide seed, wide *dz,
                             wide *du) {
  const cq_of_rigid r = cq_torque_of(keys, in);
  (void)du;
  cq_of_rigid_adjoint(&r, in, seed, dz);
}

#endif
