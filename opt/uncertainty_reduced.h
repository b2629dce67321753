/* What reduced residuals (reduce.h) determine. */
#ifndef CQ_OPT_UNCERTAINTY_REDUCED_H
#define CQ_OPT_UNCERTAINTY_REDUCED_H

#include "cqopt/optimizer.h"

/* Whether residuals whose R [n][n] is the reduced Jacobian at x leave a direction of the variables
 * undetermined, as far as the errors of R can tell. Variables on a bound count: along such a
 * direction f is the same, and a bound that a fit has run into tells nothing. CQ_MEMORY. */
cq_status cq_reduced_is_singular(cq_ctx *ctx, const cq_problem *problem, const double *x,
                                 const double *R, bool *singular);

/* A constraint with the gradient row [n] as a row `out` [n] of such a Jacobian jac [n][n], of a
 * size as its columns have it: it holds what they leave open. */
void cq_hold_row(const cq_problem *problem, const double *jac, const double *row, double *out);

#endif
