#include "experiments.h"

#include "aside.h"
#include "label.h"
#include "status.h"
#include "text.h"

/* --- the objective in each -------------------------------------------------------------------- */

static double sum(const double *terms, int count) {
  double f = 0.0;
  for (int i = 0; i < count; i++) {
    f += terms[i];
  }
  return f;
}

void cli_experiments_print(FILE *out, const cli_style *style, const cli_outcome *o) {
  const int count = cq_scene_experiment_count(o->scene);
  int first = 0;
  if (count == 0) {
    return;
  }
  fprintf(out, "\n%s%-*s %12s %12s %12s%s\n", style->bold, CLI_LABEL_COLUMN + 2,
          "In each experiment", "start", "best", "residuals", style->end);
  for (int k = 0; k < count; k++) {
    const cq_experiment_info e = cq_scene_experiment(o->scene, k);
    cli_label_put(out, 2, CLI_LABEL_COLUMN, e.name);
    fprintf(out, " %12.5e %12.5e", sum(o->terms_start + first, e.terms),
            sum(o->terms_best + first, e.terms));
    if (e.residuals > 0) {
      fprintf(out, " %12d", e.residuals);
    }
    fputc('\n', out);
    first += e.terms;
  }
}

/* --- motions ---------------------------------------------------------------------------------- */

static cq_status film(cq_scene *scene, int refinement, bool tables, int frames, const char *to) {
  const unsigned what =
      (cq_scene_wants_trajectory(scene, frames) ? (unsigned)CQ_RECORD_TRAJECTORY : 0U) |
      (tables ? (unsigned)CQ_RECORD_TABLES : 0U);
  cq_film *film = NULL;
  CQ_TRY(cq_film_create(scene, &film));
  cq_status status = cq_scene_film(scene, refinement, NULL, to, frames, what, film);
  if (status == CQ_OK) {
    cq_film_label(film, "best");
    status = cq_film_write(film, to);
  }
  cq_film_destroy(film);
  return status;
}

/* Experiment k as a file of its own: its text, and a run at its start. */
static cq_status record_one(cli_session *session, const double *x, int refinement, bool tables,
                            int k) {
  const cq_experiment_info e = cq_scene_experiment(session->scene, k);
  char name[CLI_PATH / 2], config[CLI_PATH], to[CLI_PATH];
  const int frames = tables ? session->options->frames : 0;
  cq_file *alone = NULL;
  snprintf(name, sizeof name, "experiments/%s", e.name);
  snprintf(config, sizeof config, "%s/problem.cfg", name);
  cli_folder_path(&session->folder, name, to, sizeof to);
  CQ_TRY(cli_folder_make(&session->folder, name));
  const int n = cq_scene_problem(session->scene)->n;
  CQ_TRY(cq_file_experiment_alone(session->file, k, x, n, &alone));
  cq_status status = cli_folder_write(&session->folder, config, cli_text_resolved, alone);
  status = status == CQ_OK ? film(cq_file_scene(alone), refinement, tables, frames, to) : status;
  cq_file_destroy(alone);
  return status;
}

cq_status cli_experiments_record(cli_session *session, const double *x, int refinement,
                                 bool tables) {
  cq_ctx *const ctx = session->ctx;
  const int count = cq_scene_experiment_count(session->scene);
  if (count > 0) {
    CQ_TRY(cli_folder_make(&session->folder, "experiments"));
  }
  for (int k = 0; k < count && cq_ctx_stop_requested(ctx) == CQ_OK; k++) {
    const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
    cli_folder_deafen(&session->folder, true);
    const cq_status status = record_one(session, x, refinement, tables, k);
    cli_folder_deafen(&session->folder, false);
    if (status == CQ_IO) {
      return status;
    }
    if (status != CQ_OK) {
      char why[256];
      cli_aside_take_error(ctx, was_clean, status, why);
      cq_log(ctx, CQ_LOG_WARNING, "no motion of experiment %s: %s",
             cq_scene_experiment(session->scene, k).name, why);
    }
  }
  return CQ_OK;
}
