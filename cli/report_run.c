/* The data of a run for its page. */
#include "report.h"

#include "alloc.h"
#include "folder.h"
#include "open.h"
#include "run_read.h"
#include "status.h"
#include "warnings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_VARIABLES = 20000,
  MOST_LABELS = 400,
  MOST_WEIGHTS = 8000,
  MOST_TEXT = 200000,
  MOST_LINES = 200
};

/* --- what was asked for --- */

/* Of the problem and the method, what the page names. */
static void put_settings(const cq_scene *scene, cq_json *json) {
  const cq_scene_info info = cq_scene_information(scene);
  const cq_optimizer_def *const def = cq_scene_optimizer(scene);
  cq_json_open(json, "settings", '{');
  cq_json_count(json, "dimension", info.dimension);
  cq_json_count(json, "bits", info.bits);
  cq_json_count(json, "particles", info.particles);
  cq_json_count(json, "steps", info.steps);
  cq_json_number(json, "time_step", info.time_step);
  cq_json_text(json, "optimizer", def->name);
  cq_json_count(json, "max_evaluations", def->max_evaluations);
  cq_json_number(json, "target", def->target);
  cq_json_number(json, "constraint_tolerance", def->constraint_tolerance);
  cq_json_number(json, "optimality_tolerance", def->optimality_tolerance);
  cq_json_shut(json, '{');
}

/* One of the three designs, by the values it had. */
static void put_design(const cq_scene *scene, const cli_evals *e, const char *name,
                       const cli_design *d, cq_json *json) {
  cq_json_open(json, name, '{');
  cq_json_count(json, "evaluation", d->index);
  if (d->index > 0) {
    cq_json_text(json, "status", cq_status_name(d->status));
    cq_json_number(json, "f", d->f);
    cq_json_numbers(json, "terms", d->terms, e->n_terms);
    cq_json_numbers(json, "scenarios", d->own, e->n_scenarios * e->n_terms);
    cq_json_open(json, "constraints", '[');
    for (int i = 0; i < e->n_constraints; i++) {
      cq_json_number(json, NULL, cq_scene_constraint(scene, i, d->c[i]).value);
    }
    cq_json_shut(json, '[');
  }
  cq_json_shut(json, '{');
}

/* what each of them sets; the record has their values */
static cq_status put_scenarios(const cq_scene *scene, const cli_evals *e, cq_json *json) {
  char settings[400];
  cq_status status = CQ_OK;
  const int count = cq_scene_scenarios(scene).count;
  cq_json_open(json, "scenarios", '[');
  for (int k = 0; k < e->n_scenarios && k < count && status == CQ_OK; k++) {
    status = cq_scene_scenario_settings(scene, k, settings, sizeof settings);
    cq_json_text(json, NULL, settings);
  }
  cq_json_shut(json, '[');
  return status;
}

/* What terms and constraints are called, with the bounds of the latter. */
static void put_functions(const cq_scene *scene, const cli_evals *e, cq_json *json) {
  cq_json_open(json, "terms", '[');
  for (int i = 0; i < e->n_terms; i++) {
    cq_json_text(json, NULL, cq_scene_term_label(scene, i));
  }
  cq_json_shut(json, '[');
  cq_json_open(json, "constraints", '[');
  for (int i = 0; i < e->n_constraints; i++) {
    const cq_constraint_info info = cq_scene_constraint(scene, i, e->best.c[i]);
    cq_json_open(json, NULL, '{');
    cq_json_text(json, "label", cq_scene_constraint_label(scene, i));
    cq_json_text(json, "relation", info.relation);
    cq_json_number(json, "bound", info.bound);
    cq_json_number(json, "c", e->best.index > 0 ? e->best.c[i] : NAN);
    cq_json_shut(json, '{');
  }
  cq_json_shut(json, '[');
}

/* --- the design --- */

/* change of the objective for a typical change of variable i */
static double slope(const cq_scene *scene, const cli_design *d, int i) {
  const double *const scale = cq_scene_problem(scene)->scale;
  return d->has_gradient ? d->gradient[i] * (scale != NULL ? scale[i] : 1.0) : NAN;
}

typedef double (*value_fn)(const cli_report_run *run, int i);
static double value_first(const cli_report_run *run, int i) {
  return cq_scene_user_value(run->scene, i, run->evals->first.x[i]);
}
static double value_best(const cli_report_run *run, int i) {
  return run->evals->best.index > 0 ? cq_scene_user_value(run->scene, i, run->evals->best.x[i])
                                    : NAN;
}
static double value_last(const cli_report_run *run, int i) {
  return cq_scene_user_value(run->scene, i, run->evals->last.x[i]);
}
static double value_lower(const cli_report_run *run, int i) {
  return cq_scene_variable(run->scene, i).lower;
}
static double value_upper(const cli_report_run *run, int i) {
  return cq_scene_variable(run->scene, i).upper;
}
static double value_slope(const cli_report_run *run, int i) {
  return run->evals->best.index > 0 ? slope(run->scene, &run->evals->best, i) : NAN;
}

static const struct {
  const char *name;
  value_fn of;
} columns[] = {{"first", value_first}, {"best", value_best},   {"last", value_last},
               {"lower", value_lower}, {"upper", value_upper}, {"slope", value_slope}};

/* those of weights say where they are in their tables */
static void put_labels(const cli_report_run *run, const cq_block_info *block, cq_json *json) {
  const bool weights = strcmp(block->variable, "controller") == 0;
  const int most = weights ? MOST_WEIGHTS / run->share : MOST_LABELS;
  cq_json_open(json, "labels", '[');
  for (int j = 0; j < block->count && block->count <= most; j++) {
    char label[128];
    cq_scene_variable_label(run->scene, block->first + j, label, sizeof label);
    cq_json_text(json, NULL, label);
  }
  cq_json_shut(json, '[');
}

/* Values and slopes at the particles of the film. */
static cq_status put_map(const cli_report_run *run, int i, double *work, cq_json *json) {
  const cq_motion_def *const def = &run->motion->def;
  const cli_evals *const e = run->evals;
  const int n = def->n_kept;
  double *const values = work, *const slopes = work + n, *const gradient = work + 2 * n;
  for (int j = 0; j < e->n; j++) {
    gradient[j] = e->best.has_gradient ? slope(run->scene, &e->best, j) : 0.0;
  }
  cq_json_open(json, "map", '{');
  CQ_TRY(cq_scene_block_map(run->scene, i, e->first.x, NULL, n, def->particle, values, NULL));
  cq_json_short(json, "first", values, n);
  if (e->best.index > 0) {
    CQ_TRY(
        cq_scene_block_map(run->scene, i, e->best.x, gradient, n, def->particle, values, slopes));
    cq_json_short(json, "best", values, n);
    cq_json_short(json, "slope", slopes, e->best.has_gradient ? n : 0);
  }
  cq_json_shut(json, '{');
  return CQ_OK;
}

/* A block's variables at the three designs, thinned where they are many, and a map where they are
 * spread over particles. */
static cq_status put_block(const cli_report_run *run, int i, double *work, cq_json *json) {
  const cq_block_info block = cq_scene_block(run->scene, i);
  const int every = 1 + (run->evals->n - 1) / (MOST_VARIABLES / run->share);
  cq_status status = CQ_OK;
  cq_json_open(json, NULL, '{');
  cq_json_text(json, "name", block.name);
  cq_json_text(json, "unit", block.unit);
  cq_json_text(json, "variable", block.variable);
  cq_json_count(json, "count", block.count);
  cq_json_count(json, "components", block.components);
  cq_json_count(json, "every", every);
  cq_json_number(json, "row_seconds", block.row_seconds);
  put_labels(run, &block, json);
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
    int count = 0;
    for (int j = 0; j < block.count; j += every) {
      work[count++] = columns[c].of(run, block.first + j);
    }
    cq_json_short(json, columns[c].name, work, count);
  }
  if (block.of_particles && block.count > block.components && run->motion != NULL) {
    status = put_map(run, i, work, json);
  }
  cq_json_shut(json, '{');
  return status;
}

static cq_status put_blocks(cq_ctx *ctx, const cli_report_run *run, cq_json *json) {
  const int kept = run->motion != NULL ? run->motion->def.n_kept : 0;
  double *work = NULL;
  CQ_TRY(CQ_ALLOC(ctx, work, (size_t)run->evals->n + 2 * (size_t)kept));
  cq_status status = CQ_OK;
  cq_json_open(json, "blocks", '[');
  for (int i = 0; i < cq_scene_block_count(run->scene) && status == CQ_OK; i++) {
    status = put_block(run, i, work, json);
  }
  cq_json_shut(json, '[');
  cq_free(ctx, work);
  return status;
}

/* --- the scene --- */

static void put_drawing(void *user, const cq_drawing *d) {
  static const char *const forms[] = {"line", "polygon", "ball", "point", "plane"};
  cq_json *const json = user;
  cq_json_open(json, NULL, '{');
  cq_json_text(json, "form", forms[d->form]);
  cq_json_text(json, "role", d->role);
  cq_json_text(json, "name", d->name);
  cq_json_short(json, "points", (const double *)d->points, 3 * d->n);
  cq_json_number(json, "radius", d->radius);
  cq_json_number(json, "time", d->time);
  if (d->moves) {
    cq_json_raw(json, "moves", "true");
  }
  cq_json_shut(json, '{');
}

void cli_report_json_drawings(const cq_scene *scene, cq_json *json) {
  cq_json_open(json, "drawings", '[');
  cq_scene_draw(scene, put_drawing, json);
  cq_json_shut(json, '[');
}

/* --- files of the folder --- */

/* A text file, or its first `most` bytes; "" when it is not there. By malloc. */
static char *read_text(const char *folder, const char *name, size_t most) {
  char path[CLI_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *const text = calloc(most + 64, 1);
  FILE *const file = cq_open_read(path);
  const size_t length = text != NULL && file != NULL ? fread(text, 1, most, file) : 0;
  if (text != NULL && length == most) {
    snprintf(text + length, 64, "\n... the rest is in %s\n", name);
  }
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

typedef struct warned {
  cq_json *json;
  int count;
} warned;

static void put_warning(void *user, const char *line) {
  warned *const w = user;
  if (w->count++ < MOST_LINES) {
    cq_json_text(w->json, NULL, line);
  }
}

static void put_warnings(const char *folder, cq_json *json) {
  warned w = {.json = json};
  cq_json_open(json, "warnings", '[');
  cli_warnings_read(folder, put_warning, &w);
  cq_json_shut(json, '[');
}

static cq_status put_files(cq_ctx *ctx, const cli_report_run *run, cq_json *json) {
  char *record = NULL;
  CQ_TRY(cli_run_read(ctx, run->folder, &record));
  char *const problem = read_text(run->folder, "problem.cfg", MOST_TEXT / (size_t)run->share);
  cq_json_raw(json, "run", record);
  cq_json_text(json, "problem", problem != NULL ? problem : "");
  put_warnings(run->folder, json);
  free(problem);
  free(record);
  return CQ_OK;
}

/* All that the page's scripts know of a run. */
cq_status cli_report_json(cq_ctx *ctx, const cli_report_run *run, int number, cq_json *json) {
  char motion[32] = "";
  if (run->json != NULL) {
    cq_json_raw(json, NULL, run->json);
    return CQ_OK;
  }
  if (run->motion != NULL) {
    snprintf(motion, sizeof motion, "motion-%d", number);
  }
  cq_json_open(json, NULL, '{');
  cq_json_text(json, "name", run->name);
  cq_json_text(json, "folder", run->folder);
  cq_json_text(json, "motion", motion);
  CQ_TRY(put_files(ctx, run, json));
  put_settings(run->scene, json);
  put_functions(run->scene, run->evals, json);
  CQ_TRY(put_scenarios(run->scene, run->evals, json));
  put_design(run->scene, run->evals, "first", &run->evals->first, json);
  put_design(run->scene, run->evals, "best", &run->evals->best, json);
  put_design(run->scene, run->evals, "last", &run->evals->last, json);
  CQ_TRY(cli_evals_json(run->evals, run->share, json));
  CQ_TRY(put_blocks(ctx, run, json));
  cli_report_json_drawings(run->scene, json);
  cq_json_shut(json, '{');
  return CQ_OK;
}
