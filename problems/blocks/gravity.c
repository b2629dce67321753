/* Gravity [m/s^2], a variable an axis. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int dim = scene->config.dim;
  const size_t first = cq_layout_offset(&scene->layout, "gravity");
  CQ_TRY(cq_block_reserve(scene, block, dim, (size_t)dim, (size_t)dim));
  block->components = dim;
  for (int a = 0; a < dim; a++) {
    cq_block_row(block, first + (size_t)a, 0.0);
    cq_block_add(block, a, 1.0);
    block->start[a] = scene->inputs[first + (size_t)a];
  }
  return CQ_OK;
}

const cq_block_type cq_block_gravity = {
    .unit = "m/s^2",
    .usual = CQ_USUAL_ACCELERATION,
    .link = link_block,
};
