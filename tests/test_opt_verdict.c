/* Verdicts that must not be fooled: a large constant in f, a start far away, a run cut short, f in
 * units that nothing is scaled to. */
#include "test.h"
#include "test_opt_class.h"
#include "test_opt_problems.h"

static const char *const methods[] = {"LD_SLSQP", "LD_MMA", "LD_CCSAQ", "AUGLAG_LBFGS",
                                      "AUGLAG_CCSAQ"};

enum { N_METHODS = 5 };

static cq_result solve(const cq_problem *problem, const cq_optimizer_def *def, double *x) {
  cq_result result;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimize(ctx, problem, def, NULL, NULL, x, NULL, &result);
  cq_ctx_destroy(ctx);
  return result;
}

/* A constant in f must not make a point look stationary, nor keep a method from the optimum. */
static double constant;

static double eval_shifted(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  return constant + tp_find("hs43")->eval(x, g, c, j);
}

static void test_constant_in_f(void) {
  const double constants[] = {0, 1e3, 1e6, -1e9};
  tp_case test = *tp_find("hs43");
  test.eval = eval_shifted;
  for (int i = 0; i < 4 * N_METHODS; i++) {
    constant = constants[i % 4];
    tp t = tp_make(&test);
    const cq_problem problem = tp_problem(&t);
    cq_optimizer_def def = cq_optimizer_default();
    double x[4];
    def.name = methods[i / 4];
    const cq_result result = solve(&problem, &def, x);
    CHECK_MSG(result.status != CQ_OK || fabs(result.f - constant + 44) < 44e-3,
              "%s with f + %g: a false success, f = %.12g: %s", def.name, constant, result.f,
              result.reason);
    CHECK_MSG(result.status == CQ_OK || fabs(constant) > 1e6, "%s with f + %g: %s", def.name,
              constant, result.reason);
    def.max_evaluations = 2;
    CHECK(solve(&problem, &def, x).status != CQ_OK);
  }
}

/* sum_i (x_i - 0.3 i)^4 / 4 + (x_i - 1 - i)^2 / 2: gradients of 1e9 at a distance of 1,000, of 1
 * where it matters */
static cq_status eval_quartic(void *data, const double *x, double *f, double *c, double *grad,
                              double *jac) {
  (void)data, (void)c, (void)jac;
  *f = 1;
  for (int i = 0; i < 4; i++) {
    const double a = x[i] - 0.3 * i, b = x[i] - 1 - i;
    *f += a * a * a * a / 4 + b * b / 2;
    if (grad != NULL) {
      grad[i] = a * a * a + b;
    }
  }
  return CQ_OK;
}

/* At every budget: a success is one. */
static void test_far_start(void) {
  const double lower[4] = {-1e4, -1e4, -1e4, -1e4}, upper[4] = {1e4, 1e4, 1e4, 1e4};
  const double distances[] = {10, 100, 1000}, optimum = 5.1195249;
  const char *const names[] = {"LD_SLSQP", "LD_MMA", "LD_CCSAQ", "LD_LBFGS", "AUGLAG_CCSAQ"};
  for (int i = 0; i < 3 * 5; i++) {
    const double far = distances[i % 3], start[4] = {far, -far, far / 2, far};
    const cq_problem problem = {
        .n = 4, .lower = lower, .upper = upper, .start = start, .eval = eval_quartic};
    cq_optimizer_def def = cq_optimizer_default();
    double x[4];
    def.name = names[i / 3];
    CHECK_NEAR(solve(&problem, &def, x).f, optimum, 1e-4 * optimum);
    for (int budget = 1; budget < 110; budget++) {
      def.max_evaluations = budget;
      const cq_result result = solve(&problem, &def, x);
      CHECK_MSG(result.status != CQ_OK || result.f < (1 + 1e-3) * optimum,
                "%s from %g away, %d evaluations: a false success, f = %g: %s", def.name, far,
                budget, result.f, result.reason);
    }
  }
}

/* Without scaling methods stop anywhere when f is small or large; the verdict does not follow. */
static void test_without_scaling(void) {
  const double factors[] = {1e-8, 1e6};
  int failed = 0;
  for (int i = 0; i < 2 * 2 * N_METHODS; i++) {
    const double factor = factors[i % 2];
    chain p = chain_make(100, i % 4, false, factor);
    const cq_problem problem = chain_problem(&p);
    cq_optimizer_def def = cq_optimizer_default();
    double x[100];
    def.name = methods[i / 4];
    def.max_evaluations = 2000;
    const cq_result scaled = solve(&problem, &def, x);
    def.scaling = CQ_SCALING_NONE;
    const cq_result plain = solve(&problem, &def, x);
    CHECK_MSG(scaled.status == CQ_OK, "%s: %s", def.name, scaled.reason);
    CHECK_MSG(plain.status != CQ_OK || plain.f < (1 + 1e-3) * scaled.f,
              "%s, f times %g: a false success, %g above the best: %s", def.name, factor,
              plain.f / scaled.f - 1, plain.reason);
    failed += plain.status != CQ_OK;
    printf("  %-13s f times %-6g %s\n", def.name, factor, plain.reason);
    chain_free(&p);
  }
  CHECK_MSG(failed >= 5, "only %d runs fail without scaling", failed);
}

/* Evaluations that fail while a feasible point is sought, and after. */
static void test_failures_on_the_way(void) {
  const cq_failure_policy policies[] = {CQ_FAILURE_PENALTY, CQ_FAILURE_INFEASIBLE};
  tp_case test = *tp_find("hs43");
  for (int j = 0; j < 4; j++) {
    test.start[j] = 3;
    test.lower[j] = -20;
    test.upper[j] = 20;
  }
  for (int i = 0; i < 2 * 2 * 6; i++) {
    tp t = tp_make(&test);
    t.fault = TP_STATUS;
    t.fault_from = 2 + i / 4;
    t.fault_to = t.fault_from + 1;
    const cq_problem problem = tp_problem(&t);
    cq_optimizer_def def = cq_optimizer_default();
    double x[4];
    def.name = i % 2 == 0 ? "LD_MMA" : "LD_CCSAQ";
    def.on_failure = policies[i / 2 % 2];
    const cq_result result = solve(&problem, &def, x);
    CHECK(result.failures == 2);
    CHECK_MSG(result.status == CQ_OK && fabs(result.f + 44) < 44e-3,
              "%s, policy %d, failures from %d on: f = %g: %s", def.name, (int)def.on_failure,
              t.fault_from, result.f, result.reason);
  }
}

/* Two of three designs are lucky: their f is less than they are worth, |x|. */
static cq_status eval_lucky(void *data, const double *x, double *f, double *c, double *grad,
                            double *jac) {
  (void)data, (void)c, (void)grad, (void)jac;
  *f = fabs(x[0]) - ((long)(fabs(x[0]) * 1e6) % 3 != 0 ? 0.3 : 0);
  return CQ_OK;
}

/* The mean is |x|, the deviation 0.02; one of them fails, or what is no failure of a run happens.
 */
static cq_status repeat_lucky(void *data, int level, const double *x, int count, double jitter,
                              double *f, double *c) {
  const int *wrong = data;
  (void)level, (void)c;
  CHECK(count == 3 && jitter == 0.25);
  for (int k = 0; k < count; k++) {
    f[k] = fabs(x[0]) + 0.02 * (k - 1);
  }
  f[1] = *wrong == 1 ? NAN : f[1];
  return *wrong == 2 ? CQ_MEMORY : CQ_OK;
}

/* A target is reached by the mean of the re-runs, not by the luckiest run. */
static void test_repeats(void) {
  const double lower = -1, upper = 1, start = 0.9;
  int wrong = 0;
  cq_problem problem = {.n = 1,
                        .lower = &lower,
                        .upper = &upper,
                        .start = &start,
                        .eval = eval_lucky,
                        .repeat_data = &wrong};
  cq_optimizer_def def = cq_optimizer_default();
  double x;
  def.name = "random_search";
  def.max_evaluations = 400;
  def.target = 0.02;
  def.repeats = 3;
  def.repeat_jitter = 0.25;
  const cq_result once = solve(&problem, &def, &x);
  CHECK_MSG(once.status == CQ_OK && fabs(x) > 0.02 && once.repeats == 0, "%s", once.reason);
  problem.repeat = repeat_lucky;
  const cq_result result = solve(&problem, &def, &x);
  CHECK_MSG(result.status == CQ_OK && result.reached_target && fabs(x) <= 0.02 &&
                result.evaluations > once.evaluations,
            "x = %g: %s", x, result.reason);
  CHECK(result.repeats == 3 && result.repeats_failed == 0);
  CHECK_NEAR(result.f_mean, fabs(x), 1e-15);
  CHECK_NEAR(result.f_deviation, 0.02, 1e-12);
  CHECK_NEAR(result.f_worst, fabs(x) + 0.02, 1e-15);
  CHECK(strstr(result.reason, "mean of 3 re-runs") != NULL);
  def.max_evaluations = once.evaluations;
  const cq_result luck = solve(&problem, &def, &x);
  CHECK_MSG(luck.status == CQ_BUDGET && !luck.reached_target && luck.f <= 0.02 &&
                strstr(luck.reason, "by luck") != NULL,
            "%s", luck.reason);
  wrong = 1;
  const cq_result failed = solve(&problem, &def, &x);
  CHECK_MSG(failed.status == CQ_BUDGET && failed.repeats_failed == 1 && failed.f_mean == fabs(x) &&
                strstr(failed.reason, "1 of 3 re-runs from other starts failed") != NULL,
            "%s", failed.reason);
  wrong = 2;
  CHECK(solve(&problem, &def, &x).status == CQ_MEMORY);
}

int main(void) {
  RUN(test_repeats);
  RUN(test_constant_in_f);
  RUN(test_far_start);
  RUN(test_without_scaling);
  RUN(test_failures_on_the_way);
  return TEST_RESULT();
}
