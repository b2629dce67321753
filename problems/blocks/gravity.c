/* Gravity [m/s^2], one variable an axis. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int count = (int)scene->layout.count[CQ_INPUT_gravity];
  const size_t first = scene->layout.offset[CQ_INPUT_gravity];
  CQ_TRY(cq_block_reserve(scene, block, count, (size_t)count, (size_t)count));
  block->components = count;
  for (int i = 0; i < count; i++) {
    cq_block_row(block, first + (size_t)i, 0.0);
    cq_block_add(block, i, 1.0);
    block->start[i] = scene->inputs[first + (size_t)i];
  }
  return CQ_OK;
}

const cq_block_type cq_block_gravity = {
    .unit = "m/s^2",
    .link = link_block,
};
