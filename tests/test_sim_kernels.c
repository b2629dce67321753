/* The fast engine against the reference loops, field by field: after one step and after many, every
 * material, boundary and actuation model, 2D and 3D, float and double, at every SIMD level this
 * machine has, and the gradients. */
#define _POSIX_C_SOURCE 200809L
#include "contact_scene.h"
#include "simd.h"
#include "test.h"

static const char *const levels[] = {
#define LEVEL(name) #name,
    CQ_SIMD_LIST(LEVEL)
#undef LEVEL
};

static bool choose_level(int i) {
  setenv("CQ_SIMD", levels[i], 1);
  return cq_simd_level() != NULL;
}

static double relative(const double *a, const double *b, size_t n) {
  double difference = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return size > 0.0 ? sqrt(difference / size) : sqrt(difference);
}

typedef struct run {
  double *state, *gradient, *z;
} run;

static run run_kernels(contact_scene *s, cq_kernels kernels) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_sim *sim = NULL;
  cq_rng rng = cq_rng_seed(11);
  const size_t n_z = (size_t)(s->model.steps + 1) * (size_t)s->layout.n_z;
  run r = {calloc(s->layout.state_total, sizeof(double)), calloc(s->layout.total, sizeof(double)),
           calloc(n_z, sizeof(double))};
  double *w = calloc(s->layout.state_total, sizeof(double));
  for (size_t i = 0; i < s->layout.state_total; i++) {
    w[i] = scene_random(&rng, 1.0);
  }
  s->model.kernels = kernels;
  CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_sim_final_state(sim, r.state) == CQ_OK);
  memcpy(r.z, cq_sim_observations(sim), n_z * sizeof(double));
  const cq_seed seed = {.terminal = w};
  CHECK_MSG(cq_sim_backward(sim, 1, &seed, r.gradient) == CQ_OK, "%s", cq_ctx_error(ctx));
  cq_sim_destroy(sim);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  free(w);
  return r;
}

static void free_run(run r) {
  free(r.state);
  free(r.gradient);
  free(r.z);
}

/* bounds of the relative difference of any field */
typedef struct bounds {
  double state, gradient;
} bounds;

static void compare(contact_scene *s, bounds b) {
  const run fast = run_kernels(s, CQ_KERNELS_FAST);
  const run reference = run_kernels(s, CQ_KERNELS_REFERENCE);
  double worst_state = 0.0, worst_gradient = 0.0;
  for (int i = 0; i < CQ_N_INPUTS; i++) {
    const size_t at = s->layout.offset[i], n = s->layout.count[i];
    if (at < s->layout.state_total) {
      const double error = relative(fast.state + at, reference.state + at, n);
      CHECK_MSG(error <= b.state, "%s: %.1e", cq_input_names[i], error);
      worst_state = fmax(worst_state, error);
    }
    const double error = relative(fast.gradient + at, reference.gradient + at, n);
    CHECK_MSG(error <= b.gradient, "gradient of %s: %.1e", cq_input_names[i], error);
    worst_gradient = fmax(worst_gradient, error);
  }
  CHECK(relative(fast.z, reference.z, (size_t)(s->model.steps + 1) * (size_t)s->layout.n_z) <=
        b.state);
  printf("  %-7s %dD f%d %2d steps: state %.1e gradient %.1e\n", cq_simd_level(), s->model.dim,
         s->model.bits, s->model.steps, worst_state, worst_gradient);
  free_run(fast);
  free_run(reference);
}

static void compare_scenes(int steps, bounds twice, bounds single) {
  for (int level = 0; level < CQ_N_SIMD; level++) {
    if (!choose_level(level)) {
      printf("  %s: not on this machine\n", levels[level]);
      continue;
    }
    for (int variant = 0; variant < 4; variant++) {
      contact_scene s;
      const int bits = variant < 2 ? 64 : 32;
      contact_scene_make(&s, 2 + variant % 2, bits, steps);
      compare(&s, bits == 64 ? twice : single);
      free(s.inputs);
    }
  }
  unsetenv("CQ_SIMD");
}

static void test_one_step(void) {
  compare_scenes(1, (bounds){1e-14, 1e-13}, (bounds){2e-6, 2e-5});
}

static void test_fifty_steps(void) {
  /* in float a node may take the other branch of a contact: gradients are compared in double */
  compare_scenes(50, (bounds){1e-9, 1e-9}, (bounds){1e-3, INFINITY});
}

static void test_smooth_gradient(void) {
  compare_scenes(10, (bounds){1e-12, 1e-11}, (bounds){1e-4, 1e-3});
}

static void test_pic(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 50);
    s.model.transfer = CQ_TRANSFER_PIC;
    compare(&s, (bounds){1e-9, 1e-9});
    free(s.inputs);
  }
}

/* each geometry of the scene with each condition, alone, so that no other hides it; also a body
 * that leaves a wall far behind */
static void test_each_wall(void) {
  for (int k = 0; k < 2 * 8 * CQ_N_BOUNDARIES; k++) {
    const int dim = 2 + k % 2, i = k / 2 % 8;
    contact_scene s;
    contact_scene_make(&s, dim, 64, 20);
    CHECK(s.model.n_boundaries == 8);
    s.boundaries[0] = s.boundaries[i];
    s.boundaries[0].kind = (cq_boundary_kind)(k / 16);
    s.model.n_boundaries = 1;
    s.layout = cq_model_layout(&s.model);
    double *inputs = calloc(s.layout.total, sizeof(double));
    memcpy(inputs, s.inputs, s.layout.offset[CQ_INPUT_theta] * sizeof(double));
    free(s.inputs);
    s.inputs = inputs;
    compare(&s, (bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

/* two bodies with empty blocks of planes between them */
static void test_far_apart(void) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    const int dim = 2 + variant % 2, bits = variant < 2 ? 64 : 32;
    contact_scene_make(&s, dim, bits, 10);
    s.model.grid[0] = 60;
    for (int p = s.model.n_particles / 2; p < s.model.n_particles; p++) {
      scene_input(&s, CQ_INPUT_x)[p * dim] += 1.2;
    }
    compare(&s, bits == 64 ? (bounds){1e-12, 1e-11} : (bounds){1e-4, 1e-3});
    free(s.inputs);
  }
}

int main(void) {
  RUN(test_one_step);
  RUN(test_smooth_gradient);
  RUN(test_fifty_steps);
  RUN(test_pic);
  RUN(test_each_wall);
  RUN(test_far_apart);
  return TEST_RESULT();
}
