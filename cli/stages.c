#include "stages.h"

#include "alloc.h"
#include "run_read.h"
#include "solve_process.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTING = 24, SETTINGS = 400 };

/* A run of all stages. */
typedef struct staged {
  cli_session *session;
  cli_solve_fn solve;
  int count;
  char problem[CLI_PATH]; /* what is loaded */
  const char **sets;      /* [n_sets + 1] those of the command line, and one more */
  int n_sets;
} staged;

static void stage_folder(const staged *s, int k, char path[CLI_PATH]) {
  snprintf(path, CLI_PATH, "%s/stage-%d", s->session->folder.path, k);
}

/* All of them, so that a mistake in the last does not show after the first. */
static cq_status check_stages(staged *s) {
  cq_ctx *const ctx = s->session->ctx;
  for (int k = 1; k <= s->count; k++) {
    char set[SETTING];
    cq_file *file = NULL;
    snprintf(set, sizeof set, "stages=%d", k);
    s->sets[s->n_sets] = set;
    CQ_TRY(cq_file_load(ctx, s->problem, s->sets, s->n_sets + 1, &file));
    const cq_scene *const scene = cq_file_scene(file);
    cq_status status = cli_session_want_design(ctx, scene);
    status = status == CQ_OK
                 ? cq_optimizer_accepts(ctx, cq_scene_optimizer(scene), cq_scene_problem(scene))
                 : status;
    cq_file_destroy(file);
    CQ_TRY(status);
  }
  return CQ_OK;
}

/* Whether a stage has come to an end, of whatever kind; else it has not begun, or was cut off. */
static bool has_ended(cq_ctx *ctx, const char *folder) {
  char *json = NULL, text[32];
  if (!cli_solve_goes_on(folder) || cli_run_read(ctx, folder, &json) != CQ_OK) {
    return false;
  }
  cli_run_member(json, "status", text, sizeof text);
  free(json);
  const int status = cli_status_find(text);
  return status >= 0 && cli_session_has_result((cq_status)status);
}

static cq_status say_stage(const staged *s, int k) {
  char what[SETTINGS];
  CQ_TRY(cq_scene_stage_settings(s->session->scene, k - 1, what, sizeof what));
  cq_log(s->session->ctx, CQ_LOG_INFO, "stage %d of %d, before the file as it is: %s", k, s->count,
         what);
  if (!s->session->options->quiet) {
    printf("\nStage %d of %d, before the file as it is: %s\n", k, s->count, what);
  }
  return CQ_OK;
}

/* A stage from its beginning, with the command line of the whole run. */
static cq_status begin_stage(staged *s, int k, const char *folder) {
  cli_options options = *s->session->options;
  char before[CLI_PATH], set[SETTING];
  stage_folder(s, k - 1, before);
  snprintf(set, sizeof set, "stages=%d", k);
  s->sets[s->n_sets] = set;
  options.argument = s->problem;
  options.resume = NULL;
  options.allow_diverge = false;
  options.output = folder;
  options.start = k > 1 ? before : options.start;
  options.sets = s->sets;
  options.n_sets = s->n_sets + 1;
  return s->solve(s->session->ctx, &options);
}

/* A stage that was cut off. */
static cq_status resume_stage(const staged *s, const char *folder) {
  cli_options options = *s->session->options;
  options.argument = options.output = options.start = NULL;
  options.resume = folder;
  options.n_sets = 0;
  return s->solve(s->session->ctx, &options);
}

/* One stage, unless it has ended. */
static cq_status run_stage(staged *s, int k) {
  cli_session *const session = s->session;
  char folder[CLI_PATH];
  stage_folder(s, k, folder);
  if (has_ended(session->ctx, folder)) {
    return CQ_OK;
  }
  CQ_TRY(say_stage(s, k));
  const cq_status status =
      cli_solve_goes_on(folder) ? resume_stage(s, folder) : begin_stage(s, k, folder);
  cli_folder_deafen(&session->folder, false); /* it is the one that listens again */
  CQ_TRY(cli_session_has_result(status) ? CQ_OK : status);
  cq_ctx_clear_error(session->ctx);
  return CQ_OK;
}

/* All of them, each from the one before; then the file as it is is what is loaded. */
static cq_status run_stages(staged *s) {
  cli_session *const session = s->session;
  char last[CLI_PATH];
  CQ_TRY(check_stages(s));
  CQ_TRY(cli_session_write(session));
  for (int k = 1; k <= s->count; k++) {
    CQ_TRY(run_stage(s, k));
  }
  stage_folder(s, s->count, last);
  CQ_TRY(cli_session_reload(session, "stages=unset", last));
  session->resumed = false; /* nothing of it was recorded while there were stages */
  if (!session->options->quiet) {
    printf("\nThe file as it is, after %d stage%s\n", s->count, s->count == 1 ? "" : "s");
  }
  return CQ_OK;
}

/* The settings of the command line, and room for that of a stage. */
static cq_status begin(staged *s) {
  const cli_session *const session = s->session;
  const cli_options *const o = session->options;
  if (session->resumed) {
    cli_folder_path(&session->folder, "problem.cfg", s->problem, sizeof s->problem);
  } else {
    snprintf(s->problem, sizeof s->problem, "%s", o->argument);
  }
  s->n_sets = o->n_sets;
  CQ_TRY(CQ_ALLOC(session->ctx, s->sets, s->n_sets + 1));
  memcpy(s->sets, o->sets, (size_t)s->n_sets * sizeof *s->sets);
  return CQ_OK;
}

/* Nothing where the file has no stages. */
cq_status cli_stages_run(cli_session *session, const cli_share *share, cli_solve_fn solve) {
  staged s = {.session = session, .solve = solve, .count = cq_scene_stage_count(session->scene)};
  int lock = -1;
  if (s.count == 0) {
    return CQ_OK;
  }
  CQ_CHECK(session->ctx, share->of == 0, CQ_USAGE,
           "a file with stages is solved by one process; start it without mpirun or srun");
  CQ_TRY(cli_folder_lock(&session->folder, &lock));
  cq_status status = begin(&s);
  status = status == CQ_OK ? run_stages(&s) : status;
  cq_free(session->ctx, s.sets);
  if (lock >= 0) {
    close(lock);
  }
  return status;
}
