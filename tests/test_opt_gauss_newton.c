/* gauss_newton and error bars on fits whose answers are known in closed form; that a record goes on
 * with the same bits is in opt_resume, regression data in opt_nist. */
#include "alloc.h"
#include "cqopt/uncertainty.h"
#include "rng.h"
#include "test.h"

enum { N = 3, M = 40 };

/* y = a + b t + c s(t), straight lines of three columns that may depend on each other */
typedef struct line {
  double t[M], y[M], column[N][M];
  int n;
  bool bent;            /* the last variable by its exponential */
  int fail_from, calls; /* values fail from this call on, twice; 0: never */
} line;

/* b = 2, -1, 0.5 with noise of deviation 0.1 */
static line make_line(int n) {
  line l = {.n = n};
  cq_rng rng = cq_rng_seed(5);
  for (int i = 0; i < M; i++) {
    l.t[i] = i / (M - 1.0);
    l.column[0][i] = 1;
    l.column[1][i] = l.t[i];
    l.column[2][i] = sin(6 * l.t[i]);
    l.y[i] = 0.1 * cq_rng_normal(&rng) + 2 - l.t[i] + (n > 2 ? 0.5 * l.column[2][i] : 0);
  }
  return l;
}

static double slope_of(const line *l, const double *b, int j) {
  return l->bent && j == l->n - 1 ? exp(b[j]) : 1;
}

static cq_status residuals(void *data, int level, const double *b, double *f, double *r,
                           double *jac) {
  line *l = data;
  (void)level;
  *f = 0;
  for (int i = 0; i < M; i++) {
    double off = -l->y[i];
    for (int j = 0; j < l->n; j++) {
      off += l->column[j][i] * (l->bent && j == l->n - 1 ? exp(b[j]) : b[j]);
      if (jac != NULL) {
        jac[i * l->n + j] = 10 * l->column[j][i] * slope_of(l, b, j);
      }
    }
    r[i] = 10 * off;
    *f += r[i] * r[i];
  }
  return CQ_OK;
}

/* The sum and its gradient; fails where it is told to. */
static cq_status eval(void *data, const double *b, double *f, double *c, double *grad,
                      double *jac) {
  line *l = data;
  double r[M], slopes[M * N];
  (void)c;
  (void)jac;
  l->calls++;
  if (l->fail_from > 0 && l->calls >= l->fail_from && l->calls < l->fail_from + 2) {
    return CQ_OUT_OF_ROOM;
  }
  residuals(data, 0, b, f, r, slopes);
  for (int j = 0; grad != NULL && j < l->n; j++) {
    grad[j] = 0;
    for (int i = 0; i < M; i++) {
      grad[j] += 2 * r[i] * slopes[i * l->n + j];
    }
  }
  return CQ_OK;
}

static const double low[N] = {-10, -10, -10}, high[N] = {10, 10, 10}, start[N] = {1, 1, 1};

static cq_problem problem_of(line *l) {
  return (cq_problem){.n = l->n,
                      .lower = low,
                      .upper = high,
                      .start = start,
                      .eval = eval,
                      .n_residuals = M,
                      .residuals = residuals,
                      .has_deviations = true,
                      .data = l};
}

static cq_result solve(const cq_problem *problem, double *x, char *error) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  cq_result result;
  def.name = "gauss_newton";
  cq_optimize(ctx, problem, &def, NULL, NULL, x, NULL, &result);
  snprintf(error, 300, "%s", cq_ctx_error(ctx));
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

/* A straight line has its slope's deviation in every textbook: sigma / sqrt(sum (t - mean)^2). */
static void test_straight_line(void) {
  line l = make_line(2);
  cq_problem problem = problem_of(&l);
  double x[N], mean = 0, spread = 0, error_of[2];
  char error[300];
  for (int i = 0; i < M; i++) {
    mean += l.t[i] / M;
  }
  for (int i = 0; i < M; i++) {
    spread += (l.t[i] - mean) * (l.t[i] - mean);
  }
  const cq_result result = solve(&problem, x, error);
  CHECK_MSG(result.status == CQ_OK, "%s", result.reason);
  CHECK(result.evaluations - result.probes <= 3);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  error_of[1] = 0.1 / sqrt(spread);
  error_of[0] = 0.1 * sqrt(1.0 / M + mean * mean / spread);
  CHECK_NEAR(u->errors[1], error_of[1], 1e-12);
  CHECK_NEAR(u->errors[0], error_of[0], 1e-12);
  CHECK_NEAR(u->correlation[1], -mean * 0.1 / sqrt(spread) / error_of[0], 1e-12);
  CHECK(u->rank == 2 && u->held == 0 && u->degrees == M - 2);
  CHECK(u->chi_square == result.f && u->probability > 0.01 && u->probability < 0.99);
  CHECK_NEAR(u->quantile, 1.959963985, 1e-8);
  CHECK(fabs(x[0] - 2) < 3 * u->errors[0] && fabs(x[1] + 1) < 3 * u->errors[1]);
  cq_uncertainty_free(ctx, u);
  /* unknown deviations: the scale of the residuals, and Student's t with 38 degrees of freedom */
  problem.has_deviations = false;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK_NEAR(u->deviation, sqrt(result.f / (M - 2)), 1e-12);
  CHECK_NEAR(u->errors[1], u->deviation * error_of[1], 1e-12);
  CHECK_NEAR(u->quantile, 2.024394164, 1e-8);
  CHECK(isnan(u->chi_square) && isnan(u->probability));
  cq_uncertainty_free(ctx, u);
  cq_ctx_destroy(ctx);
}

/* A bound that holds a variable: the optimum on it, no error bar there, and the other's as if it
 * were known. */
static void test_bound(void) {
  line l = make_line(2);
  cq_problem problem = problem_of(&l);
  const double floor_[N] = {-10, 0.25, 0};
  double x[N];
  char error[300];
  problem.lower = floor_;
  const cq_result result = solve(&problem, x, error);
  CHECK_MSG(result.status == CQ_OK && x[1] == 0.25, "%g: %s", x[1], result.reason);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(u->held == 1 && u->rank == 1 && isnan(u->errors[1]) && isnan(u->correlation[1]));
  CHECK_NEAR(u->errors[0], 0.1 / sqrt(M), 1e-12);
  cq_uncertainty_free(ctx, u);
  cq_ctx_destroy(ctx);
}

/* Two columns alike: only the sum of their variables is determined, and nothing is verified. */
static void test_singular(void) {
  line l = make_line(3);
  const cq_problem problem = problem_of(&l);
  double x[N];
  char error[300];
  memcpy(l.column[2], l.column[1], sizeof l.column[2]);
  const cq_result result = solve(&problem, x, error);
  CHECK_MSG(result.status == CQ_FLAT &&
                strstr(result.reason, "changes none of the residuals") != NULL,
            "%s", result.reason);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(u->rank == 2 && isfinite(u->errors[0]) && isinf(u->errors[1]) && isinf(u->errors[2]));
  const double *open = u->directions + (size_t)2 * N;
  CHECK(u->singular[2] < 1e-12 * u->singular[0]);
  CHECK_NEAR(open[1], -open[2], 1e-9 * fabs(open[1]));
  CHECK(fabs(open[0]) < 1e-9 * fabs(open[1]));
  cq_uncertainty_free(ctx, u);
  /* a fit that runs into a bound on its way along what is open has not determined more */
  cq_problem bounded = problem;
  const double least[N] = {-10, start[1], -10};
  bounded.lower = least;
  bounded.start = start;
  const cq_result on_bound = solve(&bounded, x, error);
  CHECK_MSG(x[1] == least[1] && on_bound.status == CQ_FLAT, "%g: %s", x[1], on_bound.reason);
  CHECK(cq_uncertainty_find(ctx, &bounded, 0, x, &u) == CQ_OK);
  CHECK(u->held == 0 && u->rank == 2 && isinf(u->errors[1]) && isinf(u->errors[2]));
  cq_uncertainty_free(ctx, u);
  /* a variable without any effect */
  memset(l.column[2], 0, sizeof l.column[2]);
  const cq_result without = solve(&problem, x, error);
  CHECK_MSG(without.status == CQ_FLAT, "%s", without.reason);
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK && u->rank == 2);
  CHECK(isinf(u->errors[2]) && isfinite(u->errors[1]));
  cq_uncertainty_free(ctx, u);
  cq_ctx_destroy(ctx);
}

/* Trial points that cannot be evaluated make shorter steps. */
static void test_failed_values(void) {
  line l = make_line(3);
  const cq_problem problem = problem_of(&l);
  double x[N];
  char error[300];
  l.bent = true;
  l.fail_from = 1;
  const cq_result result = solve(&problem, x, error);
  CHECK_MSG(result.status == CQ_OK && result.failures == 2, "%d: %s", result.failures,
            result.reason);
  CHECK(fabs(exp(x[2]) - 0.5) < 0.1);
}

static void check_refused(const cq_problem *problem, const char *words) {
  double x[N];
  char error[300];
  const cq_result result = solve(problem, x, error);
  CHECK_MSG(result.status == CQ_CONFIG && result.evaluations == 0 && strstr(error, words) != NULL,
            "%s", error);
}

static void test_refused(void) {
  line l = make_line(3);
  cq_problem problem = problem_of(&l);
  problem.n_residuals = 2;
  check_refused(&problem, "2 residuals cannot tell 3 variables");
  problem.n_residuals = 0;
  check_refused(&problem, "does not tell its residuals");
  problem.no_residuals = "height is no square";
  check_refused(&problem, "height is no square");
  problem = problem_of(&l);
  problem.n_inequality = 1;
  check_refused(&problem, "sqp");
}

/* Whichever allocation of ours fails, error bars end with CQ_MEMORY and hold nothing. */
static void test_out_of_memory(void) {
  line l = make_line(3);
  const cq_problem problem = problem_of(&l);
  cq_status status = CQ_MEMORY;
  int nth = 1;
  for (; nth < 40 && status == CQ_MEMORY; nth++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_uncertainty *u = NULL;
    cq_alloc_fail_nth(ctx, nth);
    status = cq_uncertainty_find(ctx, &problem, 0, start, &u);
    CHECK((status == CQ_OK) == (u != NULL));
    cq_uncertainty_free(ctx, u);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
  CHECK(status == CQ_OK && nth > 4);
}

int main(void) {
  RUN(test_straight_line);
  RUN(test_bound);
  RUN(test_singular);
  RUN(test_failed_values);
  RUN(test_refused);
  RUN(test_out_of_memory);
  return TEST_RESULT();
}
