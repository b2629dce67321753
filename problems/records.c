#include "records.h"

#include "engine.h"
#include "nearest.h"
#include "radii.h"
#include "status.h"

#include <string.h>

/* Adds block i of the inputs, if it is recorded. */
static int put_block(const cq_scene *scene, int i, cq_record *out) {
  const cq_input *input = &scene->layout.inputs[i];
  if (!input->recorded) {
    return 0;
  }
  *out = (cq_record){input->state ? CQ_RECORD_STATE : CQ_RECORD_INPUT, i, input->name, input->unit,
                     input->numbers[1]};
  return 1;
}

static int most_controls(const cq_scene *scene) {
  int most = 0;
  for (int i = 0; i < scene->model.n_actuators; i++) {
    most = scene->acting[i].n_controls > most ? scene->acting[i].n_controls : most;
  }
  return most;
}

int cq_scene_records(const cq_scene *scene, cq_record *records) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  int n = 0;
  for (int i = 0; i < scene->layout.n; i++) {
    n += put_block(scene, i, &records[n]);
  }
  records[n++] = (cq_record){CQ_RECORD_CONTROLS, 0, "actuation", "Pa", most_controls(scene)};
  if (scene->part->balls) {
    records[n++] = (cq_record){CQ_RECORD_RADIUS, 0, "radius", "m", 1};
  }
  for (int i = 0; i < type->n_fields; i++) {
    records[n++] = (cq_record){CQ_RECORD_FIELD, i, type->fields[i].name, type->fields[i].unit,
                               type->fields[i].components};
  }
  return n;
}

/* Every name of output.fields must be one of the list. */
cq_status cq_scene_check_records(const cq_scene *scene) {
  const cq_texts *wanted = &scene->config.output.fields;
  cq_record records[CQ_MOST_RECORDS];
  const int n = cq_scene_records(scene, records);
  for (int i = 0; i < wanted->count; i++) {
    cq_nearest nearest = cq_nearest_begin(wanted->values[i]);
    bool known = false;
    for (int k = 0; k < n; k++) {
      known = known || strcmp(records[k].name, wanted->values[i]) == 0;
      cq_nearest_offer(&nearest, records[k].name);
    }
    CQ_KEY_CHECK(scene->ctx, known, &scene->config.output, fields, "\"%s\" is not known; %s",
                 wanted->values[i], cq_nearest_text(&nearest));
  }
  return CQ_OK;
}

/* dim or dim x dim numbers a particle to 3 or 3 x 3; out of the plane a matrix has 1, a vector 0 */
static void widen(const double *from, size_t dim, size_t rows, size_t n, double *out) {
  memset(out, 0, 3 * rows * n * sizeof *out);
  for (size_t p = 0; p < n; p++, out += 3 * rows) {
    for (size_t a = 0; a < (rows == 3 ? dim : 1); a++, from += dim) {
      memcpy(out + 3 * a, from, dim * sizeof *out);
    }
    if (rows == 3 && dim == 2) {
      out[8] = 1.0;
    }
  }
}

/* Turns in a plane are a number a particle, about z. */
static void take_turns(const double *from, size_t n, double *out) {
  memset(out, 0, 3 * n * sizeof *out);
  for (size_t p = 0; p < n; p++) {
    out[3 * p + 2] = from[p];
  }
}

static void take_block(const cq_record *record, const cq_scene *scene, const double *from,
                       double *out) {
  const size_t n = (size_t)scene->model.n_particles;
  if (record->components == 1) {
    memcpy(out, from, n * sizeof *out);
  } else if (scene->layout.inputs[record->index].numbers[scene->model.dim - 2] == 1) {
    take_turns(from, n, out);
  } else {
    widen(from, (size_t)scene->model.dim, (size_t)record->components / 3, n, out);
  }
}

static void take_controls(const cq_record *record, const cq_scene *scene, const double *u,
                          double *out) {
  const cq_model *const model = &scene->model;
  const size_t width = (size_t)record->components;
  memset(out, 0, width * (size_t)model->n_particles * sizeof *out);
  for (int p = 0; p < model->n_particles; p++, out += width) {
    if (model->n_actuators > 0 && model->actuator[p] >= 0) {
      const cq_acting *const acting = &scene->acting[model->actuator[p]];
      memcpy(out, u + acting->first_control, (size_t)acting->n_controls * sizeof *out);
    }
  }
}

static void take_radii(const cq_scene *scene, const double *inputs, double *out) {
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *const body = &scene->bodies[b];
    if (body->rigid) {
      memset(out + body->first, 0, (size_t)body->count * sizeof *out);
    } else {
      cq_radii_of(scene, body, inputs, out);
    }
  }
}

/* From wherever the record comes: inputs, state, controls, or the engine. */
void cq_record_take(const cq_record *record, const cq_scene *scene, const cq_sim *sim,
                    const double *inputs, const double *state, const double *u, double *out) {
  switch (record->source) {
  case CQ_RECORD_STATE:
    take_block(record, scene, state + scene->layout.offset[record->index], out);
    break;
  case CQ_RECORD_INPUT:
    take_block(record, scene, inputs + scene->layout.offset[record->index], out);
    break;
  case CQ_RECORD_RADIUS:
    take_radii(scene, inputs, out);
    break;
  case CQ_RECORD_CONTROLS:
    take_controls(record, scene, u, out);
    break;
  default:
    cq_sim_field(sim, record->index, inputs, state, out);
  }
}
