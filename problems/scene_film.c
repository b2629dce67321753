/* What a film of a scene is of: which particles, which points that terms look at. */
#include "scene_film.h"

#include "alloc.h"
#include "records.h"
#include "scene_cover.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { TAKES = 3 };
/* of a file: as text in a page it takes a third more */
static const double most_bytes = 5.5e6;

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
  snprintf(name, sizeof name, "%.30s %g", term->label, marker->id); /* its id in the tracks */
  follow(f, (cq_followed){marker->n, particles, marker->share}, name);
  return CQ_OK;
}

/* Markers, and the centres of what terms measure. */
static cq_status follow_terms(cq_scene *scene, finding *f) {
  for (int i = 0; i < scene->objective.n_functions; i++) {
    const cq_function *const function = &scene->objective.functions[i];
    for (int j = 0; j < function->n_terms; j++) {
      const cq_term *const term = &function->terms[j];
      const cq_measures measures = cq_term_measures(term->kind);
      const bool markers = measures == CQ_MEASURES_MARKERS;
      const bool sets =
          !markers && measures != CQ_MEASURES_PARTICLES && measures != CQ_MEASURES_CYCLE;
      for (int k = 0; k < term->n_sets && sets; k++) {
        const cq_group *const group = &scene->model.groups[term->sets[k]];
        const char *const name = set_name(scene, group);
        if (group->count == 0) {
          continue; /* what it measures has no particles */
        }
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

static void name_field(cq_motion_field *field, const char *name, const char *unit) {
  snprintf(field->name, CQ_MOTION_TEXT, "%s", name);
  snprintf(field->unit, CQ_MOTION_TEXT, "%s", unit);
}

/* Those of a frame, in their order, and of a whole take: the numbers that particles keep. */
static void take_fields(const cq_film *film, cq_motion_def *def) {
  cq_record records[CQ_MOST_RECORDS];
  const int n = cq_scene_records(film->scene, records);
  name_field(&def->fields[0], "speed", "m/s");
  if (film->strain >= 0) {
    name_field(&def->fields[film->strain], "strain", "1");
  }
  if (film->actuation >= 0) {
    name_field(&def->fields[film->actuation], "actuation", "of max");
  }
  for (int i = 0, fixed = 0; i < n && fixed < def->n_fixed; i++) {
    if (cq_record_is_kept(&records[i])) {
      name_field(&def->fixed[fixed++], records[i].name, records[i].unit);
    }
  }
}

/* Names that the film shows; longer ones are cut to what the format has room for. */
static void take_texts(const cq_film *film, cq_motion_text *names, cq_motion_def *def) {
  const cq_scene *const scene = film->scene;
  for (int b = 0; b < def->n_bodies; b++) {
    snprintf(def->bodies[b], CQ_MOTION_TEXT, "%.47s", scene->bodies[b].keys->name);
  }
  for (int i = 0; i < def->n_controls; i++) {
    snprintf(def->controls[i].name, CQ_MOTION_TEXT, "%.47s", scene->controls[i].name);
    snprintf(def->controls[i].unit, CQ_MOTION_TEXT, "%.47s", scene->controls[i].unit);
  }
  for (int i = 0, mover = 0; mover < def->n_movers; i++) {
    if (scene->walls[i].moves) {
      snprintf(def->movers[mover++], CQ_MOTION_TEXT, "%.47s",
               cq_node_path(scene->walls[i].node).text);
    }
  }
  take_fields(film, def);
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
  const double bytes = most_bytes - cq_scene_cover_bytes(film->scene);
  const int room = cq_motion_room(def, TAKES, CQ_FILM_FRAMES + 1, CQ_FILM_SAMPLES, bytes);
  def->n_kept = cq_motion_choose(def->n_total, body, marked, room, kept);
  CQ_TRY(cq_motion_create(ctx, def, out));
  for (int i = 0; i < def->n_kept; i++) {
    (*out)->def.particle[i] = kept[i];
    (*out)->def.body[i] = body[kept[i]];
  }
  take_texts(film, names, &(*out)->def);
  return cq_scene_cover(film->scene, def->n_kept, kept, &(*out)->cover);
}

/* Which body each particle is of, and from that which are kept. */
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

static int count_movers(const cq_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    count += scene->walls[i].moves;
  }
  return count;
}

static int count_fixed(const cq_scene *scene) {
  cq_record records[CQ_MOST_RECORDS];
  const int n = cq_scene_records(scene, records);
  int count = 0;
  for (int i = 0; i < n; i++) {
    count += cq_record_is_kept(&records[i]);
  }
  return count;
}

/* What is followed, the fields, and which particles. */
static cq_status make(cq_film *film, cq_scene *scene) {
  const cq_model *const model = &scene->model;
  cq_motion_text names[CQ_FILM_POINTS] = {""}; /* all of their bytes are written */
  finding f = {.points = film->points, .names = names};
  int n_fields = 1; /* the speed */
  CQ_TRY(follow_terms(scene, &f));
  film->strain = cq_layout_deformation(&scene->layout) != CQ_NO_INPUT ? n_fields++ : -1;
  film->actuation = model->n_actuators > 0 ? n_fields++ : -1;
  cq_motion_def def = {.dimension = model->dim,
                       .n_total = model->n_particles,
                       .n_bodies = scene->config.bodies.count,
                       .n_fields = n_fields,
                       .n_fixed = count_fixed(scene),
                       .n_points = f.n,
                       .n_controls = model->n_controls,
                       .n_movers = count_movers(scene)};
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
