/* Where the centre of a body is [m]. Ties share how far it is moved. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const cq_pose_link link = {.slot = CQ_POSE_CENTER,
                             .count = scene->config.dim,
                             .meaning = CQ_POSE_PLACE,
                             .parity = CQ_PARITY_VECTOR};
  return cq_block_pose(scene, block, &link);
}

const cq_block_type cq_block_center = {
    .unit = "m",
    .usual = CQ_USUAL_PLACE,
    .link = link_block,
};
