/* Shapes as sections of the file say them. */
#include "scene.h"
#include "status.h"

#include <math.h>

cq_status cq_scene_read_shape(const cq_scene *scene, const cq_node *section,
                              const cq_shape_keys *keys, cq_shape *shape) {
  const bool has_low = !isnan(keys->low[0]), has_center = !isnan(keys->center[0]);
  shape->kind = (cq_shape_kind)keys->shape;
  shape->dim = scene->config.dim;
  shape->radius = keys->radius;
  if (shape->kind == CQ_SHAPE_box && has_low == has_center) {
    return cq_config_fail(scene->ctx, section, "low", "give either low or center");
  }
  if (shape->kind != CQ_SHAPE_box && !has_center) {
    return cq_config_fail(scene->ctx, section, "center", "give the centre of the ball");
  }
  for (int a = 0; a < shape->dim; a++) {
    shape->size[a] = keys->size[a];
    shape->center[a] = has_center ? keys->center[a] : keys->low[a] + 0.5 * keys->size[a];
  }
  return CQ_OK;
}
