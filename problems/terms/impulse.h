/* The impulse of a contact between bodies, "contact.[0]": all that its first body gave to the
 * second until the state. */
#ifndef CQ_TERMS_IMPULSE_H
#define CQ_TERMS_IMPULSE_H

#include "of_rigid.h"

#define CQ_TERM_ABOUT_impulse "impulse of a contact so far"

#define CQ_TERM_KEYS_impulse(K) CQ_OF_RIGID_KEYS(K, impulse, "N s", "[x, y] or in 3D [x, y, z]")

typedef struct cq_term_impulse {
  CQ_TERM_KEYS_impulse(CQ_TERM_FIELD)
} cq_term_impulse;

CQ_TERM_OF_RIGID(impulse, in->dim)

#endif
