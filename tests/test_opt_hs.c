/* Problems of Hock and Schittkowski from their formulas: every method that takes a problem's
 * constraints reaches the known optimum (or a known local one), or says that it did not.
 *
 *   test_opt_hs         checks
 *   test_opt_hs table   also prints who solves what as CSV */
#include "test.h"
#include "test_opt_problems.h"

#include <float.h>

static double hs1(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  return tp_find("rosenbrock")->eval(x, g, c, j);
}

static double hs15(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  c[0] = 1 - x[0] * x[1];
  c[1] = -x[0] - x[1] * x[1];
  j[0][0] = -x[1];
  j[0][1] = -x[0];
  j[1][0] = -1;
  j[1][1] = -2 * x[1];
  return tp_find("rosenbrock")->eval(x, g, NULL, NULL);
}

static double hs26(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double a = x[0] - x[1], b = x[1] - x[2];
  g[0] = 2 * a;
  g[1] = -2 * a + 4 * b * b * b;
  g[2] = -4 * b * b * b;
  c[0] = (1 + x[1] * x[1]) * x[0] + pow(x[2], 4) - 3;
  j[0][0] = 1 + x[1] * x[1];
  j[0][1] = 2 * x[0] * x[1];
  j[0][2] = 4 * pow(x[2], 3);
  return a * a + b * b * b * b;
}

static double hs39(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double rows[2][4] = {{-3 * x[0] * x[0], 1, -2 * x[2], 0}, {2 * x[0], -1, 0, -2 * x[3]}};
  g[0] = -1;
  g[1] = g[2] = g[3] = 0;
  c[0] = x[1] - pow(x[0], 3) - x[2] * x[2];
  c[1] = x[0] * x[0] - x[1] - x[3] * x[3];
  for (int i = 0; i < 2; i++) {
    memcpy(j[i], rows[i], sizeof rows[i]);
  }
  return -x[0];
}

static double hs65(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double a = x[0] - x[1], b = x[0] + x[1] - 10, d = x[2] - 5;
  g[0] = 2 * a + 2 * b / 9;
  g[1] = -2 * a + 2 * b / 9;
  g[2] = 2 * d;
  c[0] = -48;
  for (int i = 0; i < 3; i++) {
    c[0] += x[i] * x[i];
    j[0][i] = 2 * x[i];
  }
  return a * a + b * b / 9 + d * d;
}

static double hs100(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double rows[4][7] = {
      {4 * x[0], 12 * pow(x[1], 3), 1, 8 * x[3], 5, 0, 0},
      {7, 3, 20 * x[2], 1, -1, 0, 0},
      {23, 2 * x[1], 0, 0, 0, 12 * x[5], -8},
      {8 * x[0] - 3 * x[1], 2 * x[1] - 3 * x[0], 4 * x[2], 0, 0, 5, -11},
  };
  for (int i = 0; i < 4; i++) {
    memcpy(j[i], rows[i], sizeof rows[i]);
  }
  c[0] = 2 * x[0] * x[0] + 3 * pow(x[1], 4) + x[2] + 4 * x[3] * x[3] + 5 * x[4] - 127;
  c[1] = 7 * x[0] + 3 * x[1] + 10 * x[2] * x[2] + x[3] - x[4] - 282;
  c[2] = 23 * x[0] + x[1] * x[1] + 6 * x[5] * x[5] - 8 * x[6] - 196;
  c[3] = 4 * x[0] * x[0] + x[1] * x[1] - 3 * x[0] * x[1] + 2 * x[2] * x[2] + 5 * x[5] - 11 * x[6];
  g[0] = 2 * (x[0] - 10);
  g[1] = 10 * (x[1] - 12);
  g[2] = 4 * pow(x[2], 3);
  g[3] = 6 * (x[3] - 11);
  g[4] = 60 * pow(x[4], 5);
  g[5] = 14 * x[5] - 4 * x[6] - 10;
  g[6] = 4 * pow(x[6], 3) - 4 * x[5] - 8;
  return pow(x[0] - 10, 2) + 5 * pow(x[1] - 12, 2) + pow(x[2], 4) + 3 * pow(x[3] - 11, 2) +
         10 * pow(x[4], 6) + 7 * x[5] * x[5] + pow(x[6], 4) - 4 * x[5] * x[6] - 10 * x[5] -
         8 * x[6];
}

/* weights w of sum_i w_i (x_i - m_i)^2, the separable part of HS 113's objective */
static const double hs113_w[10] = {1, 1, 1, 4, 1, 2, 5, 7, 2, 1};
static const double hs113_m[10] = {0, 0, 10, 5, 3, 1, 0, 11, 10, 7};

static void hs113_constraints(const double *x, double *c, double (*j)[TP_MAX]) {
  const double a = x[0], b = x[1];
  const double rows[8][10] = {
      {4, 5, 0, 0, 0, 0, -3, 9, 0, 0},
      {10, -8, 0, 0, 0, 0, -17, 2, 0, 0},
      {-8, 2, 0, 0, 0, 0, 0, 0, 5, -2},
      {6 * (a - 2), 8 * (b - 3), 4 * x[2], -7, 0, 0, 0, 0, 0, 0},
      {10 * a, 8, 2 * (x[2] - 6), -2, 0, 0, 0, 0, 0, 0},
      {a - 8, 4 * (b - 4), 0, 0, 6 * x[4], -1, 0, 0, 0, 0},
      {2 * a - 2 * b, 4 * (b - 2) - 2 * a, 0, 0, 14, -6, 0, 0, 0, 0},
      {-3, 6, 0, 0, 0, 0, 0, 0, 24 * (x[8] - 8), -7},
  };
  for (int i = 0; i < 8; i++) {
    memcpy(j[i], rows[i], sizeof rows[i]);
  }
  c[0] = 4 * a + 5 * b - 3 * x[6] + 9 * x[7] - 105;
  c[1] = 10 * a - 8 * b - 17 * x[6] + 2 * x[7];
  c[2] = -8 * a + 2 * b + 5 * x[8] - 2 * x[9] - 12;
  c[3] = 3 * pow(a - 2, 2) + 4 * pow(b - 3, 2) + 2 * x[2] * x[2] - 7 * x[3] - 120;
  c[4] = 5 * a * a + 8 * b + pow(x[2] - 6, 2) - 2 * x[3] - 40;
  c[5] = 0.5 * pow(a - 8, 2) + 2 * pow(b - 4, 2) + 3 * x[4] * x[4] - x[5] - 30;
  c[6] = a * a + 2 * pow(b - 2, 2) - 2 * a * b + 14 * x[4] - 6 * x[5];
  c[7] = -3 * a + 6 * b + 12 * pow(x[8] - 8, 2) - 7 * x[9];
}

static double hs113(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  double f = x[0] * x[1] - 14 * x[0] - 16 * x[1] + 45;
  for (int i = 0; i < 10; i++) {
    f += hs113_w[i] * pow(x[i] - hs113_m[i], 2);
    g[i] = 2 * hs113_w[i] * (x[i] - hs113_m[i]);
  }
  g[0] += x[1] - 14;
  g[1] += x[0] - 16;
  hs113_constraints(x, c, j);
  return f;
}

typedef struct known {
  tp_case test;
  double local; /* f of another point that satisfies the first-order conditions; NAN: none known */
} known;

#define LOW                                                                                        \
  {                                                                                                \
    -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,        \
        -INFINITY, -INFINITY                                                                       \
  }
#define HIGH                                                                                       \
  {                                                                                                \
    INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,      \
        INFINITY                                                                                   \
  }

/* Those that tests/test_opt_problems.h does not have. HS 65 starts on the bounds its published
 * start (-5, 5, 0) is outside of. */
static const known own[] = {
    {{"hs1", 2, 0, 0, {-INFINITY, -1.5}, HIGH, {-2, 1}, 0, hs1}, NAN},
    {{"hs15", 2, 2, 0, LOW, {0.5, INFINITY}, {-2, 1}, 306.5, hs15}, 360.379767},
    {{"hs26", 3, 0, 1, LOW, HIGH, {-2.6, 2, 2}, 0, hs26}, NAN},
    {{"hs39", 4, 0, 2, LOW, HIGH, {2, 2, 2, 2}, -1, hs39}, NAN},
    {{"hs65", 3, 1, 0, {-4.5, -4.5, -5}, {4.5, 4.5, 5}, {-4.5, 4.5, 0}, 0.9535288567, hs65}, NAN},
    {{"hs100", 7, 4, 0, LOW, HIGH, {1, 2, 0, 4, 0, 1, 1}, 680.6300573, hs100}, NAN},
    {{"hs113", 10, 8, 0, LOW, HIGH, {2, 3, 5, 5, 1, 2, 7, 3, 6, 10}, 24.3062091, hs113}, NAN},
};

/* all of them, by number */
static const char *const names[] = {"hs1",  "hs6",  "hs7",  "hs12", "hs15", "hs21",  "hs26", "hs35",
                                    "hs39", "hs43", "hs65", "hs71", "hs76", "hs100", "hs113"};

enum { N_OWN = (int)(sizeof own / sizeof own[0]), N = (int)(sizeof names / sizeof names[0]) };

static known find_known(const char *name) {
  for (int i = 0; i < N_OWN; i++) {
    if (strcmp(own[i].test.name, name) == 0) {
      return own[i];
    }
  }
  return (known){*tp_find(name), NAN};
}

static bool printing;

/* [-1, 1), the same on every machine */
static double any(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 23) - 1;
}

/* f and every constraint against central differences near the start */
static void test_formulas(void) {
  unsigned state = 3;
  for (int k = 0; k < N; k++) {
    const known p = find_known(names[k]);
    const int n = p.test.n, m = p.test.n_inequality + p.test.n_equality;
    double x[TP_MAX], g[TP_MAX], c[TP_MAX], j[TP_MAX][TP_MAX];
    double unused[TP_MAX], before[TP_MAX], after[TP_MAX], rows[TP_MAX][TP_MAX];
    for (int i = 0; i < n; i++) {
      x[i] = p.test.start[i] + 0.3 * any(&state);
    }
    const double f = p.test.eval(x, g, c, j);
    for (int i = 0; i < n; i++) {
      const double at = x[i], h = 1e-5;
      x[i] = at + h;
      const double f_after = p.test.eval(x, unused, after, rows);
      x[i] = at - h;
      const double f_before = p.test.eval(x, unused, before, rows);
      x[i] = at;
      CHECK_MSG(fabs((f_after - f_before) / (2 * h) - g[i]) < 1e-6 * (1 + fabs(f) + fabs(g[i])),
                "%s: df/dx_%d = %g, differences say %g", names[k], i, g[i],
                (f_after - f_before) / (2 * h));
      for (int l = 0; l < m; l++) {
        const double slope = (after[l] - before[l]) / (2 * h);
        CHECK_MSG(fabs(slope - j[l][i]) < 1e-6 * (1 + fabs(c[l]) + fabs(j[l][i])),
                  "%s: dc_%d/dx_%d = %g, differences say %g", names[k], l, i, j[l][i], slope);
      }
    }
  }
}

static bool near(double f, double optimum) {
  return fabs(f - optimum) <= 1e-5 * fmax(1, fabs(optimum));
}

static void solve(const char *method, const known *p, bool must_solve) {
  tp t = tp_make(&p->test);
  cq_problem problem = tp_problem(&t);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = method;
  def.max_evaluations = 3000;
  def.optimality_tolerance = 1e-6;
  def.learning_rate = 1e-3;
  double x[TP_MAX];
  cq_result r;
  cq_ctx *ctx = cq_ctx_create(1, 7);
  if (cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK) {
    cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &r);
    const bool right = r.violation <= 1e-6 && (near(r.f, p->test.f) || near(r.f, p->local));
    CHECK_MSG(right || r.status != CQ_OK, "%s on %s: a false success, f = %.12g (%.12g): %s",
              method, p->test.name, r.f, p->test.f, r.reason);
    CHECK_MSG(!must_solve || (right && r.status == CQ_OK), "%s on %s: f = %.12g (%.12g): %s",
              method, p->test.name, r.f, p->test.f, r.reason);
    CHECK(!t.saw_bad_x);
    if (printing) {
      printf("%s,%d,%d,%d,%s,%s,%d,%s,%.9g,%.9g,%.1e,%d\n", p->test.name, p->test.n,
             p->test.n_inequality, p->test.n_equality, method, right ? "yes" : "no",
             cq_status_exit_code(r.status), cq_status_text(r.status), r.f, p->test.f, r.violation,
             r.evaluations);
    }
  }
  cq_ctx_destroy(ctx);
}

static void test_methods(void) {
  if (printing) {
    printf("problem,variables,inequalities,equalities,method,reached,exit,says,f,optimum,violation,"
           "evaluations\n");
  }
  for (int k = 0; k < N; k++) {
    const known p = find_known(names[k]);
    for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
      solve(cq_optimizer_name(i), &p, strcmp(cq_optimizer_name(i), "LD_SLSQP") == 0);
    }
  }
}

int main(int argc, char **argv) {
  printing = argc > 1 && strcmp(argv[1], "table") == 0;
  RUN(test_formulas);
  RUN(test_methods);
  return TEST_RESULT();
}
