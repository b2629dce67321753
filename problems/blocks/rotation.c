/* How a body is turned about its centre before the first step [rad]: an angle in 2D, an axis times
 * an angle in 3D. Its material, and with it its actuators, turn with it. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int count = scene->config.dim == 2 ? 1 : 3;
  const cq_pose_link link = {
      .slot = CQ_POSE_ROTATION + 3 - count, .count = count, .parity = CQ_PARITY_AXIAL};
  return cq_block_pose(scene, block, &link);
}

const cq_block_type cq_block_rotation = {
    .unit = "rad",
    .usual = CQ_USUAL_ONE,
    .link = link_block,
};
