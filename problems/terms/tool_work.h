/* Work that a rigid body has done on what it pushed since the start. */
#ifndef CQ_TERMS_TOOL_WORK_H
#define CQ_TERMS_TOOL_WORK_H

#include "own.h"

#define CQ_TERM_ABOUT_tool_work "work that a rigid body has done on what it pushed"

#define CQ_TERM_KEYS_tool_work(K)

typedef struct cq_term_tool_work {
  int none; /* C has no empty struct */
} cq_term_tool_work;

CQ_TERM_OF_OWN(tool_work)

#endif
