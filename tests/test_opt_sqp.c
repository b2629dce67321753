/* sqp where it is hard: curved constraints, linear ones that contradict each other, failures,
 * noise, many equalities, many variables. */
#include "test.h"
#include "test_opt_class.h"
#include "test_opt_facts.h"
#include "test_opt_problems.h"

static cq_result solve(const char *name, const cq_problem *problem, cq_failure_policy policy,
                       double *x) {
  cq_result result;
  cq_optimizer_def def = cq_optimizer_default();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  def.name = name;
  def.on_failure = policy;
  cq_optimize(ctx, problem, &def, NULL, NULL, x, NULL, &result);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

#define FREE                                                                                       \
  {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {                                                  \
    INFINITY, INFINITY, INFINITY, INFINITY                                                         \
  }

/* Maratos: a whole step leaves the circle by what the objective gains. */
static double eval_maratos(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  c[0] = x[0] * x[0] + x[1] * x[1] - 1;
  for (int i = 0; i < 2; i++) {
    g[i] = 4 * x[i] - (i == 0);
    j[0][i] = 2 * x[i];
  }
  return 2 * c[0] - x[0];
}

/* At x_0 = 0.1 the linear constraint holds nowhere within the bounds. */
static double eval_contrary(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  c[0] = x[0] * x[0] + x[1] - 1;
  g[0] = 2 * (x[0] - 2);
  g[1] = 2 * x[1];
  j[0][0] = 2 * x[0];
  j[0][1] = 1;
  return (x[0] - 2) * (x[0] - 2) + x[1] * x[1];
}

/* Nothing satisfies both; the least sum of violations is 1 on -1 <= x_0 <= 0 ... */
static double eval_impossible(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  c[0] = x[0] * x[0] - x[1] + 1;
  c[1] = x[1] + 1;
  g[0] = 2 * x[0];
  g[1] = 0;
  j[0][0] = 2 * x[0];
  j[0][1] = -1;
  j[1][0] = 0;
  j[1][1] = 1;
  return x[0] * x[0];
}

static void test_curved(void) {
  const tp_case test = {"maratos", 2, 0, 1, FREE, {0.6967067, 0.7173561}, -1, eval_maratos};
  tp t = tp_make(&test);
  const cq_problem problem = tp_problem(&t);
  double x[2];
  const cq_result r = solve("sqp", &problem, CQ_FAILURE_ABORT, x);
  CHECK_MSG(r.status == CQ_OK && fabs(r.f + 1) < 1e-6, "f = %.9g: %s", r.f, r.reason);
  CHECK_MSG(r.evaluations <= 15, "%d evaluations", r.evaluations);
}

static void test_contrary(void) {
  const tp_case test = {"contrary", 2, 0, 1, {0, 0}, {1.2, 0.1}, {0.1, 0}, 1, eval_contrary};
  tp t = tp_make(&test);
  const cq_problem problem = tp_problem(&t);
  double x[2];
  const cq_result r = solve("sqp", &problem, CQ_FAILURE_ABORT, x);
  CHECK_MSG(r.status == CQ_OK && fabs(r.f - 1) < 1e-5, "f = %.9g: %s", r.f, r.reason);
  CHECK_MSG(r.evaluations <= 15, "%d evaluations", r.evaluations);
}

static void test_impossible(void) {
  const tp_case test = {"impossible", 2, 2, 0, {-9, -9}, {9, 9}, {3, 2}, 0, eval_impossible};
  tp t = tp_make(&test);
  const cq_problem problem = tp_problem(&t);
  double x[2];
  const cq_result r = solve("sqp", &problem, CQ_FAILURE_ABORT, x);
  CHECK_MSG(r.status == CQ_INFEASIBLE && strstr(r.reason, "minimum above 0") != NULL, "%s",
            r.reason);
  CHECK_MSG(r.evaluations < 200, "%d evaluations", r.evaluations);
}

/* The chain problem, with what a simulator may add to it: failures beyond a surface that the
 * optimum does not touch, noise in the last digits. */
typedef struct rough {
  chain p;
  double edge, noise;
  uint64_t state;
  int failed;
} rough;

static cq_status eval_rough(void *data, const double *x, double *f, double *c, double *grad,
                            double *jac) {
  rough *r = data;
  for (int i = 0; i < r->p.n; i++) {
    if (fabs(x[i] - r->p.start[i]) > r->edge) {
      r->failed++;
      return CQ_OUT_OF_ROOM;
    }
  }
  chain_eval(&r->p, x, f, c, grad, jac);
  *f *= 1 + r->noise * chain_random(&r->state);
  for (int i = 0; grad != NULL && i < r->p.n; i++) {
    grad[i] *= 1 + r->noise * chain_random(&r->state);
  }
  return CQ_OK;
}

static void test_rough(void) {
  enum { SIZE = 400 };
  double exact[SIZE], x[SIZE];
  for (int k = 0; k < 6; k++) {
    chain p = chain_make(SIZE, k, false, 1);
    cq_problem problem = chain_problem(&p);
    const cq_result best = solve("sqp", &problem, CQ_FAILURE_ABORT, exact);
    double far = 0;
    for (int i = 0; i < SIZE; i++) {
      far = fmax(far, fabs(exact[i] - p.start[i]));
    }
    rough r = {.p = p, .edge = k % 2 == 0 ? 1.001 * far : INFINITY, .noise = k % 3 == 0 ? 0 : 1e-8};
    problem.eval = eval_rough;
    problem.data = &r;
    const cq_failure_policy policy = k % 2 == 0 ? CQ_FAILURE_PENALTY : CQ_FAILURE_INFEASIBLE;
    const cq_result result = solve("sqp", &problem, policy, x);
    printf("  edge %-8.4g noise %-6g %3d evaluations (%d without), %d failed: %s\n", r.edge,
           r.noise, result.evaluations, best.evaluations, result.failures, result.reason);
    CHECK(best.status == CQ_OK && result.status == CQ_OK);
    CHECK(result.f < best.f * (1 + 1e-5) && result.failures == r.failed);
    CHECK_MSG(result.evaluations <= 3 * best.evaluations, "%d evaluations, %d without",
              result.evaluations, best.evaluations);
    chain_free(&p);
  }
}

/* sum of (x_i - t_i)^2 with 20 equalities: each block of variables keeps a sphere's radius. */
enum { MANY = 1000, EQUALITIES = 20 };

static cq_status eval_spheres(void *data, const double *x, double *f, double *c, double *grad,
                              double *jac) {
  const double *t = data;
  *f = 0;
  for (int i = 0; i < EQUALITIES; i++) {
    c[i] = -1;
  }
  if (jac != NULL) {
    memset(jac, 0, (size_t)EQUALITIES * MANY * sizeof *jac);
  }
  for (int i = 0; i < MANY; i++) {
    const int block = i % EQUALITIES;
    *f += (x[i] - t[i]) * (x[i] - t[i]);
    c[block] += x[i] * x[i];
    if (grad != NULL) {
      grad[i] = 2 * (x[i] - t[i]);
      jac[block * MANY + i] = 2 * x[i];
    }
  }
  return CQ_OK;
}

static void test_many_equalities(void) {
  double t[MANY], lower[MANY], upper[MANY], start[MANY], x[MANY], square[EQUALITIES] = {0};
  uint64_t state = 11;
  double expected = 0;
  for (int i = 0; i < MANY; i++) {
    t[i] = chain_random(&state);
    start[i] = 0.3 * t[i] + 0.05 * chain_random(&state);
    lower[i] = -3;
    upper[i] = 3;
    square[i % EQUALITIES] += t[i] * t[i];
  }
  for (int i = 0; i < EQUALITIES; i++) {
    expected += pow(sqrt(square[i]) - 1, 2);
  }
  const cq_problem problem = {.n = MANY,
                              .n_equality = EQUALITIES,
                              .lower = lower,
                              .upper = upper,
                              .start = start,
                              .eval = eval_spheres,
                              .data = t};
  const cq_result r = solve("sqp", &problem, CQ_FAILURE_ABORT, x);
  CHECK_MSG(r.status == CQ_OK && fabs(r.f - expected) < 1e-4 * expected, "f = %.9g, not %.9g: %s",
            r.f, expected, r.reason);
  CHECK_MSG(r.evaluations <= 30, "%d evaluations", r.evaluations);
}

/* No more than twice the evaluations of IPOPT, or than it took where there is no IPOPT. */
static void test_counts(void) {
  enum { SIZE = 3000, USUAL = 18 };
  const bool there = facts_of("IPOPT").missing == NULL;
  double *x = malloc(SIZE * sizeof *x);
  for (int k = 0; k < 2; k++) {
    chain p = chain_make(SIZE, k, k == 0, 1);
    const cq_problem problem = chain_problem(&p);
    const cq_result own = solve("sqp", &problem, CQ_FAILURE_ABORT, x);
    const cq_result other = there ? solve("IPOPT", &problem, CQ_FAILURE_ABORT, x) : own;
    printf("  n = %d: sqp %d evaluations, IPOPT %d\n", (int)SIZE, own.evaluations,
           there ? other.evaluations : 0);
    CHECK(own.status == CQ_OK && other.status == CQ_OK);
    CHECK(own.evaluations <= 2 * (there ? other.evaluations : USUAL));
    CHECK(own.f < other.f * (1 + 1e-6));
    chain_free(&p);
  }
  free(x);
}

static void test_is_chosen(void) {
  for (int k = 0; k < 2; k++) {
    chain p = chain_make(k == 0 ? 300 : 301, 1, true, 1);
    const cq_problem problem = chain_problem(&p);
    double x[301];
    const char *name = k == 0 ? "LD_SLSQP" : "sqp";
    CHECK_STR(cq_optimizer_for("auto", &problem), name);
    const cq_result r = solve("auto", &problem, CQ_FAILURE_ABORT, x);
    CHECK_MSG(r.status == CQ_OK && strstr(r.reason, name) != NULL, "%s", r.reason);
    chain_free(&p);
  }
}

int main(void) {
  RUN(test_curved);
  RUN(test_contrary);
  RUN(test_impossible);
  RUN(test_rough);
  RUN(test_many_equalities);
  RUN(test_counts);
  RUN(test_is_chosen);
  return TEST_RESULT();
}
