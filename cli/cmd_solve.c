/* cqopt solve: optimizes a problem and leaves a run folder. */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "aside.h"
#include "best.h"
#include "estimate.h"
#include "fresh.h"
#include "multistart.h"
#include "options.h"
#include "outcome.h"
#include "plot.h"
#include "plural.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "residuals.h"
#include "session.h"
#include "signals.h"
#include "stages.h"
#include "status.h"
#include "summary.h"
#include "tear.h"
#include "title.h"
#include "uncertainty.h"

#include <math.h>
#include <string.h>

typedef struct solve {
  cli_session session;
  const cli_share *share;
  cli_ranks *ranks; /* the others; NULL: there are none */
  cli_outcome outcome;
  cli_progress progress;
  cli_half_step half_step;
  cli_health health;
  cq_tear tear;
  cli_inactive inactive;
  cq_solve *solve;
  cli_uncertainty uncertainty;
  double *terms; /* [n_values of outcome] of the evaluation at hand */
  bool kept_failure, with_trajectory;
  double *x;
} solve;

/* the first failure is the one whose state is kept */
static void note_failure(solve *s, const cq_evaluation *evaluation) {
  cq_ctx *const ctx = s->session.ctx;
  const char *const error = cq_ctx_error(ctx);
  cq_log(ctx, CQ_LOG_WARNING, "evaluation %d failed: %s", evaluation->index,
         error[0] != '\0' ? error : cq_status_text(evaluation->status));
  if (!s->kept_failure) {
    cli_session_keep_failure(&s->session);
    s->kept_failure = true;
  }
}

/* Then every design may take that, and the steps of the file are wrong. */
static void warn_of_start(const solve *s, const cq_evaluation *e) {
  if (e->index == 1 && e->refinement > 0 && !e->replayed) {
    cq_log(s->session.ctx, CQ_LOG_WARNING,
           "the start is simulated in steps of 1/%d of simulation.time_step, in longer ones it "
           "fails: lower it (and raise simulation.steps), or each evaluation tries them in vain",
           1 << e->refinement);
  }
}

/* It is on the disk: to all who take notes, then to the screen. */
static cq_status on_evaluation(void *user, const cq_evaluation *e) {
  solve *const s = user;
  cli_outcome *const o = &s->outcome;
  cli_outcome_terms(o, e, s->terms);
  cli_outcome_note(o, e, s->terms);
  cli_health_note(&s->health, s->session.scene, e);
  cli_inactive_note(&s->inactive, e);
  warn_of_start(s, e);
  if (e->status != CQ_OK && !e->replayed) {
    note_failure(s, e);
  }
  cli_progress_show(&s->progress, e, o, s->terms);
  return CQ_OK;
}

/* The verdict may have preferred another evaluation to the best by f, and a run that goes on one
 * that its record has behind its end. */
static cq_status find_best(solve *s) {
  cq_ctx *const ctx = s->session.ctx;
  cq_trace_reader *reader = NULL;
  const cq_evaluation *e = NULL;
  char bin[CLI_PATH];
  if (s->outcome.result.best_index == s->outcome.best_index) {
    return CQ_OK;
  }
  cli_folder_path(&s->session.folder, "evals.bin", bin, sizeof bin);
  CQ_TRY(cq_trace_open(ctx, bin, &reader));
  cq_status status = cq_trace_next(reader, &e);
  while (status == CQ_OK && e != NULL) {
    if (e->index == s->outcome.result.best_index && e->status == CQ_OK) {
      cli_outcome_terms(&s->outcome, e, s->terms);
      cli_outcome_set_best(&s->outcome, e, s->terms);
    }
    status = cq_trace_next(reader, &e);
  }
  cq_trace_close(reader);
  return status;
}

/* The method, with signals and the screen set up for it. */
static cq_status optimize(solve *s) {
  cq_ctx *const ctx = s->session.ctx;
  const cli_options *const options = s->session.options;
  s->progress =
      cli_progress_begin(options->quiet ? NULL : stdout, options->progress, s->session.scene);
  s->session.folder.aside = cli_progress_end;
  s->session.folder.aside_user = &s->progress;
  cli_signals_begin(ctx);
  cq_ctx_set_pace(ctx, s->progress.live ? cli_progress_tick : NULL, &s->progress);
  s->outcome.result.struct_size = sizeof s->outcome.result;
  const cq_status status =
      cq_solve_run(s->solve, on_evaluation, s, s->x, s->outcome.n, &s->outcome.result);
  cq_ctx_set_pace(ctx, NULL, NULL);
  cli_progress_end(&s->progress);
  cq_solve_multipliers(s->solve, s->outcome.multipliers, s->outcome.n_constraints);
  CQ_TRY(find_best(s));
  return status;
}

/* all that a quiet run says, when it is known what became of its files */
static void print_outcome(const char *name, const char *folder, const cli_outcome *o,
                          cq_status status) {
  printf("%s: %s", name, cli_summary_word(status, o->result.reached_target));
  if (o->result.has_point) {
    printf(", f = %.6g, violation %.3g", o->result.f, o->result.violation);
  }
  printf(", %d evaluation%s, %s\n", o->result.evaluations, cq_plural(o->result.evaluations),
         folder);
}

/* The tables and pictures; the status of the run unless they could not be written. */
static cq_status report(solve *s, cq_status status) {
  cli_session *const session = &s->session;
  const cli_outcome *const o = &s->outcome;
  CQ_TRY(cli_folder_write(&session->folder, "design.csv", cli_outcome_write_design, &s->outcome));
  if (s->uncertainty.of != NULL) {
    CQ_TRY(cli_folder_write(&session->folder, "uncertainty.csv", cli_uncertainty_write,
                            &s->uncertainty));
    CQ_TRY(
        cli_folder_write(&session->folder, "residuals.csv", cli_residuals_write, &s->uncertainty));
  }
  cli_summary summary = {.outcome = o,
                         .half_step = &s->half_step,
                         .health = &s->health,
                         .tear = &s->tear,
                         .inactive = &s->inactive,
                         .uncertainty = &s->uncertainty,
                         .folder = &session->folder,
                         .status = status,
                         .with_failure = s->kept_failure,
                         .with_trajectory = s->with_trajectory};
  if (o->result.has_point) {
    const double tolerance = cq_scene_optimizer(session->scene)->constraint_tolerance;
    summary.with_picture =
        cli_plot_convergence(session->ctx, session->folder.path, cli_title_of(session->scene),
                             o->n_constraints > 0 ? tolerance : NAN);
  }
  CQ_TRY(cli_style_report(session->ctx, &session->folder, session->options->quiet,
                          cli_summary_print, &summary));
  if (!session->options->quiet && cq_status_is_numeric(status)) {
    /* the outcome has said it */
    cq_ctx_clear_error(session->ctx);
  }
  return status;
}

/* What takes notes, and the record, new or that of the run that goes on. */
static cq_status prepare(solve *s) {
  cli_session *const session = &s->session;
  cq_ctx *const ctx = session->ctx;
  CQ_TRY(cli_outcome_create(ctx, session->scene, &s->outcome));
  CQ_TRY(cli_inactive_create(ctx, session->scene, &s->inactive));
  CQ_TRY(CQ_ALLOC(ctx, s->x, s->outcome.n));
  CQ_TRY(CQ_ALLOC(ctx, s->terms, s->outcome.n_values));
  const unsigned how = !session->resumed                 ? 0U
                       : session->options->allow_diverge ? CQ_SOLVE_RESUME | CQ_SOLVE_DIVERGE
                                                         : CQ_SOLVE_RESUME;
  const cq_status status = cq_solve_create(session->file, session->folder.path, how, &s->solve);
  if (status != CQ_OK && session->resumed) {
    session->has_folder = false; /* it is not ours to write in: another process does */
  } else if (session->resumed) {
    cq_fresh_sweep(session->folder.path);
  }
  return status;
}

/* The method, then what is simulated aside of its best design, then the report. */
static cq_status run(solve *s) {
  cli_session *const session = &s->session;
  CQ_TRY(prepare(s));
  CQ_TRY(cli_session_begin(session));
  CQ_TRY(session->resumed ? CQ_OK : cli_estimate_say(session));
  CQ_TRY(cli_ranks_begin(session, s->share, true, &s->ranks));
  cq_status status = optimize(s);
  session->run.result = &s->outcome.result;
  session->run.multipliers = s->outcome.multipliers;
  session->run.reason = s->outcome.result.reason;
  session->run.half_step = &s->half_step;
  session->run.health = &s->health;
  session->run.inactive = &s->inactive;
  session->run.uncertainty = &s->uncertainty;
  const bool can_record = s->outcome.result.has_point;
  if (can_record && !cli_session_has_result(status)) {
    CQ_TRY(cli_folder_write(&session->folder, "design.csv", cli_outcome_write_design, &s->outcome));
    cli_best_record_late(session, status, session->folder.path, s->outcome.best_index,
                         &s->with_trajectory);
  } else if (can_record) {
    s->half_step = cli_half_step_simulate(session, &s->outcome);
    cli_inactive_find(session, &s->outcome, &s->inactive);
    cli_uncertainty_find(session, &s->outcome, &s->uncertainty);
    status = cli_uncertainty_judge(&s->uncertainty, &s->outcome.result, status);
    CQ_TRY(cli_health_finish(session, &s->outcome, &s->health));
    CQ_TRY(cli_best_record(session, session->folder.path, s->outcome.best_index,
                           !cli_aside_exceeds_time(&s->outcome), &s->with_trajectory, &s->tear));
    session->run.tear = &s->tear;
    status = cli_tear_judge(session->scene, &s->tear, status, s->outcome.result.reason);
    s->outcome.result.status = status;
  }
  return report(s, status);
}

static cq_status close_all(solve *s, cq_status status) {
  cq_ctx *const ctx = s->session.ctx;
  cli_ranks_end(s->ranks);
  const cq_status closed = cq_solve_close(s->solve);
  status = cli_session_close(&s->session,
                             cli_session_report(&s->session, closed != CQ_OK ? closed : status));
  cq_free(ctx, s->x);
  cq_free(ctx, s->terms);
  cli_inactive_destroy(&s->inactive);
  cli_uncertainty_destroy(ctx, &s->uncertainty);
  return status;
}

static cq_status finish(solve *s, cq_status status) {
  char name[256];
  const bool tells = s->session.options->quiet && s->session.run.result != NULL;
  snprintf(name, sizeof name, "%s", cq_scene_name(s->session.scene));
  status = close_all(s, status);
  if (tells) {
    print_outcome(name, s->session.folder.path, &s->outcome, status);
  }
  cli_outcome_destroy(&s->outcome);
  return status;
}

/* From one start: its stages, then the file as it is. */
static cq_status solve_alone(solve *s) {
  const cq_status status = cli_stages_run(&s->session, s->share, cmd_solve);
  return finish(s, status == CQ_OK ? run(s) : status);
}

cq_status cmd_solve(cq_ctx *ctx, const cli_options *options) {
  solve s = {.solve = NULL};
  cli_share share;
  CQ_TRY(cli_share_read_solve(ctx, options, &share));
  if (share.place > 0) {
    return cli_rank_solve(ctx, options, &share);
  }
  CQ_TRY(cli_ranks_check(ctx, options, &share));
  s.share = &share;
  CQ_TRY(cli_session_open(ctx, options, "solve",
                          SESSION_FOLDER | SESSION_DESIGN | SESSION_OPTIMIZER, &s.session));
  bool multistart = false;
  cq_status status = cli_multistart_wanted(&s.session, &multistart);
  if (status != CQ_OK) {
    s.session.has_folder = false; /* of a run that cannot go on */
    return cli_session_close(&s.session, status);
  }
  status = multistart ? cli_multistart(&s.session, &share) : solve_alone(&s);
  cli_share_close(&share);
  cli_signals_end(); /* a second signal must not cut off what the first one had saved */
  return status;
}
