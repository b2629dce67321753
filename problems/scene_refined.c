/* A scene in smaller time steps, for designs that the file's steps do not carry. */
#include "controller.h"
#include "scene.h"
#include "status.h"
#include "text_file.h"

#include <limits.h>
#include <stdlib.h>

cq_status cq_scene_variation(cq_ctx *ctx, const cq_scene *scene, const char *const *sets,
                             int n_sets, cq_scene **out) {
  cq_text_file file;
  *out = NULL;
  CQ_TRY(cq_text_begin(ctx, &file));
  cq_tree_write(scene->config.root, file.out);
  CQ_TRY(cq_text_end(ctx, &file));
  const cq_status status = cq_scene_read_like(ctx, scene, file.text, sets, n_sets, out);
  free(file.text);
  return status;
}

/* memory of stored states; 0: as in the file */
static cq_status make(cq_scene *scene, int factor, size_t memory, cq_scene **out) {
  char time_step[80], steps[80], hold[80], room[80];
  const cq_simulation_keys *keys = &scene->config.simulation;
  const cq_controller_keys *controller = &scene->config.controller;
  snprintf(time_step, sizeof time_step, "simulation.time_step=%.17g", keys->time_step / factor);
  snprintf(steps, sizeof steps, "simulation.steps=%d", keys->steps * factor);
  const char *sets[] = {time_step, steps, NULL, NULL};
  int n_sets = 2;
  if (memory > 0) {
    snprintf(room, sizeof room, "simulation.memory=%zu B", memory);
    sets[n_sets++] = room;
  }
  if (scene->model.controller.kind == CQ_CONTROLLER_open_loop) {
    snprintf(hold, sizeof hold, "controller.hold=%d", controller->hold * factor);
    sets[n_sets++] = hold;
  }
  return cq_scene_variation(scene->ctx, scene, sets, n_sets, out);
}

cq_status cq_scene_refined(cq_scene *scene, int level, cq_scene **out) {
  CQ_CHECK(scene->ctx, level >= 1 && level <= CQ_MOST_REFINED, CQ_CONFIG,
           "time steps are not made smaller than 1/%d", 1 << CQ_MOST_REFINED);
  cq_scene **finer = &scene->refined[level - 1];
  if (*finer == NULL) {
    CQ_TRY(make(scene, 1 << level, 0, finer));
  }
  *out = *finer;
  return CQ_OK;
}

cq_status cq_scene_evaluate_at(cq_scene *scene, int level, const double *x, double *f, double *c,
                               double *grad, double *jac) {
  cq_scene *finer = scene;
  CQ_TRY(level > 0 ? cq_scene_refined(scene, level, &finer) : CQ_OK);
  scene->evaluated = finer;
  return cq_scene_evaluate(finer, x, f, c, grad, jac);
}

void cq_scene_add_work(const cq_scene *scene, cq_scene_stats *stats, long long *failures) {
  if (scene == NULL) {
    return;
  }
  const cq_sim_stats *sim = cq_sim_statistics(scene->sim);
  stats->simulations += scene->simulations;
  stats->gradients += scene->gradient_sweeps;
  stats->forward_seconds += sim->forward_seconds;
  stats->backward_seconds += sim->backward_seconds;
  stats->memo_bytes += sim->memo_bytes;
  *failures += scene->failures;
  for (int i = 0; i < CQ_MOST_REFINED; i++) {
    cq_scene_add_work(scene->refined[i], stats, failures);
  }
}

size_t cq_scene_few_states(const cq_scene *scene, int level) {
  const cq_sim_stats *stats = cq_sim_statistics(scene->sim);
  return 8 * (stats->state_bytes + 4096) + (stats->z_bytes << level);
}

size_t cq_scene_lean_bytes(const cq_scene *scene, size_t states) {
  return 4 * scene->layout.total * sizeof(double) + states;
}

static cq_status check_room(cq_scene *scene, size_t states) {
  const double mib = 0x1p20;
  const size_t needed = cq_scene_lean_bytes(scene, states),
               there = cq_free_memory(scene->model.device);
  CQ_CHECK(scene->ctx, needed <= there, CQ_MEMORY,
           "a scene in smaller steps takes %.0f MiB, and %.0f MiB are free", (double)needed / mib,
           (double)there / mib);
  return CQ_OK;
}

cq_status cq_scene_make_finer(cq_scene *scene, int level, cq_scene **out) {
  const size_t states = cq_scene_few_states(scene, level) * (size_t)cq_scene_shares(scene);
  *out = NULL;
  CQ_CHECK(scene->ctx, scene->config.simulation.steps <= INT_MAX >> level, CQ_CONFIG,
           "%d steps cannot be made smaller", scene->config.simulation.steps);
  CQ_TRY(check_room(scene, states));
  return make(scene, 1 << level, states, out);
}
