#include "grade.h"

#include "status.h"

const char *cq_gradient_kind_name(cq_gradient_kind kind) {
  static const char *const names[] = {[CQ_GRADIENT_EXACT_REVERSE] = "exact",
                                      [CQ_GRADIENT_EXACT_TANGENT] = "tangent",
                                      [CQ_GRADIENT_HEURISTIC] = "heuristic",
                                      [CQ_GRADIENT_DIFFERENCE] = "difference",
                                      [CQ_GRADIENT_NONE] = "none"};
  return names[kind];
}

cq_status cq_check_exact_gradient(cq_ctx *ctx, const char *who, const cq_optimizer_def *def,
                                  const cq_problem *problem) {
  CQ_CHECK(ctx, cq_grade_proves(problem->gradient) || def->allow_heuristic, CQ_CONFIG,
           "%s needs an exact gradient and this problem's is heuristic: it would search along "
           "directions that may lead nowhere; use gradient_descent with fixed steps, or "
           "optimizer.allow_heuristic = true",
           who);
  return CQ_OK;
}
