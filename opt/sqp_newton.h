/* The Newton systems of sqp_qp.c,
 *
 *   (B + D) x + A^T l = b_1      D [n] > 0 or 0, diagonal
 *   A x - E l = b_2              E [m] > 0, diagonal
 *
 * B = sigma I + P P^T - M M^T has few vectors (sqp_hessian.h), which are treated as rows of A with
 * E = 1 and -1, so that what is left is the diagonal: x goes, and a dense system in the multipliers
 * of all rows is solved. */
#ifndef CQ_OPT_SQP_NEWTON_H
#define CQ_OPT_SQP_NEWTON_H

#include "sqp_hessian.h"

typedef struct cq_sqp_newton {
  int n, m;
  int order;           /* 2 terms + m */
  const double **rows; /* [order] plus, minus, A */
  double *inverse;     /* [n] 1 / (sigma + D) */
  double *matrix;      /* [order][order] its factors */
  int *pivot;          /* [order] */
  double *right, *row; /* [order], [n] work */
} cq_sqp_newton;

/* For hessians with at most `most` terms of each kind. On failure nothing is held. */
cq_status cq_sqp_newton_create(cq_ctx *ctx, int n, int m, int most, cq_sqp_newton *out);
void cq_sqp_newton_destroy(cq_ctx *ctx, cq_sqp_newton *newton);
/* a [m][n] and the vectors of hessian are borrowed until the next call. */
void cq_sqp_newton_set_rows(cq_sqp_newton *newton, const cq_sqp_hessian *hessian, const double *a);
/* Factors the matrix of D [n] and E [m]; false when it is singular. */
bool cq_sqp_newton_factor(cq_sqp_newton *newton, double sigma, const double *d, const double *e);
/* x [n], l [m] for b_1 [n], b_2 [m] */
void cq_sqp_newton_solve(cq_sqp_newton *newton, const double *b_1, const double *b_2, double *x,
                         double *l);

#endif
