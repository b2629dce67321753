/* How far particles are moved from where the scene has them [m], before the first step and free of
 * stress: a body as a whole, or its groups, patches and particles. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  if (block->body == NULL || block->keys->per != CQ_PER_BODY) {
    return cq_block_field(scene, block, "x", true);
  }
  const cq_pose_link link = {.slot = CQ_POSE_CENTER,
                             .count = scene->config.dim,
                             .meaning = CQ_POSE_CHANGE,
                             .parity = CQ_PARITY_VECTOR};
  return cq_block_pose(scene, block, &link);
}

const cq_block_type cq_block_initial_position = {
    .unit = "m",
    .usual = CQ_USUAL_PLACE,
    .link = link_block,
};
