/* The fluid on a CUDA device against the CPU, in 2D and 3D, float and double: fluid with an
 * emitter, a body that floats and drags, walls, an obstacle that moves. The same bits from every
 * run, whatever the order of threads is. What stops a run stops it at the same step and particle.
 *
 * Two programs: with the CUDA runtime, skipped where there is no device, and with the shim. */
#include "cuda_pick.h"
#include "device_pick.h"
#include "devices.h"
#include "fluid_scene.h"

#ifdef CQ_TEST_MUTANT /* there are kernels of one variant alone, with a mistake */
#  define LAST_DIM 2
#  define LEAST_BITS 64
extern const struct fluid_device cq_fluid_device_2d_f64;

const struct fluid_device *cq_fluid_cuda(int dim, int bits) {
  return dim == 2 && bits == 64 ? &cq_fluid_device_2d_f64 : NULL;
}

cq_cuda cq_cuda_look(void) {
  return (cq_cuda){.built = true, .n_devices = 1};
}

bool cq_cuda_device_at(int i, cq_cuda_device *device) {
  (void)device;
  return i == 0;
}

const cq_engine *cq_mpm_cuda(int dim, int bits) {
  (void)dim, (void)bits;
  return NULL;
}

#else
#  define LAST_DIM   3
#  define LEAST_BITS 32
#endif

enum { STEPS = 6 };

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

/* how a scene differs from the plain one */
typedef struct variety {
  bool tolerances, warm, crowded;
} variety;

static cq_fluid_emitter emitter;
static double knots[7];
static const double knot_times[1] = {0.0};
static track_sway sway;
static track path;

/* A ball of samples without particles, which sways. */
static void add_obstacle(fluid_scene *s, const double *center) {
  cq_fluid_body *body = &s->bodies[s->fluid.n_bodies++];
  cq_shape ball = {.kind = CQ_SHAPE_ball, .dim = s->model.dim};
  ball.radius = 3.0 * s->fluid.radius;
  memset(knots, 0, sizeof knots);
  for (int a = 0; a < s->model.dim; a++) {
    ball.center[a] = center[a];
    body->center[a] = knots[a] = center[a];
  }
  if (s->model.dim == 3) {
    knots[3] = 1.0;
  }
  sway = (track_sway){.amplitude = {0.01}, .frequency = 5.0};
  path = (track){.n_knots = 1,
                 .times = knot_times,
                 .knots = knots,
                 .axis = {0, 0, 1},
                 .n_sways = 1,
                 .sways = &sway};
  body->driven = true;
  body->track = &path;
  body->first_sample = (int)s->samples.n;
  CHECK(cq_fluid_sample(s->ctx, &ball, -CQ_FLUID_INSET * s->fluid.radius, 2.0 * s->fluid.radius,
                        1u << 24, &s->samples) == CQ_OK);
  body->n_samples = (int)s->samples.n - body->first_sample;
}

static void make_scene(fluid_scene *s, int dim, int bits, variety v) {
  /* more particles than a block has threads, in either near what is rigid; the emitter of 2D is so
   * far away that there are more cells than a block adds up */
  const int across = dim == 2 ? 18 : 8, up = dim == 2 ? 200 : 3, deep = dim == 2 ? 9 : 3,
            pool[3] = {across, deep, 8};
  const int jet[3] = {3, 2, 2}, box[3] = {3, 2, 3};
  const double r = 0.02, d = 2.0 * r, low[3] = {0};
  const double high[3] = {across * d, (deep + up + 3) * d, 8 * d};
  const double mouth[3] = {0.5 * d, (deep + up) * d, 3 * d};
  const double above[3] = {(across - 7) * d, (deep + 0.2) * d, 2 * d};
  const double ball[3] = {(across - 2) * d, (deep + 1.8) * d, 4 * d};
  scene_begin(s, dim, bits, r, 2e-3, STEPS, 1);
  s->fluid.sweeps = v.tolerances ? 60 : v.crowded ? 1 : 5;
  s->fluid.divergence_sweeps = v.tolerances ? 20 : v.crowded ? 1 : 2;
  s->fluid.tolerance = v.tolerances ? 1e-3 : 0.0;
  s->fluid.divergence_tolerance = v.tolerances ? 1e-3 : 0.0;
  s->fluid.warm_start = v.warm;
  s->fluid.surface_tension = 0.3;
  s->fluid.xsph = 0.05;
  s->fluid.contact_stiffness = 1e4;
  s->fluid.contact_speed = 1e-3;
  scene_walls(s, low, high);
  scene_fluid(s, low, pool);
  emitter = (cq_fluid_emitter){.first = (int)s->particles.n};
  scene_fluid(s, mouth, jet);
  emitter.count = (int)s->particles.n - emitter.first;
  s->fluid.emitters = &emitter;
  s->fluid.n_emitters = 1;
  scene_box(s, above, box, 300.0);
  add_obstacle(s, ball);
  scene_open(s);
  s->model.device = CQ_ON_CPU;
  memset(s->sticky, 1, s->samples.n);
  double *const x = scene_at(s, CQ_FLUID_x), *const speed = scene_at(s, CQ_FLUID_v);
  scene_at(s, CQ_FLUID_gravity)[1] = -9.81;
  scene_at(s, CQ_FLUID_friction)[0] = 0.3;
  for (int p = 0; p < s->model.n_particles; p++) {
    scene_at(s, CQ_FLUID_viscosity)[p] = s->body[p] < 0 ? 2.0 : 0.0;
    const bool waits = p >= emitter.first && p < emitter.first + emitter.count;
    speed[p * dim] = waits ? 3.0 : s->body[p] == 0 ? 0.2 : 0.0;
    speed[p * dim + 1] = s->body[p] == 0 ? -1.0 : 0.0;
    for (int a = 0; a < dim && s->body[p] < 0 && !waits; a++) {
      x[p * dim + a] += v.crowded ? -0.26 * (x[p * dim + a] - 2 * d) : 0.1 * r * sin(7.0 * p + a);
    }
  }
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
  RUN(test_refusal);
  return TEST_RESULT();
}
