#include "multistart.h"

#include "alloc.h"
#include "children.h"
#include "ranks.h"
#include "run_read.h"
#include "signals.h"
#include "start_process.h"
#include "starts.h"
#include "starts_report.h"
#include "status.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct multistart {
  cli_session *session;
  cq_ctx *ctx;
  cli_share *share;
  cli_ranks *ranks; /* the others of rank 0 */
  bool (*is_over)(void *user);
  void *user;
  cli_starts starts;
  bool *tried; /* [starts.count] by this process */
  cli_start_plan plan;
  double *x, *multipliers;
  cq_outcome result;
  cli_half_step half_step;
  cq_tear tear;
  int lock; /* descriptor of the run folder */
} multistart;

/* By the problem file, or by run.json of the run that goes on, which cannot lose starts. */
cq_status cli_multistart_wanted(const cli_session *session, bool *wanted) {
  const int count = cq_scene_information(session->scene).starts;
  *wanted = count > 1;
  if (!session->resumed) {
    return CQ_OK;
  }
  char *json = NULL, text[32];
  CQ_TRY(cli_run_read(session->ctx, session->options->resume, &json));
  cli_run_member(json, "starts", text, sizeof text);
  free(json);
  const int recorded = cq_whole(strtod(text, NULL), 0);
  CQ_CHECK(session->ctx, recorded > 1 || !*wanted, CQ_CONFIG,
           "%s is a run from one start; for %d of them solve in a new folder",
           session->options->resume, count);
  CQ_CHECK(session->ctx, recorded <= count, CQ_CONFIG,
           "%s has %d starts; there can be more of them, not fewer", session->options->resume,
           recorded);
  return CQ_OK;
}

static cq_status lock_folder(multistart *m) {
  const cq_status status = cli_folder_lock(&m->session->folder, &m->lock);
  m->session->has_folder = status == CQ_OK; /* else it is not ours to write in */
  return status;
}

static void share_cores(multistart *m) {
  const int threads = cq_ctx_threads(m->ctx);
  const int wanted = cq_scene_information(m->session->scene).workers;
  int workers = wanted > 0 ? wanted : threads;
  workers = workers < m->starts.count ? workers : m->starts.count;
  m->plan.workers = workers;
  m->plan.threads = threads > workers ? threads / workers : 1;
}

static void read_start(multistart *m, int i) {
  char folder[CLI_START_FOLDER];
  snprintf(folder, sizeof folder, "start-%02d", i + 1);
  cli_start_read(m->ctx, m->session->folder.path, i + 1, folder, &m->starts.starts[i]);
}

static void read_starts(multistart *m) {
  for (int i = 0; i < m->starts.count; i++) {
    read_start(m, i);
  }
  cli_starts_judge(&m->starts);
}

/* Draws all starts, and reads what has become of those that were begun. */
static cq_status prepare(multistart *m) {
  cli_session *const session = m->session;
  const cq_problem *const problem = cq_scene_problem(session->scene);
  cli_starts *const s = &m->starts;
  s->count = cq_scene_information(session->scene).starts;
  s->constraint_tolerance = cq_scene_optimizer(session->scene)->constraint_tolerance;
  CQ_TRY(CQ_ALLOC(m->ctx, s->starts, s->count));
  CQ_TRY(CQ_ALLOC(m->ctx, m->tried, s->count));
  CQ_TRY(CQ_ALLOC(m->ctx, m->x, (size_t)s->count * (size_t)problem->n));
  CQ_TRY(CQ_ALLOC(m->ctx, m->multipliers, problem->n_inequality + problem->n_equality));
  CQ_TRY(cq_draw_starts(m->ctx, problem, cq_ctx_seed(m->ctx), s->count, m->x));
  m->plan = (cli_start_plan){.session = session, .x = m->x};
  share_cores(m);
  cli_stop_hash(session->scene, s->stop_hash);
  read_starts(m);
  session->run.starts = s;
  return CQ_OK;
}

/* Whether a start is left for this process to do, which then has it for itself. */
static bool take_start(multistart *m, int i) {
  cli_start *const start = &m->starts.starts[i];
  if (m->share->of == 0) {
    return true;
  }
  if (m->tried[i] || !cli_share_claim(m->share, start->folder)) {
    return false;
  }
  read_start(m, i);
  if (!cli_start_is_open(&m->starts, start)) { /* another rank has done it meanwhile */
    cli_share_release(m->share, start->folder);
    return false;
  }
  if (strcmp(start->status, "running") == 0) {
    cq_log(m->ctx, CQ_LOG_INFO, "%s: the process that had it is gone; it goes on here",
           start->folder);
  }
  return true;
}

static cq_status start_job(void *user, int i, pid_t *pid) {
  multistart *const m = user;
  cli_start *const start = &m->starts.starts[i];
  if (!cli_start_is_open(&m->starts, start) && !m->session->options->allow_diverge) {
    return CQ_OK;
  }
  if ((m->is_over != NULL && m->is_over(m->user)) || !take_start(m, i)) {
    return CQ_OK;
  }
  m->tried[i] = true;
  snprintf(start->status, sizeof start->status, "running");
  start->exit_code = -1;
  return cli_start_run(&m->plan, start, pid);
}

static cq_status write_table(multistart *m) {
  return cli_folder_write(&m->session->folder, "starts.csv", cli_starts_write, &m->starts);
}

/* starts.csv is right at any moment */
static cq_status end_job(void *user, int i, int wait_status) {
  multistart *const m = user;
  cli_session *const session = m->session;
  cli_start *const start = &m->starts.starts[i];
  char errors[CLI_PATH];
  cli_start_errors(session, start, errors, sizeof errors);
  cli_start_note_end(m->ctx, session->folder.path, errors, wait_status, start);
  cli_share_release(m->share, start->folder);
  cli_starts_judge(&m->starts);
  cli_starts_progress(session, start);
  return m->is_over != NULL ? CQ_OK : write_table(m);
}

/* Whether another rank has a start that is not done: it may die, and then it is there to take. */
static bool awaits_others(const multistart *m) {
  bool awaits = false;
  for (int i = 0; i < m->starts.count && m->share->of > 0; i++) {
    awaits = awaits || (cli_start_is_open(&m->starts, &m->starts.starts[i]) && !m->tried[i]);
  }
  return awaits && cq_ctx_stop_requested(m->ctx) == CQ_OK &&
         (m->is_over == NULL || !m->is_over(m->user));
}

static cq_status run_all(multistart *m) {
  const cli_jobs jobs = {.count = m->starts.count,
                         .workers = m->plan.workers,
                         .start = start_job,
                         .ended = end_job,
                         .user = m};
  static const struct timespec a_while = {.tv_nsec = 100000000};
  cli_signals_begin(m->ctx);
  CQ_TRY(cli_children_run(m->ctx, &jobs));
  while (awaits_others(m)) {
    nanosleep(&a_while, NULL);
    cli_ranks_look(m->ranks);
    read_starts(m);
    CQ_TRY(cli_children_run(m->ctx, &jobs));
  }
  if (m->share->of > 0) {
    read_starts(m);
  }
  return CQ_OK;
}

/* Why the whole ended: a stop that left something undone, a start that its machine failed, or as
 * the best start did. Where none has a point the first one speaks for all. */
static cq_status outcome(const cli_starts *s, cq_status stop) {
  if (stop != CQ_OK && s->ended < s->count) {
    return stop;
  }
  const int failed = cli_starts_failed(s), said = s->best >= 0 ? s->best : 0;
  const int status = cli_status_find(s->starts[failed >= 0 ? failed : said].status);
  return status >= 0 ? (cq_status)status : CQ_OPTIMIZER;
}

static cq_status run(multistart *m) {
  CQ_TRY(lock_folder(m));
  CQ_TRY(prepare(m));
  CQ_TRY(cli_session_begin(m->session));
  CQ_TRY(write_table(m));
  CQ_TRY(cli_share_open(m->ctx, m->session->folder.path, m->share));
  CQ_TRY(cli_ranks_begin(m->session, m->share, false, &m->ranks));
  cli_starts_begin(&m->plan, &m->starts);
  CQ_TRY(run_all(m));
  CQ_TRY(m->share->of > 0 ? write_table(m) : CQ_OK); /* with those of the others */
  const cq_status status = outcome(&m->starts, cq_ctx_stop_requested(m->ctx));
  return cli_starts_report(m->session, &m->starts, status, &m->result, m->multipliers,
                           &m->half_step, &m->tear);
}

static void free_all(multistart *m) {
  cq_free(m->ctx, m->x);
  cq_free(m->ctx, m->multipliers);
  cq_free(m->ctx, m->starts.starts);
  cq_free(m->ctx, m->tried);
}

cq_status cli_multistart_help(cli_session *session, cli_share *share, bool (*is_over)(void *user),
                              void *user) {
  multistart m = {.session = session,
                  .ctx = session->ctx,
                  .share = share,
                  .is_over = is_over,
                  .user = user,
                  .lock = -1};
  cq_status status = prepare(&m);
  status = status == CQ_OK ? cli_share_open(m.ctx, session->folder.path, share) : status;
  status = status == CQ_OK ? run_all(&m) : status;
  cli_share_close(share);
  free_all(&m);
  return status;
}

/* The run, its end on the disk, and a line where all else is quiet. */
cq_status cli_multistart(cli_session *session, cli_share *share) {
  multistart m = {.session = session, .ctx = session->ctx, .share = share, .lock = -1};
  char name[256];
  snprintf(name, sizeof name, "%s", cq_scene_name(session->scene));
  const cq_status ran = run(&m);
  cli_ranks_end(m.ranks);
  const cq_status status = cli_session_close(session, cli_session_report(session, ran));
  if (session->options->quiet && session->run.result != NULL) {
    cli_starts_say(name, session->folder.path, &m.starts, &m.result, status);
  }
  free_all(&m);
  free((char *)session->run.uncertainty_said);
  if (m.lock >= 0) {
    close(m.lock);
  }
  return status;
}
