/* The table of an open-loop controller [Pa]: one variable a row and control, bounded by the max of
 * the control's actuator. */
#include "scene.h"
#include "status.h"

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int n = scene->model.n_controls;
  const int count = scene->model.controller.n_parameters;
  CQ_KEY_CHECK(scene->ctx, scene->model.controller.kind == CQ_CONTROLLER_open_loop, block->keys,
               variable, "actuation needs controller.type = \"open_loop\"");
  CQ_TRY(cq_block_reserve(scene, block, count, (size_t)count));
  for (int j = 0; j < count; j++) {
    const size_t input = scene->layout.offset[CQ_INPUT_theta] + (size_t)j;
    block->links[j] = (cq_link){.input = input, .variable = j};
    block->lower[j] = -scene->u_max[j % n];
    block->upper[j] = scene->u_max[j % n];
  }
  return CQ_OK;
}

/* "[row].control" */
static void label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  const int n = scene->model.n_controls;
  (void)block;
  snprintf(text, size, "[%d].%s", j / n, scene->controls[j % n].name);
}

const cq_block_type cq_block_actuation = {
    .unit = "Pa",
    .link = link_block,
    .label = label,
};
