/* Passes of NLopt and restarts. */
#include "nlopt_driver.h"

#include "alloc.h"
#include "kkt.h"
#include "plural.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* used when ftol_rel and xtol_rel are both 0: NLopt needs a rule to end by */
static const double DEFAULT_FTOL = 1e-10, DEFAULT_XTOL = 1e-10;
/* least gain of a pass, relative to the unit of gradients or to the violation, that is worth
 * another */
static const double WORTHWHILE_GAIN = 1e-9, WORTHWHILE_FEASIBILITY = 0.01;
static const double MOST_MARGIN = 10; /* [constraint_tolerance] */
/* part of the unit of f that is worth a new one */
static const double MUCH_LESS = 0.01;
/* of ftol and xtol: what each claim that does not verify multiplies them by, and where that ends */
static const double TIGHTEN = 0.01, TIGHTEST = 1e-13;

/* MMA and CCSAQ solve a problem in the multipliers at each step. NLopt's default for that, MMA,
 * leaves errors of 1e-9 that keep the outer iteration from ever meeting a tolerance: on the chain
 * problems of tests/test_opt_class.h it takes 40 times the evaluations that truncated Newton takes.
 * That in turn gives up now and then, where the multipliers want to be 0; MMA does not. */
static const nlopt_algorithm DUAL = NLOPT_LD_TNEWTON_PRECOND, ROBUST_DUAL = NLOPT_LD_MMA;

/* One nlopt_optimize from d->start. */
static cq_status pass_by(cq_nlopt_driver *d, nlopt_algorithm dual, nlopt_result *code) {
  d->dual = dual;
  cq_status status = cq_nlopt_open(d, d->kind->algorithm, d->kind->local, cq_nlopt_objective);
  status = status == CQ_OK ? cq_nlopt_constrain(d) : status;
  status = status == CQ_OK ? cq_nlopt_optimize(d, code) : status;
  cq_nlopt_close(d);
  return status;
}

/* d->start becomes the best point, or a feasible one near it; d->found says whether there is one.
 */
static cq_status set_start(cq_nlopt_driver *d) {
  const cq_point *best = &d->run->evaluator->best;
  memcpy(d->start, best->x, (size_t)d->run->problem->n * sizeof *d->start);
  d->found = true;
  return d->kind->feasible_start && !cq_nlopt_may_start(d, best) ? cq_nlopt_make_feasible(d)
                                                                 : CQ_OK;
}

static cq_status pass(cq_nlopt_driver *d, nlopt_result *code) {
  const cq_evaluator *ev = d->run->evaluator;
  CQ_TRY(set_start(d));
  if (!d->found || ev->end != CQ_END_NONE) {
    return CQ_OK;
  }
  CQ_TRY(pass_by(d, DUAL, code));
  if (!d->kind->feasible_start || *code >= 0 || ev->end != CQ_END_NONE) {
    return CQ_OK;
  }
  cq_log(d->run->ctx, CQ_LOG_INFO, "NLopt's %s: again with the other solver for multipliers",
         d->stuck ? "standstill" : nlopt_result_to_string(*code));
  CQ_TRY(set_start(d));
  return d->found && ev->end == CQ_END_NONE ? pass_by(d, ROBUST_DUAL, code) : CQ_OK;
}

/* Other points than the best: the one NLopt returned, or the last ones it asked for. */
static bool verify_others(cq_nlopt_driver *d) {
  cq_run *run = d->run;
  cq_scaling_leave(&d->scaling, d->scaling.x);
  const cq_point *point = cq_evaluate(run->evaluator, d->scaling.full, true);
  if (point == NULL) {
    return false;
  }
  run->claimed_violation = point->violation;
  return cq_run_promote(run, point) || cq_run_promote_recent(run);
}

static bool worth_another(const cq_run *run, double f, double violation) {
  const cq_evaluator *ev = run->evaluator;
  const double tolerance = run->def->constraint_tolerance;
  if (violation > tolerance) {
    return ev->best.violation < (1 - WORTHWHILE_FEASIBILITY) * violation;
  }
  const double unit = ev->best.has_gradient ? cq_kkt_unit(ev, &ev->best) : ev->f_scale;
  return f - ev->best.f > WORTHWHILE_GAIN * unit;
}

/* CCSAQ and MMA may return points that violate the constraints by a little more than they are
 * allowed, and whose better f is lost on us then. A larger margin puts the next ones inside. */
static bool widen_margin(cq_nlopt_driver *d) {
  const double violation = d->run->claimed_violation;
  const double tolerance = d->run->def->constraint_tolerance;
  if (!(violation > tolerance && violation <= MOST_MARGIN * tolerance &&
        d->scaling.margin < MOST_MARGIN * tolerance)) {
    return false;
  }
  d->scaling.margin += violation;
  return true;
}

/* Tighter tolerances for the next pass; false when they are as tight as they can be. */
static bool tighten(cq_nlopt_driver *d) {
  if (fmax(d->ftol, d->xtol) <= TIGHTEST) {
    return false;
  }
  d->ftol *= TIGHTEN;
  d->xtol *= TIGHTEN;
  return true;
}

/* what NLopt says of a pass becomes the method's claim */
static void set_claim(const cq_nlopt_driver *d, nlopt_result code, int restarts) {
  cq_run *run = d->run;
  const char *said = d->stuck ? "standstill" : nlopt_result_to_string(code);
  /* our own rules alone end a run by evaluations and time, so 5 and 6 cannot come from them */
  const bool converged = code > 0 && code != NLOPT_MAXEVAL_REACHED && code != NLOPT_MAXTIME_REACHED;
  run->claim = converged ? CQ_CLAIM_CONVERGED : CQ_CLAIM_FAILED;
  snprintf(run->words, sizeof run->words, "NLopt's %s", said);
  if (restarts > 0) {
    snprintf(run->words, sizeof run->words, "NLopt's %s after %d restart%s", said, restarts,
             cq_plural(restarts));
  }
}

static bool is_verified(cq_nlopt_driver *d) {
  cq_run *run = d->run;
  const cq_evaluator *ev = run->evaluator;
  if (!run->method->needs_gradient) {
    return cq_evaluator_feasible(ev, &ev->best);
  }
  return cq_run_verify(run) ||
         (run->claim == CQ_CLAIM_CONVERGED ? verify_others(d) : cq_run_promote_recent(run));
}

static void log_restart(const cq_run *run, int restart) {
  const cq_evaluator *ev = run->evaluator;
  char why[80];
  if (cq_evaluator_feasible(ev, &ev->best)) {
    snprintf(why, sizeof why, "KKT residual %.3g > %.3g", run->residual,
             run->def->optimality_tolerance);
  } else {
    snprintf(why, sizeof why, "violation %.3g > %.3g", ev->best.violation,
             run->def->constraint_tolerance);
  }
  cq_log(run->ctx, CQ_LOG_INFO, "restart %d of %d at the best point (f = %.9g): %s after %s",
         restart, run->def->restarts, ev->best.f, why, run->words);
}

/* From a start far away the unit of f is one of gradients that are gone, and LD_LBFGS ends where
 * the scaled gradient is 1e-8. */
static void rescale(cq_nlopt_driver *d) {
  const cq_run *run = d->run;
  const cq_point *best = &run->evaluator->best;
  if (run->def->scaling != CQ_SCALING_AUTO || !isnan(run->def->objective_scale) ||
      !best->has_gradient) {
    return;
  }
  const double unit = cq_kkt_unit(run->evaluator, best);
  if (unit > 0 && unit < MUCH_LESS * d->scaling.f_unit) {
    d->scaling.f_unit = unit;
    cq_scaling_log(run->ctx, &d->scaling);
  }
}

/* NLopt's methods claim success at points that are neither feasible nor stationary. Starting again
 * at the best point cures most of it. */
static cq_status passes(cq_nlopt_driver *d) {
  cq_run *run = d->run;
  const cq_evaluator *ev = run->evaluator;
  for (int restarts = 0;; restarts++) {
    const double f = ev->best.f, violation = ev->best.violation;
    nlopt_result code = NLOPT_FAILURE;
    CQ_TRY(pass(d, &code));
    if (ev->end != CQ_END_NONE) {
      return CQ_OK;
    }
    if (!d->found) {
      run->claim = CQ_CLAIM_FAILED;
      snprintf(run->words, sizeof run->words, "the violations have a minimum above 0");
      return CQ_OK;
    }
    set_claim(d, code, restarts);
    run->claimed_violation = NAN;
    if (is_verified(d) || ev->end != CQ_END_NONE || restarts >= run->def->restarts) {
      return CQ_OK;
    }
    const bool widened = widen_margin(d), tightened = run->method->needs_gradient && tighten(d);
    if (!(worth_another(run, f, violation) || widened || tightened)) {
      return CQ_OK;
    }
    log_restart(run, restarts + 1);
    rescale(d);
  }
}

static void set_tolerances(cq_nlopt_driver *d) {
  const cq_optimizer_def *def = d->run->def;
  const cq_evaluator *ev = d->run->evaluator;
  d->ftol = def->ftol_rel;
  d->xtol = def->xtol_rel;
  if (d->ftol <= 0 && d->xtol <= 0) {
    d->ftol = DEFAULT_FTOL;
    d->xtol = DEFAULT_XTOL;
  }
  /* an objective of 0 everywhere is no change of f from the first step on */
  if (d->scaling.seeking || (ev->best.has_gradient && ev->first_gradient == 0 && ev->best.f == 0)) {
    d->ftol = 0;
    d->xtol = d->xtol > 0 ? d->xtol : DEFAULT_XTOL;
  }
}

static cq_status run_driver(cq_nlopt_driver *d) {
  cq_run *run = d->run;
  const size_t n = (size_t)run->problem->n;
  const bool penalties =
      d->kind->algorithm == NLOPT_AUGLAG || d->kind->algorithm == NLOPT_AUGLAG_EQ;
  /* a box has no room for a variable without bounds, and penalties with one are a valley in which
   * methods without gradient crawl (measured: LN_AUGLAG 2000 evaluations in place of 130) */
  const bool split = run->method->handles_inequality && !run->method->needs_box &&
                     (run->method->needs_gradient || d->kind->algorithm != NLOPT_AUGLAG);
  CQ_TRY(cq_scaling_create(run->evaluator, penalties, split, &d->scaling));
  CQ_TRY(CQ_ALLOC(run->ctx, d->start, n + (size_t)d->scaling.n));
  d->row = d->start + n;
  cq_scaling_log(run->ctx, &d->scaling);
  if (d->kind->algorithm == NLOPT_LD_SLSQP) {
    cq_slsqp_warn(run);
  }
  set_tolerances(d);
  CQ_TRY(cq_nlopt_thread_open(d));
  return passes(d);
}

cq_status cq_nlopt_run(cq_run *run) {
  cq_nlopt_driver d = {.run = run, .kind = run->method->detail};
  const cq_status status = run_driver(&d);
  cq_apart_destroy(d.apart);
  cq_free(run->ctx, d.start);
  cq_scaling_destroy(run->ctx, &d.scaling);
  return status;
}
