/* How much later in the run than its own time says each sample later than rest was seen [s]: the
 * clock of the samples is not that of the scene. It needs bounds. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_calibration(scene, block, CQ_CALIBRATES_TIME);
}

const cq_block_type cq_block_time_offset = {
    .unit = "s",
    .usual = CQ_USUAL_ONE,
    .link = link_block,
};
