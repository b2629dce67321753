/* A fit once more, from a start nearby. */
#ifndef CQ_OPT_REFIT_H
#define CQ_OPT_REFIT_H

#include "cqopt/uncertainty.h"

/* What memory (NULL: nothing) knows of the fit, or gauss_newton from x [n], which gets the best
 * design, and f; without probes, whose worth is that of a first fit. settled: the method ended by
 * itself. A numeric failure, or a fit without a feasible point, is CQ_OK with f NAN; statuses are
 * those that end a program. Leaves no error of its own behind. */
cq_status cq_refit(cq_ctx *ctx, const cq_problem *problem, const cq_fit_memory *memory, double *x,
                   double *f, bool *settled);

#endif
