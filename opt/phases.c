#include "phases.h"

#include "plural.h"
#include "status.h"

#include <stdio.h>

/* Residuals' derivatives stand for it, but not for those of constraints. */
static bool needs_gradient(const cq_run *run) {
  return run->method->needs_gradient &&
         (!run->method->needs_residuals || cq_problem_constraints(run->problem) > 0);
}

/* Until the evaluator has a feasible point, or the method has no other idea. */
static cq_status seek(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  cq_log(run->ctx, CQ_LOG_INFO, "feasibility phase: the constraints are violated by %.3g",
         ev->best.violation);
  if (needs_gradient(run)) {
    CQ_TRY(cq_evaluator_best_gradient(ev)); /* a probe has none */
  }
  ev->seeking = true;
  const cq_status status = run->method->run(run);
  ev->seeking = false;
  if (ev->end == CQ_END_FEASIBLE) {
    ev->end = CQ_END_NONE;
    cq_log(run->ctx, CQ_LOG_INFO, "feasible after %d evaluation%s, f = %.9g", ev->evaluations,
           cq_plural(ev->evaluations), ev->best.f);
  }
  return status;
}

cq_status cq_phases_run(cq_run *run) {
  cq_evaluator *ev = run->evaluator;
  if (run->def->phases == CQ_PHASES_FEASIBILITY_FIRST && !cq_evaluator_feasible(ev, &ev->best)) {
    CQ_TRY(seek(run));
    if (ev->end != CQ_END_NONE || !cq_evaluator_feasible(ev, &ev->best)) {
      return CQ_OK;
    }
    run->claim = CQ_CLAIM_NONE;
    run->words[0] = '\0';
  }
  if (needs_gradient(run)) {
    CQ_TRY(cq_evaluator_best_gradient(ev));
  }
  return run->method->run(run);
}
