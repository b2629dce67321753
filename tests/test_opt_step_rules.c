/* Gradient descent with steps whose length is searched for: armijo and barzilai_borwein. */
#include "test.h"

#include "cqopt/optimizer.h"

enum { MOST = 100, LOG = 64 };

typedef struct scene {
  double (*f)(const struct scene *s, const double *x, double *g);
  int n;
  double factor; /* on f */
  double lower[MOST], upper[MOST], start[MOST];
  cq_gradient_kind gradient;
  int fail_at; /* the simulation that gives NaN; 0: none */
  bool wrong;  /* the gradient has the wrong sign */
  int calls;
  bool saw_bad_x;
  int n_log;
  double x_log[LOG]; /* x_0 of the first evaluations */
  bool g_log[LOG];   /* with gradient */
} scene;

/* pairs of variables in Rosenbrock's valley */
static double rosenbrock(const scene *s, const double *x, double *g) {
  double f = 0;
  for (int i = 0; i < s->n; i += 2) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    f += 100 * a * a + b * b;
    g[i] = -400 * a * x[i] - 2 * b;
    g[i + 1] = 200 * a;
  }
  return f;
}

/* Of condition 1e4; within [-1, 1] a third of the variables ends on its upper bound. */
static double minimum(int i) {
  return i % 3 == 0 ? 2 : 0.5 * sin(i);
}

static double quadratic(const scene *s, const double *x, double *g) {
  double f = 0;
  for (int i = 0; i < s->n; i++) {
    const double curvature = pow(1e4, (double)i / (s->n - 1)), e = x[i] - minimum(i);
    f += 0.5 * curvature * e * e;
    g[i] = curvature * e;
  }
  return f;
}

static double parabola(const scene *s, const double *x, double *g) {
  (void)s;
  g[0] = x[0];
  return 0.5 * x[0] * x[0];
}

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  (void)c, (void)jac;
  scene *s = data;
  double g[MOST];
  for (int i = 0; i < s->n; i++) {
    s->saw_bad_x = s->saw_bad_x || !(x[i] >= s->lower[i] && x[i] <= s->upper[i]);
  }
  *f = ++s->calls == s->fail_at ? NAN : s->factor * s->f(s, x, g);
  for (int i = 0; grad != NULL && i < s->n; i++) {
    grad[i] = (s->wrong ? -1 : 1) * s->factor * g[i];
  }
  return CQ_OK;
}

static cq_status keep(void *user, const cq_evaluation *e) {
  scene *s = user;
  if (s->n_log < LOG) {
    s->x_log[s->n_log] = e->x[0];
    s->g_log[s->n_log++] = e->has_gradient;
  }
  return CQ_OK;
}

static scene make(double (*f)(const scene *, const double *, double *), int n, double bound) {
  scene s = {.f = f, .n = n, .factor = 1};
  for (int i = 0; i < n; i++) {
    s.lower[i] = -bound;
    s.upper[i] = bound;
    s.start[i] = f == rosenbrock ? (i % 2 == 0 ? -1.2 : 1) : 0;
  }
  return s;
}

static cq_optimizer_def def_of(cq_step_rule rule, double rate, int evaluations) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = "gradient_descent";
  def.step_rule = rule;
  def.learning_rate = rate;
  def.max_evaluations = evaluations;
  def.optimality_tolerance = 5e-5;
  return def;
}

static cq_result solve(scene *s, const cq_optimizer_def *def, double *x) {
  const cq_problem problem = {.n = s->n,
                              .lower = s->lower,
                              .upper = s->upper,
                              .start = s->start,
                              .eval = eval,
                              .gradient = s->gradient,
                              .data = s};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_result result;
  s->calls = s->n_log = 0;
  cq_optimize(ctx, &problem, def, keep, s, x, NULL, &result);
  CHECK(cq_ctx_bytes(ctx) == 0 && !s->saw_bad_x);
  cq_ctx_destroy(ctx);
  return result;
}

/* Verified within so many evaluations. */
static cq_result check_solves(const char *what, scene *s, cq_step_rule rule, double rate,
                              int evaluations, double *x) {
  const cq_optimizer_def def = def_of(rule, rate, evaluations);
  const cq_result result = solve(s, &def, x);
  CHECK_MSG(result.status == CQ_OK, "%s times %g, rule %d: %s", what, s->factor, (int)rule,
            result.reason);
  return result;
}

static const double factors[] = {1, 1e-8, 1e-4, 1e2, 1e6};

/* f times any factor: learning_rate is wrong by as much for the first step, and no other. */
static void test_rosenbrock(void) {
  double x[MOST];
  for (int k = 0; k < 5; k++) {
    scene pair = make(rosenbrock, 2, 2), open = make(rosenbrock, 2, INFINITY);
    scene many = make(rosenbrock, 20, 2);
    pair.factor = open.factor = many.factor = factors[k];
    check_solves("rosenbrock", &pair, CQ_STEP_ARMIJO, 1e-3, 9000, x);
    check_solves("open", &open, CQ_STEP_ARMIJO, 1e-3, 9000, x);
    check_solves("extended", &many, CQ_STEP_ARMIJO, 1e-3, 9000, x);
    check_solves("rosenbrock", &pair, CQ_STEP_BARZILAI_BORWEIN, 1e-3, 150, x);
    CHECK_NEAR(x[0], 1, 1e-3);
    check_solves("open", &open, CQ_STEP_BARZILAI_BORWEIN, 1e-3, 150, x);
    check_solves("extended", &many, CQ_STEP_BARZILAI_BORWEIN, 1e-3, 150, x);
    CHECK_NEAR(x[19], 1, 1e-3);
  }
}

static void test_quadratic(void) {
  double x[MOST];
  for (int k = 0; k < 5; k++) {
    scene s = make(quadratic, 100, 1);
    s.factor = factors[k];
    check_solves("quadratic", &s, CQ_STEP_ARMIJO, 1e-3, 9000, x);
    check_solves("quadratic", &s, CQ_STEP_BARZILAI_BORWEIN, 1e-3, 1200, x);
    for (int i = 0; i < 100; i++) {
      CHECK_NEAR(x[i], fmin(minimum(i), 1), 0.1);
    }
    CHECK(x[99] == 1);
  }
  /* the best fixed rate is 2 / (1 + 1e4) */
  scene s = make(quadratic, 100, 1);
  const cq_optimizer_def def = def_of(CQ_STEP_FIXED, 1.9998e-4, 3000);
  const cq_result result = solve(&s, &def, x);
  CHECK_MSG(result.status == CQ_BUDGET, "%s", result.reason);
}

/* On x^2/2 from 1 a step of 2 - d leads to d - 1 and lowers f by d (1 - d/2) where 2 - d is
 * promised: taken from d = 2e-4 on. */
static void test_sufficient_decrease(void) {
  for (int rule = CQ_STEP_ARMIJO; rule <= CQ_STEP_BARZILAI_BORWEIN; rule++) {
    for (int k = 0; k < 2; k++) {
      const double d = k == 0 ? 1.9e-4 : 2.1e-4;
      scene s = make(parabola, 1, INFINITY);
      s.start[0] = 1;
      cq_optimizer_def def = def_of((cq_step_rule)rule, 2 - d, 3);
      double x[1];
      solve(&s, &def, x);
      CHECK_NEAR(s.x_log[1], d - 1, 1e-15);
      /* rejected: half the step; taken: ten times the step, or the curvature's, from there */
      const double third = k == 0                   ? d / 2
                           : rule == CQ_STEP_ARMIJO ? (d - 1) * (1 - 10 * (2 - d))
                                                    : 0;
      CHECK_MSG(s.n_log >= 3 && fabs(s.x_log[2] - third) <= 1e-13, "rule %d, d = %g: x = %.17g",
                rule, d, s.x_log[2]);
    }
  }
}

static double hill(const scene *s, const double *x, double *g) {
  (void)s;
  g[0] = -x[0];
  return -0.5 * x[0] * x[0];
}

/* Downhill from a top there is no curvature to go by: steps grow until a bound. */
static void test_negative_curvature(void) {
  for (int rule = CQ_STEP_ARMIJO; rule <= CQ_STEP_BARZILAI_BORWEIN; rule++) {
    scene s = make(hill, 1, 1e6);
    s.start[0] = 0.1;
    double x[1];
    check_solves("hill", &s, (cq_step_rule)rule, 1e-3, 12, x);
    CHECK(x[0] == 1e6);
  }
}

/* A length grown on trust is tried without gradient, which is fetched when it is taken. */
static void test_gradients_where_likely(void) {
  double x[MOST];
  scene s = make(rosenbrock, 2, 2);
  cq_optimizer_def def = def_of(CQ_STEP_ARMIJO, 1e-3, 1000);
  cq_result result = solve(&s, &def, x);
  CHECK(result.evaluations == 1000);
  CHECK_MSG(result.gradients > 700 && result.gradients < 850, "%d gradients", result.gradients);
  CHECK_MSG(s.calls > 1000 && s.calls < 1400, "%d simulations", s.calls);
  def.step_rule = CQ_STEP_BARZILAI_BORWEIN;
  result = solve(&s, &def, x);
  CHECK(result.gradients == result.evaluations && s.calls == result.evaluations);
}

static double cone(const scene *s, const double *x, double *g) {
  (void)s;
  const double f = hypot(1, x[0]);
  g[0] = x[0] / f;
  return f;
}

/* learning_rate far too long or short to begin with */
static void test_first_step(void) {
  const double rates[] = {1e-300, 1e-20, 1e-9, 1, 1e9, 1e300};
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 2; i++) {
      scene s = make(rosenbrock, 2, i == 0 ? 2 : INFINITY);
      double x[2];
      if (rates[k] == 1e300 && i == 1) {
        continue; /* f overflows there: a failure, and the run ends by it */
      }
      check_solves("rosenbrock", &s, CQ_STEP_BARZILAI_BORWEIN, rates[k], 250, x);
      check_solves("rosenbrock", &s, CQ_STEP_ARMIJO, rates[k], 10000, x);
    }
  }
}

/* A first step that overflows is shortened, never asked for. */
static void test_overflow(void) {
  scene s = make(cone, 1, INFINITY);
  s.start[0] = 1;
  s.factor = 100;
  const cq_optimizer_def def = def_of(CQ_STEP_ARMIJO, 1e308, 1000);
  double x[1];
  const cq_result result = solve(&s, &def, x);
  CHECK_MSG(strstr(result.reason, "no step along the gradient") != NULL, "%s", result.reason);
}

static void test_bounds(void) {
  for (int rule = CQ_STEP_ARMIJO; rule <= CQ_STEP_BARZILAI_BORWEIN; rule++) {
    /* from corners, some variables fixed */
    scene s = make(quadratic, 100, 1);
    for (int i = 0; i < 100; i++) {
      s.start[i] = i % 2 == 0 ? -1 : 1;
      if (i % 5 == 0) {
        s.lower[i] = s.upper[i] = s.start[i];
      }
    }
    double x[MOST];
    check_solves("corner", &s, (cq_step_rule)rule, 1, rule == CQ_STEP_ARMIJO ? 9000 : 1200, x);
    for (int i = 0; i < 100; i += 5) {
      CHECK(x[i] == s.start[i]);
    }
    /* a start that is the solution */
    s = make(parabola, 1, 5);
    s.lower[0] = s.start[0] = 2;
    const cq_result result = check_solves("corner", &s, (cq_step_rule)rule, 1, 100, x);
    CHECK(result.evaluations == 1 && x[0] == 2);
  }
}

/* No success is claimed where the gradient leads uphill, nor is anything asked for ever. */
static void test_honest_ends(void) {
  for (int rule = CQ_STEP_ARMIJO; rule <= CQ_STEP_BARZILAI_BORWEIN; rule++) {
    double x[MOST];
    scene s = make(rosenbrock, 2, 2);
    s.wrong = true;
    cq_optimizer_def def = def_of((cq_step_rule)rule, 1e-3, 1000);
    cq_result result = solve(&s, &def, x);
    CHECK_MSG(result.status == CQ_OPTIMIZER && result.evaluations <= 52 &&
                  strstr(result.reason, "no step along the gradient") != NULL,
              "%s", result.reason);
    /* where it shall, a trial that fails ends the run at once */
    def.on_failure = CQ_FAILURE_ABORT;
    for (int at = 1; at <= 30; at++) {
      s = make(rosenbrock, 2, 2);
      s.fail_at = at;
      result = solve(&s, &def, x);
      CHECK_MSG(result.status == CQ_NONFINITE && s.calls == at && result.failures == 1,
                "failure at %d: %d calls, %s", at, s.calls, result.reason);
    }
    /* rules of f and x: no success by themselves */
    s = make(rosenbrock, 2, 2);
    def.ftol_rel = 0.5;
    result = solve(&s, &def, x);
    CHECK_MSG(result.status == CQ_NOT_STATIONARY && result.evaluations < 20, "%s", result.reason);
    def.ftol_rel = 0;
    def.xtol_rel = 0.1;
    result = solve(&s, &def, x);
    CHECK_MSG(result.status == CQ_NOT_STATIONARY && result.evaluations < 20, "%s", result.reason);
  }
}

static void check_refused(const cq_optimizer_def *def, cq_gradient_kind gradient, const char *key) {
  scene s = make(rosenbrock, 2, 2);
  double x[2];
  s.gradient = gradient;
  const cq_result result = solve(&s, def, x);
  CHECK_MSG(result.status == CQ_CONFIG && strstr(result.reason, key) != NULL && s.calls == 0,
            "%s is not refused: %s", key, result.reason);
}

static void test_refusals(void) {
  for (int rule = CQ_STEP_ARMIJO; rule <= CQ_STEP_BARZILAI_BORWEIN; rule++) {
    const cq_optimizer_def good = def_of((cq_step_rule)rule, 1e-3, 30);
    cq_optimizer_def def = good;
    def.momentum = 0.9;
    check_refused(&def, CQ_GRADIENT_EXACT_REVERSE, "optimizer.momentum");
    def = good;
    def.clip = 1;
    check_refused(&def, CQ_GRADIENT_EXACT_REVERSE, "optimizer.clip");
    def = good;
    def.schedule = CQ_SCHEDULE_PLATEAU;
    check_refused(&def, CQ_GRADIENT_EXACT_REVERSE, "optimizer.schedule");
    def = good;
    def.learning_rate = 0;
    check_refused(&def, CQ_GRADIENT_EXACT_REVERSE, "optimizer.learning_rate");
    check_refused(&good, CQ_GRADIENT_HEURISTIC, "allow_heuristic");
    def = good;
    def.allow_heuristic = true;
    scene s = make(rosenbrock, 2, 2);
    double x[2];
    s.gradient = CQ_GRADIENT_HEURISTIC;
    CHECK(solve(&s, &def, x).evaluations == 30);
  }
  /* fixed steps follow any gradient */
  const cq_optimizer_def def = def_of(CQ_STEP_FIXED, 1e-3, 30);
  scene s = make(rosenbrock, 2, 2);
  double x[2];
  s.gradient = CQ_GRADIENT_HEURISTIC;
  CHECK(solve(&s, &def, x).evaluations == 30);
}

/* The same bits again. */
static void test_repeatable(void) {
  scene a = make(rosenbrock, 20, 2), b = make(rosenbrock, 20, 2);
  double x[2][MOST];
  const cq_optimizer_def def = def_of(CQ_STEP_BARZILAI_BORWEIN, 1e-3, 60);
  solve(&a, &def, x[0]);
  solve(&b, &def, x[1]);
  CHECK(memcmp(x[0], x[1], 20 * sizeof(double)) == 0 && a.calls == b.calls);
  CHECK(memcmp(a.x_log, b.x_log, sizeof a.x_log) == 0);
}

int main(void) {
  RUN(test_rosenbrock);
  RUN(test_quadratic);
  RUN(test_sufficient_decrease);
  RUN(test_negative_curvature);
  RUN(test_gradients_where_likely);
  RUN(test_first_step);
  RUN(test_overflow);
  RUN(test_bounds);
  RUN(test_honest_ends);
  RUN(test_refusals);
  RUN(test_repeatable);
  return TEST_RESULT();
}
