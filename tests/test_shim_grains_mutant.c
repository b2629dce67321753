/* Kernels of the granular engine (2D, double) against the CPU in a second: what shim_mutation.sh
 * runs with one mistake in the kernels. States after some steps, which must have the same bits in
 * every order of blocks and threads. */
#include "cq_shim.h"
#include "grains_cuda_pick.h"
#include "granular_scene.h"
#include "rng.h"

extern const cq_engine cq_grains_cuda_2d_f64;

const cq_engine *cq_grains_cuda(int dim, int bits) {
  return dim == 2 && bits == 64 ? &cq_grains_cuda_2d_f64 : NULL;
}

enum { ACROSS = 30, GRAINS = 600, STEPS = 14 };

/* A plate just above a heap, turned, out of which a disc has been cut. */
static void add_plate(grain_scene *s) {
  static cq_part parts[2];
  static const double angle = 0.02, at[2] = {0.6, 0.85}, up[2] = {0.0, 1.0};
  const int k = s->model.n_boundaries;
  parts[0].shape =
      (cq_shape){.kind = CQ_SHAPE_box, .dim = 2, .center = {at[0], at[1]}, .size = {0.6, 0.09}};
  parts[1].shape = (cq_shape){.kind = CQ_SHAPE_ball, .dim = 2, .center = {0.6, 0.8}, .radius = 0.1};
  parts[1].subtract = true;
  grain_plane(s, at, up, 0.4);
  s->parts[k] = (cq_shape){.kind = CQ_SHAPE_composite, .dim = 2, .n_parts = 2, .parts = parts};
  cq_shape_turn(&s->parts[k], &angle);
}

/* A heap that falls on a floor, slides against a wall and hits a plate; more grains than a block
 * sums over. */
static grain_scene heap(cq_granular_solver solver) {
  const double r = 0.02, low[2] = {0.0, 0.0}, up[2] = {0.0, 1.0}, right[2] = {1.0, 0.0};
  grain_scene s = grain_begin(2, 64, GRAINS, r, 1e-3, 8);
  cq_rng rng = cq_rng_seed(5);
  grain_plane(&s, low, up, 0.5);
  grain_plane(&s, low, right, 0.3);
  add_plate(&s);
  for (int i = 0; i < GRAINS; i++) {
    double *x = grain_of(&s, CQ_GRAIN_x, i);
    x[0] = (i % ACROSS + 0.5 + 0.25 * (i / ACROSS % 2)) * 2.02 * r;
    x[1] = (i / ACROSS + 0.5) * 2.02 * r;
    grain_of(&s, CQ_GRAIN_v, i)[0] = -0.2 + 0.6 * (cq_rng_uniform(&rng) - 0.5);
    grain_of(&s, CQ_GRAIN_v, i)[1] = 0.6 * (cq_rng_uniform(&rng) - 0.5);
  }
  grain_all(&s, CQ_GRAIN_grain_friction, 0.5);
  grain_all(&s, CQ_GRAIN_rolling_friction, 0.1);
  grain_gravity(&s)[1] = -9.81;
  s.own.solver = solver;
  s.own.warm = solver != CQ_GRANULAR_PAPER;
  s.own.spins = solver != CQ_GRANULAR_PAPER;
  return s;
}

/* What the floor is pushed by, at the last state, is behind the state. */
static double *run(grain_scene *s, cq_backend device) {
  const cq_channel channel = {.quantity = CQ_GRAIN_WRENCH};
  const cq_channel up = {.quantity = CQ_GRAIN_WRENCH + 1};
  const cq_channel channels[2] = {channel, up};
  const size_t n = s->layout.state_total;
  double *all = calloc(n + 2, sizeof *all);
  s->model.device = device;
  s->model.channels = channels;
  s->model.n_channels = 2;
  grain_check_run(s, STEPS);
  memcpy(all, s->state, n * sizeof *all);
  memcpy(all + n, cq_sim_observations(s->sim) + 2 * STEPS, 2 * sizeof *all);
  return all;
}

static void test_solver(cq_granular_solver solver, int seeds) {
  grain_scene s = heap(solver);
  const size_t n = s.layout.state_total + 2;
  double *cpu = run(&s, CQ_ON_CPU), *first = NULL;
  for (int seed = 1; seed <= seeds && test_failures == 0; seed++) {
    cq_shim_set_seed((unsigned)seed);
    double *device = run(&s, CQ_ON_CUDA);
    for (size_t i = 0; i < n && test_failures == 0; i++) {
      CHECK_NEAR(device[i], cpu[i], 1e-10 * fmax(1.0, fabs(cpu[i])));
    }
    first = first != NULL ? first : device;
    CHECK(memcmp(device, first, n * sizeof *first) == 0);
    if (device != first) {
      free(device);
    }
  }
  free(cpu);
  free(first);
  grain_end(&s);
}

static void test_kernels(void) {
  test_solver(CQ_GRANULAR_NCP, 2);
  test_solver(CQ_GRANULAR_JACOBI, 2);
  test_solver(CQ_GRANULAR_PAPER, 1);
}

int main(void) {
  RUN(test_kernels);
  return TEST_RESULT();
}
