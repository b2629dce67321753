#include "descent.h"

#include "alloc.h"
#include "kkt.h"
#include "schedule.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

cq_status cq_descent_check(cq_ctx *ctx, const cq_optimizer_def *def) {
  CQ_TRY(cq_rate_check(ctx, def));
  CQ_CHECK(ctx, def->clip >= 0, CQ_CONFIG, "%s needs optimizer.clip > 0, or 0 for none, not %g",
           def->name, def->clip);
  return CQ_OK;
}

double cq_descent_clip(const cq_optimizer_def *def, double g) {
  return def->clip > 0 ? fmin(fmax(g, -def->clip), def->clip) : g;
}

double cq_descent_project(const cq_problem *problem, int j, double to) {
  /* what is not finite is left for the evaluator to refuse, fmin would hide it */
  return isfinite(to) ? fmin(fmax(to, problem->lower[j]), problem->upper[j]) : to;
}

void cq_descent_claim(cq_run *run, cq_claim claim, const char *words) {
  run->claim = claim;
  snprintf(run->words, sizeof run->words, "%s", words);
}

bool cq_descent_f_settled(cq_run *run, double f, double before) {
  const double tolerance = run->def->ftol_rel;
  if (tolerance > 0 && fabs(f - before) < tolerance * 0.5 * (fabs(f) + fabs(before))) {
    cq_descent_claim(run, CQ_CLAIM_CONVERGED, "the change of f fell below ftol_rel");
    return true;
  }
  return false;
}

bool cq_descent_x_settled(cq_run *run, const double *x, const double *before) {
  double change = 0, size = 0;
  for (int j = 0; j < run->problem->n; j++) {
    const double scale = cq_problem_scale(run->problem, j);
    change += fabs(x[j] - before[j]) / scale;
    size += fabs(x[j]) / scale;
  }
  if (run->def->xtol_rel > 0 && change < run->def->xtol_rel * size) {
    cq_descent_claim(run, CQ_CLAIM_CONVERGED, "the change of x fell below xtol_rel");
    return true;
  }
  return false;
}

/* Steps of given lengths, until a rule of the method or the evaluator ends it. */
static void iterate(cq_descent *d, cq_step_fn step, double *before) {
  cq_run *run = d->run;
  const cq_problem *problem = run->problem;
  cq_rate rate = cq_rate_begin(run->def);
  double f = NAN;
  for (d->steps = 1;; d->steps++) {
    const cq_point *point = cq_evaluate(run->evaluator, d->x, true);
    if (point == NULL) {
      return;
    }
    if (cq_projected_gradient(problem, d->x, point->grad) == 0) {
      cq_descent_claim(run, CQ_CLAIM_CONVERGED, "the projected gradient is zero");
      return;
    }
    if (cq_descent_f_settled(run, point->f, f)) {
      return;
    }
    f = point->f;
    memcpy(before, d->x, (size_t)problem->n * sizeof *before);
    const double length = cq_rate_next(&rate, f);
    if (length == 0) {
      cq_descent_claim(run, CQ_CLAIM_FAILED, "the schedule of its learning rate is over");
      return;
    }
    if (!step(d, point->grad, length)) {
      cq_descent_claim(run, CQ_CLAIM_CONVERGED, "x stopped changing (learning_rate is too small)");
      return;
    }
    if (cq_descent_x_settled(run, d->x, before)) {
      return;
    }
  }
}

cq_status cq_descend(cq_run *run, cq_step_fn step) {
  const size_t n = (size_t)run->problem->n;
  cq_descent d = {.run = run};
  CQ_TRY(CQ_ALLOC(run->ctx, d.x, 4 * n));
  d.memory[0] = d.x + n;
  d.memory[1] = d.x + 2 * n;
  for (size_t j = 0; j < n; j++) {
    d.x[j] = run->evaluator->best.x[j];
  }
  iterate(&d, step, d.x + 3 * n);
  cq_free(run->ctx, d.x);
  return CQ_OK;
}
