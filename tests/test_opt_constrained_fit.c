/* gauss_newton with constraints: steps of sqp with the Gauss-Newton matrix. y = a exp(-k t) + c,
 * and a further d that the data know only as c + d. */
#include "alloc.h"
#include "rng.h"
#include "test.h"

#include "cqopt/uncertainty.h"

#include <math.h>

enum { N = 4, M = 30 };

enum { A, K, C, D };

typedef struct decay {
  double t[M], y[M];
  int n; /* 3: without d */
  int constraint;
  double bound;
  int jacobians;
} decay;

static decay make_decay(int n, int constraint, double bound) {
  decay f = {.n = n, .constraint = constraint, .bound = bound};
  cq_rng rng = cq_rng_seed(11);
  for (int i = 0; i < M; i++) {
    f.t[i] = i / 10.0;
    f.y[i] = 2 * exp(-3 * f.t[i]) + 0.5 + 0.02 * cq_rng_normal(&rng);
  }
  return f;
}

static cq_status residuals(void *data, int level, const double *x, double *f, double *r,
                           double *jac) {
  decay *p = data;
  (void)level;
  *f = 0;
  for (int i = 0; i < M; i++) {
    const double e = exp(-x[K] * p->t[i]);
    r[i] = x[A] * e + x[C] + (p->n > D ? x[D] : 0) - p->y[i];
    *f += r[i] * r[i];
    for (int j = 0; jac != NULL && j < p->n; j++) {
      jac[i * p->n + j] = j == A ? e : j == K ? -p->t[i] * x[A] * e : 1;
    }
  }
  p->jacobians += jac != NULL;
  return CQ_OK;
}

/* what the constraints are */
enum { NONE, SUM, PRODUCT, CIRCLE, CEILING, ALIKE };

static double constraint(const decay *p, const double *x, double *g) {
  memset(g, 0, (size_t)p->n * sizeof *g);
  switch (p->constraint) {
  case SUM: /* a + c <= bound */
    g[A] = g[C] = 1;
    return x[A] + x[C] - p->bound;
  case PRODUCT: /* a k = bound */
    g[A] = x[K];
    g[K] = x[A];
    return x[A] * x[K] - p->bound;
  case CIRCLE: /* a^2 + k^2 <= bound */
    g[A] = 2 * x[A];
    g[K] = 2 * x[K];
    return x[A] * x[A] + x[K] * x[K] - p->bound;
  case CEILING: /* c <= bound */
    g[C] = 1;
    return x[C] - p->bound;
  default: /* c = d */
    g[C] = 1;
    g[D] = -1;
    return x[C] - x[D];
  }
}

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  decay *p = data;
  double r[M], slopes[M * N], g[N];
  residuals(data, 0, x, f, r, slopes);
  p->jacobians--;
  for (int j = 0; grad != NULL && j < p->n; j++) {
    grad[j] = 0;
    for (int i = 0; i < M; i++) {
      grad[j] += 2 * r[i] * slopes[i * p->n + j];
    }
  }
  if (c != NULL) {
    c[0] = constraint(p, x, jac != NULL ? jac : g);
  }
  return CQ_OK;
}

static const double low[N] = {-10, 0, -10, -10}, high[N] = {10, 10, 10, 10},
                    start[N] = {1, 1, 1, 0};

static cq_problem problem_of(decay *p) {
  const bool equal = p->constraint == PRODUCT || p->constraint == ALIKE;
  return (cq_problem){.n = p->n,
                      .n_inequality = p->constraint != NONE && !equal,
                      .n_equality = equal,
                      .lower = low,
                      .upper = high,
                      .start = start,
                      .eval = eval,
                      .n_residuals = M,
                      .residuals = residuals,
                      .data = p};
}

static cq_result solve(const char *name, decay *p, double *x) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  const cq_problem problem = problem_of(p);
  cq_result result;
  double multiplier = NAN;
  def.name = name;
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, &multiplier, &result);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

/* Both find the same; every trial point has its Jacobian. counts: evaluations of one and the other.
 */
static void compare(int constraint, double bound, int counts[2]) {
  decay one = make_decay(3, constraint, bound), other = one;
  double x[N] = {0}, y[N] = {0};
  const cq_result newton = solve("gauss_newton", &one, x), sqp = solve("sqp", &other, y);
  const int mine = newton.evaluations - newton.probes, its = sqp.evaluations - sqp.probes;
  printf("constraint %d: gauss_newton %d evaluations, sqp %d, f %.9g\n", constraint, mine, its,
         newton.f);
  CHECK_MSG(newton.status == CQ_OK, "%s", newton.reason);
  CHECK_MSG(sqp.status == CQ_OK, "%s", sqp.reason);
  CHECK_NEAR(newton.f, sqp.f, 1e-6 * sqp.f);
  for (int j = 0; j < 3; j++) {
    CHECK_NEAR(x[j], y[j], 1e-3);
  }
  CHECK(one.jacobians >= 2 && one.jacobians <= newton.evaluations + 1);
  counts[0] += mine;
  counts[1] += its;
}

/* Where constraints cost the data little it takes about half as many. */
static void test_fewer_evaluations(void) {
  int counts[2] = {0};
  compare(SUM, 2.2, counts);
  compare(SUM, 5, counts); /* never active */
  compare(PRODUCT, 5, counts);
  compare(CIRCLE, 9, counts);
  compare(CEILING, 0.4, counts);
  CHECK_MSG(3 * counts[0] <= 2 * counts[1], "%d evaluations, sqp %d", counts[0], counts[1]);
}

/* Where they contradict the data it gets there, too. */
static void test_contradictions(void) {
  int counts[2] = {0};
  compare(CIRCLE, 0.3, counts);
  compare(PRODUCT, 0.5, counts);
  compare(PRODUCT, -2, counts);
  compare(SUM, 0.2, counts);
}

/* What the data leave open a constraint may hold: by its gradient if it must hold, or is pushed
 * against; one that was run into tells nothing. */
static void test_undetermined(void) {
  static const struct {
    int constraint;
    double bound;
    cq_status status;
  } cases[] = {
      {ALIKE, 0, CQ_OK}, {CEILING, 9, CQ_FLAT}, {CEILING, 0.9, CQ_FLAT}, {SUM, 9, CQ_FLAT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    decay f = make_decay(4, cases[i].constraint, cases[i].bound);
    double x[N] = {0};
    const cq_result result = solve("gauss_newton", &f, x);
    CHECK_MSG(result.status == cases[i].status, "%d: %s", (int)i, result.reason);
  }
}

/* Along c <= 0.4, where the fit is: nothing above it, and below it f rises from there. */
static void test_profile(void) {
  decay f = make_decay(3, CEILING, 0.4);
  const cq_problem problem = problem_of(&f);
  double x[N] = {0};
  const cq_result result = solve("gauss_newton", &f, x);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_uncertainty *u = NULL;
  cq_profile *p = NULL;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK);
  CHECK(cq_profile_find(ctx, &problem, u, x, C, 4, 3, &p) == CQ_OK);
  CHECK(p != NULL && p->count == 6 && isnan(p->f[5]) && p->f[4] == result.f);
  CHECK(p != NULL && p->f[3] > result.f && p->f[0] > p->f[3] && isnan(p->upper));
  cq_profile_free(ctx, p);
  CHECK(cq_profile_find(ctx, &problem, u, x, K, 4, 3, &p) == CQ_OK);
  CHECK(p != NULL && p->count == 9 && p->f[0] > result.f && p->f[8] > result.f);
  for (int i = 0; i < 9 && p != NULL; i++) {
    CHECK(p->x[i * 3 + C] <= 0.4 + 2e-6);
  }
  cq_profile_free(ctx, p);
  cq_uncertainty_free(ctx, u);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Whichever allocation fails, it is CQ_MEMORY, and nothing is held. */
static void test_out_of_memory(void) {
  cq_status status = CQ_MEMORY;
  int nth = 1;
  for (; nth < 400 && status == CQ_MEMORY; nth++) {
    decay f = make_decay(3, CIRCLE, 9);
    const cq_problem problem = problem_of(&f);
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_optimizer_def def = cq_optimizer_default();
    cq_result result;
    double x[N] = {0}, multiplier = NAN;
    def.name = "gauss_newton";
    cq_alloc_fail_nth(ctx, nth);
    status = cq_optimize(ctx, &problem, &def, NULL, NULL, x, &multiplier, &result);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
  CHECK_MSG(status == CQ_OK && nth > 20, "%s after %d", cq_status_name(status), nth);
}

int main(void) {
  RUN(test_fewer_evaluations);
  RUN(test_contradictions);
  RUN(test_undetermined);
  RUN(test_profile);
  RUN(test_out_of_memory);
  return TEST_RESULT();
}
