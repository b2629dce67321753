/* cqopt study: a problem solved with many settings: a grid, samples or the rows of a table. */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "batch_folder.h"
#include "nearest.h"
#include "plural.h"
#include "report.h"
#include "seed_starts.h"
#include "sqlite.h"
#include "status.h"
#include "study.h"
#include "style.h"
#include "title.h"

#include <stdlib.h>
#include <string.h>

enum { N_FACTS = 8 };

typedef struct studying {
  cq_ctx *ctx;
  const cli_options *options;
  cq_file *file; /* with --set */
  cq_scene *scene;
  long long first_seed;
  cli_plan plan;
  char described[CLI_FACT]; /* the plan, for the record */
  double *tolerances;       /* [cells] */
  cli_unit unit;            /* of the budget */
  cli_study study;
  cli_batch_folder folder;
  cli_fact facts[N_FACTS];
  int n_facts;
} studying;

static cq_status make_plan(studying *s) {
  const cli_options *const o = s->options;
  const cli_plan_def def = {.vary = o->vary,
                            .n_vary = o->n_vary,
                            .plan = o->plan,
                            .samples = o->samples,
                            .seed = (uint64_t)s->first_seed};
  CQ_TRY(cli_plan_make(s->ctx, &def, &s->plan));
  cli_plan_describe(&def, &s->plan, s->described, sizeof s->described);
  return CQ_OK;
}

static cq_status find_axis(studying *s) {
  const cli_plan *const plan = &s->plan;
  const char *const wanted = s->options->axis != NULL ? s->options->axis : plan->factors[0].key;
  cq_nearest nearest = cq_nearest_begin(wanted);
  s->study.axis = -1;
  for (int k = 0; k < plan->n_factors; k++) {
    cq_nearest_offer(&nearest, plan->factors[k].key);
    s->study.axis = strcmp(plan->factors[k].key, wanted) == 0 ? k : s->study.axis;
  }
  CQ_CHECK(s->ctx, s->study.axis >= 0, CQ_USAGE, "--axis: \"%s\" does not vary; %s", wanted,
           cq_nearest_text(&nearest));
  return CQ_OK;
}

static void add_fact(studying *s, const char *name, const char *words, const char *value) {
  cli_fact *const fact = &s->facts[s->n_facts++];
  *fact = (cli_fact){.name = name, .words = words};
  snprintf(fact->value, sizeof fact->value, "%s", value);
}

static cq_status make_facts(studying *s) {
  char text[CLI_FACT];
  CQ_TRY(cli_fact_problem(s->file, &s->facts[s->n_facts++]));
  add_fact(s, "axes", "the axes", s->described);
  snprintf(text, sizeof text, "%lld", s->first_seed);
  add_fact(s, "first_seed", "the first seed", text);
  snprintf(text, sizeof text, "%d", s->study.seeds);
  add_fact(s, "seeds", NULL, text);
  return CQ_OK;
}

/* A run for each cell and seed: all cells of a seed come first, so that a study that is stopped has
 * some of each. */
static cq_status make_runs(studying *s) {
  cli_study *const k = &s->study;
  k->batch = (cli_batch){.ctx = s->ctx,
                         .folder = &s->folder.folder,
                         .quiet = s->options->quiet,
                         .varied_files = true,
                         .share = &s->folder.share,
                         .budget = s->options->budget,
                         .unit = s->unit,
                         .count = s->plan.cells.count * k->seeds};
  CQ_TRY(CQ_ALLOC(s->ctx, k->batch.runs, k->batch.count));
  CQ_TRY(CQ_ALLOC(s->ctx, s->tolerances, s->plan.cells.count));
  for (int i = 0; i < k->batch.count; i++) {
    cli_batch_run *const run = &k->batch.runs[i];
    run->variant = &s->plan.cells.items[i % s->plan.cells.count];
    run->seed = s->first_seed + i / s->plan.cells.count;
    snprintf(run->problem, sizeof run->problem, "problems/%s.cfg", run->variant->folder);
    snprintf(run->start, sizeof run->start, "starts/%s-seed-%02lld.csv", run->variant->folder,
             run->seed);
    cli_batch_name(run);
  }
  cli_batch_share(&k->batch, s->options->workers);
  cli_solve_share_memory(s->scene, k->batch.workers, k->batch.memory);
  return CQ_OK;
}

static const char *problem_of(const studying *s, int cell) {
  const char *const own = cli_variant_problem(&s->plan.cells.items[cell]);
  return own != NULL ? own : s->options->argument;
}

/* The scene of a cell, which a solve would take. */
static cq_status load_cell(const studying *s, int cell, cq_file **file) {
  const char **sets = NULL;
  int n = 0;
  CQ_TRY(cli_variant_sets(s->ctx, s->options, &s->plan.cells.items[cell], NULL, 0, &sets, &n));
  cq_status status = cq_file_load(s->ctx, problem_of(s, cell), sets, n, file);
  const cq_scene *const scene = cq_file_scene(*file);
  status = status == CQ_OK ? cli_session_want_design(s->ctx, scene) : status;
  status = status == CQ_OK
               ? cq_optimizer_accepts(s->ctx, cq_scene_optimizer(scene), cq_scene_problem(scene))
               : status;
  cq_free(s->ctx, sets);
  return status;
}

/* says of which cell an error is */
static cq_status name_cell(const studying *s, int cell, cq_status status) {
  char text[1024];
  snprintf(text, sizeof text, "%s", cq_ctx_error(s->ctx));
  cq_ctx_clear_error(s->ctx);
  return CQ_FAIL(s->ctx, status, "with %s: %s", s->plan.cells.items[cell].label, text);
}

/* Every cell is a problem that can be solved, or nothing is begun. */
static cq_status check_cells(studying *s) {
  const uint64_t seed = cq_ctx_seed(s->ctx);
  for (int cell = 0; cell < s->plan.cells.count; cell++) {
    cq_file *file = NULL;
    cli_folder_deafen(&s->folder.folder, cell > 0); /* the same warnings, again and again */
    const cq_status status = load_cell(s, cell, &file);
    cq_file_destroy(file);
    cq_ctx_set_seed(s->ctx, seed);
    if (status != CQ_OK) {
      return name_cell(s, cell, status);
    }
  }
  return CQ_OK;
}

/* The starts of a cell: its bounds may be others than those of its neighbours. */
static cq_status write_starts(studying *s, int cell, const cq_scene *scene) {
  const size_t n = (size_t)cq_scene_problem(scene)->n;
  const cli_study *const k = &s->study;
  const char **sets = NULL;
  double *x = NULL;
  bool by_seed = false;
  int n_sets = 0;
  CQ_TRY(cli_variant_sets(s->ctx, s->options, &s->plan.cells.items[cell], NULL, 0, &sets, &n_sets));
  cq_status status = CQ_ALLOC(s->ctx, x, (size_t)k->seeds * n);
  status = status == CQ_OK ? cli_seed_starts(s->ctx, problem_of(s, cell), sets, n_sets, scene,
                                             k->seeds, x, &by_seed)
                           : status;
  for (int i = 0; i < k->seeds && status == CQ_OK; i++) {
    status = cli_batch_folder_start(&s->folder, k->batch.runs[cli_study_run(k, cell, i)].start,
                                    scene, x + (size_t)i * n);
  }
  cq_free(s->ctx, x);
  cq_free(s->ctx, sets);
  return status;
}

/* Particle-steps, as far as they are known before. */
static void note_work(cli_study *k, int cell, const cq_scene *scene) {
  const cq_scene_info info = cq_scene_information(scene);
  const double evaluations = cq_scene_optimizer(scene)->max_evaluations;
  for (int seed = 0; seed < k->seeds; seed++) {
    k->batch.runs[cli_study_run(k, cell, seed)].work =
        evaluations * info.particles * (double)info.steps;
  }
}

static cq_status write_cell(studying *s, int cell) {
  cq_file *file = NULL;
  cq_status status = load_cell(s, cell, &file);
  const cq_scene *const scene = cq_file_scene(file);
  if (status == CQ_OK) {
    s->tolerances[cell] = cq_scene_optimizer(scene)->constraint_tolerance;
    status = cli_batch_folder_problem(&s->folder, s->study.batch.runs[cell].problem, file);
    note_work(&s->study, cell, scene);
  }
  status = status == CQ_OK ? write_starts(s, cell, scene) : status;
  cq_file_destroy(file);
  return status;
}

/* The folder with every problem and start in it, before the first run. */
static cq_status begin(studying *s) {
  static const char *const folders[] = {"problems", "starts", "runs"};
  CQ_TRY(cli_batch_folder_open(&s->folder));
  CQ_TRY(make_facts(s));
  CQ_TRY(cli_batch_folder_check(&s->folder, s->facts, s->n_facts));
  CQ_TRY(cli_batch_folder_write(&s->folder, s->facts, s->n_facts, "running"));
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    CQ_TRY(cli_folder_make(&s->folder.folder, folders[i]));
  }
  CQ_TRY(make_runs(s));
  cli_folder_deafen(&s->folder.folder, true);
  for (int cell = 0; cell < s->plan.cells.count; cell++) {
    CQ_TRY(write_cell(s, cell));
    cq_ctx_set_seed(s->ctx, (uint64_t)s->first_seed);
  }
  cli_folder_deafen(&s->folder.folder, false);
  return CQ_OK;
}

/* How many runs there are, and where, for whoever waits. */
static void say_begin(const studying *s, int ended) {
  const cli_batch *const batch = &s->study.batch;
  if (!s->options->quiet) {
    char text[CLI_PATH + 512];
    snprintf(text, sizeof text,
             "%s: %d setting%s from %d start%s, %d at a time with %d thread%s, in %s\n",
             cq_scene_name(s->scene), s->plan.cells.count, cq_plural(s->plan.cells.count),
             s->study.seeds, cq_plural(s->study.seeds), batch->workers, batch->threads,
             cq_plural(batch->threads), s->folder.folder.path);
    cli_style_wrap(stdout, 4, text);
    if (ended > 0) {
      printf("%d of %d run%s were done before.\n", ended, batch->count, cq_plural(batch->count));
    }
    fflush(stdout);
  }
}

static cq_status report(studying *s) {
  static const char *const tables[] = {"runs.csv", "study.csv"};
  cli_folder *const folder = &s->folder.folder;
  CQ_TRY(cli_folder_write(folder, "study.csv", cli_study_write_table, &s->study));
  CQ_TRY(cli_folder_write(folder, "runs.csv", cli_study_write_runs, &s->study));
  CQ_TRY(cli_sqlite_write(folder, "study.sqlite", tables, sizeof tables / sizeof tables[0]));
  cli_plot_study(&s->study, folder->path);
  CQ_TRY(cli_report_batch_ended(s->ctx, folder->path));
  return cli_style_report(s->ctx, folder, s->options->quiet, cli_study_print, &s->study);
}

/* Options that cannot be are refused before a folder is made. */
static cq_status prepare(studying *s) {
  const cli_options *const o = s->options;
  CQ_TRY(cli_share_read(s->ctx, o, &s->folder.share));
  s->study.ctx = s->ctx;
  s->study.plan = &s->plan;
  s->study.seeds = o->seeds > 0 ? o->seeds : 1;
  CQ_TRY(cli_batch_first_seed(s->ctx, s->study.seeds, &s->first_seed));
  CQ_TRY(cli_unit_find(s->ctx, o->budget_in, &s->unit));
  CQ_TRY(make_plan(s));
  CQ_TRY(find_axis(s));
  CQ_TRY(check_cells(s));
  CQ_TRY(cq_file_load(s->ctx, o->argument, o->sets, o->n_sets, &s->file));
  s->scene = cq_file_scene(s->file);
  s->folder.scene = s->scene;
  s->study.title = cli_title_of(s->scene);
  return cli_study_want(&s->study, o->metrics, o->n_metrics, s->scene);
}

/* From the options to the tables; what a folder has already is not run again. */
static cq_status run(studying *s) {
  CQ_TRY(prepare(s));
  CQ_TRY(begin(s));
  s->study.tolerances = s->tolerances;
  say_begin(s, cli_batch_read(&s->study.batch));
  CQ_TRY(cli_batch_finish(&s->study.batch));
  const bool open = cli_batch_open_runs(&s->study.batch) > 0;
  if (open && s->folder.share.of > 0) {
    cli_batch_say_open(&s->study.batch, "study");
    return CQ_OK;
  }
  if (!cli_batch_folder_makes_tables(&s->folder)) {
    return CQ_OK;
  }
  CQ_TRY(cli_study_read_columns(&s->study));
  CQ_TRY(report(s));
  CQ_TRY(cli_batch_folder_write(&s->folder, s->facts, s->n_facts,
                                open && s->folder.share.collects ? "running" : "OK"));
  if (s->options->quiet) {
    cli_study_print_outcome(&s->study, cq_scene_name(s->scene));
  }
  return CQ_OK;
}

static void free_all(studying *s) {
  cli_plan_free(s->ctx, &s->plan);
  cq_free(s->ctx, s->tolerances);
  cq_free(s->ctx, s->study.batch.runs);
  cq_free(s->ctx, s->study.wanted);
  cq_free(s->ctx, s->study.columns);
  cq_file_destroy(s->file);
}

cq_status cmd_study(cq_ctx *ctx, const cli_options *options) {
  studying s = {
      .ctx = ctx,
      .options = options,
      .folder = {.command = "study", .options = options, .share = {.claims = -1}, .lock = -1}};
  cli_folder_listen(ctx, options->quiet, &s.folder.folder);
  const cq_status status = cli_batch_folder_close(&s.folder, run(&s));
  free_all(&s);
  return status;
}
