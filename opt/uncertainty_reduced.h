/* What reduced residuals (reduce.h) determine. */
#ifndef CQ_OPT_UNCERTAINTY_REDUCED_H
#define CQ_OPT_UNCERTAINTY_REDUCED_H

#include "cqopt/optimizer.h"

/* Whether residuals whose R [n][n] is the reduced Jacobian at x leave a direction of the variables
 * undetermined that are not on a bound, as far as the errors of R can tell. CQ_MEMORY. */
cq_status cq_reduced_is_singular(cq_ctx *ctx, const cq_problem *problem, const double *x,
                                 const double *R, bool *singular);

#endif
