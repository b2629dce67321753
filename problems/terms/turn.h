/* How far a rigid body is turned from where the file has it: in 2D an angle, which goes on after a
 * full turn; in 3D an axis times an angle of at most pi, which jumps there. */
#ifndef CQ_TERMS_TURN_H
#define CQ_TERMS_TURN_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_turn "how far a rigid body is turned from where the file has it"

#define CQ_TERM_KEYS_turn(K)                                                                       \
  K(turn, direction, POINT, "", ANY, NONE, "", "axis",                                             \
    "the component along it: numbers, used as they are, or an axis, \"x\"")                        \
  K(turn, target, NUMBERS, "rad", ANY, NONE, "", "",                                               \
    "what it should be, a number or in 3D three, with direction a number: the distance from "      \
    "it is measured then")                                                                         \
  K(turn, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_turn {
  CQ_TERM_KEYS_turn(CQ_TERM_FIELD)
} cq_term_turn;

CQ_FN cq_of_rigid cq_turn_of(const cq_term_turn *keys, const cq_term_in *in) {
  const cq_of_rigid r = {cq_rigid_spins(in->dim), keys->direction, keys->target, keys->squared};
  return r;
}

CQ_FN wide cq_turn_value(const cq_term_turn *keys, const cq_term_in *in) {
  const cq_of_rigid r = cq_turn_of(keys, in);
  return cq_of_rigid_value(&r, in);
}

CQ_FN void cq_turn_adjoint(const cq_term_turn *keys, const cq_term_in *in, wide seed, wide *dz,
                           wide *du) {
  const cq_of_rigid r = cq_turn_of(keys, in);
  (void)du;
  cq_of_rigid_adjoint(&r, in, seed, dz);
}

#endif
