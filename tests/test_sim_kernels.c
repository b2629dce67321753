/* The fast engine against the reference loops, field by field: after one step and after many, every
 * material, boundary and actuation model, 2D and 3D, float and double, at every SIMD level this
 * machine has, and the gradients. */
#define _POSIX_C_SOURCE 200809L
#include "engine_compare.h"
#include "simd.h"

static const char *const levels[] = {
#define LEVEL(name) #name,
    CQ_SIMD_LIST(LEVEL)
#undef LEVEL
};

static bool choose_level(int i) {
  setenv("CQ_SIMD", levels[i], 1);
  return cq_simd_level() != NULL;
}

static engine_run run_kernels(contact_scene *s, cq_kernels kernels) {
  s->mpm.kernels = kernels;
  return engine_run_make(s, 1);
}

static void compare(contact_scene *s, engine_bounds bounds) {
  const engine_run fast = run_kernels(s, CQ_KERNELS_FAST);
  const engine_run reference = run_kernels(s, CQ_KERNELS_REFERENCE);
  engine_compare(cq_simd_level(), s, &fast, &reference, bounds);
  engine_run_free(&fast);
  engine_run_free(&reference);
}

static void compare_scenes(int steps, engine_bounds twice, engine_bounds single) {
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
  compare_scenes(1, (engine_bounds){1e-14, 1e-13}, (engine_bounds){2e-6, 2e-5});
}

static void test_fifty_steps(void) {
  /* in float a node may take the other branch of a contact: gradients are compared in double */
  compare_scenes(50, (engine_bounds){1e-9, 1e-9}, (engine_bounds){1e-3, INFINITY});
}

static void test_smooth_gradient(void) {
  compare_scenes(10, (engine_bounds){1e-12, 1e-11}, (engine_bounds){1e-4, 1e-3});
}

static void test_pic(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 50);
    s.mpm.transfer = CQ_TRANSFER_PIC;
    compare(&s, (engine_bounds){1e-9, 1e-9});
    free(s.inputs);
  }
}

/* Bodies that meet: each engine has its own grids of them. */
static void test_fields(void) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    const int bits = variant < 2 ? 64 : 32;
    contact_scene_make(&s, 2 + variant % 2, bits, 20);
    contact_scene_fields(&s);
    compare(&s, bits == 64 ? (engine_bounds){1e-11, 1e-10} : (engine_bounds){1e-3, INFINITY});
    free(s.inputs);
  }
}

static void test_each_wall(void) {
  for (int k = 0; k < CONTACT_SINGLE_WALLS; k++) {
    contact_scene s;
    contact_scene_one_wall(&s, k, 20);
    compare(&s, (engine_bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

static void test_touch(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 5);
    contact_scene_touch(&s);
    compare(&s, (engine_bounds){1e-11, 1e-10});
    free(s.inputs);
  }
}

/* Mean pressures in one grid, and in those of bodies that meet. */
static void test_mean_pressure(void) {
  for (int variant = 0; variant < 8; variant++) {
    contact_scene s;
    const int bits = variant % 4 < 2 ? 64 : 32;
    contact_scene_make(&s, 2 + variant % 2, bits, 20);
    contact_scene_mean_pressure(&s);
    if (variant >= 4) {
      contact_scene_fields(&s);
    }
    compare(&s, bits == 64 ? (engine_bounds){1e-11, 1e-10} : (engine_bounds){1e-3, INFINITY});
    free(s.inputs);
  }
}

/* Mirrors in one grid, and in those of bodies that meet. */
static void test_mirrors(void) {
  for (int variant = 0; variant < 6; variant++) {
    contact_scene s;
    const int bits = variant % 4 < 2 ? 64 : 32;
    contact_scene_make(&s, 2 + variant % 2, bits, 20);
    contact_scene_mirrors(&s);
    if (variant >= 4) {
      contact_scene_fields(&s);
    }
    compare(&s, bits == 64 ? (engine_bounds){1e-11, 1e-10} : (engine_bounds){1e-4, 1e-3});
    free(s.inputs);
  }
}

static void test_mirrors_on_a_device(void) {
  contact_scene s;
  cq_sim *sim = NULL;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  contact_scene_make(&s, 2, 64, 1);
  contact_scene_mirrors(&s);
  s.model.device = CQ_ON_CUDA;
  CHECK(cq_sim_create(ctx, &s.model, &sim) == CQ_DEVICE);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "mirror = false") != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
  free(s.inputs);
}

static void test_far_apart(void) {
  for (int variant = 0; variant < 4; variant++) {
    contact_scene s;
    const int bits = variant < 2 ? 64 : 32;
    contact_scene_far_apart(&s, 2 + variant % 2, bits, 10);
    compare(&s, bits == 64 ? (engine_bounds){1e-12, 1e-11} : (engine_bounds){1e-4, 1e-3});
    free(s.inputs);
  }
}

int main(void) {
  RUN(test_one_step);
  RUN(test_smooth_gradient);
  RUN(test_fifty_steps);
  RUN(test_pic);
  RUN(test_fields);
  RUN(test_each_wall);
  RUN(test_touch);
  RUN(test_mean_pressure);
  RUN(test_mirrors);
  RUN(test_mirrors_on_a_device);
  RUN(test_far_apart);
  return TEST_RESULT();
}
