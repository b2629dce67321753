/* cqopt's side of the comparison with its peers: reads a scene that scenes.py wrote, runs it
 * forward and back a few times, prints "loss forward-seconds backward-seconds", the least times,
 * and writes the gradient as text.
 *
 *   bench_peer SCENE THREADS RUNS GRADIENT-FILE */
#include "actuators.h"
#include "alloc.h"
#include "mpm_inputs.h"
#include "sim.h"
#include "timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct peer {
  cq_ctx *ctx;
  cq_model model;
  cq_mpm_model mpm; /* model.own */
  cq_layout layout;
  cq_boundary walls;
  cq_group group;
  cq_channel channel;
  unsigned char *at; /* [steps + 1] the last state */
  unsigned char *material;
  int *actuator, *particles;
  cq_actuator *actuators;
  double *inputs, *dz, *gradient;
  double target[3]; /* loss |mean x - target|^2 / 2, or */
  double weight[3]; /* loss weight . mean x, */
  bool has_target;
} peer;

static void require(const peer *p, cq_status status) {
  if (status != CQ_OK) {
    fprintf(stderr, "bench_peer: %s\n", cq_ctx_error(p->ctx));
    exit(cq_status_exit_code(status));
  }
}

/* --- the scene ------------------------------------------------------------------------------- */

static double number(FILE *in) {
  double value = 0.0;
  if (fscanf(in, "%lf", &value) != 1) {
    fprintf(stderr, "bench_peer: the scene ends early\n");
    exit(2);
  }
  return value;
}

static int whole(FILE *in) {
  return (int)number(in);
}

/* the first numbers of the scene, in the order of Scene.write() in scenes.py */
static void read_model(peer *p, FILE *in) {
  cq_model *const m = &p->model;
  m->own = &p->mpm;
  m->bits = 32;
  m->n_particles = whole(in);
  m->dim = whole(in);
  m->steps = whole(in);
  m->dt = number(in);
  const int nodes = whole(in);
  p->mpm.cell = 1.0 / nodes;
  for (int a = 0; a < 3; a++) {
    p->mpm.grid[a] = a < m->dim ? nodes : 1;
  }
  const int low[3] = {3, 3, 3}, high[3] = {2, 2, 2};
  p->walls.shape = cq_mpm_domain(&p->mpm, low, high);
  p->walls.kind = whole(in) != 0 ? CQ_BOUNDARY_separate_stick : CQ_BOUNDARY_separate;
  p->mpm.boundaries = &p->walls;
  m->n_boundaries = 1;
  p->mpm.contact_epsilon = 1e-7; /* without friction it does nothing */
  m->n_actuators = m->n_controls = m->n_drives = whole(in);
  m->controller.kind = m->n_controls > 0 ? CQ_CONTROLLER_open_loop : CQ_CONTROLLER_none;
  m->controller.n_controls = m->n_controls;
  m->controller.n_parameters = m->steps * m->n_controls;
  m->controller.hold = 1;
}

/* Gives the model its arrays: one group, whose mean position is observed after the last step. */
static void allocate(peer *p) {
  cq_model *const m = &p->model;
  require(p, CQ_ALLOC(p->ctx, p->material, m->n_particles));
  require(p, CQ_ALLOC(p->ctx, p->actuator, m->n_particles));
  require(p, CQ_ALLOC(p->ctx, p->particles, m->n_particles));
  require(p, CQ_ALLOC(p->ctx, p->actuators, m->n_actuators));
  p->mpm.material = p->material;
  m->actuator = p->actuator;
  p->mpm.actuators = p->actuators;
  m->groups = &p->group;
  m->n_groups = 1;
  p->group = (cq_group){.count = m->n_particles, .particles = p->particles};
  require(p, CQ_ALLOC(p->ctx, p->at, m->steps + 1));
  p->at[m->steps] = 1;
  p->channel = (cq_channel){.quantity = CQ_Q_POSITION, .at = p->at};
  m->channels = &p->channel;
  m->n_channels = 1;
  p->layout = cq_model_layout(m);
  require(p, CQ_ALLOC(p->ctx, p->inputs, p->layout.total));
  require(p, CQ_ALLOC(p->ctx, p->gradient, p->layout.total));
  require(p, CQ_ALLOC(p->ctx, p->dz, m->dim));
}

/* Material, gravity and velocity, the same for all particles; F starts as the identity. */
static void read_substance(peer *p, FILE *in) {
  const int kind = whole(in) != 0 ? CQ_MATERIAL_fixed_corotated : CQ_MATERIAL_neo_hookean;
  const double E = number(in), nu = number(in);
  const size_t *const at = p->layout.offset;
  const int dim = p->model.dim;
  for (int i = 0; i < p->model.n_particles; i++) {
    p->material[i] = (unsigned char)kind;
    p->particles[i] = i;
    p->inputs[at[CQ_INPUT_youngs_modulus] + (size_t)i] = E;
    p->inputs[at[CQ_INPUT_poisson_ratio] + (size_t)i] = nu;
    p->inputs[at[CQ_INPUT_density] + (size_t)i] = 1.0;
    p->inputs[at[CQ_INPUT_volume] + (size_t)i] = 1.0;
    for (int a = 0; a < dim; a++) {
      p->inputs[at[CQ_INPUT_F] + (size_t)((i * dim + a) * dim + a)] = 1.0;
    }
  }
  p->inputs[at[CQ_INPUT_gravity] + 1] = -number(in);
  for (int a = 0; a < dim; a++) {
    const double v = number(in);
    for (int i = 0; i < p->model.n_particles; i++) {
      p->inputs[at[CQ_INPUT_v] + (size_t)(i * dim + a)] = v;
    }
  }
}

static void read_muscles(peer *p, FILE *in) {
  const int axis = whole(in), dim = p->model.dim;
  for (int i = 0; i < p->model.n_actuators; i++) {
    p->actuators[i].kind = CQ_ACTUATION_muscle;
    p->actuators[i].direction[axis * dim + axis] = 1.0;
  }
  cq_actuators_number(&p->model, p->actuators);
}

/* In the order in which scenes.py writes; counts come first, as all the room depends on them. */
static void read_scene(peer *p, FILE *in) {
  read_model(p, in);
  allocate(p);
  read_substance(p, in);
  read_muscles(p, in);
  p->has_target = whole(in) != 0;
  const int dim = p->model.dim;
  for (int a = 0; a < dim; a++) {
    (p->has_target ? p->target : p->weight)[a] = number(in);
  }
  for (int i = 0; i < p->model.n_particles; i++) {
    for (int a = 0; a < dim; a++) {
      p->inputs[p->layout.offset[CQ_INPUT_x] + (size_t)(i * dim + a)] = number(in);
    }
    p->actuator[i] = whole(in);
  }
  for (size_t i = 0; i < p->layout.count[CQ_INPUT_theta]; i++) {
    p->inputs[p->layout.offset[CQ_INPUT_theta] + i] = number(in);
  }
}

/* --- running --------------------------------------------------------------------------------- */

/* the loss of the run just made; sets the seed */
static double evaluate(peer *p, const cq_sim *sim) {
  const double *const mean = cq_sim_observations(sim);
  double loss = 0.0;
  for (int a = 0; a < p->model.dim; a++) {
    const double off = mean[a] - p->target[a];
    loss += p->has_target ? 0.5 * off * off : p->weight[a] * mean[a];
    p->dz[a] = p->has_target ? off : p->weight[a];
  }
  return loss;
}

static void run(peer *p, int runs) {
  cq_sim *sim = NULL;
  require(p, cq_sim_create(p->ctx, &p->model, &sim));
  double loss = 0.0, forward = INFINITY, backward = INFINITY;
  const cq_seed seed = {.dz = p->dz};
  for (int i = 0; i < runs; i++) {
    /* the same inputs again would cost nothing */
    p->inputs[p->layout.offset[CQ_INPUT_gravity]] = i % 2 == 0 ? 0.0 : 1e-30;
    const double begin = cq_now();
    require(p, cq_sim_forward(sim, p->inputs));
    loss = evaluate(p, sim);
    const double middle = cq_now();
    require(p, cq_sim_backward(sim, 1, &seed, p->gradient));
    forward = fmin(forward, middle - begin);
    backward = fmin(backward, cq_now() - middle);
  }
  printf("%.9g %.6g %.6g\n", loss, forward, backward);
  cq_sim_destroy(sim);
}

/* by the table, or by the velocity that all particles start with */
static void write_gradient(const peer *p, FILE *out) {
  const int dim = p->model.dim;
  const double *const dv = p->gradient + p->layout.offset[CQ_INPUT_v];
  const double *const dtheta = p->gradient + p->layout.offset[CQ_INPUT_theta];
  for (size_t i = 0; i < p->layout.count[CQ_INPUT_theta]; i++) {
    fprintf(out, "%.9g\n", dtheta[i]);
  }
  for (int a = 0; a < dim && p->layout.count[CQ_INPUT_theta] == 0; a++) {
    double sum = 0.0;
    for (int i = 0; i < p->model.n_particles; i++) {
      sum += dv[i * dim + a];
    }
    fprintf(out, "%.9g\n", sum);
  }
}

/* Exits with 1 when called wrongly, 2 for a bad file, else with the code of what failed. */
int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: bench_peer SCENE THREADS RUNS GRADIENT-FILE\n");
    return 1;
  }
  FILE *const in = fopen(argv[1], "r"), *const out = fopen(argv[4], "w");
  peer p = {.ctx = cq_ctx_create(atoi(argv[2]), 1)};
  if (in == NULL || out == NULL || p.ctx == NULL) {
    fprintf(stderr, "bench_peer: cannot open %s and %s\n", argv[1], argv[4]);
    return 2;
  }
  read_scene(&p, in);
  run(&p, atoi(argv[3]));
  write_gradient(&p, out);
  fclose(in);
  return fclose(out) == 0 ? 0 : 2;
}
