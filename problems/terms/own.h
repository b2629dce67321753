/* Terms that are one quantity of an engine's own, OWN(...) of term_list.h. */
#ifndef CQ_TERMS_OWN_H
#define CQ_TERMS_OWN_H

#include "term.h"

/* The value of such a term and its adjoint. */
#define CQ_TERM_OF_OWN(name)                                                                       \
  CQ_FN wide cq_##name##_value(const cq_term_##name *keys, const cq_term_in *in) {                 \
    (void)keys;                                                                                    \
    return in->z[CQ_Z(in->dim, OWN)];                                                              \
  }                                                                                                \
  CQ_FN void cq_##name##_adjoint(const cq_term_##name *keys, const cq_term_in *in, wide seed,      \
                                 wide *dz, wide *du) {                                             \
    const int i = CQ_Z(in->dim, OWN);                                                              \
    (void)keys;                                                                                    \
    (void)du;                                                                                      \
    dz[i] = dz[i] + seed;                                                                          \
  }

#endif
