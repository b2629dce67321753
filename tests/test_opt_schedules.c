/* The learning rate over a run, seen in the steps of f = curvature (x - 1)^2 / 2 + slope x. */
#include "test.h"

#include "cqopt/optimizer.h"

enum { MOST = 64 };

typedef struct line {
  double curvature, slope;
  int n;
  double x[MOST];
} line;

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  (void)c, (void)jac;
  const line *l = data;
  *f = 0.5 * l->curvature * (x[0] - 1) * (x[0] - 1) + l->slope * x[0];
  if (grad != NULL) {
    grad[0] = l->curvature * (x[0] - 1) + l->slope;
  }
  return CQ_OK;
}

static cq_status keep(void *user, const cq_evaluation *e) {
  line *l = user;
  if (l->n < MOST) {
    l->x[l->n++] = e->x[0];
  }
  return CQ_OK;
}

static cq_optimizer_def def_of(const char *name, double rate, cq_schedule schedule, int period) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = name;
  def.learning_rate = rate;
  def.schedule = schedule;
  def.schedule_period = period;
  return def;
}

static cq_result solve(line *l, const cq_optimizer_def *def) {
  const double lower[1] = {-INFINITY}, upper[1] = {INFINITY}, start[1] = {0};
  const cq_problem problem = {
      .n = 1, .lower = lower, .upper = upper, .start = start, .eval = eval, .data = l};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  double x[1];
  cq_result result;
  l->n = 0;
  cq_optimize(ctx, &problem, def, keep, l, x, NULL, &result);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

/* A rate of 4 / curvature makes -3 times x - 1 of it, 2 / curvature mirrors it, 1 / curvature hits.
 * The count begins anew after a halving. */
static void test_plateau(void) {
  const double expected[3][8] = {
      {0, 4, -2, 1}, {0, 4, -8, 10, -8, 1}, {0, 4, -8, 28, -26, 28, -26, 1}};
  for (int period = 1; period <= 3; period++) {
    line l = {.curvature = 1};
    const cq_optimizer_def def = def_of("gradient_descent", 4, CQ_SCHEDULE_PLATEAU, period);
    const cq_result result = solve(&l, &def);
    CHECK_MSG(result.status == CQ_OK && l.n == 2 + 2 * period, "period %d: %d evaluations, %s",
              period, l.n, result.reason);
    for (int k = 0; k < 2 + 2 * period; k++) {
      CHECK_NEAR(l.x[k], expected[period - 1][k], 0);
    }
  }
  /* back at the least f is no improvement */
  line mirror = {.curvature = 1};
  const cq_optimizer_def even = def_of("gradient_descent", 2, CQ_SCHEDULE_PLATEAU, 1);
  solve(&mirror, &even);
  CHECK(mirror.n == 3 && mirror.x[1] == 2 && mirror.x[2] == 1);
  /* f falls all the time: the rate stays */
  line l = {.slope = -1};
  cq_optimizer_def def = def_of("gradient_descent", 0.5, CQ_SCHEDULE_PLATEAU, 1);
  def.max_evaluations = 20;
  solve(&l, &def);
  CHECK(l.n == 20);
  CHECK_NEAR(l.x[19], 9.5, 0);
}

static void check_cosine(const cq_optimizer_def *def, double tolerance) {
  /* 1, then (1 + sqrt(1/2))/2, 1/2, (1 - sqrt(1/2))/2 */
  const double expected[5] = {0, 1, 1.85355339059327376, 2.35355339059327376, 2.5};
  line l = {.slope = -1};
  const cq_result result = solve(&l, def);
  CHECK_MSG(l.n == 5, "%d evaluations, %s", l.n, result.reason);
  for (int k = 0; k < 5; k++) {
    CHECK_NEAR(l.x[k], expected[k], tolerance);
  }
}

static void test_cosine(void) {
  cq_optimizer_def def = def_of("gradient_descent", 1, CQ_SCHEDULE_COSINE, 4);
  check_cosine(&def, 1e-15);
  line l = {.slope = -1};
  cq_result result = solve(&l, &def);
  CHECK_MSG(result.status == CQ_OPTIMIZER && strstr(result.reason, "schedule") != NULL, "%s",
            result.reason);
  /* a gradient of -1 makes every step of adam the rate, but for epsilon */
  def = def_of("adam", 1, CQ_SCHEDULE_COSINE, 4);
  check_cosine(&def, 1e-7);
  /* period 0: the run is max_evaluations long, its last step is short */
  def = def_of("gradient_descent", 1, CQ_SCHEDULE_COSINE, 0);
  def.max_evaluations = 40;
  result = solve(&l, &def);
  CHECK_MSG(result.status == CQ_BUDGET && l.n == 40, "%s", result.reason);
  CHECK(l.x[1] == 1 && l.x[39] - l.x[38] > 0 && l.x[39] - l.x[38] < 0.01);
}

static void test_constant(void) {
  line l = {.slope = -1};
  cq_optimizer_def def = def_of("gradient_descent", 0.25, CQ_SCHEDULE_CONSTANT, 1);
  def.max_evaluations = 30;
  solve(&l, &def);
  CHECK(l.n == 30 && l.x[29] == 7.25);
}

static void check_refused(cq_optimizer_def def, const char *key) {
  line l = {.curvature = 1};
  const cq_result result = solve(&l, &def);
  CHECK_MSG(result.status == CQ_CONFIG && strstr(result.reason, key) != NULL && l.n == 0, "%s",
            result.reason);
}

static void test_refusals(void) {
  const char *const names[] = {"gradient_descent", "adam"};
  for (int i = 0; i < 2; i++) {
    check_refused(def_of(names[i], 1, CQ_SCHEDULE_CONSTANT, -1), "schedule_period");
    check_refused(def_of(names[i], NAN, CQ_SCHEDULE_CONSTANT, 1), "learning_rate");
    cq_optimizer_def def = def_of(names[i], 1, CQ_SCHEDULE_COSINE, 0);
    def.max_evaluations = 0;
    check_refused(def, "max_evaluations");
  }
}

int main(void) {
  RUN(test_plateau);
  RUN(test_cosine);
  RUN(test_constant);
  RUN(test_refusals);
  return TEST_RESULT();
}
