/* CMA-ES, the evolution strategy with covariance matrix adaptation, as an object that is asked for
 * candidates and told what they are worth.
 *
 *   x_k = m + sigma y_k,  y_k ~ N(0, C),  k = 1 .. lambda
 *
 * m moves to the weighted mean of the best half, sigma follows the length of an evolution path, and
 * C learns from the steps that led to good candidates and, with negative weights, unlearns those
 * that led to bad ones (Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772, with the
 * parameters of pycma 4.4). The separable variant keeps variances alone (Ros and Hansen, PPSN 2008)
 * and multiplies them (Akimoto and Hansen, Evolutionary Computation 28, 2020): C = diag(axes^2).
 *
 * Everything is deterministic: one seed, one run. The struct is open to its own files cmaes_*.c and
 * to tests. */
#ifndef CQ_OPT_CMAES_H
#define CQ_OPT_CMAES_H

#include "candidate.h"
#include "cqopt/base.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_rng.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cq_cmaes_setup {
  int n;          /* variables, >= 1 */
  int population; /* lambda >= 4; 0: 4 + floor(3 ln n) */
  double sigma;   /* first step size */
  bool separable;
  bool penalty; /* bounds by penalty, else by transformation (cmaes_bounds.c) */
  uint64_t seed;
  double x_tolerance, f_tolerance; /* factors on the rules' 1e-11 ... for x and f */
  double x_relative, f_relative;   /* tolerances relative to |m| and |f|; 0: off */
  int most_generations;            /* 0: 100 + 150 (n + 3)^2 / sqrt(lambda) */
} cq_cmaes_setup;

/* Why it has ended: X(name of pycma's rule, whether that is convergence). C goes flat at
 * constraints that hold the optimum, which is no failure. */
#define CQ_CMAES_STOP_LIST(X)                                                                      \
  X(tolx, true)                                                                                    \
  X(tolfun, true)                                                                                  \
  X(tolfunhist, true)                                                                              \
  X(tolflatfitness, true)                                                                          \
  X(tolstagnation, true)                                                                           \
  X(noeffectcoord, true)                                                                           \
  X(noeffectaxis, true)                                                                            \
  X(tolfacupx, false)                                                                              \
  X(tolupsigma, false)                                                                             \
  X(tolconditioncov, true)                                                                         \
  X(maxiter, false)

typedef enum cq_cmaes_stop {
  CQ_CMAES_GOES_ON,
#define CQ_CMAES_STOP_ENUM(name, converged) CQ_CMAES_##name,
  CQ_CMAES_STOP_LIST(CQ_CMAES_STOP_ENUM)
#undef CQ_CMAES_STOP_ENUM
} cq_cmaes_stop;

/* The state between tell and ask: X(name, count) of doubles, then numbers and counts. */
#define CQ_CMAES_ARRAYS(X)                                                                         \
  X(lower, es->setup.n)                                                                            \
  X(upper, es->setup.n)                                                                            \
  X(first_axes, es->setup.n) /* deviations at the start, in units of sigma */                      \
  X(mean, es->setup.n)                                                                             \
  X(pc, es->setup.n)   /* path of C; separable: in units of axes */                                \
  X(ps, es->setup.n)   /* path of sigma, whitened */                                               \
  X(axes, es->setup.n) /* square roots of the eigenvalues of C, ascending */                       \
  X(c, es->square)     /* C; separable: none */                                                    \
  X(b, es->square)     /* eigenvectors of C as columns */                                          \
  X(gamma, es->setup.n)                                                                            \
  X(spreads, es->spread_room) /* of the penalty, the newest last, as in those below */             \
  X(recent, es->recent_room)  /* the best value of a generation */                                 \
  X(bests, es->long_room)     /* the same, of every fifth */                                       \
  X(medians, es->long_room)
#define CQ_CMAES_DOUBLES(X) X(sigma) X(best_value)
#define CQ_CMAES_COUNTS(X)                                                                         \
  X(generation)                                                                                    \
  X(decomposed) /* the generation whose C axes and b are of */                                     \
  X(best_generation)                                                                               \
  X(flat) /* generations in a row without differences */                                           \
  X(was_feasible)                                                                                  \
  X(has_gamma)                                                                                     \
  X(n_spreads)                                                                                     \
  X(n_recent)                                                                                      \
  X(n_long)                                                                                        \
  X(stop) /* a cq_cmaes_stop */

typedef struct cq_cmaes {
  cq_ctx *ctx;
  cq_cmaes_setup setup;
  /* parameters of the strategy, from n and lambda (cmaes_parameters.c) */
  int lambda, mu;
  double *weights; /* [lambda] the first mu sum to 1, the rest are <= 0 */
  double mueff, cc, c1, cmu, cs, damping, chi; /* chi: mean length of N(0, I) */
  double gap;                                  /* generations between decompositions */
  int tolstagnation;
  size_t square;
  int spread_room, recent_room, long_room;
#define CQ_CMAES_ARRAY(name, count) double *name;
  CQ_CMAES_ARRAYS(CQ_CMAES_ARRAY)
#undef CQ_CMAES_ARRAY
#define CQ_CMAES_SCALAR(name) double name;
  CQ_CMAES_DOUBLES(CQ_CMAES_SCALAR)
#undef CQ_CMAES_SCALAR
#define CQ_CMAES_COUNT(name) int name;
  CQ_CMAES_COUNTS(CQ_CMAES_COUNT)
#undef CQ_CMAES_COUNT
  gsl_rng *rng;
  /* scratch */
  gsl_eigen_symmv_workspace *eigen;
  double *population;   /* [lambda][n] candidates before bounds */
  double *steps;        /* [lambda][n] y of them; separable: in units of axes */
  double *work;         /* [square + 2 n] */
  double *sorted;       /* [lambda + spread_room + 2 long_room] */
  cq_candidate *judged; /* [lambda] with penalties */
  int *order;           /* [2 lambda] */
  int usable;           /* of the generation told last: how many had not failed */
} cq_cmaes;

/* lower, upper [n]: bounds, infinite where there is none; axes [n]: first deviations, in units of
 * setup->sigma; start [n] inside the bounds. CQ_MEMORY; nothing is held then. */
cq_status cq_cmaes_create(cq_ctx *ctx, const cq_cmaes_setup *setup, const double *lower,
                          const double *upper, const double *axes, const double *start,
                          cq_cmaes **out);
void cq_cmaes_destroy(cq_cmaes *es);

/* Draws es->population. */
void cq_cmaes_ask(cq_cmaes *es);
/* Candidate k as it is to be evaluated, inside the bounds. */
void cq_cmaes_candidate(const cq_cmaes *es, int k, double *x);
/* values [lambda] of the candidates. Sets es->stop. Candidates that failed never move the mean;
 * when fewer than mu did not, it goes to the mean of those, sigma is halved, and nothing is learnt.
 */
void cq_cmaes_tell(cq_cmaes *es, const cq_candidate *values);
/* "tolfun"; "" for CQ_CMAES_GOES_ON */
const char *cq_cmaes_stop_name(cq_cmaes_stop stop);
bool cq_cmaes_stop_is_convergence(cq_cmaes_stop stop);

/* The whole state between tell and ask as text, every number in full; and back: the object that is
 * read goes on with the same bits. CQ_IO, CQ_CONFIG when it is no such text. */
cq_status cq_cmaes_save(const cq_cmaes *es, FILE *file);
cq_status cq_cmaes_load(cq_ctx *ctx, FILE *file, cq_cmaes **out);

/* --- between the files --- */
void cq_cmaes_set_parameters(cq_cmaes *es);
/* Makes axes and b those of C, if they are older than the gap. */
void cq_cmaes_decompose(cq_cmaes *es);
/* out = b v, or its transpose times v */
void cq_cmaes_rotate(const cq_cmaes *es, const double *v, bool back, double *out);
/* out = C^(-1/2) v, with the C decomposed last; only_length: a vector of the same length, which is
 * cheaper */
void cq_cmaes_whiten(const cq_cmaes *es, const double *v, bool only_length, double *out);
/* deviation of variable j */
double cq_cmaes_deviation(const cq_cmaes *es, int j);
/* the mean that is mapped to x by the transformation */
double cq_cmaes_inverse(const cq_cmaes *es, int j, double x);
/* Penalties of a generation, into es->judged. */
void cq_cmaes_penalize(cq_cmaes *es, const cq_candidate *values);
/* Moves mean, paths, C and sigma by es->order. */
void cq_cmaes_update(cq_cmaes *es);
/* Takes notes of the values for the stop rules and sets es->stop. */
void cq_cmaes_watch(cq_cmaes *es, const cq_candidate *values);

#endif
