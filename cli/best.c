#include "best.h"

#include "aside.h"
#include "experiments.h"
#include "report.h"
#include "signals.h"
#include "status.h"
#include "tear.h"

/* The trajectory of the best design without the page's runs beside it; what 0: for its tears. */
static cq_status record_alone(cli_session *session, const cli_design *best, unsigned what,
                              bool *written, cq_tear *tear) {
  cq_ctx *const ctx = session->ctx;
  cq_scene *const scene = session->scene;
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  cli_folder_deafen(&session->folder, true);
  const cq_status status =
      cq_scene_simulate(scene, best->refinement, best->x, session->folder.path, 0, what);
  cli_folder_deafen(&session->folder, false);
  *written = status == CQ_OK;
  if (status == CQ_IO) {
    return status;
  }
  if (status != CQ_OK) {
    char why[256];
    cli_aside_take_error(ctx, was_clean, status, why);
    cq_log(ctx, CQ_LOG_WARNING, "no motion of the best design: %s", why);
  }
  cli_tear_find(ctx, scene, best, &session->folder, tear);
  return CQ_OK;
}

/* With a page the film's run writes the trajectory, too; without one a run of its own does. */
cq_status cli_best_record(cli_session *session, const char *record, int best, bool ends,
                          bool *written, cq_tear *tear) {
  cq_ctx *const ctx = session->ctx;
  const char *const to = session->folder.path;
  const bool page = cq_scene_information(session->scene).report;
  const bool trajectory = cq_scene_wants_trajectory(session->scene, 0);
  const unsigned what = trajectory ? CQ_RECORD_TRAJECTORY : 0U;
  cli_evals evals;
  bool recorded = false;
  *written = false;
  *tear = (cq_tear){.struct_size = sizeof *tear, .scenario = -1};
  CQ_TRY(cli_evals_read(ctx, session->scene, record, best, &evals));
  const cq_status status = page ? cli_report_film(ctx, session->scene, &evals, &session->folder, to,
                                                  what, ends, &recorded, tear)
                                : record_alone(session, &evals.best, what, &recorded, tear);
  cli_tear_warn(ctx, tear);
  const bool films = page || trajectory;
  cq_status experiments = CQ_OK;
  if (status == CQ_OK && films && evals.best.index > 0) {
    experiments = cli_experiments_record(session, evals.best.x, evals.best.refinement, false);
  }
  *written = recorded && trajectory;
  cli_evals_free(&evals);
  return status != CQ_OK ? status : experiments;
}

static bool wants_motion(const cq_scene *scene) {
  return cq_scene_information(scene).report || cq_scene_wants_trajectory(scene, 0);
}

/* What was asked for is over by now, so that a new signal is meant for this. */
void cli_best_record_late(cli_session *session, cq_status status, const char *record, int best,
                          bool *written) {
  cq_ctx *const ctx = session->ctx;
  const bool stopped = cq_ctx_stop_requested(ctx) != CQ_OK;
  *written = false;
  if (!wants_motion(session->scene) || cli_session_end(session, status) != CQ_OK) {
    return;
  }
  if (stopped && !session->options->quiet) {
    printf("\nThe motion of the best design so far is recorded; another signal leaves it out.\n");
    fflush(stdout);
  }
  cq_ctx_request_stop(ctx, CQ_OK);
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  cq_tear unused;
  const cq_status recorded = cli_best_record(session, record, best, !stopped, written, &unused);
  if (recorded != CQ_OK) {
    char why[256];
    cli_aside_take_error(ctx, was_clean, recorded, why);
    cq_log(ctx, CQ_LOG_WARNING, "no motion of the best design: %s", why);
  }
}
