/* cqopt show: a problem and its size, or what a run folder says, also of a run that goes on. Reads
 * only. */
#include "cqopt/cqopt.h"

#include "clock.h"
#include "label.h"
#include "options.h"
#include "plural.h"
#include "run_read.h"
#include "run_state.h"
#include "runs_list.h"
#include "show_batch.h"
#include "starts.h"
#include "status.h"
#include "style.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME = 16 }; /* columns of the names on the left */

static const cli_style plain = {"", "", "", "", "", ""};

typedef struct shown {
  cq_ctx *ctx;
  const char *folder;
  const char *json;
  cli_state state;
  cli_history history;
} shown;

/* Running, ended or cut off, and what to do about it. */
static void put_state(FILE *out, const shown *s) {
  char command[32], status[32], reason[300], pid[32], host[72], age[CLI_STAMP];
  cli_run_member(s->json, "command", command, sizeof command);
  cli_run_member(s->json, "status", status, sizeof status);
  cli_run_member(s->json, "reason", reason, sizeof reason);
  cli_run_member(s->json, "pid", pid, sizeof pid);
  cli_run_member(s->json, "host", host, sizeof host);
  cli_clock_duration(s->history.age, age);
  fprintf(out, "  %-*s ", NAME, "state");
  if (s->state == CLI_ENDED) {
    fprintf(out, "ended, %s%s%s", status, strcmp(reason, "-") != 0 ? ": " : "",
            strcmp(reason, "-") != 0 ? reason : "");
  } else if (s->state == CLI_RUNNING) {
    fprintf(out, "running, as process %s on %s", pid, host);
  } else if (s->state == CLI_CUT_OFF) {
    fprintf(out, "cut off, process %s is gone", pid);
  } else {
    fprintf(out, "running, or was cut off; it was begun on %s",
            strcmp(host, "-") != 0 ? host : "?");
  }
  if (s->state != CLI_ENDED && !isnan(s->history.age)) {
    fprintf(out, "; its last word is %s old", age);
  }
  fputc('\n', out);
  const bool stopped = s->state == CLI_CUT_OFF || strcmp(status, "INTERRUPTED") == 0 ||
                       strcmp(status, "TERMINATED") == 0;
  if (stopped && strcmp(command, "solve") == 0) {
    fprintf(out, "  %-*s cqopt solve --resume %s\n", NAME, "to go on", s->folder);
  }
}

static void put_history(FILE *out, const cli_history *h) {
  char elapsed[CLI_STAMP];
  cli_clock_duration(h->elapsed, elapsed);
  fprintf(out, "  %-*s ", NAME, "history.csv");
  if (h->rows == 0) {
    fprintf(out, "no evaluation yet\n");
    return;
  }
  fprintf(out, "%d row%s, %d evaluation%s in %s, %d failed", h->rows, cq_plural(h->rows),
          h->evaluations, cq_plural(h->evaluations), elapsed, h->failures);
  if (h->best > 0) {
    fprintf(out, ", best: %d", h->best);
  }
  fprintf(out, "%s\n", h->torn ? "; a torn last line left out" : "");
}

/* Members of run.json that are there, in an order for readers. */
static void put_facts(FILE *out, const cli_style *style, void *user) {
  static const char *const members[] = {"command",
                                        "started",
                                        "ended",
                                        "version",
                                        "build_id",
                                        "cpu",
                                        "device",
                                        "gpu",
                                        "simd",
                                        "threads",
                                        "seed",
                                        "seeds",
                                        "methods",
                                        "budget",
                                        "budget_in",
                                        "target",
                                        "scenarios",
                                        "combine",
                                        "f",
                                        "repeats",
                                        "repeats_failed",
                                        "f_mean",
                                        "f_deviation",
                                        "f_worst",
                                        "violation",
                                        "kkt_residual",
                                        "multipliers",
                                        "torn_body",
                                        "torn_share",
                                        "torn_time",
                                        "starts",
                                        "starts_done",
                                        "best_folder",
                                        "best_start",
                                        "starts_verified",
                                        "starts_at_best",
                                        "starts_different",
                                        "evaluations",
                                        "gradient",
                                        "gradients",
                                        "failures",
                                        "recovered",
                                        "resumed",
                                        "forward_seconds",
                                        "backward_seconds",
                                        "seconds"};
  const shown *const s = user;
  char value[512];
  (void)style;
  put_state(out, s);
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    cli_run_member(s->json, members[i], value, sizeof value);
    if (strcmp(value, "-") != 0 && value[0] != '\0' && strcmp(value, "[]") != 0) {
      fprintf(out, "  %-*s %s\n", NAME, members[i], value);
    }
  }
  if (!isnan(s->history.age)) {
    put_history(out, &s->history);
  }
}

static void print_value(double value) {
  if (isnan(value)) {
    printf(" %12s", "-");
  } else {
    printf(" %12.5e", value);
  }
}

static void print_history(const cli_history *h) {
  printf("\n%-39s %12s %12s %12s\n", "", "start", "best", "last");
  for (int i = 0; i < h->n; i++) {
    const cli_history_value *const v = &h->values[i];
    const bool constraint = i > h->n_terms && i < h->n - 1;
    cli_label_put(stdout, 2, 26, v->name);
    printf(" %-10s", constraint ? "constraint" : i == 0 || i == h->n - 1 ? "" : "term");
    print_value(v->first);
    print_value(v->best);
    print_value(v->last);
    putchar('\n');
  }
}

/* Those that have not ended are not in starts.csv: their folders say how far they are. */
static cq_status refresh(const shown *s, cli_start *start) {
  char folder[CLI_PATH], *json = NULL;
  cli_state state = CLI_ENDED;
  cli_history history;
  struct stat info;
  snprintf(folder, sizeof folder, "%.960s/%s", s->folder, start->folder);
  if (start->exit_code >= 0 || stat(folder, &info) != 0) {
    return CQ_OK;
  }
  cli_start_read(s->ctx, s->folder, start->number, start->folder, start);
  if (start->exit_code >= 0 || strcmp(start->status, "waiting") == 0) {
    return CQ_OK;
  }
  CQ_TRY(cli_run_state(s->ctx, folder, &json, &state));
  const cq_status status = cli_history_read(s->ctx, folder, json, &history);
  if (state != CLI_ENDED) {
    snprintf(start->status, sizeof start->status, "%s", cli_state_word(state));
    start->f = cli_history_best(&history, "f");
    start->violation = cli_history_best(&history, "violation");
    start->evaluations = history.evaluations;
    start->seconds = history.elapsed;
  }
  cli_history_free(&history);
  free(json);
  return status;
}

static cq_status print_starts(const shown *s) {
  const double tolerance = cli_run_number(s->json, "constraint_tolerance");
  cli_starts starts;
  cq_status status = cli_starts_read(s->ctx, s->folder, tolerance, &starts);
  for (int i = 0; i < starts.count && status == CQ_OK && s->state != CLI_ENDED; i++) {
    status = refresh(s, &starts.starts[i]);
  }
  if (status == CQ_OK) {
    cli_starts_print(stdout, &plain, &starts);
  }
  free(starts.starts);
  return status;
}

static bool has_file(const char *folder, const char *name) {
  char path[CLI_PATH];
  struct stat info;
  snprintf(path, sizeof path, "%.1000s/%.200s", folder, name);
  return stat(path, &info) == 0;
}

/* What the folder holds: runs of a batch, starts, or one history. */
static cq_status print_content(const shown *s) {
  char runs[CLI_PATH];
  snprintf(runs, sizeof runs, "%.1200s/runs", s->folder);
  if (has_file(s->folder, "compare.csv")) {
    return cli_show_batch(s->ctx, s->folder, "compare.csv");
  }
  if (has_file(s->folder, "study.csv")) {
    return cli_show_batch(s->ctx, s->folder, "study.csv");
  }
  if (has_file(s->folder, "starts.csv")) {
    return print_starts(s);
  }
  if (has_file(s->folder, "runs")) {
    putchar('\n');
    return cli_runs_print(s->ctx, runs, stdout);
  }
  if (s->history.rows > s->history.failures) {
    print_history(&s->history);
  }
  return CQ_OK;
}

/* A run folder, which may be written at this moment. */
static cq_status show_run(cq_ctx *ctx, const char *folder) {
  char *json = NULL, problem[128], title[256];
  shown s = {.ctx = ctx, .folder = folder};
  CQ_TRY(cli_run_state(ctx, folder, &json, &s.state));
  s.json = json;
  cq_status status = cli_history_read(ctx, folder, json, &s.history);
  if (status == CQ_OK) {
    cli_run_member(json, "problem", problem, sizeof problem);
    cli_run_member(json, "title", title, sizeof title);
    printf("%s%s%s\n", problem, title[0] != '\0' ? ": " : "", title);
    cli_style_wrapped(stdout, &plain, NAME + 1, put_facts, &s);
    status = print_content(&s);
  }
  cli_history_free(&s.history);
  free(json);
  return status;
}

static void put_file(FILE *out, const cli_style *style, void *file) {
  (void)style;
  cli_text_describe(file, out);
}

static cq_status show_problem(cq_ctx *ctx, const cli_options *options) {
  cq_file *file = NULL;
  CQ_TRY(cq_file_load(ctx, options->argument, options->sets, options->n_sets, &file));
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    if (strcmp(cq_builtin_name(i), options->argument) == 0) {
      printf("%s\n", cq_builtin_text(i));
    }
  }
  cli_style_wrapped(stdout, &plain, 4, put_file, file);
  cq_file_destroy(file);
  return CQ_OK;
}

cq_status cmd_show(cq_ctx *ctx, const cli_options *options) {
  struct stat info;
  if (stat(options->argument, &info) == 0 && S_ISDIR(info.st_mode)) {
    return show_run(ctx, options->argument);
  }
  return show_problem(ctx, options);
}
