/* Initial rotation of a body about its centre [rad/s]: a number in 2D, a vector in 3D. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int count = scene->config.dim == 2 ? 1 : 3;
  const cq_pose_link link = {
      .slot = CQ_POSE_SPIN + 3 - count, .count = count, .parity = CQ_PARITY_AXIAL};
  return cq_block_pose(scene, block, &link);
}

const cq_block_type cq_block_spin = {
    .unit = "rad/s",
    .usual = CQ_USUAL_RATE,
    .link = link_block,
};
