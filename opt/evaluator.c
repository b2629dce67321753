#include "evaluator.h"

#include "alloc.h"
#include "kkt.h"
#include "status.h"
#include "timer.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A method that asks this often for points known already does not move any more; no method of the
 * list comes near it between two simulations. */
enum { MAX_REPEATS = 10000 };

/* relative change of f between two simulations of one x that rounding cannot explain */
static const double REPEATABLE = 1e-6;

static cq_status point_create(cq_evaluator *ev, cq_point *point) {
  const size_t n = (size_t)ev->problem->n, m = (size_t)ev->m;
  CQ_TRY(CQ_ALLOC(ev->ctx, point->x, n));
  CQ_TRY(CQ_ALLOC(ev->ctx, point->c, m));
  CQ_TRY(CQ_ALLOC(ev->ctx, point->grad, n));
  return cq_alloc(ev->ctx, (void **)&point->jac, m * n, sizeof(double));
}

static void point_destroy(cq_ctx *ctx, cq_point *point) {
  cq_free(ctx, point->x);
  cq_free(ctx, point->c);
  cq_free(ctx, point->grad);
  cq_free(ctx, point->jac);
}

static void point_copy(const cq_evaluator *ev, cq_point *to, const cq_point *from) {
  const size_t n = (size_t)ev->problem->n, m = (size_t)ev->m;
  to->index = from->index;
  to->has_gradient = from->has_gradient;
  to->f = from->f;
  to->violation = from->violation;
  memcpy(to->x, from->x, n * sizeof(double));
  memcpy(to->c, from->c, m * sizeof(double));
  if (from->has_gradient) {
    memcpy(to->grad, from->grad, n * sizeof(double));
    memcpy(to->jac, from->jac, m * n * sizeof(double));
  }
}

static void fill_nan(double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    values[i] = NAN;
  }
}

/* What eval does not fill stays NAN, and is a failure. */
static void point_clear(const cq_evaluator *ev, cq_point *point, bool gradient) {
  const size_t n = (size_t)ev->problem->n, m = (size_t)ev->m;
  point->has_gradient = gradient;
  point->f = NAN;
  point->violation = NAN;
  fill_nan(point->c, m);
  if (gradient) {
    fill_nan(point->grad, n);
    fill_nan(point->jac, m * n);
  }
}

cq_status cq_evaluator_create(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def,
                              cq_record_fn record, void *user, cq_evaluator **out) {
  cq_evaluator *ev = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, ev, 1));
  ev->ctx = ctx;
  ev->problem = problem;
  ev->def = def;
  ev->record = record;
  ev->user = user;
  ev->m = problem->n_inequality + problem->n_equality;
  ev->f_scale = DBL_MIN;
  ev->began = cq_now();
  cq_status status = point_create(ev, &ev->last);
  status = status == CQ_OK ? point_create(ev, &ev->best) : status;
  status = status == CQ_OK ? point_create(ev, &ev->trial) : status;
  if (status != CQ_OK) {
    cq_evaluator_destroy(ev);
    return status;
  }
  *out = ev;
  return CQ_OK;
}

void cq_evaluator_destroy(cq_evaluator *ev) {
  if (ev == NULL) {
    return;
  }
  point_destroy(ev->ctx, &ev->last);
  point_destroy(ev->ctx, &ev->best);
  point_destroy(ev->ctx, &ev->trial);
  cq_free(ev->ctx, ev);
}

double cq_evaluator_elapsed(const cq_evaluator *ev) {
  return cq_now() - ev->began;
}

bool cq_evaluator_feasible(const cq_evaluator *ev, const cq_point *point) {
  return point->index > 0 && point->violation <= ev->def->constraint_tolerance;
}

void cq_evaluator_end(cq_evaluator *ev, cq_end end, cq_status status) {
  if (ev->end == CQ_END_NONE) {
    ev->end = end;
    ev->status = status;
  }
}

/* CQ_NONFINITE with a text that names the first value that is not finite */
static cq_status check_finite(const cq_evaluator *ev, const cq_point *point) {
  const int n = ev->problem->n;
  CQ_CHECK(ev->ctx, isfinite(point->f), CQ_NONFINITE, "the objective is %g at evaluation %d",
           point->f, point->index);
  for (int i = 0; i < ev->m; i++) {
    CQ_CHECK(ev->ctx, isfinite(point->c[i]), CQ_NONFINITE, "constraint %d is %g at evaluation %d",
             i, point->c[i], point->index);
  }
  for (int j = 0; point->has_gradient && j < n; j++) {
    CQ_CHECK(ev->ctx, isfinite(point->grad[j]), CQ_NONFINITE,
             "the gradient of the objective is %g in variable %d at evaluation %d", point->grad[j],
             j, point->index);
  }
  for (int i = 0; point->has_gradient && i < ev->m; i++) {
    for (int j = 0; j < n; j++) {
      CQ_CHECK(ev->ctx, isfinite(point->jac[(size_t)i * (size_t)n + (size_t)j]), CQ_NONFINITE,
               "the gradient of constraint %d is not finite in variable %d at evaluation %d", i, j,
               point->index);
    }
  }
  return CQ_OK;
}

/* One call of problem->eval at point->x, checked. */
static cq_status simulate(cq_evaluator *ev, cq_point *point, bool gradient, double *seconds) {
  const double began = cq_now();
  point_clear(ev, point, gradient);
  cq_status status =
      ev->problem->eval(ev->problem->data, point->x, &point->f, ev->m > 0 ? point->c : NULL,
                        gradient ? point->grad : NULL, gradient && ev->m > 0 ? point->jac : NULL);
  if (status == CQ_OK) {
    status = check_finite(ev, point);
  }
  if (status == CQ_OK) {
    point->violation = cq_violation(ev->problem, point->c);
    ev->gradients += gradient;
  } else {
    /* keeps the text of whoever failed, if there is one */
    CQ_FAIL(ev->ctx, status, "evaluation %d failed: %s", point->index, cq_status_text(status));
    point_clear(ev, point, gradient);
  }
  *seconds = cq_now() - began;
  ev->eval_seconds += *seconds;
  return status;
}

static bool is_better(const cq_evaluator *ev, const cq_point *a, const cq_point *b) {
  const bool feasible = cq_evaluator_feasible(ev, a);
  if (b->index == 0 || feasible != cq_evaluator_feasible(ev, b)) {
    return b->index == 0 || feasible;
  }
  if (feasible || a->violation == b->violation) {
    return a->f < b->f;
  }
  return a->violation < b->violation;
}

static cq_status record(cq_evaluator *ev, const cq_point *point, cq_status status, double seconds) {
  if (ev->record == NULL) {
    return CQ_OK;
  }
  const bool gradient = point->has_gradient;
  const cq_evaluation evaluation = {
      .index = point->index,
      .has_gradient = gradient,
      .n = ev->problem->n,
      .n_constraints = ev->m,
      .x = point->x,
      .c = point->c,
      .grad = gradient ? point->grad : NULL,
      .jac = gradient ? point->jac : NULL,
      .f = point->f,
      .violation = point->violation,
      .status = status,
      .seconds = seconds,
      .elapsed = cq_evaluator_elapsed(ev),
      .is_best = status == CQ_OK && ev->best.index == point->index,
      .best_f = ev->best.index > 0 ? ev->best.f : NAN,
      .best_violation = ev->best.index > 0 ? ev->best.violation : NAN,
  };
  return ev->record(ev->user, &evaluation);
}

static void set_first_scale(cq_evaluator *ev, const cq_point *point) {
  if (point->has_gradient) {
    for (int j = 0; j < ev->problem->n; j++) {
      ev->first_gradient =
          fmax(ev->first_gradient, fabs(point->grad[j]) * cq_problem_scale(ev->problem, j));
    }
  }
  ev->f_scale = fmax(fmax(ev->first_gradient, fabs(point->f)), DBL_MIN);
}

/* The same x must give the same f, or caches, best points and verdicts mean nothing. */
static cq_status check_repeatable(const cq_evaluator *ev, const cq_point *now_, double before) {
  CQ_CHECK(ev->ctx, fabs(now_->f - before) <= REPEATABLE * fmax(fabs(before), ev->f_scale),
           CQ_VERIFICATION,
           "evaluation %d gave f = %.17g without and %.17g with gradient at the same x: the "
           "problem is not deterministic, nothing found on it can be trusted",
           now_->index, before, now_->f);
  return CQ_OK;
}

/* Policy "abort": a numeric failure ends the run. The place for others: what is put in *point and
 * returned as CQ_OK here is what the method will see. */
static cq_status on_failure(cq_evaluator *ev, cq_point *point, cq_status status) {
  (void)point;
  ev->failures++;
  cq_evaluator_end(ev, CQ_END_FAILURE, status);
  return status;
}

/* Simulates ev->trial, whose x and index are set, keeps and records it. On CQ_OK it has become
 * ev->last. known: the point of the same x whose gradient was missing, or NULL. */
static cq_status take(cq_evaluator *ev, bool gradient, const cq_point *known) {
  const double before = known != NULL ? known->f : NAN;
  double seconds = 0;
  cq_status status = simulate(ev, &ev->trial, gradient, &seconds);
  ev->repeats = 0;
  if (status == CQ_OK && known != NULL) {
    status = check_repeatable(ev, &ev->trial, before);
  }
  if (status == CQ_OK) {
    if (ev->trial.index == 1 && known == NULL) {
      set_first_scale(ev, &ev->trial);
    }
    const cq_point swap = ev->last;
    ev->last = ev->trial;
    ev->trial = swap;
    if (ev->last.index == ev->best.index || is_better(ev, &ev->last, &ev->best)) {
      point_copy(ev, &ev->best, &ev->last);
    }
    status = record(ev, &ev->last, CQ_OK, seconds);
  } else if (cq_status_is_numeric(status)) {
    const cq_status recorded = record(ev, &ev->trial, status, seconds);
    status = recorded != CQ_OK ? recorded : on_failure(ev, &ev->trial, status);
  }
  if (status != CQ_OK) {
    CQ_FAIL(ev->ctx, status, "evaluation %d could not be recorded", ev->evaluations);
    cq_evaluator_end(ev, CQ_END_ERROR, status);
  }
  return status;
}

/* Copies x into the trial point, onto the bounds where it is outside. NLopt is off by an ulp now
 * and then, COBYLA by more. */
static bool place(cq_evaluator *ev, const double *x) {
  const cq_problem *problem = ev->problem;
  for (int i = 0; i < problem->n; i++) {
    if (!isfinite(x[i])) {
      CQ_FAIL(
          ev->ctx, CQ_OPTIMIZER,
          "%s asks for variable %d = %g after %d evaluations; use smaller steps (learning_rate, "
          "scale) or another method",
          ev->def->name, i, x[i], ev->evaluations);
      cq_evaluator_end(ev, CQ_END_STALL, CQ_OPTIMIZER);
      return false;
    }
    /* + 0.0 makes -0 a 0: one x, one hash */
    ev->trial.x[i] = fmin(fmax(x[i], problem->lower[i]), problem->upper[i]) + 0.0;
  }
  return true;
}

static const cq_point *find(const cq_evaluator *ev, const double *x) {
  const size_t bytes = (size_t)ev->problem->n * sizeof *x;
  if (ev->last.index > 0 && memcmp(ev->last.x, x, bytes) == 0) {
    return &ev->last;
  }
  return ev->best.index > 0 && memcmp(ev->best.x, x, bytes) == 0 ? &ev->best : NULL;
}

static bool may_go_on(cq_evaluator *ev, bool is_new) {
  const cq_optimizer_def *def = ev->def;
  const cq_status request = cq_ctx_stop_requested(ev->ctx);
  if (request != CQ_OK) {
    cq_evaluator_end(ev, CQ_END_REQUEST, request);
  } else if (def->max_time > 0 && ev->evaluations > 0 &&
             cq_evaluator_elapsed(ev) >= def->max_time) {
    cq_evaluator_end(ev, CQ_END_TIME, CQ_BUDGET);
  } else if (is_new && def->max_evaluations > 0 && ev->evaluations >= def->max_evaluations) {
    cq_evaluator_end(ev, CQ_END_EVALUATIONS, CQ_BUDGET);
  } else if (++ev->repeats > MAX_REPEATS) {
    CQ_FAIL(ev->ctx, CQ_OPTIMIZER, "%s asked %d times for points it knows", def->name,
            (int)MAX_REPEATS);
    cq_evaluator_end(ev, CQ_END_STALL, CQ_OPTIMIZER);
  }
  return ev->end == CQ_END_NONE;
}

const cq_point *cq_evaluate(cq_evaluator *ev, const double *x, bool gradient) {
  if (ev->end != CQ_END_NONE || !place(ev, x)) {
    return NULL;
  }
  const cq_point *known = find(ev, ev->trial.x);
  if (!may_go_on(ev, known == NULL)) {
    return NULL;
  }
  if (known != NULL && (known->has_gradient || !gradient)) {
    return known;
  }
  ev->trial.index = known != NULL ? known->index : ++ev->evaluations;
  if (take(ev, gradient, known) != CQ_OK) {
    return NULL;
  }
  const cq_optimizer_def *def = ev->def;
  if (def->stop_at_target && !isnan(def->target) && cq_evaluator_feasible(ev, &ev->best) &&
      ev->best.f <= def->target) {
    cq_evaluator_end(ev, CQ_END_TARGET, CQ_OK);
  }
  const cq_status request = cq_ctx_stop_requested(ev->ctx);
  if (request != CQ_OK) {
    cq_evaluator_end(ev, CQ_END_REQUEST, request);
  }
  return ev->end == CQ_END_NONE ? &ev->last : NULL;
}

cq_status cq_evaluator_best_gradient(cq_evaluator *ev) {
  if (ev->best.has_gradient) {
    return CQ_OK;
  }
  ev->trial.index = ev->best.index;
  memcpy(ev->trial.x, ev->best.x, (size_t)ev->problem->n * sizeof(double));
  return take(ev, true, &ev->best);
}

void cq_evaluator_set_best(cq_evaluator *ev, const cq_point *point) {
  point_copy(ev, &ev->best, point);
}
