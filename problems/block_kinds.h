/* What can be designed: the kinds of block_list.h, and inputs of the engines. */
#ifndef CQ_PROBLEMS_BLOCK_KINDS_H
#define CQ_PROBLEMS_BLOCK_KINDS_H

#include "design.h"

typedef enum cq_belongs {
  CQ_BELONGS_FIELD,
  CQ_BELONGS_BODY,
  CQ_BELONGS_PART,
  CQ_BELONGS_SCENE,
  CQ_BELONGS_TERM
} cq_belongs;

struct cq_block_kind {
  const char *name;
  const cq_block_type *type;
  cq_belongs belongs;
};

/* Kind i in the order of the words of `variable`; NULL: there are no more. */
const cq_block_kind *cq_block_kind_at(int i);

#endif
