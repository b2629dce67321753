/* A table of controls as parameters; the block `actuation` designs it. */
#include "scene.h"
#include "status.h"

static cq_status configure(cq_scene *scene, cq_controller *controller) {
  const cq_controller_keys *keys = &scene->config.controller;
  const int n = controller->n_controls, steps = scene->config.simulation.steps;
  controller->linear = keys->interpolation == CQ_INTERPOLATION_LINEAR;
  /* as many in smaller steps of the same time, where hold is larger */
  const long long rows = ((long long)steps + keys->hold - 1) / keys->hold + controller->linear;
  CQ_KEY_CHECK(scene->ctx, rows * n < INT32_MAX, keys, hold, "%lld controls are too many",
               rows * n);
  controller->hold = keys->hold;
  controller->n_parameters = (int)rows * n;
  return CQ_OK;
}

const cq_controller_type cq_controller_open_loop = {.configure = configure};
