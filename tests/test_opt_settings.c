/* What a run is refused for before anything is evaluated, and what it says of scaling, phases and
 * restarts. */
#include "test.h"
#include "test_opt_class.h"
#include "test_opt_problems.h"

static char log_text[20000];

static void keep(void *user, cq_log_level level, const char *line) {
  (void)user;
  const size_t used = strlen(log_text);
  snprintf(log_text + used, sizeof log_text - used, "%d %s\n", (int)level, line);
}

static cq_ctx *logged(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  log_text[0] = '\0';
  cq_ctx_set_log(ctx, keep, NULL);
  return ctx;
}

static cq_optimizer_def def_of(const char *name) {
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  return def;
}

static bool accepts(const cq_optimizer_def *def, const cq_problem *problem, const char *word) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_status status = cq_optimizer_accepts(ctx, def, problem);
  CHECK_MSG(status == CQ_OK || (status == CQ_CONFIG && strstr(cq_ctx_error(ctx), word) != NULL),
            "\"%s\" is not in: %s", word, cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
  return status == CQ_OK;
}

static void test_slsqp_is_refused(void) {
  chain p = chain_make(1000, 0, true, 1);
  cq_problem problem = chain_problem(&p);
  cq_optimizer_def def = def_of("LD_SLSQP");
  cq_result result;
  double *x = malloc(1000 * sizeof *x);
  cq_ctx *ctx = logged();
  CHECK(cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result) == CQ_CONFIG);
  CHECK(p.calls == 0 && result.evaluations == 0 && !result.has_point);
  const char *const words[] = {"1000 variables",        "1.7 s", "0.068 GB", "sqp", "LD_CCSAQ",
                               "optimizer.force = true"};
  for (int i = 0; i < 6; i++) {
    CHECK_MSG(strstr(result.reason, words[i]) != NULL, "no \"%s\" in: %s", words[i], result.reason);
  }
  problem.n = 300;
  CHECK(accepts(&def, &problem, ""));
  problem.n = 301;
  CHECK(!accepts(&def, &problem, "301"));
  p.lower[300] = p.upper[300] = 0; /* fixed variables cost nothing */
  CHECK(accepts(&def, &problem, ""));
  cq_ctx_destroy(ctx);
  free(x);
  chain_free(&p);
}

/* Names as people write them; each of the other words leads to a method that there is. */
static void test_names(void) {
  static const char *const same[][2] = {{"slsqp", "LD_SLSQP"},
                                        {"SLSQP", "LD_SLSQP"},
                                        {"ld_slsqp", "LD_SLSQP"},
                                        {"ipopt", "IPOPT"},
                                        {"lbfgs", "LD_LBFGS"},
                                        {"L-BFGS-B", "LD_LBFGS"},
                                        {"mma", "LD_MMA"},
                                        {"cma-es", "cmaes"},
                                        {"CMA_ES", "cmaes"},
                                        {"newuoa", "LN_NEWUOA_BOUND"},
                                        {"Auto", "auto"},
                                        {"nelder-mead", "LN_NELDERMEAD"},
                                        {"sep-CMA-ES", "sep_cmaes"},
                                        {"(1+1)-ES", "one_plus_one_es"},
                                        {"Adam", "adam"}};
  static const char *const meant[][2] = {{"sgd", "gradient_descent"}, {"bfgs", "LD_LBFGS"},
                                         {"slspq", "LD_SLSQP"},       {"ipot", "IPOPT"},
                                         {"newton", "LD_TNEWTON"},    {"adm", "adam"}};
  char text[200], wanted[80];
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    CHECK_STR(cq_optimizer_canonical(same[i][0]), same[i][1]);
  }
  for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++) {
    CHECK(cq_optimizer_canonical(meant[i][0]) == NULL);
    cq_optimizer_suggest(meant[i][0], text, sizeof text);
    snprintf(wanted, sizeof wanted, "did you mean \"%s\"?", meant[i][1]);
    CHECK_STR(text, wanted);
  }
  cq_optimizer_suggest("xyzzy", text, sizeof text);
  CHECK_STR(text, "'cqopt list optimizers' names them");
  CHECK(cq_optimizer_canonical(NULL) == NULL && cq_optimizer_canonical("") == NULL);
  const char *name = NULL;
  for (int i = 0; cq_optimizer_word(i, &name) != NULL; i++) {
    CHECK_STR(cq_optimizer_canonical(name), name);
  }
}

static void test_more_variables(void) {
  chain p = chain_make(400, 0, true, 1);
  const cq_problem problem = chain_problem(&p);
  const cq_optimizer_def def = def_of("CMA-ES");
  CHECK(!accepts(&def, &problem,
                 "cmaes gets nowhere with 400 variables (300 at most are sensible); use sep_cmaes, "
                 "which takes more, or one of "));
  chain_free(&p);
}

static void test_slsqp_is_forced(void) {
  chain p = chain_make(301, 0, true, 1);
  const cq_problem problem = chain_problem(&p);
  cq_optimizer_def def = def_of("LD_SLSQP");
  cq_result result;
  double x[301];
  def.force = true;
  def.max_evaluations = 1;
  cq_ctx *ctx = logged();
  CHECK(cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result) != CQ_CONFIG);
  CHECK(p.calls == 1 && strstr(log_text, "1 LD_SLSQP on 301 variables") != NULL);
  cq_ctx_destroy(ctx);
  chain_free(&p);
  p = chain_make(15001, 0, true, 1);
  const cq_problem large = chain_problem(&p);
  CHECK(!accepts(&def, &large, "limit 15000"));
  chain_free(&p);
}

/* For each kind of gradient, who takes it. */
static void test_gradient_kinds(void) {
  tp t = tp_make(tp_find("rosenbrock"));
  cq_problem problem = tp_problem(&t);
  int exact = 0, by_gradient = 0;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const cq_optimizer_facts facts = cq_optimizer_facts_of(i);
    cq_optimizer_def def = def_of(cq_optimizer_name(i));
    CHECK(facts.needs_gradient || !facts.needs_exact_gradient);
    exact += facts.needs_exact_gradient;
    by_gradient += facts.needs_gradient;
    if (facts.missing != NULL) {
      CHECK(!accepts(&def, &problem, facts.missing));
      continue;
    }
    problem.gradient = CQ_GRADIENT_EXACT_TANGENT;
    CHECK(accepts(&def, &problem, ""));
    problem.gradient = CQ_GRADIENT_DIFFERENCE;
    CHECK(accepts(&def, &problem, ""));
    problem.gradient = CQ_GRADIENT_NONE;
    CHECK(accepts(&def, &problem, "needs a gradient") == !facts.needs_gradient);
    problem.gradient = CQ_GRADIENT_HEURISTIC;
    CHECK(accepts(&def, &problem, "allow_heuristic") == !facts.needs_exact_gradient);
    def.allow_heuristic = true;
    CHECK(accepts(&def, &problem, ""));
  }
  CHECK(exact == 18 && by_gradient > exact);
  CHECK(cq_optimizer_facts_of(-1).good_n == NULL && !cq_optimizer_facts_of(1000).bounds);
  cq_optimizer_def def = def_of("LD_LBFGS");
  cq_result result;
  double x[2];
  cq_ctx *ctx = logged();
  CHECK(cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result) == CQ_CONFIG &&
        t.calls == 0);
  cq_ctx_destroy(ctx);
}

static cq_result solve(const char *problem_name, const cq_optimizer_def *def) {
  tp t = tp_make(tp_find(problem_name));
  const cq_problem problem = tp_problem(&t);
  double x[TP_MAX];
  cq_result result;
  cq_ctx *ctx = logged();
  cq_optimize(ctx, &problem, def, NULL, NULL, x, NULL, &result);
  CHECK(result.status != CQ_CONFIG || t.calls == 0);
  cq_ctx_destroy(ctx);
  return result;
}

/* HS 76 starts where f' = (-0.5, -2.5, 1.5, 0), rows of c have inf-norms 2, 3, 4 and c = -2.5,
 * -1.5, -1. */
static void test_scaling_is_said(void) {
  cq_optimizer_def def = def_of("LD_SLSQP");
  CHECK(solve("hs76", &def).status == CQ_OK);
  CHECK_MSG(strstr(log_text, "0 scaling: objective / 2.5, constraints / 2.5 3 4, variables as they "
                             "are\n") != NULL,
            "%s", log_text);
  const double one[1] = {7}, three[3] = {1, 20, 300};
  def.objective_scale = 0.25;
  def.constraint_scale = one;
  def.n_constraint_scale = 1;
  CHECK(solve("hs76", &def).status == CQ_OK);
  CHECK(strstr(log_text, "objective / 0.25, constraints / 7 7 7,") != NULL);
  def.constraint_scale = three;
  def.n_constraint_scale = 3;
  CHECK(solve("hs76", &def).status == CQ_OK);
  CHECK(strstr(log_text, "objective / 0.25, constraints / 1 20 3e+02,") != NULL);
  def.scaling = CQ_SCALING_NONE;
  CHECK(solve("hs76", &def).status == CQ_OK);
  CHECK(strstr(log_text, "objective / 1, constraints / 1 1 1, variables as they are") != NULL);
}

static void test_wrong_scales(void) {
  const double scales[4] = {1, 2, 3, 4}, negative[1] = {-1}, infinite[1] = {INFINITY};
  cq_optimizer_def def = def_of("LD_SLSQP");
  const struct {
    const double *values;
    int n;
  } wrong[] = {{scales, 2}, {scales, 4}, {negative, 1}, {infinite, 1}};
  for (int i = 0; i < 4; i++) {
    def.constraint_scale = wrong[i].values;
    def.n_constraint_scale = wrong[i].n;
    const cq_result result = solve("hs76", &def);
    CHECK(result.status == CQ_CONFIG);
    CHECK_MSG(strstr(result.reason, "optimizer.constraint_scale") != NULL, "%s", result.reason);
  }
  def.constraint_scale = scales;
  def.n_constraint_scale = 1;
  CHECK(strstr(solve("rosenbrock", &def).reason, "no constraints") != NULL);
  def.n_constraint_scale = 0;
  def.objective_scale = 0;
  const cq_result result = solve("hs76", &def);
  CHECK(result.status == CQ_CONFIG && strstr(result.reason, "optimizer.objective_scale") != NULL);
  def = def_of("LD_SLSQP");
  def.restarts = -1;
  CHECK(solve("hs76", &def).status == CQ_CONFIG);
}

/* Variables in units of 1000: with CQ_SCALING_NONE the method sees them as they are. */
static void test_variable_units(void) {
  tp t = tp_make(tp_find("rosenbrock"));
  cq_problem problem = tp_problem(&t);
  const double scale[2] = {1e-3, 5};
  cq_optimizer_def def = def_of("LD_LBFGS");
  double x[2];
  cq_result result;
  problem.scale = scale;
  cq_ctx *ctx = logged();
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
  CHECK_MSG(strstr(log_text, "variables by their scale (0.001 .. 5)") != NULL, "%s", log_text);
  cq_ctx_destroy(ctx);
}

static void test_phases_are_said(void) {
  chain p = chain_make(100, 0, false, 1);
  const cq_problem problem = chain_problem(&p);
  cq_result result;
  double x[100];
  const cq_optimizer_def def = def_of("LD_CCSAQ");
  cq_ctx *ctx = logged();
  CHECK(cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result) == CQ_OK);
  CHECK(strstr(log_text, "0 LD_CCSAQ must start feasible") != NULL);
  CHECK(strstr(log_text, "0 feasible after ") != NULL);
  cq_ctx_destroy(ctx);
  chain_free(&p);
  cq_optimizer_def loose = def_of("AUGLAG_CCSAQ");
  loose.ftol_rel = 1e-2;
  CHECK(solve("hs43", &loose).status == CQ_OK);
  CHECK_MSG(strstr(log_text, "0 restart 1 of 20 at the best point") != NULL &&
                (strstr(log_text, "KKT residual") != NULL || strstr(log_text, "violation") != NULL),
            "%s", log_text);
}

int main(void) {
  RUN(test_names);
  RUN(test_more_variables);
  RUN(test_slsqp_is_refused);
  RUN(test_slsqp_is_forced);
  RUN(test_gradient_kinds);
  RUN(test_scaling_is_said);
  RUN(test_wrong_scales);
  RUN(test_variable_units);
  RUN(test_phases_are_said);
  return TEST_RESULT();
}
