/* Damping of all velocities [1/s]. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int count = (int)scene->layout.count[CQ_INPUT_damping];
  const size_t first = scene->layout.offset[CQ_INPUT_damping];
  CQ_TRY(cq_block_reserve(scene, block, count, (size_t)count, (size_t)count));
  block->components = count;
  for (int i = 0; i < count; i++) {
    cq_block_row(block, first + (size_t)i, 0.0);
    cq_block_add(block, i, 1.0);
    block->start[i] = scene->inputs[first + (size_t)i];
    block->lower[i] = 0.0;
  }
  return CQ_OK;
}

const cq_block_type cq_block_damping = {
    .unit = "1/s",
    .link = link_block,
    .above = 0.0,
    .may_equal = true,
    .lower_text = "damping needs a lower bound >= 0",
};
