/* Walls and controller of the file. */
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
