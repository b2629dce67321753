/* velocity_2d against the numbers of DiffTaichi's diffmpm_checkpointing scene, made in double
 * precision by an independent program that divides by the mass of a node as cqopt does.
 *
 * With the argument "whole" all 30 evaluations of the file are made, without it the first 11. */
#include "test_results_scene.h"

/* Rounding is amplified from iteration 5 on: another order of sums moves iteration 10 by 1e-6. */
static const struct {
  int iteration;
  double loss, tolerance;
} losses[] = {
    {0, 0.052556920957, 1e-8}, {1, 0.042837818771, 1e-6}, {2, 0.038183819966, 1e-6},
    {3, 0.034169157811, 1e-6}, {4, 0.030137130659, 1e-6}, {5, 0.02570556878, 1e-3},
    {10, 0.00511085, 1e-3},    {15, 2.65756e-4, 1e-3},    {20, 8.59979e-6, 1e-3},
    {29, 1.5142e-8, 1e-3},
};

static int evaluations = 11;

static void check_losses(const test_path *path) {
  for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
    const int k = losses[i].iteration;
    if (k >= evaluations) {
      break;
    }
    const double error = path->f[k] / losses[i].loss - 1;
    printf("iteration %2d: loss %.12g, relative difference %.1e\n", k, path->f[k], error);
    CHECK_RELATIVE(path->f[k], losses[i].loss, losses[i].tolerance);
  }
}

static void follows_published_run(void) {
  test_scene s = test_open("velocity_2d", NULL, 0);
  static test_path path;
  double x[2];
  CHECK(s.problem->n == 2 && s.problem->n_inequality + s.problem->n_equality == 0);
  CHECK_STR(cq_scene_optimizer(s.scene)->name, "gradient_descent");
  CHECK(cq_scene_optimizer(s.scene)->learning_rate == 10);
  CHECK(cq_scene_optimizer(s.scene)->max_evaluations == 30);
  test_optimize(&s, evaluations, x, &path);
  CHECK_MSG(path.n == evaluations, "%d evaluations: %s", path.n, path.result.reason);
  CHECK_RELATIVE(path.grad[0][0], -0.016322421889, 1e-6);
  CHECK_RELATIVE(path.grad[0][1], 0.031845861604, 1e-6);
  check_losses(&path);
  CHECK(path.result.f == path.f[evaluations - 1] && path.result.failures == 0);
  if (evaluations == 30) {
    CHECK_MSG(path.result.status == CQ_OK && path.result.reached_target, "%s", path.result.reason);
  }
  test_close(&s);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "whole") == 0) {
    evaluations = 30;
  }
  RUN(follows_published_run);
  return TEST_RESULT();
}
