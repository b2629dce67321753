/* Gradients by the forward mode of an engine: the columns of the design's matrix are its
 * directions.
 */
#ifndef CQ_PROBLEMS_TANGENTS_H
#define CQ_PROBLEMS_TANGENTS_H

#include "scene.h"

/* Warns where there are so many variables that an adjoint sweep or a method without gradients would
 * be cheaper. */
void cq_scene_warn_of_tangents(const cq_scene *scene);
/* grad [n] and jac [constraints][n] (or NULL) at x, where the last forward run was. */
cq_status cq_scene_tangents(cq_scene *scene, const double *x, double *grad, double *jac);

#endif
