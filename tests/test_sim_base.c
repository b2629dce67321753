/* Context, errors, memory, random numbers, hashes, stability limit. */
#include "alloc.h"
#include "hash.h"
#include "kinds.h"
#include "rng.h"
#include "sim.h"
#include "stable_dt.h"
#include "status.h"
#include "test.h"
#include "text_file.h"

#include <sys/resource.h>

static char last_line[256];

static void keep_line(void *user, cq_log_level level, const char *line) {
  (void)user;
  snprintf(last_line, sizeof last_line, "%d %s", (int)level, line);
}

static void test_first_error_wins(void) {
  cq_ctx *ctx = cq_ctx_create(3, 9);
  CHECK(cq_ctx_threads(ctx) == 3 && cq_ctx_seed(ctx) == 9);
  CHECK(CQ_FAIL(ctx, CQ_CONFIG, "first %d", 1) == CQ_CONFIG);
  CHECK(CQ_FAIL(ctx, CQ_IO, "second") == CQ_IO);
  CHECK_STR(cq_ctx_error(ctx), "first 1");
  CHECK(cq_ctx_status(ctx) == CQ_CONFIG);
  cq_ctx_clear_error(ctx);
  CHECK(cq_ctx_status(ctx) == CQ_OK && cq_ctx_error(ctx)[0] == '\0');
  cq_ctx_set_log(ctx, keep_line, NULL);
  cq_log(ctx, CQ_LOG_WARNING, "mind %s", "this");
  CHECK_STR(last_line, "1 mind this");
  cq_ctx_destroy(ctx);
}

static void test_exit_codes(void) {
  CHECK(cq_status_exit_code(CQ_OK) == 0);
  CHECK(cq_status_exit_code(CQ_CONFIG) == 1);
  CHECK(cq_status_exit_code(CQ_IO) == 2);
  CHECK(cq_status_exit_code(CQ_MEMORY) == 8);
  CHECK(cq_status_exit_code(CQ_INTERRUPTED) == 130);
  CHECK(cq_status_is_numeric(CQ_TOO_FAST) && !cq_status_is_numeric(CQ_MEMORY));
}

static void test_memory(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  double *a = NULL, *b = NULL;
  CHECK(CQ_ALLOC(ctx, a, 10) == CQ_OK);
  CHECK(cq_ctx_bytes(ctx) == 80 && (uintptr_t)a % 64 == 0 && a[9] == 0.0);
  cq_alloc_fail_nth(ctx, 2);
  CHECK(CQ_ALLOC(ctx, b, 1) == CQ_OK);
  cq_free(ctx, b);
  CHECK(CQ_ALLOC(ctx, b, 1) == CQ_MEMORY && b == NULL);
  cq_ctx_clear_error(ctx);
  CHECK(CQ_ALLOC(ctx, b, SIZE_MAX / 4) == CQ_MEMORY && b == NULL);
  cq_free(ctx, a);
  cq_free(ctx, NULL);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_random_and_hash(void) {
  cq_rng a = cq_rng_seed(1), b = cq_rng_seed(1), c = cq_rng_seed(2);
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < 20000; i++) {
    const double x = cq_rng_normal(&a);
    CHECK(x == cq_rng_normal(&b));
    mean += x / 20000.0;
    square += x * x / 20000.0;
  }
  CHECK_NEAR(mean, 0.0, 0.03);
  CHECK_NEAR(square, 1.0, 0.05);
  CHECK(cq_rng_next(&a) != cq_rng_next(&c));
  CHECK(cq_hash("a", 1) == 0xaf63dc4c8601ec8cu); /* the published FNV-1a value */
}

static void test_stable_dt(void) {
  /* lambda + 2 mu = 13.4615 at E = 10, nu = 0.3 */
  const double modulus = cq_wave_modulus(CQ_MATERIAL_fixed_corotated, 10.0, 0.3);
  CHECK_NEAR(modulus, 10.0 * 0.7 / (1.3 * 0.4), 1e-14);
  CHECK_NEAR(cq_wave_modulus(CQ_MATERIAL_liquid, 10.0, 1.0 / 3.0), 10.0, 1e-14);
  CHECK_NEAR(cq_stable_dt(0.01, modulus, 0.0, 1.0), 0.9 * 0.01 / sqrt(modulus), 1e-15);
  /* viscosity alone, and both */
  CHECK_NEAR(cq_stable_dt(0.01, 0.0, 2.0, 3.0), 0.81e-4 * 3.0 / (4.0 * 2.0), 1e-18);
  const double dt = cq_stable_dt(0.01, modulus, 0.1, 3.0);
  CHECK_NEAR(modulus * dt * dt + 4.0 * 0.1 * dt, 3.0 * 0.81e-4, 1e-16);
}

/* Where the blocks of inputs stand, by name and by place; states come first. */
static void test_layout(void) {
  cq_model model = {.dim = 3, .n_particles = 7, .n_boundaries = 2, .n_knots = 4};
  model.controller.n_parameters = 5;
  const cq_layout layout = cq_model_layout(&model);
  size_t total = 0;
  for (int i = 0; i < layout.n; i++) {
    const char *name = layout.inputs[i].name;
    CHECK(layout.offset[i] == total && layout.inputs[i].state == (i < layout.n_states));
    CHECK(cq_layout_find(&layout, name) == i && cq_layout_offset(&layout, name) == total);
    CHECK(cq_layout_at(&layout, total) == i);
    total += layout.count[i];
    CHECK(cq_layout_at(&layout, total - 1) == i);
    CHECK(i + 1 != layout.n_states || layout.state_total == total);
  }
  CHECK(layout.total == total && cq_layout_at(&layout, total) == -1);
  CHECK(cq_layout_find(&layout, "viscos") == -1);
  CHECK(cq_layout_offset(&layout, "viscos") == CQ_NO_INPUT);
  /* of a particle, a wall, a knot, the scene and the controller */
  CHECK(layout.count[cq_layout_find(&layout, "x")] == 3 * 7);
  CHECK(layout.count[cq_layout_find(&layout, "friction")] == 2);
  CHECK(layout.count[cq_layout_find(&layout, "track")] == 6 * 4);
  CHECK(layout.count[cq_layout_find(&layout, "gravity")] == 3);
  CHECK(layout.count[cq_layout_find(&layout, "theta")] == 5);
  model.engine = "none of them";
  CHECK(cq_model_layout(&model).n == 0);
}

/* A text that is longer than any buffer on its way, a second one over it, and none. */
static void test_text_file(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_text_file file;
  CHECK(cq_text_begin(ctx, &file) == CQ_OK);
  for (int i = 0; i < 20000; i++) {
    fprintf(file.out, "%d,", i);
  }
  CHECK(cq_text_take(ctx, &file) == CQ_OK && strlen(file.text) == 108890);
  CHECK_STR(file.text + 108890 - 12, "19998,19999,");
  fputs("short", file.out);
  CHECK(cq_text_end(ctx, &file) == CQ_OK && file.size == 5);
  CHECK_STR(file.text, "short");
  free(file.text);
  CHECK(cq_text_begin(ctx, &file) == CQ_OK && cq_text_end(ctx, &file) == CQ_OK);
  CHECK_STR(file.text, "");
  free(file.text);
  cq_ctx_destroy(ctx);
}

/* Memory ends in the middle of a text: that is said, and there is none. */
static void test_text_without_memory(void) {
#ifdef __SANITIZE_ADDRESS__ /* which takes all addresses for itself */
  return;
#endif
  const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_text_file file;
  if (setrlimit(RLIMIT_AS, &limit) != 0) {
    return;
  }
  static const char piece[1 << 16];
  CHECK(cq_text_begin(ctx, &file) == CQ_OK);
  for (int i = 0; i < 1 << 14; i++) {
    fwrite(piece, 1, sizeof piece, file.out);
  }
  CHECK(cq_text_end(ctx, &file) == CQ_MEMORY && file.text == NULL);
  CHECK(strstr(cq_ctx_error(ctx), "out of memory") != NULL);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_first_error_wins);
  RUN(test_exit_codes);
  RUN(test_memory);
  RUN(test_random_and_hash);
  RUN(test_stable_dt);
  RUN(test_layout);
  RUN(test_text_file);
  RUN(test_text_without_memory);
  return TEST_RESULT();
}
