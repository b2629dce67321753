/* How the scene is turned in the frame of the samples, about the mean of the markers at rest [rad]:
 * an angle in 2D, an axis times an angle in 3D. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_calibration(scene, block, CQ_CALIBRATES_TURN);
}

const cq_block_type cq_block_view_rotation = {
    .unit = "rad",
    .usual = CQ_USUAL_ONE,
    .link = link_block,
};
