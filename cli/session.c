#include "session.h"

#include "alloc.h"
#include "fresh.h"
#include "machine.h"
#include "plural.h"
#include "report.h"
#include "resume.h"
#include "start.h"
#include "status.h"
#include "style.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* What is about to be run, on what, and where its files will be. */
static void put_header(FILE *out, const cli_style *style, void *user) {
  const cli_session *const session = user;
  const cli_device device = cli_device_of(session->scene);
  const int threads = cq_ctx_threads(session->ctx);
  (void)style;
  cli_text_describe(session->file, out);
  if (device.is_gpu) {
    fprintf(out, "  device: %s (CUDA), compute capability %s\n", device.name, device.level);
  } else {
    fprintf(out, "  device: CPU (%s), %s, %d thread%s\n", device.name, device.level, threads,
            cq_plural(threads));
  }
  if (session->has_folder) {
    fprintf(out, "Run folder: %s\n", session->folder.path);
  }
}

static void print_header(FILE *out, const cli_style *style, void *session) {
  cli_style_wrapped(out, style, 4, put_header, session);
}

cq_status cli_session_want_design(cq_ctx *ctx, const cq_scene *scene) {
  const cq_problem *const problem = cq_scene_problem(scene);
  char place[CLI_PATH];
  cq_scene_section_place(scene, "design", place, sizeof place);
  CQ_CHECK(ctx, problem->n > 0, CQ_CONFIG,
           "%s: %s has no design variables: give it a design section, or use 'cqopt simulate'",
           place, cq_scene_name(scene));
  CQ_CHECK(ctx,
           cq_scene_term_count(scene) > 0 || problem->n_inequality > 0 || problem->n_equality > 0,
           CQ_CONFIG,
           "%s: %s has design variables but no objective and no constraints; add  objective = ( { "
           "term = ...; } );",
           place, cq_scene_name(scene));
  return CQ_OK;
}

static cq_status want_gradient(cq_ctx *ctx, const cq_scene *scene) {
  const cq_problem *const problem = cq_scene_problem(scene);
  CQ_CHECK(ctx, problem->gradient != CQ_GRADIENT_NONE, CQ_CONFIG,
           "%s has no gradient%s%s; simulation.gradient chooses one of those that its "
           "engine has",
           cq_scene_name(scene), problem->no_gradient != NULL ? ": " : "",
           problem->no_gradient != NULL ? problem->no_gradient : "");
  return CQ_OK;
}

cq_status cli_session_write(cli_session *session) {
  CQ_TRY(cli_folder_write(&session->folder, "problem.cfg", cli_text_resolved, session->file));
  return cli_run_write(&session->run, &session->folder);
}

cq_status cli_session_begin(cli_session *session) {
  if (session->has_folder) {
    CQ_TRY(cli_session_write(session));
  }
  return cli_style_report(session->ctx, session->has_folder ? &session->folder : NULL,
                          session->options->quiet, print_header, session);
}

/* Loads, and refuses at once what the command cannot do with it. */
static cq_status open_scene(cli_session *session, unsigned needs) {
  const cli_options *const options = session->options;
  cq_ctx *const ctx = session->ctx;
  if (session->resumed) {
    CQ_TRY(cli_resume_load(ctx, options, &session->file));
  } else {
    CQ_TRY(cq_file_load(ctx, options->argument, options->sets, options->n_sets, &session->file));
  }
  session->scene = cq_file_scene(session->file);
  if (options->start != NULL) {
    CQ_TRY(cli_start_apply(ctx, session->file, options->start));
  }
  if ((needs & SESSION_DESIGN) != 0) {
    CQ_TRY(cli_session_want_design(ctx, session->scene));
  }
  if ((needs & SESSION_GRADIENT) != 0) {
    CQ_TRY(want_gradient(ctx, session->scene));
  }
  return (needs & SESSION_OPTIMIZER) != 0
             ? cq_optimizer_accepts(ctx, cq_scene_optimizer(session->scene),
                                    cq_scene_problem(session->scene))
             : CQ_OK;
}

/* --resume, --output, or a new folder below ./results */
static cq_status open_folder(cli_session *session) {
  const cli_options *const options = session->options;
  if (!session->resumed) {
    return cli_folder_create(&session->folder, options->output, cq_scene_name(session->scene));
  }
  CQ_TRY(cli_resume_check(session->ctx, options, session->file, &session->run));
  return cli_folder_reopen(&session->folder, options->resume);
}

static cq_status open_parts(cli_session *session, const char *command, unsigned needs) {
  CQ_CHECK(session->ctx, session->resumed || !session->options->allow_diverge, CQ_USAGE,
           "--allow-diverge needs --resume");
  CQ_TRY(open_scene(session, needs));
  session->run =
      cli_run_begin(command, session->ctx, session->file, session->scene, session->options);
  return session->has_folder ? open_folder(session) : CQ_OK;
}

cq_status cli_session_open(cq_ctx *ctx, const cli_options *options, const char *command,
                           unsigned needs, cli_session *session) {
  *session = (cli_session){.ctx = ctx,
                           .options = options,
                           .has_folder = (needs & SESSION_FOLDER) != 0,
                           .resumed = options->resume != NULL};
  cli_folder_listen(ctx, options->quiet, &session->folder);
  const cq_status status = open_parts(session, command, needs);
  if (status != CQ_OK) {
    cli_folder_close(&session->folder);
    cq_file_destroy(session->file);
  }
  return status;
}

/* A file and its sets in the place of what is loaded. */
static cq_status replace_file(cli_session *session, const char *name, const char *const *sets,
                              int n_sets, const char *start) {
  cq_file *file = NULL;
  CQ_TRY(cq_file_load(session->ctx, name, sets, n_sets, &file));
  cq_file_destroy(session->file);
  session->file = file;
  session->scene = cq_file_scene(file);
  const cli_run was = session->run;
  session->run = cli_run_begin(was.command, session->ctx, file, session->scene, session->options);
  memcpy(session->run.started, was.started, sizeof was.started);
  session->run.resumed = was.resumed;
  return cli_start_apply(session->ctx, file, start);
}

cq_status cli_session_reload(cli_session *session, const char *set, const char *start) {
  const cli_options *const o = session->options;
  const char **sets = NULL;
  char path[CLI_PATH];
  cli_folder_path(&session->folder, "problem.cfg", path, sizeof path);
  CQ_TRY(CQ_ALLOC(session->ctx, sets, o->n_sets + 1));
  memcpy(sets, o->sets, (size_t)o->n_sets * sizeof *sets);
  sets[o->n_sets] = set;
  cli_folder_deafen(&session->folder, true);
  const cq_status status =
      replace_file(session, session->resumed ? path : o->argument, sets, o->n_sets + 1, start);
  cli_folder_deafen(&session->folder, false);
  cq_free(session->ctx, sets);
  return status;
}

bool cli_session_has_result(cq_status status) {
  return status == CQ_OK || status == CQ_BUDGET || status == CQ_INFEASIBLE ||
         status == CQ_NOT_STATIONARY || status == CQ_FLAT || status == CQ_TORN ||
         status == CQ_OPTIMIZER || status == CQ_VERIFICATION;
}

/* Whether a run whose method had come to its end could not do what is to be done then: that is how
 * it ended. */
static bool is_failure(const cli_session *session, cq_status status) {
  return (status == CQ_IO || status == CQ_MEMORY) && cq_ctx_status(session->ctx) == status &&
         cq_ctx_error(session->ctx)[0] != '\0';
}

cq_status cli_session_end(cli_session *session, cq_status status) {
  cli_run *const run = &session->run;
  if (!session->has_folder || (run->finished && run->status == status)) {
    return CQ_OK;
  }
  run->finished = true;
  run->status = status;
  if (run->reason == NULL || is_failure(session, status)) {
    run->reason = status == CQ_OK ? "" : cq_ctx_error(session->ctx);
    cli_folder_log(&session->folder, run->reason);
  }
  return cli_run_write(run, &session->folder);
}

cq_status cli_session_report(cli_session *session, cq_status status) {
  if (!session->has_folder || !cq_scene_information(session->scene).report) {
    return status;
  }
  cq_status written = cli_session_end(session, status);
  if (written == CQ_OK) {
    written = cli_report_ended(session->ctx, session->folder.path, session->scene);
  }
  return written != CQ_OK && cli_session_has_result(status) ? written : status;
}

cq_status cli_session_close(cli_session *session, cq_status status) {
  cq_status written = cli_session_end(session, status);
  const cq_status closed = cli_folder_close(&session->folder);
  if (session->has_folder) {
    cq_fresh_sweep(
        session->folder.path); /* what a process before this one still held at the start */
  }
  cq_file_destroy(session->file);
  written = written != CQ_OK ? written : closed;
  return written != CQ_OK && cli_session_has_result(status) ? written : status;
}

void cli_session_keep_failure(cli_session *session) {
  char path[CLI_PATH];
  cli_folder_path(&session->folder, "failed_state.csv", path, sizeof path);
  if (cq_scene_write_failed_state(session->scene, path) == CQ_OK) {
    cq_log(session->ctx, CQ_LOG_WARNING, "the state at which it stopped is in %s", path);
  } else {
    cq_log(session->ctx, CQ_LOG_WARNING, "%s could not be written", path);
  }
}
