/* A take of a film: fields, points and controls of a run. */
#include "scene_film.h"

#include "alloc.h"
#include "records.h"
#include "status.h"

#include <math.h>

/* The numbers that particles keep, of those that the film has. */
static cq_status take_kept(const cq_film *film) {
  const cq_scene *const scene = film->run;
  const int n_kept = film->motion->def.n_kept;
  cq_record records[CQ_MOST_RECORDS];
  const int n = cq_scene_records(scene, records);
  float *out = film->take->fixed;
  double *values = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, values, scene->model.n_particles));
  for (int i = 0; i < n; i++) {
    if (cq_record_is_kept(&records[i])) {
      cq_record_take(&records[i], scene, NULL, film->inputs, NULL, NULL, values);
      for (int p = 0; p < n_kept; p++) {
        *out++ = (float)values[film->motion->def.particle[p]];
      }
    }
  }
  cq_free(scene->ctx, values);
  return CQ_OK;
}

/* A new take: how many of the states it keeps, and what does not change in the run. */
cq_status cq_film_begin(cq_film *film, const cq_scene *scene, const double *inputs, int n_states) {
  film->run = scene;
  film->inputs = inputs;
  film->n_states = n_states;
  film->stride = 1 + (n_states - 2 > 0 ? n_states - 2 : 0) / CQ_FILM_FRAMES;
  film->next = 0;
  const int steps = scene->model.steps;
  CQ_TRY(cq_motion_add(film->motion, CQ_FILM_FRAMES + 2,
                       steps < CQ_FILM_SAMPLES ? steps : CQ_FILM_SAMPLES, &film->take));
  return take_kept(film);
}

static double norm(const double *v, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += v[i] * v[i];
  }
  return sqrt(sum);
}

/* The points that are followed, at the places x of all particles. */
static void put_points(const cq_film *film, const double *x, float *out) {
  const cq_scene *const scene = film->run;
  const int dim = scene->model.dim;
  const double *const density = film->inputs + cq_layout_offset(&scene->layout, "density");
  const double *const volume = film->inputs + cq_layout_offset(&scene->layout, "volume");
  for (int i = 0; i < film->motion->def.n_points; i++) {
    const cq_followed *const point = &film->points[i];
    double sum[3] = {0.0, 0.0, 0.0}, whole = 0.0;
    for (int k = 0; k < point->count; k++) {
      const size_t p = (size_t)point->particles[k];
      const double share = point->shares != NULL ? point->shares[k] : density[p] * volume[p];
      whole += share;
      for (int a = 0; a < dim; a++) {
        sum[a] += share * x[p * (size_t)dim + (size_t)a];
      }
    }
    for (int a = 0; a < dim; a++) {
      out[i * dim + a] = (float)(sum[a] / whole);
    }
  }
}

/* Values of a field at a frame of the take. */
static float *frame_field(const cq_film *film, int frame, int field) {
  const cq_motion_def *const def = &film->motion->def;
  return film->take->fields +
         ((size_t)frame * (size_t)def->n_fields + (size_t)field) * (size_t)def->n_kept;
}

/* Of walls that move where they are; NULL: where the file has them. */
static void put_maps(const cq_film *film, const double *maps, double *out) {
  const cq_scene *const scene = film->run;
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    if (scene->walls[i].moves && maps != NULL) {
      memcpy(out, maps + (size_t)i * CQ_MAP, CQ_MAP * sizeof *out);
    } else if (scene->walls[i].moves) {
      cq_map_stay(out);
    }
    out += scene->walls[i].moves ? CQ_MAP : 0;
  }
}

/* A frame, if this state is one: places, speed and strain of the particles that are kept. */
void cq_film_state(cq_film *film, int step, const double *state, const double *maps) {
  const cq_scene *const scene = film->run;
  const cq_motion_def *const def = &film->motion->def;
  const int i = film->next++, dim = def->dimension;
  if (i % film->stride != 0 && i != film->n_states - 1) {
    return;
  }
  const int frame = film->take->n_frames++;
  const double *const x = state + cq_layout_offset(&scene->layout, "x");
  const double *const v = state + cq_layout_offset(&scene->layout, "v");
  const double *const F = film->strain >= 0 ? state + cq_layout_deformation(&scene->layout) : NULL;
  float *const speed = frame_field(film, frame, 0);
  float *const places = film->take->x + (size_t)frame * (size_t)(def->n_kept * dim);
  film->steps[frame] = step;
  film->take->time[frame] = step * scene->model.dt;
  for (int k = 0; k < def->n_kept; k++) {
    const size_t p = (size_t)(def->particle[k] * dim);
    for (int a = 0; a < dim; a++) {
      places[k * dim + a] = (float)x[p + (size_t)a];
    }
    speed[k] = (float)norm(v + p, dim);
    if (F != NULL) {
      frame_field(film, frame, film->strain)[k] = (float)cq_motion_strain(F + p * (size_t)dim, dim);
    }
  }
  put_maps(film, maps, film->take->maps + (size_t)frame * (size_t)def->n_movers * CQ_MAP);
  put_points(film, x, film->take->points + (size_t)frame * (size_t)(def->n_points * dim));
}

/* How far an actuator is from rest, over how far it can be: the control that is farthest. */
static double relative_control(const cq_scene *scene, const cq_acting *acting, const double *u) {
  double farthest = 0.0;
  for (int i = acting->first_control; i < acting->first_control + acting->n_controls; i++) {
    const double rest = scene->u_rest[i];
    const double most = fmax(fabs(scene->u_max[i] - rest), fabs(scene->u_min[i] - rest));
    const double part = most > 0.0 ? (u[i] - rest) / most : 0.0;
    farthest = fabs(part) > fabs(farthest) ? part : farthest;
  }
  return farthest;
}

/* The controls of the step from a frame's state; at the last state, to it. */
static void put_actuation(cq_film *film, const double *u, int made) {
  const cq_model *const model = &film->run->model;
  const cq_motion_def *const def = &film->motion->def;
  for (int frame = 0; frame < film->take->n_frames && made > 0; frame++) {
    const int step = film->steps[frame] < made ? film->steps[frame] : made - 1;
    float *const out = frame_field(film, frame, film->actuation);
    for (int k = 0; k < def->n_kept; k++) {
      const int actuator = model->actuator[def->particle[k]];
      out[k] = actuator < 0 ? 0.0F
                            : (float)relative_control(film->run, &film->run->acting[actuator],
                                                      u + (size_t)step * (size_t)model->n_controls);
    }
  }
}

void cq_film_end(cq_film *film, const double *u, int made, const char *note) {
  const cq_model *const model = &film->run->model;
  cq_motion_take *const take = film->take;
  const int samples = model->steps < CQ_FILM_SAMPLES ? model->steps : CQ_FILM_SAMPLES;
  snprintf(take->note, sizeof take->note, "%.47s", note);
  if (take->n_frames == 0) { /* the first step failed: where it begins */
    cq_film_state(film, 0, film->inputs, NULL);
  }
  if (film->actuation >= 0) {
    put_actuation(film, u, made);
  }
  for (int j = 0; j < samples && model->n_controls > 0; j++) {
    const int step = (int)((long long)j * model->steps / samples);
    if (step >= made) {
      break;
    }
    take->sampled[j] = step * model->dt;
    for (int i = 0; i < model->n_controls; i++) {
      take->controls[j * model->n_controls + i] =
          (float)u[(size_t)step * (size_t)model->n_controls + (size_t)i];
    }
    take->n_samples = j + 1;
  }
}
