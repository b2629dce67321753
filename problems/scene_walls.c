/* Actuators and the controller of the file. */
#include "scene.h"
#include "status.h"

#include <string.h>

static cq_status name_controls(cq_scene *scene, const cq_actuator_keys *keys,
                               const cq_actuator *actuator) {
  for (int i = 0; i < actuator->n_controls; i++) {
    cq_control *control = &scene->controls[actuator->first_control + i];
    control->actuator = keys;
    scene->u_max[actuator->first_control + i] = keys->max;
    if (actuator->n_controls == 1) {
      control->name = keys->name;
    } else {
      CQ_TRY(cq_arena_text(&scene->arena, &control->name, "%s[%d]", keys->name, i));
    }
  }
  return CQ_OK;
}

static cq_status read_actuator(cq_scene *scene, const cq_actuator_keys *keys, int index,
                               cq_actuator *actuator, int *of_particle) {
  const cq_body *body = NULL;
  const cq_actuator_keys *all = scene->config.actuators.items;
  for (int i = 0; i < index; i++) {
    CQ_KEY_CHECK(scene->ctx, strcmp(all[i].name, keys->name) != 0, keys, name,
                 "two actuators are called \"%s\"", keys->name);
  }
  CQ_TRY(cq_scene_find_body(scene, keys->node, "body", keys->body, &body));
  CQ_KEY_CHECK(scene->ctx, of_particle[body->first] < 0, keys, body,
               "body \"%s\" has an actuator already", keys->body);
  for (int p = body->first; p < body->first + body->count; p++) {
    of_particle[p] = index;
  }
  actuator->kind = (cq_actuation_kind)keys->model;
  if (actuator->kind == CQ_ACTUATION_muscle) {
    memcpy(actuator->direction, keys->direction, sizeof actuator->direction);
  }
  return name_controls(scene, keys, actuator);
}

cq_status cq_scene_read_actuators(cq_scene *scene) {
  const cq_items *list = &scene->config.actuators;
  const cq_actuator_keys *keys = list->items;
  cq_actuator *actuators = NULL;
  int *of_particle = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, actuators, list->count));
  CQ_TRY(CQ_ARENA(&scene->arena, of_particle, scene->model.n_particles));
  for (int p = 0; p < scene->model.n_particles; p++) {
    of_particle[p] = -1;
  }
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    actuators[i].first_control = n;
    actuators[i].n_controls =
        cq_actuation_controls((cq_actuation_kind)keys[i].model, scene->config.dim);
    n += actuators[i].n_controls;
  }
  CQ_TRY(CQ_ARENA(&scene->arena, scene->controls, n));
  CQ_TRY(CQ_ARENA(&scene->arena, scene->u_max, n));
  for (int i = 0; i < list->count; i++) {
    CQ_TRY(read_actuator(scene, &keys[i], i, &actuators[i], of_particle));
  }
  scene->model.actuators = actuators;
  scene->model.n_actuators = list->count;
  scene->model.actuator = of_particle;
  scene->model.n_controls = n;
  return CQ_OK;
}
