/* The controller of the file. */
#include "scene.h"
#include "status.h"

#include <string.h>

static const cq_controller_type *const types[CQ_N_CONTROLLERS] = {
#define CQ_CONTROLLER(name) &cq_controller_##name,
#include "controller_list.h"
#undef CQ_CONTROLLER
};

const cq_controller_type *cq_scene_controller_type(const cq_scene *scene) {
  return types[scene->model.controller.kind];
}

/* Each parameter has draws of its own, so that a label costs nothing before it. */
double cq_scene_parameter(const cq_scene *scene, int j, char *label, size_t size) {
  cq_rng rng = cq_rng_seed(cq_ctx_seed(scene->ctx) * 0x9e3779b97f4a7c15u + (uint64_t)j);
  return cq_scene_controller_type(scene)->parameter(scene, j, scene->config.controller.spread, &rng,
                                                    label, size);
}

static cq_status check_controls(const cq_scene *scene) {
  const cq_controller_keys *keys = &scene->config.controller;
  const int n = scene->model.n_controls;
  if (keys->type == CQ_CONTROLLER_none) {
    CQ_KEY_CHECK(scene->ctx, n == 0, keys, type,
                 "actuators need a controller; set type = \"open_loop\"");
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, n > 0, keys, type, "there are no actuators to drive");
  CQ_KEY_CHECK(scene->ctx, n <= CQ_MOST_CONTROLS, keys, type,
               "%d controls are more than the %d there can be", n, CQ_MOST_CONTROLS);
  return CQ_OK;
}

/* What all types have in common, then what is the type's own. */
cq_status cq_scene_read_controller(cq_scene *scene) {
  const cq_controller_keys *keys = &scene->config.controller;
  cq_controller *controller = &scene->model.controller;
  CQ_TRY(check_controls(scene));
  *controller = (cq_controller){
      .kind = (cq_controller_kind)keys->type,
      .n_controls = scene->model.n_controls,
      .hold = 1,
      .dt = scene->config.simulation.time_step,
      .middle = scene->u_middle,
      .strength = scene->u_strength,
  };
  const cq_controller_type *type = types[controller->kind];
  if (type->reads_inputs) {
    CQ_KEY_CHECK(scene->ctx, scene->config.inputs.count > 0, keys, type,
                 "%s reads controller.inputs; give at least one", CQ_WORD(keys, type));
    CQ_TRY(cq_scene_read_inputs(scene, controller));
  } else {
    CQ_KEY_CHECK(scene->ctx, scene->config.inputs.count == 0, keys, type,
                 "%s does not read controller.inputs", CQ_WORD(keys, type));
  }
  return type->configure(scene, controller);
}

static cq_status check_actuator_names(const cq_scene *scene) {
  const cq_actuator_keys *all = scene->config.actuators.items;
  for (int i = 0; i < scene->config.actuators.count; i++) {
    for (int k = 0; k < i; k++) {
      CQ_KEY_CHECK(scene->ctx, strcmp(all[k].name, all[i].name) != 0, &all[i], name,
                   "two actuators are called \"%s\"", all[i].name);
    }
  }
  return CQ_OK;
}

cq_status cq_scene_make_actuators(cq_scene *scene, int **of_particle) {
  cq_model *model = &scene->model;
  CQ_TRY(check_actuator_names(scene));
  model->n_actuators = scene->config.actuators.count;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->acting, model->n_actuators));
  CQ_TRY(CQ_ARENA(&scene->arena, *of_particle, model->n_particles));
  for (int p = 0; p < model->n_particles; p++) {
    (*of_particle)[p] = -1;
  }
  model->actuator = *of_particle;
  return CQ_OK;
}

cq_status cq_scene_make_controls(cq_scene *scene) {
  double **const bounds[] = {&scene->u_min, &scene->u_max, &scene->u_rest, &scene->u_middle,
                             &scene->u_strength};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    CQ_TRY(CQ_ARENA(&scene->arena, *bounds[i], scene->model.n_controls));
  }
  return CQ_ARENA(&scene->arena, scene->controls, scene->model.n_controls);
}
