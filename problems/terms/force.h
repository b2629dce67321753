/* The force by which material, other rigid bodies and walls pushed a rigid body in the step that
 * led to the state, its mean over the step. Gravity and the friction of the ground do not count. */
#ifndef CQ_TERMS_FORCE_H
#define CQ_TERMS_FORCE_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_force "what pushes a rigid body"

#define CQ_TERM_KEYS_force(K)                                                                      \
  K(force, direction, POINT, "", ANY, NONE, "", "axis",                                            \
    "the component along it: numbers, used as they are, or an axis, \"x\"")                        \
  K(force, target, NUMBERS, "N", ANY, NONE, "", "",                                                \
    "what it should be, [x, y] or in 3D [x, y, z], with direction a number: the distance from "    \
    "it is measured then")                                                                         \
  K(force, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_force {
  CQ_TERM_KEYS_force(CQ_TERM_FIELD)
} cq_term_force;

CQ_FN cq_of_rigid cq_force_of(const cq_term_force *keys, const cq_term_in *in) {
  const cq_of_rigid r = {in->dim, keys->direction, keys->target, keys->squared};
  return r;
}

CQ_FN wide cq_force_value(const cq_term_force *keys, const cq_term_in *in) {
  const cq_of_rigid r = cq_force_of(keys, in);
  return cq_of_rigid_value(&r, in);
}

CQ_FN void cq_force_adjoint(const cq_term_force *keys, const cq_term_in *in, wide seed, wide *dz,
                            wide *du) {
  const cq_of_rigid r = cq_force_of(keys, in);
  (void)du;
  cq_of_rigid_adjoint(&r, in, seed, dz);
}

#endif
