/* SIMD levels: what is chosen, what is refused, and that each gives the same bits for any number of
 * threads, any memo budget and any company of seeds. */
#define _POSIX_C_SOURCE 200809L
#include "mpm_inputs.h"
#include "scene_builder.h"
#include "simd.h"

static const char *const levels[] = {
#define LEVEL(name) #name,
    CQ_SIMD_LIST(LEVEL)
#undef LEVEL
};

static void test_names(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_simd level, again;
  CHECK(cq_simd_choose(ctx, &level) == CQ_OK);
  CHECK_STR(cq_simd_level(), levels[level]);
  /* the plainest, where this build has more than one */
  const cq_simd plain = cq_simd_count() > 1 ? 0 : level;
  setenv("CQ_SIMD", levels[plain], 1);
  CHECK_STR(cq_simd_level(), levels[plain]);
  CHECK(cq_simd_choose(ctx, &again) == CQ_OK && again == plain);
  setenv("CQ_SIMD", "avx513", 1);
  CHECK(cq_simd_level() == NULL);
  CHECK(cq_simd_choose(ctx, &level) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "avx513") != NULL, "%s", cq_ctx_error(ctx));
  printf("  %s\n", cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
  setenv("CQ_SIMD", "", 1);
  CHECK(cq_simd_choose(ctx, &level) == CQ_OK);
  unsetenv("CQ_SIMD");
  cq_ctx_destroy(ctx);
}

/* two balls of both materials that meet over a floor */
static void collision(scene *s, int dim, int bits, int threads, size_t states) {
  const int n = 1800;
  scene_make(s, dim, bits, 60, 0.02, 2e-3, 25, n, threads);
  s->boundaries[0] = scene_domain(&s->mpm, CQ_BOUNDARY_separate, 3, 22, 4);
  s->model.n_boundaries = 1;
  scene_open(s);
  if (states > 0) {
    const cq_sim_stats *stats = cq_sim_statistics(s->sim);
    s->model.memory = states * stats->state_bytes + stats->z_bytes;
    scene_open_sim(s);
  }
  const double a[3] = {0.4, 0.55, 0.5}, b[3] = {0.56, 0.56, 0.52};
  scene_ball(s, 0, 1100, a, 0.095, 1);
  scene_ball(s, 1100, n - 1100, b, 0.08, 2);
  for (int p = 0; p < n; p++) {
    scene_at(s, CQ_INPUT_v)[p * dim] = p < 1100 ? 0.9 : -0.9;
    scene_at(s, CQ_INPUT_v)[p * dim + 1] = -1.5;
    s->material[p] = p < 1100 ? CQ_MATERIAL_fixed_corotated : CQ_MATERIAL_neo_hookean;
  }
  scene_at(s, CQ_INPUT_friction)[0] = 0.5;
  scene_last_dz(s)[0] = 1.0;
  scene_last_dz(s)[3] = 0.1;
  scene_forward(s);
  scene_backward(s);
}

static void check_same_bits(int dim, int bits) {
  scene one;
  collision(&one, dim, bits, 1, 0);
  const struct {
    int threads;
    size_t states;
  } runs[] = {{2, 0}, {3, 0}, {4, 0}, {1, 4}, {2, 7}, {3, 12}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    scene s;
    collision(&s, dim, bits, runs[i].threads, runs[i].states);
    CHECK_MSG(memcmp(one.state, s.state, s.layout.state_total * sizeof(double)) == 0,
              "%s %dD f%d: %d threads, %zu states: other state", cq_simd_level(), dim, bits,
              runs[i].threads, runs[i].states);
    CHECK_MSG(memcmp(one.gradient, s.gradient, s.layout.total * sizeof(double)) == 0,
              "%s %dD f%d: %d threads, %zu states: other gradient", cq_simd_level(), dim, bits,
              runs[i].threads, runs[i].states);
    scene_close(&s);
  }
  scene_close(&one);
}

static void test_same_bits(void) {
  for (int level = 0; level < CQ_N_SIMD; level++) {
    setenv("CQ_SIMD", levels[level], 1);
    for (int variant = 0; cq_simd_level() != NULL && variant < 4; variant++) {
      check_same_bits(2 + variant % 2, variant < 2 ? 64 : 32);
    }
  }
  unsetenv("CQ_SIMD");
}

/* A seed's gradient does not depend on the seeds beside it. */
static void test_company_of_seeds(void) {
  scene s;
  collision(&s, 3, 32, 2, 0);
  double *dz = calloc(s.layout.rows->begin[s.model.steps + 1], sizeof(double));
  double *both = calloc(2 * s.layout.total, sizeof(double));
  dz[1] = 1.0;
  const cq_seed seeds[2] = {{.dz = dz}, {.dz = s.dz}};
  CHECK(cq_sim_backward(s.sim, 2, seeds, both) == CQ_OK);
  CHECK(memcmp(both + s.layout.total, s.gradient, s.layout.total * sizeof(double)) == 0);
  free(dz);
  free(both);
  scene_close(&s);
}

/* After its first evaluation a simulation takes no more memory. */
static void test_steady_memory(void) {
  scene s;
  collision(&s, 3, 32, 2, 0);
  const size_t bytes = cq_ctx_bytes(s.ctx);
  for (int i = 1; i < 3; i++) {
    scene_at(&s, CQ_INPUT_v)[0] = 0.9 + 1e-6 * i;
    scene_forward(&s);
    scene_backward(&s);
    CHECK(cq_ctx_bytes(s.ctx) == bytes);
  }
  scene_close(&s);
}

/* Few particles far apart in a large grid, and the lowest-numbered bad one of many. */
static void test_sparse_and_lowest(void) {
  scene s;
  const int n = 1500;
  scene_make(&s, 3, 32, 128, 0.01, 1e-3, 4, n, 2);
  scene_open(&s);
  const double centre[3] = {0.6, 0.6, 0.6};
  scene_ball(&s, 0, n, centre, 0.1, 1);
  const int bad[] = {1200, 37, 900};
  for (int i = 0; i < 3; i++) {
    scene_at(&s, CQ_INPUT_C)[bad[i] * 9] = 1e30; /* fine in float, until it is squared */
    scene_at(&s, CQ_INPUT_x)[bad[i] * 3] = 0.2 + 0.2 * i;
    scene_at(&s, CQ_INPUT_v)[bad[i] * 3] = 1e3;
  }
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_TOO_FAST);
  CHECK(cq_sim_failure(s.sim)->particle == 37);
  scene_close(&s);
}

int main(void) {
  RUN(test_names);
  RUN(test_same_bits);
  RUN(test_company_of_seeds);
  RUN(test_steady_memory);
  RUN(test_sparse_and_lowest);
  return TEST_RESULT();
}
