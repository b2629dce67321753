#include "scene_trajectory.h"

#include "alloc.h"
#include "engine.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* what a field of a frame is taken from; state and controls are NULL for one that is fixed */
typedef struct source {
  const cq_scene *scene;
  const cq_sim *sim;
  const double *inputs;
  const double *state; /* layout of the states in the inputs */
  const double *u;     /* controls of the frame's step; NULL: not known yet */
  int components;
} source;

typedef void (*record_fn)(const source *s, double *out);

/* dim numbers a particle to three, the third 0 */
static void widen_vector(const source *s, const char *input, double *out) {
  const size_t dim = (size_t)s->scene->model.dim, n = (size_t)s->scene->model.n_particles;
  const double *from = s->state + cq_layout_offset(&s->scene->layout, input);
  memset(out, 0, 3 * n * sizeof *out);
  for (size_t p = 0; p < n; p++) {
    memcpy(out + 3 * p, from + dim * p, dim * sizeof *out);
  }
}

static void record_x(const source *s, double *out) {
  widen_vector(s, "x", out);
}

static void record_v(const source *s, double *out) {
  widen_vector(s, "v", out);
}

static void record_F(const source *s, double *out) {
  const size_t dim = (size_t)s->scene->model.dim, n = (size_t)s->scene->model.n_particles;
  const double *from = s->state + cq_layout_offset(&s->scene->layout, "F");
  memset(out, 0, 9 * n * sizeof *out);
  for (size_t p = 0; p < n; p++, out += 9) {
    out[8] = 1.0; /* plane strain */
    for (size_t a = 0; a < dim; a++, from += dim) {
      memcpy(out + 3 * a, from, dim * sizeof *out);
    }
  }
}

static void take_input(const source *s, const char *input, double *out) {
  memcpy(out, s->inputs + cq_layout_offset(&s->scene->layout, input),
         (size_t)s->scene->model.n_particles * sizeof *out);
}

static void record_youngs_modulus(const source *s, double *out) {
  take_input(s, "youngs_modulus", out);
}

static void record_density(const source *s, double *out) {
  take_input(s, "density", out);
}

/* the controls of the actuator that drives the particle; 0 where there is none */
static void record_actuation(const source *s, double *out) {
  const cq_model *const model = &s->scene->model;
  const size_t width = (size_t)s->components;
  memset(out, 0, width * (size_t)model->n_particles * sizeof *out);
  for (int p = 0; p < model->n_particles; p++, out += width) {
    if (model->actuator[p] >= 0) {
      const cq_acting *const acting = &s->scene->acting[model->actuator[p]];
      memcpy(out, s->u + acting->first_control, (size_t)acting->n_controls * sizeof *out);
    }
  }
}

static void record_von_mises(const source *s, double *out) {
  const int field = cq_engine_field(cq_engine_type_of(s->scene->model.engine), "von_mises");
  cq_sim_field(s->sim, field, s->inputs, s->state, out);
}

static const record_fn recorders[] = {
#define CQ_RECORD(name, unit, components, fixed) record_##name,
#include "record_list.h"
#undef CQ_RECORD
};

static const cq_trajectory_field known[] = {
#define CQ_RECORD(name, unit, components, fixed) {#name, unit, components, fixed},
#include "record_list.h"
#undef CQ_RECORD
};

static int most_controls(const cq_scene *scene) {
  int most = 0;
  for (int i = 0; i < scene->model.n_actuators; i++) {
    most = scene->acting[i].n_controls > most ? scene->acting[i].n_controls : most;
  }
  return most;
}

void cq_scene_trajectory_fields(const cq_scene *scene, cq_scene_trajectory *t) {
  const cq_output_keys *const keys = &scene->config.output;
  *t = (cq_scene_trajectory){.scene = scene};
  for (int kind = 0; kind < CQ_N_RECORDS; kind++) {
    cq_trajectory_field field = known[kind];
    const bool wanted = kind == CQ_RECORD_x || ((unsigned)keys->fields >> kind & 1U) != 0;
    field.components = field.components > 0 ? field.components : most_controls(scene);
    if (wanted && field.components > 0) {
      t->kinds[t->def.n_fields] = kind;
      t->fields[t->def.n_fields++] = field;
    }
  }
  t->def.fields = t->fields;
  t->def.problem = scene->config.problem.name;
  t->def.title = scene->config.problem.title;
  t->def.dimension = scene->model.dim;
  t->def.n_particles = scene->model.n_particles;
  t->def.n_bodies = scene->config.bodies.count;
  t->def.double_precision = keys->precision == CQ_PRECISION_DOUBLE;
}

static cq_status take_bodies(cq_scene_trajectory *t) {
  const cq_scene *const scene = t->scene;
  CQ_TRY(CQ_ALLOC(scene->ctx, t->bodies, t->def.n_bodies));
  CQ_TRY(CQ_ALLOC(scene->ctx, t->body, t->def.n_particles));
  for (int b = 0; b < t->def.n_bodies; b++) {
    const cq_body *const body = &scene->bodies[b];
    t->bodies[b] = body->keys->name;
    for (int i = 0; i < body->count; i++) {
      t->body[body->first + i] = b;
    }
  }
  t->def.bodies = t->bodies;
  t->def.body = t->body;
  return CQ_OK;
}

static cq_status put(cq_scene_trajectory *t, int i, int frame, const double *state,
                     const double *u) {
  const source s = {t->scene, t->sim, t->inputs, state, u, t->fields[i].components};
  recorders[t->kinds[i]](&s, t->buffer);
  return cq_trajectory_put(t->writer, i, frame, t->buffer);
}

cq_status cq_scene_trajectory_begin(const cq_scene *scene, const cq_sim *sim, const double *inputs,
                                    const char *dir, int n_frames, cq_scene_trajectory *t) {
  cq_scene_trajectory_fields(scene, t);
  t->sim = sim;
  t->inputs = inputs;
  int widest = 1;
  for (int i = 0; i < t->def.n_fields; i++) {
    widest = t->fields[i].components > widest ? t->fields[i].components : widest;
  }
  CQ_TRY(take_bodies(t));
  CQ_TRY(CQ_ALLOC(scene->ctx, t->frame_steps, n_frames));
  CQ_TRY(CQ_ALLOC(scene->ctx, t->buffer, (size_t)widest * (size_t)t->def.n_particles));
  CQ_TRY(cq_trajectory_create(scene->ctx, dir, &t->def, &t->writer));
  for (int i = 0; i < t->def.n_fields; i++) {
    if (t->fields[i].fixed) {
      CQ_TRY(put(t, i, 0, NULL, NULL));
    }
  }
  return CQ_OK;
}

cq_status cq_scene_trajectory_frame(cq_scene_trajectory *t, int step, const double *state) {
  const int frame = t->n_frames++;
  t->frame_steps[frame] = step;
  CQ_TRY(cq_trajectory_frame(t->writer, step, step * t->scene->model.dt));
  for (int i = 0; i < t->def.n_fields; i++) {
    if (!t->fields[i].fixed && t->kinds[i] != CQ_RECORD_actuation) {
      CQ_TRY(put(t, i, frame, state, NULL));
    }
  }
  return CQ_OK;
}

/* Controls are known once the step has been made: that from the frame's state, or the last one. */
static cq_status put_actuation(cq_scene_trajectory *t, const double *u) {
  const cq_model *const model = &t->scene->model;
  for (int i = 0; i < t->def.n_fields; i++) {
    for (int k = 0; t->kinds[i] == CQ_RECORD_actuation && k < t->n_frames; k++) {
      const int step = t->frame_steps[k] < model->steps ? t->frame_steps[k] : model->steps - 1;
      CQ_TRY(put(t, i, k, NULL, u + (size_t)step * (size_t)model->n_controls));
    }
  }
  return CQ_OK;
}

cq_status cq_scene_trajectory_end(cq_scene_trajectory *t, const double *u, bool keep) {
  cq_ctx *const ctx = t->scene->ctx;
  cq_status status = CQ_OK;
  if (keep) {
    status = put_actuation(t, u);
  }
  const cq_status closed = cq_trajectory_close(t->writer, keep && status == CQ_OK);
  cq_free(ctx, t->bodies);
  cq_free(ctx, t->body);
  cq_free(ctx, t->buffer);
  cq_free(ctx, t->frame_steps);
  *t = (cq_scene_trajectory){.scene = t->scene};
  return status != CQ_OK ? status : closed;
}
