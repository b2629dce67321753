/* Gradients of differences that are wrong: rounding, noise and kinks of f. What is called verified
 * is an optimum all the same. */
#include "cqopt/optimizer.h"
#include "grade.h"
#include "rng.h"
#include "test.h"

#include <float.h>

/* f = constant + (x - 1)^2 + 10 (y + 0.5 x)^2, with noise, by differences of step h */
typedef struct bowl {
  double constant, noise, h;
  uint64_t seed;
} bowl;

static double value(const bowl *b, const double *x) {
  uint64_t bits[2];
  memcpy(bits, x, sizeof bits);
  cq_rng rng = cq_rng_seed(b->seed ^ bits[0] * 31 ^ bits[1] * 131);
  const double u = x[0] - 1, v = x[1] + 0.5 * x[0];
  return b->constant + u * u + 10 * v * v + b->noise * cq_rng_normal(&rng);
}

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  const bowl *b = data;
  (void)c;
  (void)jac;
  *f = value(b, x);
  for (int j = 0; j < 2 && grad != NULL; j++) {
    double above[2] = {x[0], x[1]}, below[2] = {x[0], x[1]};
    above[j] += b->h;
    below[j] -= b->h;
    grad[j] = (value(b, above) - value(b, below)) / (above[j] - below[j]);
  }
  return CQ_OK;
}

/* How far from the optimum (1, -0.5) the run ends, in *off, and whether it calls that verified. */
static bool verifies(bowl *b, double noise, cq_verify verify, const char *name, double *off) {
  static const double lower[] = {-4, -4}, upper[] = {4, 4}, start[] = {-1.3, 2.1};
  const double steps[] = {b->h, b->h};
  const cq_problem problem = {.n = 2,
                              .lower = lower,
                              .upper = upper,
                              .start = start,
                              .noise = noise,
                              .eval = eval,
                              .gradient = cq_grade_of_differences(b->h),
                              .difference = steps,
                              .data = b};
  cq_optimizer_def def = cq_optimizer_default();
  cq_ctx *ctx = cq_ctx_create(1, b->seed);
  cq_result result;
  double x[2];
  def.name = name;
  def.verify = verify;
  def.max_evaluations = 100;
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
  *off = fmax(fabs(x[0] - 1), fabs(x[1] + 0.5));
  const bool verified = result.status == CQ_OK;
  CHECK_MSG(!verified || strstr(result.reason, "by differences") != NULL, "%s", result.reason);
  cq_ctx_destroy(ctx);
  return verified;
}

enum { SEEDS = 12 };

/* Of runs by two methods and SEEDS seeds. A residual of 1e-3 that may be doubted by a factor of two
 * is 2e-2 in the flatter direction. */
static int count_verified(bowl b, double noise, cq_verify verify) {
  static const char *const names[] = {"LD_SLSQP", "LD_LBFGS"};
  int count = 0;
  for (int i = 0; i < 2 * SEEDS; i++) {
    double off = NAN;
    b.seed = (uint64_t)(i / 2 + 1);
    if (verifies(&b, noise, verify, names[i % 2], &off)) {
      count++;
      CHECK_MSG(off <= 2e-2, "noise %g, constant %g, step %g, %s: verified at %g", b.noise,
                b.constant, b.h, names[i % 2], off);
    }
  }
  return count;
}

static void test_smooth(void) {
  CHECK(count_verified((bowl){.h = 1e-5}, 0, CQ_VERIFY_PROBE) == 2 * SEEDS);
  CHECK(count_verified((bowl){.h = 1e-3}, 0, CQ_VERIFY_RESIDUAL) == 2 * SEEDS);
}

/* Noise that nobody has said of: values nearby refute what it makes of a slope. */
static void test_noise(void) {
  const double noises[] = {1e-12, 1e-10, 1e-8, 1e-6, 1e-4}, steps[] = {1e-7, 1e-5, 1e-3};
  for (int i = 0; i < 15; i++) {
    const int n =
        count_verified((bowl){.noise = noises[i / 3], .h = steps[i % 3]}, 0, CQ_VERIFY_PROBE);
    printf("  noise %g, step %g: %d of %d verified\n", noises[i / 3], steps[i % 3], n, 2 * SEEDS);
  }
}

/* Where the constant leaves nothing of f but rounding, differences are zero and prove nothing. */
static void test_rounding(void) {
  CHECK(count_verified((bowl){.constant = 1e12, .h = 1e-7}, 0, CQ_VERIFY_RESIDUAL) == 0);
  CHECK(count_verified((bowl){.constant = 1e12, .h = 1e-7}, 0, CQ_VERIFY_PROBE) == 0);
  CHECK(count_verified((bowl){.constant = 1e9, .h = 1e-9}, 0, CQ_VERIFY_RESIDUAL) == 0);
  CHECK(count_verified((bowl){.constant = 1, .h = 1e-5}, 0, CQ_VERIFY_RESIDUAL) == 2 * SEEDS);
  /* and noise that the problem tells of counts as rounding */
  CHECK(count_verified((bowl){.constant = 1, .noise = 1e-6, .h = 1e-5}, 1e-6, CQ_VERIFY_RESIDUAL) ==
        0);
}

static void test_wide_steps(void) {
  CHECK(cq_grade_of_differences(1e-3) == CQ_GRADIENT_DIFFERENCE);
  CHECK(cq_grade_of_differences(1.001e-3) == CQ_GRADIENT_HEURISTIC);
  CHECK(cq_grade_tolerance(CQ_GRADIENT_DIFFERENCE, 1e-4) == 1e-3);
  CHECK(cq_grade_tolerance(CQ_GRADIENT_DIFFERENCE, 1e-2) == 1e-2);
  CHECK(cq_grade_tolerance(CQ_GRADIENT_EXACT_TANGENT, 1e-4) == 1e-4);
}

int main(void) {
  RUN(test_smooth);
  RUN(test_noise);
  RUN(test_rounding);
  RUN(test_wide_steps);
  return TEST_RESULT();
}
