/* Walls: their names, and the shapes that only walls have. */
#include "alloc.h"
#include "nearest.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

const char *cq_scene_wall_name(const cq_scene *scene, int i, cq_place *room) {
  const cq_wall *wall = &scene->walls[i];
  *room = cq_node_path(wall->node);
  return wall->name != NULL ? wall->name : room->text + strlen("boundaries.");
}

int cq_scene_wall_called(const cq_scene *scene, const char *name) {
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    cq_place room;
    if (strcmp(name, cq_scene_wall_name(scene, i, &room)) == 0) {
      return i;
    }
  }
  return -1;
}

cq_status cq_scene_find_wall(cq_scene *scene, const cq_node *section, const char *key,
                             const char *name, int *out) {
  cq_nearest nearest = cq_nearest_begin(name);
  *out = cq_scene_wall_called(scene, name);
  if (*out >= 0) {
    return CQ_OK;
  }
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    cq_place room;
    cq_nearest_offer(&nearest, cq_scene_wall_name(scene, i, &room));
  }
  return cq_config_fail(scene->ctx, section, key, "there is no boundary \"%s\"; %s", name,
                        cq_nearest_text(&nearest));
}

const cq_wall *cq_scene_wall(const cq_scene *scene, const char *name) {
  const int i = cq_scene_wall_called(scene, name);
  return i >= 0 ? &scene->walls[i] : NULL;
}

cq_status cq_scene_read_half_space(cq_scene *scene, const cq_half_space_keys *keys,
                                   cq_shape *shape) {
  double square = 0.0;
  *shape = (cq_shape){.kind = CQ_SHAPE_half_space, .dim = scene->config.dim};
  for (int a = 0; a < shape->dim; a++) {
    square += keys->normal[a] * keys->normal[a];
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, keys, normal, "must not be zero");
  for (int a = 0; a < shape->dim; a++) {
    shape->normal[a] = keys->normal[a] / sqrt(square);
    shape->center[a] = keys->point[a];
  }
  return CQ_OK;
}

/* Heights become a curve through them. */
cq_status cq_scene_read_height_field(cq_scene *scene, const cq_height_field_keys *keys,
                                     cq_shape *shape) {
  const int n = keys->heights.count;
  double *x = NULL;
  cq_cubic *pieces = NULL;
  CQ_KEY_CHECK(scene->ctx, n >= 2, keys, heights, "needs two heights or more");
  CQ_TRY(CQ_ARENA(&scene->arena, x, n));
  CQ_TRY(CQ_ARENA(&scene->arena, pieces, n + 1));
  for (int i = 0; i < n; i++) {
    x[i] = keys->x0 + i * keys->spacing;
  }
  cq_curve_fit(n, x, keys->heights.values, pieces);
  *shape =
      (cq_shape){.kind = CQ_SHAPE_height_field, .dim = scene->config.dim, .curve = {n, pieces}};
  return CQ_OK;
}
