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

/* Who remembers the fits of profiles and of a bootstrap, so that one that was interrupted goes on:
 * its fits come one after the other in an order of their own. */
typedef struct cq_fit_memory {
  /* x [n], f and settled of the next fit, which begins at start [n]; false: it is not known, nor
   * are those after it, and x is start. */
  bool (*recall)(void *user, int n, const double *start, double *x, double *f, bool *settled);
  /* Of a fit that was not known. A status other than CQ_OK ends the profile. */
  cq_status (*keep)(void *user, int n, const double *start, const double *x, double f,
                    bool settled);
  void *user;
} cq_fit_memory;

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
  const cq_fit_memory *memory; /* NULL, or a caller's, for what follows */
} cq_uncertainty;

/* Of x, by problem->residuals of this level with derivatives: as many runs as these cost. Statuses
 * are theirs; CQ_USAGE for a problem without residuals, CQ_MEMORY. *out is NULL then. */
CQ_API cq_status cq_uncertainty_find(cq_ctx *ctx, const cq_problem *problem, int level,
                                     const double *x, cq_uncertainty **out);
/* NULL is allowed. */
CQ_API void cq_uncertainty_free(cq_ctx *ctx, cq_uncertainty *uncertainty);

/* How f rises when one variable is held off its best value and the others are fitted again: error
 * bars that follow the model where it is bent, and see a valley that first order does not. */
typedef struct cq_profile {
  int n, count;
  int variable;
  double rise; /* of f at the ends of a 95 % interval: the square of a quantile, times s^2 */
  double lower, upper; /* these ends, in x; NAN: f does not rise so far within the points */
  double *x;           /* [count][n] the designs, by their value of the variable */
  double *f;           /* [count]; NAN where nothing could be fitted */
  int unsettled;       /* of these, fits that ended before they had settled */
} cq_profile;

/* Around x, where u was found, at up to 2 points + 1 values of the variable, as far as `reach` of
 * its standard errors, or between its bounds where it has none; each fit, by gauss_newton, begins
 * at its neighbour. CQ_CONFIG for a variable with neither error nor bounds; CQ_USAGE, CQ_MEMORY,
 * and statuses that end a run. *out is NULL then. */
CQ_API cq_status cq_profile_find(cq_ctx *ctx, const cq_problem *problem, const cq_uncertainty *u,
                                 const double *x, int variable, int points, double reach,
                                 cq_profile **out);
/* NULL is allowed. */
CQ_API void cq_profile_free(cq_ctx *ctx, cq_profile *profile);

/* What the fit finds in data that are its own simulation with new errors of the deviation s: how
 * far that scatters, and how far its mean is off, without first order. */
typedef struct cq_bootstrap {
  int n, draws;
  int failed;               /* draws without a fit, NAN in x */
  double *x;                /* [draws][n] */
  double *mean, *deviation; /* [n] of the others; NAN where there are too few */
  double *lower, *upper;    /* [n] that leave out 2.5 % of them on either side */
} cq_bootstrap;

/* Draws normal errors by seed and draw, adds them to the residuals of the best design x, where u
 * was found, and fits again. CQ_CONFIG with constraints or without a deviation; CQ_USAGE,
 * CQ_MEMORY, and statuses that end a run. *out is NULL then. */
CQ_API cq_status cq_bootstrap_find(cq_ctx *ctx, const cq_problem *problem, const cq_uncertainty *u,
                                   const double *x, int draws, uint64_t seed, cq_bootstrap **out);
/* NULL is allowed. */
CQ_API void cq_bootstrap_free(cq_ctx *ctx, cq_bootstrap *bootstrap);

#ifdef __cplusplus
}
#endif
#endif
