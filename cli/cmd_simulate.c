/* cqopt simulate: one run of a problem at its start. */
#include "cqopt/cqopt.h"
#include "experiments.h"

#include "health.h"
#include "label.h"
#include "options.h"
#include "plot.h"
#include "session.h"
#include "signals.h"
#include "status.h"
#include "style.h"
#include "tear.h"
#include "title.h"

#include <stdlib.h>

typedef struct simulation {
  const cli_session *session;
  double f, *c;
  cli_health health;
  cq_tear tear;
  char reason[CLI_TEAR_REASON];
  bool with_picture, with_trajectory;
} simulation;

static void put_label(FILE *out, const char *label) {
  cli_label_put(out, 2, 32, label);
}

/* Objective and constraints of the run, what was noticed in it, its files. */
static void put_terms(FILE *out, const cli_style *style, void *user) {
  const simulation *const s = user;
  const cli_session *const session = s->session;
  const cq_scene *const scene = session->scene;
  const int n = cq_scene_term_count(scene);
  fprintf(out, "\n%s%-34s  %14s%s\n", style->bold, "Objective", "value", style->end);
  for (int i = 0; i < n; i++) {
    put_label(out, cq_scene_term_label(scene, i));
    fprintf(out, "  %14.6e\n", cq_scene_term_value(scene, i));
  }
  if (n != 1) {
    put_label(out, "sum");
    fprintf(out, "  %14.6e\n", s->f);
  }
  const cq_problem *const problem = cq_scene_problem(scene);
  for (int i = 0; i < problem->n_inequality + problem->n_equality; i++) {
    const cq_constraint_info info = cq_scene_constraint(scene, i, s->c[i]);
    fputs(i == 0 ? "\nConstraints\n" : "", out);
    put_label(out, cq_scene_constraint_label(scene, i));
    fprintf(out, "  %14.6e  %2s %.6e\n", info.value, info.relation, info.bound);
  }
  cli_health_print_contacts(out, style, &s->health);
  cli_tear_print(out, style, scene, &s->tear);
  fprintf(out, "\n%sFiles%s       %s: observations.csv, particles.csv%s%s%s\n", style->bold,
          style->end, session->folder.path, s->with_picture ? ", particles.svg" : "",
          s->with_trajectory ? ", trajectory.xdmf" : "",
          s->health.with_file ? ", adjoint.csv" : "");
}

static void print_terms(FILE *out, const cli_style *style, void *user) {
  cli_style_wrapped(out, style, CLI_HEADING, put_terms, user);
}

/* f and c, and with them the terms */
static cq_status evaluate(simulation *s) {
  const cq_problem *const problem = cq_scene_problem(s->session->scene);
  return problem->eval(problem->data, problem->start, &s->f, s->c, NULL, NULL);
}

/* the motion up to its end, or to where it failed */
static cq_status record(cli_session *session, simulation *s) {
  const cq_scene_info info = cq_scene_information(session->scene);
  const int wanted = session->options->frames;
  const int frames = cq_scene_frame_count(session->scene, wanted);
  const char *const folder = session->folder.path;
  s->with_trajectory = cq_scene_wants_trajectory(session->scene, wanted);
  const unsigned what = CQ_RECORD_TABLES | (s->with_trajectory ? CQ_RECORD_TRAJECTORY : 0U);
  const cq_status status = cq_scene_simulate(session->scene, 0, NULL, folder, wanted, what);
  if (status == CQ_OK || cq_status_is_numeric(status)) {
    s->with_picture = cli_plot_particles(session->ctx, folder, cli_title_of(session->scene), frames,
                                         info.time_step);
  }
  return status;
}

/* The motion first: whatever stops this run then, there are its files. A failure comes a second
 * time in the scene's own simulator, which keeps the state at which it happened. */
static cq_status run_once(cli_session *session, simulation *s) {
  const cq_status recorded = record(session, s);
  if (recorded != CQ_OK && !cq_status_is_numeric(recorded)) {
    return recorded;
  }
  const cq_status status = evaluate(s);
  if (cq_status_is_numeric(status)) {
    cli_session_keep_failure(session);
  }
  CQ_TRY(recorded);
  CQ_TRY(cli_experiments_record(session, NULL, 0, true));
  CQ_TRY(status);
  CQ_TRY(cq_ctx_stop_requested(session->ctx));
  s->tear = cq_scene_tear(session->scene);
  cli_tear_warn(session->ctx, &s->tear);
  CQ_TRY(cli_health_write(session, 0, NULL, &s->health));
  session->run.health = &s->health;
  session->run.tear = &s->tear;
  session->run.reason = s->reason;
  CQ_TRY(cli_style_report(session->ctx, &session->folder, session->options->quiet, print_terms, s));
  return cli_tear_judge(session->scene, &s->tear, CQ_OK, s->reason);
}

static cq_status run(cli_session *session, simulation *s) {
  const cq_problem *const problem = cq_scene_problem(session->scene);
  CQ_TRY(cli_session_begin(session));
  s->c = calloc((size_t)(problem->n_inequality + problem->n_equality) + 1, sizeof *s->c);
  CQ_CHECK(session->ctx, s->c != NULL, CQ_MEMORY, "out of memory");
  const cq_status status = run_once(session, s);
  free(s->c);
  return status;
}

cq_status cmd_simulate(cq_ctx *ctx, const cli_options *options) {
  cli_session session;
  simulation s = {.session = &session};
  CQ_TRY(cli_session_open(ctx, options, "simulate", SESSION_FOLDER, &session));
  char name[256];
  snprintf(name, sizeof name, "%s", cq_scene_name(session.scene));
  cli_signals_begin(ctx);
  const cq_status status = cli_session_close(&session, run(&session, &s));
  cli_signals_end();
  if (options->quiet) {
    printf("%s: %s, %s\n", name, cq_status_text(status), session.folder.path);
  }
  return status;
}
