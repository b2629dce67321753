/* The KKT residual and its multipliers against values worked out by hand, and least squares. */
#include "alloc.h"
#include "kkt.h"
#include "lsq.h"
#include "test.h"
#include "test_opt_problems.h"

static double residual_of(const tp_case *test, const double *scale, const double *x, double f_scale,
                          double *multipliers) {
  double g[TP_MAX], c[TP_MAX], j[TP_MAX][TP_MAX], jac[TP_MAX * TP_MAX], residual = NAN;
  tp t = tp_make(test);
  cq_problem problem = tp_problem(&t);
  problem.scale = scale;
  test->eval(x, g, c, j);
  for (int i = 0; i < test->n_inequality + test->n_equality; i++) {
    memcpy(jac + i * test->n, j[i], (size_t)test->n * sizeof *jac);
  }
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_point point = {.has_gradient = true, .x = (double *)x, .c = c, .grad = g, .jac = jac};
  CHECK(cq_kkt_residual(ctx, &problem, f_scale, &point, multipliers, &residual) == CQ_OK);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return residual;
}

/* HS 35 at (4/3, 7/9, 4/9): g = (-2/9, -2/9, -4/9) = -2/9 (1, 1, 2), so lambda = 2/9 */
static void test_hs35(void) {
  const double x[3] = {4.0 / 3, 7.0 / 9, 4.0 / 9};
  double lambda = NAN;
  CHECK_NEAR(residual_of(tp_find("hs35"), NULL, x, 8, &lambda), 0, 1e-15);
  CHECK_NEAR(lambda, 2.0 / 9, 1e-14);
  /* in other scales the same multiplier, in user units */
  const double scale[3] = {1e-3, 50, 2};
  CHECK_NEAR(residual_of(tp_find("hs35"), scale, x, 1e4, &lambda), 0, 1e-15);
  CHECK_NEAR(lambda, 2.0 / 9, 1e-12);
  /* at (0.5, 0.5, 0.5) the constraint is a quarter of a scale away (c = -1, slopes 1, 1, 2): it has
   * no multiplier, and the residual is that of g = (-4, -3, -2) */
  const double start[3] = {0.5, 0.5, 0.5};
  CHECK_NEAR(residual_of(tp_find("hs35"), NULL, start, 1, &lambda), 4, 1e-13);
  CHECK(lambda == 0);
  /* a ten-thousandth of a scale away it cancels what it can, and costs its distance */
  const double beside[3] = {4.0 / 3, 7.0 / 9, 4.0 / 9 - 2e-4};
  const double r = residual_of(tp_find("hs35"), NULL, beside, 8, &lambda);
  CHECK_MSG(r > 5e-5 && r < 1.5e-4, "residual %g", r);
}

/* HS 71's published multipliers: 0.55229366 for the product, 0.16146857 for the sum of squares
 * (signs by our convention), and the lower bound of x_1 holds */
static void test_hs71(void) {
  const double x[4] = {1, 4.742999637, 3.821149979, 1.379408294};
  double lambda[2] = {NAN, NAN};
  CHECK(residual_of(tp_find("hs71"), NULL, x, 12, lambda) < 1e-8);
  CHECK_NEAR(lambda[0], 0.55229366, 1e-7);
  CHECK_NEAR(lambda[1], 0.16146857, 1e-7);
  const double off[4] = {1, 4.70, 3.85, 1.39};
  CHECK(residual_of(tp_find("hs71"), NULL, off, 12, lambda) > 1e-4);
}

/* a gradient that points out of the feasible set needs a negative multiplier: refused */
static double eval_sign(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = 3;
  c[0] = x[0];
  j[0][0] = 1;
  return 3 * x[0];
}

static void test_sign(void) {
  const tp_case inequality = {"sign", 1, 1, 0, {-9}, {9}, {0}, 0, eval_sign};
  tp_case equality = inequality;
  const double x[1] = {0};
  double lambda = NAN;
  CHECK_NEAR(residual_of(&inequality, NULL, x, 3, &lambda), 1, 1e-15);
  CHECK(lambda == 0);
  equality.n_inequality = 0;
  equality.n_equality = 1;
  CHECK_NEAR(residual_of(&equality, NULL, x, 3, &lambda), 0, 1e-15);
  CHECK_NEAR(lambda, -3, 1e-14);
}

/* f = 3x on [0, 9]: p = min(3/s, distance) */
static void test_bounds(void) {
  const tp_case test = {"bound", 1, 0, 0, {0}, {9}, {0}, 0, eval_sign};
  const double x[] = {0, 1e-5, 0.25, 5};
  const double expected[] = {0, 1e-5, 0.25, 1};
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(residual_of(&test, NULL, x + i, 3, NULL), expected[i], 1e-15);
  }
  const double scale[1] = {0.1};
  CHECK_NEAR(residual_of(&test, scale, x + 1, 3, NULL), 1e-4, 1e-15);
  CHECK_NEAR(residual_of(&test, scale, x + 3, 3, NULL), 0.1, 1e-15);
}

/* twice the same constraint: any split of lambda is right, the residual is 0 */
static double eval_double(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = -1;
  c[0] = x[0] - 1;
  c[1] = 2 * x[0] - 2;
  j[0][0] = 1;
  j[1][0] = 2;
  return -x[0];
}

static void test_dependent_constraints(void) {
  const tp_case test = {"double", 1, 2, 0, {-9}, {9}, {0}, 0, eval_double};
  const double x[1] = {1};
  double lambda[2];
  CHECK_NEAR(residual_of(&test, NULL, x, 1, lambda), 0, 1e-14);
  CHECK(lambda[0] >= 0 && lambda[1] >= 0);
  CHECK_NEAR(lambda[0] + 2 * lambda[1], 1, 1e-13);
}

/* the residual of a point of a run in one variable within [-100, 100], with gradient g; recent: x,
 * g and f of another point, NULL for none */
static double judged(double x, double g, double f, const double *c_and_slope,
                     const double *recent) {
  const double lower = -100, upper = 100;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_problem problem = {
      .n = 1, .n_inequality = c_and_slope != NULL, .lower = &lower, .upper = &upper, .start = &x};
  const cq_optimizer_def def = cq_optimizer_default();
  double size = 0, tolerance = 0;
  cq_evaluator ev = {.ctx = ctx,
                     .problem = &problem,
                     .def = &def,
                     .m = problem.n_inequality,
                     .size = &size,
                     .tolerance = &tolerance};
  double c = c_and_slope != NULL ? c_and_slope[0] : 0;
  double slope = c_and_slope != NULL ? c_and_slope[1] : 0;
  cq_point point = {
      .index = 2, .has_gradient = true, .f = f, .x = &x, .c = &c, .grad = &g, .jac = &slope};
  cq_evaluator_measure(&ev, &point);
  double multiplier = 0, residual = NAN;
  CHECK(cq_recent_create(ctx, &problem, &ev.recent) == CQ_OK);
  cq_recent_add(&ev.recent, &point);
  if (recent != NULL) {
    double other_x = recent[0], other_g = recent[1];
    const cq_point other = {.index = 1,
                            .has_gradient = true,
                            .f = recent[2],
                            .x = &other_x,
                            .c = &c,
                            .grad = &other_g,
                            .jac = &slope};
    cq_recent_add(&ev.recent, &other);
    CHECK(cq_recent_at(&ev.recent, 0)->index == 1 && cq_recent_at(&ev.recent, 1)->index == 2);
  }
  CHECK(cq_recent_at(&ev.recent, 2) == NULL);
  CHECK(cq_kkt_judge(&ev, &point, &multiplier, &residual) == CQ_OK);
  cq_recent_destroy(ctx, &ev.recent);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return residual;
}

/* (x - 1)^2 at 1.01, where it is 1e-4: g = 0.02, curvature 2, and x is the size that matters, 1 */
static void test_unit_of_a_verdict(void) {
  const double near[3] = {1.03, 0.06, 9e-4}, far[3] = {11, 1000, 1e4};
  /* nobody knows the curvature: the gradient is its own unit */
  CHECK_NEAR(judged(1.01, 0.02, 1e-4, NULL, NULL), 1, 1e-15);
  /* the way that is left */
  CHECK_NEAR(judged(1.01, 0.02, 1e-4, NULL, near), 0.01, 1e-12);
  /* whose gradient is no line through f says nothing: too far away, or across a kink */
  CHECK_NEAR(judged(1.01, 0.02, 1e-4, NULL, far), 1, 1e-15);
}

/* The same at 1 + 1e-13: g = 2e-13. */
/* Whether there is a kink between two points x, g, f of a run in one variable. */
static bool kink(const double *a, const double *b) {
  const double bound[2] = {-1, 1};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_problem problem = {.n = 1, .lower = &bound[0], .upper = &bound[1], .start = a};
  const cq_evaluator ev = {.ctx = ctx, .problem = &problem};
  double x[2] = {a[0], b[0]}, g[2] = {a[1], b[1]};
  const cq_point here = {.f = a[2], .x = &x[0], .grad = &g[0]};
  const cq_point there = {.f = b[2], .x = &x[1], .grad = &g[1]};
  const bool is = cq_kkt_is_kink(&ev, &here, &there);
  cq_ctx_destroy(ctx);
  return is;
}

static void test_kink(void) {
  /* 2 |x|, x^2, and 0.25 + x^2 where all of it is rounded away */
  CHECK(kink((double[]){1e-3, 2, 2e-3}, (double[]){-1e-2, -2, 2e-2}));
  CHECK(!kink((double[]){1e-3, 2e-3, 1e-6}, (double[]){-1e-2, -2e-2, 1e-4}));
  CHECK(!kink((double[]){1e-5, 2e-5, 0.25}, (double[]){0, 0, 0.25}));
}

/* Own size, even beyond the scale; within the range; the room where there is none to speak of. */
static void test_sizes(void) {
  const double lower[4] = {-4000, -4e-3, -1, -5e-7}, upper[4] = {4000, 4e-3, 1, 5e-7};
  const double start[4] = {1000, 1e-3, 0, 0}, expected[4] = {2000, 1e-3, 1, 1e-6};
  double x[4] = {2000, 1e-3, 1e-9, 0}, sizes[4];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_problem problem = {.n = 4, .lower = lower, .upper = upper, .start = start};
  const cq_evaluator ev = {.ctx = ctx, .problem = &problem};
  const cq_point point = {.x = x};
  cq_kkt_sizes(&ev, &point, sizes);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(sizes[i], expected[i], 1e-12 * expected[i]);
  }
  cq_ctx_destroy(ctx);
}

static void test_start_at_optimum(void) {
  const double x = 1 + 1e-13, g = 2e-13;
  const double apart[3] = {1.1, 0.2, 0.01}, kink[3] = {1 + 1e-6, 2, 0}, same[3] = {1 + 1e-12, 0, 0};
  CHECK_NEAR(judged(x, g, 0, NULL, apart), 1e-13, 1e-18);
  CHECK_NEAR(judged(x, g, 0, NULL, NULL), 1, 1e-15);
  CHECK_NEAR(judged(x, g, 0, NULL, kink), 1, 1e-15);
  CHECK_NEAR(judged(x, g, 0, NULL, same), 1, 1e-15);
}

/* f = -3 x held by c = x - 5: slack up to the tolerance of 1e-6 is free, then it is a distance */
static void test_slack_of_a_verdict(void) {
  const double within[2] = {-5e-7, 1}, beyond[2] = {-3e-6, 1}, far[2] = {-1e-2, 1};
  CHECK_NEAR(judged(5, -3, -15, within, NULL), 0, 1e-14);
  CHECK_NEAR(judged(5, -3, -15, beyond, NULL), 2e-6, 1e-10);
  CHECK_NEAR(judged(5, -3, -15, far, NULL), 1, 1e-10);
  /* a constraint in small numbers has no tolerance that is worth more than it is */
  const double small[2] = {-5e-7, 1e-9};
  CHECK_NEAR(judged(5, -3, -15, small, NULL), 1, 1e-10);
}

static void test_recent_points(void) {
  const double bound = 1;
  const cq_problem problem = {.n = 1, .lower = &bound, .upper = &bound};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_recent recent;
  double x = 0, g = 0;
  cq_alloc_fail_nth(ctx, 1);
  CHECK(cq_recent_create(ctx, &problem, &recent) == CQ_MEMORY);
  cq_recent_destroy(ctx, &recent);
  CHECK(cq_recent_create(ctx, &problem, &recent) == CQ_OK);
  for (int i = 1; i <= CQ_RECENT + 2; i++) {
    x = i;
    const cq_point point = {
        .index = i, .has_gradient = i != 3, .x = &x, .c = &g, .grad = &g, .jac = &g};
    cq_recent_add(&recent, &point);
    cq_recent_add(&recent, &point);
  }
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *point = cq_recent_at(&recent, k);
    const int expected = k < CQ_RECENT - 1 ? CQ_RECENT + 2 - k : 2; /* the third has no gradient */
    CHECK(point->index == expected && point->x[0] == expected);
  }
  cq_recent_destroy(ctx, &recent);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_violation(void) {
  tp t = tp_make(tp_find("hs71"));
  const cq_problem problem = tp_problem(&t);
  const double inside[2] = {-5, 0}, high[2] = {2, -1}, off[2] = {-1, -3}, bad[2] = {NAN, 0};
  CHECK(cq_violation(&problem, NULL, inside) == 0);
  CHECK(cq_violation(&problem, NULL, high) == 2);
  CHECK(cq_violation(&problem, NULL, off) == 3);
  CHECK(isnan(cq_violation(&problem, NULL, bad)));
}

/* random least squares: no small move within the signs does better */
static void test_least_squares(void) {
  enum { ROWS = 9, COLS = 5, SIGNED = 3 };
  unsigned seed = 5;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int trial = 0; trial < 200; trial++) {
    double a[ROWS * COLS], b[ROWS], mu[COLS];
    for (int i = 0; i < ROWS * COLS + ROWS; i++) {
      seed = seed * 1664525u + 1013904223u;
      *(i < ROWS * COLS ? &a[i] : &b[i - ROWS * COLS]) = (double)(seed >> 8) / (1 << 23) - 1;
    }
    CHECK(cq_lsq_signed(ctx, ROWS, COLS, SIGNED, a, b, mu) == CQ_OK);
    for (int k = 0; k < COLS; k++) {
      double slope = 0; /* of half the sum of squares */
      for (int i = 0; i < ROWS; i++) {
        double r = b[i];
        for (int l = 0; l < COLS; l++) {
          r += a[i * COLS + l] * mu[l];
        }
        slope += a[i * COLS + k] * r;
      }
      const bool at_zero = k < SIGNED && mu[k] == 0;
      CHECK(k >= SIGNED || mu[k] >= 0);
      CHECK_MSG(at_zero ? slope > -1e-12 : fabs(slope) < 1e-12, "trial %d: slope %g in %d", trial,
                slope, k);
    }
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_hs35);
  RUN(test_hs71);
  RUN(test_sign);
  RUN(test_bounds);
  RUN(test_dependent_constraints);
  RUN(test_unit_of_a_verdict);
  RUN(test_kink);
  RUN(test_sizes);
  RUN(test_start_at_optimum);
  RUN(test_slack_of_a_verdict);
  RUN(test_recent_points);
  RUN(test_violation);
  RUN(test_least_squares);
  return TEST_RESULT();
}
