#include "scene_trajectory.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* By output.fields: the positions, and what it names or, without it, all. */
static bool is_wanted(const cq_output_keys *keys, const cq_record *record) {
  bool wanted = strcmp(record->name, "x") == 0 || cq_node_find(keys->node, "fields") == NULL;
  for (int i = 0; i < keys->fields.count; i++) {
    wanted = wanted || strcmp(record->name, keys->fields.values[i]) == 0;
  }
  return wanted && record->components > 0;
}

/* The fields that are wanted, and what the file says of the scene beside them. */
void cq_scene_trajectory_fields(const cq_scene *scene, cq_scene_trajectory *t) {
  const cq_output_keys *const keys = &scene->config.output;
  cq_record all[CQ_MOST_RECORDS];
  const int n = cq_scene_records(scene, all);
  *t = (cq_scene_trajectory){.scene = scene};
  for (int i = 0; i < n; i++) {
    if (is_wanted(keys, &all[i])) {
      t->records[t->def.n_fields] = all[i];
      t->fields[t->def.n_fields++] = (cq_trajectory_field){
          all[i].name, all[i].unit, all[i].components, cq_record_is_fixed(&all[i])};
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

/* The surface, carried by all particles. */
static cq_status take_cover(cq_scene_trajectory *t) {
  int *all = NULL;
  CQ_TRY(CQ_ALLOC(t->scene->ctx, all, t->def.n_particles));
  for (int p = 0; p < t->def.n_particles; p++) {
    all[p] = p;
  }
  const cq_status status = cq_scene_cover(t->scene, t->def.n_particles, all, &t->cover);
  cq_free(t->scene->ctx, all);
  t->def.cover = t->cover.n_faces > 0 ? &t->cover : NULL;
  return status;
}

static cq_status take_movers(cq_scene_trajectory *t) {
  CQ_TRY(cq_movers_make(t->scene, &t->movers));
  t->def.moving = t->movers.moving.n > 0 ? &t->movers.moving : NULL;
  return CQ_OK;
}

/* The images of each camera, and what they are made of. */
static cq_status take_cameras(cq_scene_trajectory *t) {
  const cq_scene *const scene = t->scene;
  size_t most = 0;
  t->def.n_cameras = scene->n_cameras;
  CQ_TRY(CQ_ALLOC(scene->ctx, t->cameras, scene->n_cameras));
  for (int i = 0; i < scene->n_cameras; i++) {
    const cq_scene_camera *const c = &scene->cameras[i];
    t->cameras[i] = (cq_recorded_camera){c->keys->name, c->eye.wide, c->eye.high};
    most = cq_camera_pixels(c) > most ? cq_camera_pixels(c) : most;
  }
  t->def.cameras = t->cameras;
  if (most > 0) {
    CQ_TRY(CQ_ALLOC(scene->ctx, t->radii, t->def.n_particles));
    CQ_TRY(CQ_ALLOC(scene->ctx, t->image, most));
    cq_scene_seen_radii(scene, t->inputs, t->radii);
  }
  return CQ_OK;
}

static cq_status put_images(cq_scene_trajectory *t, int frame, const double *state,
                            const double *maps) {
  for (int i = 0; i < t->def.n_cameras; i++) {
    cq_scene_look(t->scene, i, t->radii, state, maps, t->image);
    CQ_TRY(cq_trajectory_look(t->writer, i, frame, t->image));
  }
  return CQ_OK;
}

static cq_status put(cq_scene_trajectory *t, int i, int frame, const double *state,
                     const double *u) {
  cq_record_take(&t->records[i], t->scene, t->sim, t->inputs, state, u, t->buffer);
  return cq_trajectory_put(t->writer, i, frame, t->buffer);
}

/* Opens the file and writes what is the same in every frame. */
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
  CQ_TRY(take_cover(t));
  CQ_TRY(take_movers(t));
  CQ_TRY(take_cameras(t));
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

/* What is fixed has been written at the beginning, and controls are not known before the end. */
cq_status cq_scene_trajectory_frame(cq_scene_trajectory *t, int step, const double *state,
                                    const double *maps) {
  const int frame = t->n_frames++;
  t->frame_steps[frame] = step;
  CQ_TRY(cq_trajectory_frame(t->writer, step, step * t->scene->model.dt));
  if (t->def.moving != NULL) {
    cq_movers_place(&t->movers, maps);
    CQ_TRY(cq_trajectory_move(t->writer, frame, t->movers.maps, t->movers.now[0]));
  }
  for (int i = 0; i < t->def.n_fields; i++) {
    if (!t->fields[i].fixed && t->records[i].source != CQ_RECORD_CONTROLS) {
      CQ_TRY(put(t, i, frame, state, NULL));
    }
  }
  return put_images(t, frame, state, maps);
}

/* Controls are known once the step has been made: that from the frame's state, or the last one. */
static cq_status put_actuation(cq_scene_trajectory *t, const double *u) {
  const cq_model *const model = &t->scene->model;
  for (int i = 0; i < t->def.n_fields; i++) {
    for (int k = 0; t->records[i].source == CQ_RECORD_CONTROLS && k < t->n_frames; k++) {
      const int step = t->frame_steps[k] < model->steps ? t->frame_steps[k] : model->steps - 1;
      CQ_TRY(put(t, i, k, NULL, u + (size_t)step * (size_t)model->n_controls));
    }
  }
  return CQ_OK;
}

/* Frees everything in any case; of two errors the first is told. */
cq_status cq_scene_trajectory_end(cq_scene_trajectory *t, const double *u, bool keep) {
  cq_ctx *const ctx = t->scene->ctx;
  cq_status status = CQ_OK;
  if (keep) {
    status = put_actuation(t, u);
  }
  const cq_status closed = cq_trajectory_close(t->writer, keep && status == CQ_OK);
  cq_free(ctx, t->bodies);
  cq_free(ctx, t->body);
  cq_cover_free(ctx, &t->cover);
  cq_movers_free(&t->movers);
  cq_free(ctx, t->buffer);
  cq_free(ctx, t->cameras);
  cq_free(ctx, t->radii);
  cq_free(ctx, t->image);
  cq_free(ctx, t->frame_steps);
  *t = (cq_scene_trajectory){.scene = t->scene};
  return status != CQ_OK ? status : closed;
}
