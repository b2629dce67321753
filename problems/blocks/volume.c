/* Reference volume of particles [m^dim]. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_field(scene, block, "volume", false, CQ_PARITY_SCALAR);
}

const cq_block_type cq_block_volume = {
    .unit = "m^dim",
    .usual = CQ_USUAL_START,
    .link = link_block,
    .above = 0.0,
    .lower_text = "a volume needs a lower bound > 0",
};
