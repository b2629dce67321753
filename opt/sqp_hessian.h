/* A limited-memory BFGS matrix of the Lagrangian,
 *
 *   B = sigma I + sum_i plus_i plus_i^T - sum_i minus_i minus_i^T
 *
 * (Nocedal and Wright, Numerical Optimization, section 7.2, the formula unrolled; the same matrix
 * as the compact form of Byrd, Nocedal and Schnabel, Math. Program. 63, 1994). What is remembered
 * are steps s and, for each function, how its gradient changed by them: the curvature is that of
 * the Lagrangian with the present multipliers, not with those of the time. */
#ifndef CQ_OPT_SQP_HESSIAN_H
#define CQ_OPT_SQP_HESSIAN_H

#include "cqopt/base.h"

typedef struct cq_sqp_hessian {
  int n, m;             /* variables, constraints */
  int most, count;      /* pairs: that fit, that there are */
  double sigma;         /* > 0; of the identity alone while there are no pairs */
  double **s, **y;      /* [most] of [n] and of [1 + m][n], oldest first; row 0 is of f */
  double *plus, *minus; /* [most][n] */
  int terms;            /* of each that build made */
  double *row;          /* [n] work */
  int n_base;           /* rows of */
  double *base;         /* [n_base][n] G: B is sigma I + G^T G then, without pairs */
} cq_sqp_hessian;

/* All-or-nothing. */
cq_status cq_sqp_hessian_create(cq_ctx *ctx, int n, int m, int most, int n_base,
                                cq_sqp_hessian *out);
/* Takes over base, which the caller has filled: sigma is next to nothing beside it, or 1 where
 * it is 0. */
void cq_sqp_hessian_rebase(cq_sqp_hessian *hessian);
/* What B is about, for sizes: sigma, or the mean of what is on the diagonal of G^T G. */
double cq_sqp_hessian_size(const cq_sqp_hessian *hessian);
void cq_sqp_hessian_destroy(cq_ctx *ctx, cq_sqp_hessian *hessian);
/* Forgets all pairs. */
void cq_sqp_hessian_reset(cq_sqp_hessian *hessian);
/* Space for the next pair, in the place of the oldest when there is no other: the caller fills the
 * step s [n] and the changes y [1 + m][n]. */
void cq_sqp_hessian_add(cq_sqp_hessian *hessian, double **s, double **y);
/* plus, minus, terms and sigma for the multipliers [m]. Pairs without positive curvature are mixed
 * with B's own (Powell's damping), so that B stays positive definite. */
void cq_sqp_hessian_build(cq_sqp_hessian *hessian, const double *multipliers);
/* out = B x */
void cq_sqp_hessian_multiply(const cq_sqp_hessian *hessian, const double *x, double *out);

#endif
