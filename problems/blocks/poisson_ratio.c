/* Poisson's ratio of a body. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_link_particles(scene, block, CQ_INPUT_poisson_ratio, CQ_PER_BODY,
                                 block->body->poisson_ratio);
}

static cq_status check(cq_scene *scene, const cq_block *block) {
  CQ_KEY_CHECK(scene->ctx, block->lower[0] > -1.0 && block->upper[0] < 0.5, block->keys, lower,
               "a Poisson's ratio needs bounds above -1 and below 0.5");
  return CQ_OK;
}

const cq_block_type cq_block_poisson_ratio = {
    .unit = "1",
    .link = link_block,
    .check = check,
};
