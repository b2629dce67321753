/* cqopt show: a problem and its size, or what a run folder says. Reads only. */
#include "cqopt/cqopt.h"

#include "clock.h"
#include "options.h"
#include "status.h"
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Copies the value of a member of run.json (one a line) without its quotes; "-" without it. */
static void json_value(const char *json, const char *name, char *value, size_t size) {
  char key[64];
  snprintf(key, sizeof key, "\n  \"%s\": ", name);
  const char *const found = strstr(json, key);
  snprintf(value, size, "-");
  if (found == NULL) {
    return;
  }
  const char *from = found + strlen(key);
  size_t used = 0;
  const bool quoted = *from == '"';
  from += quoted;
  while (*from != '\0' && *from != '\n' && used + 1 < size && !(quoted && *from == '"')) {
    from += *from == '\\' && from[1] != '\0';
    value[used++] = *from++;
  }
  if (!quoted && used > 0 && value[used - 1] == ',') {
    used--;
  }
  value[used] = '\0';
}

static void print_members(const char *json) {
  static const char *const members[] = {
      "command",      "status",      "reason",      "started",   "ended",    "version",
      "build_id",     "cpu",         "threads",     "seed",      "f",        "violation",
      "kkt_residual", "multipliers", "evaluations", "gradients", "failures", "seconds"};
  char value[512];
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    json_value(json, members[i], value, sizeof value);
    if (strcmp(value, "-") != 0 && value[0] != '\0') {
      printf("  %-14s %s%s\n", members[i], value,
             strcmp(value, "running") == 0 ? " (or ended without a word)" : "");
    }
  }
}

static cq_status read_run(cq_ctx *ctx, const char *folder, char *json, size_t size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/run.json", folder);
  FILE *const file = fopen(path, "r");
  CQ_CHECK(ctx, file != NULL, CQ_IO, "%s: %s", path, strerror(errno));
  const size_t length = fread(json, 1, size - 1, file);
  json[length] = '\0';
  fclose(file);
  return CQ_OK;
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

static cq_status show_run(cq_ctx *ctx, const char *folder) {
  enum { LARGEST = 1 << 20 };
  char *const json = calloc(LARGEST, 1);
  CQ_CHECK(ctx, json != NULL, CQ_MEMORY, "out of memory");
  const cq_status status = read_run(ctx, folder, json, LARGEST);
  double tolerance = 0.0;
  if (status == CQ_OK) {
    char problem[128], title[256], number[48];
    json_value(json, "problem", problem, sizeof problem);
    json_value(json, "title", title, sizeof title);
    printf("%s: %s\n", problem, title);
    print_members(json);
    json_value(json, "constraint_tolerance", number, sizeof number);
    tolerance = strtod(number, NULL);
  }
  free(json);
  CQ_TRY(status);
  char path[1024];
  struct stat info;
  snprintf(path, sizeof path, "%s/history.csv", folder);
  return stat(path, &info) == 0 ? print_history(ctx, path, tolerance) : CQ_OK;
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
