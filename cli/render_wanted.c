#include "render_wanted.h"

#include "camera.h"
#include "nearest.h"
#include "paint.h"
#include "status.h"

#include <string.h>
#include <sys/stat.h>

typedef const char *(*name_fn)(int i);

/* Puts the known name in place of one in another case. */
static cq_status want_name(cq_ctx *ctx, const char *option, const char **name, name_fn known) {
  cq_nearest nearest = cq_nearest_begin(*name);
  for (int i = 0; known(i) != NULL; i++) {
    if (cq_same_word(known(i), *name)) {
      *name = known(i);
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, known(i));
  }
  return CQ_FAIL(ctx, CQ_USAGE, "%s does not know \"%s\"; %s", option, *name,
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

/* Words of the options, each of which must be known. */
static cq_status choose_names(cq_ctx *ctx, const cli_options *o, cli_render_wanted *r) {
  r->def.colour = o->colour != NULL ? o->colour : "body";
  r->take = o->take != NULL ? o->take : "best";
  CQ_TRY(want_name(ctx, "--take", &r->take, take_name));
  r->def.map = o->map;
  if (o->map != NULL) {
    CQ_TRY(want_name(ctx, "--map", &r->def.map, cq_palette_name));
  }
  CQ_CHECK(ctx, !cq_same_word(r->def.colour, "body") || (o->map == NULL && !o->has_range), CQ_USAGE,
           "--map and --range are of a field: give one by --color");
  r->def.azimuth = 30.0;
  r->def.elevation = 20.0;
  CQ_CHECK(ctx, o->view == NULL || cq_camera_parse(o->view, &r->def.azimuth, &r->def.elevation),
           CQ_USAGE, "option --view wants AZIMUTH,ELEVATION in degrees, x, y or z, not '%s'",
           o->view);
  return CQ_OK;
}

/* By the ending of --output, --sheet and --frames. */
static cq_status choose_what(cq_ctx *ctx, const cli_options *o, cli_render_wanted *r) {
  const char *const path = o->picture;
  const char *const base = path != NULL && strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *const ending = base != NULL ? strrchr(base, '.') : NULL;
  r->what = path != NULL && cq_render_ends(path, true) ? CLI_RENDER_FILM
            : o->sheet > 0                             ? CLI_RENDER_SHEET
            : o->frames > 0                            ? CLI_RENDER_FOLDER
                                                       : CLI_RENDER_STILL;
  CQ_CHECK(ctx, path == NULL || ending != NULL || r->what == CLI_RENDER_FOLDER, CQ_USAGE,
           "--output %s has no ending: give it one of .png, .svg, .pdf, .mp4 and .gif, or --frames "
           "N for a folder of pictures",
           path);
  if (path != NULL && ending != NULL && r->what != CLI_RENDER_FOLDER) {
    const char *known = ending;
    CQ_TRY(want_name(ctx, "--output", &known, any_ending));
    CQ_CHECK(ctx, strcmp(known, ending) == 0, CQ_USAGE,
             "--output does not know \"%s\"; did you mean \"%s\"?", ending, known);
  }
  CQ_CHECK(ctx, r->what != CLI_RENDER_FOLDER || (path != NULL && ending == NULL), CQ_USAGE,
           "--frames makes a film (--output FILE.mp4) or fills a folder (--output DIR)");
  CQ_CHECK(ctx, o->sheet == 0 || (r->what == CLI_RENDER_SHEET && o->frames == 0 && o->time == NULL),
           CQ_USAGE,
           "--sheet is one picture of many times: it takes no --time, no --frames, no film");
  CQ_CHECK(ctx, o->time == NULL || r->what == CLI_RENDER_STILL, CQ_USAGE,
           "--time is of a still: it takes no --frames and no film");
  CQ_CHECK(ctx, o->columns == 0 || r->what == CLI_RENDER_SHEET, CQ_USAGE,
           "--columns needs --sheet");
  CQ_CHECK(ctx, o->per_second == 0.0 || r->what == CLI_RENDER_FILM, CQ_USAGE,
           "--fps is of a film (--output FILE.mp4 or .gif)");
  return CQ_OK;
}

/* What is drawn and of what; some options go with a run folder alone, others with a problem. */
cq_status cli_render_choose(cq_ctx *ctx, const cli_options *o, cli_render_wanted *r) {
  *r = (cli_render_wanted){.what = CLI_RENDER_STILL};
  struct stat info;
  r->of_run = stat(o->argument, &info) == 0 && S_ISDIR(info.st_mode);
  CQ_TRY(choose_names(ctx, o, r));
  CQ_TRY(choose_what(ctx, o, r));
  CQ_CHECK(
      ctx, !r->of_run || (o->n_sets == 0 && o->start == NULL), CQ_USAGE,
      "%s is a run folder, whose motion is recorded: --set, --device, --seed and --design are of a "
      "problem",
      o->argument);
  CQ_CHECK(ctx, r->of_run || o->take == NULL, CQ_USAGE,
           "--take is of a run folder; a problem has the motion of its start, or of --design");
  r->def.range = o->has_range ? o->range : NULL;
  r->def.title = o->title;
  r->def.cut = o->cut;
  r->def.dark = o->dark;
  r->def.width = o->width;
  r->def.height = o->height;
  r->def.columns = o->columns;
  return CQ_OK;
}
