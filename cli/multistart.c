#include "multistart.h"

#include "alloc.h"
#include "children.h"
#include "run_read.h"
#include "signals.h"
#include "start_process.h"
#include "starts.h"
#include "starts_report.h"
#include "status.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct multistart {
  cli_session *session;
  cq_ctx *ctx;
  cli_starts starts;
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

/* Draws all starts, and reads what has become of those that were begun. */
static cq_status prepare(multistart *m) {
  cli_session *const session = m->session;
  const cq_problem *const problem = cq_scene_problem(session->scene);
  cli_starts *const s = &m->starts;
  s->count = cq_scene_information(session->scene).starts;
  s->constraint_tolerance = cq_scene_optimizer(session->scene)->constraint_tolerance;
  CQ_TRY(lock_folder(m));
  CQ_TRY(CQ_ALLOC(m->ctx, s->starts, s->count));
  CQ_TRY(CQ_ALLOC(m->ctx, m->x, (size_t)s->count * (size_t)problem->n));
  CQ_TRY(CQ_ALLOC(m->ctx, m->multipliers, problem->n_inequality + problem->n_equality));
  CQ_TRY(cq_draw_starts(m->ctx, problem, cq_ctx_seed(m->ctx), s->count, m->x));
  m->plan = (cli_start_plan){.session = session, .x = m->x};
  share_cores(m);
  cli_stop_hash(session->scene, s->stop_hash);
  for (int i = 0; i < s->count; i++) {
    char folder[CLI_START_FOLDER];
    snprintf(folder, sizeof folder, "start-%02d", i + 1);
    cli_start_read(m->ctx, session->folder.path, i + 1, folder, &s->starts[i]);
  }
  cli_starts_judge(s);
  session->run.starts = s;
  return CQ_OK;
}

static cq_status start_job(void *user, int i, pid_t *pid) {
  multistart *const m = user;
  cli_start *const start = &m->starts.starts[i];
  if (!cli_start_is_open(&m->starts, start) && !m->session->options->allow_diverge) {
    return CQ_OK;
  }
  snprintf(start->status, sizeof start->status, "running");
  start->exit_code = -1;
  return cli_start_run(&m->plan, start, pid);
}

/* starts.csv is right at any moment */
static cq_status end_job(void *user, int i, int wait_status) {
  multistart *const m = user;
  cli_session *const session = m->session;
  cli_start *const start = &m->starts.starts[i];
  char errors[CLI_PATH];
  cli_start_errors(session, start, errors, sizeof errors);
  cli_start_note_end(m->ctx, session->folder.path, errors, wait_status, start);
  cli_starts_judge(&m->starts);
  cli_starts_progress(session, start);
  return cli_folder_write(&session->folder, "starts.csv", cli_starts_write, &m->starts);
}

static cq_status run_all(multistart *m) {
  const cli_jobs jobs = {.count = m->starts.count,
                         .workers = m->plan.workers,
                         .start = start_job,
                         .ended = end_job,
                         .user = m};
  cli_starts_begin(&m->plan, &m->starts);
  cli_signals_begin(m->ctx);
  return cli_children_run(m->ctx, &jobs);
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
  CQ_TRY(prepare(m));
  CQ_TRY(cli_session_begin(m->session));
  CQ_TRY(cli_folder_write(&m->session->folder, "starts.csv", cli_starts_write, &m->starts));
  CQ_TRY(run_all(m));
  const cq_status status = outcome(&m->starts, cq_ctx_stop_requested(m->ctx));
  return cli_starts_report(m->session, &m->starts, status, &m->result, m->multipliers,
                           &m->half_step, &m->tear);
}

/* The run, its end on the disk, and a line where all else is quiet. */
cq_status cli_multistart(cli_session *session) {
  multistart m = {.session = session, .ctx = session->ctx, .lock = -1};
  char name[256];
  snprintf(name, sizeof name, "%s", cq_scene_name(session->scene));
  const cq_status status = cli_session_close(session, cli_session_report(session, run(&m)));
  if (session->options->quiet && session->run.result != NULL) {
    cli_starts_say(name, session->folder.path, &m.starts, &m.result, status);
  }
  cq_free(m.ctx, m.x);
  cq_free(m.ctx, m.multipliers);
  cq_free(m.ctx, m.starts.starts);
  free((char *)session->run.uncertainty_said);
  if (m.lock >= 0) {
    close(m.lock);
  }
  return status;
}
