/* What simulation.start_means must be here: of walls, contacts, fields and nodes that there are. */
#include "mpm_means.h"
#include "mpm_scene.h"
#include "status.h"

#include <math.h>

/* Is the wall or contact of a row one whose friction goes by a mean? */
static bool remembers(const cq_scene *scene, const double *row) {
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  const int n_walls = cq_mpm_n_walls(&scene->model), n = scene->model.n_boundaries;
  const double wall = row[CQ_MEAN_wall], field = row[CQ_MEAN_field];
  if (!(wall >= 0.0 && wall < n && field >= 0.0 && field < fmax(own->n_fields, 1.0))) {
    return false;
  }
  const int contact = (int)wall - n_walls;
  return contact < 0 ? cq_mpm_wall_remembers(own, (int)wall)
                     : own->contacts[contact].friction_time > 0.0;
}

/* Is its place a node, which its wall holds if it is a wall's? */
static bool is_node(const cq_scene *scene, const double *row) {
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  for (int a = 0; a < 3; a++) {
    const double at = row[CQ_MEAN_place + a] / own->cell;
    if (!(at > -0.5 && at < own->grid[a] - 0.5 && fabs(at - round(at)) < 1e-6)) {
      return false;
    }
  }
  const int wall = (int)row[CQ_MEAN_wall];
  return wall >= cq_mpm_n_walls(&scene->model) ||
         cq_shape_distance(&own->boundaries[wall].shape, row + CQ_MEAN_place) < 0.0;
}

cq_status cq_mpm_check_means(const cq_scene *scene) {
  const cq_simulation_keys *keys = &scene->config.simulation;
  const double *row = scene->model.means;
  if (scene->model.n_means > 0 && scene->model.device == CQ_ON_CUDA) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "on this device means of friction begin anew: it reads none of a state");
  }
  for (int i = 0; i < scene->model.n_means; i++, row += CQ_MEAN_NUMBERS) {
    CQ_KEY_CHECK(scene->ctx, remembers(scene, row), keys, start_means,
                 "row %d: no friction of wall %g and field %g goes by a mean of the pressure here; "
                 "take the rows of means out, then they begin anew",
                 i + 1, row[CQ_MEAN_wall], row[CQ_MEAN_field]);
    CQ_KEY_CHECK(scene->ctx, is_node(scene, row), keys, start_means,
                 "row %d: at %g, %g, %g m is no node that wall %g holds; take a state of the same "
                 "grid and walls, or its rows of means out, then they begin anew",
                 i + 1, row[CQ_MEAN_place], row[CQ_MEAN_place + 1], row[CQ_MEAN_place + 2],
                 row[CQ_MEAN_wall]);
    CQ_KEY_CHECK(scene->ctx,
                 row[CQ_MEAN_sum] >= 0.0 && row[CQ_MEAN_weight] > 0.0 && row[CQ_MEAN_step] > 0.0,
                 keys, start_means,
                 "row %d: sum %g, weight %g and step %g are those of no mean: a weight and a step "
                 "are above 0, a sum is not below",
                 i + 1, row[CQ_MEAN_sum], row[CQ_MEAN_weight], row[CQ_MEAN_step]);
  }
  return CQ_OK;
}
