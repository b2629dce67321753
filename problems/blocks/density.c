/* Density of a body [kg/m^dim]: its mass, at a given shape. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_link_particles(scene, block, CQ_INPUT_density, CQ_PER_BODY, block->body->density);
}

static cq_status check(cq_scene *scene, const cq_block *block) {
  CQ_KEY_CHECK(scene->ctx, block->lower[0] > 0.0, block->keys, lower,
               "a density needs a lower bound > 0 (the time step is checked at the lightest)");
  return CQ_OK;
}

const cq_block_type cq_block_density = {
    .unit = "kg/m^dim",
    .link = link_block,
    .check = check,
};
