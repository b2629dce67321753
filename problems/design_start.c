/* Another start for a scene that is loaded, in the problem and in its settings. */
#include "scene.h"
#include "status.h"

#include <string.h>

/* The key as a list of numbers; what it was is replaced. */
static cq_status put_list(cq_scene *scene, const cq_block *block, const char *key,
                          const double *values) {
  const cq_node *section = block->keys->node;
  CQ_TRY(cq_config_complete(&scene->arena, section, key, CQ_NODE_LIST, 0, NULL));
  cq_node *list = cq_node_find(section, key);
  list->child = NULL;
  list->last = NULL;
  for (int j = 0; j < block->count; j++) {
    cq_node *number = NULL;
    CQ_TRY(cq_node_add(&scene->arena, list, NULL, CQ_NODE_NUMBER, &number));
    number->number = values[j];
  }
  return CQ_OK;
}

/* The scale follows from the start where the file says nothing, and there are not two bounds or
 * very wide ones: that of the file is kept. */
static cq_status keep_scale(cq_scene *scene, const cq_block *block) {
  double *scale = NULL;
  if (block->keys->scale.count > 0) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ARENA(&scene->arena, scale, block->count));
  cq_default_scale(scene, block, scale);
  const bool same = memcmp(scale, block->scale, (size_t)block->count * sizeof *scale) == 0;
  return same ? CQ_OK : put_list(scene, block, "scale", block->scale);
}

cq_status cq_scene_set_start(cq_scene *scene, const double *values) {
  cq_design *design = &scene->design;
  for (int i = 0; i < design->n; i++) {
    const cq_variable_info info = cq_scene_variable(scene, i);
    CQ_CHECK(scene->ctx, values[i] >= info.lower && values[i] <= info.upper, CQ_CONFIG,
             "the start %g of variable %d is outside the bounds %g to %g", values[i], i, info.lower,
             info.upper);
  }
  for (int b = 0; b < design->n_blocks; b++) {
    cq_block *block = &design->blocks[b];
    CQ_TRY(put_list(scene, block, "start", values + block->first));
    cq_node *spread = cq_node_find(block->keys->node, "start_spread"); /* it is in the start now */
    spread->type = CQ_NODE_NUMBER;
    spread->number = 0.0;
    for (int j = 0; j < block->count; j++) {
      block->start[j] = values[block->first + j];
      design->start[block->first + j] = cq_transform_inverse(block, j, block->start[j]);
    }
    CQ_TRY(keep_scale(scene, block));
  }
  return CQ_OK;
}
