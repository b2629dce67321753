/* Damping of all velocities [1/s]. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const size_t input = cq_layout_offset(&scene->layout, "damping");
  CQ_TRY(cq_block_reserve(scene, block, 1, 1, 1));
  cq_block_row(block, input, 0.0);
  cq_block_add(block, 0, 1.0);
  block->start[0] = scene->inputs[input];
  block->lower[0] = 0.0;
  return CQ_OK;
}

const cq_block_type cq_block_damping = {
    .unit = "1/s",
    .usual = CQ_USUAL_RATE,
    .link = link_block,
    .above = 0.0,
    .may_equal = true,
    .lower_text = "damping needs a lower bound >= 0",
};
