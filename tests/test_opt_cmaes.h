/* An unbounded CMA-ES for tests of its core. */
#ifndef CQ_TESTS_OPT_CMAES_H
#define CQ_TESTS_OPT_CMAES_H

#include "cmaes.h"

#include <math.h>

enum { CMA_MOST = 64 };

static cq_cmaes_setup cma_setup(int n, double sigma, uint64_t seed) {
  return (cq_cmaes_setup){.n = n, .sigma = sigma, .seed = seed, .x_tolerance = 1, .f_tolerance = 1};
}

/* low, high: the same bounds for all variables; start: the same for all */
static cq_cmaes *cma_make(cq_ctx *ctx, const cq_cmaes_setup *setup, double low, double high,
                          double start) {
  double lower[CMA_MOST], upper[CMA_MOST], axes[CMA_MOST], x[CMA_MOST];
  cq_cmaes *es = NULL;
  for (int j = 0; j < setup->n; j++) {
    lower[j] = low;
    upper[j] = high;
    axes[j] = 1;
    x[j] = start;
  }
  cq_cmaes_create(ctx, setup, lower, upper, axes, x, &es);
  return es;
}

static cq_cmaes *cma_free(cq_ctx *ctx, const cq_cmaes_setup *setup, double start) {
  return cma_make(ctx, setup, -INFINITY, INFINITY, start);
}

typedef double (*cma_function)(const double *x, int n);

/* asks, evaluates and tells once */
static void cma_step(cq_cmaes *es, cma_function f, cq_candidate *values) {
  double x[CMA_MOST];
  cq_cmaes_ask(es);
  for (int k = 0; k < es->lambda; k++) {
    cq_cmaes_candidate(es, k, x);
    values[k] = (cq_candidate){.f = f(x, es->setup.n)};
  }
  cq_cmaes_tell(es, values);
}

#endif
