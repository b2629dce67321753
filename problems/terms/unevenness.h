/* How unevenly a set of grains lies along the first axis: the root mean square, over columns of the
 * room, of what a column's mass differs by from the mean, by the mean. A level bed has 0. */
#ifndef CQ_TERMS_UNEVENNESS_H
#define CQ_TERMS_UNEVENNESS_H

#include "own.h"

#define CQ_TERM_ABOUT_unevenness "how unevenly grains lie along the first axis"

#define CQ_TERM_KEYS_unevenness(K)                                                                 \
  K(unevenness, columns, NUMBER, "", COLUMNS, "12", "", "", "of the room that are compared")

typedef struct cq_term_unevenness {
  CQ_TERM_KEYS_unevenness(CQ_TERM_FIELD)
} cq_term_unevenness;

CQ_TERM_OF_OWN(unevenness)

#endif
