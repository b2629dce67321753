/* Projected gradient descent with steps whose length is searched for: x <- P(x - a g), a shortened
 * until f falls enough. */
#ifndef CQ_OPT_LINE_DESCENT_H
#define CQ_OPT_LINE_DESCENT_H

#include "method.h"

typedef struct cq_line_rule cq_line_rule;
extern const cq_line_rule cq_line_armijo, cq_line_barzilai_borwein;

cq_status cq_line_descend(cq_run *run, const cq_line_rule *rule);

#endif
