/* The force by which material, other rigid bodies and walls pushed a rigid body in the step that
 * led to the state, its mean over the step; of a contact that by which its first body pushed the
 * second. Gravity and the friction of the ground do not count. */
#ifndef CQ_TERMS_FORCE_H
#define CQ_TERMS_FORCE_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_force "what pushes a rigid body, or in a contact"

#define CQ_TERM_KEYS_force(K) CQ_OF_RIGID_KEYS(K, force, "N", "[x, y] or in 3D [x, y, z]")

typedef struct cq_term_force {
  CQ_TERM_KEYS_force(CQ_TERM_FIELD)
} cq_term_force;

CQ_TERM_OF_RIGID(force, in->dim)

#endif
