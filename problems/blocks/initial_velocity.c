/* Rigid initial velocity of a body [m/s]. It takes the place of the body's `velocity`; the rotation
 * of `spin` stays on top. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int dim = scene->config.dim;
  const cq_body *body = block->body;
  const size_t n = (size_t)body->count * (size_t)dim;
  const size_t first = scene->layout.offset[CQ_INPUT_v] + (size_t)body->first * (size_t)dim;
  CQ_TRY(cq_block_reserve(scene, block, dim, n));
  for (size_t i = 0; i < n; i++) {
    const int axis = (int)(i % (size_t)dim);
    block->links[i] = (cq_link){
        .input = first + i,
        .variable = axis,
        .base = scene->inputs[first + i] - body->keys->velocity[axis],
    };
  }
  for (int a = 0; a < dim; a++) {
    block->start[a] = body->keys->velocity[a];
  }
  return CQ_OK;
}

const cq_block_type cq_block_initial_velocity = {
    .unit = "m/s",
    .link = link_block,
};
