/* Where the derivatives of a scene's residuals come from: differences of runs side by side
 * (differences.h), or adjoint sweeps, a seed a residual. Which of them is chosen once for a scene,
 * by what they cost in forward runs, so that it is the same on every machine. */
#ifndef CQ_PROBLEMS_JACOBIAN_H
#define CQ_PROBLEMS_JACOBIAN_H

#include "scene.h"

/* Fills scene->jacobian. CQ_CONFIG where optimizer.jacobian asks for what there is not. */
cq_status cq_jacobian_choose(cq_scene *scene);
/* rows [count][n] = W^T J of W [count][n_residuals], J the derivatives of all residuals by the
 * variables at x; the scene runs there, unless it just has. Rows have the same bits whichever
 * others travel with them. */
cq_status cq_jacobian_pull(cq_scene *scene, const double *x, int count, const double *w,
                           double *rows);
/* All of J, jac [n_residuals][n], by adjoint sweeps. */
cq_status cq_jacobian_sweep(cq_scene *scene, const double *x, double *jac);

#endif
