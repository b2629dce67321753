/* The table of an open-loop controller: one variable a row and control, within the bounds of the
 * control's actuator and in its unit; of a path places, which its bounds are not of. Of all
 * actuators, or of one and those tied to it. */
#include "nearest.h"
#include "open_loop.h"
#include "scene.h"
#include "schema_rows.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* The unit of a control's rows: of a path that of a place, for a velocity. */
static const char *unit_of(const cq_scene *scene, int control) {
  const char *unit = scene->controls[control].unit;
  return scene->model.controller.joined != OPEN_LOOP_PATH ? unit
         : strcmp(unit, "m/s") == 0                       ? "m"
                                                          : "rad";
}

/* "Pa|N": the units of the rows, each once */
static cq_status join_units(cq_scene *scene, int first, int n, const char **units) {
  *units = unit_of(scene, first);
  for (int i = first + 1; i < first + n; i++) {
    if (cq_word_index(*units, unit_of(scene, i)) < 0) {
      CQ_TRY(cq_arena_text(&scene->arena, units, "%s|%s", *units, unit_of(scene, i)));
    }
  }
  return CQ_OK;
}

/* The controls of an actuator; all of them without a name. */
static cq_status find(cq_scene *scene, const cq_block *block, const char *key, const char *name,
                      int *first, int *count) {
  const cq_actuator_keys *keys = scene->config.actuators.items;
  *first = 0;
  *count = scene->model.n_controls;
  if (name == NULL) {
    return CQ_OK;
  }
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < scene->model.n_actuators; i++) {
    if (strcmp(keys[i].name, name) == 0) {
      *first = scene->acting[i].first_control;
      *count = scene->acting[i].n_controls;
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, keys[i].name);
  }
  return cq_config_fail(scene->ctx, block->keys->node, key, "there is no actuator \"%s\"; %s", name,
                        cq_nearest_text(&nearest));
}

/* The controls from `first` on: x itself, or factor times as far from rest as x is from that of the
 * controls from `of` on. */
static void add_rows(const cq_scene *scene, cq_block *block, int tie, int first, int of) {
  const double factor = cq_block_factor(block, tie, CQ_PARITY_SCALAR, 0);
  const int n = block->components, stride = scene->model.n_controls;
  for (int j = 0; j < block->count; j++) {
    const int control = first + j % n;
    const double base = scene->u_rest[control] - factor * scene->u_rest[of + j % n];
    const double a = (scene->u_min[control] - base) / factor;
    const double b = (scene->u_max[control] - base) / factor;
    cq_block_row(block,
                 cq_layout_offset(&scene->layout, "theta") + (size_t)(j / n * stride + control),
                 base);
    cq_block_add(block, j, factor);
    block->start[j] = scene->u_rest[of + j % n];
    if (scene->model.controller.joined != OPEN_LOOP_PATH) {
      block->lower[j] = fmax(block->lower[j], fmin(a, b));
      block->upper[j] = fmin(block->upper[j], fmax(a, b));
    }
  }
}

/* A path is of what moves at a rate. */
static cq_status check_path(const cq_scene *scene) {
  for (int i = 0; scene->model.controller.joined == OPEN_LOOP_PATH && i < scene->model.n_controls;
       i++) {
    const char *unit = scene->controls[i].unit;
    CQ_KEY_CHECK(scene->ctx, strcmp(unit, "m/s") == 0 || strcmp(unit, "rad/s") == 0,
                 &scene->config.controller, interpolation,
                 "path is of velocities and rates of joints; \"%s\" is in %s",
                 scene->controls[i].name, unit);
  }
  return CQ_OK;
}

/* Rows of the named actuator, or of all, then those of its ties. */
static cq_status link_block(cq_scene *scene, cq_block *block) {
  const cq_block_keys *keys = block->keys;
  const cq_texts *tie = &keys->tie;
  int first = 0, n = 0;
  CQ_KEY_CHECK(scene->ctx, scene->model.controller.kind == CQ_CONTROLLER_open_loop, keys, variable,
               "actuation needs controller.type = \"open_loop\"");
  CQ_TRY(check_path(scene));
  CQ_KEY_CHECK(scene->ctx, tie->count == 0 || keys->actuator != NULL, keys, tie,
               "needs the key actuator beside it");
  CQ_TRY(find(scene, block, "actuator", keys->actuator, &first, &n));
  const int count = scene->model.controller.n_parameters / scene->model.n_controls * n;
  const size_t rows = (size_t)count * (1 + (size_t)tie->count);
  CQ_TRY(cq_block_reserve(scene, block, count, rows, rows));
  block->components = n;
  CQ_TRY(join_units(scene, first, n, &block->unit));
  add_rows(scene, block, -1, first, first);
  const int of = first;
  for (int t = 0; t < tie->count; t++) {
    int n_tied = 0;
    CQ_TRY(find(scene, block, "tie", tie->values[t], &first, &n_tied));
    CQ_KEY_CHECK(scene->ctx, n_tied == n, keys, tie, "\"%s\" has %d controls and \"%s\" %d",
                 keys->actuator, n, tie->values[t], n_tied);
    add_rows(scene, block, t, first, of);
  }
  return CQ_OK;
}

/* "[row].control" */
static void label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  const int n = block->components;
  const size_t first = (block->rows.target[j % n] - cq_layout_offset(&scene->layout, "theta"));
  snprintf(text, size, "[%d].%s", j / n, scene->controls[first].name);
}

const cq_block_type cq_block_actuation = {
    .unit = "", /* taken from the controls */
    .link = link_block,
    .label = label,
};
