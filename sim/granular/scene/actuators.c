/* Actuators of the file: velocities of walls and of rigid bodies. */
#include "granular_scene.h"
#include "status.h"

#include <math.h>

/* Control u of an actuator: the way number i that it moves a tool. */
static cq_status read_control(cq_scene *scene, const cq_actuator_keys *keys, cq_tool *tool, int i,
                              int u) {
  const cq_granular_actuator_keys *own = keys->of_engine;
  const char *way = own->along.values[i];
  const int dim = scene->config.dim, component = cq_rigid_component(dim, way);
  const bool turns = component >= dim;
  CQ_KEY_CHECK(scene->ctx, component >= 0, own, along, "\"%s\" is no way to move: %s", way,
               dim == 2 ? "\"x\", \"y\" or \"turn\"" : "\"x\" to \"turn z\"");
  /* in 2D things turn about z, the last axis */
  int *at = turns ? &tool->angular[dim == 2 ? 2 : component - dim] : &tool->linear[component];
  CQ_KEY_CHECK(scene->ctx, *at < 0, own, along, "the wall has a control \"%s\" already", way);
  *at = u;
  scene->u_min[u] = -own->max;
  scene->u_max[u] = own->max;
  scene->u_strength[u] = own->max;
  scene->controls[u].actuator = keys;
  scene->controls[u].unit = turns ? "rad/s" : "m/s";
  return own->along.count == 1
             ? (scene->controls[u].name = keys->name, CQ_OK)
             : cq_arena_text(&scene->arena, &scene->controls[u].name, "%s.%s", keys->name, way);
}

static int count_of(const cq_actuator_keys *keys) {
  const cq_granular_actuator_keys *own = keys->of_engine;
  return own->model == CQ_ACTUATOR_DRIVE ? own->controls.count : own->along.count;
}

/* What an actuator moves; its controls are numbers first, first + 1, ... */
static cq_status read_actuator(cq_scene *scene, const cq_actuator_keys *keys, int index,
                               int first) {
  const cq_granular_actuator_keys *own = keys->of_engine;
  const cq_set *set = NULL;
  int wall = 0;
  CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, &set));
  const bool drives = own->model == CQ_ACTUATOR_DRIVE;
  scene->acting[index] =
      (cq_acting){.set = set, .first_control = first, .n_controls = count_of(keys)};
  if (drives) {
    return cq_granular_read_drive(scene, keys, first);
  }
  CQ_TRY(cq_scene_find_wall(scene, keys->node, "wall", own->wall, &wall));
  CQ_KEY_CHECK(scene->ctx, wall < cq_granular_scene_of(scene)->n_walls, own, wall,
               "\"%s\" is a rigid body: drive it by model = \"drive\"", own->wall);
  CQ_KEY_CHECK(scene->ctx, cq_granular_scene_of(scene)->motion[wall].node == NULL, own, wall,
               "\"%s\" has a track, a sway, a velocity or a spin; take those out, or the actuator",
               own->wall);
  scene->walls[wall].moves = own->along.count > 0;
  for (int i = 0; i < own->along.count; i++) {
    CQ_TRY(read_control(scene, keys, &cq_granular_scene_of(scene)->tools[wall], i, first + i));
  }
  return CQ_OK;
}

/* Actuators drive walls, so no particle has one. */
cq_status cq_granular_read_actuators(cq_scene *scene) {
  const cq_items *list = &scene->config.actuators;
  const cq_actuator_keys *keys = list->items;
  cq_model *model = &scene->model;
  int *none = NULL;
  CQ_TRY(cq_scene_make_actuators(scene, &none));
  for (int i = 0; i < list->count; i++) {
    model->n_controls += count_of(&keys[i]);
  }
  model->n_drives = model->n_controls;
  CQ_TRY(cq_scene_make_controls(scene));
  for (int i = 0, first = 0; i < list->count; i++) {
    CQ_TRY(read_actuator(scene, &keys[i], i, first));
    first += scene->acting[i].n_controls;
  }
  cq_granular_drive_walls(scene);
  return CQ_OK;
}
