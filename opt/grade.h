/* What a kind of gradient is good for: asked by who runs a method and by who judges its end. */
#ifndef CQ_OPT_GRADE_H
#define CQ_OPT_GRADE_H

#include "cqopt/optimizer.h"

/* Whether there is a gradient to ask eval for. */
static inline bool cq_grade_is_given(cq_gradient_kind kind) {
  return kind != CQ_GRADIENT_NONE;
}

/* Whether a point where it vanishes is stationary, so that it may be called a verified optimum, and
 * methods may search along it. A heuristic one proves nothing: a run on it succeeds by its target
 * alone. */
static inline bool cq_grade_proves(cq_gradient_kind kind) {
  return cq_grade_is_given(kind) && kind != CQ_GRADIENT_HEURISTIC;
}

/* CQ_CONFIG when problem has a heuristic gradient and def does not allow it; who names the method
 * and, if need be, the setting that asks for an exact one. */
cq_status cq_check_exact_gradient(cq_ctx *ctx, const char *who, const cq_optimizer_def *def,
                                  const cq_problem *problem);

#endif
