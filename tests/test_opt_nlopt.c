/* NLopt's algorithms: which are there, what is refused before the first evaluation, and that those
 * that search a box find the lowest of several minima. */
#include "test.h"
#include "test_opt_facts.h"
#include "test_opt_problems.h"

#include <nlopt.h>

/* not offered, or under another name with a local method (opt/nlopt_methods.c says why) */
static const char *const missing[] = {"LN_NEWUOA",        "GN_ORIG_DIRECT", "GN_ORIG_DIRECT_L",
                                      "GN_AGS",           "GD_STOGO",       "GD_STOGO_RAND",
                                      "LD_LBFGS_NOCEDAL", "LD_AUGLAG",      "AUGLAG",
                                      "AUGLAG_EQ",        "G_MLSL",         "G_MLSL_LDS"};

static bool is_missing(const char *name) {
  for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
    if (strcmp(missing[i], name) == 0) {
      return true;
    }
  }
  return false;
}

static void test_all_are_there(void) {
  for (int a = 0; a < NLOPT_NUM_ALGORITHMS; a++) {
    const char *name = nlopt_algorithm_to_string((nlopt_algorithm)a);
    const bool there = facts_of(name).bounds;
    CHECK_MSG(there != is_missing(name), "%s %s", name, there ? "is there" : "is not there");
  }
}

/* Six-hump camel back: six minima, the lowest -1.0316 twice. */
static double camel(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  (void)c, (void)j;
  const double a = x[0] * x[0], b = x[1] * x[1];
  g[0] = 8 * x[0] - 8.4 * a * x[0] + 2 * a * a * x[0] + x[1];
  g[1] = x[0] - 8 * x[1] + 16 * b * x[1];
  return (4 - 2.1 * a + a * a / 3) * a + x[0] * x[1] + (-4 + 4 * b) * b;
}

static const double camel_lowest = -1.0316284535, camel_here = -0.2154638244;

/* the start is beside another minimum */
static const tp_case camel_case = {"camel", 2, 0, 0, {-3, -2}, {3, 2}, {1.6, -0.7}, 0, camel};

static cq_result run(const char *name, uint64_t seed, double *x) {
  tp t = tp_make(&camel_case);
  const cq_problem problem = tp_problem(&t);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  def.max_evaluations = 2000;
  cq_ctx *ctx = cq_ctx_create(1, seed);
  cq_result result;
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
  CHECK(!t.saw_bad_x && cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

static void test_lowest_minimum(void) {
  int searched = 0;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *name = cq_optimizer_name(i);
    double x[2], again[2];
    if (!facts_of(name).box) {
      continue;
    }
    for (uint64_t seed = 1; seed <= 3; seed++) {
      const cq_result r = run(name, seed, x);
      printf("  %-24s f = %.9f after %d: %s\n", name, r.f, r.evaluations, r.reason);
      CHECK_MSG(fabs(r.f - camel_lowest) < 5e-2, "%s: f = %.9g", name, r.f);
      CHECK_MSG(r.status == (has_gradient(name) ? CQ_OK : CQ_BUDGET), "%s: %s", name, r.reason);
      const cq_result same = run(name, seed, again);
      CHECK_MSG(memcmp(x, again, sizeof x) == 0 && same.evaluations == r.evaluations,
                "%s: another run with the same seed", name);
    }
    searched++;
  }
  CHECK(searched == 15);
  double x[2];
  const cq_result local = run("LD_LBFGS", 1, x);
  CHECK(local.status == CQ_OK);
  CHECK_NEAR(local.f, camel_here, 1e-6);
}

static const char *refused(const char *name, const cq_problem *problem, int budget) {
  static char text[400];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  def.max_evaluations = budget;
  snprintf(text, sizeof text, "taken");
  if (cq_optimizer_accepts(ctx, &def, problem) != CQ_OK) {
    snprintf(text, sizeof text, "%s", cq_ctx_error(ctx));
  }
  cq_ctx_destroy(ctx);
  return text;
}

static void test_needs(void) {
  enum { MANY = 400 };
  static double lower[MANY], upper[MANY], start[MANY];
  for (int j = 0; j < MANY; j++) {
    lower[j] = -1;
    upper[j] = 1;
  }
  tp t = tp_make(&camel_case);
  cq_problem p = tp_problem(&t);
  p.lower = lower;
  p.upper = upper;
  p.start = start;
  CHECK_STR(refused("GN_DIRECT_L", &p, 10), "taken");
  CHECK_STR(refused("GN_DIRECT_L", &p, 0),
            "GN_DIRECT_L may search for ever; set optimizer.max_evaluations, max_simulations, "
            "max_time or stagnation");
  upper[1] = INFINITY;
  CHECK_STR(refused("GN_CRS2_LM", &p, 10),
            "GN_CRS2_LM searches a box, and variable 1 has an infinite bound; give both bounds, or "
            "use one of LD_SLSQP, sqp, LD_MMA, LD_CCSAQ, LD_LBFGS, AUGLAG_LBFGS");
  CHECK_STR(refused("LN_BOBYQA", &p, 10), "taken");
  upper[1] = -1;
  start[1] = -1;
  p.gradient = CQ_GRADIENT_NONE;
  CHECK_STR(refused("LN_BOBYQA", &p, 10),
            "LN_BOBYQA needs at least 2 variables that are free to move (the problem has 1); use "
            "one of LN_COBYLA, LN_NELDERMEAD, cmaes, sep_cmaes, ipop_cmaes, bipop_cmaes");
  CHECK_STR(refused("LD_TNEWTON", &p, 10),
            "LD_TNEWTON needs a gradient and this problem has none; use one of LN_COBYLA, "
            "LN_NELDERMEAD, cmaes, sep_cmaes, ipop_cmaes, bipop_cmaes");
  upper[1] = 1;
  p.n = MANY;
  p.gradient = CQ_GRADIENT_EXACT_TANGENT;
  CHECK_STR(refused("GN_ESCH", &p, 10),
            "GN_ESCH gets nowhere with 400 variables (200 at most are sensible); use one of sqp, "
            "LD_MMA, LD_CCSAQ, LD_LBFGS, AUGLAG_LBFGS, AUGLAG_CCSAQ, or optimizer.force = true");
  tp e = tp_make(tp_find("hs71"));
  const cq_problem equal = tp_problem(&e);
  CHECK_STR(
      refused("GN_DIRECT", &equal, 10),
      "GN_DIRECT cannot take inequality constraints (the problem has 1); use one of LD_SLSQP, "
      "sqp, AUGLAG_LBFGS, AUGLAG_CCSAQ, LN_COBYLA, LN_AUGLAG");
  CHECK_STR(refused("GN_ISRES", &equal, 10), "taken");
}

int main(void) {
  RUN(test_all_are_there);
  RUN(test_lowest_minimum);
  RUN(test_needs);
  return TEST_RESULT();
}
