/* A table of controls as parameters; the block `actuation` designs it. */
#include "open_loop.h"
#include "export.h"
#include "status.h"

static cq_status configure(cq_scene *scene, cq_controller *controller) {
  const cq_controller_keys *keys = &scene->config.controller;
  const int n = controller->n_controls, steps = scene->config.simulation.steps;
  controller->joined = keys->interpolation; /* in the order of open_loop_joined */
  /* as many in smaller steps of the same time, where hold is larger */
  const long long rows =
      ((long long)steps + keys->hold - 1) / keys->hold + (controller->joined == OPEN_LOOP_LINEAR);
  CQ_KEY_CHECK(scene->ctx, rows * n < INT32_MAX, keys, hold, "%lld controls are too many",
               rows * n);
  controller->hold = keys->hold;
  controller->n_parameters = (int)rows * n;
  return CQ_OK;
}

static int rows_of(const cq_controller *c) {
  return c->n_parameters / c->n_controls;
}

/* The slope as open_loop.h has it. Beyond the table the spline ends. */
static void write_path(const cq_controller *c, FILE *out) {
  const int n = c->n_controls, hold = c->hold;
  fprintf(out, "  const int row = step / %d < %d ? step / %d : %d;\n", hold, rows_of(c), hold,
          rows_of(c));
  fprintf(out, "  const double span = %d * %.17g, along = (step %% %d + 0.5) / %d;\n", hold, c->dt,
          hold, hold);
  fputs("  const double slope[] = {-(1.0 - along) / span, (1.0 - 2.0 * along) / span, along / "
        "span};\n",
        out);
  fprintf(out, "  for (int i = 0; i < %d; i++) {\n", n);
  fprintf(out, "    u[i] = row < %d ? slope[2] * table[%d * row + i] : 0.0;\n", rows_of(c), n);
  fprintf(out, "    for (int k = 1; k <= 2 && row >= k && row < %d; k++) {\n", rows_of(c));
  fprintf(out, "      u[i] = u[i] + slope[2 - k] * table[%d * (row - k) + i];\n    }\n  }\n", n);
}

/* Beyond the table its last row is held. */
static void write_c(const cq_scene *scene, const double *theta, FILE *out) {
  const cq_controller *c = &scene->model.controller;
  const int n = c->n_controls, last = rows_of(c) - 1;
  cq_export_array(out, "table", theta, c->n_parameters);
  cq_export_head(scene, out);
  if (c->joined == OPEN_LOOP_PATH) {
    write_path(c, out);
    return;
  }
  fprintf(out, "  const int row = step / %d < %d ? step / %d : %d;\n", c->hold, last, c->hold,
          last);
  if (c->joined) {
    fprintf(out, "  const double share = row < %d ? (double)(step %% %d) / %d : 0.0;\n", last,
            c->hold, c->hold);
  }
  fprintf(out, "  const double *now = table + %d * row;\n", n);
  fprintf(out, "  for (int i = 0; i < %d; i++) {\n    u[i] = now[i];\n", n);
  if (c->joined) {
    fputs("    if (share > 0.0) {\n", out);
    fprintf(out, "      u[i] = u[i] + share * (now[%d + i] - now[i]);\n    }\n", n);
  }
  fputs("  }\n", out);
}

static void write_json(const cq_scene *scene, const double *theta, cq_json *json) {
  static const char *const joined[] = {
      [OPEN_LOOP_HELD] = "hold", [OPEN_LOOP_LINEAR] = "linear", [OPEN_LOOP_PATH] = "path"};
  const cq_controller *c = &scene->model.controller;
  cq_json_number(json, "row_seconds", c->hold * c->dt);
  cq_json_text(json, "interpolation", joined[c->joined]);
  cq_json_open(json, "table", '[');
  for (int r = 0; r < rows_of(c); r++) {
    cq_json_numbers(json, NULL, theta + r * c->n_controls, c->n_controls);
  }
  cq_json_shut(json, '[');
}

const cq_controller_type cq_controller_open_loop = {
    .configure = configure, .write_c = write_c, .write_json = write_json};
