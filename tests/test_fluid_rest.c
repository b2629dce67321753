/* Fluid at rest: densities of lattices, the pressure of a column. */
#include "fluid_scene.h"

/* relative densities of the start */
static double *densities(fluid_scene *s) {
  double *out = malloc((size_t)s->model.n_particles * sizeof *out);
  scene_ready(s);
  cq_sim_field(s->sim, 0, s->inputs, s->inputs, out);
  return out;
}

static void check_lattice(int dim, int bits) {
  const double low[3] = {0}, high[3] = {0.6, 0.6, 0.6};
  const int count[3] = {12, 12, 12};
  fluid_scene s;
  scene_begin(&s, dim, bits, 0.025, 1e-3, 1, 1);
  scene_fluid(&s, low, count);
  scene_walls(&s, low, high);
  scene_open(&s);
  double *d = densities(&s);
  const int middle = count[0] / 2;
  const int n = count[0];
  const int bulk = dim == 2 ? middle * n + middle : (middle * n + middle) * n + middle;
  const int wall = dim == 2 ? middle * n : (middle * n + middle) * n;
  const int edge = dim == 2 ? 0 : middle;
  CHECK_NEAR(d[bulk], 1.0, 1e-3);
  CHECK_NEAR(d[wall], 1.0, 0.01);
  double most = 0.0;
  for (int p = 0; p < s.model.n_particles; p++) {
    most = d[p] > most ? d[p] : most;
  }
  printf("  %dD f%d: bulk %.5f, first layer at a wall %.4f, at an edge %.4f, most %.4f\n", dim,
         bits, d[bulk], d[wall], d[edge], most);
  free(d);
  scene_close(&s);
}

static void test_lattice(void) {
  for (int dim = 2; dim <= 3; dim++) {
    check_lattice(dim, 64);
    check_lattice(dim, 32);
  }
}

typedef struct column {
  const fluid_scene *s;
  int states;
  double slope, mean, height; /* sums over states */
} column;

/* The line through the pressures of a state, two layers away from floor and surface: the first
 * layer at a wall has half as much again, the second less, as the wall answers with that of one
 * side. */
static cq_status fit_column(void *user, int step, const double *state) {
  column *c = user;
  const fluid_scene *s = c->s;
  const double *p = state + s->layout.offset[CQ_FLUID_pressure];
  double y = 0.0, q = 0.0, yy = 0.0, yq = 0.0, all = 0.0, height = 0.0;
  int n = 0;
  if (step == 0) {
    return CQ_OK;
  }
  for (int i = 0; i < s->model.n_particles; i++) {
    all += p[i] / s->model.n_particles;
    height += 2.0 * state[2 * i + 1] / s->model.n_particles;
    if (state[2 * i + 1] > 0.08 && state[2 * i + 1] < 0.92) {
      y += state[2 * i + 1];
      q += p[i];
      n++;
    }
  }
  for (int i = 0; i < s->model.n_particles; i++) {
    if (state[2 * i + 1] > 0.08 && state[2 * i + 1] < 0.92) {
      const double dy = state[2 * i + 1] - y / n;
      yy += dy * dy;
      yq += dy * (p[i] - q / n);
    }
  }
  c->slope += yq / yy;
  c->mean += all;
  c->height += height;
  c->states++;
  return CQ_OK;
}

/* 25 x 25 particles in a box that is as wide as they are. */
static void test_column(void) {
  enum { STEPS = 600, SEEN = 200 };
  const double low[3] = {0}, high[3] = {1.0, 1.5, 0}, depth = 1.0;
  const int count[3] = {25, 25, 0};
  fluid_scene s;
  scene_begin(&s, 2, 64, 0.02, 1e-3, STEPS, 1);
  scene_fluid(&s, low, count);
  scene_walls(&s, low, high);
  scene_open(&s);
  scene_at(&s, CQ_FLUID_gravity)[1] = -9.81;
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_FLUID_viscosity)[p] = 10.0;
  }
  int states[SEEN];
  for (int k = 0; k < SEEN; k++) {
    states[k] = STEPS + 1 - SEEN + k;
  }
  column c = {.s = &s};
  scene_visit(&s, states, SEEN, fit_column, &c);
  const double weight = 1000.0 * 9.81;
  const double slope = -c.slope / c.states / weight,
               mean = c.mean / c.states / (weight * depth / 2);
  const double height = c.height / c.states;
  printf("  slope %.4f, mean pressure %.4f, height %.4f\n", slope, mean, height);
  CHECK_NEAR(slope, 1.0, 0.06);
  CHECK_NEAR(mean, 1.0, 0.07);
  CHECK_NEAR(height, depth, 0.005);
  /* a run that is recorded counts */
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_OK);
  const cq_tally *tally = &cq_sim_statistics(s.sim)->tally;
  CHECK(tally->of[CQ_TALLY_SWEEPS] >= 2 * STEPS && tally->of[CQ_TALLY_DIVERGENCE] >= STEPS);
  CHECK(tally->of[CQ_TALLY_ERROR] > 0 && tally->of[CQ_TALLY_ERROR] < 2000);
  CHECK(tally->of[CQ_TALLY_OUTSIDE] == 0);
  /* half the pressures of the step before are a better start than none */
  const long long cold = tally->of[CQ_TALLY_SWEEPS];
  s.fluid.warm_start = true;
  scene_at(&s, CQ_FLUID_gravity)[1] *= 1.0 + 1e-9;
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_OK);
  printf("  %lld sweeps, with a warm start %lld\n", cold, tally->of[CQ_TALLY_SWEEPS]);
  CHECK(tally->of[CQ_TALLY_SWEEPS] < cold);
  scene_close(&s);
}

static double spread(const fluid_scene *s, const double *state) {
  const double *v = state + s->layout.offset[CQ_FLUID_v];
  double sum = 0.0;
  for (int i = 0; i < 2 * s->model.n_particles; i++) {
    sum += v[i] * v[i];
  }
  return sum;
}

/* Particles that shake take on the mean of their neighbours. */
static void test_xsph(void) {
  const double low[3] = {0};
  const int count[3] = {12, 12, 0};
  double calm[2];
  for (int k = 0; k < 2; k++) {
    fluid_scene s;
    scene_begin(&s, 2, 64, 0.02, 1e-3, 1, 1);
    s.fluid.xsph = 0.3 * k;
    s.fluid.sweeps = s.fluid.divergence_sweeps = 0;
    scene_fluid(&s, low, count);
    scene_open(&s);
    for (int p = 0; p < s.model.n_particles; p++) {
      scene_at(&s, CQ_FLUID_v)[2 * p] = p % 2 == 0 ? 0.1 : -0.1;
    }
    double *state = malloc(s.layout.state_total * sizeof *state);
    scene_ready(&s);
    CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_OK);
    CHECK(cq_sim_final_state(s.sim, state) == CQ_OK);
    calm[k] = spread(&s, state) / spread(&s, s.inputs);
    free(state);
    scene_close(&s);
  }
  CHECK_NEAR(calm[0], 1.0, 1e-12);
  CHECK(calm[1] < 0.8);
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RUN(test_lattice);
  RUN(test_column);
  RUN(test_xsph);
  return TEST_RESULT();
}
