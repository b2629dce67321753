/* (1+1)-ES with the 1/5th success rule (Rechenberg 1973; in the form of Hansen, Arnold and Auger,
 * Evolution Strategies, 2015, algorithm 2): the better of parent and one child goes on, and
 *
 *   sigma *= exp((success - 1/5) / sqrt(n + 1)).
 *
 * In variables divided by their scale; a child outside the bounds is moved onto them. */
#include "alloc.h"
#include "evaluate_many.h"
#include "method.h"
#include "rng.h"
#include "scaling.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SIGMA = 0.5, LEAST_SIGMA = 1e-11;

typedef struct search {
  cq_run *run;
  cq_scaling scaling;
  cq_rng rng;
  double sigma;
  double *parent; /* [free variables] scaled */
} search;

/* The child of the parent, into scaling.x; false: it is the parent. */
static bool mutate(search *s) {
  bool moved = false;
  cq_scaling *scaling = &s->scaling;
  for (int k = 0; k < scaling->n; k++) {
    const double low = scaling->lower[k], high = scaling->upper[k];
    const double x = s->parent[k] + s->sigma * fmin(1, high - low) * cq_rng_normal(&s->rng);
    scaling->x[k] = fmin(fmax(x, low), high);
    moved = moved || scaling->x[k] != s->parent[k];
  }
  return moved;
}

static double size_of_parent(const search *s) {
  double size = 0;
  for (int k = 0; k < s->scaling.n; k++) {
    size += fabs(s->parent[k]) / s->scaling.n;
  }
  return size;
}

/* One child a time; the step grows with success, and shrinks, so that one in five succeeds. */
static void iterate(search *s) {
  cq_run *run = s->run;
  cq_evaluator *ev = run->evaluator;
  const size_t bytes = (size_t)s->scaling.n * sizeof *s->parent;
  cq_candidate best = cq_candidate_of(ev, &ev->best);
  while (s->sigma > fmax(LEAST_SIGMA, run->def->xtol_rel * size_of_parent(s))) {
    bool success = false;
    if (mutate(s)) {
      cq_scaling_leave(&s->scaling, s->scaling.x);
      const cq_point *point = cq_evaluate(ev, s->scaling.full, false);
      if (point == NULL) {
        return;
      }
      const cq_candidate child = cq_candidate_of(ev, point);
      success = cq_candidate_compare(&child, &best) <= 0;
      if (success) {
        best = child;
        memcpy(s->parent, s->scaling.x, bytes);
      }
    }
    s->sigma *= exp(((success ? 1 : 0) - 0.2) / sqrt(s->scaling.n + 1));
  }
  run->claim = CQ_CLAIM_CONVERGED;
  snprintf(run->words, sizeof run->words, "its steps became too small");
}

/* From the best point, in scaled variables. */
static cq_status run(cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  search s = {.run = run,
              .rng = cq_rng_seed(cq_ctx_seed(run->ctx)),
              .sigma = isnan(run->def->sigma) ? SIGMA : run->def->sigma};
  CQ_TRY(cq_scaling_create(run->evaluator, false, false, &s.scaling));
  const cq_status status = CQ_ALLOC(run->ctx, s.parent, s.scaling.n);
  if (status == CQ_OK) {
    cq_scaling_enter(&s.scaling, ev->best.x);
    memcpy(s.parent, s.scaling.x, (size_t)s.scaling.n * sizeof *s.parent);
    iterate(&s);
  }
  cq_free(run->ctx, s.parent);
  cq_scaling_destroy(run->ctx, &s.scaling);
  return status;
}

static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  (void)problem;
  return cq_sigma_check(ctx, def);
}

const cq_optimizer cq_optimizer_one_plus_one_es = {
    .name = "one_plus_one_es",
    .help = "random steps of a length that adapts ((1+1)-ES)",
    .handles_bounds = true,
    .handles_inequality = true,
    .good_n = "up to 30",
    .use = "The simplest method that needs no gradient: to compare others with, or for a first "
           "look at a noisy objective.",
    .traps =
        "Steps are as long in every direction: in valleys it crawls, and at constraints its steps "
        "shrink before it arrives. One design at a time.",
    .check = check,
    .run = run,
};
