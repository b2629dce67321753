/* Gradient descent does exactly the published arithmetic, bit for bit, and ends by its own rules.
 */
#include "test.h"

#include "cqopt/optimizer.h"

enum { N = 3, STEPS = 40 };

/* f = sum a_i (x_i - b_i)^2 / 2 */
static const double A[N] = {1, 4, 0.5}, B[N] = {3, -2, 10};

typedef struct path {
  int n;
  double x[STEPS + 2][N];
} path;

static cq_status eval_quadratic(void *data, const double *x, double *f, double *c, double *grad,
                                double *jac) {
  (void)data, (void)c, (void)jac;
  *f = 0;
  for (int i = 0; i < N; i++) {
    *f += 0.5 * A[i] * (x[i] - B[i]) * (x[i] - B[i]);
    if (grad != NULL) {
      grad[i] = A[i] * (x[i] - B[i]);
    }
  }
  return CQ_OK;
}

static cq_status keep(void *user, const cq_evaluation *e) {
  path *p = user;
  CHECK(e->has_gradient);
  if (p->n < STEPS + 2) {
    memcpy(p->x[p->n++], e->x, sizeof p->x[0]);
  }
  return CQ_OK;
}

static const double lower[N] = {-5, -1, -5}, upper[N] = {5, 5, 5}, start[N] = {0, 0, 0};

static cq_result descend(cq_optimizer_def def, const double *scale, path *p, double *x) {
  const cq_problem problem = {.n = N,
                              .lower = lower,
                              .upper = upper,
                              .start = start,
                              .scale = scale,
                              .eval = eval_quadratic};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_result result;
  p->n = 0;
  cq_optimize(ctx, &problem, &def, keep, p, x, NULL, &result);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

static cq_optimizer_def gd(double rate, double momentum, double clip) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = "gradient_descent";
  def.learning_rate = rate;
  def.momentum = momentum;
  def.clip = clip;
  def.max_evaluations = STEPS;
  return def;
}

static void check_arithmetic(double rate, double momentum, double clip, const double *scale) {
  double x[N] = {0}, v[N] = {0}, end[N];
  path p;
  const cq_result result = descend(gd(rate, momentum, clip), scale, &p, end);
  CHECK(result.evaluations == STEPS && p.n == STEPS);
  for (int k = 0; k < p.n; k++) {
    for (int i = 0; i < N; i++) {
      CHECK_MSG(p.x[k][i] == x[i], "step %d, variable %d: %.17g, not %.17g", k, i, p.x[k][i], x[i]);
      double g = A[i] * (x[i] - B[i]);
      if (clip > 0 && fabs(g) > clip) {
        g = g > 0 ? clip : -clip;
      }
      v[i] = momentum * v[i] + g;
      x[i] = x[i] - rate * v[i];
      x[i] = x[i] < lower[i] ? lower[i] : x[i] > upper[i] ? upper[i] : x[i];
    }
  }
}

static void test_arithmetic(void) {
  const double scale[N] = {10, 0.1, 3};
  check_arithmetic(0.1, 0, 0, NULL);
  check_arithmetic(0.1, 0.9, 0, NULL);
  check_arithmetic(0.05, 0.5, 1, NULL);
  /* a published learning rate is in user units, whatever the scale */
  check_arithmetic(0.05, 0.5, 1, scale);
}

static void test_ends(void) {
  double x[N];
  path p;
  cq_optimizer_def def = gd(0.2, 0, 0);
  def.max_evaluations = 2000;
  cq_result result = descend(def, NULL, &p, x);
  CHECK(result.status == CQ_OK && result.evaluations < 200);
  CHECK_NEAR(x[0], 3, 1e-5);
  CHECK(x[1] == -1 && x[2] == 5); /* held by their bounds */
  CHECK(result.kkt_residual <= 1e-6);
  /* the defaults: no end by a small change of f or x */
  def.learning_rate = 1e-9;
  result = descend(def, NULL, &p, x);
  CHECK(result.status == CQ_BUDGET && result.evaluations == 2000);
  /* asked for, they end the run, and it is no success */
  def.ftol_rel = 1e-6;
  result = descend(def, NULL, &p, x);
  CHECK_MSG(result.status == CQ_NOT_STATIONARY && result.evaluations == 2, "%s", result.reason);
  def.ftol_rel = 0;
  def.xtol_rel = 1e-3;
  def.learning_rate = 0.01;
  result = descend(def, NULL, &p, x);
  CHECK_MSG(result.status == CQ_NOT_STATIONARY && result.evaluations > 10, "%s", result.reason);
}

/* a rate that diverges: an honest end, and no x outside the bounds or not finite */
static void test_divergence(void) {
  const double infinite[2][N] = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  const cq_problem problem = {
      .n = N, .lower = infinite[0], .upper = infinite[1], .start = start, .eval = eval_quadratic};
  cq_optimizer_def def = gd(1e200, 0, 0);
  double x[N];
  cq_result result;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  CHECK(cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result) != CQ_OK);
  CHECK(result.has_point && isfinite(result.f) && isfinite(x[0]));
  cq_ctx_destroy(ctx);
}

/* Before anything is simulated, with the name of the key. */
static void check_refused(double rate, double momentum, double clip, const char *key) {
  double x[N];
  path p;
  const cq_result result = descend(gd(rate, momentum, clip), NULL, &p, x);
  CHECK_MSG(result.status == CQ_CONFIG && strstr(result.reason, key) != NULL, "%s", result.reason);
  CHECK(p.n == 0 && !result.has_point);
}

static void test_refusals(void) {
  check_refused(0, 0, 0, "learning_rate");
  check_refused(-1, 0, 0, "learning_rate");
  check_refused(NAN, 0, 0, "learning_rate");
  check_refused(INFINITY, 0, 0, "learning_rate");
  check_refused(1, 1, 0, "momentum");
  check_refused(1, -0.5, 0, "momentum");
  check_refused(1, 0, -1, "clip");
}

int main(void) {
  RUN(test_arithmetic);
  RUN(test_ends);
  RUN(test_divergence);
  RUN(test_refusals);
  return TEST_RESULT();
}
