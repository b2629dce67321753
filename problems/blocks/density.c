/* Density [kg/m^dim]: mass, at a given shape. */
#include "scene.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  return cq_block_field(scene, block, "density", false, CQ_PARITY_SCALAR);
}

const cq_block_type cq_block_density = {
    .unit = "kg/m^dim",
    .usual = CQ_USUAL_START,
    .link = link_block,
    .above = 0.0,
    .lower_text = "a density needs a lower bound > 0 (the time step is checked at the lightest)",
};
