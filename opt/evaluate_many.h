/* Values at several points at once, for methods with a population. */
#ifndef CQ_OPT_EVALUATE_MANY_H
#define CQ_OPT_EVALUATE_MANY_H

#include "candidate.h"
#include "evaluator.h"

/* Evaluates x [count][n] in this order, as cq_evaluate does one after the other, and says what each
 * is worth; a violation within the tolerance of the run counts as 0. The problem hears of them
 * beforehand (cq_problem.ahead), after they are moved onto the bounds. False: the run has ended,
 * and what is in out means nothing. */
bool cq_evaluate_many(cq_evaluator *evaluator, int count, double *x, cq_candidate *out);

/* The same of a point that is known. */
cq_candidate cq_candidate_of(const cq_evaluator *evaluator, const cq_point *point);

/* CQ_CONFIG when sigma makes no sense. */
cq_status cq_sigma_check(cq_ctx *ctx, const cq_optimizer_def *def);

#endif
