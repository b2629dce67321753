/* cqopt compare: several methods on one problem, from the same starts, on the same budget. */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "batch_folder.h"
#include "compare_settings.h"
#include "gradient_cost.h"
#include "nearest.h"
#include "plural.h"
#include "report.h"
#include "seed_starts.h"
#include "sqlite.h"
#include "status.h"
#include "style.h"
#include "title.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SEEDS = 10, N_FACTS = 8 };

typedef struct comparing {
  cq_ctx *ctx;
  const cli_options *options;
  cq_file *file;
  cq_scene *scene; /* of the file */
  cli_variants methods;
  cli_compare compare;
  cli_batch_folder folder;
  cli_fact facts[N_FACTS];
  int n_facts;
  cli_compare_settings settings;
  double *x; /* [seeds][n] the starts */
  bool by_seed;
} comparing;

/* What is counted, how much of it a run may spend, and by which methods. */
static cq_status read_options(comparing *c) {
  const cli_options *const o = c->options;
  cli_unit unit = CLI_SIMULATIONS;
  CQ_TRY(cli_unit_find(c->ctx, o->budget_in, &unit));
  CQ_CHECK(
      c->ctx, o->with != NULL, CQ_USAGE,
      "'cqopt compare' wants methods: --with LD_SLSQP,adam; 'cqopt list optimizers' names them");
  CQ_CHECK(c->ctx, o->budget > 0, CQ_USAGE,
           "'cqopt compare' wants what each run may spend: "
           "--budget 500");
  CQ_CHECK(c->ctx, unit != CLI_EVALUATIONS || o->budget == floor(o->budget), CQ_USAGE,
           "--budget %g: evaluations are a whole number", o->budget);
  c->compare.counted =
      (cli_curve_def){.unit = unit, .budget = o->budget, .gradient_cost = o->gradient_cost};
  c->compare.optimum = NAN;
  c->compare.share = 0.01;
  c->compare.ctx = c->ctx;
  c->compare.seeds = o->seeds > 0 ? o->seeds : DEFAULT_SEEDS;
  c->compare.methods = &c->methods;
  return cli_methods_parse(c->ctx, o->with, &c->methods);
}

/* The scene of this process is measured with as many threads as the runs have. */
static void share(comparing *c) {
  cli_batch *const batch = &c->compare.batch;
  *batch = (cli_batch){.ctx = c->ctx,
                       .folder = &c->folder.folder,
                       .share = &c->folder.share,
                       .quiet = c->options->quiet,
                       .sets = c->settings.sets,
                       .count = c->methods.count * c->compare.seeds};
  cli_batch_share(batch, c->options->workers);
  cq_ctx_set_threads(c->ctx, batch->threads);
}

static void make_settings(comparing *c) {
  cli_compare_settings_make(&c->compare.counted,
                            c->options->has_target ? &c->options->target : NULL, &c->settings);
}

static cq_status load(comparing *c) {
  const cli_options *const o = c->options;
  if (c->compare.counted.gradient_cost <= 0) {
    c->compare.counted.gradient_cost = 1; /* till it is known */
  }
  make_settings(c);
  cli_folder_deafen(&c->folder.folder, true); /* the same warnings, again and again */
  CQ_TRY(cli_compare_settings_check(c->ctx, o, &c->methods, &c->settings));
  cli_folder_deafen(&c->folder.folder, false);
  CQ_TRY(cq_file_load(c->ctx, o->argument, o->sets, o->n_sets, &c->file));
  c->scene = cq_file_scene(c->file);
  CQ_TRY(cli_session_want_design(c->ctx, c->scene));
  CQ_CHECK(c->ctx, cq_scene_problem(c->scene)->draw == NULL, CQ_CONFIG,
           "%s takes other samples at every evaluation, and their values do not compare; set "
           "scenarios.combine = \"mean\"",
           cq_scene_name(c->scene));
  const cq_optimizer_def *const def = cq_scene_optimizer(c->scene);
  CQ_TRY(cli_batch_first_seed(c->ctx, c->compare.seeds, &c->compare.first_seed));
  c->compare.n = cq_scene_problem(c->scene)->n;
  c->compare.title = cli_title_of(c->scene);
  c->compare.counted.constraint_tolerance = def->constraint_tolerance;
  c->compare.target = o->has_target ? o->target : def->target;
  c->compare.aim = o->has_target              ? "--target"
                   : isnan(c->compare.target) ? "best of all runs + 1 % of the gap at the start"
                                              : "of the problem file";
  return CQ_OK;
}

/* As it was given, or as it was measured when the folder was new, or measured now. */
static cq_status take_gradient_cost(comparing *c) {
  cli_curve_def *const counted = &c->compare.counted;
  char recorded[CLI_FACT] = "";
  double seconds = NAN;
  if (c->options->gradient_cost > 0) {
    counted->gradient_cost = c->options->gradient_cost;
  } else if (cli_batch_folder_fact(&c->folder, "gradient_cost", recorded) &&
             strtod(recorded, NULL) >= 1) {
    counted->gradient_cost = strtod(recorded, NULL);
  } else if (cli_compare_needs_gradient(&c->methods)) {
    CQ_TRY(cli_gradient_cost_measure(c->ctx, cq_scene_problem(c->scene), &counted->gradient_cost,
                                     &seconds));
  } else {
    return CQ_OK; /* stays unknown, for those that may be added */
  }
  if (!c->options->quiet) {
    const cq_gradient_kind kind = cq_scene_problem(c->scene)->gradient;
    const bool exact = kind == CQ_GRADIENT_EXACT_REVERSE;
    char text[256];
    int used = snprintf(text, sizeof text, "A value with its %s%sgradient costs %g forward run%s",
                        exact ? "" : cq_gradient_kind_name(kind), exact ? "" : " ",
                        counted->gradient_cost, cq_plural(counted->gradient_cost));
    if (!isnan(seconds)) {
      used += snprintf(text + used, sizeof text - (size_t)used,
                       " (measured; one takes %.3g s of processor time)", seconds);
    }
    snprintf(text + used, sizeof text - (size_t)used, ".\n");
    cli_style_wrap(stdout, 0, text);
  }
  return CQ_OK;
}

static void add_fact(comparing *c, const char *name, const char *words, const char *value) {
  cli_fact *const fact = &c->facts[c->n_facts++];
  *fact = (cli_fact){.name = name, .words = words};
  snprintf(fact->value, sizeof fact->value, "%s", value);
}

/* What must be the same when the command goes on in its folder. */
static cq_status make_facts(comparing *c) {
  const cli_compare *const k = &c->compare;
  char text[64];
  CQ_TRY(cli_fact_problem(c->file, &c->facts[c->n_facts++]));
  snprintf(text, sizeof text, "%.15g", k->counted.budget);
  add_fact(c, "budget", "a budget of", text);
  add_fact(c, "budget_in", "a budget in", cli_unit_name(k->counted.unit));
  snprintf(text, sizeof text, "%.15g", k->target);
  add_fact(c, "target", "the target", isnan(k->target) ? "chosen from the runs" : text);
  snprintf(text, sizeof text, "%.15g", k->counted.gradient_cost);
  if (c->options->gradient_cost > 0 || cli_compare_needs_gradient(&c->methods)) {
    add_fact(c, "gradient_cost", "a gradient cost of", text);
  }
  snprintf(text, sizeof text, "%lld", k->first_seed);
  add_fact(c, "first_seed", "the first seed", text);
  snprintf(text, sizeof text, "%d", k->seeds);
  add_fact(c, "seeds", NULL, text);
  add_fact(c, "methods", NULL, c->options->with);
  return CQ_OK;
}

/* One start a seed, the same for every method, as files that anyone can start from. */
static cq_status make_starts(comparing *c) {
  cli_compare *const k = &c->compare;
  const cli_options *const o = c->options;
  const size_t n = (size_t)k->n;
  CQ_TRY(CQ_ALLOC(c->ctx, c->x, (size_t)k->seeds * n));
  cli_folder_deafen(&c->folder.folder, true);
  CQ_TRY(cli_seed_starts(c->ctx, o->argument, o->sets, o->n_sets, c->scene, k->seeds, c->x,
                         &c->by_seed));
  cli_folder_deafen(&c->folder.folder, false);
  for (int s = 0; s < k->seeds; s++) {
    char name[48];
    snprintf(name, sizeof name, "starts/seed-%02lld.csv", k->first_seed + s);
    CQ_TRY(cli_batch_folder_start(&c->folder, name, c->scene, c->x + (size_t)s * n));
  }
  return CQ_OK;
}

/* A run for each seed and method. */
static cq_status make_runs(comparing *c) {
  cli_compare *const k = &c->compare;
  cli_batch *const batch = &k->batch;
  CQ_TRY(CQ_ALLOC(c->ctx, batch->runs, batch->count));
  CQ_TRY(CQ_ALLOC(c->ctx, k->curves, batch->count));
  CQ_TRY(CQ_ALLOC(c->ctx, k->scores, c->methods.count));
  for (int s = 0; s < k->seeds; s++) {
    for (int m = 0; m < c->methods.count; m++) {
      cli_batch_run *const run = &batch->runs[cli_compare_run(k, m, s)];
      run->variant = &c->methods.items[m];
      run->seed = k->first_seed + s;
      snprintf(run->problem, sizeof run->problem, "problem.cfg");
      snprintf(run->start, sizeof run->start, "starts/seed-%02lld.csv", run->seed);
      cli_batch_name(run);
    }
  }
  batch->n_sets = c->settings.n;
  cli_solve_share_memory(c->scene, batch->workers, batch->memory);
  return CQ_OK;
}

static cq_status begin(comparing *c) {
  cli_folder *const folder = &c->folder.folder;
  CQ_TRY(cli_batch_folder_open(&c->folder));
  CQ_TRY(take_gradient_cost(c));
  CQ_TRY(make_facts(c));
  CQ_TRY(cli_batch_folder_check(&c->folder, c->facts, c->n_facts));
  make_settings(c);
  CQ_TRY(cli_batch_folder_write(&c->folder, c->facts, c->n_facts, "running"));
  CQ_TRY(cli_batch_folder_problem(&c->folder, "problem.cfg", c->file));
  CQ_TRY(cli_folder_make(folder, "starts"));
  CQ_TRY(cli_folder_make(folder, "runs"));
  CQ_TRY(make_starts(c));
  return make_runs(c);
}

/* What is compared, from where, with how many processes. */
static void say_begin(comparing *c, int ended) {
  const cli_batch *const batch = &c->compare.batch;
  if (!c->options->quiet) {
    char text[CLI_PATH + 512];
    snprintf(text, sizeof text,
             "%s: %d method%s from %d start%s (%s), %d at a time with %d thread%s, in %s\n",
             cq_scene_name(c->scene), c->methods.count, cq_plural(c->methods.count),
             c->compare.seeds, cq_plural(c->compare.seeds),
             c->by_seed ? "the problem's own by each seed"
                        : "the problem's own, and others drawn within its bounds",
             batch->workers, batch->threads, cq_plural(batch->threads), c->folder.folder.path);
    cli_style_wrap(stdout, 4, text);
    if (ended > 0) {
      printf("%d of %d run%s were done before.\n", ended, batch->count, cq_plural(batch->count));
    }
    fflush(stdout);
  }
}

static cq_status read_curves(comparing *c) {
  cli_compare *const k = &c->compare;
  for (int i = 0; i < k->batch.count; i++) {
    char folder[CLI_PATH];
    cli_folder_path(&c->folder.folder, k->batch.runs[i].folder, folder, sizeof folder);
    CQ_TRY(cli_curve_read(c->ctx, folder, &k->counted, &k->curves[i]));
  }
  return CQ_OK;
}

/* From the records of all runs, also of those that were done before. */
static cq_status report(comparing *c) {
  cli_compare *const k = &c->compare;
  cli_folder *const folder = &c->folder.folder;
  static const char *const tables[] = {"runs.csv", "compare.csv"};
  CQ_TRY(read_curves(c));
  cli_compare_score(k);
  CQ_TRY(cli_folder_write(folder, "compare.csv", cli_compare_write_table, k));
  CQ_TRY(cli_folder_write(folder, "runs.csv", cli_compare_write_runs, k));
  CQ_TRY(cli_folder_write(folder, "curves.csv", cli_compare_write_curves, k));
  CQ_TRY(cli_sqlite_write(folder, "compare.sqlite", tables, sizeof tables / sizeof tables[0]));
  if (!isnan(k->gap)) {
    cli_pairs pairs = {.count = 1, .compares = k, .title = k->title};
    CQ_TRY(cli_folder_write(folder, "ecdf.csv", cli_pairs_write, &pairs));
    cli_plot_compare(k, folder->path);
    cli_plot_pairs(&pairs, folder->path);
  }
  CQ_TRY(cli_report_batch_ended(c->ctx, folder->path));
  return cli_style_report(c->ctx, folder, c->options->quiet, cli_compare_print, k);
}

/* The same on the functions of the test set, which have targets of their own. */
static cq_status run_set(comparing *c) {
  static const double by_default = 2;
  const cli_options *const o = c->options;
  CQ_CHECK(c->ctx, strcmp(o->problem_set, "test") == 0, CQ_USAGE,
           "--problem-set: there is no set \"%s\"; there is \"test\", of closed-form functions",
           o->problem_set);
  CQ_CHECK(c->ctx, o->shard == NULL && !o->collect, CQ_USAGE,
           "--problem-set is done in seconds by one process, not in shares");
  CQ_CHECK(c->ctx, o->argument == NULL && !o->has_target, CQ_USAGE,
           "--problem-set has problems and targets of its own; leave %s out",
           o->argument != NULL ? o->argument : "--target");
  if (o->gradient_cost <= 0) {
    c->compare.counted.gradient_cost = by_default;
  }
  CQ_TRY(cli_batch_first_seed(c->ctx, c->compare.seeds, &c->compare.first_seed));
  make_settings(c);
  return cli_compare_set(&c->compare, o, c->settings.sets, c->settings.n);
}

/* From the options to the tables; what a folder has already is not run again. */
static cq_status run(comparing *c) {
  CQ_TRY(read_options(c));
  if (c->options->problem_set != NULL) {
    return run_set(c);
  }
  CQ_TRY(cli_share_read(c->ctx, c->options, &c->folder.share));
  share(c);
  CQ_TRY(load(c));
  c->folder.scene = c->scene;
  CQ_TRY(begin(c));
  say_begin(c, cli_batch_read(&c->compare.batch));
  CQ_TRY(cli_batch_finish(&c->compare.batch));
  const int open = cli_batch_open_runs(&c->compare.batch);
  if (open > 0) {
    CQ_CHECK(c->ctx, !c->folder.share.collects, CQ_USAGE,
             "%d of %d runs are open, and a comparison wants all; the same command without "
             "--collect does them",
             open, c->compare.batch.count);
    cli_batch_say_open(&c->compare.batch, "compare");
    return CQ_OK;
  }
  if (!cli_batch_folder_makes_tables(&c->folder)) {
    return CQ_OK;
  }
  CQ_TRY(report(c));
  CQ_TRY(cli_batch_folder_write(&c->folder, c->facts, c->n_facts, "OK"));
  if (c->options->quiet) {
    cli_compare_print_outcome(&c->compare, cq_scene_name(c->scene));
  }
  return CQ_OK;
}

static void free_all(comparing *c) {
  for (int i = 0; c->compare.curves != NULL && i < c->compare.batch.count; i++) {
    cli_curve_free(&c->compare.curves[i]);
  }
  cq_free(c->ctx, c->compare.curves);
  cq_free(c->ctx, c->compare.scores);
  cq_free(c->ctx, c->compare.batch.runs);
  cq_free(c->ctx, c->x);
  free(c->methods.items);
  cq_file_destroy(c->file);
}

cq_status cmd_compare(cq_ctx *ctx, const cli_options *options) {
  comparing c = {
      .ctx = ctx,
      .options = options,
      .folder = {.command = "compare", .options = options, .share = {.claims = -1}, .lock = -1}};
  cli_folder_listen(ctx, options->quiet, &c.folder.folder);
  const cq_status status = cli_batch_folder_close(&c.folder, run(&c));
  free_all(&c);
  return status;
}
