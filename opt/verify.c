/* Whether a point is feasible and stationary, for methods on their way and at the end of a run. */
#include "grade.h"
#include "kkt.h"
#include "method.h"
#include "probe.h"
#include "status.h"

#include <math.h>
#include <stdio.h>

/* part of optimality_tolerance at which methods that can be asked to end do so */
static const double SETTLED = 0.01;
/* part of constraint_tolerance: a violation that may have bought the best f */
static const double BOUGHT = 0.5;

static cq_status residual_at(cq_run *run, const cq_point *point) {
  return cq_kkt_judge(run->evaluator, point, run->multipliers, &run->residual);
}

static bool is_verified(const cq_run *run, const cq_point *point) {
  return cq_grade_proves(run->problem->gradient) && cq_evaluator_feasible(run->evaluator, point) &&
         run->residual <= run->def->optimality_tolerance;
}

/* The residual at the best point. Where it is too large because nobody knows how the gradient
 * changes nearby, as after a start at the very optimum, a look at that settles it. */
static cq_status judge_best(cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  CQ_TRY(cq_evaluator_best_gradient(run->evaluator));
  CQ_TRY(residual_at(run, &ev->best));
  return run->residual > run->def->optimality_tolerance && cq_probe_curvature(run)
             ? residual_at(run, &ev->best)
             : CQ_OK;
}

bool cq_run_verify(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  run->residual = NAN;
  if (ev->best.index == 0) {
    return false;
  }
  const cq_status status = judge_best(run);
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
  if (run->evaluator->seeking || !cq_grade_proves(run->problem->gradient) ||
      !cq_evaluator_feasible(run->evaluator, point) || residual_at(run, point) != CQ_OK ||
      !(run->residual <= SETTLED * run->def->optimality_tolerance)) {
    return false;
  }
  run->claim = CQ_CLAIM_CONVERGED;
  snprintf(run->words, sizeof run->words, "the KKT residual is small");
  return true;
}

/* What violations within the tolerance may have bought at the best point, by the multipliers. */
static double bought(const cq_run *run) {
  const cq_evaluator *ev = run->evaluator;
  double sum = 0;
  for (int i = 0; i < ev->m; i++) {
    const double margin = i < run->problem->n_inequality ? run->def->constraint_margin : 0;
    sum += fabs(run->multipliers[i]) * (2 * ev->tolerance[i] + margin);
  }
  return sum;
}

/* Makes point the best one if it is verified, too, and no worse but for what violations buy; leaves
 * its residual in run. */
static bool replace_best(cq_run *run, const cq_point *point) {
  cq_evaluator *ev = run->evaluator;
  if (point->index == ev->best.index || !cq_evaluator_feasible(ev, point) ||
      residual_at(run, point) != CQ_OK || !is_verified(run, point) ||
      point->f - ev->best.f > bought(run)) {
    return false;
  }
  cq_evaluator_set_best(ev, point);
  return true;
}

bool cq_run_promote(cq_run *run, const cq_point *point) {
  return replace_best(run, point) || cq_run_verify(run);
}

bool cq_run_promote_recent(cq_run *run) {
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *point = cq_recent_at(&run->evaluator->recent, k);
    if (point != NULL && replace_best(run, point)) {
      return true;
    }
  }
  return cq_run_verify(run);
}

void cq_run_prefer_feasible(cq_run *run) {
  const double most = BOUGHT * run->def->constraint_tolerance;
  if (run->evaluator->best.violation <= most) {
    return;
  }
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *point = cq_recent_at(&run->evaluator->recent, k);
    if (point != NULL && point->violation <= most && replace_best(run, point)) {
      return;
    }
  }
  cq_run_verify(run);
}
