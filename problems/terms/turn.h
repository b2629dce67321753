/* How far a rigid body is turned from where the file has it: in 2D an angle, which goes on after a
 * full turn; in 3D an axis times an angle of at most pi, which jumps there. */
#ifndef CQ_TERMS_TURN_H
#define CQ_TERMS_TURN_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_turn "how far a rigid body is turned from where the file has it"

#define CQ_TERM_KEYS_turn(K) CQ_OF_RIGID_KEYS(K, turn, "rad", "a number or in 3D three")

typedef struct cq_term_turn {
  CQ_TERM_KEYS_turn(CQ_TERM_FIELD)
} cq_term_turn;

CQ_TERM_OF_RIGID(turn, cq_rigid_spins(in->dim))

#endif
