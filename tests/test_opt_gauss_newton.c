/* gauss_newton and error bars on fits whose answers are known in closed form; that a record goes on
 * with the same bits is in opt_resume, regression data in opt_nist. */
#include "alloc.h"
#include "cqopt/uncertainty.h"
#include "damped.h"
#include "rng.h"
#include "test.h"

enum { N = 3, M = 40 };

/* y = a + b t + c s(t), straight lines of three columns that may depend on each other */
typedef struct line {
  double t[M], y[M], column[N][M];
  int n;
  bool bent;                      /* the last variable by its exponential */
  double rough;                   /* of each residual, over lengths of 1e-4 */
  int fail_from, fail_for, calls; /* values fail from this call on, so often; from 0: never */
} line;

/* b = 2, -1, 0.5 with noise of deviation 0.1 */
static line make_line(int n) {
  line l = {.n = n, .fail_for = 2};
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

/* Another call for a value. */
static bool fails(line *l) {
  l->calls++;
  return l->fail_from > 0 && l->calls >= l->fail_from && l->calls < l->fail_from + l->fail_for;
}

static cq_status residuals(void *data, int level, const double *b, double *f, double *r,
                           double *jac) {
  line *l = data;
  (void)level;
  if (jac == NULL && fails(l)) {
    return CQ_OUT_OF_ROOM;
  }
  *f = 0;
  for (int i = 0; i < M; i++) {
    double off = -l->y[i] + l->rough * sin(1e4 * (b[0] + i * b[1]));
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
  if (fails(l)) {
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

/* A step along what is open, as rounding leaves it in an exact Jacobian, takes all that there is to
 * take, wherever in the box it ends. */
static void test_open_step(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int k = -9; k < 10; k++) {
    cq_damped q;
    CHECK(cq_damped_create(ctx, 2, &q) == CQ_OK);
    const double a[] = {0.000832846, -0.0208212, 0, k * 3e-18}, b[] = {-0.00734289, 8.69931e-05};
    const double least[] = {-20, -0.7}, most[] = {50, 1.8};
    for (int i = 0; i < 4; i++) {
      q.a[i] = a[i];
    }
    for (int i = 0; i < 2; i++) {
      q.b[i] = b[i];
      q.d[i] = fabs(a[i]);
      q.low[i] = least[i];
      q.high[i] = most[i];
    }
    cq_damped_solve(&q, 1e-20);
    CHECK_NEAR(cq_damped_gain(&q), b[0] * b[0], 1e-9 * b[0] * b[0]);
    cq_damped_destroy(ctx, &q);
  }
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

/* A profile of a straight line is the parabola of its error bars, for known and for estimated
 * deviations; of a variable that is bent the interval of what it stands for. */
static void check_profile(bool bent, bool deviations) {
  line l = make_line(3), straight = l;
  l.bent = bent;
  cq_problem problem = problem_of(&l), plain = problem_of(&straight);
  double x[N], y[N];
  char error[300];
  problem.has_deviations = plain.has_deviations = deviations;
  solve(&problem, x, error);
  solve(&plain, y, error);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL, *of_line = NULL;
  cq_profile *p = NULL;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(cq_uncertainty_find(ctx, &plain, 0, y, &of_line) == CQ_OK);
  CHECK(cq_profile_find(ctx, &problem, u, x, 2, 20, 3, &p) == CQ_OK);
  const double half = of_line->quantile * of_line->errors[2];
  const double from = bent ? log(y[2] - half) : y[2] - half;
  const double to = bent ? log(y[2] + half) : y[2] + half;
  CHECK(p->count == 41 && p->unsettled == 0 && p->variable == 2);
  CHECK_NEAR(p->lower, from, (bent ? 1e-3 : 1e-7) * u->errors[2]);
  CHECK_NEAR(p->upper, to, (bent ? 1e-3 : 1e-7) * u->errors[2]);
  CHECK(!bent || fabs(p->lower - x[2] + u->quantile * u->errors[2]) > 0.02 * u->errors[2]);
  /* the others move as they hang together with it */
  const double along = of_line->correlation[0 * N + 2] * of_line->errors[0] / of_line->errors[2];
  const double by = bent ? exp(p->x[2]) - exp(x[2]) : p->x[2] - x[2];
  CHECK_NEAR(p->x[0] - x[0], along * by, 1e-6 * u->errors[0]);
  cq_profile_free(ctx, p);
  cq_uncertainty_free(ctx, u);
  cq_uncertainty_free(ctx, of_line);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_profiles(void) {
  check_profile(false, true);
  check_profile(false, false);
  check_profile(true, true);
  check_profile(true, false);
}

/* On bounds, along a valley, from a design that is no minimum, and of one variable alone. */
static void test_odd_profiles(void) {
  line l = make_line(3);
  cq_problem problem = problem_of(&l);
  const double least[N] = {-10, -10, 0.49};
  double x[N] = {0};
  char error[300];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL;
  cq_profile *p = NULL;
  problem.lower = least;
  solve(&problem, x, error);
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(cq_profile_find(ctx, &problem, u, x, 2, 6, 3, &p) == CQ_OK);
  CHECK(p->x[2] == 0.49 && isnan(p->lower) && isfinite(p->upper) && p->count < 13);
  cq_profile_free(ctx, p);
  x[0] -= 2 * u->errors[0]; /* the others follow: a better one is among the points */
  problem.residuals(problem.data, 0, x, &u->f, u->residuals, NULL);
  CHECK(cq_profile_find(ctx, &problem, u, x, 1, 6, 3, &p) == CQ_OK);
  CHECK(p->f[5] < u->f && isfinite(p->lower) && isfinite(p->upper));
  cq_profile_free(ctx, p);
  cq_uncertainty_free(ctx, u);
  memcpy(l.column[2], l.column[1], sizeof l.column[2]);
  solve(&problem, x, error);
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK && isinf(u->errors[1]));
  CHECK(cq_profile_find(ctx, &problem, u, x, 1, 6, 3, &p) == CQ_OK);
  CHECK(isnan(p->lower) && fabs(p->f[0] - u->f) < 1e-6 * u->f);
  cq_profile_free(ctx, p);
  cq_uncertainty_free(ctx, u);
  problem.n = l.n = 1;
  solve(&problem, x, error);
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(cq_profile_find(ctx, &problem, u, x, 0, 6, 3, &p) == CQ_OK);
  CHECK_NEAR(p->upper, x[0] + u->quantile * u->errors[0], 1e-7 * u->errors[0]);
  cq_profile_free(ctx, p);
  CHECK(cq_profile_find(ctx, &problem, u, x, 1, 6, 3, &p) == CQ_USAGE && p == NULL);
  cq_ctx_clear_error(ctx);
  u->deviation = NAN;
  CHECK(cq_profile_find(ctx, &problem, u, x, 0, 6, 3, &p) == CQ_CONFIG && p == NULL);
  cq_uncertainty_free(ctx, u);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* The fits scatter as the error bars say, by seed alone. */
static void test_bootstrap(void) {
  enum { DRAWS = 2000 };
  line l = make_line(3);
  cq_problem problem = problem_of(&l);
  double x[N];
  char error[300];
  solve(&problem, x, error);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL;
  cq_bootstrap *b = NULL, *again = NULL;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(cq_bootstrap_find(ctx, &problem, u, x, DRAWS, 7, &b) == CQ_OK);
  CHECK(b->failed == 0);
  for (int j = 0; j < N; j++) {
    CHECK_NEAR(b->deviation[j] / u->errors[j], 1, 4 / sqrt(2.0 * DRAWS));
    CHECK_NEAR((b->mean[j] - x[j]) / u->errors[j], 0, 4 / sqrt(1.0 * DRAWS));
    CHECK_NEAR((b->upper[j] - b->lower[j]) / u->errors[j], 2 * u->quantile, 0.2);
  }
  CHECK(cq_bootstrap_find(ctx, &problem, u, x, 3, 7, &again) == CQ_OK);
  CHECK(memcmp(again->x, b->x, 3 * N * sizeof *b->x) == 0);
  cq_bootstrap_free(ctx, again);
  CHECK(cq_bootstrap_find(ctx, &problem, u, x, 3, 8, &again) == CQ_OK);
  CHECK(memcmp(again->x, b->x, 3 * N * sizeof *b->x) != 0);
  cq_bootstrap_free(ctx, again);
  cq_bootstrap_free(ctx, b);
  u->deviation = NAN;
  CHECK(cq_bootstrap_find(ctx, &problem, u, x, 3, 7, &b) == CQ_CONFIG && b == NULL);
  cq_uncertainty_free(ctx, u);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Where derivatives are noise wide differences are not, and each update is a run: on the level of
 * the roughness within a few of them. A design that fails beside the start is looked for on its
 * other side. */
static void test_broyden(void) {
  for (int failing = 0; failing < 3; failing++) {
    line l = make_line(3);
    double x[N], y[N];
    char error[300];
    const cq_problem problem = problem_of(&l);
    l.bent = true;
    const cq_result smooth = solve(&problem, y, error);
    l.rough = 1e-4;
    l.calls = 0;
    l.fail_from = failing > 0 ? 3 : 0;
    l.fail_for = failing;
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_optimizer_def def = cq_optimizer_default();
    cq_result result;
    def.name = "gauss_newton_broyden";
    def.max_evaluations = 30;
    cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
    CHECK(result.failures == failing && cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
    if (failing == 2) {
      CHECK_MSG(strstr(result.reason, "designs beside its best one fail") != NULL, "%s",
                result.reason);
      continue;
    }
    CHECK_MSG(result.status == CQ_BUDGET, "%s", result.reason);
    CHECK_MSG(result.f < smooth.f + 1e-2 && result.f < 45, "%.9g: %.9g", result.f, smooth.f);
    CHECK(result.simulations == result.evaluations && result.gradients == 0);
  }
}

/* Where values are rough a round of narrower and narrower differences ends in the roughness; one
 * that has found much is followed by another with differences in full, which finds more. */
static void test_broyden_rounds(void) {
  line l = make_line(3);
  const double b[N] = {2, -1, 0.5};
  for (int i = 0; i < M; i++) {
    l.y[i] = b[0] * l.column[0][i] + b[1] * l.column[1][i] + b[2] * l.column[2][i];
  }
  l.rough = 1e-3;
  const cq_problem problem = problem_of(&l);
  double x[N];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  cq_result result;
  def.name = "gauss_newton_broyden";
  def.max_evaluations = 100;
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
  CHECK_MSG(result.f < 1e-4, "%g: %s", result.f, result.reason); /* one round: 2e-3 */
  cq_ctx_destroy(ctx);
}

/* The optimum on a bound, which its steps stay within. */
static void test_broyden_bound(void) {
  line l = make_line(2);
  cq_problem problem = problem_of(&l);
  const double floor_[N] = {-10, 0.25, 0};
  double x[N], y[N];
  char error[300];
  cq_result result;
  problem.lower = floor_;
  const cq_result wanted = solve(&problem, y, error);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = "gauss_newton_broyden";
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
  CHECK_MSG(x[1] == 0.25 && result.f <= wanted.f * (1 + 1e-9), "%g, %.12g %.12g: %s", x[1],
            result.f, wanted.f, result.reason);
  CHECK(result.evaluations < 40);
  cq_ctx_destroy(ctx);
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

/* The same of profiles and a bootstrap, whose fits allocate, too. */
static void test_refits_out_of_memory(void) {
  line l = make_line(2);
  const cq_problem problem = problem_of(&l);
  double x[N];
  char error[300];
  solve(&problem, x, error);
  for (int what = 0; what < 2; what++) {
    cq_status status = CQ_MEMORY;
    int nth = 1;
    for (; nth < 400 && status == CQ_MEMORY; nth++) {
      cq_ctx *ctx = cq_ctx_create(1, 1);
      cq_uncertainty *u = NULL;
      cq_profile *p = NULL;
      cq_bootstrap *b = NULL;
      CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
      cq_alloc_fail_nth(ctx, nth);
      status = what == 0 ? cq_profile_find(ctx, &problem, u, x, 0, 1, 3, &p)
                         : cq_bootstrap_find(ctx, &problem, u, x, 2, 1, &b);
      CHECK((status == CQ_OK) == (p != NULL || b != NULL));
      cq_profile_free(ctx, p);
      cq_bootstrap_free(ctx, b);
      cq_uncertainty_free(ctx, u);
      CHECK(cq_ctx_bytes(ctx) == 0);
      cq_ctx_destroy(ctx);
    }
    CHECK_MSG(status == CQ_OK && nth > 8, "%d: %s after %d", what, cq_status_name(status), nth);
  }
}

int main(void) {
  RUN(test_straight_line);
  RUN(test_bound);
  RUN(test_singular);
  RUN(test_open_step);
  RUN(test_failed_values);
  RUN(test_profiles);
  RUN(test_odd_profiles);
  RUN(test_bootstrap);
  RUN(test_broyden);
  RUN(test_broyden_rounds);
  RUN(test_broyden_bound);
  RUN(test_refused);
  RUN(test_out_of_memory);
  RUN(test_refits_out_of_memory);
  return TEST_RESULT();
}
