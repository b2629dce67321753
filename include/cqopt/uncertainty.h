/* cqopt/uncertainty.h: how well data determine a design: error bars of a least-squares fit.
 *
 * For a problem with residuals (cq_problem.residuals) whose f = |r|^2 is least at x. To first order
 * the variables scatter about the truth with the covariance s^2 (J^T J)^-1, J = dr/dx: s is 1 where
 * the residuals are in units of known deviations, else the deviation that the residuals have,
 * sqrt(f / (residuals - variables)). */
#ifndef CQOPT_UNCERTAINTY_H
#define CQOPT_UNCERTAINTY_H

#include "cqopt/optimizer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In units of x. Variables on a bound, or with equal bounds, are held: they have no error bar, and
 * those of the others are as if they were known. Where residuals leave a combination of variables
 * open, a bound holds none of them: it is no more than where the fit has run to. */
typedef struct cq_uncertainty {
  int n, n_residuals;
  int held;            /* variables that are */
  int rank;            /* combinations of the others that the residuals determine */
  int degrees;         /* of freedom: residuals - (n - held) */
  bool has_deviations; /* of cq_problem */
  double f;
  double deviation;    /* s; NAN: unknown and no degrees of freedom to tell it by */
  double chi_square;   /* f where deviations are known, else NAN */
  double probability;  /* of a chi-square at least as large; NAN without it */
  double quantile;     /* standard errors that half a 95 % interval is long: Student's t, or normal
                          where deviations are known */
  double *errors;      /* [n] standard errors; INFINITY: not determined, NAN: held */
  double *correlation; /* [n][n]; NAN where one of the two has no finite error */
  double *singular;    /* [n - held] singular values of J, its columns made 1 long, the largest
                          first; those from rank on count as 0 */
  double *directions;  /* [n - held][n] of each what changes together, in x */
  double *residuals;   /* [n_residuals] */
} cq_uncertainty;

/* Of x, by problem->residuals of this level with derivatives: as many runs as these cost. Statuses
 * are theirs; CQ_USAGE for a problem without residuals, CQ_MEMORY. *out is NULL then. */
CQ_API cq_status cq_uncertainty_find(cq_ctx *ctx, const cq_problem *problem, int level,
                                     const double *x, cq_uncertainty **out);
/* NULL is allowed. */
CQ_API void cq_uncertainty_free(cq_ctx *ctx, cq_uncertainty *uncertainty);

#ifdef __cplusplus
}
#endif
#endif
