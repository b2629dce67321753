/* A feasible point first, whatever the objective is, and constraints with a margin. */
#include "test.h"
#include "test_opt_problems.h"

static const char *const methods[] = {"LD_SLSQP",     "LD_MMA", "LD_CCSAQ", "AUGLAG_LBFGS",
                                      "AUGLAG_CCSAQ", "IPOPT",  "sqp",      "LN_COBYLA"};

enum { N_METHODS = 8, MOST = 4000 };

static bool has(const char *name) {
  tp t = tp_make(tp_find("hs43"));
  const cq_problem problem = tp_problem(&t);
  cq_optimizer_def def = cq_optimizer_default();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  def.name = name;
  const bool here = cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK;
  if (!here) {
    printf("  skipped: %s\n", cq_ctx_error(ctx));
  }
  cq_ctx_destroy(ctx);
  return here;
}

/* what a run asked for until it had a feasible point */
typedef struct diary {
  int count, feasible; /* evaluations, the first feasible one (0: none) */
  double first[MOST];  /* x_0 of each */
  double last_c;       /* c_0 of the last */
} diary;

static cq_status note(void *user, const cq_evaluation *e) {
  diary *d = user;
  if (e->index > d->count && d->count < MOST) {
    d->first[d->count++] = e->x[0];
  }
  d->last_c = e->c != NULL ? e->c[0] : 0;
  if (d->feasible == 0 && e->violation <= 1e-6) {
    d->feasible = e->index;
  }
  return CQ_OK;
}

static cq_result solve(const cq_problem *problem, const cq_optimizer_def *def, diary *d,
                       double *x) {
  cq_result result;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  *d = (diary){0};
  cq_optimize(ctx, problem, def, note, d, x, NULL, &result);
  cq_ctx_destroy(ctx);
  return result;
}

static double sign;

static double eval_signed(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double f = tp_find("hs43")->eval(x, g, c, j);
  for (int i = 0; i < 4; i++) {
    g[i] *= sign;
  }
  return sign * f;
}

/* HS 43 from far outside */
static tp_case far_case(void) {
  tp_case test = *tp_find("hs43");
  for (int i = 0; i < 4; i++) {
    test.start[i] = 4 - i;
    test.lower[i] = -20;
    test.upper[i] = 20;
  }
  test.eval = eval_signed;
  return test;
}

/* Until a feasible point is found f and -f make the same run; then f is minimised. */
static void test_objective_waits(void) {
  const tp_case test = far_case();
  for (int i = 0; i < N_METHODS; i++) {
    cq_optimizer_def def = cq_optimizer_default();
    static diary up, down;
    double x[4];
    def.name = methods[i];
    def.max_evaluations = MOST;
    def.phases = CQ_PHASES_FEASIBILITY_FIRST;
    def.xtol_rel = strcmp(def.name, "LN_COBYLA") == 0 ? 1e-9 : 0;
    if (!has(def.name)) {
      continue;
    }
    tp t = tp_make(&test);
    const cq_problem problem = tp_problem(&t);
    sign = -1;
    solve(&problem, &def, &down, x);
    sign = 1;
    const cq_result result = solve(&problem, &def, &up, x);
    printf("  %-13s feasible after %d evaluations, %d in all: %s\n", def.name, up.feasible,
           result.evaluations, result.reason);
    CHECK(up.feasible > 1 && up.feasible == down.feasible);
    int same = 0;
    while (same < up.count && same < down.count && up.first[same] == down.first[same]) {
      same++;
    }
    CHECK_MSG(same >= up.feasible && same < result.evaluations,
              "%s: %d evaluations do not depend on f, %d until one is feasible", def.name, same,
              up.feasible);
    CHECK_MSG(fabs(result.f + 44) < 44e-4, "%s: f = %.9g", def.name, result.f);
    CHECK(result.status == CQ_OK || strcmp(def.name, "LN_COBYLA") == 0);
  }
}

/* x_0 = 3 is outside of x_0^2 <= 1 within bounds that hold no feasible point, or few */
static double eval_disk(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  c[0] = x[0] * x[0] + x[1] * x[1] - 1;
  for (int i = 0; i < 2; i++) {
    g[i] = 1;
    j[0][i] = 2 * x[i];
  }
  return x[0] + x[1];
}

static void test_no_feasible_point(void) {
  const tp_case test = {"disk", 2, 1, 0, {2, -1}, {4, 4}, {3, 3}, 0, eval_disk};
  for (int i = 0; i < 2 * N_METHODS; i++) {
    cq_optimizer_def def = cq_optimizer_default();
    static diary d;
    double x[2];
    def.name = methods[i / 2];
    def.max_evaluations = MOST;
    def.phases = CQ_PHASES_FEASIBILITY_FIRST;
    def.feasibility_evaluations = i % 2 == 0 ? 60 : 2;
    if (!has(def.name)) {
      continue;
    }
    tp t = tp_make(&test);
    const cq_problem problem = tp_problem(&t);
    const cq_result result = solve(&problem, &def, &d, x);
    CHECK_MSG(result.status == CQ_INFEASIBLE && result.evaluations <= def.feasibility_evaluations,
              "%s: %s", def.name, result.reason);
    CHECK_MSG(i % 2 == 0 || strstr(result.reason, "feasibility_evaluations = 2 reached"), "%s: %s",
              def.name, result.reason);
    CHECK_MSG(i % 2 == 1 || result.violation < 3.1, "%s ends with a violation of %g", def.name,
              result.violation);
  }
}

/* On the disk the optimum is at -1/sqrt(2) (1, 1), with a margin the radius is sqrt(1 - margin). A
 * verified answer is that of some margin up to the one that was asked for. */
static void test_margin(void) {
  const tp_case test = {"disk", 2, 1, 0, {-4, -4}, {4, 4}, {3, 2}, 0, eval_disk};
  for (int i = 0; i < 2 * N_METHODS; i++) {
    cq_optimizer_def def = cq_optimizer_default();
    static diary d;
    double x[2];
    def.name = methods[i / 2];
    def.constraint_margin = 0.19;
    def.verify = CQ_VERIFY_RESIDUAL; /* the last point is to be the method's */
    def.xtol_rel = strcmp(def.name, "LN_COBYLA") == 0 ? 1e-9 : 0;
    def.phases = (cq_phases)(i % 2);
    if (!has(def.name)) {
      continue;
    }
    tp t = tp_make(&test);
    const cq_problem problem = tp_problem(&t);
    const cq_result result = solve(&problem, &def, &d, x);
    CHECK_MSG(result.f < -0.9 * sqrt(2) + 1e-4 && result.f > -sqrt(2) - 1e-6, "%s: f = %.9g: %s",
              def.name, result.f, result.reason);
    CHECK(result.status == CQ_OK || strcmp(def.name, "LN_COBYLA") == 0);
    CHECK(d.last_c > -0.19 - 1e-4 && (d.last_c < -0.19 + 1e-4 || strcmp(def.name, "sqp") == 0));
  }
}

static void test_refusals(void) {
  cq_optimizer_def def = cq_optimizer_default();
  static diary d;
  double x[4];
  tp t = tp_make(tp_find("rosenbrock"));
  const cq_problem problem = tp_problem(&t);
  def.phases = CQ_PHASES_FEASIBILITY_FIRST;
  cq_result result = solve(&problem, &def, &d, x);
  CHECK(result.status == CQ_CONFIG && strstr(result.reason, "no constraints") != NULL);
  def.phases = CQ_PHASES_TOGETHER;
  def.constraint_margin = 1e-3;
  result = solve(&problem, &def, &d, x);
  CHECK(result.status == CQ_CONFIG && strstr(result.reason, "constraint_margin") != NULL);
  def.constraint_margin = -1;
  CHECK(solve(&problem, &def, &d, x).status == CQ_CONFIG);
  CHECK(t.calls == 0);
}

int main(void) {
  RUN(test_objective_waits);
  RUN(test_no_feasible_point);
  RUN(test_margin);
  RUN(test_refusals);
  return TEST_RESULT();
}
