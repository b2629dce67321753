#include "closed_form.h"

#include <math.h>
#include <string.h>

enum { MOST = CQ_CLOSED_FORM_MOST };

static double rosenbrock(const double *x, double *g, double *c, double (*j)[MOST]) {
  (void)c, (void)j;
  const double a = x[1] - x[0] * x[0], b = 1 - x[0];
  g[0] = -400 * a * x[0] - 2 * b;
  g[1] = 200 * a;
  return 100 * a * a + b * b;
}

static double hs6(const double *x, double *g, double *c, double (*j)[MOST]) {
  g[0] = -2 * (1 - x[0]);
  g[1] = 0;
  c[0] = 10 * (x[1] - x[0] * x[0]);
  j[0][0] = -20 * x[0];
  j[0][1] = 10;
  return (1 - x[0]) * (1 - x[0]);
}

static double hs7(const double *x, double *g, double *c, double (*j)[MOST]) {
  const double a = 1 + x[0] * x[0];
  g[0] = 2 * x[0] / a;
  g[1] = -1;
  c[0] = a * a + x[1] * x[1] - 4;
  j[0][0] = 4 * a * x[0];
  j[0][1] = 2 * x[1];
  return log(a) - x[1];
}

static double hs12(const double *x, double *g, double *c, double (*j)[MOST]) {
  g[0] = x[0] - x[1] - 7;
  g[1] = 2 * x[1] - x[0] - 7;
  c[0] = 4 * x[0] * x[0] + x[1] * x[1] - 25;
  j[0][0] = 8 * x[0];
  j[0][1] = 2 * x[1];
  return 0.5 * x[0] * x[0] + x[1] * x[1] - x[0] * x[1] - 7 * x[0] - 7 * x[1];
}

static double hs21(const double *x, double *g, double *c, double (*j)[MOST]) {
  g[0] = 0.02 * x[0];
  g[1] = 2 * x[1];
  c[0] = 10 - 10 * x[0] + x[1];
  j[0][0] = -10;
  j[0][1] = 1;
  return 0.01 * x[0] * x[0] + x[1] * x[1] - 100;
}

static double hs35(const double *x, double *g, double *c, double (*j)[MOST]) {
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

/* Number 43 of Hock and Schittkowski (Rosen and Suzuki). */
static double hs43(const double *x, double *g, double *c, double (*j)[MOST]) {
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

static double hs71(const double *x, double *g, double *c, double (*j)[MOST]) {
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

/* Number 76 of Hock and Schittkowski. */
static double hs76(const double *x, double *g, double *c, double (*j)[MOST]) {
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

/* Where the minima of the functions below are: not at a start, a bound or a multiple of a step. */
static double place(int i) {
  return 0.7 - 0.13 * i;
}

static double sphere(const double *x, double *g, double *c, double (*j)[MOST]) {
  (void)c, (void)j;
  double f = 0;
  for (int i = 0; i < MOST; i++) {
    const double d = x[i] - place(i);
    f += d * d;
    g[i] = 2 * d;
  }
  return f;
}

/* axes from 1 to 1000 in length, a condition number of 1e6 */
static double ellipsoid(const double *x, double *g, double *c, double (*j)[MOST]) {
  (void)c, (void)j;
  double f = 0;
  for (int i = 0; i < MOST; i++) {
    const double d = x[i] - place(i), weight = pow(1e6, i / (MOST - 1.0));
    f += weight * d * d;
    g[i] = 2 * weight * d;
  }
  return f;
}

static double rosenbrock_10(const double *x, double *g, double *c, double (*j)[MOST]) {
  (void)c, (void)j;
  double f = 0;
  memset(g, 0, MOST * sizeof *g);
  for (int i = 0; i + 1 < MOST; i++) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    f += 100 * a * a + b * b;
    g[i] += -400 * a * x[i] - 2 * b;
    g[i + 1] += 200 * a;
  }
  return f;
}

/* some 10 minima along each axis */
static double rastrigin(const double *x, double *g, double *c, double (*j)[MOST]) {
  static const double turn = 6.283185307179586;
  (void)c, (void)j;
  double f = 0;
  for (int i = 0; i < MOST / 2; i++) {
    const double d = x[i] - place(i);
    f += d * d + 10 * (1 - cos(turn * d));
    g[i] = 2 * d + 10 * turn * sin(turn * d);
  }
  return f;
}

#define FREE                                                                                       \
  {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {                                                  \
    INFINITY, INFINITY, INFINITY, INFINITY                                                         \
  }
#define TEN(v) v, v, v, v, v, v, v, v, v, v
#define POSITIVE                                                                                   \
  {0, 0, 0, 0}, {                                                                                  \
    INFINITY, INFINITY, INFINITY, INFINITY                                                         \
  }

/* Hock and Schittkowski, Test Examples for Nonlinear Programming Codes, 1981; HS 21 starts on its
 * bound because the published start is outside */
const cq_closed_form cq_closed_forms[CQ_N_CLOSED_FORMS] = {
    {"rosenbrock", 2, 0, 0, {-2, -2}, {2, 2}, {-1.2, 1}, 0, rosenbrock},
    {"hs6", 2, 0, 1, FREE, {-1.2, 1}, 0, hs6},
    {"hs7", 2, 0, 1, FREE, {2, 2}, -1.7320508075688772, hs7},
    {"hs12", 2, 1, 0, FREE, {0, 0}, -30, hs12},
    {"hs21", 2, 1, 0, {2, -50}, {50, 50}, {2, -1}, -99.96, hs21},
    {"hs35", 3, 1, 0, POSITIVE, {0.5, 0.5, 0.5}, 1.0 / 9.0, hs35},
    {"hs43", 4, 3, 0, FREE, {0, 0, 0, 0}, -44, hs43},
    {"hs71", 4, 1, 1, {1, 1, 1, 1}, {5, 5, 5, 5}, {1, 5, 5, 1}, 17.014017289179, hs71},
    {"hs76", 4, 3, 0, POSITIVE, {0.5, 0.5, 0.5, 0.5}, -4.681818181818182, hs76},
    {"sphere", MOST, 0, 0, {TEN(-5)}, {TEN(5)}, {TEN(2)}, 0, sphere},
    {"ellipsoid", MOST, 0, 0, {TEN(-5)}, {TEN(5)}, {TEN(2)}, 0, ellipsoid},
    {"rosenbrock_10", MOST, 0, 0, {TEN(-2)}, {TEN(2)}, {TEN(-1)}, 0, rosenbrock_10},
    {"rastrigin", MOST / 2, 0, 0, {TEN(-5)}, {TEN(5)}, {TEN(2)}, 0, rastrigin},
};

/* cq_problem.eval of a formula, which always makes the gradients, too. */
static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  const cq_closed_form *const form = data;
  const int m = form->n_inequality + form->n_equality;
  double g[MOST], values[MOST], rows[MOST][MOST];
  *f = form->eval(x, g, values, rows);
  for (int i = 0; i < m; i++) {
    c[i] = values[i];
  }
  for (int k = 0; grad != NULL && k < form->n; k++) {
    grad[k] = g[k];
    for (int i = 0; i < m; i++) {
      jac[i * form->n + k] = rows[i][k];
    }
  }
  return CQ_OK;
}

cq_problem cq_closed_form_problem(const cq_closed_form *form) {
  return (cq_problem){.n = form->n,
                      .n_inequality = form->n_inequality,
                      .n_equality = form->n_equality,
                      .lower = form->lower,
                      .upper = form->upper,
                      .start = form->start,
                      .eval = evaluate,
                      .data = (void *)form};
}
