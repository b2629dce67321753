/* What a run is worth: decided from the best point and what is known of it, never from what the
 * method says. */
#include "kkt.h"
#include "method.h"
#include "status.h"

#include <math.h>
#include <stdio.h>

/* part of optimality_tolerance at which methods that can be asked to end do so */
static const double SETTLED = 0.01;

static cq_status residual_at(cq_run *run, const cq_point *point) {
  return cq_kkt_judge(run->evaluator, point, run->multipliers, &run->residual);
}

static bool is_verified(const cq_run *run, const cq_point *point) {
  return cq_evaluator_feasible(run->evaluator, point) &&
         run->residual <= run->def->optimality_tolerance;
}

bool cq_run_verify(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  run->residual = NAN;
  if (ev->best.index == 0) {
    return false;
  }
  cq_status status = cq_evaluator_best_gradient(ev);
  if (status == CQ_OK) {
    status = residual_at(run, &ev->best);
  }
  if (status != CQ_OK) {
    /* a budget that had ended the run hides no failure; a target needs no residual */
    if (ev->end != CQ_END_TARGET) {
      ev->end = cq_status_is_numeric(status) ? CQ_END_FAILURE : CQ_END_ERROR;
      ev->status = status;
    }
    return false;
  }
  return is_verified(run, &ev->best);
}

bool cq_run_settled(cq_run *run, const cq_point *point) {
  if (run->evaluator->seeking || !cq_evaluator_feasible(run->evaluator, point) ||
      residual_at(run, point) != CQ_OK ||
      !(run->residual <= SETTLED * run->def->optimality_tolerance)) {
    return false;
  }
  run->claim = CQ_CLAIM_CONVERGED;
  snprintf(run->words, sizeof run->words, "the KKT residual is small");
  return true;
}

bool cq_run_promote(cq_run *run, const cq_point *point) {
  cq_evaluator *ev = run->evaluator;
  if (point->index == ev->best.index || !cq_evaluator_feasible(ev, point) ||
      residual_at(run, point) != CQ_OK) {
    return cq_run_verify(run);
  }
  double bought = 0;
  for (int i = 0; i < ev->m; i++) {
    const double margin = i < run->problem->n_inequality ? run->def->constraint_margin : 0;
    bought += fabs(run->multipliers[i]) * (2 * run->def->constraint_tolerance + margin);
  }
  if (is_verified(run, point) && point->f - ev->best.f <= bought) {
    cq_evaluator_set_best(ev, point);
    return true;
  }
  return cq_run_verify(run);
}

bool cq_run_promote_recent(cq_run *run) {
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *point = cq_recent_at(&run->evaluator->recent, k);
    if (point != NULL && cq_run_promote(run, point)) {
      return true;
    }
  }
  return false;
}

/* "LD_SLSQP reports NLopt's FTOL_REACHED" and the like: how the run ended, the verdict aside */
static void say_end(const cq_run *run, char *text, size_t size) {
  const cq_evaluator *ev = run->evaluator;
  const cq_optimizer_def *def = run->def;
  switch (ev->end) {
  case CQ_END_EVALUATIONS:
    snprintf(text, size, "max_evaluations = %d reached", def->max_evaluations);
    return;
  case CQ_END_SIMULATIONS:
    snprintf(text, size, "max_simulations = %d reached", def->max_simulations);
    return;
  case CQ_END_COST:
    snprintf(text, size, "max_cost = %g forward runs reached", def->max_cost);
    return;
  case CQ_END_SEEKING:
    snprintf(text, size, "feasibility_evaluations = %d reached", def->feasibility_evaluations);
    return;
  case CQ_END_STAGNATION:
    snprintf(text, size, "no better design in %d evaluations", def->stagnation);
    return;
  case CQ_END_GRADIENT:
    snprintf(text, size, "gradient_tolerance = %g reached", def->gradient_tolerance);
    return;
  case CQ_END_TIME:
    snprintf(text, size, "max_time = %g s reached", def->max_time);
    return;
  case CQ_END_TARGET:
    snprintf(text, size, "target reached");
    return;
  case CQ_END_STALL:
    snprintf(text, size, "%s stalled", run->method->name);
    return;
  case CQ_END_REQUEST:
    snprintf(text, size, "stopped on request");
    return;
  case CQ_END_FAILURE:
  case CQ_END_ERROR:
    snprintf(text, size, "stopped by an error");
    return;
  case CQ_END_NONE:
  case CQ_END_FEASIBLE: /* ends a phase, not a run */
    break;
  }
  snprintf(text, size, "%s %s: %s", run->method->name,
           run->claim == CQ_CLAIM_FAILED ? "gave up" : "claims convergence", run->words);
}

static void set(cq_result *result, cq_status status) {
  result->status = status;
}

#define SAY(result, ...) snprintf((result)->reason, sizeof(result)->reason, __VA_ARGS__)

/* Ends that say nothing about optimality. */
static bool verdict_of_end(const cq_run *run, cq_result *result) {
  const cq_evaluator *ev = run->evaluator;
  if (ev->end != CQ_END_FAILURE && ev->end != CQ_END_ERROR && ev->end != CQ_END_REQUEST) {
    return false;
  }
  set(result, ev->status);
  if (ev->end == CQ_END_REQUEST) {
    SAY(result, "%s after %d evaluation%s", cq_status_text(ev->status), ev->evaluations,
        ev->evaluations == 1 ? "" : "s");
  } else {
    const char *text = cq_ctx_error(run->ctx);
    SAY(result, "after %d evaluation%s: %s", ev->evaluations, ev->evaluations == 1 ? "" : "s",
        text[0] != '\0' ? text : cq_status_text(ev->status));
  }
  return true;
}

static void verdict_infeasible(const cq_run *run, const char *end, cq_result *result) {
  set(result, CQ_INFEASIBLE);
  SAY(result, "no feasible point in %d evaluations: the least violation is %.3g > %.3g; %s",
      run->evaluator->evaluations, result->violation, run->def->constraint_tolerance, end);
}

/* feasible, with a residual above the tolerance */
static void verdict_not_stationary(const cq_run *run, const char *end, cq_result *result) {
  const cq_optimizer_def *def = run->def;
  const cq_evaluator *ev = run->evaluator;
  if (ev->status == CQ_BUDGET) {
    set(result, CQ_BUDGET);
    SAY(result, "%s at a feasible point that is not stationary: KKT residual %.3g > %.3g", end,
        result->kkt_residual, def->optimality_tolerance);
  } else if (ev->end == CQ_END_STALL || run->claim == CQ_CLAIM_FAILED) {
    set(result, CQ_OPTIMIZER);
    SAY(result, "%s at a point that is not stationary: KKT residual %.3g > %.3g", end,
        result->kkt_residual, def->optimality_tolerance);
  } else if (run->claimed_violation > def->constraint_tolerance) {
    set(result, CQ_VERIFICATION);
    SAY(result,
        "%s, at a point that violates the constraints by %.3g > %.3g; the best feasible point is "
        "not stationary either: KKT residual %.3g",
        end, run->claimed_violation, def->constraint_tolerance, result->kkt_residual);
  } else {
    set(result, CQ_NOT_STATIONARY);
    SAY(result, "%s, where it is not stationary: KKT residual %.3g > %.3g", end,
        result->kkt_residual, def->optimality_tolerance);
  }
}

/* feasible, and no gradient to judge by */
static void verdict_without_gradient(const cq_run *run, const char *end, cq_result *result) {
  const bool failed = run->evaluator->end == CQ_END_STALL || run->claim == CQ_CLAIM_FAILED;
  set(result, failed ? CQ_OPTIMIZER : CQ_BUDGET);
  SAY(result, "%s at a feasible point with f = %.9g; without a gradient nothing can be verified",
      end, result->f);
}

void cq_verdict(const cq_run *run, cq_result *result) {
  const cq_optimizer_def *def = run->def;
  const cq_evaluator *ev = run->evaluator;
  const bool feasible = cq_evaluator_feasible(ev, &ev->best);
  char end[104];
  say_end(run, end, sizeof end);
  result->reached_target = feasible && !isnan(def->target) && result->f <= def->target;
  if (verdict_of_end(run, result)) {
    return;
  }
  if (!feasible) {
    verdict_infeasible(run, end, result);
  } else if (result->kkt_residual <= def->optimality_tolerance) {
    set(result, CQ_OK);
    SAY(result, "verified optimum: KKT residual %.3g <= %.3g, violation %.3g <= %.3g; %s",
        result->kkt_residual, def->optimality_tolerance, result->violation,
        def->constraint_tolerance, end);
  } else if (result->reached_target) {
    set(result, CQ_OK);
    SAY(result, "target reached: f = %.9g <= %.9g at a feasible point (violation %.3g)%s%s",
        result->f, def->target, result->violation, ev->end == CQ_END_TARGET ? "" : "; ",
        ev->end == CQ_END_TARGET ? "" : end);
  } else if (run->method->needs_gradient) {
    verdict_not_stationary(run, end, result);
  } else {
    verdict_without_gradient(run, end, result);
  }
}
