/* A design simulated again from starts that differ by next to nothing, where runs are chaotic: the
 * best of many runs is also the luckiest one, and what the design is worth is the mean. */
#ifndef CQ_OPT_REPEATS_H
#define CQ_OPT_REPEATS_H

#include "evaluator.h"

/* What def asks for and the problem has; 0: none. */
int cq_repeats_wanted(const cq_problem *problem, const cq_optimizer_def *def);
/* Simulates the point, whose f is known, unless `out` is of it already. A numeric failure counts in
 * out->failed; any other status ends the run, and out is of no point. */
cq_status cq_repeats_run(cq_evaluator *evaluator, const cq_point *point, cq_repeats *out);
/* f and violation that a point may be judged by: its own, or the means where it was repeated, which
 * are INFINITY where one of these runs failed. */
double cq_repeats_f(const cq_repeats *repeats, double f);
double cq_repeats_violation(const cq_repeats *repeats, double violation);
/* The rule optimizer.target for the point that was evaluated last: the run ends where it is
 * reached, by the mean of the re-runs where there are some. */
void cq_repeats_check_target(cq_evaluator *evaluator);

#endif
