#include "render_run.h"

#include "alloc.h"
#include "folder.h"
#include "nearest.h"
#include "paint.h"
#include "status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_file(const char *folder, const char *name, char path[CLI_PATH]) {
  snprintf(path, CLI_PATH, "%s/%s", folder, name);
  return access(path, R_OK) == 0;
}

/* --- reading --- */

static bool has_field(const cq_motion *motion, const char *name) {
  for (int i = 0; cq_paint_name(motion, i) != NULL; i++) {
    if (cq_same_word(cq_paint_name(motion, i), name)) {
      return true;
    }
  }
  return false;
}

/* Whether trajectory.h5 is worth reading beside what motion.bin has of the best design. */
static bool wants_more(const cq_motion *motion, int take, int frames) {
  return motion == NULL || take < 0 || motion->def.n_kept < motion->def.n_total ||
         motion->takes[take].n_frames < frames;
}

/* The film has all takes, the trajectory every particle and field of the best: whichever has what
 * is asked for. */
cq_status cli_render_read(cli_render_run *run, const char *folder, const char *take,
                          const char *colour, int frames) {
  char film[CLI_PATH], trajectory[CLI_PATH];
  const bool of_best = strcmp(take, "best") == 0;
  const bool has_film = has_file(folder, "motion.bin", film);
  const bool has_trajectory = has_file(folder, "trajectory.h5", trajectory);
  CQ_CHECK(run->ctx, has_film || has_trajectory, CQ_IO,
           "%s has no motion (motion.bin or trajectory.h5); 'cqopt report %s' makes it", folder,
           folder);
  if (has_film) {
    CQ_TRY(cq_motion_read(run->ctx, film, &run->motion));
    run->take = cq_motion_find(run->motion, take);
  }
  if (has_trajectory && of_best && wants_more(run->motion, run->take, frames)) {
    cq_motion *all = NULL;
    CQ_TRY(cli_render_trajectory(run->ctx, trajectory, &all));
    if (run->motion == NULL || run->take < 0 || has_field(all, colour)) {
      cq_motion_free(run->motion);
      run->motion = all;
      run->take = 0;
    } else {
      cq_motion_free(all);
    }
  }
  CQ_CHECK(run->ctx, run->motion != NULL && run->take >= 0, CQ_IO,
           "%s has no motion of its %s design; 'cqopt report %s' makes it", folder, take, folder);
  return CQ_OK;
}

/* --- recording --- */

static cq_status film(cli_render_run *run, const char *folder, int frames, cq_status *ended) {
  const unsigned what = cq_scene_wants_trajectory(run->scene, frames) ? CQ_RECORD_TRAJECTORY : 0U;
  cq_film *film = NULL;
  CQ_TRY(cq_film_create(run->scene, &film));
  cq_status status = cq_scene_film(run->scene, 0, NULL, folder, frames, what, film);
  *ended = status;
  if (status == CQ_OK || cq_status_is_numeric(status)) {
    cq_film_label(film, "best");
    status = cq_film_write(film, folder);
  }
  cq_film_destroy(film);
  return status;
}

static void remove_folder(const char *folder) {
  static const char *const names[] = {"motion.bin", "trajectory.h5", "trajectory.xdmf"};
  char path[CLI_PATH];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (has_file(folder, names[i], path)) {
      unlink(path);
    }
  }
  rmdir(folder);
}

cq_status cli_render_record(cli_render_run *run, const char *colour, int frames, cq_status *ended) {
  const char *const place = getenv("TMPDIR");
  char folder[CLI_FOLDER];
  snprintf(folder, sizeof folder, "%s/cqopt-XXXXXX", place != NULL && *place ? place : "/tmp");
  CQ_CHECK(run->ctx, mkdtemp(folder) != NULL, CQ_IO, "%s: %s", folder, strerror(errno));
  cq_status status = film(run, folder, frames, ended);
  if (status == CQ_OK) {
    status = cli_render_read(run, folder, "best", colour, frames);
  }
  remove_folder(folder);
  return status;
}

/* --- the scene --- */

static void count_prop(void *user, const cq_drawing *drawing) {
  (void)drawing;
  (*(int *)user)++;
}

static void take_prop(void *user, const cq_drawing *drawing) {
  cli_render_run *const run = user;
  cq_prop *const prop = &run->props[run->n_props];
  if (CQ_ALLOC(run->ctx, prop->points, drawing->n) == CQ_OK) {
    memcpy(prop->points, drawing->points, (size_t)drawing->n * sizeof *prop->points);
    snprintf(prop->role, sizeof prop->role, "%s", drawing->role);
    prop->form = drawing->form;
    prop->n = drawing->n;
    prop->radius = drawing->radius;
    prop->time = drawing->time;
    snprintf(prop->mover, sizeof prop->mover, "%.47s", drawing->moves ? drawing->name : "");
    run->n_props++;
  }
}

cq_status cli_render_props(cli_render_run *run) {
  int n = 0;
  cq_scene_draw(run->scene, count_prop, &n);
  CQ_TRY(CQ_ALLOC(run->ctx, run->props, n));
  cq_scene_draw(run->scene, take_prop, run);
  return run->n_props == n ? CQ_OK : CQ_MEMORY;
}

void cli_render_close(cli_render_run *run) {
  for (int i = 0; i < run->n_props; i++) {
    cq_free(run->ctx, run->props[i].points);
  }
  cq_free(run->ctx, run->props);
  cq_motion_free(run->motion);
  cq_file_destroy(run->file);
}
