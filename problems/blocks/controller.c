/* The parameters of a controller other than a table: weights, biases, amplitudes, phases. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int count = scene->model.controller.n_parameters;
  CQ_KEY_CHECK(scene->ctx, cq_scene_controller_type(scene)->parameter != NULL, block->keys,
               variable,
               "needs a controller with parameters; the table of open_loop is designed by the "
               "block actuation");
  CQ_TRY(cq_block_reserve(scene, block, count, (size_t)count, (size_t)count));
  for (int j = 0; j < count; j++) {
    const size_t input = cq_layout_offset(&scene->layout, "theta") + (size_t)j;
    cq_block_row(block, input, 0.0);
    cq_block_add(block, j, 1.0);
    block->start[j] = scene->inputs[input];
  }
  return CQ_OK;
}

static void label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  (void)block;
  cq_scene_parameter(scene, j, text, size);
}

const cq_block_type cq_block_controller = {
    .unit = "1",
    .usual = CQ_USUAL_ONE,
    .link = link_block,
    .label = label,
};
