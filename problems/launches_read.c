/* Launches of the file. */
#include "control.h"
#include "rigid_read.h"
#include "scene.h"
#include "status.h"

#include <string.h>

/* Number i of a list, or the only one. */
static double pick(const cq_numbers *numbers, int i) {
  return numbers->values[numbers->count == 1 ? 0 : i];
}

/* Control i of a launch, which is control u of all: its slot, its bounds, its name. */
static cq_status read_control(cq_scene *scene, const cq_launch_keys *keys, int i, int u) {
  cq_launches *launches = &scene->design.launches;
  const char *way = keys->controls.values[i];
  const int dim = scene->config.dim, c = cq_rigid_component(dim, way), k = u - launches->first;
  const double low = pick(&keys->low, i), high = pick(&keys->high, i);
  const cq_body *body = NULL;
  CQ_KEY_CHECK(scene->ctx, c >= 0, keys, controls, "\"%s\" is no way to move: %s", way,
               dim == 2 ? "\"x\", \"y\" or \"turn\"" : "\"x\" to \"turn z\"");
  CQ_KEY_CHECK(scene->ctx, low < high, keys, low, "%g is not below `high`, %g", low, high);
  CQ_TRY(cq_scene_find_body(scene, keys->node, "body", keys->body, &body));
  const bool turns = c >= dim;
  const int slot = !turns     ? CQ_POSE_VELOCITY + c
                   : dim == 2 ? CQ_POSE_SPIN + 2
                              : CQ_POSE_SPIN + c - 3;
  launches->keys[k] = keys;
  launches->slot[k] = (size_t)((body - scene->bodies) * CQ_POSE_SLOTS + slot);
  for (int j = 0; j < k; j++) {
    CQ_KEY_CHECK(scene->ctx, launches->slot[j] != launches->slot[k], keys, controls,
                 "\"%s\" of \"%s\" is there twice", way, keys->body);
  }
  scene->u_min[u] = low;
  scene->u_max[u] = high;
  scene->u_middle[u] = scene->u_rest[u] = 0.5 * (low + high);
  scene->u_strength[u] = 0.5 * (high - low);
  scene->controls[u].unit = turns ? "rad/s" : "m/s";
  return cq_arena_text(&scene->arena, &scene->controls[u].name, "%s.%s", keys->name, way);
}

/* Room for n more controls behind those that are there. */
static cq_status add_controls(cq_scene *scene, int n) {
  double *const numbers[] = {scene->u_min, scene->u_max, scene->u_rest, scene->u_middle,
                             scene->u_strength};
  const cq_control *const controls = scene->controls;
  const size_t before = (size_t)scene->model.n_controls;
  scene->model.n_controls += n;
  CQ_TRY(cq_scene_make_controls(scene));
  double *const all[] = {scene->u_min, scene->u_max, scene->u_rest, scene->u_middle,
                         scene->u_strength};
  for (size_t i = 0; i < sizeof all / sizeof *all && before > 0; i++) {
    memcpy(all[i], numbers[i], before * sizeof *all[i]);
  }
  memcpy(scene->controls, controls, before * sizeof *controls);
  return CQ_OK;
}

static cq_status check_launch(const cq_scene *scene, const cq_launch_keys *keys) {
  const int n = keys->controls.count;
  CQ_KEY_CHECK(scene->ctx, n > 0, keys, controls, "must be one way to move at least");
  CQ_KEY_CHECK(scene->ctx, keys->low.count == 1 || keys->low.count == n, keys, low,
               "must be a number or a list of %d", n);
  CQ_KEY_CHECK(scene->ctx, keys->high.count == 1 || keys->high.count == n, keys, high,
               "must be a number or a list of %d", n);
  return CQ_OK;
}

/* What launches drive, as controls after those of the actuators. */
cq_status cq_scene_read_launches(cq_scene *scene) {
  const cq_items *list = &scene->config.launches;
  const cq_launch_keys *keys = list->items;
  cq_launches *launches = &scene->design.launches;
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    CQ_TRY(check_launch(scene, &keys[i]));
    n += keys[i].controls.count;
  }
  if (n == 0) {
    return CQ_OK;
  }
  launches->n = n;
  launches->first = scene->model.n_controls;
  CQ_TRY(add_controls(scene, n));
  CQ_TRY(CQ_ARENA(&scene->arena, launches->keys, n));
  CQ_TRY(CQ_ARENA(&scene->arena, launches->slot, n));
  for (int i = 0, u = launches->first; i < list->count; i++) {
    for (int k = 0; k < keys[i].controls.count; k++, u++) {
      CQ_TRY(read_control(scene, &keys[i], k, u));
    }
  }
  return CQ_OK;
}

/* Before a run nothing has been observed. */
static cq_status check_inputs(const cq_scene *scene) {
  const cq_input_keys *inputs = scene->config.inputs.items;
  CQ_KEY_CHECK(scene->ctx, cq_scene_controller_type(scene)->reads_inputs, &scene->config.controller,
               type, "a launch needs one that reads inputs: tanh_linear or mlp");
  for (int i = 0; i < scene->config.inputs.count; i++) {
    const int read = inputs[i].read;
    CQ_KEY_CHECK(scene->ctx,
                 read == CQ_READ_TARGET || read == CQ_READ_CONSTANT || read == CQ_READ_CLOCK,
                 &inputs[i], read,
                 "is not known before the run, when bodies are launched; take target or constant");
  }
  return CQ_OK;
}

/* To the controller, once that has been read. */
cq_status cq_scene_link_launches(cq_scene *scene) {
  cq_launches *launches = &scene->design.launches;
  const cq_controller *c = &scene->model.controller;
  if (launches->n == 0) {
    return CQ_OK;
  }
  CQ_TRY(check_inputs(scene));
  launches->controller = c;
  launches->theta = cq_layout_offset(&scene->layout, "theta");
  CQ_TRY(CQ_ARENA(&scene->arena, launches->parameters, c->n_parameters));
  CQ_TRY(CQ_ARENA(&scene->arena, launches->d_parameters, c->n_parameters));
  CQ_TRY(CQ_ARENA(&scene->arena, launches->u, c->n_controls));
  CQ_TRY(CQ_ARENA(&scene->arena, launches->room, CQ_CONTROL_ROOM));
  memcpy(launches->parameters, scene->inputs + launches->theta,
         (size_t)c->n_parameters * sizeof *launches->parameters);
  return CQ_OK;
}
