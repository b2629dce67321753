/* Functions that are the largest of parts: minima at kinks are found and verified, other points of
 * a kink are not, and a record holds what a run needs to go on. */
#include "kkt.h"
#include "test_opt_folder.h"

#include <math.h>

enum { MOST_PARTS = 4 };

static const double TURN = 6.283185307179586;

typedef struct parts_case {
  tp_case test; /* its eval: see below */
  int n_parts;
  int part_of[MOST_PARTS];
  void (*parts)(const double *x, double *values, double *slopes);
  double x[TP_MAX]; /* the minimum */
} parts_case;

static const parts_case *chosen; /* whose functions the eval of all cases combines */

static double square(double a) {
  return a * a;
}

/* two paraboloids, apart by (0.5, 0): the minimum is in the middle, at their kink */
static void two_parabolas(const double *x, double *values, double *slopes) {
  for (int k = 0; k < 2; k++) {
    const double at = 0.25 + 0.5 * k;
    values[k] = square(x[0] - at) + square(x[1] - 0.25);
    slopes[2 * k] = 2 * (x[0] - at);
    slopes[2 * k + 1] = 2 * (x[1] - 0.25);
  }
}

/* a kink a million times steeper than the slope along it */
static void steep(const double *x, double *values, double *slopes) {
  for (int k = 0; k < 2; k++) {
    const double slope = k == 0 ? 1e6 : -1e6;
    values[k] = slope * x[0] + square(x[1] - 3);
    slopes[2 * k] = slope;
    slopes[2 * k + 1] = 2 * (x[1] - 3);
  }
}

/* CB2 of Charalambous and Bandler */
static void cb2(const double *x, double *values, double *slopes) {
  values[0] = square(x[0]) + pow(x[1], 4);
  values[1] = square(2 - x[0]) + square(2 - x[1]);
  values[2] = 2 * exp(x[1] - x[0]);
  const double rows[6] = {2 * x[0],       4 * pow(x[1], 3), 2 * (x[0] - 2),
                          2 * (x[1] - 2), -values[2],       values[2]};
  memcpy(slopes, rows, sizeof rows);
}

/* Rosen and Suzuki's problem, HS 43, as a minimax problem: f, and f + 10 c_i */
static void rosen_suzuki(const double *x, double *values, double *slopes) {
  double g[TP_MAX], c[TP_MAX], j[TP_MAX][TP_MAX];
  const double f = tp_find("hs43")->eval(x, g, c, j);
  for (int k = 0; k < 4; k++) {
    values[k] = f + (k > 0 ? 10 * c[k - 1] : 0);
    for (int i = 0; i < 4; i++) {
      slopes[4 * k + i] = g[i] + (k > 0 ? 10 * j[k - 1][i] : 0);
    }
  }
}

/* f = (x_0 - 0.5)^2 + (x_1 - 0.8)^2 where two discs meet: the minimum is a corner of the lens */
static void lens(const double *x, double *values, double *slopes) {
  two_parabolas(x, values, slopes);
  values[0] -= 0.09;
  values[1] -= 0.09;
}

/* The combined functions at x: f and its slopes, c and its. */
static double combined(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const parts_case *p = chosen;
  const int n = p->test.n;
  double values[MOST_PARTS], slopes[MOST_PARTS * TP_MAX];
  double f = p->part_of[0] < 0 ? -INFINITY : square(x[0] - 0.5) + square(x[1] - 0.8);
  g[0] = 2 * (x[0] - 0.5);
  g[1] = 2 * (x[1] - 0.8);
  /* the first constraint of a case whose f has parts is a disc */
  c[0] = p->part_of[0] < 0 ? square(x[0]) + square(x[1]) - 0.3 : -INFINITY;
  j[0][0] = 2 * x[0];
  j[0][1] = 2 * x[1];
  p->parts(x, values, slopes);
  for (int k = 0; k < p->n_parts; k++) {
    double *const value = p->part_of[k] < 0 ? &f : c;
    if (values[k] > *value) {
      *value = values[k];
      memcpy(p->part_of[k] < 0 ? g : j[0], slopes + k * n, (size_t)n * sizeof *g);
    }
  }
  return f;
}

#define WIDE                                                                                       \
  {-9, -9, -9, -9}, {                                                                              \
    9, 9, 9, 9                                                                                     \
  }

static const parts_case cases[] = {
    {{"two_parabolas", 2, 0, 0, WIDE, {0, 0}, 0.0625, combined},
     2,
     {-1, -1},
     two_parabolas,
     {0.5, 0.25}},
    {{"cb2", 2, 0, 0, WIDE, {1, -0.1}, 1.952224493870659, combined},
     3,
     {-1, -1, -1},
     cb2,
     {1.1390376, 0.8995599}},
    {{"rosen_suzuki", 4, 0, 0, WIDE, {0, 0, 0, 0}, -44, combined},
     4,
     {-1, -1, -1, -1},
     rosen_suzuki,
     {0, 1, 2, -1}},
    {{"held", 2, 1, 0, WIDE, {0.1, 0}, 0.06319660112501052, combined},
     2,
     {-1, -1},
     two_parabolas,
     {0.5, 0.22360679774997896}},
    {{"lens", 2, 1, 0, WIDE, {0.1, 0.9}, 0.14758563653045303, combined},
     2,
     {0, 0},
     lens,
     {0.5, 0.41583123951777}},
    /* from here on one part alone decides: x_0 cannot reach the kink */
    {{"smooth", 2, 0, 0, {-9, -9}, {0.4, 9}, {0, 0}, 0.1225, combined},
     2,
     {-1, -1},
     two_parabolas,
     {0.4, 0.25}},
};

enum { N_CASES = (int)(sizeof cases / sizeof cases[0]) };

static attempt make(const char *method, const parts_case *p) {
  attempt a = make_attempt(method, "rosenbrock");
  chosen = p;
  a.problem = tp_make(&p->test);
  a.problem.parts = p->parts;
  a.problem.n_parts = p->n_parts;
  a.problem.part_of = p->part_of;
  a.def.max_evaluations = 600;
  return a;
}

/* without a record */
static cq_status solve(attempt *a, cq_ctx *ctx) {
  const cq_problem problem = tp_problem(&a->problem);
  return cq_optimize(ctx, &problem, &a->def, NULL, NULL, a->x, NULL, &a->result);
}

static bool is_built(const char *method) {
  int i = 0;
  while (strcmp(cq_optimizer_name(i), method) != 0) {
    i++;
  }
  return cq_optimizer_facts_of(i).missing == NULL;
}

static void check_solved(const char *method, const parts_case *p, int most, double precision) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  attempt a = make(method, p);
  CHECK_MSG(solve(&a, ctx) == CQ_OK, "%s, %s: %s", method, p->test.name, a.result.reason);
  CHECK_MSG(strstr(a.result.reason, "verified optimum") != NULL, "%s", a.result.reason);
  CHECK_MSG(a.result.evaluations <= most, "%s, %s: %d evaluations", method, p->test.name,
            a.result.evaluations);
  for (int i = 0; i < p->test.n; i++) {
    CHECK_MSG(fabs(a.x[i] - p->x[i]) <= precision, "%s, %s: x_%d = %.9g", method, p->test.name, i,
              a.x[i]);
  }
  CHECK_MSG(fabs(a.result.f - p->test.f) < precision, "%s, %s: f = %.12g", method, p->test.name,
            a.result.f);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Methods that take constraints get the parts, and come as near as to a smooth minimum. */
static void kinks_are_solved(void) {
  static const struct {
    const char *method;
    int most;
  } methods[] = {{"LD_SLSQP", 40}, {"sqp", 40}, {"IPOPT", 60}, {"LD_MMA", 300}, {"LD_CCSAQ", 300}};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < N_CASES && is_built(methods[k].method); i++) {
      check_solved(methods[k].method, &cases[i], methods[k].most, 2e-4);
    }
  }
  check_solved("AUGLAG_LBFGS", &cases[0], 600, 2e-4);
}

/* COBYLA is given them, too, an augmented Lagrangian without gradient works on the largest; nobody
 * verifies */
static void without_gradient(void) {
  static const char *const methods[] = {"LN_COBYLA", "LN_AUGLAG", "LN_AUGLAG_EQ"};
  for (int k = 0; k < 3; k++) {
    cq_ctx *ctx = cq_ctx_create(1, 3);
    attempt a = make(methods[k], &cases[0]);
    CHECK(solve(&a, ctx) == CQ_BUDGET);
    CHECK_NEAR(a.result.f, cases[0].test.f, 1e-8);
    CHECK_MSG(a.result.evaluations < 200, "%s: %d", methods[k], a.result.evaluations);
    cq_ctx_destroy(ctx);
  }
}

/* A method without constraints works on the largest; where it ends at the kink it is verified. */
static void subgradients(void) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  attempt a = make("LD_LBFGS", &cases[0]);
  const cq_status status = solve(&a, ctx);
  CHECK_MSG(status == CQ_OK && fabs(a.x[0] - 0.5) + fabs(a.x[1] - 0.25) < 1e-3, "%s",
            a.result.reason);
  cq_ctx_destroy(ctx);
}

/* the residual at x of parts with these values and slopes [p][n], free variables, no constraint */
static double residual_at(int n, int p, const double *values, double *slopes) {
  double weights[8], sum = 0;
  static const int of_f[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  double x[TP_MAX] = {0}, lower[TP_MAX], upper[TP_MAX], residual = NAN;
  int largest = 0;
  for (int k = 0; k < p; k++) {
    largest = values[k] > values[largest] ? k : largest;
  }
  for (int i = 0; i < n; i++) {
    lower[i] = -INFINITY;
    upper[i] = INFINITY;
  }
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_problem problem = {
      .n = n, .lower = lower, .upper = upper, .n_parts = p, .part_of = of_f};
  const cq_point point = {.has_gradient = true,
                          .f = values[largest],
                          .x = x,
                          .grad = slopes + largest * n,
                          .parts = (double *)values,
                          .part_slopes = slopes};
  CHECK(cq_kkt_residual(ctx, &problem, 1, &point, weights, &residual) == CQ_OK);
  for (int k = 0; k < p; k++) {
    CHECK(weights[k] >= 0);
    sum += weights[k];
  }
  CHECK_NEAR(sum, 1, 1e-12);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return residual;
}

/* Parts of equal value with random slopes in the plane: there is a way down unless 0 lies between
 * the slopes, that is unless no gap between their angles is as wide as half a turn. */
static void ways_down(void) {
  const double values[5] = {0};
  int minima = 0, others = 0;
  srand(5);
  for (int round = 0; round < 2000; round++) {
    const int p = 2 + round % 4;
    double slopes[10], angle[5], gap = 0, next = 0;
    for (int k = 0; k < p; k++) {
      angle[k] = TURN * rand() / RAND_MAX;
      const double size = pow(10, 2.0 * rand() / RAND_MAX - 1);
      slopes[2 * k] = size * cos(angle[k]);
      slopes[2 * k + 1] = size * sin(angle[k]);
    }
    for (int k = 0; k < p; k++) {
      next = INFINITY;
      for (int l = 0; l < p; l++) {
        const double turn = fmod(angle[l] - angle[k] + TURN, TURN);
        next = l != k ? fmin(next, turn) : next;
      }
      gap = fmax(gap, next);
    }
    if (fabs(gap - 0.5 * TURN) < 0.01) {
      continue;
    }
    const double residual = residual_at(2, p, values, slopes);
    CHECK_MSG(gap < 0.5 * TURN ? residual < 1e-12 : residual > 1e-4, "gap %g: %g", gap, residual);
    minima += gap < 0.5 * TURN;
    others += gap > 0.5 * TURN;
  }
  CHECK(minima > 200 && others > 200);
}

/* What a part lies below the largest it costs: f = max(x, -x - slack) at 0 can fall by slack / 2.
 */
static void lower_parts(void) {
  double slopes[2] = {1, -1};
  for (double slack = 1e-9; slack < 1e3; slack *= 10) {
    const double values[2] = {0, -slack}, r = residual_at(1, 2, values, slopes);
    CHECK_MSG(r >= 0.3 * fmin(slack, 1) && r <= (slack < 1e-3 ? slack : 1), "%g: %g", slack, r);
  }
  /* one that is far below changes nothing */
  const double values[2] = {0, -1e6};
  CHECK_NEAR(residual_at(1, 2, values, slopes), 1, 1e-6);
}

/* From points of the kink where there is a way down along it, nothing is verified on the spot. */
static void starts_at_a_kink(void) {
  static const char *const methods[] = {"LD_SLSQP", "sqp", "LD_MMA", "LD_LBFGS", "adam"};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 10; i++) {
      cq_ctx *ctx = cq_ctx_create(1, 3);
      parts_case p = cases[0];
      p.test.start[0] = 0.5;
      p.test.start[1] = 0.25 + (i % 2 == 0 ? 1 : -1) * pow(10, 0.5 - 0.5 * (i / 2));
      attempt a = make(methods[k], &p);
      a.def.max_evaluations = i < 5 ? 1 : 600;
      const cq_status status = solve(&a, ctx);
      CHECK_MSG(i < 5 ? status == CQ_BUDGET && a.result.kkt_residual > 1e-3
                      : status != CQ_OK || fabs(a.result.f - 0.0625) < 1e-5,
                "%s from %g: %s", methods[k], p.test.start[1], a.result.reason);
      cq_ctx_destroy(ctx);
    }
  }
}

/* Cut off after each record, a run goes on with the same bits; a failure on the way changes
 * nothing. */
static void goes_on(const char *method, const parts_case *p, cq_failure_policy policy) {
  const folder whole = make_folder();
  attempt a = make(method, p);
  a.def.max_evaluations = MAX_EVALUATIONS;
  a.def.on_failure = policy;
  a.problem.fault = policy == CQ_FAILURE_ABORT ? TP_NONE : TP_STATUS;
  a.problem.fault_from = a.problem.fault_to = 3;
  const attempt begin = a;
  go(&a, &whole, false, false);
  CHECK(a.records > 5 && a.result.failures == (policy != CQ_FAILURE_ABORT));
  for (int k = 3; k < a.records; k += 4) {
    const folder part = make_folder();
    attempt b = begin, c = begin;
    b.die_at = k;
    c.problem.fault = TP_NONE;
    CHECK(go(&b, &part, false, false) == CQ_IO);
    CHECK(go(&c, &part, true, false) == a.result.status && c.problem.calls == a.records - k);
    CHECK(memcmp(c.x, a.x, sizeof a.x) == 0 &&
          memcmp(&c.result.kkt_residual, &a.result.kkt_residual, sizeof(double)) == 0);
    check_equal(method, k, &whole, &part);
    remove_folder(&part);
  }
  remove_folder(&whole);
}

static void resumes(void) {
  static const char *const methods[] = {"LD_SLSQP", "sqp", "LD_MMA", "LN_COBYLA", "adam"};
  for (int k = 0; k < 5; k++) {
    goes_on(methods[k], &cases[1], CQ_FAILURE_ABORT);
    goes_on(methods[k], &cases[1], CQ_FAILURE_PENALTY);
    if (k < 4) {
      goes_on(methods[k], &cases[4], CQ_FAILURE_INFEASIBLE);
    }
  }
}

/* The residual cannot see the slope along such a kink; a probe that stays on it does. */
static void along_a_steep_kink(void) {
  static const parts_case c = {
      {"steep", 2, 0, 0, WIDE, {1, 0}, 0, combined}, 2, {-1, -1}, steep, {0, 3}};
  static const char *const methods[] = {"LD_SLSQP", "sqp",      "IPOPT",
                                        "LD_MMA",   "LD_CCSAQ", "LD_LBFGS"};
  for (int k = 0; k < 6; k++) {
    cq_ctx *ctx = cq_ctx_create(1, 3);
    attempt a = make(methods[k], &c);
    const cq_status status = is_built(methods[k]) ? solve(&a, ctx) : CQ_BUDGET;
    CHECK_MSG(status != CQ_OK || fabs(a.x[1] - 3) < 0.02, "%s: %g, %s", methods[k], a.x[1],
              a.result.reason);
    CHECK_MSG(status == CQ_OK || k > 1, "%s: %s", methods[k], a.result.reason);
    cq_ctx_destroy(ctx);
  }
}

/* a saddle below a bowl that touches it at 0 */
static void touching(const double *x, double *values, double *slopes) {
  for (int k = 0; k < 2; k++) {
    const double curvature = k == 0 ? -1 : 1;
    values[k] = curvature * square(x[0]) + square(x[1]);
    slopes[2 * k] = 2 * curvature * x[0];
    slopes[2 * k + 1] = 2 * x[1];
  }
}

/* Where the saddle alone is the mixture, its way down is none: the bowl decides there. */
static void below_another_part(void) {
  static const parts_case c = {
      {"touching", 2, 0, 0, WIDE, {0, 0}, 0, combined}, 2, {-1, -1}, touching, {0, 0}};
  check_solved("LD_SLSQP", &c, 60, 1e-9);
  check_solved("sqp", &c, 60, 1e-9);
}

static void other_than_the_largest(const double *x, double *values, double *slopes) {
  two_parabolas(x, values, slopes);
  values[0] += 1;
}

static void refusals(void) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  attempt a = make("sqp", &cases[0]);
  a.problem.parts = other_than_the_largest;
  CHECK(solve(&a, ctx) == CQ_USAGE);
  CHECK_MSG(strstr(a.result.reason, "the largest of its parts") != NULL, "%s", a.result.reason);
  cq_ctx_clear_error(ctx);
  static const int of_none[] = {-1, 0};
  attempt b = make("sqp", &cases[0]);
  b.problem.part_of = of_none;
  CHECK(solve(&b, ctx) == CQ_USAGE);
  CHECK_MSG(strstr(b.result.reason, "part 1 is of no inequality") != NULL, "%s", b.result.reason);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(kinks_are_solved);
  RUN(without_gradient);
  RUN(subgradients);
  RUN(ways_down);
  RUN(lower_parts);
  RUN(starts_at_a_kink);
  RUN(along_a_steep_kink);
  RUN(below_another_part);
  RUN(resumes);
  RUN(refusals);
  return TEST_RESULT();
}
