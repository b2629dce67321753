/* The curvature of a function in the span of a few directions along which the change of its
 * gradient is known: what the last points of a run tell of a Hessian that nobody has (Rayleigh and
 * Ritz; e.g. Parlett, The Symmetric Eigenvalue Problem, ch. 11). */
#ifndef CQ_OPT_RITZ_H
#define CQ_OPT_RITZ_H

#include "cqopt/base.h"

#include <stdbool.h>

enum { CQ_RITZ_MOST = 10 };

typedef struct cq_ritz {
  int n, size;
  double *z, *hz;              /* [size][n] orthonormal; H z */
  double values[CQ_RITZ_MOST]; /* eigenvalues in the span, ascending (cq_ritz_solve) */
  double vectors[CQ_RITZ_MOST][CQ_RITZ_MOST]; /* [size][size] theirs, a row each, over z */
} cq_ritz;

/* block: 2 CQ_RITZ_MOST n doubles, the caller's */
void cq_ritz_open(cq_ritz *ritz, int n, double *block);
/* Adds direction d [n] with hd = H d; false where it is all but in the span already, or the span is
 * full. */
bool cq_ritz_add(cq_ritz *ritz, const double *d, const double *hd);
/* Takes from d [n] all that is along products H z: z'H d = 0 for each z. The products are spent:
 * nothing but cq_ritz_vector may follow. */
void cq_ritz_conjugate(cq_ritz *ritz, double *d);
/* CQ_MEMORY */
cq_status cq_ritz_solve(cq_ctx *ctx, cq_ritz *ritz);
/* out [n] := eigenvector i, of 2-norm 1 */
void cq_ritz_vector(const cq_ritz *ritz, int i, double *out);

#endif
