/* What a film of a scene is of: which particles, which points that terms look at. */
#include "scene_film.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { TAKES = 3 };
/* of a file: as text in a page it takes a third more */
static const double most_bytes = 5.5e6;

static const cq_motion_field fields[] = {
    {"speed", "m/s"}, {"strain", "1"}, {"actuation", "of max"}};
static const cq_motion_field fixed[CQ_FILM_FIXED] = {{"youngs_modulus", "Pa"},
                                                     {"density", "kg/m^dim"}};

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
  cq_followed *points;
  cq_motion_text *names;
  int n;
} finding;

static void follow(finding *f, cq_followed point, const char *name) {
  for (int i = 0; i < f->n; i++) {
    if (f->points[i].particles == point.particles && f->points[i].count == point.count &&
        f->points[i].shares == point.shares) {
      return;
    }
  }
  if (f->n < CQ_FILM_POINTS) {
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
  follow(f, (cq_followed){marker->n, particles, marker->share}, name);
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
        follow(f, (cq_followed){group->count, group->particles, NULL}, name != NULL ? name : "");
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
  const int room = cq_motion_room(def, TAKES, CQ_FILM_FRAMES + 1, CQ_FILM_SAMPLES, most_bytes);
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
  cq_motion_text names[CQ_FILM_POINTS] = {""}; /* all of their bytes are written */
  finding f = {.points = film->points, .names = names};
  CQ_TRY(follow_terms(scene, &f));
  cq_motion_def def = {.dimension = model->dim,
                       .n_total = model->n_particles,
                       .n_bodies = scene->config.bodies.count,
                       .n_fields =
                           model->n_actuators > 0 ? CQ_FILM_ACTUATION + 1 : CQ_FILM_ACTUATION,
                       .n_fixed = CQ_FILM_FIXED,
                       .n_points = f.n,
                       .n_controls = model->n_controls};
  for (int a = 0; a < model->dim; a++) {
    def.size[a] = model->room.high[a] - model->room.low[a];
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
