/* The methods made of CMA-ES: one run, or restarts with larger populations (IPOP: Auger and Hansen,
 * CEC 2005) or with large and small ones in turn (BIPOP: Hansen, GECCO 2009 workshops). In
 * variables divided by their scale, over those that are free to move. */
#include "alloc.h"
#include "cmaes.h"
#include "evaluate_many.h"
#include "method.h"
#include "plural.h"
#include "rng.h"
#include "scaling.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum restarts { ONCE, IPOP, BIPOP } restarts;

typedef struct kind {
  bool separable;
  restarts restarts;
} kind;

/* Most doublings of the population, as in Hansen's experiments. */
enum { MOST_DOUBLINGS = 9 };

static const double SIGMA = 0.3;

typedef struct search {
  cq_run *run;
  const kind *kind;
  cq_scaling scaling;
  double *axes;  /* [free variables] */
  double *start; /* [n] */
  cq_cmaes_setup setup;
  int lambda, cap;     /* of the first run: population, most generations */
  cq_rng rng;          /* of small runs */
  int runs, doublings; /* so far */
  bool is_large;
  double spent[2]; /* evaluations of small and of large runs; the first counts as small */
} search;

/* One generation; false: the run has ended. */
static bool step(search *s, cq_cmaes *es, double *x, cq_candidate *values) {
  const size_t n = (size_t)s->run->problem->n;
  cq_cmaes_ask(es);
  for (int k = 0; k < es->lambda; k++) {
    cq_cmaes_candidate(es, k, s->scaling.x);
    cq_scaling_leave(&s->scaling, s->scaling.x);
    memcpy(x + (size_t)k * n, s->scaling.full, n * sizeof *x);
  }
  if (!cq_evaluate_many(s->run->evaluator, es->lambda, x, values)) {
    return false;
  }
  cq_cmaes_tell(es, values);
  return true;
}

/* From s->start until it stops by itself, with s->setup. */
static cq_status run_once(search *s, cq_cmaes_stop *stop) {
  cq_ctx *ctx = s->run->ctx;
  cq_cmaes *es = NULL;
  double *x = NULL;
  cq_candidate *values = NULL;
  cq_scaling_enter(&s->scaling, s->start);
  CQ_TRY(cq_cmaes_create(ctx, &s->setup, s->scaling.lower, s->scaling.upper, s->axes, s->scaling.x,
                         &es));
  cq_status status = CQ_ALLOC(ctx, x, (size_t)es->lambda * (size_t)s->run->problem->n);
  status = status == CQ_OK ? CQ_ALLOC(ctx, values, es->lambda) : status;
  while (status == CQ_OK && es->stop == CQ_CMAES_GOES_ON && step(s, es, x, values)) {
  }
  *stop = (cq_cmaes_stop)es->stop;
  if (s->runs == 0) {
    s->lambda = es->lambda;
    s->cap = es->setup.most_generations;
  }
  cq_free(ctx, x);
  cq_free(ctx, values);
  cq_cmaes_destroy(es);
  return status;
}

/* The settings of the first run; no deviation is more than the range of its variable. */
static void begin(search *s) {
  const cq_run *run = s->run;
  const cq_optimizer_def *def = run->def;
  const cq_evaluator *ev = run->evaluator;
  for (int k = 0; k < s->scaling.n; k++) {
    s->axes[k] = fmin(1, s->scaling.upper[k] - s->scaling.lower[k]);
  }
  memcpy(s->start, ev->best.x, (size_t)run->problem->n * sizeof *s->start);
  s->setup = (cq_cmaes_setup){.n = s->scaling.n,
                              .population = def->population,
                              .sigma = isnan(def->sigma) ? SIGMA : def->sigma,
                              .separable = s->kind->separable,
                              .penalty = def->bounds_handling == CQ_BOUNDS_PENALTY,
                              .seed = cq_ctx_seed(run->ctx),
                              .x_tolerance = 1,
                              .f_tolerance = fmin(1, ev->f_scale),
                              .x_relative = def->xtol_rel,
                              .f_relative = def->ftol_rel};
  s->rng = cq_rng_seed(s->setup.seed ^ 0x6269706f70u);
}

/* Where run number `runs` begins: in the box, spread as the starts of optimizer.starts are. */
static cq_status draw_start(search *s) {
  const cq_problem *problem = s->run->problem;
  const size_t n = (size_t)problem->n;
  const int count = s->runs + 1;
  double *starts = NULL;
  CQ_TRY(CQ_ALLOC(s->run->ctx, starts, (size_t)count * n));
  const cq_status status =
      cq_draw_starts(s->run->ctx, problem, cq_ctx_seed(s->run->ctx), count, starts);
  memcpy(s->start, starts + (size_t)s->runs * n, n * sizeof *starts);
  cq_free(s->run->ctx, starts);
  return status;
}

static void plan_large(search *s) {
  s->is_large = true;
  s->doublings += s->doublings < MOST_DOUBLINGS;
  s->setup.population = s->lambda << s->doublings;
  s->setup.most_generations = 0;
}

/* A small run: between the first population and half of the last large one, sigma down to 1/100,
 * and half of what large runs have taken. */
static void plan_small(search *s, double sigma) {
  const double u = cq_rng_uniform(&s->rng), v = cq_rng_uniform(&s->rng);
  s->is_large = false;
  s->setup.population = (int)(s->lambda * pow(2, (s->doublings - 1) * u * u));
  s->setup.sigma = sigma * pow(10, -2 * v);
  s->setup.most_generations = 1 + (int)fmin(s->cap - 1, 0.5 * s->spent[true] / s->setup.population);
}

/* Another run after one that has stopped by itself. */
static cq_status plan(search *s, double sigma) {
  uint64_t seed = cq_ctx_seed(s->run->ctx) + (uint64_t)s->runs;
  s->setup.seed = cq_rng_splitmix(&seed);
  s->setup.sigma = sigma;
  if (s->kind->restarts == BIPOP && s->spent[false] < s->spent[true]) {
    plan_small(s, sigma);
  } else {
    plan_large(s);
  }
  return draw_start(s);
}

static void claim(search *s, cq_cmaes_stop stop) {
  cq_run *run = s->run;
  run->claim = cq_cmaes_stop_is_convergence(stop) ? CQ_CLAIM_CONVERGED : CQ_CLAIM_FAILED;
  if (s->runs > 1) {
    snprintf(run->words, sizeof run->words, "%s, after %d restart%s", cq_cmaes_stop_name(stop),
             s->runs - 1, cq_plural(s->runs - 1));
  } else {
    snprintf(run->words, sizeof run->words, "%s", cq_cmaes_stop_name(stop));
  }
}

/* One run after the other, as the kind of restarts plans them; why the last one stopped is the
 * claim. */
static cq_status search_all(search *s) {
  const cq_evaluator *ev = s->run->evaluator;
  const int most = s->kind->restarts == ONCE ? 1 : 1 + s->run->def->restarts;
  const double sigma = s->setup.sigma;
  cq_cmaes_stop stop = CQ_CMAES_GOES_ON;
  while (s->runs < most && ev->end == CQ_END_NONE) {
    if (s->runs > 0) {
      cq_log(s->run->ctx, CQ_LOG_INFO, "CMA-ES stopped by %s; again", cq_cmaes_stop_name(stop));
      CQ_TRY(plan(s, sigma));
    }
    const int before = ev->evaluations;
    CQ_TRY(run_once(s, &stop));
    s->spent[s->is_large] += ev->evaluations - before;
    s->runs++;
  }
  if (ev->end == CQ_END_NONE) {
    claim(s, stop);
  }
  return CQ_OK;
}

static cq_status run(cq_run *run) {
  search s = {.run = run, .kind = run->method->detail};
  CQ_TRY(cq_scaling_create(run->evaluator, false, false, &s.scaling));
  cq_status status = CQ_ALLOC(run->ctx, s.axes, s.scaling.n);
  status = status == CQ_OK ? CQ_ALLOC(run->ctx, s.start, run->problem->n) : status;
  if (status == CQ_OK) {
    begin(&s);
    status = search_all(&s);
  }
  cq_free(run->ctx, s.axes);
  cq_free(run->ctx, s.start);
  cq_scaling_destroy(run->ctx, &s.scaling);
  return status;
}

static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  enum { MOST = 100000 }; /* doubled nine times it is a number still */
  (void)problem;
  CQ_CHECK(ctx, def->population == 0 || (def->population >= 4 && def->population <= MOST),
           CQ_CONFIG, "%s needs optimizer.population from 4 to %d, or 0 for its default, not %d",
           def->name, (int)MOST, def->population);
  return cq_sigma_check(ctx, def);
}

/* CQ_CMAES(name, separable, restarts, fields of cq_optimizer...) */
#define CQ_CMAES(id, separable_, restarts_, ...)                                                   \
  static const kind kind_##id = {separable_, restarts_};                                           \
  const cq_optimizer cq_optimizer_##id = {.name = #id,                                             \
                                          .handles_bounds = true,                                  \
                                          .handles_inequality = true,                              \
                                          .asks_many = true,                                       \
                                          .check = check,                                          \
                                          .run = run,                                              \
                                          .detail = &kind_##id,                                    \
                                          __VA_ARGS__};

CQ_CMAES(cmaes, false, ONCE, .most_n = 300, .beyond = "sep_cmaes",
         .help = "evolution that learns a covariance matrix (CMA-ES)",
         .good_n = "2 to 50: 150 n evaluations on an easy objective, 1,000 n on a hard one; a "
                   "generation costs n^2 a candidate",
         .use = "Controllers of up to 50 parameters: no gradient, a rough or noisy objective, "
                "variables that depend on each other. The designs of a generation are simulated "
                "side by side, one a thread.",
         .traps =
             "Give it 300 n evaluations. For stiffness fields and whatever else has a gradient and "
             "many variables take a method with gradient: 300 variables of the easiest objective "
             "there is, a sphere, take 33,000 evaluations.")
CQ_CMAES(sep_cmaes, true, ONCE, .most_n = 1000,
         .help = "CMA-ES with variances alone; more variables",
         .good_n = "10 to 300; a generation costs n a candidate",
         .use = "As cmaes, with more variables that hardly depend on each other: a half of its "
                "evaluations there.",
         .traps = "Where variables depend on each other it takes ten times the evaluations of "
                  "cmaes, or does not arrive. 1,000 variables of a sphere take 110,000.")
CQ_CMAES(ipop_cmaes, false, IPOP, .needs_budget = true, .most_n = 300, .beyond = "sep_cmaes",
         .help = "cmaes restarted with twice the population each time", .good_n = "2 to 40",
         .use = "Several minima in a landscape with an overall slope.",
         .traps = "Each run takes longer than the one before. optimizer.restarts limits them.")
CQ_CMAES(bipop_cmaes, false, BIPOP, .needs_budget = true, .most_n = 300, .beyond = "sep_cmaes",
         .help = "cmaes restarted with large and small populations", .good_n = "2 to 40",
         .use = "Several minima of which nothing is known.", .traps = "As ipop_cmaes.")
