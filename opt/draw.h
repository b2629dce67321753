/* Starts for a method that finds the optimum near its start. */
#ifndef CQ_OPT_DRAW_H
#define CQ_OPT_DRAW_H

#include "cqopt/optimizer.h"

/* Starts 0 ... count - 1 into x [count][n]; start 0 is the problem's own. Each variable is drawn
 * between its bounds, and where one is missing between start - scale and start + scale. Of the
 * first 2^k starts, one lies in each of 2^k equal parts of every variable's range. A start depends
 * on the problem, the seed and its number, not on count. */
cq_status cq_draw_starts(cq_ctx *ctx, const cq_problem *problem, uint64_t seed, int count,
                         double *x);

#endif
