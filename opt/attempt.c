#include "attempt.h"

#include "reduce.h"
#include "status.h"

#include <stdio.h>

enum { FINEST = 3 }; /* levels of cq_problem.refined that are tried */

typedef struct attempt {
  cq_ctx *ctx;
  int first; /* level at which constraints are known where a Jacobian is wanted */
  const cq_problem *problem;
  cq_want want;
  cq_point *point;
  int *simulations;
} attempt;

/* One call of eval (level 0) or refined, checked. */
static cq_status call(const attempt *a, int level) {
  const cq_problem *problem = a->problem;
  cq_point *p = a->point;
  const int m = cq_problem_constraints(problem);
  double *const c = m > 0 ? p->c : NULL;
  const bool gradient = a->want == CQ_WANT_GRADIENT;
  double *const grad = gradient ? p->grad : NULL;
  double *const jac = gradient && m > 0 ? p->jac : NULL;
  cq_point_clear(problem, p, a->want);
  p->refinement = level;
  (*a->simulations)++;
  if (problem->draw != NULL) {
    problem->draw(problem->data, p->index);
  }
  if (a->want == CQ_WANT_RESIDUALS) {
    CQ_TRY(problem->residuals(problem->data, level, p->x, &p->f, p->residuals, NULL));
    return cq_point_check(a->ctx, problem, p);
  }
  if (a->want == CQ_WANT_JACOBIAN) {
    CQ_TRY(cq_reduce_at(a->ctx, problem, level, p->x, &p->f, p->reduced));
    if (m > 0 && level != a->first) {
      CQ_TRY(problem->refined(problem->data, level, p->x, &p->f, c, NULL, NULL));
    }
    return cq_point_check(a->ctx, problem, p);
  }
  CQ_TRY(level == 0 ? problem->eval(problem->data, p->x, &p->f, c, grad, jac)
                    : problem->refined(problem->data, level, p->x, &p->f, c, grad, jac));
  if (problem->n_parts > 0) {
    problem->parts(problem->data, p->parts, gradient ? p->part_slopes : NULL);
  }
  return cq_point_check(a->ctx, problem, p);
}

/* The point, which failed on level `first`, on finer ones. Where they fail too, or cannot be had
 * (no room for them, no such steps), the failure stands with its own words. */
static cq_status refine(const attempt *a, int first, cq_status failed) {
  cq_status status = failed;
  char words[512];
  snprintf(words, sizeof words, "%s", cq_ctx_error(a->ctx));
  for (int level = first + 1; level <= FINEST && cq_status_is_numeric(status); level++) {
    cq_log(a->ctx, CQ_LOG_INFO, "evaluation %d failed (%s); again in smaller steps, level %d",
           a->point->index, cq_status_text(status), level);
    cq_ctx_clear_error(a->ctx);
    status = call(a, level);
  }
  if (status == CQ_OK) {
    return CQ_OK;
  }
  if (status == CQ_MEMORY || status == CQ_CONFIG) {
    cq_log(a->ctx, CQ_LOG_INFO, "no smaller steps: %s", cq_ctx_error(a->ctx));
  } else if (!cq_status_is_numeric(status)) {
    return status;
  }
  cq_ctx_clear_error(a->ctx);
  return words[0] != '\0' ? CQ_FAIL(a->ctx, failed, "%s", words) : failed;
}

cq_status cq_attempt(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def, int first,
                     cq_want want, cq_point *point, int *simulations) {
  const attempt a = {ctx, first, problem, want, point, simulations};
  const bool retry = def->on_failure == CQ_FAILURE_RETRY_SMALLER_STEP && problem->refined != NULL;
  cq_status status = call(&a, first);
  if (retry && cq_status_is_numeric(status) && status != CQ_TEARS) {
    status = refine(&a, first, status);
  }
  if (status != CQ_OK) {
    /* keeps the text of whoever failed, if there is one */
    CQ_FAIL(ctx, status, "evaluation %d failed: %s", point->index, cq_status_text(status));
    cq_point_clear(problem, point, want);
  }
  return status;
}
