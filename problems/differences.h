/* A scene with its gradient, whatever that is made of: for differences of values, which any engine
 * has, two forward runs a variable go side by side on copies of the scene (ahead.h). */
#ifndef CQ_PROBLEMS_DIFFERENCES_H
#define CQ_PROBLEMS_DIFFERENCES_H

#include "ahead.h"

/* The copies, of the scene and of those in smaller steps; all NULL at first. */
typedef struct cq_differences {
  cq_ahead *ahead[1 + CQ_MOST_REFINED];
} cq_differences;

/* cq_scene_evaluate_at. Differences are central, and within a step of a bound made of two values on
 * its other side, of the same order; the status of the first run that fails is theirs. */
cq_status cq_differences_evaluate(cq_scene *scene, cq_differences *differences, int level,
                                  const double *x, double *f, double *c, double *grad, double *jac);
/* f and the residuals r [n_residuals] and, where jac [n_residuals][n] is not NULL, their
 * derivatives, by the same differences or adjoint sweeps (jacobian.h), whatever the gradient is. */
cq_status cq_differences_residuals(cq_scene *scene, cq_differences *differences, int level,
                                   const double *x, double *f, double *r, double *jac);
void cq_differences_statistics(const cq_differences *differences, cq_scene_stats *stats,
                               long long *failures);
/* Before the scene is freed. */
void cq_differences_end(cq_differences *differences);

#endif
