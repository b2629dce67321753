/* Clean stops: each numeric failure names the step and the particle, keeps the state, and the same
 * simulator runs on at the next inputs. */
#include "alloc.h"
#include "mpm_inputs.h"
#include "scene_builder.h"

static void two_particles(scene *s, int bits) {
  scene_make(s, 2, bits, 30, 0.1, 1e-2, 50, 2, 1);
  scene_open(s);
  const double x[4] = {1.05, 1.05, 1.95, 1.95};
  memcpy(scene_at(s, CQ_INPUT_x), x, sizeof x);
}

static void expect(scene *s, cq_status status, int particle, const char *text) {
  CHECK(cq_sim_forward(s->sim, s->inputs) == status);
  CHECK(cq_ctx_status(s->ctx) == status);
  const cq_failure *f = cq_sim_failure(s->sim);
  CHECK(f->status == status);
  CHECK_MSG(f->particle == particle, "particle %d", f->particle);
  CHECK_MSG(strstr(cq_ctx_error(s->ctx), text) != NULL, "\"%s\"", cq_ctx_error(s->ctx));
  CHECK(strchr(cq_ctx_error(s->ctx), '\n') == NULL);
  printf("  %s\n", cq_ctx_error(s->ctx));
  cq_ctx_clear_error(s->ctx);
}

static void recovers(scene *s) {
  scene_set_all(s, CQ_INPUT_v, 0.0);
  scene_set_all(s, CQ_INPUT_youngs_modulus, 10.0);
  scene_forward(s);
}

static void test_out_of_grid(void) {
  scene s;
  two_particles(&s, 64);
  scene_at(&s, CQ_INPUT_v)[2] = 4.0;
  expect(&s, CQ_OUT_OF_ROOM, 1, "left the grid");
  const cq_failure *f = cq_sim_failure(s.sim);
  /* valid while floor(x/dx - 1/2) + 2 < 30: x < 2.85; 1.95 + 0.04 k passes it at k = 23 */
  CHECK(f->step == 22);
  CHECK_NEAR(f->position[0], 1.95 + 0.04 * 23, 1e-12);
  CHECK(cq_sim_final_state(s.sim, s.state) == CQ_OK);
  CHECK_NEAR(s.state[2], f->position[0], 0.0);
  recovers(&s);
  scene_close(&s);
}

static void test_out_of_grid_at_start(void) {
  scene s;
  two_particles(&s, 64);
  scene_at(&s, CQ_INPUT_x)[0] = 0.04;
  expect(&s, CQ_OUT_OF_ROOM, 0, "step 0");
  scene_at(&s, CQ_INPUT_x)[0] = -1e300;
  expect(&s, CQ_OUT_OF_ROOM, 0, "step 0");
  scene_close(&s);
}

static void test_nan(void) {
  scene s;
  two_particles(&s, 64);
  scene_at(&s, CQ_INPUT_C)[5] = NAN;
  expect(&s, CQ_NONFINITE, 1, "not finite");
  scene_at(&s, CQ_INPUT_C)[5] = 0.0;
  const int parameters[] = {CQ_INPUT_youngs_modulus, CQ_INPUT_density, CQ_INPUT_volume,
                            CQ_INPUT_gravity, CQ_INPUT_damping};
  for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
    const double kept = scene_at(&s, parameters[i])[0];
    scene_at(&s, parameters[i])[0] = i % 2 == 0 ? NAN : INFINITY;
    expect(&s, CQ_NONFINITE, 0, cq_mpm_inputs[parameters[i]].name);
    scene_at(&s, parameters[i])[0] = kept;
  }
  recovers(&s);
  scene_close(&s);
}

static void test_float_overflow(void) {
  scene s;
  two_particles(&s, 32);
  scene_at(&s, CQ_INPUT_v)[0] = 1e300; /* infinite in float */
  expect(&s, CQ_NONFINITE, 0, "not finite");
  scene_close(&s);
}

static void test_cfl(void) {
  scene s;
  two_particles(&s, 64);
  scene_at(&s, CQ_INPUT_v)[1] = 11.0; /* 1.1 cells a step */
  expect(&s, CQ_TOO_FAST, 0, "time_step");
  recovers(&s);
  scene_close(&s);
}

static void invert(scene *s) {
  scene_at(s, CQ_INPUT_F)[4] = -1.0;
}

static void test_inverted(void) {
  scene s;
  two_particles(&s, 64);
  invert(&s);
  expect(&s, CQ_DEFORMED, 1, "continue");
  scene_close(&s);

  two_particles(&s, 64); /* neo-Hookean cannot go on */
  s.material[1] = CQ_MATERIAL_neo_hookean;
  s.mpm.on_inversion = CQ_INVERSION_CONTINUE;
  invert(&s);
  expect(&s, CQ_DEFORMED, 1, "inverted");
  scene_close(&s);
}

static void test_inversion_continues(void) {
  for (int dim = 2; dim <= 3; dim++) {
    scene s;
    scene_make(&s, dim, 64, 30, 0.1, 1e-2, 20, 1, 1);
    s.mpm.on_inversion = CQ_INVERSION_CONTINUE;
    scene_open(&s);
    for (int a = 0; a < dim; a++) {
      scene_at(&s, CQ_INPUT_x)[a] = 1.53;
    }
    scene_at(&s, CQ_INPUT_F)[0] = -0.8;
    scene_forward(&s);
    const cq_tally tally = cq_sim_statistics(s.sim)->tally;
    CHECK_MSG(tally.of[CQ_TALLY_INVERTED] > 0 && tally.of[CQ_TALLY_CLAMPED] == 0, "%lld, %lld",
              tally.of[CQ_TALLY_INVERTED], tally.of[CQ_TALLY_CLAMPED]);
    scene_last_dz(&s)[0] = 1.0;
    const double *g = scene_backward(&s);
    for (size_t i = 0; i < s.layout.total; i++) {
      CHECK(isfinite(g[i]));
    }
    scene_close(&s);
  }
}

/* F that flattens to nothing in two directions has no rotation: counted, and finite */
static void test_undefined_rotation(void) {
  scene s;
  scene_make(&s, 2, 64, 30, 0.1, 1e-2, 3, 1, 1);
  s.mpm.on_inversion = CQ_INVERSION_CONTINUE;
  scene_open(&s);
  scene_at(&s, CQ_INPUT_x)[0] = scene_at(&s, CQ_INPUT_x)[1] = 1.53;
  scene_at(&s, CQ_INPUT_F)[3] = -1.0; /* s1 + s2 = 0 */
  scene_set_all(&s, CQ_INPUT_youngs_modulus, 1e-9);
  scene_forward(&s);
  CHECK(cq_sim_statistics(s.sim)->tally.of[CQ_TALLY_CLAMPED] == 3);
  scene_last_dz(&s)[0] = 1.0;
  scene_backward(&s);
  scene_close(&s);
}

/* an infinite seed shows in the adjoint at once, and is named */
static void test_backward_nan(void) {
  scene s;
  two_particles(&s, 64);
  scene_forward(&s);
  scene_last_dz(&s)[0] = INFINITY;
  const cq_seed seed = {.dz = s.dz};
  CHECK(cq_sim_backward(s.sim, 1, &seed, s.gradient) == CQ_NONFINITE);
  CHECK(cq_sim_failure(s.sim)->backward);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "adjoint of step 49") != NULL, "%s", cq_ctx_error(s.ctx));
  cq_ctx_clear_error(s.ctx);
  scene_close(&s);
}

/* whichever allocation fails, creation reports it and leaks nothing */
static void test_out_of_memory(void) {
  scene s;
  two_particles(&s, 64);
  cq_sim_destroy(s.sim);
  s.sim = NULL;
  int failures = 0;
  for (int n = 1;; n++) {
    cq_alloc_fail_nth(s.ctx, n);
    const cq_status status = cq_sim_create(s.ctx, &s.model, &s.sim);
    cq_alloc_fail_nth(s.ctx, 0);
    if (status == CQ_OK) {
      break;
    }
    CHECK(status == CQ_MEMORY && s.sim == NULL);
    CHECK(cq_ctx_bytes(s.ctx) == 0);
    cq_ctx_clear_error(s.ctx);
    failures++;
  }
  CHECK(failures > 10);
  scene_close(&s);
}

int main(void) {
  RUN(test_out_of_grid);
  RUN(test_out_of_grid_at_start);
  RUN(test_nan);
  RUN(test_float_overflow);
  RUN(test_cfl);
  RUN(test_inverted);
  RUN(test_inversion_continues);
  RUN(test_undefined_rotation);
  RUN(test_backward_nan);
  RUN(test_out_of_memory);
  return TEST_RESULT();
}
