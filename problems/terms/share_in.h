/* The share of a set's mass that is in a box along the axes: 0 to 1. What is spilled or lifted is
 * the share in another box, and a flow is what has come into one by then. */
#ifndef CQ_TERMS_SHARE_IN_H
#define CQ_TERMS_SHARE_IN_H

#include "own.h"

#define CQ_TERM_ABOUT_share_in "share of a set's mass that is in a box"

#define CQ_TERM_KEYS_share_in(K)                                                                   \
  K(share_in, low, POINT, "m", ANY, REQUIRED, "", "", "lowest corner of the box")                  \
  K(share_in, high, POINT, "m", ANY, REQUIRED, "", "", "highest corner of the box")

typedef struct cq_term_share_in {
  CQ_TERM_KEYS_share_in(CQ_TERM_FIELD)
} cq_term_share_in;

CQ_TERM_OF_OWN(share_in)

#endif
