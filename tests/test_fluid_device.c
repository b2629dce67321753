/* The fluid on a CUDA device against the CPU, in 2D and 3D, float and double: fluid with an
 * emitter, a body that floats and drags, walls, an obstacle that moves. The same bits from every
 * run, whatever the order of threads is. What stops a run stops it at the same step and particle.
 *
 * Two programs: with the CUDA runtime, skipped where there is no device, and with the shim. */
#include "device_pick.h"
#include "devices.h"
#include "fluid_device_scene.h"

#ifdef CQ_TEST_MUTANT /* there are kernels of one variant alone, with a mistake */
#  define LAST_DIM   2
#  define LEAST_BITS 64
extern const struct fluid_device cq_fluid_device_2d_f64;

const struct fluid_device *cq_fluid_cuda(int dim, int bits) {
  return dim == 2 && bits == 64 ? &cq_fluid_device_2d_f64 : NULL;
}

#else
#  define LAST_DIM   3
#  define LEAST_BITS 32
#endif

/* two runs, relative to the size of the second */
static double apart(const double *a, const double *b, size_t n) {
  double most = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return size > 0.0 ? most / size : most;
}

/* From now on blocks and threads come in another order, where the shim chooses it. */
static void change_order(void) {
  static int seed = 1;
  char text[16];
  snprintf(text, sizeof text, "%d", ++seed);
  setenv("CQ_SHIM_SEED", text, 1);
}

/* the states of all steps; to be freed */
static cq_status keep(void *user, int step, const double *state) {
  double **const to = user;
  const size_t n = (size_t) * *to;
  memcpy(*to + 1 + (size_t)step * n, state, n * sizeof *state);
  return CQ_OK;
}

static double *run_on(fluid_scene *s, cq_backend device) {
  const size_t n = s->layout.state_total;
  double *all = calloc(1 + n * (STEPS + 1), sizeof *all);
  all[0] = (double)n;
  cq_sim_destroy(s->sim);
  s->sim = NULL;
  s->model.device = device;
  scene_visit(s, NULL, 0, keep, &all);
  CHECK(cq_sim_forward(s->sim, s->inputs) == CQ_OK); /* counts */
  return all;
}

static void compare(int dim, int bits, variety v, double bound) {
  fluid_scene s;
  make_scene(&s, dim, bits, v);
  double *cpu = run_on(&s, CQ_ON_CPU);
  const cq_tally sweeps = cq_sim_statistics(s.sim)->tally;
  change_order();
  double *device = run_on(&s, CQ_ON_CUDA);
  const cq_tally there = cq_sim_statistics(s.sim)->tally;
  change_order();
  double *again = run_on(&s, CQ_ON_CUDA);
  const size_t n = s.layout.state_total;
  double worst = 0.0;
  for (int k = 0; k <= STEPS; k++) {
    for (int input = CQ_FLUID_x; input <= CQ_FLUID_pressure; input++) {
      const size_t at = 1 + (size_t)k * n + s.layout.offset[input];
      const double error = apart(device + at, cpu + at, s.layout.count[input]);
      worst = fmax(worst, error);
      CHECK_MSG(error <= bound, "state %d, input %d: %.1e", k, input, error);
    }
  }
  CHECK(apart(cpu + 1, cpu + 1 + n * STEPS, n) > 1e-3); /* something happens */
  CHECK(memcmp(device, again, (1 + n * (STEPS + 1)) * sizeof(double)) == 0);
  for (int i = 0; i < CQ_N_FLUID_TALLIES; i++) {
    CHECK_MSG(bits == 32 || sweeps.of[i] == there.of[i], "tally %d: %lld, not %lld", i, there.of[i],
              sweeps.of[i]);
  }
  printf("  %dD f%d %d particles, %d samples, %lld sweeps: %.1e\n", dim, bits, s.model.n_particles,
         s.fluid.n_samples, there.of[CQ_TALLY_SWEEPS], worst);
  free(cpu);
  free(device);
  free(again);
  scene_close(&s);
}

static void test_steps(void) {
  for (int dim = 2; dim <= LAST_DIM; dim++) {
    for (int bits = 64; bits >= LEAST_BITS; bits /= 2) {
      compare(dim, bits, (variety){0}, bits == 64 ? 1e-11 : 1e-2);
    }
  }
}

static void test_tolerances(void) {
  compare(2, 64, (variety){.tolerances = true, .warm = true}, 1e-10);
}

/* Fluid that is pressed together has more neighbours than lists have room for at first. */
static void test_crowd(void) {
  compare(2, 64, (variety){.crowded = true}, 1e-10);
}

static void test_failure(void) {
  fluid_scene s;
  char said[2][256];
  int particle[2], step[2];
  make_scene(&s, 2, 64, (variety){0});
  scene_at(&s, CQ_FLUID_v)[2 * 5] = 1e4;
  for (int k = 0; k < 2; k++) {
    s.model.device = k == 0 ? CQ_ON_CPU : CQ_ON_CUDA;
    scene_ready(&s);
    CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_TOO_FAST);
    snprintf(said[k], sizeof said[k], "%s", cq_ctx_error(s.ctx));
    particle[k] = cq_sim_failure(s.sim)->particle;
    step[k] = cq_sim_failure(s.sim)->step;
    cq_ctx_clear_error(s.ctx);
    cq_sim_destroy(s.sim);
    s.sim = NULL;
  }
  CHECK_STR(said[1], said[0]);
  CHECK(particle[0] == particle[1] && step[0] == step[1]);
  scene_close(&s);
}

/* What the velocity of the body changes of where it is at the end, by the forward mode of `rigid`.
 */
static void test_rigid(void) {
  double dz[2][2] = {{0.0}}, du = 0.0;
  for (int k = 0; k < 2; k++) {
    fluid_scene s;
    make_scene(&s, 2, 64, (variety){0});
    unsigned char at[STEPS + 1] = {0};
    at[STEPS] = 1;
    const cq_group group = {.count = 1, .particles = &s.bodies[0].first};
    const cq_channel channel = {.group = 0, .quantity = CQ_Q_POSITION, .at = at};
    s.model.groups = &group;
    s.model.channels = &channel;
    s.model.n_groups = s.model.n_channels = 1;
    s.model.gradient = "rigid";
    s.model.device = k == 0 ? CQ_ON_CPU : CQ_ON_CUDA;
    double *direction = calloc(s.layout.total, sizeof *direction);
    for (int p = s.bodies[0].first; p < s.bodies[0].first + s.bodies[0].count; p++) {
      direction[s.layout.offset[CQ_FLUID_v] + 2 * (size_t)p] = 1.0;
    }
    scene_ready(&s);
    CHECK_MSG(cq_sim_forward(s.sim, s.inputs) == CQ_OK, "%s", cq_ctx_error(s.ctx));
    CHECK_MSG(cq_sim_tangents(s.sim, 1, direction, dz[k], &du) == CQ_OK, "%s", cq_ctx_error(s.ctx));
    free(direction);
    scene_close(&s);
  }
  CHECK_NEAR(dz[0][0], STEPS * 2e-3, 1e-3);
  CHECK(apart(dz[1], dz[0], 2) < 1e-11);
}

/* What a device has not is refused in a line. */
static void test_refusal(void) {
  fluid_scene s;
  make_scene(&s, 2, 64, (variety){0});
  s.model.device = CQ_ON_CUDA;
  s.model.gradient = "local";
  CHECK(cq_sim_create(s.ctx, &s.model, &s.sim) == CQ_DEVICE);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "\"local\"") != NULL, "%s", cq_ctx_error(s.ctx));
  cq_ctx_clear_error(s.ctx);
  scene_close(&s);
}

int main(void) {
  const cq_cuda cuda = cq_cuda_look();
  if (cuda.problem != NULL) {
    printf("skipped: %s\n", cuda.problem);
    return 77;
  }
  RUN(test_steps);
  RUN(test_tolerances);
  RUN(test_crowd);
  RUN(test_failure);
  RUN(test_rigid);
  RUN(test_refusal);
  return TEST_RESULT();
}
