/* Small dense least squares with sign constraints. */
#ifndef CQ_OPT_LSQ_H
#define CQ_OPT_LSQ_H

#include "cqopt/base.h"

/* Finds mu [cols] that minimises |A mu + b|_2 with mu[0 .. n_signed) >= 0 and the rest free (Lawson
 * and Hanson's active set). A is row-major [rows][cols], rows >= cols; cols may be 0. Directions
 * with singular values below 1e-12 of the largest get the smallest mu. CQ_MEMORY, or CQ_OPTIMIZER
 * when the singular value decomposition does not converge. */
cq_status cq_lsq_signed(cq_ctx *ctx, int rows, int cols, int n_signed, const double *a,
                        const double *b, double *mu);

#endif
