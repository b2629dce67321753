/* One x simulated, in smaller steps where it takes them: for the evaluator, and for whoever
 * evaluates without a method. */
#ifndef CQ_OPT_ATTEMPT_H
#define CQ_OPT_ATTEMPT_H

#include "point.h"

/* Fills the point, whose x and index are set, by eval (first 0) or refined at level `first`, and
 * checks it; its violation is left NAN. A Jacobian comes from residuals at the same levels, with no
 * other derivatives. Where that fails numerically and def asks for smaller
 * steps, by refined at the levels above. Where these fail too, or cannot be had, the failure stands
 * with its own words, and the point is cleared. *simulations: calls of eval and refined, added. */
cq_status cq_attempt(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def, int first,
                     cq_want want, cq_point *point, int *simulations);

#endif
