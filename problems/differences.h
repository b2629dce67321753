/* Gradients by differences of values, for any engine: two forward runs a variable, side by side on
 * copies of the scene (ahead.h). */
#ifndef CQ_PROBLEMS_DIFFERENCES_H
#define CQ_PROBLEMS_DIFFERENCES_H

#include "scene.h"

/* The steps of a problem whose gradient is made of differences, and what they are worth. CQ_CONFIG
 * where one is lost in the rounding of its variable. */
cq_status cq_scene_take_steps(cq_scene *scene);
/* grad [n] and jac [constraints][n] (or NULL) at x, where the functions have `values`. Central, and
 * within a step of a bound by two values on its other side, of the same order. The status of the
 * first run that fails. */
cq_status cq_scene_differences(cq_scene *scene, const double *x, const double *values, double *grad,
                               double *jac);

#endif
