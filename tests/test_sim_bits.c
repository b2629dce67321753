/* The same bits for any number of threads, and single against double precision. */
#include "contact_scene.h"
#include "scene_builder.h"

/* two colliding balls of 1500 and 900 particles, walls, running and terminal seeds */
static void collision(scene *s, int dim, int bits, int threads) {
  const int n = 2400;
  scene_make(s, dim, bits, 60, 0.02, 2e-3, 40, n, threads);
  s->boundaries[0] = scene_domain(&s->model, CQ_BOUNDARY_separate, 3, 3, 4);
  s->boundaries[1] = scene_half_space(CQ_BOUNDARY_slip, dim, 0.1, 1.0, 0.2, 0.5, 0.45);
  s->boundaries[2] = scene_ball_wall(CQ_BOUNDARY_separate, 0.5, 0.47, 0.5, 0.06);
  s->model.n_boundaries = 3;
  s->groups[1] = (cq_group){.count = 900, .particles = s->particles + 1500};
  s->model.n_groups = 2;
  s->groups[0].quantities = CQ_OBSERVE_VOLUME | CQ_OBSERVE_ENERGY | CQ_OBSERVE_STRESS;
  s->groups[0].stress_exponent = 5.5;
  scene_open(s);
  const double a[3] = {0.4, 0.55, 0.5}, b[3] = {0.6, 0.56, 0.52};
  scene_ball(s, 0, 1500, a, 0.095, 1);
  scene_ball(s, 1500, 900, b, 0.08, 2);
  for (int p = 0; p < n; p++) {
    scene_at(s, CQ_INPUT_v)[p * dim] = p < 1500 ? 0.9 : -0.9;
    scene_at(s, CQ_INPUT_v)[p * dim + 1] = -0.9;
    s->material[p] = p < 1500 ? CQ_MATERIAL_fixed_corotated : CQ_MATERIAL_neo_hookean;
  }
  scene_at(s, CQ_INPUT_friction)[0] = 0.5;
  scene_at(s, CQ_INPUT_friction)[2] = 0.3;
  for (int k = 0; k <= s->model.steps; k++) {
    double *dz = s->dz + (size_t)k * (size_t)s->layout.n_z;
    dz[3] = 0.1;
    dz[CQ_Z(dim, ENERGY)] = 0.03;
    dz[CQ_Z(dim, STRESS)] = 0.02;
  }
  scene_last_dz(s)[s->layout.n_z / 2] = 1.0;
}

static void run(scene *s) {
  scene_forward(s);
  scene_backward(s);
}

static void test_threads(void) {
  for (int variant = 0; variant < 4; variant++) {
    const int dim = 2 + variant % 2, bits = variant < 2 ? 64 : 32;
    scene one;
    collision(&one, dim, bits, 1);
    run(&one);
    const int threads[] = {2, 3, 4};
    for (int i = 0; i < 3; i++) {
      scene s;
      collision(&s, dim, bits, threads[i]);
      run(&s);
      CHECK(memcmp(one.state, s.state, s.layout.state_total * sizeof(double)) == 0);
      CHECK(memcmp(one.gradient, s.gradient, s.layout.total * sizeof(double)) == 0);
      CHECK(memcmp(scene_z(&one), scene_z(&s), (size_t)s.layout.n_z * sizeof(double)) == 0);
      scene_close(&s);
    }
    scene_close(&one);
  }
}

static double relative(const double *a, const double *b, size_t n) {
  double difference = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return size > 0.0 ? sqrt(difference / size) : sqrt(difference);
}

/* float against double, field by field and norm-wise, on the smooth part of the run */
static void test_single_against_double(void) {
  for (int dim = 2; dim <= 3; dim++) {
    scene s, d;
    collision(&s, dim, 32, 1);
    collision(&d, dim, 64, 1);
    run(&s);
    run(&d);
    for (int i = 0; i < CQ_N_INPUTS; i++) {
      const size_t at = d.layout.offset[i], n = d.layout.count[i];
      const double error = relative(s.gradient + at, d.gradient + at, n);
      printf("  %dD gradient %-15s float against double %.1e\n", dim, cq_input_names[i], error);
      CHECK_MSG(error <= 2e-4, "%s: %.1e", cq_input_names[i], error);
    }
    CHECK(relative(s.state, d.state, (size_t)(dim * d.model.n_particles)) <= 1e-6);
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
      const double error = relative(f + at, d + at, s.layout.count[i]);
      printf("  %dD in contact %-15s float against double %.1e\n", dim, cq_input_names[i], error);
      CHECK_MSG(error > 0.0 && error <= 1e-3, "%s: %.1e", cq_input_names[i], error);
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
