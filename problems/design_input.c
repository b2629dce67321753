/* Blocks of an input as it is: of particles, spread over them, or of the whole scene. */
#include "scene.h"
#include "status.h"

/* A variable for each number of the scene's. */
static cq_status link_scene(cq_scene *scene, cq_block *block, size_t first) {
  const int n = block->input->numbers[scene->config.dim - 2];
  const cq_bounds *const bounds = &block->input->bounds;
  CQ_TRY(cq_block_reserve(scene, block, n, (size_t)n, (size_t)n));
  block->components = n;
  for (int a = 0; a < n; a++) {
    cq_block_row(block, first + (size_t)a, 0.0);
    cq_block_add(block, a, 1.0);
    block->start[a] = scene->inputs[first + (size_t)a];
    block->lower[a] = bounds->may_equal ? bounds->above : block->lower[a];
  }
  return CQ_OK;
}

static cq_status link_block(cq_scene *scene, cq_block *block) {
  CQ_KEY_CHECK(scene->ctx, block->input != NULL, block->keys, variable,
               "there is no such number in simulation.engine = \"%s\"", scene->model.engine);
  return block->input->of == CQ_OF_PARTICLE
             ? cq_block_field(scene, block, block->input->name, false)
             : link_scene(scene, block, cq_layout_offset(&scene->layout, block->input->name));
}

const cq_block_type cq_block_of_input = {.link = link_block};
