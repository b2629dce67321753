#include "run_state.h"

#include "cqopt/trace.h"

#include "machine.h"
#include "run_read.h"
#include "share.h"
#include "status.h"
#include "table.h"
#include "whole.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Whether a process has the file open; where that cannot be seen, whether there is one of that
 * number. */
static bool has_open(long pid, const struct stat *file) {
  char path[CLI_PATH];
  struct stat info;
  snprintf(path, sizeof path, "/proc/%ld/fd", pid);
  DIR *const dir = opendir(path);
  bool found = false;
  if (dir == NULL) {
    return kill((pid_t)pid, 0) == 0 || errno == EPERM;
  }
  for (const struct dirent *e = readdir(dir); e != NULL && !found; e = readdir(dir)) {
    snprintf(path, sizeof path, "/proc/%ld/fd/%.200s", pid, e->d_name);
    found = stat(path, &info) == 0 && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
  }
  closedir(dir);
  return found;
}

/* A run has its log open from before run.json is written until after its end is. */
static cli_state state_of(const char *folder, const char *json) {
  char status[32], host[72], path[CLI_PATH];
  struct stat log;
  cli_run_member(json, "status", status, sizeof status);
  if (strcmp(status, "running") != 0) {
    return CLI_ENDED;
  }
  if (cli_share_is_used(folder)) { /* run.json names one of several */
    return CLI_RUNNING;
  }
  cli_run_member(json, "host", host, sizeof host);
  const double pid = cli_run_number(json, "pid");
  if (isnan(pid) || strcmp(host, cli_machine_query().host) != 0) {
    return CLI_UNCERTAIN;
  }
  snprintf(path, sizeof path, "%.1200s/log.txt", folder);
  return stat(path, &log) == 0 && has_open((long)pid, &log) ? CLI_RUNNING : CLI_CUT_OFF;
}

static cq_status read_json(cq_ctx *ctx, const char *folder, char **json) {
  char status[32];
  CQ_TRY(cli_run_read(ctx, folder, json));
  cli_run_member(*json, "status", status, sizeof status);
  const size_t length = strlen(*json);
  if (strcmp(status, "-") == 0 || length < 3 || strcmp(*json + length - 3, "\n}\n") != 0) {
    free(*json);
    *json = NULL;
    return CQ_FAIL(ctx, CQ_IO, "%s/run.json is damaged", folder);
  }
  return CQ_OK;
}

cq_status cli_run_state(cq_ctx *ctx, const char *folder, char **json, cli_state *state) {
  *json = NULL;
  CQ_TRY(read_json(ctx, folder, json));
  *state = state_of(folder, *json);
  if (*state == CLI_CUT_OFF) { /* or it has just ended */
    free(*json);
    *json = NULL;
    CQ_TRY(read_json(ctx, folder, json));
    *state = state_of(folder, *json);
  }
  return CQ_OK;
}

const char *cli_state_word(cli_state state) {
  static const char *const words[] = {NULL, "running", "cut off", "running?"};
  return words[state];
}

double cli_run_number(const char *json, const char *name) {
  char text[64], *end = NULL;
  cli_run_member(json, name, text, sizeof text);
  const double value = strtod(text, &end);
  return end != text && *end == '\0' ? value : NAN;
}

/* --- history.csv --- */

typedef struct reading {
  cli_table table;
  int eval, status, elapsed, first; /* columns; first: that of f */
  double tolerance;
  int best; /* as run.json says; 0: by the rule of is_better */
  cli_history *history;
  double best_violation; /* above the tolerance */
} reading;

/* how many of the columns are terms: evals.bin knows */
static cq_status read_sizes(cq_ctx *ctx, const char *folder, cli_history *h) {
  char path[CLI_PATH];
  cq_trace_reader *trace = NULL;
  snprintf(path, sizeof path, "%.1200s/evals.bin", folder);
  CQ_TRY(cq_trace_open(ctx, path, &trace));
  cq_trace_info info = {.struct_size = sizeof info};
  const cq_status status = cq_trace_reader_info(trace, &info);
  cq_trace_close(trace);
  h->n_terms = info.n_extra;
  h->n_constraints = info.n_constraints;
  h->n = 2 + h->n_terms + h->n_constraints;
  return status;
}

/* The columns of values, as many as evals.bin says there are. */
static cq_status begin(cq_ctx *ctx, const char *folder, reading *r) {
  cli_history *const h = r->history;
  CQ_TRY(read_sizes(ctx, folder, h));
  r->eval = cli_table_column(&r->table, "eval");
  r->status = cli_table_column(&r->table, "status");
  r->elapsed = cli_table_column(&r->table, "elapsed_seconds");
  r->first = cli_table_column(&r->table, "f");
  CQ_CHECK(ctx, r->eval >= 0 && r->first >= 0 && r->status == r->first + h->n, CQ_IO,
           "%s/history.csv has other columns than evals.bin", folder);
  h->values = calloc((size_t)h->n, sizeof *h->values);
  CQ_CHECK(ctx, h->values != NULL, CQ_MEMORY, "out of memory");
  for (int i = 0; i < h->n; i++) {
    cli_history_value *const v = &h->values[i];
    cli_table_heading(&r->table, r->first + i, v->name, sizeof v->name);
    v->first = v->best = v->last = NAN;
  }
  return CQ_OK;
}

/* The least f of the feasible; while there is none, the least violation. */
static bool is_better(reading *r, int index, double f, double violation) {
  const cli_history *const h = r->history;
  const double above = fmax(violation - r->tolerance, 0.0);
  if (r->best > 0) {
    return index == r->best;
  }
  if (h->best > 0 && above >= r->best_violation && !(above == 0.0 && f < h->values[0].best)) {
    return false;
  }
  r->best_violation = above;
  return true;
}

/* Counts, and the values of the first, the best and the last evaluation. */
static void take_row(reading *r) {
  cli_history *const h = r->history;
  const int index = cq_whole(cli_table_number(&r->table, r->eval), 0);
  char status[32];
  cli_table_text(&r->table, r->status, status, sizeof status);
  h->rows++;
  h->evaluations = index > h->evaluations ? index : h->evaluations;
  h->elapsed = fmax(h->elapsed, cli_table_number(&r->table, r->elapsed));
  if (strcmp(status, "OK") != 0) {
    h->failures++;
    return;
  }
  for (int i = 0; i < h->n; i++) {
    h->values[i].last = cli_table_number(&r->table, r->first + i);
  }
  const bool better = is_better(r, index, h->values[0].last, h->values[h->n - 1].last);
  h->best = better ? index : h->best;
  for (int i = 0; i < h->n; i++) {
    cli_history_value *const v = &h->values[i];
    v->first = h->rows == 1 ? v->last : v->first;
    v->best = better ? v->last : v->best;
  }
}

static double age_of(const struct stat *file) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const double age = difftime(now.tv_sec, file->st_mtim.tv_sec) +
                     1e-9 * (double)(now.tv_nsec - file->st_mtim.tv_nsec);
  return fmax(age, 0.0);
}

/* A history that is not there yet is an empty one, not an error. */
cq_status cli_history_read(cq_ctx *ctx, const char *folder, const char *json, cli_history *out) {
  char path[CLI_PATH];
  struct stat info;
  const double tolerance = cli_run_number(json, "constraint_tolerance");
  const double best = cli_run_number(json, "best_evaluation");
  reading r = {
      .history = out, .tolerance = isnan(tolerance) ? 0.0 : tolerance, .best = cq_whole(best, 0)};
  *out = (cli_history){.elapsed = NAN, .age = NAN};
  snprintf(path, sizeof path, "%.1200s/history.csv", folder);
  if (stat(path, &info) != 0 || info.st_size == 0) {
    return CQ_OK;
  }
  out->age = age_of(&info);
  CQ_TRY(cli_table_open(ctx, path, &r.table));
  const cq_status status = begin(ctx, folder, &r);
  while (status == CQ_OK && cli_table_next(&r.table)) {
    take_row(&r);
  }
  out->torn = r.table.torn;
  cli_table_close(&r.table);
  if (status != CQ_OK) {
    cli_history_free(out);
    *out = (cli_history){.elapsed = NAN, .age = NAN};
  }
  return status;
}

void cli_history_free(cli_history *history) {
  free(history->values);
  history->values = NULL;
}

double cli_history_best(const cli_history *h, const char *name) {
  for (int i = 0; i < h->n; i++) {
    if (strcmp(h->values[i].name, name) == 0) {
      return h->values[i].best;
    }
  }
  return NAN;
}
