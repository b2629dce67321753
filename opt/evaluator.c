#include "evaluator.h"

#include "alloc.h"
#include "attempt.h"
#include "failure.h"
#include "replay.h"
#include "rules.h"
#include "status.h"
#include "timer.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* relative change of f between two simulations of one x that rounding cannot explain */
static const double REPEATABLE = 1e-6;

static cq_status allocate(cq_evaluator *ev) {
  cq_point *const points[] = {&ev->last, &ev->best, &ev->trial};
  for (int i = 0; i < 3; i++) {
    CQ_TRY(cq_point_create(ev->ctx, ev->problem, points[i]));
    CQ_TRY(CQ_ALLOC(ev->ctx, points[i]->reduced, cq_problem_reduced(ev->problem)));
    CQ_TRY(CQ_ALLOC(ev->ctx, points[i]->residuals, ev->problem->n_residuals));
  }
  CQ_TRY(cq_recent_create(ev->ctx, ev->problem, &ev->recent));
  CQ_TRY(CQ_ALLOC(ev->ctx, ev->c_size, 3 * ev->m));
  ev->size = ev->c_size + ev->m;
  ev->tolerance = ev->size + ev->m;
  return CQ_ALLOC(ev->ctx, ev->multipliers, ev->m + ev->problem->n_parts);
}

/* The time of the run begins here. */
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
  ev->m = cq_problem_constraints(problem);
  ev->f_scale = DBL_MIN;
  ev->worst_f = -INFINITY;
  ev->stale_f = ev->stale_violation = INFINITY;
  ev->began = cq_now();
  const cq_status status = allocate(ev);
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
  cq_point_destroy(ev->ctx, &ev->last);
  cq_point_destroy(ev->ctx, &ev->best);
  cq_point_destroy(ev->ctx, &ev->trial);
  cq_recent_destroy(ev->ctx, &ev->recent);
  cq_free(ev->ctx, ev->c_size);
  cq_free(ev->ctx, ev->multipliers);
  cq_free(ev->ctx, ev);
}

cq_status cq_evaluator_set_replay(cq_evaluator *ev, const cq_replay *replay) {
  ev->replay = replay;
  ev->began -= replay->elapsed;
  ev->eval_seconds = replay->eval_seconds;
  return replay->warm ? cq_replay_all(ev) : CQ_OK;
}

/* The trial point by simulation: known is the point of the same x whose derivatives were missing,
 * which are wanted from the discretization that gave its f, or a finer one. */
static cq_status simulate(cq_evaluator *ev, cq_want want, const cq_point *known) {
  const int first = known != NULL ? known->refinement : 0;
  CQ_TRY(cq_attempt(ev->ctx, ev->problem, ev->def, first, want, &ev->trial, &ev->simulations));
  cq_evaluator_measure(ev, &ev->trial);
  return CQ_OK;
}

/* The trial point from the record of an earlier run, or by simulation. */
static cq_status obtain(cq_evaluator *ev, cq_want want, const cq_point *known, cq_evaluation *out) {
  const double began = cq_now();
  const int before = ev->simulations;
  cq_status status = CQ_OK;
  CQ_TRY(cq_replay_trial(ev, want, out));
  if (out->replayed) {
    status = out->status;
  } else {
    status = simulate(ev, want, known);
    out->seconds = cq_now() - began + ev->ahead_seconds;
    ev->eval_seconds += out->seconds;
  }
  out->simulations = ev->simulations - before;
  return status;
}

static void make_last(cq_evaluator *ev) {
  const cq_point swap = ev->last;
  ev->last = ev->trial;
  ev->trial = swap;
}

/* Tells the recorder, before the method sees anything of it. */
static cq_status record(cq_evaluator *ev, const cq_point *point, cq_status status,
                        cq_evaluation *evaluation) {
  const bool gradient = point->has_gradient;
  evaluation->index = point->index;
  evaluation->has_gradient = gradient;
  evaluation->status = status;
  evaluation->probe = ev->probing;
  evaluation->reduced = point->has_jacobian ? point->reduced : NULL;
  evaluation->residuals = point->has_residuals ? point->residuals : NULL;
  evaluation->n_residuals = point->has_residuals ? ev->problem->n_residuals : 0;
  if (point->has_jacobian && !evaluation->replayed) {
    evaluation->jacobian_cost = ev->problem->jacobian_cost;
  }
  cq_evaluator_charge(ev, evaluation);
  if (ev->record == NULL) {
    return CQ_OK;
  }
  evaluation->n = ev->problem->n;
  evaluation->n_constraints = ev->m;
  evaluation->n_parts = ev->problem->n_parts;
  evaluation->x = point->x;
  evaluation->c = point->c;
  evaluation->grad = gradient ? point->grad : NULL;
  evaluation->jac = gradient ? point->jac : NULL;
  evaluation->parts = point->parts;
  evaluation->part_slopes = gradient ? point->part_slopes : NULL;
  evaluation->f = point->f;
  evaluation->violation = point->violation;
  evaluation->refinement = point->refinement;
  evaluation->elapsed = cq_evaluator_elapsed(ev);
  evaluation->is_best = status == CQ_OK && ev->best.index == point->index;
  evaluation->best_f = ev->best.index > 0 ? ev->best.f : NAN;
  evaluation->best_violation = ev->best.index > 0 ? ev->best.violation : NAN;
  return ev->record(ev->user, evaluation);
}

/* The same x must give the same f, of one discretization, or caches, best points and verdicts mean
 * nothing. */
static cq_status check_repeatable(const cq_evaluator *ev, const cq_point *now_, double before) {
  CQ_CHECK(ev->ctx, fabs(now_->f - before) <= REPEATABLE * fmax(fabs(before), ev->f_scale),
           CQ_VERIFICATION,
           "evaluation %d gave f = %.17g without and %.17g with derivatives at the same x: the "
           "problem is not deterministic, nothing found on it can be trusted",
           now_->index, before, now_->f);
  return CQ_OK;
}

/* Constraints are not evaluated again with the residuals' derivatives, as long as both are of one
 * discretization. */
static void carry_over(cq_evaluator *ev, const cq_point *known) {
  const size_t n = (size_t)ev->problem->n, m = (size_t)ev->m, p = (size_t)ev->problem->n_parts;
  cq_point *to = &ev->trial;
  memcpy(to->c, known->c, m * sizeof *to->c);
  memcpy(to->grad, known->grad, n * sizeof *to->grad);
  memcpy(to->jac, known->jac, m * n * sizeof *to->jac);
  if (p > 0) {
    memcpy(to->parts, known->parts, p * sizeof *to->parts);
    memcpy(to->part_slopes, known->part_slopes, p * n * sizeof *to->part_slopes);
  }
}

/* The gradient that was carried over, which the record has already. */
static void keep_gradient(cq_evaluator *ev) {
  ev->last.has_gradient = true;
  if (ev->best.index == ev->last.index) {
    cq_point_copy(ev->problem, &ev->best, &ev->last);
  }
}

/* Obtains ev->trial, whose x and index are set, keeps and records it. On CQ_OK it has become
 * ev->last. known: the point of the same x whose derivatives were missing, or NULL. Nothing but a
 * numeric failure leaves the run without an end. */
static cq_status take(cq_evaluator *ev, cq_want want, const cq_point *known) {
  const double before = known != NULL ? known->f : NAN;
  const int refinement = known != NULL ? known->refinement : 0;
  const bool carries = want == CQ_WANT_JACOBIAN && ev->m > 0;
  cq_evaluation evaluation = {.index = 0};
  if (carries) {
    carry_over(ev, known);
  }
  cq_status status = obtain(ev, want, known, &evaluation);
  ev->repeats = 0;
  if (cq_status_is_numeric(status)) {
    ev->failures++;
    const cq_status recorded = record(ev, &ev->trial, status, &evaluation);
    if (recorded == CQ_OK) {
      return status;
    }
    status = recorded;
  }
  if (status == CQ_OK && known != NULL && ev->trial.refinement == refinement) {
    status = check_repeatable(ev, &ev->trial, before);
  }
  if (status == CQ_OK) {
    make_last(ev);
    cq_evaluator_note(ev, known == NULL);
    ev->recovered += evaluation.simulations > 1;
    status = record(ev, &ev->last, CQ_OK, &evaluation);
    if (carries && ev->last.refinement == refinement) {
      keep_gradient(ev);
    }
  }
  if (status != CQ_OK) {
    CQ_FAIL(ev->ctx, status, "evaluation %d could not be recorded", ev->evaluations);
    cq_evaluator_fail(ev, status);
  }
  return status;
}

/* A failure of the first evaluation, or under the policy "abort", ends the run. Else the method is
 * told the substitute. */
static cq_status on_failure(cq_evaluator *ev, cq_status status, bool is_new) {
  const cq_failure_policy policy = ev->def->on_failure;
  /* who asks for the end at a tear gets it, unless a penalty is asked for, too */
  const bool ends =
      policy == CQ_FAILURE_ABORT || (status == CQ_TEARS && policy == CQ_FAILURE_RETRY_SMALLER_STEP);
  if (ev->best.index == 0 || ends) {
    cq_evaluator_end(ev, CQ_END_FAILURE, status);
    return status;
  }
  cq_failure_substitute(ev, &ev->trial);
  make_last(ev);
  ev->stale += is_new;
  cq_ctx_clear_error(ev->ctx);
  return CQ_OK;
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

static const cq_point *hand_out(cq_evaluator *ev, const cq_point *point) {
  cq_recent_add(&ev->recent, point);
  return point;
}

static bool is_enough(const cq_point *known, cq_want want) {
  return known != NULL &&
         (want == CQ_WANT_VALUE || (want == CQ_WANT_GRADIENT    ? known->has_gradient
                                    : want == CQ_WANT_RESIDUALS ? known->has_residuals
                                                                : known->has_jacobian));
}

/* The point at ev->trial.x if it is known, and the record of an earlier run up to what follows. */
static cq_status reach(cq_evaluator *ev, cq_want want, const cq_point **known) {
  bool passed = true;
  cq_status status = CQ_OK;
  while (status == CQ_OK && passed) {
    *known = find(ev, ev->trial.x);
    if (is_enough(*known, want)) {
      return CQ_OK;
    }
    const int index = *known != NULL ? (*known)->index : ev->evaluations + 1;
    status = cq_replay_reach(ev, index, want, &passed);
  }
  if (status != CQ_OK) {
    cq_evaluator_fail(ev, status);
  }
  return status;
}

/* A budget that ends the run here leaves what the record holds behind it, probes of the end, to
 * whoever verifies that end; a larger one passes over them, which counts. */
static const cq_point *evaluate(cq_evaluator *ev, const double *x, cq_want want) {
  if (ev->end != CQ_END_NONE || !place(ev, x)) {
    return NULL;
  }
  const cq_point *known = find(ev, ev->trial.x);
  cq_rules_before(ev, !is_enough(known, want), known == NULL);
  const int before = ev->simulations;
  cq_status status = ev->end == CQ_END_NONE ? reach(ev, want, &known) : CQ_OK;
  if (status == CQ_OK && ev->simulations != before) {
    cq_rules_before(ev, !is_enough(known, want), known == NULL);
  }
  if (ev->end != CQ_END_NONE || is_enough(known, want)) {
    return ev->end == CQ_END_NONE ? hand_out(ev, known) : NULL;
  }
  ev->trial.index = known != NULL ? known->index : ++ev->evaluations;
  status = take(ev, want, known);
  if (status == CQ_OK) {
    hand_out(ev, &ev->last);
    cq_rules_after(ev);
  } else if (ev->end == CQ_END_NONE) {
    status = on_failure(ev, status, known == NULL);
  }
  return status == CQ_OK && ev->end == CQ_END_NONE ? &ev->last : NULL;
}

const cq_point *cq_evaluate(cq_evaluator *ev, const double *x, bool gradient) {
  return evaluate(ev, x, gradient ? CQ_WANT_GRADIENT : CQ_WANT_VALUE);
}

/* Constraints have their gradients from the other adjoint first. */
const cq_point *cq_evaluate_jacobian(cq_evaluator *ev, const double *x) {
  const cq_point *point = ev->m > 0 ? evaluate(ev, x, CQ_WANT_GRADIENT) : NULL;
  return ev->m > 0 && (point == NULL || point->failed) ? point : evaluate(ev, x, CQ_WANT_JACOBIAN);
}

const cq_point *cq_evaluate_residuals(cq_evaluator *ev, const double *x) {
  return evaluate(ev, x, CQ_WANT_RESIDUALS);
}

/* A budget that has ended the run leaves the few evaluations that a verdict needs. */
static bool may_probe(const cq_evaluator *ev) {
  return ev->end != CQ_END_REQUEST && ev->end != CQ_END_FAILURE && ev->end != CQ_END_ERROR;
}

static cq_status probe(cq_evaluator *ev, const double *x, cq_want want, const cq_point **out) {
  const cq_status request = cq_ctx_stop_requested(ev->ctx);
  if (request != CQ_OK && may_probe(ev) && ev->end != CQ_END_TARGET) {
    ev->end = CQ_END_REQUEST; /* which a budget does not hide */
    ev->status = request;
  }
  if (!may_probe(ev) || !place(ev, x)) {
    return CQ_OK;
  }
  const cq_point *known = NULL;
  if (reach(ev, want, &known) != CQ_OK) {
    return CQ_OK;
  }
  if (is_enough(known, want)) {
    *out = known;
    return CQ_OK;
  }
  if (ev->end != CQ_END_NONE && ev->pending != NULL && !ev->pending->probe) {
    return CQ_OK; /* the record goes on where a smaller budget has ended this run */
  }
  ev->trial.index = known != NULL ? known->index : ++ev->evaluations;
  ev->probes += known == NULL;
  const cq_status status = take(ev, want, known);
  if (cq_status_is_numeric(status)) {
    cq_ctx_clear_error(ev->ctx);
  } else if (status == CQ_OK) {
    ev->last.probe = true;
    *out = hand_out(ev, &ev->last);
  }
  return cq_status_is_numeric(status) ? status : CQ_OK; /* any other has ended the run */
}

cq_status cq_evaluate_probe(cq_evaluator *ev, const double *x, bool gradient, double bar,
                            const cq_point **out) {
  *out = NULL;
  ev->probing = true;
  ev->bar = bar;
  const cq_status status = probe(ev, x, gradient ? CQ_WANT_GRADIENT : CQ_WANT_VALUE, out);
  ev->probing = false;
  return status;
}

cq_status cq_evaluator_best_gradient(cq_evaluator *ev) {
  bool passed = true;
  while (passed && !ev->best.has_gradient) {
    CQ_TRY(cq_replay_reach(ev, ev->best.index, CQ_WANT_GRADIENT, &passed));
  }
  if (ev->best.has_gradient) {
    return CQ_OK;
  }
  ev->trial.index = ev->best.index;
  memcpy(ev->trial.x, ev->best.x, (size_t)ev->problem->n * sizeof(double));
  return take(ev, CQ_WANT_GRADIENT, &ev->best);
}
