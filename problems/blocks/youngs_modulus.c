/* Young's modulus of a body, or of each of its particles [Pa]. */
#include "scene.h"
#include "status.h"

#include <math.h>

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_link_particles(scene, block, CQ_INPUT_youngs_modulus, block->keys->per,
                                 block->body->youngs_modulus);
}

static cq_status check(cq_scene *scene, const cq_block *block) {
  for (int j = 0; j < block->count; j++) {
    CQ_KEY_CHECK(scene->ctx, block->lower[j] > 0.0, block->keys, lower,
                 "a Young's modulus needs a lower bound > 0");
    CQ_KEY_CHECK(scene->ctx, isfinite(block->upper[j]), block->keys, upper,
                 "a Young's modulus needs an upper bound (the time step is checked at the "
                 "stiffest)");
  }
  return CQ_OK;
}

const cq_block_type cq_block_youngs_modulus = {
    .unit = "Pa",
    .link = link_block,
    .check = check,
};
