/* cqopt render: pictures of a motion. */
#include "cqopt/cqopt.h"

#include "options.h"
#include "status.h"

#ifndef CQ_CAIRO

cq_status cmd_render(cq_ctx *ctx, const cli_options *options) {
  (void)options;
  return CQ_FAIL(ctx, CQ_DEVICE,
                 "this cqopt draws nothing: cairo was not found when it was built; install it "
                 "(Debian: apt install libcairo2-dev) and build again");
}

#else

#  include "alloc.h"
#  include "folder.h"
#  include "nearest.h"
#  include "paint.h"
#  include "render_run.h"
#  include "signals.h"
#  include "start.h"

#  include "camera.h"

#  include <errno.h>
#  include <stdlib.h>
#  include <string.h>
#  include <sys/stat.h>

typedef enum cli_what { STILL, SHEET, FILM, FOLDER } cli_what;

typedef struct rendering {
  cq_ctx *ctx;
  const cli_options *options;
  bool of_run;
  cli_what what;
  const char *take;
  cq_render_def def;
  cli_render_run run;
  char path[CLI_PATH];
} rendering;

/* --- what is wanted --- */

typedef const char *(*name_fn)(int i);

static cq_status want_name(cq_ctx *ctx, const char *option, const char *name, name_fn known) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; known(i) != NULL; i++) {
    if (strcmp(known(i), name) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, known(i));
  }
  return CQ_FAIL(ctx, CQ_USAGE, "%s does not know \"%s\"; %s", option, name,
                 cq_nearest_text(&nearest));
}

static const char *take_name(int i) {
  static const char *const names[] = {"first", "best", "last", NULL};
  return names[i];
}

static const char *any_ending(int i) {
  int stills = 0;
  while (cq_render_ending(stills, false) != NULL) {
    stills++;
  }
  return i < stills ? cq_render_ending(i, false) : cq_render_ending(i - stills, true);
}

static cq_status choose_names(rendering *r) {
  const cli_options *const o = r->options;
  r->def.colour = o->colour != NULL ? o->colour : "body";
  r->take = o->take != NULL ? o->take : "best";
  CQ_TRY(want_name(r->ctx, "--color", r->def.colour, cq_paint_name));
  CQ_TRY(want_name(r->ctx, "--take", r->take, take_name));
  if (o->map != NULL) {
    CQ_TRY(want_name(r->ctx, "--map", o->map, cq_palette_name));
  }
  CQ_CHECK(r->ctx, strcmp(r->def.colour, "body") != 0 || (o->map == NULL && !o->has_range),
           CQ_USAGE, "--map and --range are of a field: give one by --color");
  r->def.azimuth = 30.0;
  r->def.elevation = 20.0;
  CQ_CHECK(r->ctx, o->view == NULL || cq_camera_parse(o->view, &r->def.azimuth, &r->def.elevation),
           CQ_USAGE, "option --view wants AZIMUTH,ELEVATION in degrees, x, y or z, not '%s'",
           o->view);
  return CQ_OK;
}

/* By the ending of --output, --sheet and --frames. */
static cq_status choose_what(rendering *r) {
  const cli_options *const o = r->options;
  const char *const path = o->picture;
  const char *const base = path != NULL && strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *const ending = base != NULL ? strrchr(base, '.') : NULL;
  r->what = path != NULL && cq_render_ends(path, true) ? FILM
            : o->sheet > 0                             ? SHEET
            : o->frames > 0                            ? FOLDER
                                                       : STILL;
  CQ_CHECK(r->ctx, path == NULL || ending != NULL || r->what == FOLDER, CQ_USAGE,
           "--output %s has no ending: give it one of .png, .svg, .pdf, .mp4 and .gif, or --frames "
           "N for a folder of pictures",
           path);
  if (path != NULL && ending != NULL && r->what != FOLDER) {
    CQ_TRY(want_name(r->ctx, "--output", ending, any_ending));
  }
  CQ_CHECK(r->ctx, r->what != FOLDER || (path != NULL && ending == NULL), CQ_USAGE,
           "--frames makes a film (--output FILE.mp4) or fills a folder (--output DIR)");
  CQ_CHECK(r->ctx, o->sheet == 0 || (r->what == SHEET && o->frames == 0 && o->time == NULL),
           CQ_USAGE,
           "--sheet is one picture of many times: it takes no --time, no --frames, no film");
  CQ_CHECK(r->ctx, o->time == NULL || r->what == STILL, CQ_USAGE,
           "--time is of a still: it takes no --frames and no film");
  CQ_CHECK(r->ctx, o->columns == 0 || r->what == SHEET, CQ_USAGE, "--columns needs --sheet");
  CQ_CHECK(r->ctx, o->per_second == 0.0 || r->what == FILM, CQ_USAGE,
           "--fps is of a film (--output FILE.mp4 or .gif)");
  return CQ_OK;
}

static cq_status choose(rendering *r) {
  const cli_options *const o = r->options;
  struct stat info;
  r->of_run = stat(o->argument, &info) == 0 && S_ISDIR(info.st_mode);
  CQ_TRY(choose_names(r));
  CQ_TRY(choose_what(r));
  CQ_CHECK(r->ctx, !r->of_run || (o->n_sets == 0 && o->start == NULL), CQ_USAGE,
           "%s is a run folder, whose motion is recorded: --set, --seed and --design are of a "
           "problem",
           o->argument);
  CQ_CHECK(r->ctx, r->of_run || o->take == NULL, CQ_USAGE,
           "--take is of a run folder; a problem has the motion of its start, or of --design");
  r->def.map = o->map;
  r->def.range = o->has_range ? o->range : NULL;
  r->def.title = o->title;
  r->def.dark = o->dark;
  r->def.width = o->width;
  r->def.height = o->height;
  r->def.columns = o->columns;
  return CQ_OK;
}

/* --- what there is --- */

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
  CQ_TRY(cq_scene_load(r->ctx, path, NULL, 0, &r->run.scene));
  CQ_TRY(cli_render_read(&r->run, o->argument, r->take, r->def.colour, o->frames));
  CQ_CHECK(r->ctx, r->run.motion->def.n_total == cq_scene_information(r->run.scene).particles,
           CQ_IO, "%s: its motion is of another scene than its problem.cfg", o->argument);
  return CQ_OK;
}

/* So many that the times of a sheet are among them; 0: as in the problem file. */
static int recorded_frames(const rendering *r) {
  enum { USUAL = 48 };
  const int steps = r->options->sheet - 1; /* from a frame of the sheet to the next */
  return r->what != SHEET || steps < 1 ? r->options->frames
                                       : steps * (steps < USUAL ? USUAL / steps : 1);
}

static cq_status open_problem(rendering *r, cq_status *ended) {
  const cli_options *const o = r->options;
  cq_ctx_set_log(r->ctx, on_log, NULL);
  CQ_TRY(cq_scene_load(r->ctx, o->argument, o->sets, o->n_sets, &r->run.scene));
  if (o->start != NULL) {
    CQ_TRY(cli_start_apply(r->ctx, r->run.scene, o->start));
  }
  return cli_render_record(&r->run, r->def.colour, recorded_frames(r), ended);
}

static void choose_path(rendering *r) {
  const cli_options *const o = r->options;
  if (o->picture != NULL) {
    snprintf(r->path, sizeof r->path, "%s", o->picture);
  } else if (r->of_run) {
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

static cq_status write_many(const rendering *r, cq_render *render) {
  const cli_options *const o = r->options;
  const int recorded = r->run.motion->takes[r->run.take].n_frames;
  const int n = r->what == SHEET ? o->sheet : o->frames > 0 ? o->frames : recorded;
  const double per_second = o->per_second > 0.0 ? o->per_second : 25.0;
  int *frames = NULL;
  cq_status status = spread(r, render, n, &frames);
  if (status == CQ_OK) {
    status = r->what == SHEET  ? cq_render_file(render, n, frames, r->path)
             : r->what == FILM ? cq_render_film(render, n, frames, per_second, r->path)
                               : fill_folder(r, render, n, frames);
  }
  cq_free(r->ctx, frames);
  return status;
}

static cq_status draw(rendering *r) {
  cq_render *render = NULL;
  CQ_TRY(cli_render_props(&r->run));
  r->def.motion = r->run.motion;
  r->def.take = r->run.take;
  r->def.props = r->run.props;
  r->def.n_props = r->run.n_props;
  choose_path(r);
  CQ_TRY(cq_render_create(r->ctx, &r->def, &render));
  const cq_status status = r->what == STILL ? write_still(r, render) : write_many(r, render);
  cq_render_destroy(render);
  if (status == CQ_OK) {
    printf("%s\n", r->path);
  }
  return status;
}

static cq_status render_all(rendering *r) {
  cq_status ended = CQ_OK;
  CQ_TRY(choose(r));
  CQ_TRY(r->of_run ? open_run(r) : open_problem(r, &ended));
  CQ_TRY(draw(r));
  return ended;
}

cq_status cmd_render(cq_ctx *ctx, const cli_options *options) {
  rendering r = {.ctx = ctx, .options = options, .run = {.ctx = ctx}};
  cli_signals_begin(ctx);
  const cq_status status = render_all(&r);
  cli_signals_end();
  cli_render_close(&r.run);
  return status;
}

#endif
