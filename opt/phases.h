/* A run in one phase, or in two (cq_optimizer_def.phases): first the method looks for a feasible
 * point with an objective of 0, then it solves the problem from there. */
#ifndef CQ_OPT_PHASES_H
#define CQ_OPT_PHASES_H

#include "method.h"

/* run->method->run once or twice; the best point of the evaluator is where it begins. */
cq_status cq_phases_run(cq_run *run);

#endif
