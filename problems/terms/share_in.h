/* The share of a set's mass that is in a box along the axes, 0 to 1; with `target` the square of
 * what it misses that by. What is spilled or lifted is the share in another box, and a flow is what
 * has come into one by then. */
#ifndef CQ_TERMS_SHARE_IN_H
#define CQ_TERMS_SHARE_IN_H

#include "term.h"

#define CQ_TERM_ABOUT_share_in "share of a set's mass that is in a box"

#define CQ_TERM_KEYS_share_in(K)                                                                   \
  K(share_in, low, POINT, "m", ANY, REQUIRED, "", "", "lowest corner of the box")                  \
  K(share_in, high, POINT, "m", ANY, REQUIRED, "", "", "highest corner of the box")                \
  K(share_in, target, NUMBER, "", FRACTION, NONE, "", "",                                          \
    "share that is wanted: the term is the square of what it is missed by")

typedef struct cq_term_share_in {
  CQ_TERM_KEYS_share_in(CQ_TERM_FIELD)
} cq_term_share_in;

CQ_FN int cq_share_in_aims(const cq_term_share_in *keys) {
  return keys->target == keys->target; /* it is given */
}

CQ_FN wide cq_share_in_value(const cq_term_share_in *keys, const cq_term_in *in) {
  const wide share = in->z[CQ_Z(in->dim, OWN)];
  return cq_share_in_aims(keys) ? (share - keys->target) * (share - keys->target) : share;
}

CQ_FN void cq_share_in_adjoint(const cq_term_share_in *keys, const cq_term_in *in, wide seed,
                               wide *dz, wide *du) {
  const int i = CQ_Z(in->dim, OWN);
  wide slope = 1.0;
  if (cq_share_in_aims(keys)) {
    slope = 2.0 * (in->z[i] - keys->target);
  }
  (void)du;
  dz[i] = dz[i] + seed * slope;
}

#endif
