/* The controller of the file. */
#include "scene.h"
#include "status.h"

#include <string.h>

cq_status cq_scene_read_controller(cq_scene *scene) {
  const cq_controller_keys *keys = &scene->config.controller;
  cq_controller *controller = &scene->model.controller;
  const int n = scene->model.n_controls, steps = scene->config.simulation.steps;
  controller->kind = (cq_controller_kind)keys->type;
  controller->n_controls = n;
  controller->hold = controller->kind == CQ_CONTROLLER_open_loop ? keys->hold : 1;
  if (controller->kind == CQ_CONTROLLER_none) {
    CQ_KEY_CHECK(scene->ctx, n == 0, keys, type,
                 "actuators need a controller; set type = \"open_loop\"");
    return CQ_OK;
  }
  CQ_KEY_CHECK(scene->ctx, n > 0, keys, type, "there are no actuators to drive");
  const long long rows = ((long long)steps + keys->hold - 1) / keys->hold;
  CQ_KEY_CHECK(scene->ctx, rows * n < INT32_MAX, keys, hold, "%lld controls are too many",
               rows * n);
  controller->n_parameters = (int)rows * n;
  return CQ_OK;
}
