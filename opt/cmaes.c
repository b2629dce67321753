#include "cmaes.h"

#include "alloc.h"
#include "quiet_gsl.h"
#include "rng.h"
#include "status.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

static size_t times(int a, int b) {
  return (size_t)a * (size_t)b;
}

static void set_rooms(cq_cmaes *es) {
  enum { LONG = 20000 }; /* pycma's length of the long history */
  const int n = es->setup.n, lambda = es->lambda;
  const int fifth = es->setup.most_generations / 5 + 1;
  es->square = es->setup.separable ? 0 : times(n, n);
  es->spread_room = 20 + 3 * n / lambda + 1;
  es->recent_room = 10 + 30 * n / lambda + 1;
  es->long_room = fifth < LONG ? fifth : LONG;
}

/* Parameters first: the lengths of the arrays follow from them. */
static cq_status allocate(cq_cmaes *es) {
  cq_ctx *ctx = es->ctx;
  const size_t candidates = times(es->lambda, es->setup.n);
  CQ_TRY(CQ_ALLOC(ctx, es->weights, es->lambda));
  cq_cmaes_set_parameters(es);
  set_rooms(es);
#define CQ_CMAES_ALLOC(name, count) CQ_TRY(CQ_ALLOC(ctx, es->name, count));
  CQ_CMAES_ARRAYS(CQ_CMAES_ALLOC)
#undef CQ_CMAES_ALLOC
  CQ_TRY(CQ_ALLOC(ctx, es->population, candidates));
  CQ_TRY(CQ_ALLOC(ctx, es->steps, candidates));
  CQ_TRY(CQ_ALLOC(ctx, es->work, es->square + 2 * (size_t)es->setup.n));
  CQ_TRY(CQ_ALLOC(ctx, es->sorted, es->lambda + es->spread_room + 2 * es->long_room));
  CQ_TRY(CQ_ALLOC(ctx, es->judged, es->lambda));
  CQ_TRY(CQ_ALLOC(ctx, es->order, 2 * es->lambda));
  es->rng = gsl_rng_alloc(gsl_rng_mt19937);
  es->eigen = es->square > 0 ? gsl_eigen_symmv_alloc((size_t)es->setup.n) : NULL;
  CQ_CHECK(ctx, es->rng != NULL && (es->square == 0 || es->eigen != NULL), CQ_MEMORY,
           "CMA-ES is out of memory");
  return CQ_OK;
}

static void begin(cq_cmaes *es, const double *lower, const double *upper, const double *axes,
                  const double *start) {
  const size_t n = (size_t)es->setup.n;
  uint64_t seed = es->setup.seed;
  /* GSL's seed has 32 bits, and takes 0 for a default of its own */
  gsl_rng_set(es->rng, (unsigned long)(cq_rng_splitmix(&seed) >> 32) | 1u);
  memcpy(es->lower, lower, n * sizeof *lower);
  memcpy(es->upper, upper, n * sizeof *upper);
  memcpy(es->first_axes, axes, n * sizeof *axes);
  memcpy(es->axes, axes, n * sizeof *axes);
  es->sigma = es->setup.sigma;
  es->best_value = INFINITY;
  for (size_t j = 0; j < n; j++) {
    es->mean[j] = cq_cmaes_inverse(es, (int)j, start[j]);
    if (es->square > 0) {
      es->c[j * n + j] = axes[j] * axes[j];
      es->b[j * n + j] = 1;
    }
  }
}

/* GSL, which ends the program where it has no memory, is told to return instead. */
cq_status cq_cmaes_create(cq_ctx *ctx, const cq_cmaes_setup *setup, const double *lower,
                          const double *upper, const double *axes, const double *start,
                          cq_cmaes **out) {
  cq_cmaes *es = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, es, 1));
  es->ctx = ctx;
  es->setup = *setup;
  es->lambda = setup->population > 0 ? setup->population : 4 + (int)(3 * log(setup->n));
  cq_quiet_gsl_begin();
  const cq_status status = allocate(es);
  cq_quiet_gsl_end();
  if (status != CQ_OK) {
    cq_cmaes_destroy(es);
    return status;
  }
  begin(es, lower, upper, axes, start);
  *out = es;
  return CQ_OK;
}

/* Also of what a creation that failed has left. */
void cq_cmaes_destroy(cq_cmaes *es) {
  if (es == NULL) {
    return;
  }
  cq_ctx *ctx = es->ctx;
#define CQ_CMAES_FREE(name, count) cq_free(ctx, es->name);
  CQ_CMAES_ARRAYS(CQ_CMAES_FREE)
#undef CQ_CMAES_FREE
  cq_free(ctx, es->weights);
  cq_free(ctx, es->population);
  cq_free(ctx, es->steps);
  cq_free(ctx, es->work);
  cq_free(ctx, es->sorted);
  cq_free(ctx, es->judged);
  cq_free(ctx, es->order);
  gsl_rng_free(es->rng);
  if (es->eigen != NULL) {
    gsl_eigen_symmv_free(es->eigen);
  }
  cq_free(ctx, es);
}

/* A candidate is the mean and a normal step along the axes of C; the order of the draws is part of
 * the seed's bits. */
void cq_cmaes_ask(cq_cmaes *es) {
  const int n = es->setup.n;
  double *const z = es->work + es->square, *const y = z + n;
  cq_cmaes_decompose(es);
  for (int k = 0; k < es->lambda; k++) {
    for (int j = 0; j < n; j++) {
      z[j] = es->axes[j] * gsl_ran_gaussian_ziggurat(es->rng, 1);
    }
    if (es->square > 0) {
      cq_cmaes_rotate(es, z, false, y);
    }
    for (int j = 0; j < n; j++) {
      es->population[times(k, n) + (size_t)j] =
          es->mean[j] + es->sigma * (es->square > 0 ? y[j] : z[j]);
    }
  }
}

void cq_cmaes_tell(cq_cmaes *es, const cq_candidate *values) {
  es->generation++;
  cq_cmaes_penalize(es, values);
  es->usable = cq_candidate_rank(es->judged, es->lambda, es->order);
  cq_cmaes_update(es);
  cq_cmaes_watch(es, values);
}
