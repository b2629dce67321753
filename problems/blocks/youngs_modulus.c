/* Young's modulus [Pa]. */
#include "scene.h"

#include <math.h>

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_field(scene, block, "youngs_modulus", false, CQ_PARITY_SCALAR);
}

const cq_block_type cq_block_youngs_modulus = {
    .unit = "Pa",
    .usual = CQ_USUAL_START,
    .link = link_block,
    .above = 0.0,
    .below = INFINITY,
    .lower_text = "a Young's modulus needs a lower bound > 0",
    .upper_text =
        "a Young's modulus needs an upper bound (the time step is checked at the stiffest)",
};
