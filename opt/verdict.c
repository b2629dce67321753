/* What a run is worth: decided from the best point and what is known of it, never from what the
 * method says. */
#include "dependent.h"
#include "grade.h"
#include "kkt.h"
#include "method.h"
#include "plural.h"
#include "repeats.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void say_stall(const cq_run *run, char *text, size_t size) {
  const cq_evaluator *ev = run->evaluator;
  const int used = snprintf(text, size, "%s stalled", run->method->name);
  if (ev->silence > 0) {
    snprintf(text + used, size - (size_t)used, ": no word from it for %g s after %d evaluation%s",
             run->def->stall_time, ev->evaluations, cq_plural(ev->evaluations));
  }
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
    say_stall(run, text, size);
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
    SAY(result, "%s after %d evaluation%s%s%s%s", cq_status_text(ev->status), ev->evaluations,
        cq_plural(ev->evaluations), ev->silence > 0 ? ", while " : "",
        ev->silence > 0 ? run->method->name : "", ev->silence > 0 ? " was thinking" : "");
  } else {
    const char *text = cq_ctx_error(run->ctx);
    SAY(result, "after %d evaluation%s: %s", ev->evaluations, cq_plural(ev->evaluations),
        text[0] != '\0' ? text : cq_status_text(ev->status));
  }
  return true;
}

/* Three reasons for no feasible point, the surest one first. */
static void verdict_infeasible(const cq_run *run, const char *end, cq_result *result) {
  set(result, CQ_INFEASIBLE);
  if (run->probed == CQ_PROBED_BLIND) {
    SAY(result,
        "no feasible point in %d evaluations: what is violated by %.3g does not depend on the "
        "design near it; start elsewhere",
        run->evaluator->evaluations, result->violation);
    return;
  }
  const int dependent = cq_dependent_equality(run->problem, &run->evaluator->best);
  if (dependent >= 0 && !run->method->any_equality) {
    set(result, CQ_OPTIMIZER);
    SAY(result,
        "%s: constraint %d asks for nothing that the equalities before it do not, by its gradient "
        "here; leave it out, or use sqp",
        end, dependent);
    return;
  }
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

/* f is at the target, and the mean of the re-runs is not, or violates a constraint */
static void verdict_by_luck(const cq_run *run, const char *end, cq_result *result) {
  const bool failed = run->evaluator->end == CQ_END_STALL || run->claim == CQ_CLAIM_FAILED;
  set(result, failed ? CQ_OPTIMIZER : CQ_BUDGET);
  if (result->repeats_failed > 0) {
    SAY(result, "%.100s; f = %.9g is at the target, but %d of %d re-runs from other starts failed",
        end, result->f, result->repeats_failed, result->repeats);
  } else {
    SAY(result, "%.100s; f = %.6g is at the target by luck: the mean of %d re-runs is %.6g%s", end,
        result->f, result->repeats, result->f_mean,
        result->f_mean <= run->def->target ? " and violates the constraints" : "");
  }
}

/* feasible, at the target by the mean of the re-runs where there are some */
static void verdict_target(const cq_run *run, const char *end, cq_result *result) {
  const bool by_itself = run->evaluator->end == CQ_END_TARGET;
  char f[64];
  if (result->repeats > 0) {
    snprintf(f, sizeof f, "mean of %d re-runs %.6g +- %.2g", result->repeats, result->f_mean,
             result->f_deviation);
  } else {
    snprintf(f, sizeof f, "f = %.9g", result->f);
  }
  set(result, CQ_OK);
  SAY(result, "target reached: %s <= %.9g at a feasible point (violation %.3g)%s%.100s", f,
      run->def->target, result->violation, by_itself ? "" : "; ", by_itself ? "" : end);
}

/* feasible, and no gradient to judge by, or one that proves nothing */
static void verdict_without_proof(const cq_run *run, const char *end, cq_result *result) {
  const bool failed = run->evaluator->end == CQ_END_STALL || run->claim == CQ_CLAIM_FAILED;
  const char *why = "without a gradient nothing can be verified";
  if (run->problem->draw != NULL) {
    why = "values of samples that change prove nothing";
  } else if (run->problem->gradient == CQ_GRADIENT_HEURISTIC) {
    why = "a heuristic gradient proves nothing";
  }
  set(result, failed ? CQ_OPTIMIZER : CQ_BUDGET);
  SAY(result, "%s at a feasible point with f = %.9g; %s", end, result->f, why);
}

/* feasible, with a residual within the tolerance that probes speak against */
static void verdict_refuted(const cq_run *run, const char *end, cq_result *result) {
  if (run->probed == CQ_PROBED_FLAT) {
    set(result, CQ_FLAT);
    SAY(result,
        "the objective does not depend on the design here: no design nearby has another value, and "
        "the gradient is %s; start elsewhere, or see that the design reaches what is measured",
        run->residual == 0 ? "zero" : "rounding");
    return;
  }
  if (run->probed == CQ_PROBED_CUT) {
    set(result, CQ_BUDGET);
    SAY(result, "%s at a point with a KKT residual of %.3g, too early to probe it", end,
        run->residual);
    return;
  }
  set(result, run->evaluator->status == CQ_BUDGET ? CQ_BUDGET : CQ_NOT_STATIONARY);
  if (run->doubt != NULL) {
    SAY(result, "%s at a point with a KKT residual of %.3g, which proves nothing: %s", end,
        run->residual, run->doubt);
    return;
  }
  SAY(result,
      "%s at a point with a KKT residual of %.3g, which is no optimum: a design nearby is "
      "better by %.3g",
      end, run->residual, run->gain);
}

/* stationary, along a valley whose floor no residual feels */
static void verdict_undetermined(const char *end, cq_result *result) {
  set(result, CQ_FLAT);
  SAY(result,
      "the objective does not depend on the design here in every direction: a combination of "
      "variables changes none of the residuals to first order; %s",
      end);
}

/* What to do about a method that was given up. */
static void advise(const cq_run *run, cq_result *result) {
  const size_t used = strlen(result->reason);
  if (run->evaluator->end == CQ_END_STALL && run->evaluator->silence > 0 &&
      result->status == CQ_OPTIMIZER) {
    snprintf(result->reason + used, sizeof result->reason - used,
             "; use another method, or give it longer with optimizer.stall_time");
  }
}

/* What ended the run from outside, then feasibility, the target, and what the gradient proves. */
void cq_verdict(const cq_run *run, cq_result *result) {
  const cq_optimizer_def *def = run->def;
  const cq_evaluator *ev = run->evaluator;
  const bool feasible = cq_evaluator_feasible(ev, &ev->best);
  char end[104];
  say_end(run, end, sizeof end);
  const cq_repeats none = {.index = 0};
  const cq_repeats *of = result->repeats > 0 ? &ev->repeated : &none;
  const bool seen = feasible && !isnan(def->target) && result->f <= def->target;
  result->reached_target = feasible && cq_repeats_f(of, result->f) <= def->target &&
                           cq_repeats_violation(of, result->violation) <= def->constraint_tolerance;
  if (verdict_of_end(run, result)) {
    return;
  }
  const bool stationary = result->kkt_residual <= def->optimality_tolerance;
  const bool proves = run->problem->draw == NULL && cq_grade_proves(run->problem->gradient);
  const bool refuted = run->probed != CQ_PROBED_NOT && run->probed != CQ_PROBED_SURVIVED;
  if (!feasible) {
    verdict_infeasible(run, end, result);
  } else if (result->reached_target && (ev->end == CQ_END_TARGET || !stationary || refuted)) {
    verdict_target(run, end, result);
  } else if (seen && !result->reached_target) {
    verdict_by_luck(run, end, result);
  } else if (!proves || isnan(result->kkt_residual)) {
    verdict_without_proof(run, end, result);
  } else if (refuted) {
    verdict_refuted(run, end, result);
  } else if (!stationary) {
    verdict_not_stationary(run, end, result);
  } else if (run->undetermined) {
    verdict_undetermined(end, result);
  } else {
    set(result, CQ_OK);
    SAY(result, "verified optimum%s: KKT residual %.3g <= %.3g, violation %.3g <= %.3g; %s",
        cq_grade_label(run->problem->gradient), result->kkt_residual, def->optimality_tolerance,
        result->violation, def->constraint_tolerance, end);
  }
  advise(run, result);
}
