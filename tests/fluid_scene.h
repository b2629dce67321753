/* Scenes for the tests of the fluid engine: lattices of fluid, walls, rigid boxes and balls. */
#ifndef CQ_TESTS_FLUID_SCENE_H
#define CQ_TESTS_FLUID_SCENE_H

#include "fluid_inputs.h"
#include "fluid_model.h"
#include "rng.h"
#include "samples.h"
#include "sim.h"
#include "test.h"

enum { SCENE_BODIES = 4 };

typedef struct fluid_scene {
  cq_ctx *ctx;
  cq_model model;
  cq_fluid_model fluid; /* model.own */
  cq_fluid_body bodies[SCENE_BODIES];
  int n_fluid; /* particles of it */
  double density[SCENE_BODIES];
  cq_points particles, samples;
  int *body;
  unsigned char *sticky;
  int *wall;
  cq_layout layout;
  double *inputs;
  cq_sim *sim;
} fluid_scene;

static inline void scene_begin(fluid_scene *s, int dim, int bits, double radius, double dt,
                               int steps, int threads) {
  memset(s, 0, sizeof *s);
  s->ctx = cq_ctx_create(threads, 1);
  s->model = (cq_model){
      .engine = "fluid",
      .dim = dim,
      .bits = bits,
      .dt = dt,
      .steps = steps,
      .own = &s->fluid,
  };
  for (int a = 0; a < 3; a++) {
    s->model.room.low[a] = -100.0;
    s->model.room.high[a] = 100.0;
  }
  s->fluid = (cq_fluid_model){.radius = radius,
                              .sweeps = 100,
                              .divergence_sweeps = 100,
                              .tolerance = 5e-4,
                              .divergence_tolerance = 1e-3,
                              .bodies = s->bodies};
}

/* A lattice of `count` particles, two radii apart, the first cell's corner at low. */
static inline int scene_lattice(fluid_scene *s, const double *low, const int *count) {
  const double apart = 2.0 * s->fluid.radius;
  int n = 0;
  for (int i = 0; i < count[0]; i++) {
    for (int j = 0; j < count[1]; j++) {
      for (int k = 0; k < (s->model.dim == 3 ? count[2] : 1); k++, n++) {
        const double x[3] = {low[0] + (i + 0.5) * apart, low[1] + (j + 0.5) * apart,
                             low[2] + (k + 0.5) * apart};
        CHECK(cq_points_add(s->ctx, s->model.dim, x, 1u << 24, &s->particles) == CQ_OK);
      }
    }
  }
  return n;
}

/* Fluid comes first. */
static inline void scene_fluid(fluid_scene *s, const double *low, const int *count) {
  s->n_fluid += scene_lattice(s, low, count);
}

/* A closed box of walls, without its lid if it is open. */
static inline void scene_walls(fluid_scene *s, const double *low, const double *high) {
  double a[3], b[3];
  for (int i = 0; i < 3; i++) {
    a[i] = low[i] - CQ_FLUID_INSET * s->fluid.radius;
    b[i] = high[i] + CQ_FLUID_INSET * s->fluid.radius;
    s->model.room.low[i] = low[i];
    s->model.room.high[i] = high[i];
  }
  CHECK(cq_fluid_sample_box(s->ctx, s->model.dim, a, b, 2.0 * s->fluid.radius, 1u << 24,
                            &s->samples) == CQ_OK);
  s->fluid.n_wall_samples = (int)s->samples.n;
}

/* A box of rigid particles; its samples are those of a shape. */
static inline cq_fluid_body *scene_box(fluid_scene *s, const double *low, const int *count,
                                       double density) {
  const int b = s->fluid.n_bodies++;
  cq_fluid_body *body = &s->bodies[b];
  cq_shape shape = {.kind = CQ_SHAPE_box, .dim = s->model.dim};
  for (int a = 0; a < s->model.dim; a++) {
    shape.size[a] = 2.0 * s->fluid.radius * count[a];
    shape.center[a] = low[a] + 0.5 * shape.size[a];
  }
  s->density[b] = density;
  *body = (cq_fluid_body){.first = (int)s->particles.n, .first_sample = (int)s->samples.n};
  body->count = scene_lattice(s, low, count);
  CHECK(cq_fluid_sample(s->ctx, &shape, -CQ_FLUID_INSET * s->fluid.radius, 2.0 * s->fluid.radius,
                        1u << 24, &s->samples) == CQ_OK);
  body->n_samples = (int)s->samples.n - body->first_sample;
  return body;
}

static inline double *scene_at(fluid_scene *s, int which) {
  return s->inputs + s->layout.offset[which];
}

static inline void scene_arrays(fluid_scene *s) {
  const int n = s->model.n_particles;
  const size_t samples = s->samples.n + 1;
  s->body = malloc((size_t)n * sizeof(int));
  s->sticky = calloc(samples, 1);
  s->wall = calloc(samples, sizeof(int));
  for (int p = 0; p < n; p++) {
    s->body[p] = -1;
  }
  for (int b = 0; b < s->fluid.n_bodies; b++) {
    const cq_fluid_body *body = &s->bodies[b];
    for (int p = body->first; p < body->first + body->count; p++) {
      s->body[p] = b;
    }
  }
}

/* Call once everything is there: fluid of density 1000, gravity 0. */
static inline void scene_open(fluid_scene *s) {
  const int dim = s->model.dim, n = (int)s->particles.n;
  s->model.n_particles = n;
  s->model.n_boundaries = 1;
  scene_arrays(s);
  s->fluid.body = s->body;
  s->fluid.placed = s->particles.x;
  s->fluid.samples = s->samples.x;
  s->fluid.n_samples = (int)s->samples.n;
  s->fluid.sticky = s->sticky;
  s->fluid.sample_wall = s->wall;
  s->layout = cq_model_layout(&s->model);
  s->inputs = calloc(s->layout.total, sizeof(double));
  memcpy(scene_at(s, CQ_FLUID_x), s->particles.x, (size_t)(n * dim) * sizeof(double));
  for (int p = 0; p < n; p++) {
    scene_at(s, CQ_FLUID_density)[p] = s->body[p] < 0 ? 1000.0 : s->density[s->body[p]];
    scene_at(s, CQ_FLUID_volume)[p] = pow(2.0 * s->fluid.radius, dim);
  }
}

static inline void scene_ready(fluid_scene *s) {
  if (s->sim == NULL) {
    CHECK_MSG(cq_sim_create(s->ctx, &s->model, &s->sim) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  }
}

/* Runs and visits the states (NULL: all). */
static inline void scene_visit(fluid_scene *s, const int *states, int n, cq_visit_fn visit,
                               void *user) {
  scene_ready(s);
  CHECK_MSG(cq_sim_visit(s->sim, s->inputs, states, n, visit, user) == CQ_OK, "%s",
            cq_ctx_error(s->ctx));
}

static inline void scene_close(fluid_scene *s) {
  cq_sim_destroy(s->sim);
  cq_points_free(s->ctx, &s->particles);
  cq_points_free(s->ctx, &s->samples);
  CHECK(cq_ctx_bytes(s->ctx) == 0);
  cq_ctx_destroy(s->ctx);
  free(s->body);
  free(s->sticky);
  free(s->wall);
  free(s->inputs);
}

#endif
