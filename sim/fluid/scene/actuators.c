/* Actuators of the file: thrusts of rigid bodies. */
#include "fluid_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* one along a direction, or one an axis */
static int count_of(const cq_scene *scene, const cq_actuator_keys *keys) {
  const cq_fluid_actuator_keys *own = keys->of_engine;
  return isnan(own->along[0]) ? scene->config.dim : 1;
}

/* Control i of an actuator, number u of the scene: where it pushes, its bounds and name. */
static cq_status read_control(cq_scene *scene, const cq_actuator_keys *keys, int i, int u,
                              double *direction) {
  const cq_fluid_actuator_keys *own = keys->of_engine;
  const int dim = scene->config.dim;
  const bool alone = !isnan(own->along[0]);
  double square = 0.0;
  for (int a = 0; a < dim; a++) {
    direction[a] = alone ? own->along[a] : a == i;
    square += direction[a] * direction[a];
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, own, along, "must not be zero");
  for (int a = 0; a < dim; a++) {
    direction[a] /= sqrt(square);
  }
  scene->u_min[u] = isnan(own->min) ? -own->max : own->min;
  scene->u_max[u] = own->max;
  scene->u_middle[u] = 0.5 * (scene->u_min[u] + scene->u_max[u]);
  scene->u_strength[u] = 0.5 * (scene->u_max[u] - scene->u_min[u]);
  scene->controls[u].actuator = keys;
  scene->controls[u].unit = "m/s^2";
  scene->controls[u].name = keys->name;
  return alone ? CQ_OK
               : cq_arena_text(&scene->arena, &scene->controls[u].name, "%s.%c", keys->name,
                               "xyz"[i]);
}

/* What an actuator moves, a rigid body; its controls are numbers first, first + 1, ... */
static cq_status read_actuator(cq_scene *scene, const cq_actuator_keys *keys, int index, int first,
                               cq_fluid_thrust *thrusts) {
  const cq_fluid_actuator_keys *own = keys->of_engine;
  const int *rigid = cq_fluid_scene_of(scene)->rigid;
  const cq_set *set = NULL;
  int b = 0;
  CQ_KEY_CHECK(scene->ctx, own->max >= 0.0, own, max, "must be at least 0, no thrust");
  CQ_KEY_CHECK(scene->ctx, !(own->min > 0.0), own, min, "must be at most 0, no thrust");
  CQ_KEY_CHECK(scene->ctx, own->max > 0.0 || own->min < 0.0, own, max, "and min leave no thrust");
  CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, &set));
  while (b < scene->config.bodies.count &&
         (rigid[b] < 0 || strcmp(scene->bodies[b].keys->name, keys->body) != 0)) {
    b++;
  }
  CQ_KEY_CHECK(scene->ctx, b < scene->config.bodies.count, keys, body,
               "\"%s\" is no rigid body, and thrust is of one", keys->body);
  CQ_KEY_CHECK(scene->ctx, !cq_fluid_scene_of(scene)->bodies[rigid[b]].driven, keys, body,
               "\"%s\" is driven, and no thrust moves it; take out driven, or the actuator",
               keys->body);
  const int n = count_of(scene, keys);
  scene->acting[index] = (cq_acting){.set = set, .first_control = first, .n_controls = n};
  for (int i = 0; i < n; i++) {
    thrusts[first + i].body = rigid[b];
    CQ_TRY(read_control(scene, keys, i, first + i, thrusts[first + i].direction));
  }
  return CQ_OK;
}

/* Actuators move bodies as a whole, so no particle has one. */
cq_status cq_fluid_read_actuators(cq_scene *scene) {
  const cq_items *list = &scene->config.actuators;
  const cq_actuator_keys *keys = list->items;
  cq_model *model = &scene->model;
  cq_fluid_thrust *thrusts = NULL;
  int *none = NULL;
  CQ_TRY(cq_scene_make_actuators(scene, &none));
  for (int i = 0; i < list->count; i++) {
    model->n_controls += count_of(scene, &keys[i]);
  }
  model->n_drives = model->n_controls;
  CQ_TRY(cq_scene_make_controls(scene));
  CQ_TRY(CQ_ARENA(&scene->arena, thrusts, model->n_drives));
  cq_fluid_scene_of(scene)->model.thrusts = thrusts;
  for (int i = 0, first = 0; i < list->count; i++) {
    CQ_TRY(read_actuator(scene, &keys[i], i, first, thrusts));
    first += scene->acting[i].n_controls;
  }
  return CQ_OK;
}
