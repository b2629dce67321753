/* Adam on the gradient of the objective smoothed by a Gaussian (Nesterov and Spokoiny, 2017; the
 * antithetic estimate of evolution strategies, Salimans et al., 2017): with x in parts of the range
 * of each variable, and e drawn from the standard normal distribution,
 *
 *   gradient = mean over e of (f(x + sigma e) - f(x - sigma e)) / (2 sigma) e.
 *
 * Roughness narrower than sigma is averaged away, and no gradient of the problem is asked for.
 * Designs outside the bounds are moved onto them, and e is what is left of it. */
#include "alloc.h"
#include "descent.h"
#include "evaluate_many.h"
#include "rng.h"
#include "schedule.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double SIGMA = 0.12;
enum { POPULATION = 8 };

typedef struct search {
  cq_run *run;
  cq_rng rng;
  double sigma;
  int pairs, steps;
  double *x;            /* [n] the iterate, in parts of the ranges */
  double *g, *m, *v;    /* [n] the estimate, and Adam's moments */
  double *designs;      /* [2 pairs][n] in user units */
  cq_candidate *values; /* [2 pairs] */
} search;

static double range(const cq_problem *problem, int j) {
  return problem->upper[j] - problem->lower[j];
}

/* A design and its mirror image about the iterate, as far as the bounds let them. */
static void draw_pair(search *s, double *there, double *back) {
  const cq_problem *problem = s->run->problem;
  for (int j = 0; j < problem->n; j++) {
    const double e = s->sigma * cq_rng_normal(&s->rng);
    there[j] =
        cq_descent_project(problem, j, problem->lower[j] + (s->x[j] + e) * range(problem, j));
    back[j] = cq_descent_project(problem, j, problem->lower[j] + (s->x[j] - e) * range(problem, j));
  }
}

/* The mean slope of the pairs that did not fail; *f the mean of their values. */
static void estimate(search *s, double *f) {
  const cq_problem *problem = s->run->problem;
  const size_t n = (size_t)problem->n;
  int count = 0;
  memset(s->g, 0, n * sizeof *s->g);
  *f = 0;
  for (int k = 0; k < s->pairs; k++) {
    const cq_candidate *there = &s->values[2 * k], *back = there + 1;
    const double *x = s->designs + (size_t)(2 * k) * n;
    if (there->failed || back->failed) {
      continue;
    }
    count++;
    *f += 0.5 * (there->f + back->f);
    for (size_t j = 0; j < n; j++) {
      const double width = range(problem, (int)j);
      const double e = width > 0 ? (x[j] - x[n + j]) / (2 * s->sigma * width) : 0;
      s->g[j] += (there->f - back->f) / (2 * s->sigma) * e;
    }
  }
  for (size_t j = 0; j < n && count > 0; j++) {
    s->g[j] /= count;
  }
  *f = count > 0 ? *f / count : INFINITY;
}

/* One of Adam's, within the bounds. */
static void move(search *s, double rate) {
  const cq_optimizer_def *def = s->run->def;
  const double b1 = def->beta_1, b2 = def->beta_2;
  const double bias_1 = 1 - pow(b1, s->steps), bias_2 = 1 - pow(b2, s->steps);
  for (int j = 0; j < s->run->problem->n; j++) {
    const double g = cq_descent_clip(def, s->g[j]);
    s->m[j] = b1 * s->m[j] + (1 - b1) * g;
    s->v[j] = b2 * s->v[j] + (1 - b2) * g * g;
    const double by = rate * (s->m[j] / bias_1) / (sqrt(s->v[j] / bias_2) + def->epsilon);
    s->x[j] = fmin(fmax(s->x[j] - by, 0), 1);
  }
}

/* Steps until a budget ends it, or the schedule of its rate. */
static void iterate(search *s) {
  const size_t n = (size_t)s->run->problem->n;
  cq_rate rate = cq_rate_begin(s->run->def);
  for (s->steps = 1;; s->steps++) {
    double f = NAN;
    for (int k = 0; k < s->pairs; k++) {
      double *const there = s->designs + (size_t)(2 * k) * n;
      draw_pair(s, there, there + n);
    }
    if (!cq_evaluate_many(s->run->evaluator, 2 * s->pairs, s->designs, s->values)) {
      return;
    }
    estimate(s, &f);
    const double length = cq_rate_next(&rate, f);
    if (length == 0) {
      cq_descent_claim(s->run, CQ_CLAIM_FAILED, "the schedule of its learning rate is over");
      return;
    }
    move(s, length);
  }
}

/* From the best point. */
static cq_status run(cq_run *run) {
  const cq_optimizer_def *def = run->def;
  const cq_problem *problem = run->problem;
  const size_t n = (size_t)problem->n;
  search s = {.run = run,
              .rng = cq_rng_seed(cq_ctx_seed(run->ctx)),
              .sigma = isnan(def->sigma) ? SIGMA : def->sigma,
              .pairs = (def->population > 0 ? def->population + 1 : POPULATION) / 2};
  CQ_TRY(CQ_ALLOC(run->ctx, s.x, (size_t)(4 + 2 * s.pairs) * n));
  s.g = s.x + n;
  s.m = s.x + 2 * n;
  s.v = s.x + 3 * n;
  s.designs = s.x + 4 * n;
  for (int j = 0; j < problem->n; j++) {
    const double width = range(problem, j);
    s.x[j] = width > 0 ? (run->evaluator->best.x[j] - problem->lower[j]) / width : 0;
  }
  const cq_status status = CQ_ALLOC(run->ctx, s.values, 2 * s.pairs);
  if (status == CQ_OK) {
    iterate(&s);
  }
  cq_free(run->ctx, s.values);
  cq_free(run->ctx, s.x);
  return status;
}

static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  (void)problem;
  CQ_TRY(cq_sigma_check(ctx, def));
  CQ_TRY(cq_descent_check(ctx, def));
  CQ_CHECK(ctx, def->beta_1 >= 0 && def->beta_1 < 1 && def->beta_2 >= 0 && def->beta_2 < 1,
           CQ_CONFIG,
           "random_smoothing needs optimizer.beta_1 and beta_2 from 0 to below 1, not %g and %g",
           def->beta_1, def->beta_2);
  return CQ_OK;
}

const cq_optimizer cq_optimizer_random_smoothing = {
    .name = "random_smoothing",
    .help = "Adam on slopes between mirrored random designs; a box",
    .handles_bounds = true,
    .needs_box = true,
    .needs_budget = true,
    .good_n = "up to 30",
    .use = "Rough, chaotic objectives that are smooth at large: sigma 0.12 of each variable's "
           "range sees over the roughness. learning_rate is in parts of the range, too.",
    .traps = "It does not settle: the best design is one of those drawn. Pairs of a step "
             "(population / 2, by default 4) go side by side.",
    .check = check,
    .run = run,
};
