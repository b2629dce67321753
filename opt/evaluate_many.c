#include "evaluate_many.h"

#include "replay.h"
#include "status.h"
#include "timer.h"

#include <math.h>

cq_candidate cq_candidate_of(const cq_evaluator *ev, const cq_point *point) {
  double violation = point->violation;
  for (int i = 0; i < ev->problem->n_inequality; i++) {
    violation = fmax(violation, point->c[i] + ev->def->constraint_margin);
  }
  const bool within = violation <= ev->def->constraint_tolerance;
  return (cq_candidate){
      .f = point->f, .violation = within ? 0 : violation, .failed = point->failed};
}

cq_status cq_sigma_check(cq_ctx *ctx, const cq_optimizer_def *def) {
  CQ_CHECK(ctx, isnan(def->sigma) || (isfinite(def->sigma) && def->sigma > 0), CQ_CONFIG,
           "%s needs optimizer.sigma > 0, not %g", def->name, def->sigma);
  return CQ_OK;
}

/* Moves x onto the bounds as the evaluator does; false: some of it is not finite. */
static bool place(const cq_problem *problem, double *x) {
  for (int j = 0; j < problem->n; j++) {
    if (!isfinite(x[j])) {
      return false;
    }
    x[j] = fmin(fmax(x[j], problem->lower[j]), problem->upper[j]) + 0.0;
  }
  return true;
}

/* how many of count the budgets leave */
static int affordable(const cq_evaluator *ev, int count) {
  const cq_optimizer_def *def = ev->def;
  if (def->max_evaluations > 0) {
    count = (int)fmin(count, def->max_evaluations - ev->evaluations);
  }
  if (def->max_simulations > 0) {
    count = (int)fmin(count, def->max_simulations - ev->simulations);
  }
  return count;
}

/* Lets the problem do x [count][n] ahead; at the first of them that the record does not hold. */
static void go_ahead(cq_evaluator *ev, int count, double *x) {
  const cq_problem *problem = ev->problem;
  const double began = cq_now();
  count = affordable(ev, count);
  for (int k = 0; k < count; k++) {
    count = place(problem, x + (size_t)k * (size_t)problem->n) ? count : k;
  }
  if (count < 2 || ev->end != CQ_END_NONE) {
    return;
  }
  problem->ahead(problem->data, count, x);
  ev->ahead_seconds = (cq_now() - began) / count;
}

/* One after the other, as a method would ask; what no record answers goes ahead together, once. */
static bool evaluate(cq_evaluator *ev, int count, double *x, cq_candidate *out) {
  bool is_ahead = ev->problem->ahead == NULL;
  for (int k = 0; k < count; k++) {
    double *const here = x + (size_t)k * (size_t)ev->problem->n;
    const cq_status status = is_ahead ? CQ_OK : cq_replay_peek(ev);
    if (status != CQ_OK) {
      cq_evaluator_end(ev, CQ_END_ERROR, status);
      return false;
    }
    if (!is_ahead && ev->replay == NULL) {
      go_ahead(ev, count - k, here);
      is_ahead = true;
    }
    const cq_point *point = cq_evaluate(ev, here, false);
    if (point == NULL) {
      return false;
    }
    out[k] = cq_candidate_of(ev, point);
  }
  return true;
}

bool cq_evaluate_many(cq_evaluator *ev, int count, double *x, cq_candidate *out) {
  const bool goes_on = evaluate(ev, count, x, out);
  ev->ahead_seconds = 0;
  return goes_on;
}
