/* The torque about its centre of mass by which material, other rigid bodies and walls pushed a
 * rigid body in the step that led to the state, its mean over the step. */
#ifndef CQ_TERMS_TORQUE_H
#define CQ_TERMS_TORQUE_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_torque "torque of what pushes a rigid body"

#define CQ_TERM_KEYS_torque(K) CQ_OF_RIGID_KEYS(K, torque, "N m", "a number or in 3D three")

typedef struct cq_term_torque {
  CQ_TERM_KEYS_torque(CQ_TERM_FIELD)
} cq_term_torque;

CQ_TERM_OF_RIGID(torque, cq_rigid_spins(in->dim))

#endif
