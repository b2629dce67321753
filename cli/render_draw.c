/* The motion that was asked for, as pictures. */
#include "render_run.h"
#include "render_wanted.h"

#include "alloc.h"
#include "folder.h"
#include "run_read.h"
#include "signals.h"
#include "start.h"
#include "status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct rendering {
  cq_ctx *ctx;
  const cli_options *options;
  cli_render_wanted wanted;
  cli_render_run run;
  char path[CLI_PATH];
} rendering;

static void on_log(void *user, cq_log_level level, const char *line) {
  (void)user;
  if (level != CQ_LOG_INFO) {
    fprintf(stderr, "cqopt: warning: %s\n", line);
  }
}

/* A scene of a run says again what solve has said: nobody listens. */
static cq_status open_run(rendering *r) {
  const cli_options *const o = r->options;
  char path[CLI_PATH];
  snprintf(path, sizeof path, "%s/problem.cfg", o->argument);
  CQ_TRY(cli_run_load(r->ctx, path, &r->run.file));
  r->run.scene = cq_file_scene(r->run.file);
  cq_ctx_set_log(r->ctx, on_log, NULL);
  CQ_TRY(cli_render_read(&r->run, o->argument, r->wanted.take, r->wanted.def.colour, o->frames));
  CQ_CHECK(r->ctx, r->run.motion->def.n_total == cq_scene_information(r->run.scene).particles,
           CQ_IO, "%s: its motion is of another scene than its problem.cfg", o->argument);
  return CQ_OK;
}

/* So many that the times of a sheet are among them; 0: as in the problem file. */
static int recorded_frames(const rendering *r) {
  enum { USUAL = 48 };
  const int steps = r->options->sheet - 1; /* from a frame of the sheet to the next */
  return r->wanted.what != CLI_RENDER_SHEET || steps < 1
             ? r->options->frames
             : steps * (steps < USUAL ? USUAL / steps : 1);
}

static cq_status open_problem(rendering *r, cq_status *ended) {
  const cli_options *const o = r->options;
  cq_ctx_set_log(r->ctx, on_log, NULL);
  CQ_TRY(cq_file_load(r->ctx, o->argument, o->sets, o->n_sets, &r->run.file));
  r->run.scene = cq_file_scene(r->run.file);
  if (o->start != NULL) {
    CQ_TRY(cli_start_apply(r->ctx, r->run.file, o->start));
  }
  return cli_render_record(&r->run, r->wanted.def.colour, recorded_frames(r), ended);
}

static void choose_path(rendering *r) {
  const cli_options *const o = r->options;
  if (o->picture != NULL) {
    snprintf(r->path, sizeof r->path, "%s", o->picture);
  } else if (r->wanted.of_run) {
    snprintf(r->path, sizeof r->path, "%s/render.png", o->argument);
  } else {
    snprintf(r->path, sizeof r->path, "%s.png", cq_scene_name(r->run.scene));
  }
}

/* --- pictures --- */

/* n frames from the first to the last, at even times as far as they were recorded. */
static cq_status spread(const rendering *r, const cq_render *render, int n, int **frames) {
  const cq_motion_take *const take = &r->run.motion->takes[r->run.take];
  CQ_TRY(CQ_ALLOC(r->ctx, *frames, n));
  const double begin = take->time[0], end = take->time[take->n_frames - 1];
  for (int i = 0; i < n; i++) {
    (*frames)[i] = cq_render_frame_at(render, n > 1 ? begin + (end - begin) * i / (n - 1) : end);
  }
  if (n > take->n_frames) {
    cq_log(r->ctx, CQ_LOG_WARNING, "only %d frames were recorded: some are shown twice",
           take->n_frames);
  }
  return CQ_OK;
}

static cq_status write_still(const rendering *r, cq_render *render) {
  const char *const text = r->options->time != NULL ? r->options->time : "last";
  const cq_motion_take *const take = &r->run.motion->takes[r->run.take];
  const double last = take->time[take->n_frames - 1];
  char *end = NULL;
  const double time = strcmp(text, "last") == 0 ? last : strtod(text, &end);
  CQ_CHECK(r->ctx, end == NULL || (end != text && *end == '\0'), CQ_USAGE,
           "option --time wants a time in seconds, or last, not '%s'", text);
  CQ_CHECK(r->ctx, time >= 0.0 && time <= last * (1.0 + 1e-9), CQ_USAGE,
           "--time %s is not in the motion, which lasts from 0 to %g s", text, last);
  const int frame = cq_render_frame_at(render, time);
  return cq_render_file(render, 1, &frame, r->path);
}

static cq_status fill_folder(const rendering *r, cq_render *render, int n, const int *frames) {
  CQ_CHECK(r->ctx, mkdir(r->path, 0777) == 0 || errno == EEXIST, CQ_IO, "%s: %s", r->path,
           strerror(errno));
  for (int i = 0; i < n; i++) {
    char path[CLI_PATH + 32];
    snprintf(path, sizeof path, "%s/frame_%04d.png", r->path, i);
    CQ_TRY(cq_render_file(render, 1, &frames[i], path));
    CQ_TRY(cq_ctx_stop_requested(r->ctx));
  }
  return CQ_OK;
}

/* A sheet, a film or a folder, all of frames spread over the take. */
static cq_status write_many(const rendering *r, cq_render *render) {
  const cli_options *const o = r->options;
  const int recorded = r->run.motion->takes[r->run.take].n_frames;
  const int n = r->wanted.what == CLI_RENDER_SHEET ? o->sheet
                : o->frames > 0                    ? o->frames
                                                   : recorded;
  const double per_second = o->per_second > 0.0 ? o->per_second : 25.0;
  int *frames = NULL;
  cq_status status = spread(r, render, n, &frames);
  if (status == CQ_OK) {
    status = r->wanted.what == CLI_RENDER_SHEET ? cq_render_file(render, n, frames, r->path)
             : r->wanted.what == CLI_RENDER_FILM
                 ? cq_render_film(render, n, frames, per_second, r->path)
                 : fill_folder(r, render, n, frames);
  }
  cq_free(r->ctx, frames);
  return status;
}

/* Drawings of the scene, then the picture or pictures. */
static cq_status draw(rendering *r) {
  cq_render *render = NULL;
  CQ_TRY(cli_render_props(&r->run));
  r->wanted.def.motion = r->run.motion;
  r->wanted.def.take = r->run.take;
  r->wanted.def.props = r->run.props;
  r->wanted.def.n_props = r->run.n_props;
  choose_path(r);
  CQ_TRY(cq_render_create(r->ctx, &r->wanted.def, &render));
  const cq_status status =
      r->wanted.what == CLI_RENDER_STILL ? write_still(r, render) : write_many(r, render);
  cq_render_destroy(render);
  if (status == CQ_OK) {
    printf("%s\n", r->path);
  }
  return status;
}

static cq_status render_all(rendering *r) {
  cq_status ended = CQ_OK;
  CQ_TRY(cli_render_choose(r->ctx, r->options, &r->wanted));
  CQ_TRY(r->wanted.of_run ? open_run(r) : open_problem(r, &ended));
  CQ_TRY(draw(r));
  return ended;
}

cq_status cli_render(cq_ctx *ctx, const cli_options *options) {
  rendering r = {.ctx = ctx, .options = options, .run = {.ctx = ctx}};
  cli_signals_begin(ctx);
  const cq_status status = render_all(&r);
  cli_signals_end();
  cli_render_close(&r.run);
  return status;
}
