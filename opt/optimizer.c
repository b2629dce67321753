/* A run: the evaluator, the method, the verdict. */
#include "alloc.h"
#include "kkt.h"
#include "method.h"
#include "phases.h"
#include "probe.h"
#include "repeats.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* claims of one run that probes may refute */
enum { MOST_ROUNDS = 20 };

static bool is_fixed(const cq_problem *problem) {
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j]) {
      return false;
    }
  }
  return true;
}

/* No further simulation for a user who asked to stop, or after a failure. */
static bool may_simulate(const cq_evaluator *ev) {
  return ev->end != CQ_END_REQUEST && ev->end != CQ_END_FAILURE && ev->end != CQ_END_ERROR;
}

static void verify(cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  const bool may = may_simulate(ev) && run->method->needs_gradient;
  run->residual = NAN;
  if (ev->best.index == 0 || !(ev->best.has_gradient || may)) {
    return;
  }
  const bool verified = cq_run_verify(run);
  const bool failed = may && !may_simulate(ev); /* now */
  if (verified || (!failed && cq_run_promote_recent(run))) {
    cq_run_prefer_feasible(run);
  }
}

/* Whether a target that is reached makes any verdict on optimality needless. */
static bool is_done(const cq_run *run) {
  return run->evaluator->end == CQ_END_TARGET;
}

/* Probes what the method has claimed; true when it is to go on from a better point. */
static bool goes_on(cq_run *run, int *refuted) {
  cq_evaluator *ev = run->evaluator;
  if (is_done(run) || !cq_probe_refutes(run) || ev->best.index == *refuted) {
    return false;
  }
  *refuted = ev->best.index;
  if (ev->end == CQ_END_GRADIENT || ev->end == CQ_END_STALL) {
    ev->end = CQ_END_NONE; /* our own rule was wrong, or the method knew of no other point */
    ev->status = CQ_OK;
    ev->repeats = 0;
  }
  if (ev->end != CQ_END_NONE) {
    return false;
  }
  cq_log(run->ctx, CQ_LOG_INFO, "probes refute the optimum that %s claims: on from f = %.9g",
         run->method->name, ev->best.f);
  run->claim = CQ_CLAIM_NONE;
  run->words[0] = '\0';
  return true;
}

/* Whether the method has given up, and another one is to go on from the best point. */
static bool hands_over(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  const bool stalled = ev->end == CQ_END_STALL;
  const cq_optimizer *then = cq_optimizer_find(run->def->then);
  if (then == NULL || then == run->method || !(stalled || ev->end == CQ_END_NONE) ||
      (run->claim != CQ_CLAIM_FAILED && !stalled) ||
      (cq_evaluator_feasible(ev, &ev->best) && run->residual <= run->def->optimality_tolerance)) {
    return false;
  }
  ev->end = CQ_END_NONE;
  ev->status = CQ_OK;
  ev->repeats = 0;
  cq_log(run->ctx, CQ_LOG_INFO, "%s gives up: %s goes on from its best design", run->method->name,
         then->name);
  run->method = then;
  run->claim = CQ_CLAIM_NONE;
  run->words[0] = '\0';
  return true;
}

/* The first point is evaluated before the method starts: methods do not survive a failure there. A
 * warm start is at the best point of the record. */
static bool begins(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  const double *start = ev->best.index > 0 ? ev->best.x : run->problem->start;
  if (run->method->begins_with_residuals) {
    return cq_evaluate_residuals(ev, start) != NULL;
  }
  return (run->method->needs_residuals
              ? cq_evaluate_jacobian(ev, start)
              : cq_evaluate(ev, start, run->method->needs_gradient)) != NULL;
}

/* Rounds of the method, each with its verdict, until a claim stands. */
static void drive(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  int refuted = 0;
  bool moves = begins(run);
  if (moves && is_fixed(run->problem)) {
    moves = false;
    run->claim = CQ_CLAIM_CONVERGED;
    snprintf(run->words, sizeof run->words, "every variable is fixed by its bounds");
  }
  for (int round = 0; round < MOST_ROUNDS; round++) {
    const cq_status status = moves ? cq_phases_run(run) : CQ_OK;
    if (status != CQ_OK) {
      cq_evaluator_end(ev, CQ_END_ERROR, status);
    }
    verify(run);
    if (!goes_on(run, &refuted) && !hands_over(run)) {
      return;
    }
    moves = true;
  }
}

/* What the best point is worth where it is not the luckiest of many runs. */
static void repeat_best(const cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  if (cq_repeats_wanted(run->problem, run->def) > 0 && ev->best.index > 0 && may_simulate(ev)) {
    const cq_end end = ev->end;
    const cq_status status = ev->status;
    ev->end = CQ_END_NONE; /* a failure here must not be hidden by a budget that is spent */
    if (cq_repeats_run(ev, &ev->best, &ev->repeated) == CQ_OK) {
      ev->end = end;
      ev->status = status;
    }
  }
}

/* What is known whether or not the run ended well. */
static void fill_result(const cq_run *run, double *x, double *multipliers, cq_result *result) {
  const cq_evaluator *ev = run->evaluator;
  const cq_problem *problem = run->problem;
  result->has_point = ev->best.index > 0;
  result->f = result->has_point ? ev->best.f : NAN;
  result->violation = result->has_point ? ev->best.violation : NAN;
  result->kkt_residual = run->residual;
  result->best_index = ev->best.index;
  result->evaluations = ev->evaluations;
  result->replayed = ev->replayed;
  result->probes = ev->probes;
  result->simulations = ev->simulations;
  result->gradients = ev->gradients;
  result->failures = ev->failures;
  result->recovered = ev->recovered;
  result->eval_seconds = ev->eval_seconds;
  const cq_repeats *of = &ev->repeated;
  const bool repeated = of->index > 0 && of->index == ev->best.index;
  result->repeats = repeated ? of->count : 0;
  result->repeats_failed = repeated ? of->failed : 0;
  result->f_mean = repeated ? of->mean : NAN;
  result->f_deviation = repeated ? of->deviation : NAN;
  result->f_worst = repeated ? of->worst : NAN;
  memcpy(x, result->has_point ? ev->best.x : problem->start, (size_t)problem->n * sizeof *x);
  for (int i = 0; multipliers != NULL && i < ev->m; i++) {
    multipliers[i] = isnan(run->residual) ? NAN : run->multipliers[i];
  }
}

/* An evaluator that begins where the record of an earlier run ends. */
static cq_status make_evaluator(cq_run *run, const cq_replay *replay, cq_record_fn record,
                                void *user) {
  CQ_TRY(cq_evaluator_create(run->ctx, run->problem, run->def, record, user, &run->evaluator));
  const cq_status status = replay != NULL ? cq_evaluator_set_replay(run->evaluator, replay) : CQ_OK;
  if (status != CQ_OK) {
    cq_evaluator_destroy(run->evaluator);
    run->evaluator = NULL;
  }
  return status;
}

static cq_status optimize(cq_run *run, const cq_replay *replay, cq_record_fn record, void *user,
                          double *x, double *multipliers, cq_result *result) {
  CQ_TRY(cq_optimizer_check(run->ctx, run->def, run->problem));
  run->method = cq_optimizer_find(run->def->name);
  CQ_TRY(CQ_ALLOC(run->ctx, run->multipliers,
                  cq_problem_constraints(run->problem) + run->problem->n_parts));
  CQ_TRY(make_evaluator(run, replay, record, user));
  drive(run);
  repeat_best(run);
  fill_result(run, x, multipliers, result);
  cq_verdict(run, result);
  result->seconds = cq_evaluator_elapsed(run->evaluator);
  return result->status;
}

cq_status cq_optimize_from(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def,
                           const cq_replay *replay, cq_record_fn record, void *user, double *x,
                           double *multipliers, cq_result *result) {
  CQ_TRY(cq_optimizer_given(ctx, def, problem));
  CQ_CHECK(ctx, x != NULL && result != NULL, CQ_USAGE, "there is no room for x or the result");
  const cq_optimizer_def resolved = cq_optimizer_resolve(def, problem);
  const cq_optimizer *method = cq_optimizer_find(resolved.name);
  cq_problem wanted = *problem;
  if (method == NULL || !method->needs_residuals) {
    wanted.n_residuals = 0; /* no room for what nobody asks for: it grows as n^2 */
  }
  cq_run run = {
      .ctx = ctx, .problem = &wanted, .def = &resolved, .residual = NAN, .claimed_violation = NAN};
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  *result = (cq_result){.f = NAN,
                        .violation = NAN,
                        .kkt_residual = NAN,
                        .f_mean = NAN,
                        .f_deviation = NAN,
                        .f_worst = NAN};
  const cq_status status = optimize(&run, replay, record, user, x, multipliers, result);
  if (run.evaluator == NULL) {
    result->status = status;
    snprintf(result->reason, sizeof result->reason, "%.250s", cq_ctx_error(ctx));
  }
  if (status == CQ_OK && was_clean) {
    cq_ctx_clear_error(ctx); /* an error on the way that did not matter in the end */
  }
  cq_evaluator_destroy(run.evaluator);
  cq_free(ctx, run.multipliers);
  return status;
}

cq_status cq_optimize(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def,
                      cq_record_fn record, void *user, double *x, double *multipliers,
                      cq_result *result) {
  return cq_optimize_from(ctx, problem, def, NULL, record, user, x, multipliers, result);
}
