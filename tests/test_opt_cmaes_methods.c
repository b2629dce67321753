/* The methods made of CMA-ES as a user has them: restarts, constraints, failures, scales, seeds. */
#include "test.h"

#include "cqopt/optimizer.h"

enum { MOST = 10 };

typedef struct problem {
  int n, m;
  double low, high, start, factor, scale; /* 0: 1 */
  double (*f)(const double *x, int n, double *c);
  int calls;
  uint64_t seed;
  double x[MOST];
  cq_result result;
} problem;

static double sphere(const double *x, int n, double *c) {
  double sum = 0;
  (void)c;
  for (int j = 0; j < n; j++) {
    sum += x[j] * x[j];
  }
  return sum;
}

static double rastrigin(const double *x, int n, double *c) {
  double sum = 0;
  (void)c;
  for (int j = 0; j < n; j++) {
    sum += x[j] * x[j] + 10 * (1 - cos(6.283185307179586 * x[j]));
  }
  return sum;
}

static double rosenbrock(const double *x, int n, double *c) {
  double sum = 0;
  (void)c;
  for (int j = 0; j + 1 < n; j++) {
    sum += 100 * pow(x[j + 1] - x[j] * x[j], 2) + pow(1 - x[j], 2);
  }
  return sum;
}

/* x_0 >= 1: the optimum is n - 1 zeros beside a 1 */
static double held_sphere(const double *x, int n, double *c) {
  c[0] = 1 - x[0];
  return sphere(x, n, NULL);
}

/* nothing can be evaluated where x_0 < 0.5 */
static double cliff(const double *x, int n, double *c) {
  (void)c;
  return x[0] < 0.5 ? NAN : sphere(x, n, NULL);
}

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  problem *p = data;
  (void)grad, (void)jac;
  p->calls++;
  *f = p->factor * p->f(x, p->n, c);
  return isnan(*f) ? CQ_OUT_OF_ROOM : CQ_OK;
}

static const cq_result *solve(problem *p, cq_optimizer_def def) {
  double lower[MOST], upper[MOST], start[MOST], scale[MOST];
  cq_ctx *ctx = cq_ctx_create(1, p->seed);
  for (int j = 0; j < p->n; j++) {
    lower[j] = p->low;
    upper[j] = p->high;
    start[j] = p->start;
    scale[j] = p->scale == 0 ? 1 : p->scale;
  }
  const cq_problem q = {.n = p->n,
                        .n_inequality = p->m,
                        .lower = lower,
                        .upper = upper,
                        .start = start,
                        .scale = scale,
                        .eval = eval,
                        .gradient = CQ_GRADIENT_NONE,
                        .data = p};
  p->factor = p->factor == 0 ? 1 : p->factor;
  cq_optimize(ctx, &q, &def, NULL, NULL, p->x, NULL, &p->result);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%s holds %zu bytes", def.name, cq_ctx_bytes(ctx));
  cq_ctx_destroy(ctx);
  return &p->result;
}

static cq_optimizer_def def_of(const char *name, int evaluations) {
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  def.max_evaluations = evaluations;
  return def;
}

/* Rastrigin's function has 11^n minima: restarts find the lowest, one run does not. */
static void test_restarts(void) {
  const char *const names[] = {"cmaes", "ipop_cmaes", "bipop_cmaes"};
  int found[3] = {0};
  for (int i = 0; i < 3; i++) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
      problem p = {
          .n = 4, .low = -5, .high = 5, .start = 3.2, .scale = 10, .f = rastrigin, .seed = seed};
      cq_optimizer_def def = def_of(names[i], 40000);
      def.target = 1e-8;
      const cq_result *result = solve(&p, def);
      found[i] += result->status == CQ_OK;
      CHECK(result->status == CQ_OK || result->status == CQ_BUDGET);
    }
    printf("  %-12s %2d of 10\n", names[i], found[i]);
  }
  CHECK(found[0] <= 5 && found[1] >= 9 && found[2] >= 9);
}

/* Restarts are counted, end, and begin elsewhere with twice the population. */
static void test_number_of_restarts(void) {
  for (int restarts = 0; restarts < 4; restarts++) {
    problem p = {.n = 2, .low = -5, .high = 5, .start = 3, .f = sphere, .seed = 1};
    cq_optimizer_def def = def_of("ipop_cmaes", 100000);
    def.restarts = restarts;
    char words[40];
    snprintf(words, sizeof words, "after %d restart%s", restarts, restarts == 1 ? "" : "s");
    const cq_result *result = solve(&p, def);
    CHECK_MSG(result->status == CQ_BUDGET &&
                  (strstr(result->reason, words) != NULL) == (restarts > 0),
              "%s", result->reason);
    CHECK(result->evaluations > 200 && result->evaluations < 700 << restarts);
  }
}

static void test_constraint(void) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    /* from outside, where nothing is feasible */
    problem p = {.n = 6, .m = 1, .low = -5, .high = 5, .start = -4, .f = held_sphere, .seed = seed};
    const cq_result *result = solve(&p, def_of("cmaes", 4000));
    CHECK_MSG(result->violation <= 1e-6 && fabs(result->f - 1) < 1e-5, "f = %.9g: %s", result->f,
              result->reason);
  }
}

/* The optimum is where everything beyond fails. */
static void test_cliff(void) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    problem p = {.n = 4, .low = -5, .high = 5, .start = 2, .f = cliff, .seed = seed};
    cq_optimizer_def def = def_of("cmaes", 3000);
    def.on_failure = CQ_FAILURE_PENALTY;
    const cq_result *result = solve(&p, def);
    CHECK_MSG(result->failures > 100 && fabs(result->f - 0.25) < 1e-4, "f = %.9g, %d failures: %s",
              result->f, result->failures, result->reason);
  }
}

/* f times any factor: the same candidates, and digits as many */
static void test_scale(void) {
  const double factors[] = {1, 1e-8, 0x1p-60, 0x1p40};
  double first = 0;
  for (int i = 0; i < 4; i++) {
    problem p = {
        .n = 3, .low = -2, .high = 2, .start = 0, .factor = factors[i], .f = rosenbrock, .seed = 2};
    solve(&p, def_of("cmaes", 5000));
    for (int j = 0; j < 3; j++) {
      CHECK_NEAR(p.x[j], 1, 1e-4);
    }
    first = i == 0 ? p.result.evaluations : first;
    CHECK_MSG(p.result.evaluations > 0.7 * first, "times %g: %d evaluations", factors[i],
              p.result.evaluations);
  }
}

static void test_tolerances(void) {
  int evaluations[3];
  for (int i = 0; i < 3; i++) {
    problem p = {.n = 3, .low = -2, .high = 2, .start = 0.5, .f = rosenbrock, .seed = 2};
    cq_optimizer_def def = def_of("cmaes", 5000);
    def.xtol_rel = i == 1 ? 1e-3 : 0;
    def.ftol_rel = i == 2 ? 1e-1 : 0;
    const cq_result *result = solve(&p, def);
    CHECK(strstr(result->reason, i == 1 ? "tolx" : "tolfun") != NULL);
    evaluations[i] = result->evaluations;
  }
  CHECK(evaluations[1] < evaluations[0] * 3 / 4 && evaluations[2] <= evaluations[0]);
}

static void test_settings(void) {
  double x[4][MOST];
  for (int i = 0; i < 4; i++) {
    problem p = {
        .n = 3, .low = -2, .high = 2, .start = 0.5, .f = rosenbrock, .seed = i == 3 ? 3 : 2};
    cq_optimizer_def def = def_of("cmaes", 200);
    def.population = i == 1 ? 20 : 0;
    def.sigma = i == 2 ? 0.01 : NAN;
    solve(&p, def);
    memcpy(x[i], p.x, sizeof p.x);
    for (int k = 0; k < i; k++) {
      CHECK(memcmp(x[i], x[k], sizeof x[i]) != 0);
    }
  }
  problem p = {.n = 3, .low = -2, .high = 2, .start = 0.5, .f = rosenbrock, .seed = 2};
  cq_optimizer_def def = def_of("cmaes", 200);
  solve(&p, def);
  CHECK(memcmp(p.x, x[0], sizeof p.x) == 0);
  def.population = 3;
  CHECK(solve(&p, def)->status == CQ_CONFIG && strstr(p.result.reason, "population") != NULL);
  def.population = 0;
  def.sigma = -1;
  CHECK(solve(&p, def)->status == CQ_CONFIG && strstr(p.result.reason, "sigma") != NULL);
  def.name = "one_plus_one_es";
  CHECK(solve(&p, def)->status == CQ_CONFIG && strstr(p.result.reason, "sigma") != NULL);
}

/* The step length of the (1+1)-ES follows the distance from the optimum: f falls by a factor in a
 * number of evaluations that grows as n. */
static void test_one_plus_one(void) {
  for (int n = 2; n <= 8; n *= 2) {
    problem p = {.n = n, .low = -1e9, .high = 1e9, .start = 100, .f = sphere, .seed = 5};
    cq_optimizer_def def = def_of("one_plus_one_es", 400 * n);
    const cq_result *result = solve(&p, def);
    CHECK_MSG(result->f < 1e-8 * n * 1e4, "n = %d: f = %g: %s", n, result->f, result->reason);
  }
  /* in a corner of the bounds, where children are moved back to the parent */
  problem p = {.n = 3, .low = 1, .high = 4, .start = 3, .f = sphere, .seed = 1};
  CHECK(fabs(solve(&p, def_of("one_plus_one_es", 3000))->f - 3) < 1e-9);
}

static void test_random_search(void) {
  problem p = {.n = 2, .low = 0, .high = 1, .start = 1, .f = sphere, .seed = 1};
  const cq_result *result = solve(&p, def_of("random_search", 1000));
  CHECK(result->evaluations == 1000 && result->f < 0.01);
  cq_optimizer_def endless = def_of("random_search", 0);
  CHECK(solve(&p, endless)->status == CQ_CONFIG);
}

/* A bowl about 0.3 under ripples whose slopes are fifty times as steep. */
static double rippled(const double *x, int n, double *c) {
  double f = 0;
  (void)c;
  for (int i = 0; i < n; i++) {
    f += (x[i] - 0.3) * (x[i] - 0.3) + 0.02 * (1 + sin(2500 * x[i]));
  }
  return f;
}

/* What is rough is averaged away; bounds hold, and a box is asked for. */
static void test_random_smoothing(void) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    problem p = {.n = 4, .low = 0, .high = 1, .start = 1, .f = rippled, .seed = seed};
    const cq_result *result = solve(&p, def_of("random_smoothing", 160));
    CHECK_MSG(result->evaluations == 160 && result->f < 0.12, "f = %g", result->f);
  }
  problem corner = {.n = 3, .low = 0.5, .high = 1, .start = 1, .f = rippled, .seed = 1};
  CHECK(solve(&corner, def_of("random_smoothing", 160))->f < 0.2);
  CHECK(solve(&corner, def_of("random_smoothing", 0))->status == CQ_CONFIG);
}

int main(void) {
  RUN(test_restarts);
  RUN(test_number_of_restarts);
  RUN(test_constraint);
  RUN(test_cliff);
  RUN(test_scale);
  RUN(test_tolerances);
  RUN(test_settings);
  RUN(test_one_plus_one);
  RUN(test_random_search);
  RUN(test_random_smoothing);
  return TEST_RESULT();
}
