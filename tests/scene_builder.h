/* Bodies for the physics tests: lattices and seeded balls of one material on an empty grid. */
#ifndef CQ_TESTS_SCENE_BUILDER_H
#define CQ_TESTS_SCENE_BUILDER_H

#include "actuators.h"
#include "device.h"
#include "kinds.h"
#include "mpm_inputs.h"
#include "rng.h"
#include "sim.h"
#include "test.h"
#include "walls.h"

typedef struct scene {
  cq_ctx *ctx;
  cq_model model;
  cq_mpm_model mpm; /* model.own */
  cq_layout layout;
  unsigned char *material;
  int *actuator, *particles;
  cq_group groups[4];
  unsigned own[4]; /* 1 << CQ_Q_... of the engine's quantities that a group is asked for */
  const unsigned char *observe; /* [steps + 1] where groups are observed; NULL: at the last state */
  unsigned char *last;          /* [steps + 1] the last state */
  cq_channel channels[4 * CQ_N_QUANTITIES];
  cq_boundary boundaries[4];
  cq_cubic pieces[16]; /* of a height field */
  double *inputs, *state, *dz, *gradient;
  cq_sim *sim;
} scene;

/* All particles in group 0, at rest, F = I, E 10, nu 0.3, density and volume 1; no boundaries. */
static inline void scene_make(scene *s, int dim, int bits, int grid, double cell, double dt,
                              int steps, int n, int threads) {
  memset(s, 0, sizeof *s);
  s->ctx = cq_ctx_create(threads, 1);
  cq_model *m = &s->model;
  m->own = &s->mpm;
  m->dim = dim;
  m->device = CQ_TEST_DEVICE;
  m->bits = bits;
  m->steps = steps;
  m->dt = dt;
  s->mpm.cell = cell;
  for (int a = 0; a < 3; a++) {
    s->mpm.grid[a] = a < dim ? grid : 1;
  }
  s->mpm.contact_epsilon = 1e-7;
  m->n_particles = n;
  s->material = calloc((size_t)n, 1);
  s->actuator = malloc((size_t)n * sizeof(int));
  s->particles = malloc((size_t)n * sizeof(int));
  for (int p = 0; p < n; p++) {
    s->actuator[p] = -1;
    s->particles[p] = p;
  }
  s->mpm.material = s->material;
  m->actuator = s->actuator;
  s->mpm.boundaries = s->boundaries;
  m->groups = s->groups;
  m->n_groups = 1;
  s->groups[0] = (cq_group){.count = n, .particles = s->particles};
}

/* What is shared of every group, and what is asked of its own. */
static inline void scene_ask(scene *s) {
  cq_model *m = &s->model;
  s->last = calloc((size_t)m->steps + 1, 1);
  s->last[m->steps] = 1;
  m->channels = s->channels;
  for (int g = 0; g < m->n_groups; g++) {
    const unsigned asked =
        s->own[g] | 1u << CQ_Q_POSITION | 1u << CQ_Q_VELOCITY | 1u << CQ_Q_SQUARE | 1u << CQ_Q_MASS;
    for (int k = 0; k < CQ_N_QUANTITIES; k++) {
      if ((asked >> k & 1u) != 0) {
        s->channels[m->n_channels++] =
            (cq_channel){g, k, s->observe != NULL ? s->observe : s->last};
      }
    }
  }
}

/* (Again, where the model has changed.) */
static inline void scene_open_sim(scene *s) {
  cq_sim_destroy(s->sim);
  CHECK_MSG(cq_sim_create(s->ctx, &s->model, &s->sim) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  if (s->sim != NULL) {
    s->layout = *cq_sim_layout(s->sim);
  }
}

/* Where a quantity of a group begins in z and dz at a state where it is observed. */
static inline size_t scene_place(const scene *s, int state, int group, int quantity) {
  return cq_z_at(s->layout.rows, state, group, quantity);
}

/* Call once groups and boundaries are set. */
static inline void scene_open(scene *s) {
  const int n = s->model.n_particles, dim = s->model.dim;
  scene_ask(s);
  scene_open_sim(s);
  s->inputs = calloc(s->layout.total, sizeof(double));
  s->state = calloc(s->layout.state_total, sizeof(double));
  s->gradient = calloc(s->layout.total, sizeof(double));
  s->dz = calloc(s->layout.rows->begin[s->model.steps + 1], sizeof(double));
  for (int p = 0; p < n; p++) {
    for (int a = 0; a < dim; a++) {
      s->inputs[s->layout.offset[CQ_INPUT_F] + (size_t)((p * dim + a) * dim + a)] = 1.0;
    }
    s->inputs[s->layout.offset[CQ_INPUT_youngs_modulus] + (size_t)p] = 10.0;
    s->inputs[s->layout.offset[CQ_INPUT_poisson_ratio] + (size_t)p] = 0.3;
    s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)p] = 1.0;
    s->inputs[s->layout.offset[CQ_INPUT_volume] + (size_t)p] = 1.0;
  }
}

/* Before scene_open(): `n` actuators, whose controls stay what CQ_INPUT_theta says for the whole
 * run. */
static inline void scene_actuate(scene *s, cq_actuator *actuators, int n) {
  cq_model *m = &s->model;
  s->mpm.actuators = actuators;
  m->n_actuators = n;
  cq_actuators_number(m, actuators);
  m->controller = (cq_controller){.kind = CQ_CONTROLLER_open_loop,
                                  .n_controls = m->n_controls,
                                  .hold = m->steps,
                                  .n_parameters = m->n_controls};
}

/* The mean of det F over the particles of actuator 0: the volume of a chamber of equal particles,
 * in units of that at F = I. */
static inline double scene_chamber_volume(const scene *s, const double *state) {
  const int dim = s->model.dim;
  const double *F = state + s->layout.offset[CQ_INPUT_F];
  double sum = 0.0;
  int n = 0;
  for (int p = 0; p < s->model.n_particles; p++, F += dim * dim) {
    if (s->actuator[p] == 0) {
      sum += dim == 2 ? F[0] * F[3] - F[1] * F[2]
                      : F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
                            F[2] * (F[3] * F[7] - F[4] * F[6]);
      n++;
    }
  }
  return sum / n;
}

static inline void scene_close(scene *s) {
  cq_sim_destroy(s->sim);
  CHECK(cq_ctx_bytes(s->ctx) == 0);
  cq_ctx_destroy(s->ctx);
  free(s->material);
  free(s->actuator);
  free(s->particles);
  free(s->inputs);
  free(s->state);
  free(s->gradient);
  free(s->dz);
  free(s->last);
}

static inline double *scene_at(scene *s, int which) {
  return s->inputs + s->layout.offset[which];
}

static inline void scene_set_all(scene *s, int which, double value) {
  for (size_t i = 0; i < s->layout.count[which]; i++) {
    scene_at(s, which)[i] = value;
  }
}

/* Particles [first, first + n) uniformly in a ball (disc in 2D). */
static inline void scene_ball(scene *s, int first, int n, const double *centre, double radius,
                              uint64_t seed) {
  cq_rng rng = cq_rng_seed(seed);
  const int dim = s->model.dim;
  for (int p = first; p < first + n;) {
    double x[3], squared = 0.0;
    for (int a = 0; a < dim; a++) {
      x[a] = 2.0 * cq_rng_uniform(&rng) - 1.0;
      squared += x[a] * x[a];
    }
    if (squared <= 1.0) {
      for (int a = 0; a < dim; a++) {
        scene_at(s, CQ_INPUT_x)[p * dim + a] = centre[a] + radius * x[a];
      }
      p++;
    }
  }
}

static inline void scene_forward(scene *s) {
  CHECK_MSG(cq_sim_forward(s->sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  CHECK(cq_sim_final_state(s->sim, s->state) == CQ_OK);
}

/* observation of the last state */
static inline const double *scene_z(const scene *s) {
  return cq_sim_observations(s->sim) + s->layout.rows->begin[s->model.steps];
}

/* gradient of sum dz_i z_i at the last state: set s->dz's last row before */
static inline double *scene_last_dz(scene *s) {
  return s->dz + s->layout.rows->begin[s->model.steps];
}

static inline const double *scene_backward(scene *s) {
  const cq_seed seed = {.dz = s->dz};
  CHECK_MSG(cq_sim_backward(s->sim, 1, &seed, s->gradient) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  return s->gradient;
}

#endif
