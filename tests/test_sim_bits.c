/* The same bits for any number of threads, and single against double precision. */
#include "collision_scene.h"
#include "engine_compare.h"
#include "mpm_inputs.h"

static void run(scene *s) {
  scene_forward(s);
  scene_backward(s);
}

static void test_threads(void) {
  for (int variant = 0; variant < 4; variant++) {
    const int dim = 2 + variant % 2, bits = variant < 2 ? 64 : 32;
    scene one;
    collision_scene_make(&one, dim, bits, 40, 1);
    run(&one);
    const int threads[] = {2, 3, 4};
    for (int i = 0; i < 3; i++) {
      scene s;
      collision_scene_make(&s, dim, bits, 40, threads[i]);
      run(&s);
      CHECK(memcmp(one.state, s.state, s.layout.state_total * sizeof(double)) == 0);
      CHECK(memcmp(one.gradient, s.gradient, s.layout.total * sizeof(double)) == 0);
      CHECK(memcmp(scene_z(&one), scene_z(&s), (size_t)s.layout.rows->longest * sizeof(double)) ==
            0);
      scene_close(&s);
    }
    scene_close(&one);
  }
}

/* float against double, field by field and norm-wise, on the smooth part of the run */
static void test_single_against_double(void) {
  for (int dim = 2; dim <= 3; dim++) {
    scene s, d;
    collision_scene_make(&s, dim, 32, 40, 1);
    collision_scene_make(&d, dim, 64, 40, 1);
    run(&s);
    run(&d);
    for (int i = 0; i < CQ_N_INPUTS; i++) {
      const size_t at = d.layout.offset[i], n = d.layout.count[i];
      const double error = engine_relative(s.gradient + at, d.gradient + at, n);
      printf("  %dD gradient %-15s float against double %.1e\n", dim, cq_mpm_inputs[i].name, error);
      CHECK_MSG(error <= 2e-4, "%s: %.1e", cq_mpm_inputs[i].name, error);
    }
    CHECK(engine_relative(s.state, d.state, (size_t)(dim * d.model.n_particles)) <= 1e-6);
    scene_close(&s);
    scene_close(&d);
  }
}

/* the same through every kind of contact and actuation, from random terminal weights */
static void contact_gradient(contact_scene *s, double *gradient) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_sim *sim = NULL;
  cq_rng rng = cq_rng_seed(11);
  double *w = calloc(s->layout.state_total, sizeof(double));
  for (size_t i = 0; i < s->layout.state_total; i++) {
    w[i] = scene_random(&rng, 1.0);
  }
  CHECK(cq_sim_create(ctx, &s->model, &sim) == CQ_OK);
  CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_seed seed = {.terminal = w};
  CHECK_MSG(cq_sim_backward(sim, 1, &seed, gradient) == CQ_OK, "%s", cq_ctx_error(ctx));
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  free(w);
}

static void test_single_against_double_in_contact(void) {
  for (int dim = 2; dim <= 3; dim++) {
    contact_scene s;
    contact_scene_make(&s, dim, 64, 18); /* then a node is within rounding of sticking */
    double *d = calloc(s.layout.total, sizeof(double)), *f = calloc(s.layout.total, sizeof(double));
    contact_gradient(&s, d);
    s.model.bits = 32;
    contact_gradient(&s, f);
    for (int i = 0; i < CQ_N_INPUTS; i++) {
      const size_t at = s.layout.offset[i];
      const double error = engine_relative(f + at, d + at, s.layout.count[i]);
      printf("  %dD in contact %-15s float against double %.1e\n", dim, cq_mpm_inputs[i].name,
             error);
      const bool none = i == CQ_INPUT_track; /* no body moves along one */
      CHECK_MSG(none || (error > 0.0 && error <= 1e-3), "%s: %.1e", cq_mpm_inputs[i].name, error);
    }
    free(d);
    free(f);
    free(s.inputs);
  }
}

int main(void) {
  RUN(test_threads);
  RUN(test_single_against_double);
  RUN(test_single_against_double_in_contact);
  return TEST_RESULT();
}
