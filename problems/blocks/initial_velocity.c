/* Initial velocity [m/s]. That of a body takes the place of its `velocity`, and the rotation of
 * `spin` stays on top; that of groups, patches and particles is all of their velocity. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  if (block->body == NULL || block->keys->per != CQ_PER_BODY) {
    return cq_block_field(scene, block, "v", false);
  }
  const cq_pose_link link = {
      .slot = CQ_POSE_VELOCITY, .count = scene->config.dim, .parity = CQ_PARITY_VECTOR};
  return cq_block_pose(scene, block, &link);
}

const cq_block_type cq_block_initial_velocity = {
    .unit = "m/s",
    .usual = CQ_USUAL_SPEED,
    .link = link_block,
};
