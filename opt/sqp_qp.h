/* The quadratic problem of a step of sqp,
 *
 *   minimise g^T d + d^T B d / 2 + gamma sum_i v_i(c_i + a_i^T d)   subject to lower <= d <= upper,
 *
 * v_i(r) = max(r, 0) for inequalities, |r| for equalities: constraints that cannot all hold are
 * violated by what gamma leaves worth it. The multipliers lie in [0, gamma] and [-gamma, gamma];
 * where they lie inside, the constraints hold, and it is the problem with constraints.
 *
 * Solved by Mehrotra's predictor and corrector (SIAM J. Optim. 2, 1992). B is diagonal but for a
 * few vectors, so that a step costs O(n (pairs + m)^2) (sqp_newton.h). */
#ifndef CQ_OPT_SQP_QP_H
#define CQ_OPT_SQP_QP_H

#include "sqp_newton.h"

/* A vector between walls, each with what pushes against it: d with the multipliers of its bounds,
 * or the multipliers with the slacks and violations of their constraints. */
typedef struct cq_sqp_boxed {
  int n;
  double *low, *high;          /* [n] */
  double *x, *push[2];         /* [n] inside; > 0, 0 where there is no wall */
  double *gap[2];              /* [n] distances to the walls, exact where x is not */
  double *dx, *dpush[2];       /* [n] of a Newton step */
  double *product[2];          /* [n] second-order part of gap times push, from the predictor */
  double *diagonal, *residual; /* [n] */
} cq_sqp_boxed;

typedef struct cq_sqp_qp {
  const cq_sqp_hessian *hessian;
  int n, m, n_inequality;
  const double *g, *c, *a;   /* [n], [m], [m][n] set by the caller, borrowed */
  double gamma;              /* set by the caller, > 0 */
  cq_sqp_boxed d;            /* d.low <= 0 <= d.high set by the caller; d.x: the answer */
  cq_sqp_boxed l;            /* l.x: the multipliers */
  bool (*ends)(void *watch); /* asked before each step, true: it has taken too long; NULL: never */
  void *watch;
  int steps;     /* it took */
  double *right; /* [n + m] work */
  cq_sqp_newton newton;
} cq_sqp_qp;

/* hessian is borrowed. On failure nothing is held. */
cq_status cq_sqp_qp_create(cq_ctx *ctx, const cq_sqp_hessian *hessian, int n_inequality,
                           cq_sqp_qp *out);
void cq_sqp_qp_destroy(cq_ctx *ctx, cq_sqp_qp *qp);
/* False when the answer is not precise; it is finite and inside the bounds all the same. */
bool cq_sqp_qp_solve(cq_sqp_qp *qp);

#endif
