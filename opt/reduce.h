/* Residuals and their Jacobian, reduced to as many rows as there are variables. */
#ifndef CQ_OPT_REDUCE_H
#define CQ_OPT_REDUCE_H

#include "cqopt/optimizer.h"

/* Turns r [m] and jac [m][n] by the orthogonal matrix of a QR decomposition of jac: reduced [n]
 * rows q_i, R_i0 ... R_in-1 with |r|^2 = |q|^2 + rest and jac^T jac = R^T R, jac^T r = R^T q. So a
 * record holds all that a step or an error bar needs, however many residuals there are. CQ_MEMORY.
 */
cq_status cq_reduce(cq_ctx *ctx, int m, int n, const double *r, const double *jac, double *reduced);

/* f and reduced at x, by problem->residuals at this level; a status of theirs. What is not finite
 * is left to the caller to find. */
cq_status cq_reduce_at(cq_ctx *ctx, const cq_problem *problem, int level, const double *x,
                       double *f, double *reduced);

#endif
