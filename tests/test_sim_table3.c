/* Table III of the paper: cases A1, A2 (analytic, 3D) and B (differences, 2D). */
#include "mpm_inputs.h"
#include "scene_builder.h"

static const double radius = 1.0 / 30.0;

/* velocity of a ball plus the published spin, in the coordinates of the unit box around it */
static void throw_ball(scene *s, int first, int n, const double *centre, const double *v) {
  const int dim = s->model.dim;
  for (int p = first; p < first + n; p++) {
    const double *x = scene_at(s, CQ_INPUT_x) + p * dim;
    double *to = scene_at(s, CQ_INPUT_v) + p * dim;
    for (int a = 0; a < dim; a++) {
      to[a] = v[a];
    }
    to[0] += (x[1] - centre[1]) / (2.0 * radius);
    to[1] -= (x[0] - centre[0]) / (2.0 * radius);
  }
}

static void walls(scene *s, double friction) {
  s->boundaries[0] = scene_domain(&s->mpm, CQ_BOUNDARY_separate, 3, 3, 4);
  s->model.n_boundaries = 1;
  scene_open(s);
  scene_at(s, CQ_INPUT_friction)[0] = friction;
}

/* d(com_x)/d(v_x of the ball) against dt * steps */
static double case_a(int bits, int steps, double E, double vx, double vy, double *lowest) {
  const double centre[3] = {0.2, 0.4, 0.4}, v[3] = {vx, vy, 0.0};
  const int n = 3375;
  scene s;
  scene_make(&s, 3, bits, 100, 0.01, 1e-4, steps, n, 2);
  walls(&s, 0.0);
  scene_ball(&s, 0, n, centre, radius, 1);
  throw_ball(&s, 0, n, centre, v);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, E);
  scene_forward(&s);
  *lowest = scene_z(&s)[1];
  scene_last_dz(&s)[0] = 1.0;
  const double *g = scene_backward(&s);
  double sum = 0.0;
  for (int p = 0; p < n; p++) {
    sum += g[s.layout.offset[CQ_INPUT_v] + (size_t)(3 * p)];
  }
  scene_close(&s);
  return fabs(sum - 1e-4 * steps) / (1e-4 * steps);
}

static void test_a1(void) {
  const int steps[] = {1, 10, 100, 1000};
  double y = 0.0;
  for (int i = 0; i < 4; i++) {
    const double single = case_a(32, steps[i], 1.0, 0.4, 0.0, &y);
    const double twice = case_a(64, steps[i], 1.0, 0.4, 0.0, &y);
    printf("  A1 %4d steps: f32 %.2e  f64 %.2e\n", steps[i], single, twice);
    CHECK(single <= 5e-6);
    CHECK(twice <= 1e-12);
  }
}

static void test_a2(void) {
  double y = 0.0;
  const double single = case_a(32, 1000, 100.0, 3.0, -6.0, &y);
  CHECK(y > 0.05 && y < 0.4); /* without the floor it would be at -0.2 */
  const double twice = case_a(64, 1000, 100.0, 3.0, -6.0, &y);
  printf("  A2 1000 steps: f32 %.2e  f64 %.2e\n", single, twice);
  CHECK(single <= 3e-5);
  CHECK(twice <= 1e-10);
}

enum { B_COUNT = 200 };

static double loss_b(scene *s, double vx, double vy) {
  const double a[2] = {0.13333, 0.45833}, v[2] = {vx, vy};
  throw_ball(s, 0, B_COUNT, a, v);
  scene_forward(s);
  const double *z = scene_z(s) + scene_place(s, s->model.steps, 1, CQ_Q_POSITION);
  return (z[0] - 0.7) * (z[0] - 0.7) + (z[1] - 0.3) * (z[1] - 0.3);
}

static void case_b(int steps, double dt) {
  const double a[2] = {0.13333, 0.45833}, b[2] = {0.36667, 0.45833};
  scene s;
  scene_make(&s, 2, 64, 100, 0.01, dt, steps, 2 * B_COUNT, 1);
  s.groups[1] = (cq_group){.count = B_COUNT, .particles = s.particles + B_COUNT};
  s.model.n_groups = 2;
  walls(&s, 0.5);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, 1.0);
  scene_ball(&s, 0, B_COUNT, a, radius, 100);
  scene_ball(&s, B_COUNT, B_COUNT, b, radius, 101);
  loss_b(&s, 0.4, 0.05);
  const size_t of_b = scene_place(&s, steps, 1, CQ_Q_POSITION);
  const double *z = scene_z(&s) + of_b;
  CHECK(hypot(z[2], z[3]) > 0.05); /* B was hit */
  scene_last_dz(&s)[of_b] = 2.0 * (z[0] - 0.7);
  scene_last_dz(&s)[of_b + 1] = 2.0 * (z[1] - 0.3);
  const double *g = scene_backward(&s);
  double gradient[2] = {0.0, 0.0};
  for (int p = 0; p < B_COUNT; p++) {
    gradient[0] += g[s.layout.offset[CQ_INPUT_v] + (size_t)(2 * p)];
    gradient[1] += g[s.layout.offset[CQ_INPUT_v] + (size_t)(2 * p + 1)];
  }
  double best = 1.0;
  for (double eps = 1e-2; eps > 1e-8; eps *= 0.1) {
    const double dx = (loss_b(&s, 0.4 + eps, 0.05) - loss_b(&s, 0.4 - eps, 0.05)) / (2.0 * eps);
    const double dy = (loss_b(&s, 0.4, 0.05 + eps) - loss_b(&s, 0.4, 0.05 - eps)) / (2.0 * eps);
    const double error =
        hypot(dx - gradient[0], dy - gradient[1]) / hypot(gradient[0], gradient[1]);
    printf("  B %4d steps, eps %.0e: %.2e\n", steps, eps, error);
    best = error < best ? error : best;
  }
  CHECK_MSG(best <= 1e-8, "best %.2e", best);
  scene_close(&s);
}

static void test_b(void) {
  case_b(100, 5e-3);
  case_b(1000, 5e-4);
}

int main(void) {
  RUN(test_b);
  RUN(test_a1);
  RUN(test_a2);
  return TEST_RESULT();
}
