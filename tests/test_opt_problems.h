/* Problems with known answers for the tests of opt/, behind one eval that counts, scales and fails
 * on demand. */
#ifndef CQ_TESTS_OPT_PROBLEMS_H
#define CQ_TESTS_OPT_PROBLEMS_H

#include "cqopt/optimizer.h"

#include <math.h>
#include <string.h>

enum { TP_MAX = 10 };

typedef struct tp_case {
  const char *name;
  int n, n_inequality, n_equality;
  double lower[TP_MAX], upper[TP_MAX], start[TP_MAX];
  double f; /* at the optimum */
  /* c <= 0 first, then h = 0; always fills the gradients */
  double (*eval)(const double *x, double *g, double *c, double (*j)[TP_MAX]);
} tp_case;

typedef enum tp_fault { TP_NONE, TP_STATUS, TP_F, TP_C, TP_GRAD, TP_JAC } tp_fault;

typedef struct tp {
  const tp_case *test;
  double factor;            /* on f */
  int fault_from, fault_to; /* calls of eval at which the fault strikes, if it can */
  tp_fault fault;
  double poison;    /* what the fault writes */
  cq_ctx *stop_ctx; /* request a stop at call stop_at */
  int stop_at;
  int calls, gradients;
  bool saw_bad_x; /* x not finite or outside the bounds */
  double last_x[TP_MAX];
  int repeated; /* calls without gradient at the x of the call before */
} tp;

static double tp_rosenbrock(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  (void)c, (void)j;
  const double a = x[1] - x[0] * x[0], b = 1 - x[0];
  g[0] = -400 * a * x[0] - 2 * b;
  g[1] = 200 * a;
  return 100 * a * a + b * b;
}

static double tp_hs6(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = -2 * (1 - x[0]);
  g[1] = 0;
  c[0] = 10 * (x[1] - x[0] * x[0]);
  j[0][0] = -20 * x[0];
  j[0][1] = 10;
  return (1 - x[0]) * (1 - x[0]);
}

static double tp_hs7(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double a = 1 + x[0] * x[0];
  g[0] = 2 * x[0] / a;
  g[1] = -1;
  c[0] = a * a + x[1] * x[1] - 4;
  j[0][0] = 4 * a * x[0];
  j[0][1] = 2 * x[1];
  return log(a) - x[1];
}

static double tp_hs12(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = x[0] - x[1] - 7;
  g[1] = 2 * x[1] - x[0] - 7;
  c[0] = 4 * x[0] * x[0] + x[1] * x[1] - 25;
  j[0][0] = 8 * x[0];
  j[0][1] = 2 * x[1];
  return 0.5 * x[0] * x[0] + x[1] * x[1] - x[0] * x[1] - 7 * x[0] - 7 * x[1];
}

static double tp_hs21(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = 0.02 * x[0];
  g[1] = 2 * x[1];
  c[0] = 10 - 10 * x[0] + x[1];
  j[0][0] = -10;
  j[0][1] = 1;
  return 0.01 * x[0] * x[0] + x[1] * x[1] - 100;
}

static double tp_hs35(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  g[0] = -8 + 4 * x[0] + 2 * x[1] + 2 * x[2];
  g[1] = -6 + 4 * x[1] + 2 * x[0];
  g[2] = -4 + 2 * x[2] + 2 * x[0];
  c[0] = x[0] + x[1] + 2 * x[2] - 3;
  j[0][0] = 1;
  j[0][1] = 1;
  j[0][2] = 2;
  return 9 - 8 * x[0] - 6 * x[1] - 4 * x[2] + 2 * x[0] * x[0] + 2 * x[1] * x[1] + x[2] * x[2] +
         2 * x[0] * x[1] + 2 * x[0] * x[2];
}

static double tp_hs43(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double a = x[0] * x[0], b = x[1] * x[1], d = x[2] * x[2], e = x[3] * x[3];
  const double rows[3][4] = {{2 * x[0] + 1, 2 * x[1] - 1, 2 * x[2] + 1, 2 * x[3] - 1},
                             {2 * x[0] - 1, 4 * x[1], 2 * x[2], 4 * x[3] - 1},
                             {4 * x[0] + 2, 2 * x[1] - 1, 2 * x[2], -1}};
  g[0] = 2 * x[0] - 5;
  g[1] = 2 * x[1] - 5;
  g[2] = 4 * x[2] - 21;
  g[3] = 2 * x[3] + 7;
  c[0] = a + b + d + e + x[0] - x[1] + x[2] - x[3] - 8;
  c[1] = a + 2 * b + d + 2 * e - x[0] - x[3] - 10;
  c[2] = 2 * a + b + d + 2 * x[0] - x[1] - x[3] - 5;
  for (int i = 0; i < 3; i++) {
    memcpy(j[i], rows[i], sizeof rows[i]);
  }
  return a + b + 2 * d + e - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3];
}

static double tp_hs71(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double s = x[0] + x[1] + x[2], p = x[0] * x[1] * x[2] * x[3];
  g[0] = x[3] * (s + x[0]);
  g[1] = x[0] * x[3];
  g[2] = x[0] * x[3] + 1;
  g[3] = x[0] * s;
  c[0] = 25 - p;
  c[1] = -40;
  for (int i = 0; i < 4; i++) {
    j[0][i] = -p / x[i];
    j[1][i] = 2 * x[i];
    c[1] += x[i] * x[i];
  }
  return x[0] * x[3] * s + x[2];
}

static double tp_hs76(const double *x, double *g, double *c, double (*j)[TP_MAX]) {
  const double rows[3][4] = {{1, 2, 1, 1}, {3, 1, 2, -1}, {0, -1, -4, 0}};
  const double right[3] = {5, 4, -1.5};
  for (int i = 0; i < 3; i++) {
    memcpy(j[i], rows[i], sizeof rows[i]);
    c[i] = -right[i];
    for (int k = 0; k < 4; k++) {
      c[i] += rows[i][k] * x[k];
    }
  }
  g[0] = 2 * x[0] - x[2] - 1;
  g[1] = x[1] - 3;
  g[2] = 2 * x[2] - x[0] + x[3] + 1;
  g[3] = x[3] + x[2] - 1;
  return x[0] * x[0] + 0.5 * x[1] * x[1] + x[2] * x[2] + 0.5 * x[3] * x[3] - x[0] * x[2] +
         x[2] * x[3] - x[0] - 3 * x[1] + x[2] - x[3];
}

#define TP_FREE                                                                                    \
  {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {                                                  \
    INFINITY, INFINITY, INFINITY, INFINITY                                                         \
  }
#define TP_POSITIVE                                                                                \
  {0, 0, 0, 0}, {                                                                                  \
    INFINITY, INFINITY, INFINITY, INFINITY                                                         \
  }

/* Hock and Schittkowski, Test Examples for Nonlinear Programming Codes, 1981; HS 21 starts on its
 * bound because the published start is outside */
static const tp_case tp_cases[] = {
    {"rosenbrock", 2, 0, 0, {-2, -2}, {2, 2}, {-1.2, 1}, 0, tp_rosenbrock},
    {"hs6", 2, 0, 1, TP_FREE, {-1.2, 1}, 0, tp_hs6},
    {"hs7", 2, 0, 1, TP_FREE, {2, 2}, -1.7320508075688772, tp_hs7},
    {"hs12", 2, 1, 0, TP_FREE, {0, 0}, -30, tp_hs12},
    {"hs21", 2, 1, 0, {2, -50}, {50, 50}, {2, -1}, -99.96, tp_hs21},
    {"hs35", 3, 1, 0, TP_POSITIVE, {0.5, 0.5, 0.5}, 1.0 / 9.0, tp_hs35},
    {"hs43", 4, 3, 0, TP_FREE, {0, 0, 0, 0}, -44, tp_hs43},
    {"hs71", 4, 1, 1, {1, 1, 1, 1}, {5, 5, 5, 5}, {1, 5, 5, 1}, 17.014017289179, tp_hs71},
    {"hs76", 4, 3, 0, TP_POSITIVE, {0.5, 0.5, 0.5, 0.5}, -4.681818181818182, tp_hs76},
};

enum { TP_CASES = (int)(sizeof tp_cases / sizeof tp_cases[0]) };

static void tp_watch(tp *t, const double *x, bool gradient) {
  const tp_case *test = t->test;
  bool same = t->calls > 0;
  for (int i = 0; i < test->n; i++) {
    same = same && x[i] == t->last_x[i];
    t->saw_bad_x =
        t->saw_bad_x || !isfinite(x[i]) || x[i] < test->lower[i] || x[i] > test->upper[i];
    t->last_x[i] = x[i];
  }
  t->repeated += same && !gradient;
  t->calls++;
  t->gradients += gradient;
}

static cq_status tp_eval(void *data, const double *x, double *f, double *c, double *grad,
                         double *jac) {
  tp *t = data;
  const tp_case *test = t->test;
  const int n = test->n, m = test->n_inequality + test->n_equality;
  double g[TP_MAX], cs[TP_MAX], j[TP_MAX][TP_MAX];
  tp_watch(t, x, grad != NULL);
  const bool faulty = t->calls >= t->fault_from && t->calls <= t->fault_to;
  if (t->stop_ctx != NULL && t->calls == t->stop_at) {
    cq_ctx_request_stop(t->stop_ctx, CQ_INTERRUPTED);
  }
  if (faulty && t->fault == TP_STATUS) {
    return CQ_OUT_OF_GRID;
  }
  *f = t->factor * test->eval(x, g, cs, j);
  for (int i = 0; i < m; i++) {
    c[i] = cs[i];
  }
  for (int k = 0; grad != NULL && k < n; k++) {
    grad[k] = t->factor * g[k];
    for (int i = 0; i < m; i++) {
      jac[i * n + k] = j[i][k];
    }
  }
  double *const target = t->fault == TP_F      ? f
                         : t->fault == TP_C    ? c
                         : t->fault == TP_GRAD ? grad
                         : t->fault == TP_JAC  ? jac
                                               : NULL;
  if (faulty && target != NULL) {
    *target = t->poison;
  }
  return CQ_OK;
}

static inline const tp_case *tp_find(const char *name) {
  for (int i = 0; i < TP_CASES; i++) {
    if (strcmp(tp_cases[i].name, name) == 0) {
      return &tp_cases[i];
    }
  }
  return NULL;
}

static tp tp_make(const tp_case *test) {
  return (tp){.test = test, .factor = 1, .poison = NAN};
}

static cq_problem tp_problem(tp *t) {
  const tp_case *test = t->test;
  return (cq_problem){.n = test->n,
                      .n_inequality = test->n_inequality,
                      .n_equality = test->n_equality,
                      .lower = test->lower,
                      .upper = test->upper,
                      .start = test->start,
                      .eval = tp_eval,
                      .data = t};
}

#endif
