/* One run of a scene, recorded. */
#include "alloc.h"
#include "scene.h"
#include "status.h"

#include <errno.h>
#include <string.h>

/* A run that observes every body at every state; the model is the scene's but for that. */
typedef struct recording {
  cq_scene *scene;
  cq_model model;
  cq_sim *sim;
  cq_group *groups;
  unsigned char *observe;
  double *inputs;
  int *particles;
  FILE *file;
  int n_frames, next_frame;
} recording;

static const char axes[] = "xyz";

static void write_particle_header(FILE *file, int dim) {
  fputs("step,particle,body", file);
  for (int i = 0; i < 2 * dim; i++) {
    fprintf(file, ",%s%c", i < dim ? "" : "v", axes[i % dim]);
  }
  fputc('\n', file);
}

static void write_particles(const cq_scene *scene, FILE *file, int step, const double *state) {
  const size_t dim = (size_t)scene->model.dim;
  const double *x = state + scene->layout.offset[CQ_INPUT_x];
  const double *v = state + scene->layout.offset[CQ_INPUT_v];
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (int i = 0; i < body->count; i++) {
      const size_t p = (size_t)(body->first + i);
      fprintf(file, "%d,%zu,%s", step, p, body->keys->name);
      for (size_t a = 0; a < 2 * dim; a++) {
        fprintf(file, ",%.17g", a < dim ? x[p * dim + a] : v[p * dim + a - dim]);
      }
      fputc('\n', file);
    }
  }
}

static cq_status create_file(const cq_scene *scene, const char *dir, const char *name,
                             FILE **file) {
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s%s%s", dir, dir[0] != '\0' ? "/" : "", name);
  CQ_CHECK(scene->ctx, length < (int)sizeof path, CQ_IO, "the path %s is too long", dir);
  *file = fopen(path, "w");
  CQ_CHECK(scene->ctx, *file != NULL, CQ_IO, "cannot write %s: %s", path, strerror(errno));
  return CQ_OK;
}

static cq_status close_file(const cq_scene *scene, FILE *file, const char *name) {
  const bool failed = ferror(file) != 0;
  const bool closed = fclose(file) == 0;
  CQ_CHECK(scene->ctx, !failed && closed, CQ_IO, "cannot write %s: %s", name, strerror(errno));
  return CQ_OK;
}

/* frame i is at the state nearest to i/n_frames of the run */
static int frame_step(const recording *r, int frame) {
  const long long steps = r->model.steps;
  return (int)((2 * steps * frame + r->n_frames) / (2LL * r->n_frames));
}

static cq_status visit(void *user, int step, const double *state) {
  recording *r = user;
  const cq_status stop = cq_ctx_stop_requested(r->scene->ctx);
  if (stop != CQ_OK) {
    return stop;
  }
  if (step == frame_step(r, r->next_frame)) {
    write_particles(r->scene, r->file, step, state);
    while (r->next_frame <= r->n_frames && frame_step(r, r->next_frame) <= step) {
      r->next_frame++;
    }
  }
  return CQ_OK;
}

static void write_observations(const recording *r, FILE *file) {
  const int dim = r->model.dim, size = cq_group_z_size(dim);
  const double *z = cq_sim_observations(r->sim);
  fputs("time", file);
  for (int b = 0; b < r->model.n_groups; b++) {
    const char *name = r->scene->bodies[b].keys->name;
    for (int i = 0; i < 2 * dim; i++) {
      fprintf(file, ",%s.%s%c", name, i < dim ? "" : "v", axes[i % dim]);
    }
    fprintf(file, ",%s.mean_square_velocity", name);
  }
  fputc('\n', file);
  for (int k = 0; k <= r->model.steps; k++) {
    fprintf(file, "%.17g", k * r->model.dt);
    for (int b = 0; b < r->model.n_groups; b++, z += size) {
      for (int i = 0; i <= CQ_Z(dim, SQUARE); i++) {
        fprintf(file, ",%.17g", z[i]);
      }
    }
    fputc('\n', file);
  }
}

static cq_status open_recording(recording *r, const double *x) {
  cq_scene *scene = r->scene;
  const int n_bodies = scene->config.bodies.count;
  const size_t total = scene->layout.total;
  CQ_TRY(CQ_ALLOC(scene->ctx, r->groups, n_bodies));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->observe, scene->model.steps + 1));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->particles, scene->model.n_particles));
  CQ_TRY(CQ_ALLOC(scene->ctx, r->inputs, total));
  memset(r->observe, 1, (size_t)scene->model.steps + 1);
  for (int b = 0; b < n_bodies; b++) {
    const cq_body *body = &scene->bodies[b];
    for (int p = body->first; p < body->first + body->count; p++) {
      r->particles[p] = p;
    }
    r->groups[b] = (cq_group){.count = body->count, .particles = r->particles + body->first};
  }
  r->model = scene->model;
  r->model.groups = r->groups;
  r->model.n_groups = n_bodies;
  r->model.observe = r->observe;
  /* nothing is kept: a memo of a few states, padding included */
  r->model.memory = 8 * (scene->layout.state_total * sizeof(double) + 4096);
  memcpy(r->inputs, scene->inputs, total * sizeof *r->inputs);
  cq_design_apply(&scene->design, x != NULL ? x : scene->design.start, r->inputs);
  return cq_sim_create(scene->ctx, &r->model, &r->sim);
}

static cq_status record(recording *r, const double *x, const char *dir) {
  CQ_TRY(open_recording(r, x));
  CQ_TRY(create_file(r->scene, dir, "particles.csv", &r->file));
  write_particle_header(r->file, r->model.dim);
  cq_status status = cq_sim_visit(r->sim, r->inputs, 1, visit, r);
  const cq_status closed = close_file(r->scene, r->file, "particles.csv");
  status = status != CQ_OK ? status : closed;
  /* what was observed before a failure is worth having */
  if (status == CQ_OK || cq_status_is_numeric(status)) {
    FILE *file = NULL;
    CQ_TRY(create_file(r->scene, dir, "observations.csv", &file));
    write_observations(r, file);
    CQ_TRY(close_file(r->scene, file, "observations.csv"));
  }
  return status;
}

cq_status cq_scene_simulate(cq_scene *scene, const double *x, const char *dir, int n_frames) {
  recording r = {.scene = scene, .n_frames = n_frames > 0 ? n_frames : scene->config.output.frames};
  const cq_status status = record(&r, x, dir);
  cq_sim_destroy(r.sim);
  cq_free(scene->ctx, r.groups);
  cq_free(scene->ctx, r.observe);
  cq_free(scene->ctx, r.particles);
  cq_free(scene->ctx, r.inputs);
  return status;
}

static cq_status write_state(cq_scene *scene, const char *path, double *state) {
  FILE *file = NULL;
  CQ_TRY(cq_sim_final_state(scene->sim, state));
  CQ_TRY(create_file(scene, "", path, &file));
  write_particle_header(file, scene->model.dim);
  write_particles(scene, file, cq_sim_failure(scene->sim)->step, state);
  return close_file(scene, file, path);
}

cq_status cq_scene_write_failed_state(cq_scene *scene, const char *path) {
  CQ_CHECK(scene->ctx, cq_sim_failure(scene->sim)->status != CQ_OK, CQ_USAGE,
           "no evaluation has failed");
  double *state = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, state, scene->layout.state_total));
  const cq_status status = write_state(scene, path, state);
  cq_free(scene->ctx, state);
  return status;
}
