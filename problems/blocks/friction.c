/* Coefficient of friction of a wall that has one. */
#include "scene.h"
#include "status.h"

static cq_status find(cq_scene *scene, const cq_block *block, const char *key, const char *name,
                      size_t *target) {
  int wall = 0;
  CQ_TRY(cq_scene_find_wall(scene, block->keys->node, key, name, &wall));
  if (!scene->walls[wall].has_friction) {
    return cq_config_fail(
        scene->ctx, block->keys->node, key,
        "friction needs a wall that has a finite coefficient of it, and \"%s\" has "
        "none",
        name);
  }
  *target = cq_layout_offset(&scene->layout, "friction") + (size_t)wall;
  return CQ_OK;
}

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const cq_texts *tie = &block->keys->tie;
  const size_t n = 1 + (size_t)tie->count;
  CQ_TRY(cq_block_reserve(scene, block, 1, n, n));
  for (int t = -1; t < tie->count; t++) {
    size_t target = 0;
    CQ_TRY(find(scene, block, t < 0 ? "boundary" : "tie",
                t < 0 ? block->keys->boundary : tie->values[t], &target));
    cq_block_row(block, target, 0.0);
    cq_block_add(block, 0, cq_block_factor(block, t, CQ_PARITY_SCALAR, 0));
    block->start[0] = t < 0 ? scene->inputs[target] : block->start[0];
  }
  block->lower[0] = block->input->bounds.above;
  return CQ_OK;
}

const cq_block_type cq_block_friction = {.link = link_block};
