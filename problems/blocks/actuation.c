/* The table of an open-loop controller: one variable a row and control, within the bounds of the
 * control's actuator and in its unit. */
#include "scene.h"
#include "schema_rows.h"
#include "status.h"

/* "Pa|N": the units of the controls, each once */
static cq_status join_units(cq_scene *scene, const char **units) {
  *units = scene->controls[0].unit;
  for (int i = 1; i < scene->model.n_controls; i++) {
    if (cq_word_index(*units, scene->controls[i].unit) < 0) {
      CQ_TRY(cq_arena_text(&scene->arena, units, "%s|%s", *units, scene->controls[i].unit));
    }
  }
  return CQ_OK;
}

static cq_status link_block(cq_scene *scene, cq_block *block) {
  const int n = scene->model.n_controls;
  const int count = scene->model.controller.n_parameters;
  CQ_KEY_CHECK(scene->ctx, scene->model.controller.kind == CQ_CONTROLLER_open_loop, block->keys,
               variable, "actuation needs controller.type = \"open_loop\"");
  CQ_TRY(cq_block_reserve(scene, block, count, (size_t)count));
  CQ_TRY(join_units(scene, &block->unit));
  for (int j = 0; j < count; j++) {
    const size_t input = scene->layout.offset[CQ_INPUT_theta] + (size_t)j;
    block->links[j] = (cq_link){.input = input, .variable = j};
    block->start[j] = scene->u_rest[j % n];
    block->lower[j] = scene->u_min[j % n];
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
    .unit = "", /* taken from the controls */
    .link = link_block,
    .label = label,
};
