/* How unevenly a set of grains lies along the first axis: the root mean square, over columns of the
 * room, of what a column's mass differs by from the mean, by the mean. A level bed has 0. */
#ifndef CQ_TERMS_UNEVENNESS_H
#define CQ_TERMS_UNEVENNESS_H

#include "term.h"

#define CQ_TERM_ABOUT_unevenness "how unevenly grains lie along the first axis"

#define CQ_TERM_KEYS_unevenness(K)                                                                 \
  K(unevenness, columns, NUMBER, "", COLUMNS, "12", "", "", "of the room that are compared")

typedef struct cq_term_unevenness {
  CQ_TERM_KEYS_unevenness(CQ_TERM_FIELD)
} cq_term_unevenness;

CQ_FN wide cq_unevenness_value(const cq_term_unevenness *keys, const cq_term_in *in) {
  (void)keys;
  return in->z[CQ_Z(in->dim, OWN)];
}

CQ_FN void cq_unevenness_adjoint(const cq_term_unevenness *keys, const cq_term_in *in, wide seed,
                                 wide *dz, wide *du) {
  (void)keys;
  (void)du;
  const int i = CQ_Z(in->dim, OWN);
  dz[i] = dz[i] + seed;
}

#endif
