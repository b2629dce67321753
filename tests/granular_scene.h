/* A model of grains for tests: filled by hand, then run. */
#ifndef CQ_TESTS_GRANULAR_SCENE_H
#define CQ_TESTS_GRANULAR_SCENE_H

#include "granular_inputs.h"
#include "granular_model.h"
#include "sim.h"
#include "test.h"

#define GRAIN_PI 3.14159265358979323846

typedef struct grain_scene {
  cq_ctx *ctx;
  cq_model model;
  cq_granular_model own;
  cq_layout layout;
  cq_tool tools[8];
  cq_shape parts[8];
  cq_group all;
  int *particles;
  double *inputs;
  cq_sim *sim;
  double *state; /* after a run */
} grain_scene;

static double grain_volume(int dim, double r) {
  return dim == 2 ? GRAIN_PI * r * r : 4.0 / 3.0 * GRAIN_PI * r * r * r;
}

/* n grains of radius r and density 1000 at the origin, no friction, no gravity, a room of 2e3 m. */
static grain_scene grain_begin(int dim, int bits, int n, double r, double dt, int iterations) {
  grain_scene g = {.ctx = cq_ctx_create(1, 1)};
  g.own = (cq_granular_model){
      .iterations = iterations, .warm = true, .spins = true, .damping = 1.0, .n_materials = 1};
  g.model = (cq_model){.engine = "granular",
                       .dim = dim,
                       .bits = bits,
                       .dt = dt,
                       .length = 2.0 * r,
                       .n_particles = n,
                       .n_groups = 1};
  g.model.room = (cq_box){{-1e3, -1e3, -1e3}, {1e3, 1e3, 1e3}};
  g.particles = calloc((size_t)n, sizeof *g.particles);
  for (int i = 0; i < n; i++) {
    g.particles[i] = i;
  }
  g.layout = cq_model_layout(&g.model);
  g.inputs = calloc(g.layout.total + 64, sizeof *g.inputs);
  g.state = calloc(g.layout.state_total, sizeof *g.state);
  for (int i = 0; i < n; i++) {
    g.inputs[g.layout.offset[CQ_GRAIN_density] + (size_t)i] = 1000.0;
    g.inputs[g.layout.offset[CQ_GRAIN_volume] + (size_t)i] = grain_volume(dim, r);
  }
  return g;
}

static inline double *grain_of(grain_scene *g, int input, int particle) {
  const int numbers = g->layout.inputs[input].numbers[g->model.dim - 2];
  return g->inputs + g->layout.offset[input] + (size_t)(particle * numbers);
}

static inline void grain_all(grain_scene *g, int input, double value) {
  for (size_t i = 0; i < g->layout.count[input]; i++) {
    g->inputs[g->layout.offset[input] + i] = value;
  }
}

/* A plane through the point, its normal into the room; friction is the last input but theta. */
static inline void grain_plane(grain_scene *g, const double *point, const double *normal,
                               double friction) {
  const int k = g->model.n_boundaries++;
  double square = 0.0;
  g->parts[k] = (cq_shape){.kind = CQ_SHAPE_half_space, .dim = g->model.dim};
  for (int a = 0; a < g->model.dim; a++) {
    square += normal[a] * normal[a];
  }
  for (int a = 0; a < g->model.dim; a++) {
    g->parts[k].center[a] = point[a];
    g->parts[k].normal[a] = normal[a] / sqrt(square);
  }
  g->tools[k] = (cq_tool){.n_parts = 1, .linear = {-1, -1, -1}, .angular = {-1, -1, -1}};
  g->layout = cq_model_layout(&g->model);
  g->inputs[g->layout.offset[CQ_GRAIN_friction] + (size_t)k] = friction;
}

static inline double *grain_gravity(grain_scene *g) {
  return g->inputs + g->layout.offset[CQ_GRAIN_gravity];
}

/* Pointers into the scene, where it stays. */
static inline void grain_settle(grain_scene *g) {
  g->model.own = &g->own;
  g->own.tools = g->tools;
  for (int k = 0; k < g->model.n_boundaries; k++) {
    g->tools[k].parts = &g->parts[k];
  }
  g->all = (cq_group){.count = g->model.n_particles, .particles = g->particles, .parameter = 1.0};
  g->model.groups = &g->all;
}

/* Runs that many steps; the state after them is in g->state. */
static inline cq_status grain_run(grain_scene *g, int steps) {
  grain_settle(g);
  g->model.steps = steps;
  cq_sim_destroy(g->sim);
  g->sim = NULL;
  g->model.memory = (size_t)1 << 28;
  cq_status status = cq_sim_create(g->ctx, &g->model, &g->sim);
  status = status == CQ_OK ? cq_sim_forward(g->sim, g->inputs) : status;
  return status == CQ_OK ? cq_sim_final_state(g->sim, g->state) : status;
}

static inline void grain_check_run(grain_scene *g, int steps) {
  const cq_status status = grain_run(g, steps);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(g->ctx));
}

static inline double *grain_after(grain_scene *g, int input, int particle) {
  const int numbers = g->layout.inputs[input].numbers[g->model.dim - 2];
  return g->state + g->layout.offset[input] + (size_t)(particle * numbers);
}

static inline long long grain_tally(const grain_scene *g, int what) {
  return cq_sim_statistics(g->sim)->tally.of[what];
}

static void grain_end(grain_scene *g) {
  cq_sim_destroy(g->sim);
  cq_ctx_destroy(g->ctx);
  free(g->particles);
  free(g->inputs);
  free(g->state);
}

#endif
