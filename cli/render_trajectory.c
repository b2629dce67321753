/* trajectory.h5 as a cq_motion. */
#include "render_run.h"

#include "alloc.h"
#include "status.h"
#include "trajectory.h"

#include <math.h>
#include <string.h>

/* A field of a motion, and the field of a trajectory it is made of. */
typedef struct source {
  const char *name, *from, *unit; /* unit NULL: that of the trajectory */
  int components;                 /* that `from` must have; 0: any */
  bool fixed;
  double (*value)(const double *values, int n); /* of a particle's components */
} source;

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

static const source sources[] = {{"speed", "v", "m/s", 3, false, speed_of},
                                 {"strain", "F", "1", 9, false, strain_of},
                                 {"actuation", "actuation", NULL, 0, false, farthest_of},
                                 {"youngs_modulus", "youngs_modulus", NULL, 0, true, farthest_of},
                                 {"density", "density", NULL, 0, true, farthest_of}};
enum { SOURCES = sizeof sources / sizeof *sources };

typedef struct reading {
  cq_ctx *ctx;
  const char *path;
  cq_trajectory *from;
  cq_motion *to;
  double *values; /* [particles][components] */
} reading;

/* What is there of the sources; their numbers must be those that are made something of. */
static cq_status count(const reading *r, cq_motion_def *def) {
  for (int i = 0; i < SOURCES; i++) {
    const source *const s = &sources[i];
    const int at = cq_trajectory_find(r->from, s->from);
    if (at < 0) {
      continue;
    }
    const cq_trajectory_field *const field = &r->from->def.fields[at];
    CQ_CHECK(r->ctx, s->components == 0 || s->components == field->components, CQ_IO,
             "%s: the field %s has %d numbers a particle, not %d", r->path, s->from,
             field->components, s->components);
    CQ_CHECK(r->ctx, s->fixed || !field->fixed, CQ_IO, "%s: the field %s is not of the frames",
             r->path, s->from);
    *(s->fixed ? &def->n_fixed : &def->n_fields) += 1;
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
  for (int k = 0; k < def->n_kept; k++) {
    def->particle[k] = k;
    def->body[k] = from->body[k];
  }
  for (int i = 0; i < SOURCES; i++) {
    const int at = cq_trajectory_find(r->from, sources[i].from);
    if (at >= 0) {
      cq_motion_field *const field =
          sources[i].fixed ? &def->fixed[fixed++] : &def->fields[fields++];
      const char *const unit = sources[i].unit != NULL ? sources[i].unit : from->fields[at].unit;
      snprintf(field->name, CQ_MOTION_TEXT, "%s", sources[i].name);
      snprintf(field->unit, CQ_MOTION_TEXT, "%.47s", unit);
    }
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
  for (int i = 0; i < SOURCES; i++) {
    const int at = cq_trajectory_find(r->from, sources[i].from);
    if (at < 0 || sources[i].fixed != fixed) {
      continue;
    }
    const int n = r->from->def.fields[at].components;
    CQ_TRY(cq_trajectory_read(r->from, at, frame, r->values));
    for (int k = 0; k < r->to->def.n_kept; k++) {
      *out++ = (float)sources[i].value(r->values + (size_t)k * (size_t)n, n);
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
                       .n_bodies = from->n_bodies};
  cq_motion_take *take = NULL;
  int most = 3;
  for (int i = 0; i < from->n_fields; i++) {
    most = from->fields[i].components > most ? from->fields[i].components : most;
  }
  CQ_TRY(count(r, &def));
  CQ_TRY(cq_motion_create(r->ctx, &def, &r->to));
  CQ_TRY(CQ_ALLOC(r->ctx, r->values, (size_t)from->n_particles * (size_t)most));
  name(r);
  CQ_TRY(cq_motion_add(r->to, r->from->n_frames, 0, &take));
  CQ_TRY(read_fields(r, 0, true, take->fixed));
  const size_t n = (size_t)def.n_kept;
  for (int frame = 0; frame < r->from->n_frames; frame++) {
    CQ_TRY(read_places(r, frame, take->x + (size_t)frame * n * (size_t)def.dimension));
    CQ_TRY(read_fields(r, frame, false, take->fields + (size_t)frame * n * (size_t)def.n_fields));
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
