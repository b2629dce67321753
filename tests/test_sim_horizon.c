/* Gradients with a horizon are the sums of those of its pieces: runs of so many steps, each from
 * the state that the whole run has there. Of both kernels, and with controls that are made of what
 * is seen. */
#include "mpm_inputs.h"
#include "scene_builder.h"

enum { SIDE = 8, STEPS = 40, LENGTH = 15 };

static const double cell = 0.05, dt = 2e-3;

typedef struct whole {
  scene s;
  cq_actuator actuators[2];
  unsigned char observe[STEPS + 1];
} whole;

/* A box that falls on a wall with friction: half of it is a chamber, whose volume is seen, half is
 * pushed. */
static void make(whole *w, int dim, cq_kernels kernels, int steps) {
  memset(w, 0, sizeof *w);
  scene *s = &w->s;
  const int n = dim == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE;
  scene_make(s, dim, 64, 24, cell, dt, steps, n, 1);
  s->mpm.kernels = kernels;
  s->boundaries[0] = (cq_boundary){.kind = CQ_BOUNDARY_separate};
  s->boundaries[0].shape = (cq_shape){
      .kind = CQ_SHAPE_half_space, .dim = dim, .center = {0.5, 0.41, 0.5}, .normal = {0, 1, 0}};
  s->model.n_boundaries = 1;
  s->own[0] = 1u << CQ_Q_VOLUME;
  s->observe = memset(w->observe, 1, sizeof w->observe);
  w->actuators[0] =
      (cq_actuator){.kind = CQ_ACTUATION_hydraulic, .first_z = 2 * dim + 2, .stiffness = 20};
  w->actuators[1] = (cq_actuator){.kind = CQ_ACTUATION_thrust};
  for (int p = 0; p < n; p++) {
    s->actuator[p] = p < n / 2 ? 0 : 1;
  }
  scene_actuate(s, w->actuators, 2);
}

static void open(whole *w) {
  const int dim = w->s.model.dim;
  scene_open(&w->s);
  scene_set_all(&w->s, CQ_INPUT_volume, pow(0.5 * cell, dim));
  scene_set_all(&w->s, CQ_INPUT_friction, 0.3);
  for (int p = 0; p < w->s.model.n_particles; p++) {
    int i = p;
    for (int k = 0; k < dim; k++, i /= SIDE) {
      scene_at(&w->s, CQ_INPUT_x)[p * dim + k] = 0.42 + 0.5 * cell * (i % SIDE);
    }
    scene_at(&w->s, CQ_INPUT_v)[p * dim] = 0.8;
  }
  scene_at(&w->s, CQ_INPUT_gravity)[1] = -9.8;
  for (int i = 0; i < w->s.model.n_controls; i++) {
    scene_at(&w->s, CQ_INPUT_theta)[i] = i == 0 ? 1.2 : 0.5 * i;
  }
}

/* what is asked of a number of a row at a state of the whole run */
static double wanted(int state, int number) {
  return sin(1.0 + 3.7 * state + 1.3 * number);
}

/* states [0, steps] of a run that begins at state `from` of the whole one; its first one is that of
 * the piece before */
static void ask(whole *w, int from) {
  const cq_z_rows *rows = w->s.layout.rows;
  for (int k = 0; k <= w->s.model.steps; k++) {
    for (size_t i = rows->begin[k]; i < rows->begin[k + 1]; i++) {
      w->s.dz[i] = from > 0 && k == 0 ? 0.0 : wanted(from + k, (int)(i - rows->begin[k]));
    }
  }
}

/* Adds the gradient of the piece that begins at a state of the whole run; all but its initial
 * state, which is given, unless it is the first. */
static void add_piece(const whole *all, int from, const double *state, double *sum) {
  const cq_model *m = &all->s.model;
  whole w;
  make(&w, m->dim, all->s.mpm.kernels, STEPS - from < LENGTH ? STEPS - from : LENGTH);
  open(&w);
  memcpy(w.s.inputs, state, w.s.layout.state_total * sizeof *state);
  scene_forward(&w.s);
  ask(&w, from);
  const double *g = scene_backward(&w.s);
  for (size_t i = from == 0 ? 0 : w.s.layout.state_total; i < w.s.layout.total; i++) {
    sum[i] += g[i];
  }
  scene_close(&w.s);
}

typedef struct pieces {
  const whole *all;
  double *sum;
} pieces;

static cq_status visit(void *user, int step, const double *state) {
  const pieces *p = user;
  add_piece(p->all, step, state, p->sum);
  return CQ_OK;
}

static void sum_of_pieces(int dim, cq_kernels kernels) {
  static const int begins[] = {0, LENGTH, 2 * LENGTH};
  whole w;
  make(&w, dim, kernels, STEPS);
  open(&w);
  scene_forward(&w.s);
  ask(&w, 0);
  const size_t n = w.s.layout.total;
  double *exact = calloc(2 * n, sizeof *exact), *sum = exact + n, size = 0, error = 0, cut = 0;
  memcpy(exact, scene_backward(&w.s), n * sizeof *exact);
  CHECK(cq_sim_gradient(w.s.sim) == CQ_GRADIENT_EXACT_REVERSE);
  pieces p = {&w, sum};
  CHECK(cq_sim_visit(w.s.sim, w.s.inputs, begins, 3, visit, &p) == CQ_OK);
  w.s.model.horizon = LENGTH;
  scene_open_sim(&w.s);
  CHECK(cq_sim_gradient(w.s.sim) == CQ_GRADIENT_HEURISTIC && cq_sim_sweeps(w.s.sim));
  scene_forward(&w.s);
  const double *g = scene_backward(&w.s);
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(sum[i]));
    error = fmax(error, fabs(g[i] - sum[i]));
    cut = fmax(cut, fabs(g[i] - exact[i]));
  }
  printf("  %dD, %s: %.2g of the largest, %.2g from the exact one\n", dim,
         kernels == CQ_KERNELS_FAST ? "fast" : "reference", error / size, cut / size);
  CHECK(error < 1e-12 * size && cut > 1e-2 * size);
  for (int i = 0; i < w.s.model.n_controls; i++) {
    CHECK(g[w.s.layout.offset[CQ_INPUT_theta] + (size_t)i] != 0.0);
  }
  free(exact);
  scene_close(&w.s);
}

static void horizons(void) {
  for (int dim = 2; dim <= 3; dim++) {
    sum_of_pieces(dim, CQ_KERNELS_FAST);
    sum_of_pieces(dim, CQ_KERNELS_REFERENCE);
  }
}

/* One that the run does not reach changes no bit. */
static void beyond(void) {
  whole w;
  make(&w, 2, CQ_KERNELS_FAST, STEPS);
  open(&w);
  scene_forward(&w.s);
  ask(&w, 0);
  const size_t bytes = w.s.layout.total * sizeof(double);
  double *exact = memcpy(malloc(bytes), scene_backward(&w.s), bytes);
  w.s.model.horizon = STEPS;
  scene_open_sim(&w.s);
  scene_forward(&w.s);
  CHECK(memcmp(exact, scene_backward(&w.s), bytes) == 0);
  free(exact);
  scene_close(&w.s);
}

int main(void) {
  RUN(horizons);
  RUN(beyond);
  return TEST_RESULT();
}
