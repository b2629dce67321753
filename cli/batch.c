#include "batch.h"

#include "alloc.h"
#include "build_id.h"
#include "children.h"
#include "plural.h"
#include "run_read.h"
#include "signals.h"
#include "status.h"
#include "style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* the batch has tables and pictures of its own */
static const char *const quiet_sets[] = {"optimizer.verify_refined=false",
                                         "output.trajectory=false", "output.report=false"};

enum {
  N_QUIET = sizeof quiet_sets / sizeof quiet_sets[0],
  MOST_SETS = N_QUIET + CLI_MOST_SETTINGS + 16
};

cq_status cli_batch_first_seed(cq_ctx *ctx, int seeds, long long *first) {
  const uint64_t seed = cq_ctx_seed(ctx);
  CQ_CHECK(ctx, seed <= (uint64_t)(INT64_MAX - seeds), CQ_USAGE,
           "a first seed of %llu leaves no room for %d seeds: take one of at most %lld",
           (unsigned long long)seed, seeds, (long long)(INT64_MAX - seeds));
  *first = (long long)seed;
  return CQ_OK;
}

void cli_batch_name(cli_batch_run *run) {
  snprintf(run->folder, sizeof run->folder, "runs/%s-seed-%02lld", run->variant->folder, run->seed);
}

void cli_batch_share(cli_batch *batch, int wanted) {
  const int threads = cq_ctx_threads(batch->ctx);
  int workers = wanted > 0 ? wanted : threads;
  workers = workers < batch->count ? workers : batch->count;
  batch->workers = workers;
  batch->threads = threads > workers ? threads / workers : 1;
}

static bool is_open(const cli_batch_run *run) {
  static const cli_starts any = {.count = 0};
  return cli_start_is_open(&any, &run->end);
}

bool cli_batch_has_ended(const cli_batch_run *run) {
  return run->end.exit_code >= 0;
}

static double spent_by(const cli_batch_run *run, cli_unit unit) {
  const cli_start *const end = &run->end;
  const double spent[CLI_N_UNITS] = {[CLI_SIMULATIONS] = end->simulations,
                                     [CLI_EVALUATIONS] = end->evaluations,
                                     [CLI_SECONDS] = isnan(end->seconds) ? 0 : end->seconds};
  return spent[unit];
}

static bool is_spent(const cli_batch *batch) {
  double sum = 0;
  for (int i = 0; i < batch->count; i++) {
    sum += spent_by(&batch->runs[i], batch->unit);
  }
  return batch->budget > 0 && sum >= batch->budget;
}

static int count_ended(const cli_batch *batch) {
  int ended = 0;
  for (int i = 0; i < batch->count; i++) {
    ended += !is_open(&batch->runs[i]);
  }
  return ended;
}

int cli_batch_read(cli_batch *batch) {
  for (int i = 0; i < batch->count; i++) {
    cli_batch_run *const run = &batch->runs[i];
    cli_start_read(batch->ctx, batch->folder->path, 0, run->folder, &run->end);
  }
  return count_ended(batch);
}

static void errors_of(const cli_batch *batch, const cli_batch_run *run, char path[CLI_PATH]) {
  char name[CLI_START_FOLDER + 8];
  snprintf(name, sizeof name, "%s.err", run->folder);
  cli_folder_path(batch->folder, name, path, CLI_PATH);
}

static bool is_shared(const cli_batch *batch) {
  return batch->share != NULL && batch->share->of > 0;
}

/* Whether a run is left for this process to do, which then has it for itself. */
static bool take_run(cli_batch *batch, int i) {
  cli_batch_run *const run = &batch->runs[i];
  if (!is_open(run) || run->tried || is_spent(batch) ||
      (batch->share != NULL && !cli_share_wants(batch->share, i))) {
    return false;
  }
  if (!is_shared(batch)) {
    return true;
  }
  if (!cli_share_claim(batch->share, run->folder)) {
    return false;
  }
  cli_start_read(batch->ctx, batch->folder->path, 0, run->folder, &run->end);
  if (!is_open(run)) { /* another one has done it meanwhile */
    cli_share_release(batch->share, run->folder);
    return false;
  }
  if (strcmp(run->end.status, "running") == 0) {
    cq_log(batch->ctx, CQ_LOG_INFO, "%s: the process that had it is gone; it goes on here",
           run->folder);
  }
  return true;
}

/* A run that another build has begun cannot go on with the same bits: it begins anew, and what
 * there was stays beside it. */
static void set_aside(const cli_batch *batch, const char *folder) {
  char build[64], aside[CLI_PATH + 80], *json = NULL;
  if (!cli_solve_goes_on(folder) || cli_run_read(batch->ctx, folder, &json) != CQ_OK) {
    return;
  }
  cli_run_member(json, "build_id", build, sizeof build);
  free(json);
  snprintf(aside, sizeof aside, "%s.%s", folder, build);
  if (strcmp(build, CQ_BUILD_ID) != 0 && rename(folder, aside) == 0) {
    cq_log(batch->ctx, CQ_LOG_INFO, "%s was begun by another build and begins anew", folder);
  }
}

static int index_of(const cli_batch *batch, int job) {
  return batch->order != NULL ? batch->order[job] : job;
}

/* The process of a run, unless it has ended: the settings of all runs come last, and win over its
 * variant's. */
static cq_status start_job(void *user, int job, pid_t *pid) {
  cli_batch *const batch = user;
  const int i = index_of(batch, job);
  cli_batch_run *const run = &batch->runs[i];
  char problem[CLI_PATH], folder[CLI_PATH], start[CLI_PATH], errors[CLI_PATH], seed[48];
  const char *sets[MOST_SETS];
  int n = N_QUIET;
  if (!take_run(batch, i)) {
    return CQ_OK;
  }
  run->tried = true;
  memcpy(sets, quiet_sets, sizeof quiet_sets);
  for (int k = 0; k < run->variant->n_sets && !batch->varied_files; k++) {
    sets[n++] = run->variant->sets[k];
  }
  for (int k = 0; k < batch->n_sets && n < MOST_SETS - 1; k++) {
    sets[n++] = batch->sets[k];
  }
  snprintf(seed, sizeof seed, "optimizer.seed=%lld", run->seed);
  sets[n++] = seed;
  cli_folder_path(batch->folder, run->problem, problem, sizeof problem);
  cli_folder_path(batch->folder, run->folder, folder, sizeof folder);
  cli_folder_path(batch->folder, run->start, start, sizeof start);
  errors_of(batch, run, errors);
  set_aside(batch, folder);
  const cli_solve_process process = {.problem = problem,
                                     .folder = folder,
                                     .start = start,
                                     .sets = sets,
                                     .n_sets = n,
                                     .memory = batch->memory,
                                     .threads = batch->threads};
  return cli_solve_start(batch->ctx, &process, errors, pid);
}

/* the terminal gets the outcome in a word, the log in a sentence */
static void say(cli_batch *batch, const cli_batch_run *run) {
  const cli_start *const end = &run->end;
  char line[600], reason[900];
  int length = snprintf(line, sizeof line, "[%d/%d] %s seed %lld: %s", count_ended(batch),
                        batch->count, run->variant->label, run->seed, cli_start_word(end));
  if (!isnan(end->f)) {
    snprintf(line + length, sizeof line - (size_t)length, ", f = %.6g, %d evaluation%s", end->f,
             end->evaluations, cq_plural(end->evaluations));
  }
  snprintf(reason, sizeof reason, "%s: %s", line, end->reason);
  cli_folder_log(batch->folder, reason);
  if (!batch->quiet) {
    cli_style_wrap(stdout, 4, line);
    putchar('\n');
    fflush(stdout);
  }
}

static cq_status end_job(void *user, int job, int wait_status) {
  cli_batch *const batch = user;
  cli_batch_run *const run = &batch->runs[index_of(batch, job)];
  char errors[CLI_PATH];
  errors_of(batch, run, errors);
  cli_start_note_end(batch->ctx, batch->folder->path, errors, wait_status, &run->end);
  if (is_shared(batch)) {
    cli_share_release(batch->share, run->folder);
  }
  say(batch, run);
  return CQ_OK;
}

int cli_batch_open_runs(const cli_batch *batch) {
  int n = 0;
  for (int i = 0; i < batch->count; i++) {
    n += !cli_batch_has_ended(&batch->runs[i]);
  }
  return n;
}

/* Whether another rank has a run that is not done: it may die, and then the run is there to take.
 */
static bool awaits_others(const cli_batch *batch) {
  bool awaits = false;
  for (int i = 0; i < batch->count && is_shared(batch) && batch->share->ranks; i++) {
    awaits = awaits || (is_open(&batch->runs[i]) && !batch->runs[i].tried);
  }
  return awaits && !is_spent(batch) && cq_ctx_stop_requested(batch->ctx) == CQ_OK;
}

static cq_status make_order(cli_batch *batch) {
  double *work = NULL;
  if (!is_shared(batch) || !batch->share->ranks) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(batch->ctx, work, batch->count));
  const cq_status status = CQ_ALLOC(batch->ctx, batch->order, batch->count);
  for (int i = 0; i < batch->count; i++) {
    work[i] = batch->runs[i].work;
  }
  if (status == CQ_OK) {
    cli_share_longest_first(work, batch->count, batch->order);
  }
  cq_free(batch->ctx, work);
  return status;
}

/* All jobs once, and again what ranks that have died have left. */
static cq_status run_all(cli_batch *batch, const cli_jobs *jobs) {
  static const struct timespec a_while = {.tv_nsec = 300000000};
  CQ_TRY(cli_children_run(batch->ctx, jobs));
  while (awaits_others(batch)) {
    nanosleep(&a_while, NULL);
    cli_batch_read(batch);
    CQ_TRY(cli_children_run(batch->ctx, jobs));
  }
  if (is_shared(batch)) {
    cli_batch_read(batch);
  }
  return CQ_OK;
}

/* Runs what has not ended, and says how to go on if it was stopped. */
cq_status cli_batch_finish(cli_batch *batch) {
  const cli_jobs jobs = {.count = batch->count,
                         .workers = batch->workers,
                         .start = start_job,
                         .ended = end_job,
                         .user = batch};
  CQ_TRY(make_order(batch));
  cli_signals_begin(batch->ctx);
  const cq_status status =
      batch->share != NULL && batch->share->collects ? CQ_OK : run_all(batch, &jobs);
  cli_signals_end();
  cq_free(batch->ctx, batch->order);
  batch->order = NULL;
  CQ_TRY(status);
  const cq_status stop = cq_ctx_stop_requested(batch->ctx);
  const int ended = count_ended(batch);
  CQ_CHECK(batch->ctx, stop == CQ_OK || ended == batch->count, stop,
           "%s with %d of %d run%s done in %s; the same command with --output %s goes on",
           cq_status_text(stop), ended, batch->count, cq_plural(batch->count), batch->folder->path,
           batch->folder->path);
  return CQ_OK;
}

void cli_batch_say_open(const cli_batch *batch, const char *command) {
  char name[32], text[512];
  const int open = cli_batch_open_runs(batch);
  cli_share_name(batch->share, name);
  snprintf(
      text, sizeof text,
      "%s: done; %d of %d run%s are open. Whoever does the last one makes the tables, or 'cqopt "
      "%s ... --collect' does.\n",
      name, open, batch->count, cq_plural(batch->count), command);
  cli_style_wrap(stdout, 4, text);
}

void cli_batch_print_outcome(const cli_batch *batch, const char *name, int good, const char *word,
                             double f) {
  printf("%s: %d run%s, %d %s", name, batch->count, cq_plural(batch->count), good, word);
  if (isfinite(f)) {
    printf(", least f = %.6g", f);
  }
  printf(", %s\n", batch->folder->path);
}
