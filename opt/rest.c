#include "rest.h"

#include "point.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Feasible before not, then the lower f; or the lesser violation. */
static bool is_better(const cq_result *best, double tolerance, const cq_evaluation *e) {
  const double above = fmax(e->violation - tolerance, 0.0);
  const double best_above = fmax(best->violation - tolerance, 0.0);
  if (e->status != CQ_OK || !best->has_point) {
    return e->status == CQ_OK;
  }
  return above < best_above || (above == 0.0 && best_above == 0.0 && e->f < best->f);
}

static void take(const cq_evaluation *e, double *x, cq_result *best) {
  best->has_point = true;
  best->best_index = e->index;
  best->f = e->f;
  best->violation = e->violation;
  best->kkt_residual = NAN;
  best->repeats = best->repeats_failed = 0; /* they were of another one */
  best->f_mean = best->f_deviation = best->f_worst = NAN;
  memcpy(x, e->x, (size_t)e->n * sizeof *x);
}

static void tell(cq_result *best) {
  const size_t used = strlen(best->reason);
  snprintf(best->reason + used, sizeof best->reason - used,
           "; the best design is that of evaluation %d, which the record has behind this end",
           best->best_index);
}

/* Whether a status says how a run ended, not that it broke or was stopped. */
static bool has_result(cq_status status) {
  return status == CQ_OK || status == CQ_BUDGET || status == CQ_INFEASIBLE ||
         status == CQ_NOT_STATIONARY || status == CQ_FLAT || status == CQ_OPTIMIZER ||
         status == CQ_VERIFICATION;
}

/* Designs of the rest compete with the result, in their order. */
cq_status cq_rest_take_best(cq_ctx *ctx, cq_trace_reader *reader, double tolerance,
                            const cq_problem *problem, double *x, double *multipliers,
                            cq_result *result) {
  const bool verified = result->status == CQ_OK && !result->reached_target;
  const cq_evaluation *e = NULL;
  cq_result best = *result;
  int better = 0;
  if (!has_result(result->status)) {
    return CQ_OK;
  }
  CQ_TRY(cq_trace_next(reader, &e));
  while (e != NULL) {
    if (is_better(&best, tolerance, e)) {
      better = e->index;
      best.has_point = true;
      best.f = e->f;
      best.violation = e->violation;
      if (!verified) {
        take(e, x, result);
      }
    }
    CQ_TRY(cq_trace_next(reader, &e));
  }
  if (better > 0 && verified) {
    cq_log(ctx, CQ_LOG_WARNING,
           "the record goes on behind this end, and evaluation %d of it has a better design: the "
           "settings of before bring it back",
           better);
  } else if (better > 0) {
    tell(result);
    for (int i = 0; i < cq_problem_constraints(problem); i++) {
      multipliers[i] = NAN;
    }
  }
  return CQ_OK;
}
