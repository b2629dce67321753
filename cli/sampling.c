/* Points spread over a unit cube. */
#include "alloc.h"
#include "nearest.h"
#include "plan.h"
#include "status.h"

#include "cqopt/optimizer.h"

#include <gsl/gsl_qrng.h>
#include <gsl/gsl_rng.h>
#include <string.h>

/* u [count][n] */
typedef cq_status (*sampling_fn)(cq_ctx *ctx, uint64_t seed, int count, int n, double *u);

static cq_status draw_random(cq_ctx *ctx, uint64_t seed, int count, int n, double *u) {
  gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
  CQ_CHECK(ctx, rng != NULL, CQ_MEMORY, "out of memory");
  gsl_rng_set(rng, (unsigned long)seed);
  for (size_t i = 0; i < (size_t)count * (size_t)n; i++) {
    u[i] = gsl_rng_uniform(rng);
  }
  gsl_rng_free(rng);
  return CQ_OK;
}

/* The starts of a solve are a growing Latin hypercube over its bounds. */
static cq_status draw_latin(cq_ctx *ctx, uint64_t seed, int count, int n, double *u) {
  double *ends = NULL; /* [3][n] lower, upper and the first point */
  CQ_TRY(CQ_ALLOC(ctx, ends, 3 * (size_t)n));
  for (int j = 0; j < n; j++) {
    ends[j] = 0;
    ends[n + j] = 1;
  }
  const cq_problem cube = {.n = n, .lower = ends, .upper = ends + n, .start = ends + 2 * n};
  cq_status status = draw_random(ctx, seed, 1, n, ends + 2 * n);
  status = status == CQ_OK ? cq_draw_starts(ctx, &cube, seed, count, u) : status;
  cq_free(ctx, ends);
  return status;
}

static cq_status draw_sequence(cq_ctx *ctx, const gsl_qrng_type *type, int count, int n,
                               double *u) {
  CQ_CHECK(ctx, n <= (int)type->max_dimension, CQ_USAGE,
           "--plan %s has at most %u dimensions, not %d: take latin_hypercube", type->name,
           type->max_dimension, n);
  gsl_qrng *const sequence = gsl_qrng_alloc(type, (unsigned)n);
  CQ_CHECK(ctx, sequence != NULL, CQ_MEMORY, "out of memory");
  for (int i = 0; i < count; i++) {
    gsl_qrng_get(sequence, u + (size_t)i * (size_t)n);
  }
  gsl_qrng_free(sequence);
  return CQ_OK;
}

static cq_status draw_sobol(cq_ctx *ctx, uint64_t seed, int count, int n, double *u) {
  (void)seed;
  return draw_sequence(ctx, gsl_qrng_sobol, count, n, u);
}

static cq_status draw_halton(cq_ctx *ctx, uint64_t seed, int count, int n, double *u) {
  (void)seed;
  return draw_sequence(ctx, gsl_qrng_halton, count, n, u);
}

static const struct {
  const char *name;
  sampling_fn draw;
} samplings[] = {{"random", draw_random},
                 {"latin_hypercube", draw_latin},
                 {"sobol", draw_sobol},
                 {"halton", draw_halton}};

enum { N_SAMPLINGS = sizeof samplings / sizeof samplings[0] };

const char *cli_sampling_name(int i) {
  return i < N_SAMPLINGS ? samplings[i].name : NULL;
}

cq_status cli_sampling_draw(cq_ctx *ctx, const char *name, uint64_t seed, int count, int n,
                            double *u) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < N_SAMPLINGS; i++) {
    if (strcmp(samplings[i].name, name) == 0) {
      return samplings[i].draw(ctx, seed, count, n, u);
    }
    cq_nearest_offer(&nearest, samplings[i].name);
  }
  return CQ_FAIL(ctx, CQ_USAGE, "--plan: there is no \"%s\"; %s", name, cq_nearest_text(&nearest));
}
