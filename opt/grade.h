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

/* Differences stand for the derivative to this: they prove no residual that is less, and nothing
 * with steps of more than this part of what a variable may change by. */
#define CQ_DIFFERENCES_PROVE 1e-3

/* What differences are worth, by their steps in parts of the variables' ranges or scales. */
static inline cq_gradient_kind cq_grade_of_differences(double step) {
  return step <= CQ_DIFFERENCES_PROVE ? CQ_GRADIENT_DIFFERENCE : CQ_GRADIENT_HEURISTIC;
}

/* The KKT residual that is called stationary by such a gradient, where the settings ask for less.
 */
static inline double cq_grade_tolerance(cq_gradient_kind kind, double tolerance) {
  return kind == CQ_GRADIENT_DIFFERENCE && tolerance < CQ_DIFFERENCES_PROVE ? CQ_DIFFERENCES_PROVE
                                                                            : tolerance;
}

/* What a verdict has to say of it: "" where it is exact. */
static inline const char *cq_grade_label(cq_gradient_kind kind) {
  return kind == CQ_GRADIENT_DIFFERENCE ? " by differences" : "";
}

/* CQ_CONFIG when problem has a heuristic gradient and def does not allow it; who names the method
 * and, if need be, the setting that asks for an exact one. */
cq_status cq_check_exact_gradient(cq_ctx *ctx, const char *who, const cq_optimizer_def *def,
                                  const cq_problem *problem);

#endif
