/* How far each marker is in the body at rest from where it is bound [m]. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_calibration(scene, block, CQ_CALIBRATES_MARKERS);
}

static void label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  cq_label_marker(scene, block, j, text, size);
}

const cq_block_type cq_block_marker_offset = {
    .unit = "m",
    .usual = CQ_USUAL_PLACE,
    .link = link_block,
    .label = label,
};
