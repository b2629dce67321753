/* Fits to data that a fit has made: its simulation, with errors that are drawn. */
#include "cqopt/uncertainty.h"

#include "alloc.h"
#include "point.h"
#include "refit.h"
#include "rng.h"
#include "status.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* A problem whose residuals are those of another one less a shift. Its first Jacobian, at x, is the
 * same for all draws. */
typedef struct shifted {
  cq_ctx *ctx;
  const cq_problem *of;
  const double *x;     /* [n] */
  const double *at_x;  /* [m] residuals there */
  double *shift, *r;   /* [m] */
  double *jac_x, *jac; /* [m][n] */
} shifted;

/* Residuals before the shift, and their derivatives. */
static cq_status evaluate(const shifted *s, int level, const double *x, double *f, double *r,
                          double *jac) {
  const size_t m = (size_t)s->of->n_residuals, n = (size_t)s->of->n;
  if (level == 0 && memcmp(x, s->x, n * sizeof *x) == 0) {
    memcpy(r, s->at_x, m * sizeof *r);
    if (jac != NULL) {
      memcpy(jac, s->jac_x, m * n * sizeof *jac);
    }
    return CQ_OK;
  }
  return s->of->residuals(s->of->data, level, x, f, r, jac);
}

static cq_status residuals(void *data, int level, const double *x, double *f, double *r,
                           double *jac) {
  const shifted *s = data;
  CQ_TRY(evaluate(s, level, x, f, r, jac));
  *f = 0;
  for (int i = 0; i < s->of->n_residuals; i++) {
    r[i] -= s->shift[i];
    *f += r[i] * r[i];
  }
  return CQ_OK;
}

/* The gradient by the Jacobian: the problem's own adjoint knows of no shift. */
static cq_status refined(void *data, int level, const double *x, double *f, double *c, double *grad,
                         double *jac) {
  const shifted *s = data;
  (void)c;
  (void)jac;
  CQ_TRY(residuals(data, level, x, f, s->r, grad != NULL ? s->jac : NULL));
  for (int j = 0; grad != NULL && j < s->of->n; j++) {
    grad[j] = 0;
    for (int i = 0; i < s->of->n_residuals; i++) {
      grad[j] += 2 * s->r[i] * s->jac[(size_t)i * (size_t)s->of->n + (size_t)j];
    }
  }
  return CQ_OK;
}

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  return refined(data, 0, x, f, c, grad, jac);
}

/* The draw depends on the seed and its number alone: residuals at the best design become errors. */
static void draw(shifted *s, const cq_uncertainty *u, uint64_t seed, int number) {
  cq_rng rng = cq_rng_seed(seed ^ ((uint64_t)(number + 1) << 32));
  for (int i = 0; i < u->n_residuals; i++) {
    s->shift[i] = u->residuals[i] - u->deviation * cq_rng_normal(&rng);
  }
}

/* Of the draws that gave a fit, whose values of variable j come to work. */
static void sum_up(cq_bootstrap *b, int j, double *work) {
  size_t count = 0;
  for (int i = 0; i < b->draws; i++) {
    const double value = b->x[(size_t)i * (size_t)b->n + (size_t)j];
    if (!isnan(value)) {
      work[count++] = value;
    }
  }
  gsl_sort(work, 1, count);
  b->mean[j] = count > 0 ? gsl_stats_mean(work, 1, count) : NAN;
  b->deviation[j] = count > 1 ? gsl_stats_sd(work, 1, count) : NAN;
  b->lower[j] = count > 1 ? gsl_stats_quantile_from_sorted_data(work, 1, count, 0.025) : NAN;
  b->upper[j] = count > 1 ? gsl_stats_quantile_from_sorted_data(work, 1, count, 0.975) : NAN;
}

static cq_status run_draws(shifted *s, const cq_problem *problem, const cq_uncertainty *u,
                           uint64_t seed, cq_bootstrap *b) {
  const size_t n = (size_t)b->n;
  double f = NAN;
  CQ_TRY(problem->residuals(problem->data, 0, s->x, &f, s->r, s->jac_x));
  cq_problem again = *problem;
  again.eval = eval;
  again.refined = problem->refined != NULL ? refined : NULL;
  again.residuals = residuals;
  again.ahead = NULL;
  again.gradient = CQ_GRADIENT_DIFFERENCE;
  again.data = s;
  for (int i = 0; i < b->draws; i++) {
    double *const x = b->x + (size_t)i * n;
    bool settled = false;
    memcpy(x, s->x, n * sizeof *x);
    draw(s, u, seed, i);
    CQ_TRY(cq_refit(s->ctx, &again, u->memory, x, &f, &settled));
    for (size_t j = 0; j < n && (isnan(f) || !settled); j++) {
      x[j] = NAN;
    }
    b->failed += isnan(x[0]);
  }
  for (int j = 0; j < b->n; j++) {
    sum_up(b, j, s->shift);
  }
  return CQ_OK;
}

static cq_status make(cq_ctx *ctx, int n, int draws, cq_bootstrap **out) {
  CQ_TRY(CQ_ALLOC(ctx, *out, 1));
  cq_bootstrap *const b = *out;
  b->n = n;
  b->draws = draws;
  CQ_TRY(CQ_ALLOC(ctx, b->x, ((size_t)draws + 4) * (size_t)n));
  b->mean = b->x + (size_t)draws * (size_t)n;
  b->deviation = b->mean + n;
  b->lower = b->deviation + n;
  b->upper = b->lower + n;
  return CQ_OK;
}

static cq_status check(cq_ctx *ctx, const cq_problem *problem, const cq_uncertainty *u,
                       const double *x, int draws, cq_bootstrap **out) {
  CQ_CHECK(ctx, problem != NULL && u != NULL && x != NULL && out != NULL && draws > 0, CQ_USAGE,
           "the problem, its error bars, x, the draws or the room for the result are missing");
  *out = NULL;
  CQ_CHECK(ctx, cq_problem_constraints(problem) == 0, CQ_CONFIG,
           "a bootstrap takes no constraints: profiles do");
  CQ_CHECK(ctx, isfinite(u->deviation), CQ_CONFIG,
           "as many residuals as variables tell nothing of their deviation: give one to each term");
  return CQ_OK;
}

cq_status cq_bootstrap_find(cq_ctx *ctx, const cq_problem *problem, const cq_uncertainty *u,
                            const double *x, int draws, uint64_t seed, cq_bootstrap **out) {
  double *room = NULL;
  CQ_TRY(check(ctx, problem, u, x, draws, out));
  const size_t m = (size_t)problem->n_residuals, n = (size_t)problem->n;
  const size_t longest = m > (size_t)draws ? m : (size_t)draws;
  cq_status status = make(ctx, problem->n, draws, out);
  status = status == CQ_OK ? CQ_ALLOC(ctx, room, longest + m + 2 * m * n) : status;
  if (status == CQ_OK) {
    shifted s = {.ctx = ctx, .of = problem, .x = x, .at_x = u->residuals, .shift = room};
    s.r = s.shift + longest;
    s.jac_x = s.r + m;
    s.jac = s.jac_x + m * n;
    status = run_draws(&s, problem, u, seed, *out);
  }
  cq_free(ctx, room);
  if (status != CQ_OK) {
    cq_bootstrap_free(ctx, *out);
    *out = NULL;
  }
  return status;
}

void cq_bootstrap_free(cq_ctx *ctx, cq_bootstrap *bootstrap) {
  if (bootstrap != NULL) {
    cq_free(ctx, bootstrap->x);
    cq_free(ctx, bootstrap);
  }
}
