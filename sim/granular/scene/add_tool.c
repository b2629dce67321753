/* Walls and rigid bodies as tools, part by part. */
#include "granular_scene.h"
#include "status.h"

cq_status cq_granular_add_parts(cq_scene *scene, const cq_node *node, double friction, int n_parts,
                                const cq_shape *parts) {
  const int i = scene->model.n_boundaries++;
  CQ_CHECK(scene->ctx, i < CQ_MOST_TOOLS, CQ_CONFIG, "%s: %s: more than %d walls",
           cq_node_where(node).text, cq_node_path(node).text, (int)CQ_MOST_TOOLS);
  cq_granular_scene_of(scene)->tools[i] = (cq_tool){
      .n_parts = n_parts, .parts = parts, .linear = {-1, -1, -1}, .angular = {-1, -1, -1}};
  scene->walls[i] = (cq_wall){.node = node,
                              .friction = friction,
                              .has_friction = true,
                              .n_shapes = n_parts,
                              .shapes = parts};
  return CQ_OK;
}

/* Parts that are added have a contact each, so that grains in a corner are held on both sides; a
 * shape with something taken away is one part. */
static cq_status split_shape(cq_scene *scene, const cq_shape *shape, int *n, cq_shape **parts) {
  bool apart = shape->kind == CQ_SHAPE_composite && !shape->turn.is;
  for (int i = 0; i < shape->n_parts; i++) {
    apart = apart && !shape->parts[i].subtract;
  }
  *n = apart ? shape->n_parts : 1;
  CQ_TRY(CQ_ARENA(&scene->arena, *parts, *n));
  for (int i = 0; i < *n; i++) {
    (*parts)[i] = apart ? shape->parts[i].shape : *shape;
  }
  return CQ_OK;
}

cq_status cq_granular_add_tool(cq_scene *scene, const cq_node *node, double friction,
                               const cq_shape *shape, int *tool) {
  cq_shape *parts = NULL;
  int n = 0;
  *tool = scene->model.n_boundaries;
  CQ_TRY(split_shape(scene, shape, &n, &parts));
  CQ_TRY(cq_granular_add_parts(scene, node, friction, n, parts));
  cq_granular_scene_of(scene)->whole[*tool] = shape;
  return CQ_OK;
}
