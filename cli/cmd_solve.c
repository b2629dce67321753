/* cqopt solve: optimizes a problem and leaves a run folder. */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "options.h"
#include "outcome.h"
#include "plot.h"
#include "progress.h"
#include "session.h"
#include "signals.h"
#include "status.h"
#include "summary.h"
#include "trace.h"

#include <math.h>

typedef struct solve {
  cli_session session;
  cli_outcome outcome;
  cli_progress progress;
  cq_trace *trace;
  bool kept_failure;
} solve;

/* the first failure is the one whose state is kept */
static void note_failure(solve *s, const cq_evaluation *evaluation) {
  cq_ctx *const ctx = s->session.ctx;
  const char *const error = cq_ctx_error(ctx);
  cli_progress_end(&s->progress);
  cq_log(ctx, CQ_LOG_WARNING, "evaluation %d failed: %s", evaluation->index,
         error[0] != '\0' ? error : cq_status_text(evaluation->status));
  if (!s->kept_failure) {
    cli_session_keep_failure(&s->session);
    s->kept_failure = true;
  }
}

static cq_status on_evaluation(void *user, const cq_evaluation *evaluation) {
  solve *const s = user;
  CQ_TRY(cq_trace_record(s->trace, evaluation));
  cli_outcome_note(&s->outcome, evaluation);
  if (evaluation->status != CQ_OK) {
    note_failure(s, evaluation);
  }
  cli_progress_show(&s->progress, evaluation,
                    cli_scaled_norm(s->outcome.problem, evaluation->grad));
  return CQ_OK;
}

static cq_status optimize(solve *s) {
  const cq_scene *const scene = s->session.scene;
  cli_outcome *const o = &s->outcome;
  const cq_optimizer_def *const def = cq_scene_optimizer(scene);
  s->progress = cli_progress_begin(s->session.options->quiet ? NULL : stdout, def);
  cli_signals_begin(s->session.ctx);
  const cq_status status = cq_optimize(s->session.ctx, o->problem, def, on_evaluation, s, o->best,
                                       o->multipliers, &o->result);
  cli_signals_end();
  cli_progress_end(&s->progress);
  return status;
}

/* all that a quiet run says */
static void print_outcome(const cli_session *session, const cli_outcome *o, cq_status status) {
  printf("%s: %s", cq_scene_name(session->scene),
         cli_summary_word(status, o->result.reached_target));
  if (o->result.has_point) {
    printf(", f = %.6g, violation %.3g", o->result.f, o->result.violation);
  }
  printf(", %d evaluations, %s\n", o->result.evaluations, session->folder.path);
}

static cq_status report(solve *s, cq_status status) {
  cli_session *const session = &s->session;
  const cli_outcome *const o = &s->outcome;
  CQ_TRY(cli_folder_write(&session->folder, "design.csv", cli_outcome_write_design, &s->outcome));
  cli_summary summary = {
      .outcome = o, .folder = &session->folder, .status = status, .with_failure = s->kept_failure};
  if (o->result.has_point) {
    const double tolerance = cq_scene_optimizer(session->scene)->constraint_tolerance;
    summary.with_picture =
        cli_plot_convergence(session->ctx, session->folder.path, cq_scene_title(session->scene),
                             o->n_constraints > 0 ? tolerance : NAN);
  }
  CQ_TRY(cli_style_report(session->ctx, &session->folder, session->options->quiet,
                          cli_summary_print, &summary));
  if (!session->options->quiet && cq_status_is_numeric(status)) {
    /* the outcome has said it */
    cq_ctx_clear_error(session->ctx);
  }
  if (session->options->quiet) {
    print_outcome(session, o, status);
  }
  return CQ_OK;
}

/* the columns of history.csv are headed by the constraints' labels */
static cq_status open_trace(solve *s) {
  cq_ctx *const ctx = s->session.ctx;
  const int n_constraints = s->outcome.n_constraints;
  const char **labels = NULL;
  CQ_TRY(CQ_ALLOC(ctx, labels, n_constraints));
  for (int i = 0; i < n_constraints; i++) {
    labels[i] = cq_scene_constraint_label(s->session.scene, i);
  }
  const cq_status status =
      cq_trace_create(ctx, s->session.folder.path, s->outcome.n, n_constraints, labels, &s->trace);
  cq_free(ctx, labels);
  return status;
}

static cq_status run(solve *s) {
  cli_session *const session = &s->session;
  CQ_TRY(cli_outcome_create(session->ctx, session->scene, &s->outcome));
  CQ_TRY(open_trace(s));
  const cq_status status = optimize(s);
  session->run.result = &s->outcome.result;
  session->run.multipliers = s->outcome.multipliers;
  session->run.reason = s->outcome.result.reason;
  const cq_status closed = cq_trace_destroy(s->trace);
  const cq_status reported = report(s, status);
  if (closed != CQ_OK || reported != CQ_OK) {
    return closed != CQ_OK ? closed : reported;
  }
  return status;
}

cq_status cmd_solve(cq_ctx *ctx, const cli_options *options) {
  solve s = {.kept_failure = false};
  CQ_TRY(cli_session_open(ctx, options, "solve",
                          SESSION_FOLDER | SESSION_DESIGN | SESSION_OPTIMIZER, &s.session));
  const cq_status status = cli_session_close(&s.session, run(&s));
  cli_outcome_destroy(&s.outcome);
  return status;
}
