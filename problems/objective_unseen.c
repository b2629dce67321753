/* Why an objective is no number: a camera does not see what is behind it. */
#include "objective.h"
#include "scene.h"
#include "status.h"

#include <math.h>

/* Looks at the samples of one instant. */
static cq_status look(const cq_scene *scene, const cq_term *term, const cq_instant *at,
                      const double *z, const double *u) {
  const cq_term_in in = cq_objective_gather(&scene->objective, term, at, z, u);
  for (int m = 0; m < in.n_markers; m++) {
    double seen[3] = {0};
    cq_sight_see(&in, &in.markers[m], seen);
    CQ_CHECK(scene->ctx, !isnan(seen[0]), CQ_NONFINITE,
             "marker %g of \"%s\" is behind the camera at %g s", in.markers[m].id, term->label,
             (at->step + at->ahead) * scene->model.dt);
  }
  return CQ_OK;
}

cq_status cq_objective_check_seen(const cq_scene *scene, const cq_function *function,
                                  const double *z, const double *u) {
  for (int j = 0; j < function->n_terms; j++) {
    const cq_term *term = &function->terms[j];
    for (int k = 0; k < term->n_instants && term->sight.camera != NULL; k++) {
      CQ_TRY(look(scene, term, &term->instants[k], z, u));
    }
  }
  return CQ_OK;
}
