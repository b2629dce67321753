#include "refit.h"

#include "alloc.h"
#include "point.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_EVALUATIONS = 60 };

/* Whether a status says something of this fit alone. */
static bool is_of_fit(cq_status status) {
  return status == CQ_OK || status == CQ_BUDGET || status == CQ_NOT_STATIONARY ||
         status == CQ_FLAT || status == CQ_OPTIMIZER || status == CQ_INFEASIBLE ||
         status == CQ_VERIFICATION || cq_status_is_numeric(status);
}

/* Without a variable to move, as in the profile of a fit with one, it is a value. */
static cq_status run(cq_ctx *ctx, const cq_problem *problem, double *x, cq_result *result) {
  if (cq_problem_free(problem) == 0 && cq_problem_constraints(problem) == 0) {
    result->has_point = true;
    return problem->eval(problem->data, x, &result->f, NULL, NULL, NULL);
  }
  cq_problem from = *problem;
  cq_optimizer_def def = cq_optimizer_default();
  from.start = x;
  def.name = "gauss_newton";
  def.verify = CQ_VERIFY_RESIDUAL;
  def.max_evaluations = MOST_EVALUATIONS;
  return cq_optimize(ctx, &from, &def, NULL, NULL, x, NULL, result);
}

static cq_status fit(cq_ctx *ctx, const cq_problem *problem, double *x, double *f, bool *settled) {
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  cq_result result = {.f = NAN};
  const cq_status status = run(ctx, problem, x, &result);
  const bool is_fit = !cq_status_is_numeric(status) && status != CQ_INFEASIBLE;
  *f = result.has_point && is_fit ? result.f : NAN;
  /* a gradient is judged by that of the start, which here is next to nothing */
  *settled = status == CQ_OK || status == CQ_FLAT || status == CQ_NOT_STATIONARY;
  if (!is_of_fit(status)) {
    return status;
  }
  if (was_clean) {
    cq_ctx_clear_error(ctx);
  }
  return CQ_OK;
}

cq_status cq_refit(cq_ctx *ctx, const cq_problem *problem, const cq_fit_memory *memory, double *x,
                   double *f, bool *settled) {
  const size_t n = (size_t)problem->n;
  double *start = NULL;
  if (memory == NULL) {
    return fit(ctx, problem, x, f, settled);
  }
  CQ_TRY(CQ_ALLOC(ctx, start, n));
  memcpy(start, x, n * sizeof *x);
  cq_status status = CQ_OK;
  if (!memory->recall(memory->user, problem->n, start, x, f, settled)) {
    status = fit(ctx, problem, x, f, settled);
    status =
        status == CQ_OK ? memory->keep(memory->user, problem->n, start, x, *f, *settled) : status;
  }
  cq_free(ctx, start);
  return status;
}
