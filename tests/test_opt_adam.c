/* Adam does the arithmetic of Kingma and Ba (2015), algorithm 1, with bounds by projection. */
#include "test.h"

#include "cqopt/optimizer.h"

enum { N = 3, STEPS = 8 };

/* f = factor sum a_i (x_i - b_i)^2 / 2, b_0 further up by shift */
static const double A[N] = {1, 4, 0.5}, B[N] = {3, -2, 10};
static const double lower[N] = {-5, -1, -5}, upper[N] = {5, 5, 5}, start[N] = {0, 0, 0};

typedef struct run {
  double factor, shift;
  int n;
  double x[STEPS][N];
} run;

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  (void)c, (void)jac;
  const run *r = data;
  *f = 0;
  for (int i = 0; i < N; i++) {
    const double e = x[i] - B[i] - (i == 0 ? r->shift : 0);
    *f += r->factor * 0.5 * A[i] * e * e;
    if (grad != NULL) {
      grad[i] = r->factor * A[i] * e;
    }
  }
  return CQ_OK;
}

static cq_status keep(void *user, const cq_evaluation *e) {
  run *r = user;
  if (r->n < STEPS) {
    memcpy(r->x[r->n++], e->x, sizeof r->x[0]);
  }
  return CQ_OK;
}

static cq_optimizer_def adam(double rate) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = "adam";
  def.learning_rate = rate;
  return def;
}

static cq_result solve(run *r, const cq_optimizer_def *def, const double *scale, double *x) {
  const cq_problem problem = {.n = N,
                              .lower = lower,
                              .upper = upper,
                              .start = start,
                              .scale = scale,
                              .eval = eval,
                              .data = r};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_result result;
  r->n = 0;
  cq_optimize(ctx, &problem, def, keep, r, x, NULL, &result);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

/* expected: computed in another language from the formulas of the paper */
static void check_path(const cq_optimizer_def *def, const double *scale, int steps,
                       const double (*expected)[N]) {
  run r = {.factor = 1};
  double x[N];
  solve(&r, def, scale, x);
  CHECK(r.n == STEPS);
  for (int k = 0; k < steps; k++) {
    for (int i = 0; i < N; i++) {
      CHECK_NEAR(r.x[k + 1][i], expected[k][i], 1e-15 * fabs(expected[k][i]));
    }
  }
}

static void test_arithmetic(void) {
  static const double published[3][N] = {
      {0.29999999899999996, -0.29999999962499996, 0.29999999939999999},
      {0.59876331494516666, -0.59775467216675005, 0.59972708094043337},
      {0.89524118272029385, -0.89108852135347205, 0.89898773088564066}};
  static const double others[4][N] = {
      {0.28717948717948721, -0.28717948717948721, 0.28717948717948721},
      {0.57323684963944377, -0.57435897435897432, 0.57435897435897432},
      {0.85368225862270397, -0.86153846153846159, 0.86153846153846159},
      {1.1258744157390792, -1, 1.1487179487179489}};
  const double scale[N] = {10, 0.1, 3};
  cq_optimizer_def def = adam(0.3);
  def.max_evaluations = STEPS;
  check_path(&def, NULL, 3, published);
  check_path(&def, scale, 3, published); /* in user units whatever the scale */
  def.beta_1 = 0.5;
  def.beta_2 = 0.75;
  def.epsilon = 0.125;
  def.clip = 2.8;
  check_path(&def, NULL, 4, others);
}

/* The first step is the rate in every variable, however large the gradient: that is what the
 * correction of the bias is for. */
static void test_first_step(void) {
  for (int k = 0; k < 3; k++) {
    run r = {.factor = (const double[]){1e-3, 1, 1e6}[k]};
    cq_optimizer_def def = adam(0.25);
    def.max_evaluations = STEPS;
    double x[N];
    solve(&r, &def, NULL, x);
    CHECK_NEAR(r.x[1][0], 0.25, 1e-5);
    CHECK_NEAR(r.x[1][1], -0.25, 1e-5);
    CHECK_NEAR(r.x[1][2], 0.25, 1e-5);
  }
}

/* Without memory a step is the rate and the sign of the gradient: 3.5, then 7 but for the bound at
 * 5, which is beyond the minimum at 4.9, and back from the bound. */
static void test_bounds(void) {
  run r = {.factor = 1, .shift = 1.9};
  cq_optimizer_def def = adam(3.5);
  def.beta_1 = def.beta_2 = 0;
  def.epsilon = 1e-12;
  def.max_evaluations = STEPS;
  double x[N];
  solve(&r, &def, NULL, x);
  CHECK_NEAR(r.x[1][0], 3.5, 1e-9);
  CHECK(r.x[2][0] == 5);
  CHECK_NEAR(r.x[3][0], 1.5, 1e-9);
}

static void test_optimum(void) {
  run r = {.factor = 1};
  cq_optimizer_def def = adam(0.1);
  def.max_evaluations = 400;
  double x[N];
  cq_result result = solve(&r, &def, NULL, x);
  CHECK_MSG(result.status == CQ_OK, "%s", result.reason);
  CHECK_NEAR(x[0], 3, 2e-3);
  CHECK(x[1] == -1 && x[2] == 5); /* held by their bounds */
  def.schedule = CQ_SCHEDULE_COSINE;
  def.schedule_period = 200;
  def.optimality_tolerance = 1e-3;
  result = solve(&r, &def, NULL, x);
  CHECK_MSG(result.status == CQ_OK && result.evaluations <= 201, "%s", result.reason);
  /* a rate as large as the box: honest, and never outside */
  def = adam(100);
  def.max_evaluations = 50;
  result = solve(&r, &def, NULL, x);
  CHECK_MSG(result.status == CQ_BUDGET || result.status == CQ_OPTIMIZER, "%s", result.reason);
  CHECK(result.has_point && x[0] >= -5 && x[0] <= 5);
}

static void check_refused(const cq_optimizer_def *def, const char *key) {
  run r = {.factor = 1};
  double x[N];
  const cq_result result = solve(&r, def, NULL, x);
  CHECK_MSG(result.status == CQ_CONFIG && strstr(result.reason, key) != NULL && r.n == 0, "%s",
            result.reason);
}

static void test_refusals(void) {
  cq_optimizer_def def = adam(0);
  check_refused(&def, "learning_rate");
  def = adam(0.1);
  def.beta_1 = 1;
  check_refused(&def, "beta_1");
  def = adam(0.1);
  def.beta_2 = -0.1;
  check_refused(&def, "beta_2");
  def = adam(0.1);
  def.epsilon = 0;
  check_refused(&def, "epsilon");
  def = adam(0.1);
  def.clip = -1;
  check_refused(&def, "clip");
}

int main(void) {
  RUN(test_arithmetic);
  RUN(test_first_step);
  RUN(test_bounds);
  RUN(test_optimum);
  RUN(test_refusals);
  return TEST_RESULT();
}
