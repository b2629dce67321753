/* The naive loops of the bench and the engine are two programs for one scheme: after some steps the
 * states agree, and so do the gradients, to rounding, at every SIMD level that this machine and
 * this build have. */
#include "mpm_inputs.h"
#include "runs.h"
#include "test.h"

/* largest difference of x, v, F and C, each relative to the largest number of its kind */
static double difference(const cq_layout *layout, const double *a, const double *b) {
  double worst = 0.0;
  for (int field = CQ_INPUT_x; field <= CQ_INPUT_C; field++) {
    double size = 0.0, apart = 0.0;
    for (size_t i = 0; i < layout->count[field]; i++) {
      const size_t k = layout->offset[field] + i;
      CHECK(isfinite(a[k]) && isfinite(b[k]));
      size = fmax(size, fabs(b[k]));
      apart = fmax(apart, fabs(a[k] - b[k]));
    }
    CHECK(size > 0.0);
    worst = fmax(worst, apart / size);
  }
  return worst;
}

static void compare_level(cq_ctx *ctx, cq_engine_run *engine, const double *state, cq_simd level) {
  cq_naive_run naive;
  double seconds = 0.0;
  const cq_model *const model = &engine->scene.model;
  CHECK_MSG(cq_naive_run_open(ctx, &engine->scene, level, &naive) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  cq_naive_run_forward(&naive, &seconds);
  const size_t last = (size_t)model->steps * (size_t)model->n_particles;
  naive.loops->store(&naive.config, naive.states + last * naive.loops->particle_bytes, naive.host);
  const double apart = difference(&engine->scene.layout, naive.host, state);
  cq_naive_run_backward(&naive, &seconds);
  const double gradient = difference(&engine->scene.layout, naive.host, engine->gradient);
  printf("     %dD f%d %-6s states differ by %.1e, gradients by %.1e\n", model->dim, model->bits,
         cq_simd_names[level], apart, gradient);
  const double tolerance = model->bits == 32 ? 2e-4 : 1e-12;
  CHECK(apart <= tolerance);
  CHECK(gradient <= tolerance);
  cq_naive_run_close(&naive);
}

static void compare(int dim, int bits) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  const cq_bench_scene_def def = {
      .dim = dim, .bits = bits, .edge = {9, 7, 6}, .grid = {40, 50, 40}, .steps = 25};
  cq_engine_run engine;
  double seconds = 0.0;
  CHECK_MSG(cq_engine_run_open(ctx, &def, &engine) == CQ_OK, "%s", cq_ctx_error(ctx));
  double *const state = calloc(engine.scene.layout.state_total, sizeof *state);
  CHECK(cq_engine_run_forward(&engine, &seconds) == CQ_OK);
  CHECK(cq_sim_final_state(engine.sim, state) == CQ_OK);
  CHECK(cq_engine_run_backward(&engine, &seconds) == CQ_OK);
  const int widest = (int)cq_simd_widest(), first = cq_simd_count() > 1 ? 0 : widest;
  for (int level = first; level <= widest; level++) {
    compare_level(ctx, &engine, state, (cq_simd)level);
  }
  free(state);
  cq_engine_run_close(&engine);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void float_2d(void) {
  compare(2, 32);
}

static void double_2d(void) {
  compare(2, 64);
}

static void float_3d(void) {
  compare(3, 32);
}

static void double_3d(void) {
  compare(3, 64);
}

int main(void) {
  RUN(double_2d);
  RUN(double_3d);
  RUN(float_2d);
  RUN(float_3d);
  return TEST_RESULT();
}
