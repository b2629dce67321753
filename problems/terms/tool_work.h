/* Work that a rigid body has done on what it pushed since the start. */
#ifndef CQ_TERMS_TOOL_WORK_H
#define CQ_TERMS_TOOL_WORK_H

#include "term.h"

#define CQ_TERM_ABOUT_tool_work "work that a rigid body has done on what it pushed"

#define CQ_TERM_KEYS_tool_work(K)

typedef struct cq_term_tool_work {
  int none; /* C has no empty struct */
} cq_term_tool_work;

CQ_FN wide cq_tool_work_value(const cq_term_tool_work *keys, const cq_term_in *in) {
  (void)keys;
  return in->z[CQ_Z(in->dim, OWN)];
}

CQ_FN void cq_tool_work_adjoint(const cq_term_tool_work *keys, const cq_term_in *in, wide seed,
                                wide *dz, wide *du) {
  (void)keys;
  (void)du;
  const int i = CQ_Z(in->dim, OWN);
  dz[i] = dz[i] + seed;
}

#endif
