/* One run of a scene, recorded. */
#include "alloc.h"
#include "engine_part.h"
#include "fresh.h"
#include "map.h"
#include "records.h"
#include "scene_film.h"
#include "scene_tear.h"
#include "scene_trajectory.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* A run that observes what the scene's controller and actuators see and, for its tables, every body
 * and named group at every state; the model is the scene's but for that. */
typedef struct recording {
  cq_scene *scene;
  cq_model model;
  cq_sim *sim;
  cq_group *groups;
  cq_channel *channels;
  double *inputs;
  double *maps; /* [n_boundaries][CQ_MAP] of the walls, at the state that is visited */
  int *frames;  /* [n_frames] the states that are written */
  int n_frames;
  int reached; /* the last of them */
  const char *dir;
  unsigned what;
  cq_fresh particles; /* not begun: no tables */
  cq_scene_trajectory trajectory;
  cq_film *film; /* NULL: none */
  cq_tears tears;
} recording;

static const char axes[] = "xyz";

/* What a table of particles is coloured by: the first input that they keep, or NULL. */
static const cq_input *kept_number(const cq_scene *scene) {
  cq_record records[CQ_MOST_RECORDS];
  const int n = cq_scene_records(scene, records);
  for (int i = 0; i < n; i++) {
    if (cq_record_is_kept(&records[i]) && records[i].source == CQ_RECORD_INPUT) {
      return &scene->layout.inputs[records[i].index];
    }
  }
  return NULL;
}

static void write_particle_header(const cq_scene *scene, FILE *file) {
  const int dim = scene->model.dim;
  const cq_input *kept = kept_number(scene);
  fputs("step,particle,body", file);
  for (int i = 0; i < 2 * dim; i++) {
    fprintf(file, ",%s%c", i < dim ? "" : "v", axes[i % dim]);
  }
  fprintf(file, "%s%s\n", kept != NULL ? "," : "", kept != NULL ? kept->name : "");
}

/* A row a particle of particles.csv. */
static void write_particles(const cq_scene *scene, FILE *file, int step, const double *inputs,
                            const double *state) {
  const size_t dim = (size_t)scene->model.dim;
  const double *x = state + cq_layout_offset(&scene->layout, "x");
  const double *v = state + cq_layout_offset(&scene->layout, "v");
  const cq_input *kept = kept_number(scene);
  const double *number =
      kept != NULL ? inputs + cq_layout_offset(&scene->layout, kept->name) : NULL;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (int i = 0; i < body->count; i++) {
      const size_t p = (size_t)(body->first + i);
      fprintf(file, "%d,%zu,%s", step, p, body->keys->name);
      for (size_t a = 0; a < 2 * dim; a++) {
        fprintf(file, ",%.17g", a < dim ? x[p * dim + a] : v[p * dim + a - dim]);
      }
      if (number != NULL) {
        fprintf(file, ",%.17g", number[p]);
      }
      fputc('\n', file);
    }
  }
}

static cq_status create_file(const cq_scene *scene, const char *dir, const char *name,
                             cq_fresh *fresh) {
  char path[CQ_FRESH_PATH];
  const int length = snprintf(path, sizeof path, "%s%s%s", dir, dir[0] != '\0' ? "/" : "", name);
  CQ_CHECK(scene->ctx, length < (int)sizeof path, CQ_IO, "the path %s is too long", dir);
  return cq_fresh_begin(scene->ctx, path, fresh);
}

/* All that records looks at the state while it is there; a wish to stop ends the run here. */
static cq_status visit(void *user, int step, const double *state) {
  recording *r = user;
  r->reached = step;
  if (r->particles.out != NULL) {
    write_particles(r->scene, r->particles.out, step, r->inputs, state);
  }
  cq_sim_walls(r->sim, r->maps);
  if (r->film != NULL) {
    cq_film_state(r->film, step, state, r->maps);
  }
  cq_tears_look(&r->tears, step, state);
  if (r->trajectory.writer != NULL) {
    CQ_TRY(cq_scene_trajectory_frame(&r->trajectory, step, state, r->maps));
  }
  return cq_ctx_stop_requested(r->scene->ctx);
}

static bool is_stop(cq_status status) {
  return status == CQ_INTERRUPTED || status == CQ_TERMINATED;
}

/* what was recorded before a failure is worth having; before a stop, where nothing else is */
static bool worth_keeping(const recording *r, cq_status status) {
  return status == CQ_OK || cq_status_is_numeric(status) ||
         (is_stop(status) && (r->what & CQ_RECORD_TABLES) != 0);
}

/* the steps whose observations there are */
static int steps_made(const recording *r, cq_status status) {
  return status == CQ_OK   ? r->model.steps
         : is_stop(status) ? r->reached
                           : cq_sim_failure(r->sim)->step;
}

/* of a column of observations.csv */
static const int tabled[] = {CQ_Q_POSITION, CQ_Q_VELOCITY, CQ_Q_SQUARE};
enum { N_TABLED = sizeof tabled / sizeof *tabled };

/* Column i of the engine's own. */
static bool own_column(const cq_scene *scene, int i, cq_own_column *column) {
  const cq_engine_part *part = cq_engine_part_of(scene->model.engine);
  return part->column != NULL && part->column(scene, i, column);
}

static int count_own(const recording *r) {
  cq_own_column column;
  int n = 0;
  while ((r->what & CQ_RECORD_TABLES) != 0 && own_column(r->scene, n, &column)) {
    n++;
  }
  return n;
}

/* The engine's own columns: their names (k < 0), or their values at state k. */
static void write_own(const recording *r, int k, FILE *file) {
  const int n = count_own(r), first = r->model.n_groups - n;
  for (int i = 0; i < n; i++) {
    cq_own_column column;
    own_column(r->scene, i, &column);
    if (k < 0) {
      fprintf(file, ",%s", column.name);
    } else {
      const cq_z_rows *rows = cq_sim_layout(r->sim)->rows;
      const size_t at = cq_z_at(rows, k, first + i, column.quantity);
      fprintf(file, ",%.17g", cq_sim_observations(r->sim)[at]);
    }
  }
}

/* observations.csv: a row a state, columns of every named set, and of the engine's own. */
static void write_observations(const recording *r, int made, FILE *file) {
  const int dim = r->model.dim;
  const int n_named = r->scene->n_sets - 1; /* the first set is "*" */
  const int first = r->scene->model.n_groups;
  const cq_z_rows *rows = cq_sim_layout(r->sim)->rows;
  fputs("time", file);
  for (int b = 0; b < n_named; b++) {
    const char *name = r->scene->sets[1 + b].name;
    for (int i = 0; i < 2 * dim; i++) {
      fprintf(file, ",%s.%s%c", name, i < dim ? "" : "v", axes[i % dim]);
    }
    fprintf(file, ",%s.mean_square_velocity", name);
  }
  write_own(r, -1, file);
  fputc('\n', file);
  for (int k = 0; k <= made; k++) {
    fprintf(file, "%.17g", k * r->model.dt);
    for (int i = 0; i < n_named * N_TABLED; i++) {
      const int group = first + i / N_TABLED, quantity = tabled[i % N_TABLED];
      const double *z = cq_sim_observations(r->sim) + cq_z_at(rows, k, group, quantity);
      for (int a = 0; a < cq_quantity_numbers(dim, quantity); a++) {
        fprintf(file, ",%.17g", z[a]);
      }
    }
    write_own(r, k, file);
    fputc('\n', file);
  }
}

/* Groups and channels of the recording: the scene's that are wanted always, then the named sets. */
static cq_status observe_sets(recording *r) {
  cq_scene *scene = r->scene;
  const cq_model *of = &scene->model;
  const int n_named = (r->what & CQ_RECORD_TABLES) != 0 ? scene->n_sets - 1 : 0;
  const int n_own = count_own(r);
  CQ_TRY(CQ_ALLOC(scene->ctx, r->groups, of->n_groups + n_named + n_own));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->channels, of->n_channels + n_named * N_TABLED + n_own));
  cq_model *model = &r->model;
  model->groups = r->groups;
  model->channels = r->channels;
  model->n_channels = model->n_seeds = 0;
  for (int i = 0; i < of->n_groups; i++) {
    r->groups[i] = of->groups[i];
  }
  for (int i = 0; i < of->n_channels && of->channels[i].at == NULL; i++) {
    r->channels[model->n_channels++] = of->channels[i];
  }
  for (int i = 0; i < n_named * N_TABLED; i++) {
    const cq_set *set = &scene->sets[1 + i / N_TABLED];
    const int group = of->n_groups + i / N_TABLED;
    r->groups[group] = (cq_group){.count = set->count, .particles = set->particles};
    r->channels[model->n_channels++] =
        (cq_channel){.group = group, .quantity = tabled[i % N_TABLED]};
  }
  for (int i = 0; i < n_own; i++) {
    const int group = of->n_groups + n_named + i;
    cq_own_column column;
    own_column(scene, i, &column);
    const cq_set *set = column.of != NULL ? column.of : &scene->sets[0];
    r->groups[group] = (cq_group){set->count, set->particles, column.parameter};
    r->channels[model->n_channels++] = (cq_channel){.group = group, .quantity = column.quantity};
  }
  model->n_groups = of->n_groups + n_named + n_own;
  return CQ_OK;
}

static cq_status open_recording(recording *r, const double *x) {
  cq_scene *scene = r->scene;
  const size_t total = scene->layout.total, states = (size_t)scene->model.steps + 1;
  r->model = scene->model;
  CQ_TRY(observe_sets(r));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->inputs, total));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->maps, (size_t)scene->model.n_boundaries * CQ_MAP));
  /* nothing is kept: a memo of a few states, padding included, beside no more than so much of z */
  r->model.memory = 8 * (cq_sim_statistics(scene->sim)->state_bytes + 4096) +
                    states * (size_t)(r->model.n_channels * r->model.dim) * sizeof(double);
  memcpy(r->inputs, scene->inputs, total * sizeof *r->inputs);
  cq_scene_take_design(scene, x != NULL ? x : scene->design.start, r->inputs);
  return cq_sim_create(scene->ctx, &r->model, &r->sim);
}

static cq_status begin_files(recording *r) {
  if ((r->what & CQ_RECORD_TABLES) != 0) {
    CQ_TRY(create_file(r->scene, r->dir, "particles.csv", &r->particles));
    write_particle_header(r->scene, r->particles.out);
  }
  return (r->what & CQ_RECORD_TRAJECTORY) != 0
             ? cq_scene_trajectory_begin(r->scene, r->sim, r->inputs, r->dir, r->n_frames,
                                         &r->trajectory)
             : CQ_OK;
}

static cq_status end_tables(recording *r, cq_status status) {
  cq_fresh observations;
  if (r->particles.out == NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_fresh_end(&r->particles, CQ_OK));
  if (!worth_keeping(r, status)) {
    return CQ_OK;
  }
  CQ_TRY(create_file(r->scene, r->dir, "observations.csv", &observations));
  write_observations(r, steps_made(r, status), observations.out);
  return cq_fresh_end(&observations, CQ_OK);
}

static void end_film(const recording *r, cq_status status) {
  if (r->film != NULL && worth_keeping(r, status)) {
    cq_film_end(r->film, cq_sim_controls(r->sim), steps_made(r, status),
                status == CQ_OK ? "" : cq_status_text(status));
  }
}

/* The run, and the files and pictures that are wanted of it. */
static cq_status record(recording *r, const double *x, int wanted) {
  CQ_TRY(CQ_ALLOC(r->scene->ctx, r->frames, cq_scene_frame_count(r->scene, wanted) + 1));
  r->n_frames = cq_scene_frame_steps(r->scene, wanted, r->frames);
  CQ_TRY(open_recording(r, x));
  CQ_TRY(cq_tears_begin(r->scene, r->inputs, &r->tears));
  cq_status status = begin_files(r);
  if (status == CQ_OK && r->film != NULL) {
    status = cq_film_begin(r->film, r->scene, r->inputs, r->n_frames);
  }
  if (status == CQ_OK) {
    status = cq_sim_visit(r->sim, r->inputs, r->frames, r->n_frames, visit, r);
    status = cq_scene_explain(r->scene, cq_sim_failure(r->sim), status);
    end_film(r, status);
    r->scene->tear = cq_tears_worst(&r->tears);
  }
  const bool keep = worth_keeping(r, status);
  const cq_status tables = end_tables(r, status);
  const cq_status trajectory =
      cq_scene_trajectory_end(&r->trajectory, cq_sim_controls(r->sim), keep);
  const cq_status written = tables != CQ_OK ? tables : trajectory;
  if (is_stop(status) && keep && written == CQ_OK) {
    return CQ_FAIL(r->scene->ctx, status, "%s at step %d of %d; what was simulated is in %s",
                   cq_status_text(status), r->reached, r->model.steps, r->dir);
  }
  return status != CQ_OK ? status : written;
}

static cq_status simulate(cq_scene *scene, const double *x, const char *dir, int n_frames,
                          unsigned what, cq_film *film) {
  recording r = {
      .scene = scene, .dir = dir, .what = what, .trajectory = {.scene = scene}, .film = film};
  scene->tear = (cq_tear){.scenario = -1};
  const cq_status status = record(&r, x, n_frames);
  cq_tears_end(&r.tears);
  cq_sim_destroy(r.sim);
  cq_free(scene->ctx, r.groups);
  cq_free(scene->ctx, r.channels);
  cq_free(scene->ctx, r.frames);
  cq_free(scene->ctx, r.inputs);
  cq_free(scene->ctx, r.maps);
  return status;
}

cq_status cq_scene_simulate(cq_scene *scene, int level, const double *x, const char *dir,
                            int n_frames, unsigned what) {
  return cq_scene_film(scene, level, x, dir, n_frames, what, NULL);
}

cq_status cq_scene_film(cq_scene *scene, int level, const double *x, const char *dir, int n_frames,
                        unsigned what, cq_film *film) {
  if (level == 0) {
    return simulate(scene, x, dir, n_frames, what, film);
  }
  cq_scene *finer = NULL;
  CQ_TRY(cq_scene_make_finer(scene, level, &finer));
  const cq_status status =
      simulate(finer, x != NULL ? x : scene->design.start, dir, n_frames, what, film);
  scene->tear = cq_tear_of(scene, finer, finer->tear);
  cq_scene_free(finer);
  return status;
}

bool cq_scene_wants_trajectory(const cq_scene *scene, int n_frames) {
  const cq_output_keys *const keys = &scene->config.output;
  cq_scene_trajectory t;
  cq_scene_trajectory_fields(scene, &t);
  const int frames = 1 + cq_scene_frame_count(scene, n_frames);
  double bytes = cq_trajectory_bytes(&t.def, frames);
  for (int i = 0; i < scene->n_cameras; i++) {
    bytes += sizeof(float) * (double)cq_camera_pixels(&scene->cameras[i]) * frames;
  }
  if (keys->trajectory && bytes > keys->trajectory_limit) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "no trajectory: %.3g GiB before compression are more than output.trajectory_limit; take "
           "fewer output.frames or output.fields, or a larger limit",
           bytes / 0x1p30);
  }
  return keys->trajectory && bytes <= keys->trajectory_limit;
}

static cq_status write_state(cq_scene *scene, const char *path, double *state) {
  cq_fresh fresh;
  CQ_TRY(cq_sim_final_state(scene->sim, state));
  CQ_TRY(create_file(scene, "", path, &fresh));
  write_particle_header(scene, fresh.out);
  const cq_failure *const failure = cq_sim_failure(scene->sim);
  const int step = scene->torn_step >= 0 ? scene->torn_step : failure->step;
  write_particles(scene, fresh.out, step, scene->current, state);
  return cq_fresh_end(&fresh, CQ_OK);
}

cq_status cq_scene_write_failed_state(cq_scene *scene, const char *path) {
  const bool failed = scene->torn_step >= 0 || cq_sim_failure(scene->sim)->status != CQ_OK;
  CQ_CHECK(scene->ctx, failed, CQ_USAGE, "no evaluation has failed");
  double *state = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, state, scene->layout.state_total));
  const cq_status status = write_state(scene, path, state);
  cq_free(scene->ctx, state);
  return status;
}
