/* Runs that begin in a state of another one: simulation.start_file, and the table that it reads. */
#include "scene_start.h"

#include "engine.h"
#include "status.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "x", "vx", "fxy" or "spin": number i of the n that a block has of a particle. */
static cq_status name_column(cq_arena *arena, const cq_input *input, int dim, int n, int i,
                             const char **name) {
  static const char axes[] = "xyz";
  const char *const block = strcmp(input->name, "x") == 0 ? "" : input->name;
  if (n == 1) {
    return cq_arena_text(arena, name, "%s", input->name);
  }
  if (n == dim) {
    return cq_arena_text(arena, name, "%s%c", block, axes[i]);
  }
  /* tables have columns in any case, and look for small letters */
  return cq_arena_text(arena, name, "%c%c%c", tolower(*block), axes[i / dim], axes[i % dim]);
}

cq_status cq_start_columns(cq_scene *scene, cq_csv_column *columns, int *count) {
  const int dim = scene->model.dim;
  *count = 0;
  for (int b = 0; b < scene->layout.n_states; b++) {
    const cq_input *const input = &scene->layout.inputs[b];
    const int n = input->numbers[dim - 2];
    for (int i = 0; i < n; i++) {
      cq_csv_column *const column = &columns[(*count)++];
      *column = (cq_csv_column){.unit = input->unit, .required = true};
      CQ_TRY(name_column(&scene->arena, input, dim, n, i, &column->name));
    }
  }
  return CQ_OK;
}

size_t cq_start_place(const cq_scene *scene, int block, size_t particle, size_t *count) {
  *count = (size_t)scene->layout.inputs[block].numbers[scene->model.dim - 2];
  return scene->layout.offset[block] + particle * *count;
}

bool cq_start_has_rigid(const cq_scene *scene) {
  bool rigid = false;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    rigid = rigid || scene->bodies[b].rigid;
  }
  return rigid;
}

void cq_start_mean_columns(const cq_scene *scene, cq_csv_column *columns, int *count) {
  const cq_engine_type *const type = cq_engine_type_of(scene->model.engine);
  for (*count = 0; *count < type->n_means; (*count)++) {
    const cq_field_type *const mean = &type->means[*count];
    columns[*count] = (cq_csv_column){.name = mean->name, .unit = mean->unit, .required = true};
  }
}

/* The file's rows, which take its place in the settings; also where there are none, as another
 * scenario's file may have some. */
static cq_status read_file(cq_scene *scene, cq_simulation_keys *keys) {
  cq_csv_column columns[2][CQ_MOST_STATE_COLUMNS];
  cq_table *const tables[2] = {&keys->start_state, &keys->start_means};
  int n[2] = {0, 0};
  keys->start_means = (cq_table){0};
  CQ_TRY(cq_start_columns(scene, columns[0], &n[0]));
  cq_start_mean_columns(scene, columns[1], &n[1]);
  for (int i = 0; i < 2; i++) {
    const cq_csv_form form = {.number = -1, .part = CQ_MEANS_PART, .behind = i == 1};
    CQ_TRY(cq_csv_read_form(&scene->arena, keys->node, "start_file", scene->folder,
                            scene->model.dim, columns[i], n[i], &form, tables[i]));
  }
  CQ_TRY(
      cq_config_inline(&scene->arena, keys->node, "start_file", "start_state", &keys->start_state));
  if (n[1] == 0) {
    return CQ_OK;
  }
  CQ_TRY(cq_config_inline(&scene->arena, keys->node, NULL, "start_means", &keys->start_means));
  const cq_node *const from = cq_node_find(keys->node, "start_state");
  cq_node *const means = cq_node_find(keys->node, "start_means");
  means->was = from->was;
  means->origin = from->origin;
  means->line = from->line;
  return CQ_OK;
}

/* They go to the model, and the engine's part knows what they must be. */
static cq_status take_means(cq_scene *scene) {
  const cq_simulation_keys *const keys = &scene->config.simulation;
  const cq_engine_type *const type = cq_engine_type_of(scene->model.engine);
  const cq_table *const means = &keys->start_means;
  CQ_KEY_CHECK(scene->ctx, means->rows == 0 || keys->start_state.rows > 0, keys, start_means,
               "is of a start_state, and there is none");
  CQ_KEY_CHECK(scene->ctx, means->rows == 0 || means->columns == type->n_means, keys, start_means,
               type->n_means > 0 ? "a row has %d numbers, as `cqopt export --state` writes them"
                                 : "this engine has none; leave it out",
               type->n_means);
  scene->model.n_means = means->rows;
  scene->model.means = means->values;
  return CQ_OK;
}

static cq_status check_table(const cq_scene *scene, int columns) {
  const cq_simulation_keys *const keys = &scene->config.simulation;
  const cq_table *const state = &keys->start_state;
  CQ_KEY_CHECK(scene->ctx, state->columns == columns, keys, start_state,
               "a row has %d numbers, as `cqopt export --state` writes them", columns);
  CQ_KEY_CHECK(scene->ctx, state->rows == scene->model.n_particles, keys, start_state,
               "is the state of %d particles, and the scene has %d; take one of the same bodies",
               state->rows, scene->model.n_particles);
  CQ_KEY_CHECK(scene->ctx, !cq_start_has_rigid(scene), keys, start_state,
               "says nothing of rigid bodies: leave them or it out");
  return CQ_OK;
}

cq_status cq_start_read(cq_scene *scene, double *inputs) {
  cq_simulation_keys *const keys = &scene->config.simulation;
  int columns = 0;
  if (keys->start_file != NULL) {
    CQ_TRY(read_file(scene, keys));
  }
  CQ_TRY(take_means(scene));
  if (keys->start_state.rows == 0) {
    return CQ_OK;
  }
  for (int b = 0; b < scene->layout.n_states; b++) {
    columns += scene->layout.inputs[b].numbers[scene->model.dim - 2];
  }
  CQ_TRY(check_table(scene, columns));
  const double *value = keys->start_state.values;
  for (size_t p = 0; p < (size_t)scene->model.n_particles; p++) {
    for (int b = 0; b < scene->layout.n_states; b++) {
      size_t n = 0;
      const size_t at = cq_start_place(scene, b, p, &n);
      memcpy(inputs + at, value, n * sizeof *value);
      value += n;
    }
  }
  return CQ_OK;
}

cq_status cq_start_check(const cq_scene *scene) {
  const cq_simulation_keys *const keys = &scene->config.simulation;
  for (int b = 0; b < scene->design.poses.count; b++) {
    const cq_pose *const pose = &scene->design.poses.poses[b];
    CQ_KEY_CHECK(scene->ctx,
                 keys->start_state.rows == 0 ||
                     !(pose->places || pose->turns || pose->resizes || pose->moves),
                 keys, start_state,
                 "says where the body \"%s\" begins and how it moves: its place, size or velocity "
                 "cannot be designed as well",
                 scene->bodies[b].keys->name);
  }
  return CQ_OK;
}
