/* The gradient check passes a right gradient, catches a wrong one, and says what it met. */
#include "test.h"

#include "cqopt/optimizer.h"

enum { N = 6 };

typedef struct model {
  double wrong;   /* factor on df/dx_2; 1: right */
  double wrong_c; /* the same on dc_1/dx_0 */
  double kink;    /* f gets kink_size |x_0 - kink| */
  double kink_size;
  double fail_above; /* numeric failure where x_0 is above */
  bool left_bounds;
} model;

static const double lower[N] = {-2, -2, -2, -2, 0.5, 1}, upper[N] = {2, 2, 2, 2, 0.5, 1.001};
static const double scale[N] = {1, 10, 0.1, 1, 1, 1};

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  model *t = data;
  for (int i = 0; i < N; i++) {
    t->left_bounds = t->left_bounds || x[i] < lower[i] || x[i] > upper[i];
  }
  if (x[0] > t->fail_above) {
    return CQ_OUT_OF_ROOM;
  }
  *f = sin(x[0]) * exp(x[1]) + x[2] * x[2] * x[2] + x[4] * x[5] * x[5] +
       t->kink_size * fabs(x[0] - t->kink);
  c[0] = 3 - x[1] * x[1];
  c[1] = cos(x[0] * x[1]) - 1;
  if (grad != NULL) {
    const double g[N] = {cos(x[0]) * exp(x[1]) + (x[0] >= t->kink ? 1 : -1) * t->kink_size,
                         sin(x[0]) * exp(x[1]),
                         3 * x[2] * x[2] * t->wrong,
                         0,
                         x[5] * x[5],
                         2 * x[4] * x[5]};
    memcpy(grad, g, sizeof g);
    memset(jac, 0, 2 * N * sizeof *jac);
    jac[1] = -2 * x[1];
    jac[N] = -sin(x[0] * x[1]) * x[1] * t->wrong_c;
    jac[N + 1] = -sin(x[0] * x[1]) * x[0];
  }
  return CQ_OK;
}

static const double here[N] = {0.3, 0.7, 0.9, 0, 0.5, 1};

static model good(void) {
  return (model){.wrong = 1, .wrong_c = 1, .fail_above = INFINITY};
}

static cq_gradcheck check(model *t, const double *x, int which, int first, int count) {
  const cq_problem problem = {.n = N,
                              .n_inequality = 2,
                              .lower = lower,
                              .upper = upper,
                              .start = here,
                              .scale = scale,
                              .eval = eval,
                              .data = t};
  cq_ctx *ctx = cq_ctx_create(1, 11);
  cq_gradcheck out;
  CHECK(cq_gradcheck_block(ctx, &problem, x, which, first, count, 1e-6, &out) == CQ_OK);
  CHECK(cq_ctx_bytes(ctx) == 0 && cq_ctx_status(ctx) == CQ_OK);
  CHECK(!t->left_bounds);
  cq_ctx_destroy(ctx);
  return out;
}

static void test_right_gradient(void) {
  model t = good();
  const int blocks[][2] = {{0, 6}, {0, 1}, {1, 1}, {2, 1}, {0, 3}, {5, 1}};
  for (int i = 0; i < 6; i++) {
    const cq_gradcheck k = check(&t, here, -1, blocks[i][0], blocks[i][1]);
    CHECK_MSG(k.passed && k.best < 1e-7, "block %d: %g", i, k.best);
    CHECK(k.rows[0].eps == 1e-2 && k.rows[6].eps == 1e-8);
    CHECK(k.gradient_norm > 0);
  }
  CHECK(check(&t, here, 0, 0, 3).passed);
  CHECK(check(&t, here, 1, 0, 3).passed);
  /* central differences: the error falls with eps^2 while rounding is far */
  const cq_gradcheck k = check(&t, here, -1, 0, 1);
  CHECK(k.rows[1].agreement < 2e-2 * k.rows[0].agreement);
  CHECK_NEAR(k.gradient_norm, cos(0.3) * exp(0.7), 1e-14);
  CHECK_NEAR(fabs(k.analytic), k.gradient_norm, 1e-14);
}

static void test_wrong_gradient(void) {
  model t = good();
  t.wrong = 1.001;
  CHECK(!check(&t, here, -1, 2, 1).passed);
  CHECK(!check(&t, here, -1, 0, 6).passed);
  CHECK(check(&t, here, -1, 0, 2).passed);
  CHECK(check(&t, here, 1, 0, 3).passed);
  t.wrong = 0;
  CHECK(!check(&t, here, -1, 2, 1).passed);
  t.wrong = -1;
  CHECK(!check(&t, here, -1, 2, 1).passed);
  t = good();
  t.wrong_c = 0.99;
  CHECK(!check(&t, here, 1, 0, 1).passed);
  CHECK(check(&t, here, -1, 0, 1).passed);
}

static void test_zero_gradient(void) {
  model t = good();
  const cq_gradcheck k = check(&t, here, -1, 3, 1);
  CHECK(k.passed && k.best == 0 && k.analytic == 0 && k.gradient_norm == 0);
  CHECK(check(&t, here, -1, 4, 1).passed); /* fixed by its bounds */
}

static void test_bounds(void) {
  model t = good();
  const double corner[N] = {2, -2, 2, -2, 0.5, 1.001};
  CHECK(check(&t, corner, -1, 0, 6).passed);
  CHECK(check(&t, corner, 0, 0, 6).passed);
  CHECK(check(&t, corner, -1, 5, 1).passed);
}

/* A kink at the checked point: the slopes on both sides tell; one away from it is passed over by
 * the small steps. */
static void test_kink(void) {
  model t = good();
  t.kink = 0.3;
  t.kink_size = 5;
  const cq_gradcheck k = check(&t, here, -1, 0, 1);
  CHECK(!k.passed);
  CHECK_NEAR(fabs(k.rows[4].slope_plus - k.rows[4].slope_minus), 10, 1e-4);
  t.kink = 0.3005;
  const cq_gradcheck near = check(&t, here, -1, 0, 1);
  CHECK(near.passed && near.rows[0].agreement > 1e-2);
}

static void test_failed_evaluations(void) {
  model t = good();
  t.fail_above = 0.3005;
  const cq_gradcheck k = check(&t, here, -1, 0, 1);
  CHECK(isnan(k.rows[0].agreement) && isnan(k.rows[1].agreement));
  CHECK(isnan(k.rows[0].slope_plus) != isnan(k.rows[0].slope_minus));
  CHECK(k.passed && !isnan(k.rows[3].agreement));
  t.fail_above = 0.3;
  const cq_gradcheck all = check(&t, here, -1, 0, 1);
  CHECK(!all.passed && isnan(all.best));
  t.fail_above = 0;
  const cq_problem problem = {.n = N,
                              .n_inequality = 2,
                              .lower = lower,
                              .upper = upper,
                              .start = here,
                              .scale = scale,
                              .eval = eval,
                              .data = &t};
  cq_ctx *ctx = cq_ctx_create(1, 11);
  cq_gradcheck out;
  CHECK(cq_gradcheck_block(ctx, &problem, here, -1, 0, 1, 1e-6, &out) == CQ_OUT_OF_ROOM);
  CHECK(!out.passed);
  CHECK(cq_gradcheck_block(ctx, &problem, here, 2, 0, 1, 1e-6, &out) == CQ_USAGE);
  CHECK(cq_gradcheck_block(ctx, &problem, here, 0, 3, 4, 1e-6, &out) == CQ_USAGE);
  cq_problem without = problem;
  without.gradient = CQ_GRADIENT_NONE;
  CHECK(cq_gradcheck_block(ctx, &without, here, 0, 0, 4, 1e-6, &out) == CQ_CONFIG);
  cq_ctx_destroy(ctx);
}

static void test_seed(void) {
  model t = good();
  const cq_gradcheck a = check(&t, here, -1, 0, 6), b = check(&t, here, -1, 0, 6);
  CHECK(a.analytic == b.analytic && memcmp(a.rows, b.rows, sizeof a.rows) == 0);
}

/* f(x) of one variable and a gradient that may be wrong: factor f'(x) + error. */
typedef struct curve {
  double (*f)(double x), (*slope)(double x);
  double factor, error;
} curve;

static cq_status eval_curve(void *data, const double *x, double *f, double *c, double *grad,
                            double *jac) {
  const curve *k = data;
  (void)c, (void)jac;
  *f = k->f(x[0]);
  if (grad != NULL) {
    grad[0] = k->factor * k->slope(x[0]) + k->error;
  }
  return CQ_OK;
}

static cq_gradcheck check_curve(curve k, double x) {
  static const double low[] = {-4}, high[] = {4};
  const cq_problem problem = {
      .n = 1, .lower = low, .upper = high, .start = &x, .eval = eval_curve, .data = &k};
  cq_ctx *ctx = cq_ctx_create(1, 11);
  cq_gradcheck out;
  CHECK(cq_gradcheck_block(ctx, &problem, &x, -1, 0, 1, 1e-5, &out) == CQ_OK);
  cq_ctx_destroy(ctx);
  return out;
}

/* a minimum at 1, not of a parabola */
static double bowl(double x) {
  return 3 + (x - 1) * (x - 1) + (x - 1) * (x - 1) * (x - 1);
}
static double bowl_slope(double x) {
  return 2 * (x - 1) + 3 * (x - 1) * (x - 1);
}

/* At a minimum and at any distance from it a right gradient passes and a wrong one does not. */
static void test_stationary_point(void) {
  const curve right = {bowl, bowl_slope, 1, 0};
  cq_gradcheck k = check_curve(right, 1);
  CHECK(k.passed && k.stationary && !k.flat);
  curve noisy = right;
  noisy.error = 1e-15; /* what rounding leaves of an adjoint */
  k = check_curve(noisy, 1);
  CHECK(k.passed && k.stationary && !k.flat);
  for (double away = 1e-1; away > 1e-14; away *= 0.3) {
    k = check_curve(right, 1 + away);
    CHECK_MSG(k.passed && !k.flat, "%g from the minimum: %g", away, k.best);
  }
  const double wrong[] = {0.999, 2, 0, -1};
  for (int i = 0; i < 4; i++) {
    const curve bad = {bowl, bowl_slope, wrong[i], 0};
    CHECK_MSG(!check_curve(bad, 1.1).passed, "%g f' passed at 1.1", wrong[i]);
    CHECK_MSG(!check_curve(bad, 1.01).passed, "%g f' passed at 1.01", wrong[i]);
    CHECK(!check_curve(bad, 1.01).stationary);
  }
  curve off = right;
  off.error = 1e-3;
  k = check_curve(off, 1);
  CHECK(!k.passed && !k.stationary && !k.flat);
}

static double constant(double x) {
  (void)x;
  return 0.7;
}
static double nothing(double x) {
  (void)x;
  return 0;
}
static double faint(double x) {
  return 0.7 + 1e-16 * x;
}
static double faint_slope(double x) {
  (void)x;
  return 1e-16;
}
static double line(double x) {
  return 0.7 + 1e-2 * x;
}
static double tip(double x) {
  return fabs(x - 1);
}
static double tip_slope(double x) {
  return x > 1 ? 1 : -1;
}

/* Slopes below the rounding of f are no failure; a gradient where there is none is one, and so is
 * none where there is one, whatever it says of itself. */
static void test_flat(void) {
  cq_gradcheck k = check_curve((curve){constant, nothing, 1, 0}, 1);
  CHECK(k.passed && k.flat && !k.stationary);
  k = check_curve((curve){constant, nothing, 1, 4e-26}, 1);
  CHECK(k.passed && k.flat && !k.stationary);
  k = check_curve((curve){faint, faint_slope, 1, 0}, 1);
  CHECK(k.passed && k.flat);
  k = check_curve((curve){constant, nothing, 1, 1e-9}, 1);
  CHECK(!k.passed && !k.flat);
  k = check_curve((curve){line, nothing, 1, 0}, 1);
  CHECK(!k.passed && !k.flat && !k.stationary);
  k = check_curve((curve){tip, tip_slope, 1, 0}, 1);
  CHECK(!k.passed && !k.flat && !k.stationary);
}

int main(void) {
  RUN(test_right_gradient);
  RUN(test_wrong_gradient);
  RUN(test_zero_gradient);
  RUN(test_bounds);
  RUN(test_kink);
  RUN(test_failed_evaluations);
  RUN(test_seed);
  RUN(test_stationary_point);
  RUN(test_flat);
  return TEST_RESULT();
}
