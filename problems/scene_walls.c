/* Walls and actuators of the file. */
#include "nearest.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static cq_boundary_kind wall_kind(int type, double friction) {
  const cq_boundary_kind kind = (cq_boundary_kind)(type - 1);
  return kind == CQ_BOUNDARY_separate && isinf(friction) ? CQ_BOUNDARY_separate_stick : kind;
}

static cq_status read_domain(const cq_scene *scene, cq_boundary *wall) {
  const cq_domain_keys *keys = &scene->config.domain;
  wall->kind = wall_kind(keys->type, keys->friction);
  wall->is_domain_box = true;
  for (int a = 0; a < scene->config.dim; a++) {
    wall->layers_low[a] = keys->layers_low[a];
    wall->layers_high[a] = keys->layers_high[a];
    CQ_KEY_CHECK(scene->ctx,
                 keys->layers_low[a] + keys->layers_high[a] < scene->config.simulation.grid[a],
                 keys, layers_low, "the walls of axis %c fill its %d nodes", "xyz"[a],
                 scene -> config.simulation.grid[a]);
  }
  return CQ_OK;
}

static cq_status read_half_space(const cq_scene *scene, const cq_half_space_keys *keys,
                                 cq_boundary *wall) {
  double square = 0.0;
  wall->kind = wall_kind(keys->type, keys->friction);
  for (int a = 0; a < scene->config.dim; a++) {
    square += keys->normal[a] * keys->normal[a];
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, keys, normal, "must not be zero");
  for (int a = 0; a < scene->config.dim; a++) {
    wall->normal[a] = keys->normal[a] / sqrt(square);
    wall->point[a] = keys->point[a];
  }
  return CQ_OK;
}

cq_status cq_scene_read_walls(cq_scene *scene) {
  const cq_items *list = &scene->config.half_spaces;
  const cq_half_space_keys *planes = list->items;
  cq_boundary *walls = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, walls, list->count + 1));
  int n = 0;
  if (scene->config.domain.type != CQ_WALL_NONE) {
    CQ_TRY(read_domain(scene, &walls[n++]));
  }
  for (int i = 0; i < list->count; i++) {
    if (planes[i].type != CQ_WALL_NONE) {
      CQ_TRY(read_half_space(scene, &planes[i], &walls[n++]));
    }
  }
  scene->model.boundaries = walls;
  scene->model.n_boundaries = n;
  return CQ_OK;
}

cq_status cq_scene_find_wall(cq_scene *scene, const cq_node *section, const char *key,
                             const char *name, int *out) {
  const cq_half_space_keys *planes = scene->config.half_spaces.items;
  cq_nearest nearest = cq_nearest_begin(name);
  int n = 0;
  for (int i = -1; i < scene->config.half_spaces.count; i++) {
    char other[64] = "domain";
    if (i >= 0) {
      snprintf(other, sizeof other, "half_spaces.[%d]", i);
    }
    if ((i < 0 ? scene->config.domain.type : planes[i].type) == CQ_WALL_NONE) {
      continue;
    }
    if (strcmp(name, other) == 0) {
      *out = n;
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, other);
    n++;
  }
  return cq_config_fail(scene->ctx, section, key, "there is no boundary \"%s\"; %s", name,
                        cq_nearest_text(&nearest));
}

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
