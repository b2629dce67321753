/* What a method is told about an x that could not be evaluated (cq_failure_policy).
 *
 * With d = (x - x_best) / scale, and q = 1 + sum_j h(d_j), h(d) = d^2 / 2 up to |d| = 1000 and as
 * steep as there beyond:
 *
 *   penalty     f = f_worst + size q, size = max(f_scale, f_worst - f_best); c of the best point
 *   infeasible  c_i = size_i q for inequalities, size_i the largest |c_i| seen; f, h of the best
 *
 * with the gradients of just these functions: finite, and downhill is back to the best point. */
#ifndef CQ_OPT_FAILURE_H
#define CQ_OPT_FAILURE_H

#include "evaluator.h"

/* Notes a point that succeeded: the sizes above are those of what was seen. */
void cq_failure_note(cq_evaluator *ev, const cq_point *point);
/* Fills all but x and index of the point, which is marked as failed. A best point must exist. */
void cq_failure_substitute(const cq_evaluator *ev, cq_point *point);
/* CQ_CONFIG when the problem has not what the policy needs. */
cq_status cq_failure_check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem);

#endif
