/* Whether a method takes gradients, and what one costs on this problem and machine. */
#ifndef CQ_CLI_GRADIENT_COST_H
#define CQ_CLI_GRADIENT_COST_H

#include "cqopt/optimizer.h"

/* Does the method of that name ask for gradients? */
bool cli_takes_gradients(const char *name);
/* The processor time of a value with its gradient in units of that of a value, at the start of the
 * problem, to a tenth and at least 1: the least of some times each. *seconds: of a value. */
cq_status cli_gradient_cost_measure(cq_ctx *ctx, const cq_problem *problem, double *cost,
                                    double *seconds);

#endif
