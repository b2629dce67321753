/* Edge lengths of a box, radius of a ball, edge lengths of the bounds of a mesh before it is turned
 * [m]. Particles and their volumes go with it. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const cq_shape_kind kind = block->body->shape.kind;
  CQ_KEY_CHECK(scene->ctx,
               (kind == CQ_SHAPE_box || kind == CQ_SHAPE_ball || kind == CQ_SHAPE_mesh) &&
                   block->body->keys->sampling != CQ_SAMPLING_POINTS,
               block->keys, body, "the size of a box, a ball or a mesh can be designed");
  const cq_pose_link link = {
      .slot = CQ_POSE_SIZE,
      .count = scene->config.dim,
      .shared = kind == CQ_SHAPE_ball ? 2.0 : 0.0, /* the size is a diameter */
  };
  return cq_block_pose(scene, block, &link);
}

const cq_block_type cq_block_size = {
    .unit = "m",
    .usual = CQ_USUAL_START,
    .link = link_block,
    .bounds = {.lower_text = "a size needs a lower bound > 0"},
};
