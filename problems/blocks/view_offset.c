/* How far the scene is moved in the frame of the samples, after it is turned [m]. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_calibration(scene, block, CQ_CALIBRATES_SHIFT);
}

const cq_block_type cq_block_view_offset = {
    .unit = "m",
    .usual = CQ_USUAL_PLACE,
    .link = link_block,
};
