/* A scene in smaller time steps, for designs that the file's steps do not carry. */
#include "controller.h"
#include "scene.h"
#include "status.h"

#include <stdlib.h>

cq_status cq_scene_variation(cq_ctx *ctx, const cq_scene *scene, const char *const *sets,
                             int n_sets, cq_scene **out) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  CQ_CHECK(ctx, file != NULL, CQ_MEMORY, "out of memory");
  cq_tree_write(scene->config.root, file);
  cq_status status = fclose(file) == 0 ? cq_scene_load_text(ctx, scene->config.problem.name,
                                                            scene->folder, text, sets, n_sets, out)
                                       : CQ_FAIL(ctx, CQ_MEMORY, "out of memory");
  free(text);
  return status;
}

static cq_status make(cq_scene *scene, int factor, cq_scene **out) {
  char time_step[80], steps[80], hold[80];
  const cq_simulation_keys *keys = &scene->config.simulation;
  const cq_controller_keys *controller = &scene->config.controller;
  snprintf(time_step, sizeof time_step, "simulation.time_step=%.17g", keys->time_step / factor);
  snprintf(steps, sizeof steps, "simulation.steps=%d", keys->steps * factor);
  const char *sets[] = {time_step, steps, hold};
  int n_sets = 2;
  if (scene->model.controller.kind == CQ_CONTROLLER_open_loop) {
    snprintf(hold, sizeof hold, "controller.hold=%d", controller->hold * factor);
    n_sets = 3;
  }
  return cq_scene_variation(scene->ctx, scene, sets, n_sets, out);
}

/* The same motion in steps of dt / 2^level. */
cq_status cq_scene_evaluate_refined(void *data, int level, const double *x, double *f, double *c,
                                    double *grad, double *jac) {
  cq_scene *scene = data;
  CQ_CHECK(scene->ctx, level >= 1 && level <= CQ_MOST_REFINED, CQ_CONFIG,
           "time steps are not made smaller than 1/%d", 1 << CQ_MOST_REFINED);
  cq_scene **finer = &scene->refined[level - 1];
  if (*finer == NULL) {
    CQ_TRY(make(scene, 1 << level, finer));
  }
  scene->evaluated = *finer;
  return (*finer)->problem.eval(*finer, x, f, c, grad, jac);
}
