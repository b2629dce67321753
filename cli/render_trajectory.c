/* trajectory.h5 as a cq_motion. */
#include "render_run.h"

#include "alloc.h"
#include "status.h"
#include "trajectory.h"

#include <math.h>
#include <string.h>

/* A field of a motion, and the field of a trajectory it is made of. */
typedef struct source {
  const char *name, *unit;
  int from, components;
  bool fixed;
  double (*value)(const double *values, int n); /* of a particle's components */
} source;

enum { MOST_SOURCES = 64 };

static double speed_of(const double *v, int n) {
  (void)n;
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double strain_of(const double *F, int n) {
  (void)n;
  return cq_motion_strain(F, 3);
}

/* the one that is farthest from 0 */
static double farthest_of(const double *values, int n) {
  double farthest = 0.0;
  for (int i = 0; i < n; i++) {
    farthest = fabs(values[i]) > fabs(farthest) ? values[i] : farthest;
  }
  return farthest;
}

typedef struct reading {
  cq_ctx *ctx;
  const char *path;
  cq_trajectory *from;
  cq_motion *to;
  double *values; /* [particles][components] */
  source sources[MOST_SOURCES];
  int n_sources;
} reading;

/* What a field of a trajectory gives a picture: a number a particle itself, a velocity its speed, a
 * deformation its strain, controls the one that is farthest from 0; .name NULL: nothing. */
static source source_of(const cq_trajectory_field *field, int at) {
  source s = {field->name, field->unit, at, field->components, field->fixed, farthest_of};
  if (strcmp(field->name, "x") == 0) {
    s.name = NULL;
  } else if (strcmp(field->name, "v") == 0) {
    s = (source){"speed", "m/s", at, 3, false, speed_of};
  } else if (field->components == 9) {
    s = (source){"strain", "1", at, 9, field->fixed, strain_of};
  }
  return s;
}

/* The sources, and how many are of the frames or the same in all. */
static cq_status count(reading *r, cq_motion_def *def) {
  for (int i = 0; i < r->from->def.n_fields && r->n_sources < MOST_SOURCES; i++) {
    const cq_trajectory_field *const field = &r->from->def.fields[i];
    const source s = source_of(field, i);
    CQ_CHECK(r->ctx, s.name == NULL || s.value != speed_of || field->components == 3, CQ_IO,
             "%s: the field %s has %d numbers a particle, not 3", r->path, field->name,
             field->components);
    CQ_CHECK(r->ctx, s.name == NULL || s.fixed == field->fixed, CQ_IO,
             "%s: the field %s is not of the frames", r->path, field->name);
    if (s.name != NULL) {
      r->sources[r->n_sources++] = s;
      *(s.fixed ? &def->n_fixed : &def->n_fields) += 1;
    }
  }
  return CQ_OK;
}

/* What the fields of a motion are called, by those of the trajectory. */
static void name(const reading *r) {
  const cq_trajectory_def *const from = &r->from->def;
  cq_motion_def *const def = &r->to->def;
  int fields = 0, fixed = 0;
  for (int b = 0; b < def->n_bodies; b++) {
    snprintf(def->bodies[b], CQ_MOTION_TEXT, "%.47s", from->bodies[b]);
  }
  for (int i = 0; i < def->n_movers; i++) {
    snprintf(def->movers[i], CQ_MOTION_TEXT, "%.47s", from->moving->names[i]);
  }
  for (int k = 0; k < def->n_kept; k++) {
    def->particle[k] = k;
    def->body[k] = from->body[k];
  }
  for (int i = 0; i < r->n_sources; i++) {
    const source *const s = &r->sources[i];
    cq_motion_field *const field = s->fixed ? &def->fixed[fixed++] : &def->fields[fields++];
    snprintf(field->name, CQ_MOTION_TEXT, "%.47s", s->name);
    snprintf(field->unit, CQ_MOTION_TEXT, "%.47s", s->unit);
  }
}

static cq_status read_places(const reading *r, int frame, float *x) {
  const int dim = r->to->def.dimension;
  CQ_TRY(cq_trajectory_read(r->from, cq_trajectory_find(r->from, "x"), frame, r->values));
  for (int k = 0; k < r->to->def.n_kept; k++) {
    for (int a = 0; a < dim; a++) {
      x[k * dim + a] = (float)r->values[3 * k + a];
      CQ_CHECK(r->ctx, isfinite(x[k * dim + a]), CQ_IO,
               "%s: the position of particle %d in frame %d is not a number", r->path, k, frame);
    }
  }
  return CQ_OK;
}

/* The fields of a frame, or the fixed ones: out [fields][particles]. */
static cq_status read_fields(const reading *r, int frame, bool fixed, float *out) {
  for (int i = 0; i < r->n_sources; i++) {
    const source *const s = &r->sources[i];
    if (s->fixed != fixed) {
      continue;
    }
    CQ_TRY(cq_trajectory_read(r->from, s->from, frame, r->values));
    for (int k = 0; k < r->to->def.n_kept; k++) {
      *out++ = (float)s->value(r->values + (size_t)k * (size_t)s->components, s->components);
    }
  }
  return CQ_OK;
}

/* A trajectory as a motion of one take, with every particle in it. */
static cq_status read_all(reading *r) {
  const cq_trajectory_def *const from = &r->from->def;
  cq_motion_def def = {.dimension = from->dimension,
                       .n_total = from->n_particles,
                       .n_kept = from->n_particles,
                       .n_bodies = from->n_bodies,
                       .n_movers = from->moving != NULL ? from->moving->n : 0};
  cq_motion_take *take = NULL;
  int most = 3;
  for (int i = 0; i < from->n_fields; i++) {
    most = from->fields[i].components > most ? from->fields[i].components : most;
  }
  CQ_TRY(count(r, &def));
  CQ_TRY(cq_motion_create(r->ctx, &def, &r->to));
  CQ_TRY(CQ_ALLOC(r->ctx, r->values, (size_t)from->n_particles * (size_t)most));
  name(r);
  if (from->cover != NULL) {
    CQ_TRY(cq_cover_copy(r->ctx, from->cover, &r->to->cover));
  }
  CQ_TRY(cq_motion_add(r->to, r->from->n_frames, 0, &take));
  CQ_TRY(read_fields(r, 0, true, take->fixed));
  const size_t n = (size_t)def.n_kept;
  for (int frame = 0; frame < r->from->n_frames; frame++) {
    CQ_TRY(read_places(r, frame, take->x + (size_t)frame * n * (size_t)def.dimension));
    CQ_TRY(read_fields(r, frame, false, take->fields + (size_t)frame * n * (size_t)def.n_fields));
    if (def.n_movers > 0) {
      CQ_TRY(cq_trajectory_maps(r->from, frame,
                                take->maps + (size_t)frame * (size_t)def.n_movers * CQ_MAP));
    }
    take->time[take->n_frames++] = r->from->time[frame];
  }
  cq_motion_label(r->to, "best", 0);
  return CQ_OK;
}

cq_status cli_render_trajectory(cq_ctx *ctx, const char *path, cq_motion **out) {
  reading r = {.ctx = ctx, .path = path};
  *out = NULL;
  CQ_TRY(cq_trajectory_open(ctx, path, &r.from));
  const cq_status status = read_all(&r);
  cq_trajectory_free(r.from);
  cq_free(ctx, r.values);
  if (status != CQ_OK) {
    cq_motion_free(r.to);
    return status;
  }
  *out = r.to;
  return CQ_OK;
}
