#include "scene_film.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_FRAMES = 50, MOST_SAMPLES = 256, MOST_POINTS = 64, TAKES = 3 };
/* of a file: as text in a page it takes a third more */
static const double most_bytes = 5.5e6;

/* fields of a frame, and of a take; the order of the enums */
static const cq_motion_field fields[] = {
    {"speed", "m/s"}, {"strain", "1"}, {"actuation", "of max"}};
enum { FIELD_SPEED, FIELD_STRAIN, FIELD_ACTUATION };
static const cq_motion_field fixed[] = {{"youngs_modulus", "Pa"}, {"density", "kg/m^dim"}};
static const int fixed_inputs[] = {CQ_INPUT_youngs_modulus, CQ_INPUT_density};
enum { N_FIXED = sizeof fixed / sizeof *fixed };

/* A point that is followed: the centre of mass of particles, or with shares a sum of them. */
typedef struct followed {
  int count;
  const int *particles;
  const double *shares;
} followed;

struct cq_film {
  const cq_scene *scene;
  cq_motion *motion;
  followed points[MOST_POINTS];
  /* of the take at hand */
  const cq_scene *run;
  const double *inputs;
  cq_motion_take *take;
  int n_states, stride, next; /* states that were recorded; every stride-th is a frame */
  int steps[MOST_FRAMES + 2]; /* of the frames */
};

/* --- what is followed --- */

/* Name of a set by its particles; NULL: of none. */
static const char *set_name(const cq_scene *scene, const cq_group *group) {
  for (int i = 0; i < scene->n_sets; i++) {
    const cq_set *const set = &scene->sets[i];
    if (set->count == group->count && set->particles == group->particles) {
      return set->name;
    }
  }
  return NULL;
}

typedef struct finding {
  followed *points;
  cq_motion_text *names;
  int n;
} finding;

static void follow(finding *f, followed point, const char *name) {
  for (int i = 0; i < f->n; i++) {
    if (f->points[i].particles == point.particles && f->points[i].count == point.count &&
        f->points[i].shares == point.shares) {
      return;
    }
  }
  if (f->n < MOST_POINTS) {
    snprintf(f->names[f->n], CQ_MOTION_TEXT, "%.40s", name);
    f->points[f->n++] = point;
  }
}

/* What a marker hangs on as a list of particles. */
static cq_status follow_marker(cq_scene *scene, const cq_term *term, const cq_marker *marker,
                               finding *f) {
  char name[CQ_MOTION_TEXT];
  int *particles = NULL;
  for (int i = 0; i < f->n; i++) {
    if (f->points[i].shares == marker->share) {
      return CQ_OK; /* seen again, at another time */
    }
  }
  CQ_TRY(CQ_ARENA(&scene->arena, particles, marker->n));
  for (int i = 0; i < marker->n; i++) {
    particles[i] = scene->model.groups[term->sets[marker->set[i]]].particles[0];
  }
  snprintf(name, sizeof name, "%.30s %g", term->label,
           marker->target[-1]); /* its id in the tracks */
  follow(f, (followed){marker->n, particles, marker->share}, name);
  return CQ_OK;
}

/* Markers, and the centres of what terms measure. */
static cq_status follow_terms(cq_scene *scene, finding *f) {
  for (int i = 0; i < scene->objective.n_functions; i++) {
    const cq_function *const function = &scene->objective.functions[i];
    for (int j = 0; j < function->n_terms; j++) {
      const cq_term *const term = &function->terms[j];
      const bool markers = cq_term_measures(term->kind) == CQ_MEASURES_MARKERS;
      for (int k = 0; k < term->n_sets && !markers; k++) {
        const cq_group *const group = &scene->model.groups[term->sets[k]];
        const char *const name = set_name(scene, group);
        follow(f, (followed){group->count, group->particles, NULL}, name != NULL ? name : "");
      }
      for (int k = 0; k < term->n_instants && markers; k++) {
        const cq_instant *const at = &term->instants[k];
        for (int m = at->first_marker; m < at->first_marker + at->n_markers; m++) {
          CQ_TRY(follow_marker(scene, term, &term->markers[m], f));
        }
      }
    }
  }
  return CQ_OK;
}

/* --- the film --- */

static void take_texts(const cq_scene *scene, cq_motion_text *names, cq_motion_def *def) {
  for (int b = 0; b < def->n_bodies; b++) {
    snprintf(def->bodies[b], CQ_MOTION_TEXT, "%.47s", scene->bodies[b].keys->name);
  }
  for (int i = 0; i < def->n_controls; i++) {
    snprintf(def->controls[i].name, CQ_MOTION_TEXT, "%.47s", scene->controls[i].name);
    snprintf(def->controls[i].unit, CQ_MOTION_TEXT, "%.47s", scene->controls[i].unit);
  }
  memcpy(def->fields, fields, (size_t)def->n_fields * sizeof *fields);
  memcpy(def->fixed, fixed, sizeof fixed);
  memcpy(def->points, names, (size_t)def->n_points * sizeof *names);
}

/* The particles of the film: those of markers, and as many more as there is room for. */
static cq_status choose(const cq_film *film, const int *body, unsigned char *marked, int *kept,
                        cq_motion_text *names, cq_motion_def *def, cq_motion **out) {
  cq_ctx *const ctx = film->scene->ctx;
  for (int i = 0; i < def->n_points; i++) {
    for (int k = 0; k < film->points[i].count && film->points[i].shares != NULL; k++) {
      marked[film->points[i].particles[k]] = 1;
    }
  }
  const int room = cq_motion_room(def, TAKES, MOST_FRAMES + 1, MOST_SAMPLES, most_bytes);
  def->n_kept = cq_motion_choose(def->n_total, body, marked, room, kept);
  CQ_TRY(cq_motion_create(ctx, def, out));
  for (int i = 0; i < def->n_kept; i++) {
    (*out)->def.particle[i] = kept[i];
    (*out)->def.body[i] = body[kept[i]];
  }
  take_texts(film->scene, names, &(*out)->def);
  return CQ_OK;
}

static cq_status choose_particles(cq_film *film, cq_motion_text *names, cq_motion_def *def) {
  const cq_scene *const scene = film->scene;
  int *lists = NULL;
  unsigned char *marked = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, lists, 2 * (size_t)def->n_total));
  cq_status status = CQ_ALLOC(scene->ctx, marked, def->n_total);
  for (int b = 0; b < def->n_bodies && status == CQ_OK; b++) {
    for (int i = 0; i < scene->bodies[b].count; i++) {
      lists[scene->bodies[b].first + i] = b;
    }
  }
  if (status == CQ_OK) {
    status = choose(film, lists, marked, lists + def->n_total, names, def, &film->motion);
  }
  cq_free(scene->ctx, marked);
  cq_free(scene->ctx, lists);
  return status;
}

static cq_status make(cq_film *film, cq_scene *scene) {
  const cq_model *const model = &scene->model;
  cq_motion_text names[MOST_POINTS] = {""}; /* all of their bytes are written */
  finding f = {.points = film->points, .names = names};
  CQ_TRY(follow_terms(scene, &f));
  cq_motion_def def = {.dimension = model->dim,
                       .n_total = model->n_particles,
                       .n_bodies = scene->config.bodies.count,
                       .n_fields = model->n_actuators > 0 ? FIELD_ACTUATION + 1 : FIELD_ACTUATION,
                       .n_fixed = N_FIXED,
                       .n_points = f.n,
                       .n_controls = model->n_controls};
  for (int a = 0; a < model->dim; a++) {
    def.size[a] = (model->grid[a] - 1) * model->cell;
  }
  return choose_particles(film, names, &def);
}

cq_status cq_film_create(cq_scene *scene, cq_film **out) {
  cq_film *film = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, film, 1));
  film->scene = scene;
  const cq_status status = make(film, scene);
  if (status != CQ_OK) {
    cq_film_destroy(film);
    return status;
  }
  *out = film;
  return CQ_OK;
}

void cq_film_destroy(cq_film *film) {
  if (film != NULL) {
    cq_motion_free(film->motion);
    cq_free(film->scene->ctx, film);
  }
}

void cq_film_label(cq_film *film, const char *label) {
  if (film->motion->n_takes > 0) {
    cq_motion_label(film->motion, label, film->motion->n_takes - 1);
  }
}

cq_status cq_film_write(const cq_film *film, const char *dir) {
  char path[4096];
  snprintf(path, sizeof path, "%s/motion.bin", dir);
  return cq_motion_write(film->motion, path);
}

/* --- a take --- */

cq_status cq_film_begin(cq_film *film, const cq_scene *scene, const double *inputs, int n_states) {
  const cq_motion_def *const def = &film->motion->def;
  film->run = scene;
  film->inputs = inputs;
  film->n_states = n_states;
  film->stride = 1 + (n_states - 2 > 0 ? n_states - 2 : 0) / MOST_FRAMES;
  film->next = 0;
  const int steps = scene->model.steps;
  CQ_TRY(cq_motion_add(film->motion, MOST_FRAMES + 2, steps < MOST_SAMPLES ? steps : MOST_SAMPLES,
                       &film->take));
  for (int i = 0; i < N_FIXED; i++) {
    const double *const from = inputs + scene->layout.offset[fixed_inputs[i]];
    for (int p = 0; p < def->n_kept; p++) {
      film->take->fixed[i * def->n_kept + p] = (float)from[def->particle[p]];
    }
  }
  return CQ_OK;
}

static double norm(const double *v, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += v[i] * v[i];
  }
  return sqrt(sum);
}

/* Norm of Green's strain (F^T F - 1)/2. */
static double strain(const double *F, int dim) {
  double E[9];
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j < dim; j++) {
      double sum = i == j ? -1.0 : 0.0;
      for (int k = 0; k < dim; k++) {
        sum += F[k * dim + i] * F[k * dim + j];
      }
      E[i * dim + j] = 0.5 * sum;
    }
  }
  return norm(E, dim * dim);
}

static void put_points(const cq_film *film, const double *x, float *out) {
  const cq_scene *const scene = film->run;
  const int dim = scene->model.dim;
  const double *const density = film->inputs + scene->layout.offset[CQ_INPUT_density];
  const double *const volume = film->inputs + scene->layout.offset[CQ_INPUT_volume];
  for (int i = 0; i < film->motion->def.n_points; i++) {
    const followed *const point = &film->points[i];
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

void cq_film_state(cq_film *film, int step, const double *state) {
  const cq_scene *const scene = film->run;
  const cq_motion_def *const def = &film->motion->def;
  const int i = film->next++, dim = def->dimension;
  if (i % film->stride != 0 && i != film->n_states - 1) {
    return;
  }
  const int frame = film->take->n_frames++;
  const double *const x = state + scene->layout.offset[CQ_INPUT_x];
  const double *const v = state + scene->layout.offset[CQ_INPUT_v];
  const double *const F = state + scene->layout.offset[CQ_INPUT_F];
  float *const speed = frame_field(film, frame, FIELD_SPEED);
  float *const strained = frame_field(film, frame, FIELD_STRAIN);
  float *const places = film->take->x + (size_t)frame * (size_t)(def->n_kept * dim);
  film->steps[frame] = step;
  film->take->time[frame] = step * scene->model.dt;
  for (int k = 0; k < def->n_kept; k++) {
    const size_t p = (size_t)(def->particle[k] * dim);
    for (int a = 0; a < dim; a++) {
      places[k * dim + a] = (float)x[p + (size_t)a];
    }
    speed[k] = (float)norm(v + p, dim);
    strained[k] = (float)strain(F + p * (size_t)dim, dim);
  }
  put_points(film, x, film->take->points + (size_t)frame * (size_t)(def->n_points * dim));
}

/* How far an actuator is from rest, over how far it can be: the control that is farthest. */
static double relative_control(const cq_scene *scene, const cq_actuator *actuator,
                               const double *u) {
  double farthest = 0.0;
  for (int i = actuator->first_control; i < actuator->first_control + actuator->n_controls; i++) {
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
    float *const out = frame_field(film, frame, FIELD_ACTUATION);
    for (int k = 0; k < def->n_kept; k++) {
      const int actuator = model->actuator[def->particle[k]];
      out[k] = actuator < 0 ? 0.0F
                            : (float)relative_control(film->run, &model->actuators[actuator],
                                                      u + (size_t)step * (size_t)model->n_controls);
    }
  }
}

void cq_film_end(cq_film *film, const double *u, int made, const char *note) {
  const cq_model *const model = &film->run->model;
  cq_motion_take *const take = film->take;
  const int samples = model->steps < MOST_SAMPLES ? model->steps : MOST_SAMPLES;
  snprintf(take->note, sizeof take->note, "%.47s", note);
  if (take->n_frames == 0) { /* the first step failed: where it begins */
    cq_film_state(film, 0, film->inputs);
  }
  if (model->n_actuators > 0) {
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
