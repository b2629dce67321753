/* Poisson's ratio. */
#include "scene.h"

static const char text[] = "a Poisson's ratio needs bounds above -1 and below 0.5";

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_field(scene, block, "poisson_ratio", false, CQ_PARITY_SCALAR);
}

const cq_block_type cq_block_poisson_ratio = {
    .unit = "1",
    .link = link_block,
    .above = -1.0,
    .below = 0.5,
    .lower_text = text,
    .upper_text = text,
};
