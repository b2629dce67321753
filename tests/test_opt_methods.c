/* Every method on problems with known answers: it reaches the optimum, or says that it did not. */
#include "test.h"
#include "test_opt_facts.h"
#include "test_opt_problems.h"

typedef struct outcome {
  cq_result result;
  double x[TP_MAX], multipliers[TP_MAX];
} outcome;

static outcome solve(tp *t, const cq_optimizer_def *def) {
  outcome o;
  memset(&o, 0, sizeof o);
  cq_ctx *ctx = cq_ctx_create(1, 7);
  const cq_problem problem = tp_problem(t);
  const cq_status status =
      cq_optimize(ctx, &problem, def, NULL, NULL, o.x, o.multipliers, &o.result);
  CHECK(status == o.result.status);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%zu bytes are still held", cq_ctx_bytes(ctx));
  CHECK(!t->saw_bad_x);
  CHECK(o.result.reason[0] != '\0');
  cq_ctx_destroy(ctx);
  return o;
}

static bool accepts(const char *name, const cq_problem *problem) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  const cq_status status = cq_optimizer_accepts(ctx, &def, problem);
  CHECK(status == CQ_OK || (status == CQ_CONFIG && strstr(cq_ctx_error(ctx), name) != NULL));
  cq_ctx_destroy(ctx);
  return status == CQ_OK;
}

/* what a learning rate does depends on the size of f */
static bool is_in_user_units(const char *name) {
  return strcmp(name, "gradient_descent") == 0 || strcmp(name, "adam") == 0;
}

static bool near(double f, const tp_case *test, double factor, double tolerance) {
  return fabs(f / factor - test->f) <= tolerance * (1 + fabs(test->f));
}

static cq_optimizer_def def_of(const char *name) {
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  def.max_evaluations = 3000;
  def.learning_rate = 1e-3;
  def.momentum = 0.9;
  def.optimality_tolerance = strstr(name, "LBFGS") || strstr(name, "SLSQP") ? 1e-5 : 1e-4;
  return def;
}

/* Rosenbrock's valley is too narrow for methods without second order: they may run out of budget
 * there, but not claim success. */
static bool is_slow(const char *name, const tp_case *test) {
  return strcmp(test->name, "rosenbrock") == 0 &&
         (strstr(name, "MMA") || strstr(name, "CCSAQ") || strstr(name, "COBYLA") ||
          strstr(name, "AUGLAG_EQ"));
}

/* Methods that search a box without a gradient find the place and not the digits; so do those whose
 * steps know of no dependence between variables. */
static bool is_rough(const char *name) {
  return !has_gradient(name) && (facts_of(name).box || strcmp(name, "sep_cmaes") == 0 ||
                                 strcmp(name, "one_plus_one_es") == 0);
}

static void test_known_optima(void) {
  const char *name = NULL;
  for (int i = 0; (name = cq_optimizer_name(i)) != NULL; i++) {
    CHECK(cq_optimizer_help(i) != NULL && cq_optimizer_help(i)[0] != '\0');
    for (int k = 0; k < TP_CASES; k++) {
      tp t = tp_make(&cq_closed_forms[k]);
      const cq_problem problem = tp_problem(&t);
      if (!accepts(name, &problem)) {
        continue;
      }
      cq_optimizer_def def = def_of(name);
      if (is_in_user_units(name)) {
        def.max_evaluations = 20000;
        def.gradient_tolerance = 1e-9;
      }
      const outcome o = solve(&t, &def);
      const char *what = cq_closed_forms[k].name;
      printf("  %-16s %-10s %4d evals  f = %-12.9g  %s\n", name, what, o.result.evaluations,
             o.result.f, o.result.reason);
      const bool slow = is_slow(name, t.test), rough = is_rough(name);
      if (strcmp(name, "random_smoothing") == 0) {
        double g[TP_MAX], c[TP_MAX], j[TP_MAX][TP_MAX];
        CHECK_MSG(o.result.status == CQ_BUDGET && o.result.f < t.test->eval(t.test->start, g, c, j),
                  "%s on %s: f = %g", name, what, o.result.f);
        continue; /* it draws about where it is, and never settles */
      }
      if (rough && t.test->n_equality > 0 && o.result.status == CQ_INFEASIBLE) {
        CHECK_MSG(o.result.violation < 0.1, "%s on %s violates by %g", name, what,
                  o.result.violation);
        continue; /* equalities are hit by nothing but luck */
      }
      CHECK_MSG(o.result.status == (has_gradient(name) ? CQ_OK : CQ_BUDGET) ||
                    (slow && o.result.status == CQ_BUDGET),
                "%s on %s: status %d", name, what, (int)o.result.status);
      CHECK_MSG(near(o.result.f, t.test, 1,
                     rough  ? 0.1
                     : slow ? 1e-2
                            : 1e-5),
                "%s on %s: f = %.12g, not %.12g", name, what, o.result.f, t.test->f);
      CHECK_MSG(o.result.violation <= 1e-6, "%s on %s violates by %g", name, what,
                o.result.violation);
      CHECK_MSG(t.repeated == 0, "%s on %s simulated one x twice in a row %d times", name, what,
                t.repeated);
      CHECK_MSG(has_gradient(name) || t.gradients == 0, "%s asked for a gradient", name);
    }
  }
}

/* f times any factor must give the same iterates up to rounding */
static void test_scale_invariance(void) {
  const double factors[] = {1e-8, 1e-4, 1e2, 1e6};
  const char *const problems[] = {"rosenbrock", "hs12", "hs43", "hs71", "hs76"};
  const char *name = NULL;
  for (int i = 0; (name = cq_optimizer_name(i)) != NULL; i++) {
    for (int k = 0; k < 5; k++) {
      tp reference = tp_make(tp_find(problems[k]));
      const cq_problem problem = tp_problem(&reference);
      if (!has_gradient(name) || is_in_user_units(name) || is_slow(name, reference.test) ||
          !accepts(name, &problem)) {
        continue;
      }
      const double tolerance = strstr(name, "MMA") || strstr(name, "CCSAQ") ? 2e-3 : 1e-4;
      const cq_optimizer_def def = def_of(name);
      const outcome a = solve(&reference, &def);
      for (int s = 0; s < 4; s++) {
        tp scaled = tp_make(reference.test);
        scaled.factor = factors[s];
        const outcome b = solve(&scaled, &def);
        CHECK_MSG(b.result.status == CQ_OK && near(b.result.f, scaled.test, factors[s], 1e-5),
                  "%s on %s times %g: f = %g, %s", name, problems[k], factors[s],
                  b.result.f / factors[s], b.result.reason);
        for (int j = 0; j < reference.test->n; j++) {
          CHECK_MSG(fabs(a.x[j] - b.x[j]) <= tolerance, "%s on %s times %g: x[%d] = %.9g, not %.9g",
                    name, problems[k], factors[s], j, b.x[j], a.x[j]);
        }
      }
    }
  }
}

/* Variables of very different sizes: scale makes them alike. Rosenbrock in x / s. */
static const double sizes[2] = {1e6, 1e-4};

static cq_status eval_stretched(void *data, const double *x, double *f, double *c, double *grad,
                                double *jac) {
  (void)c, (void)jac;
  const double y[2] = {x[0] / sizes[0], x[1] / sizes[1]};
  double g[2];
  ++*(int *)data;
  *f = tp_find("rosenbrock")->eval(y, g, NULL, NULL);
  for (int i = 0; grad != NULL && i < 2; i++) {
    grad[i] = g[i] / sizes[i];
  }
  return CQ_OK;
}

static void test_variable_scale(void) {
  const double lower[2] = {-2e6, -2e-4}, upper[2] = {2e6, 2e-4}, start[2] = {-1.2e6, 1e-4};
  const char *const names[] = {"LD_SLSQP", "LD_LBFGS", "LD_CCSAQ", "LN_COBYLA", "LN_NELDERMEAD"};
  for (int i = 0; i < 5; i++) {
    int calls = 0;
    const cq_problem problem = {.n = 2,
                                .lower = lower,
                                .upper = upper,
                                .start = start,
                                .scale = sizes,
                                .eval = eval_stretched,
                                .data = &calls};
    const cq_optimizer_def def = def_of(names[i]);
    double x[2];
    cq_result result;
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
    CHECK_MSG(fabs(result.f) < (has_gradient(names[i]) ? 1e-4 : 1e-2), "%s: f = %g, %s", names[i],
              result.f, result.reason);
    CHECK(calls <= result.evaluations + result.gradients);
    cq_ctx_destroy(ctx);
  }
}

/* Methods that are known to claim success from an infeasible start must not get away with it. */
static void test_infeasible_start(void) {
  const char *const names[] = {"LD_MMA", "LD_CCSAQ", "LD_SLSQP", "AUGLAG_CCSAQ", "AUGLAG_LBFGS"};
  for (int i = 0; i < 5; i++) {
    for (int s = 0; s < 6; s++) {
      tp_case test = *tp_find("hs43");
      for (int j = 0; j < 4; j++) {
        test.start[j] = (s + 1) * (j % 2 == 0 ? 2.0 : -1.5);
        test.lower[j] = -20;
        test.upper[j] = 20;
      }
      tp t = tp_make(&test);
      const cq_optimizer_def def = def_of(names[i]);
      const outcome o = solve(&t, &def);
      CHECK_MSG(o.result.status != CQ_OK || near(o.result.f, &test, 1, 1e-5),
                "%s from %d: a false success, f = %g: %s", names[i], s, o.result.f,
                o.result.reason);
      if (o.result.status != CQ_OK) {
        printf("  %-13s start %d: %s\n", names[i], s, o.result.reason);
      }
    }
  }
}

/* SLSQP passes iterates just outside the constraints whose f is lower than the optimum's: they must
 * not hide that it got there. */
static void test_optimum_before_lower_f(void) {
  for (int s = 0; s < 6; s++) {
    tp_case test = *tp_find("hs43");
    for (int j = 0; j < 4; j++) {
      test.start[j] = (s + 1) * (j % 2 == 0 ? 2.0 : -1.5);
    }
    tp t = tp_make(&test);
    cq_optimizer_def def = def_of("LD_SLSQP");
    def.optimality_tolerance = 3e-6;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_OK, "start %d: %s", s, o.result.reason);
  }
}

/* A loose ftol_rel makes CCSAQ claim convergence at points that are not stationary: restarts bring
 * it to the optimum of these convex problems; without them the run says what is missing. */
static void test_restarts(void) {
  const char *const problems[] = {"hs12", "hs43", "hs76"};
  int restarted = 0, refused = 0;
  for (int s = 0; s < 15; s++) {
    tp_case test = *tp_find(problems[s % 3]);
    for (int j = 0; j < test.n; j++) {
      test.lower[j] = fmax(test.lower[j], -20);
      test.upper[j] = fmin(test.upper[j], 20);
      test.start[j] = fmin(fmax(8 * sin(3.3 * s + j), test.lower[j]), test.upper[j]);
    }
    tp t = tp_make(&test);
    cq_optimizer_def def = def_of("LD_CCSAQ");
    def.ftol_rel = 1e-2;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_OK && near(o.result.f, &test, 1, 1e-3),
              "%s from start %d: f = %g: %s", test.name, s, o.result.f, o.result.reason);
    restarted += strstr(o.result.reason, "restart") != NULL;
    def.restarts = 0;
    const outcome once = solve(&t, &def);
    CHECK(once.result.evaluations <= o.result.evaluations);
    CHECK_MSG(once.result.status == CQ_OK || (once.result.status == CQ_NOT_STATIONARY &&
                                              strstr(once.result.reason, "KKT residual") != NULL &&
                                              strstr(once.result.reason, "restart") == NULL),
              "%s from start %d: %s", test.name, s, once.result.reason);
    refused += once.result.status != CQ_OK;
  }
  CHECK_MSG(restarted >= 3 && refused >= 3, "%d runs were restarted, %d claims refused", restarted,
            refused);
}

/* x0 <= -1 with bounds [0, 1]: nobody may call that solved. */
static double eval_impossible(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = 1;
  g[1] = 1;
  c[0] = x[0] + 1;
  j[0][0] = 1;
  j[0][1] = 0;
  return x[0] + x[1];
}

static void test_infeasible_problem(void) {
  const tp_case test = {"impossible", 2, 1, 0, {0, 0}, {1, 1}, {0.5, 0.5}, 0, eval_impossible};
  const char *const names[] = {"LD_MMA",       "LD_CCSAQ",     "LD_SLSQP",
                               "AUGLAG_CCSAQ", "AUGLAG_LBFGS", "LN_COBYLA"};
  for (int i = 0; i < 6; i++) {
    tp t = tp_make(&test);
    cq_optimizer_def def = def_of(names[i]);
    def.max_evaluations = 200;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_INFEASIBLE, "%s: %s", names[i], o.result.reason);
    CHECK_NEAR(o.result.violation, 1, 1e-6);
  }
}

/* An objective of 0 asks for a feasible point; any ftol_rel > 0 would end at the first step. */
static double eval_nothing(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double f = tp_find("hs43")->eval(x, g, c, j);
  memset(g, 0, 4 * sizeof *g);
  return 0 * f;
}

static void test_zero_objective(void) {
  tp_case test = *tp_find("hs43");
  test.eval = eval_nothing;
  for (int j = 0; j < 4; j++) {
    test.start[j] = 9;
  }
  const char *const names[] = {"LD_SLSQP", "AUGLAG_CCSAQ"};
  for (int i = 0; i < 2; i++) {
    tp t = tp_make(&test);
    cq_optimizer_def def = def_of(names[i]);
    def.ftol_rel = 1e-6;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_FLAT && o.result.violation <= 1e-6 &&
                  strstr(o.result.reason, "restart") == NULL,
              "%s: %s", names[i], o.result.reason);
  }
}

static void test_fixed_variables(void) {
  tp_case test = *tp_find("rosenbrock");
  test.lower[1] = test.upper[1] = 1;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    tp t = tp_make(&test);
    cq_optimizer_def def = def_of(cq_optimizer_name(i));
    if (facts_of(def.name).least_n > 1) {
      continue;
    }
    const outcome o = solve(&t, &def);
    CHECK(o.x[1] == 1);
    CHECK_MSG(o.result.f < (is_rough(def.name) ? 1e-2 : 1e-5) || fabs(o.result.f - 3.9909) < 1e-2,
              "%s: f = %g", def.name, o.result.f);
  }
  test.lower[0] = test.upper[0] = test.start[0];
  tp t = tp_make(&test);
  const cq_optimizer_def def = def_of("LD_SLSQP");
  const outcome o = solve(&t, &def);
  CHECK(o.result.status == CQ_OK && o.result.evaluations == 1 && o.x[0] == -1.2);
}

static void test_refusals(void) {
  tp t = tp_make(tp_find("hs71"));
  const cq_problem problem = tp_problem(&t);
  CHECK(!accepts("LD_MMA", &problem));
  CHECK(!accepts("gradient_descent", &problem));
  CHECK(!accepts("LD_LBFGS", &problem));
  CHECK(accepts("slsqp", &problem));
  CHECK(!accepts("slsq", &problem));
  cq_optimizer_def def = def_of("LD_LBFGS");
  const outcome o = solve(&t, &def);
  CHECK(o.result.status == CQ_CONFIG && !o.result.has_point && t.calls == 0);
  CHECK(strstr(o.result.reason, "AUGLAG_LBFGS") != NULL);
  def = (cq_optimizer_def){.name = "LD_SLSQP"};
  CHECK(solve(&t, &def).result.status == CQ_USAGE);
  tp_case outside = *t.test;
  outside.start[2] = 6;
  t.test = &outside;
  def = def_of("LD_SLSQP");
  CHECK(solve(&t, &def).result.status == CQ_CONFIG);
}

int main(void) {
  RUN(test_known_optima);
  RUN(test_scale_invariance);
  RUN(test_variable_scale);
  RUN(test_infeasible_start);
  RUN(test_optimum_before_lower_f);
  RUN(test_restarts);
  RUN(test_infeasible_problem);
  RUN(test_zero_objective);
  RUN(test_fixed_variables);
  RUN(test_refusals);
  return TEST_RESULT();
}
