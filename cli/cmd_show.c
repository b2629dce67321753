/* cqopt show: a problem and its size, or what a run folder says. Reads only. */
#include "cqopt/cqopt.h"

#include "clock.h"
#include "options.h"
#include "run_read.h"
#include "starts.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void print_members(const char *json) {
  static const char *const members[] = {
      "command",         "status",         "reason",     "started",
      "ended",           "version",        "build_id",   "cpu",
      "threads",         "seed",           "f",          "violation",
      "kkt_residual",    "multipliers",    "starts",     "starts_done",
      "starts_verified", "starts_at_best", "best_start", "best_folder",
      "evaluations",     "gradients",      "failures",   "resumed",
      "seconds"};
  char value[512];
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    cli_run_member(json, members[i], value, sizeof value);
    if (strcmp(value, "-") != 0 && value[0] != '\0') {
      printf("  %-14s %s%s\n", members[i], value,
             strcmp(value, "running") == 0 ? " (or ended without a word)" : "");
    }
  }
}

/* the evaluations of history.csv: how many, the first and the best of them */
static cq_status print_history(cq_ctx *ctx, const char *path, double tolerance) {
  cli_table table;
  CQ_TRY(cli_table_open(ctx, path, &table));
  const int f_column = cli_table_column(&table, "f");
  const int violation_column = cli_table_column(&table, "violation");
  double first = NAN, best = NAN, best_violation = INFINITY;
  int rows = 0, best_row = 0;
  while (cli_table_next(&table)) {
    const double f = cli_table_number(&table, f_column);
    const double violation = fmax(cli_table_number(&table, violation_column) - tolerance, 0.0);
    rows++;
    first = rows == 1 ? f : first;
    if (violation < best_violation || (violation == best_violation && f < best)) {
      best = f;
      best_violation = violation;
      best_row = rows;
    }
  }
  printf("  %-14s %d rows, f %.6g at the start, %.6g at the best (row %d)%s\n", "history.csv", rows,
         first, best, best_row, table.torn ? ", a torn last line left out" : "");
  cli_table_close(&table);
  return CQ_OK;
}

static cq_status print_starts(cq_ctx *ctx, const char *folder, double tolerance) {
  static const cli_style plain = {"", "", "", "", "", ""};
  cli_starts starts;
  const cq_status status = cli_starts_read(ctx, folder, tolerance, &starts);
  if (status == CQ_OK) {
    cli_starts_print(stdout, &plain, &starts);
  }
  free(starts.starts);
  return status;
}

static bool has_file(const char *folder, const char *name, char path[CLI_PATH]) {
  struct stat info;
  snprintf(path, CLI_PATH, "%s/%s", folder, name);
  return stat(path, &info) == 0;
}

static cq_status show_run(cq_ctx *ctx, const char *folder) {
  char *json = NULL;
  char problem[128], title[256], number[48];
  CQ_TRY(cli_run_read(ctx, folder, &json));
  cli_run_member(json, "problem", problem, sizeof problem);
  cli_run_member(json, "title", title, sizeof title);
  printf("%s: %s\n", problem, title);
  print_members(json);
  cli_run_member(json, "constraint_tolerance", number, sizeof number);
  const double tolerance = strtod(number, NULL);
  free(json);
  char path[CLI_PATH];
  if (has_file(folder, "starts.csv", path)) {
    CQ_TRY(print_starts(ctx, folder, tolerance));
  }
  return has_file(folder, "history.csv", path) ? print_history(ctx, path, tolerance) : CQ_OK;
}

static cq_status show_problem(cq_ctx *ctx, const cli_options *options) {
  cq_scene *scene = NULL;
  CQ_TRY(cq_scene_load(ctx, options->argument, options->sets, options->n_sets, &scene));
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    if (strcmp(cq_builtin_name(i), options->argument) == 0) {
      printf("%s\n", cq_builtin_text(i));
    }
  }
  const cq_status status = cq_scene_describe(scene, stdout);
  cq_scene_destroy(scene);
  return status;
}

cq_status cmd_show(cq_ctx *ctx, const cli_options *options) {
  struct stat info;
  if (stat(options->argument, &info) == 0 && S_ISDIR(info.st_mode)) {
    return show_run(ctx, options->argument);
  }
  return show_problem(ctx, options);
}
