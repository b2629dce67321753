/* The functions of test_opt_adversary.c: each returns f and fills its gradients. p is a number of
 * the form. */
#ifndef CQ_TESTS_OPT_ADVERSARY_FUNCTIONS_H
#define CQ_TESTS_OPT_ADVERSARY_FUNCTIONS_H

#include "test_opt_adversary.h"

#define ADV_ARGUMENTS double p, const double *y, double *g, double *c, double(*j)[ADV_N]
/* the arguments that a function has no use for */
#define ADV_UNUSED (void)p, (void)c, (void)j

static double sign_of(double v) {
  return (v > 0) - (v < 0);
}

/* sum of weight_i (y_i - at_i)^power */
static double powers(int n, const double *y, const double *at, const double *weight, int power,
                     double *g) {
  double f = 0;
  for (int i = 0; i < n; i++) {
    const double d = y[i] - (at != NULL ? at[i] : 0), w = weight != NULL ? weight[i] : 1;
    f += w * pow(d, power);
    g[i] = w * power * pow(d, power - 1);
  }
  return f;
}

/* not at a start, a bound or a multiple of a step */
static const double places[ADV_N] = {0.7, 0.57, 0.44, 0.31, 0.18, 0.05, -0.08, -0.21, -0.34, -0.47};

/* ---- smooth, with the gradient large far away */

/* condition number p */
static double f_quadratic(ADV_ARGUMENTS) {
  double weight[5];
  ADV_UNUSED;
  for (int i = 0; i < 5; i++) {
    weight[i] = pow(p, i / 4.0);
  }
  return powers(5, y, places, weight, 2, g);
}

static double f_coupled(ADV_ARGUMENTS) {
  double f = (y[0] - 1) * (y[0] - 1);
  ADV_UNUSED;
  memset(g, 0, ADV_N * sizeof *g);
  g[0] = 2 * (y[0] - 1);
  for (int i = 0; i + 1 < ADV_N; i++) {
    const double d = y[i + 1] - y[i];
    f += p * d * d;
    g[i + 1] += 2 * p * d;
    g[i] -= 2 * p * d;
  }
  return f;
}

static double f_exp_wall(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double e = exp(30 * (y[0] - 1));
  g[0] = 30 * e + 2 * (y[0] + 0.5);
  g[1] = 2e-3 * (y[1] - 2);
  return e + (y[0] + 0.5) * (y[0] + 0.5) + 1e-3 * (y[1] - 2) * (y[1] - 2);
}

static double f_cosh(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = p * sinh(p * y[0]);
  g[1] = p * sinh(p * y[1]);
  return cosh(p * y[0]) + cosh(p * y[1]);
}

static double f_exp_slope(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = p * exp(p * y[0]) - p;
  return exp(p * y[0]) - p * y[0];
}

static double f_power_2(ADV_ARGUMENTS) {
  ADV_UNUSED;
  return powers(2, y, places, NULL, (int)p, g);
}

static double f_power_10(ADV_ARGUMENTS) {
  ADV_UNUSED;
  return powers(ADV_N, y, places, NULL, (int)p, g);
}

/* a quartic in one variable and a place far away in another */
static double f_far(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[0] - 1, b = y[1] - p;
  g[0] = 4 * a * a * a;
  g[1] = 2 * b;
  return a * a * a * a + b * b;
}

static double f_himmelblau(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[0] * y[0] + y[1] - 11, b = y[0] + y[1] * y[1] - 7;
  g[0] = 4 * a * y[0] + 2 * b;
  g[1] = 2 * a + 4 * b * y[1];
  return a * a + b * b;
}

static double f_camel(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[0], b = y[1];
  g[0] = 8 * a - 8.4 * pow(a, 3) + 2 * pow(a, 5) + b;
  g[1] = a - 8 * b + 16 * pow(b, 3);
  return (4 - 2.1 * a * a + pow(a, 4) / 3) * a * a + a * b + (4 * b * b - 4) * b * b;
}

static double f_roth(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double v = y[1], a = -13 + y[0] + ((5 - v) * v - 2) * v,
               b = -29 + y[0] + ((v + 1) * v - 14) * v;
  g[0] = 2 * a + 2 * b;
  g[1] = 2 * a * (10 * v - 3 * v * v - 2) + 2 * b * (3 * v * v + 2 * v - 14);
  return a * a + b * b;
}

/* has a saddle near (-1, 1, -1, 1), f = 7.877, that bends down by 0.3 only */
static double f_wood(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[1] - y[0] * y[0], b = y[3] - y[2] * y[2], u = y[1] - 1, v = y[3] - 1;
  g[0] = -400 * a * y[0] - 2 * (1 - y[0]);
  g[1] = 200 * a + 20.2 * u + 19.8 * v;
  g[2] = -360 * b * y[2] - 2 * (1 - y[2]);
  g[3] = 180 * b + 20.2 * v + 19.8 * u;
  return 100 * a * a + (1 - y[0]) * (1 - y[0]) + 90 * b * b + (1 - y[2]) * (1 - y[2]) +
         10.1 * (u * u + v * v) + 19.8 * u * v;
}

static double f_powell(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[0] + 10 * y[1], b = y[2] - y[3], d = y[1] - 2 * y[2], e = y[0] - y[3];
  g[0] = 2 * a + 40 * e * e * e;
  g[1] = 20 * a + 4 * d * d * d;
  g[2] = 10 * b - 8 * d * d * d;
  g[3] = -10 * b - 40 * e * e * e;
  return a * a + 5 * b * b + pow(d, 4) + 10 * pow(e, 4);
}

static double f_powell_bad(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = 1e4 * y[0] * y[1] - 1, b = exp(-y[0]) + exp(-y[1]) - 1.0001;
  g[0] = 2e4 * a * y[1] - 2 * b * exp(-y[0]);
  g[1] = 2e4 * a * y[0] - 2 * b * exp(-y[1]);
  return a * a + b * b;
}

static double f_log(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = 1 - 1 / y[0];
  g[1] = 2 * (y[1] - 0.4);
  return y[0] - log(y[0]) + (y[1] - 0.4) * (y[1] - 0.4);
}

static double f_linear(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = 1;
  g[1] = 2;
  return y[0] + 2 * y[1];
}

/* ---- flat */

static double f_constant(ADV_ARGUMENTS) {
  ADV_UNUSED, (void)y;
  g[0] = g[1] = 0;
  return p;
}

/* p of the ten variables act */
static double f_part(ADV_ARGUMENTS) {
  ADV_UNUSED;
  memset(g, 0, ADV_N * sizeof *g);
  return powers((int)p, y, places, NULL, 2, g);
}

static double f_hat(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double r = y[0] * y[0] + y[1] * y[1];
  g[0] = r < 1 ? 2 * y[0] : 0;
  g[1] = r < 1 ? 2 * y[1] : 0;
  return fmin(r, 1);
}

static double f_dip(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double e = exp(-(y[0] * y[0] + y[1] * y[1]));
  g[0] = 2 * y[0] * e;
  g[1] = 2 * y[1] * e;
  return -e;
}

static double f_saturated(ADV_ARGUMENTS) {
  double f = 0;
  ADV_UNUSED;
  for (int i = 0; i < 2; i++) {
    const double t = tanh(p * (y[i] - places[i]));
    f += t * t;
    g[i] = 2 * t * (1 - t * t) * p;
  }
  return f;
}

/* one variable saturated, one not */
static double f_half_saturated(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double t = tanh(p * (y[0] - 0.7));
  g[0] = 2 * t * (1 - t * t) * p;
  g[1] = 2 * (y[1] - 0.57);
  return t * t + (y[1] - 0.57) * (y[1] - 0.57);
}

static double f_logistic(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double s = 1 / (1 + exp(-p * y[0]));
  g[0] = p * s * (1 - s);
  return s;
}

static double f_stairs(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = g[1] = 0;
  return pow(floor(4 * fabs(y[0])), 2) / 16 + pow(floor(4 * fabs(y[1])), 2) / 16;
}

/* ---- saddles, maxima, inflections */

/* p variables, the last one goes down */
static double f_saddle(ADV_ARGUMENTS) {
  const int n = (int)p;
  double f = 0;
  ADV_UNUSED;
  for (int i = 0; i < n; i++) {
    const double w = i + 1 < n ? i + 1 : -1;
    f += w * y[i] * y[i];
    g[i] = 2 * w * y[i];
  }
  return f;
}

/* the same with a minimum within the bounds */
static double f_saddle_well(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double f = f_saddle(p, y, g, c, j), v = y[(int)p - 1];
  g[(int)p - 1] += 4 * v * v * v;
  return f + v * v * v * v;
}

static double f_product_2(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = y[1];
  g[1] = y[0];
  return y[0] * y[1];
}

static double f_product_3(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = y[1] * y[2];
  g[1] = y[0] * y[2];
  g[2] = y[0] * y[1];
  return y[0] * y[1] * y[2];
}

static double f_monkey(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = 3 * y[0] * y[0] - 3 * y[1] * y[1];
  g[1] = -6 * y[0] * y[1];
  return y[0] * y[0] * y[0] - 3 * y[0] * y[1] * y[1];
}

static double f_hyperbola(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double d = y[0] * y[1] - 1;
  g[0] = 2 * d * y[1];
  g[1] = 2 * d * y[0];
  return d * d;
}

/* -|y|^2 of p variables */
static double f_hill(ADV_ARGUMENTS) {
  double f = 0;
  ADV_UNUSED;
  for (int i = 0; i < (int)p; i++) {
    f -= y[i] * y[i];
    g[i] = -2 * y[i];
  }
  return f;
}

static double f_bump(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double e = exp(-p * (y[0] * y[0] + y[1] * y[1]));
  g[0] = -2 * p * y[0] * e;
  g[1] = -2 * p * y[1] * e;
  return e;
}

static double f_waves(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = sin(y[0]);
  g[1] = sin(y[1]);
  return 2 - cos(y[0]) - cos(y[1]);
}

/* y_0^p, and a parabola in the other variable */
static double f_inflection(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = p * pow(y[0], p - 1);
  g[1] = 2 * (y[1] - 0.5);
  return pow(y[0], p) + (y[1] - 0.5) * (y[1] - 0.5);
}

static double f_shelf(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = 1 + cos(y[0]);
  return y[0] + sin(y[0]);
}

static double f_ravine(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double d = y[0] + y[1] - 1;
  g[0] = g[1] = 2 * d;
  return d * d;
}

/* ---- kinks */

static double f_abs(ADV_ARGUMENTS) {
  double f = 0;
  ADV_UNUSED;
  for (int i = 0; i < 3; i++) {
    f += (i + 1) * fabs(y[i] - places[i]);
    g[i] = (i + 1) * sign_of(y[i] - places[i]);
  }
  return f;
}

static double f_abs_power(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double d = y[0] - 0.3;
  g[0] = p * pow(fabs(d), p - 1) * sign_of(d);
  return pow(fabs(d), p);
}

static double f_largest(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[0] - 0.7, b = y[1] - 0.57;
  const int most = fabs(a) >= fabs(b) ? 0 : 1;
  g[most] = sign_of(most == 0 ? a : b);
  g[1 - most] = 0;
  return fmax(fabs(a), fabs(b));
}

/* steep sides, and a bottom that goes down to the bounds */
static double f_gutter(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double s = p * sign_of(y[0] - y[1]);
  g[0] = s + 1;
  g[1] = -s;
  return p * fabs(y[0] - y[1]) + y[0];
}

static double f_bent_gutter(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = 1 - y[0], b = y[1] - y[0] * y[0];
  g[0] = -sign_of(a) - 2 * p * y[0] * sign_of(b);
  g[1] = p * sign_of(b);
  return fabs(a) + p * fabs(b);
}

/* Charalambous and Bandler's CB2 */
static double f_largest_of_3(ADV_ARGUMENTS) {
  ADV_UNUSED;
  const double a = y[0] * y[0] + pow(y[1], 4), b = pow(2 - y[0], 2) + pow(2 - y[1], 2),
               d = 2 * exp(y[1] - y[0]);
  if (a >= b && a >= d) {
    g[0] = 2 * y[0];
    g[1] = 4 * pow(y[1], 3);
    return a;
  }
  g[0] = b >= d ? -2 * (2 - y[0]) : -d;
  g[1] = b >= d ? -2 * (2 - y[1]) : d;
  return fmax(b, d);
}

static double f_roof(ADV_ARGUMENTS) {
  ADV_UNUSED;
  g[0] = -sign_of(y[0]);
  g[1] = 2 * (y[1] - 0.5);
  return -fabs(y[0]) + (y[1] - 0.5) * (y[1] - 0.5);
}

/* ---- with constraints; sets row i of j, two variables */

static void row(double (*j)[ADV_N], int i, double a, double b) {
  j[i][0] = a;
  j[i][1] = b;
}

/* (y_0 - a)^2 + (y_1 - b)^2 */
static double to(double a, double b, const double *y, double *g) {
  g[0] = 2 * (y[0] - a);
  g[1] = 2 * (y[1] - b);
  return (y[0] - a) * (y[0] - a) + (y[1] - b) * (y[1] - b);
}

static double f_tutorial(ADV_ARGUMENTS) {
  (void)p;
  const double a = 2 * y[0], b = 1 - y[0];
  g[0] = 0;
  g[1] = 0.5 / sqrt(y[1]);
  c[0] = a * a * a - y[1];
  c[1] = b * b * b - y[1];
  row(j, 0, 6 * a * a, -1);
  row(j, 1, -3 * b * b, -1);
  return sqrt(y[1]);
}

static double f_wall(ADV_ARGUMENTS) {
  (void)p;
  c[0] = 1 - y[0];
  j[0][0] = -1;
  g[0] = 1;
  return y[0];
}

/* to (p, 0) within the unit disc, or on its edge */
static double f_disc(ADV_ARGUMENTS) {
  c[0] = y[0] * y[0] + y[1] * y[1] - 1;
  row(j, 0, 2 * y[0], 2 * y[1]);
  return to(p, 0, y, g);
}

/* at least p from the middle, where the constraint has no gradient */
static double f_rest(ADV_ARGUMENTS) {
  c[0] = 1 - (y[0] * y[0] + y[1] * y[1]) / (p * p);
  row(j, 0, -2 * y[0] / (p * p), -2 * y[1] / (p * p));
  return to(0.3, 0.15, y, g);
}

static double f_rest_1(ADV_ARGUMENTS) {
  c[0] = 1 - y[0] * y[0] / (p * p);
  j[0][0] = -2 * y[0] / (p * p);
  g[0] = 2 * (y[0] - 0.3);
  return (y[0] - 0.3) * (y[0] - 0.3);
}

/* Kuhn and Tucker's cusp: no multipliers at the optimum, and the default tolerance of 1e-6 in c is
 * worth 1e-2 in f, which sets its unit */
static double f_cusp(ADV_ARGUMENTS) {
  (void)p;
  const double a = 1 - y[0];
  c[0] = y[1] - a * a * a;
  row(j, 0, 3 * a * a, 1);
  g[0] = -1;
  g[1] = 0;
  return -y[0];
}

static double f_circle_sum(ADV_ARGUMENTS) {
  (void)p;
  c[0] = (y[0] * y[0] + y[1] * y[1]) / 2 - 1;
  row(j, 0, y[0], y[1]);
  g[0] = g[1] = 1;
  return y[0] + y[1];
}

/* (1, 0) satisfies the first-order conditions, with the right sign, and is a saddle */
static double f_disc_hill(ADV_ARGUMENTS) {
  (void)p;
  c[0] = y[0] * y[0] + y[1] * y[1] - 1;
  row(j, 0, 2 * y[0], 2 * y[1]);
  g[0] = -2 * y[0];
  g[1] = -4 * y[1];
  return -y[0] * y[0] - 2 * y[1] * y[1];
}

static double f_line_saddle(ADV_ARGUMENTS) {
  (void)p;
  c[0] = y[0];
  row(j, 0, 1, 0);
  g[0] = 2 * y[0];
  g[1] = -2 * y[1];
  return y[0] * y[0] - y[1] * y[1];
}

static double f_exp_fence(ADV_ARGUMENTS) {
  c[0] = exp(p * y[0]) - 1;
  row(j, 0, p * exp(p * y[0]), 0);
  return to(1, 0.3, y, g);
}

/* y_0 = 0.5, p times y_0 = 0.5 */
static double f_twice(ADV_ARGUMENTS) {
  c[0] = y[0] - 0.5;
  c[1] = p * (y[0] - 0.5);
  row(j, 0, 1, 0);
  row(j, 1, p, 0);
  return to(0.6, 0.55, y, g);
}

static double f_three_of_two(ADV_ARGUMENTS) {
  (void)p;
  c[0] = y[0] - 0.3;
  c[1] = y[1] - 0.7;
  c[2] = y[0] + y[1] - 1;
  row(j, 0, 1, 0);
  row(j, 1, 0, 1);
  row(j, 2, 1, 1);
  return to(0.6, 0.55, y, g);
}

static double f_circle_twice(ADV_ARGUMENTS) {
  c[0] = y[0] * y[0] + y[1] * y[1] - 1;
  row(j, 0, 2 * y[0], 2 * y[1]);
  c[1] = p * c[0];
  row(j, 1, 2 * p * y[0], 2 * p * y[1]);
  return to(2, 0, y, g);
}

/* y_0 = 0.5 and y_0 = 0.5 + p */
static double f_contradiction(ADV_ARGUMENTS) {
  c[0] = y[0] - 0.5;
  c[1] = y[0] - 0.5 - p;
  row(j, 0, 1, 0);
  row(j, 1, 1, 0);
  return to(0.6, 0.55, y, g);
}

/* y_0 <= 0.2 and y_0 >= 0.2 + p */
static double f_empty(ADV_ARGUMENTS) {
  c[0] = y[0] - 0.2;
  c[1] = 0.2 + p - y[0];
  row(j, 0, 1, 0);
  row(j, 1, -1, 0);
  return to(0.6, 0.55, y, g);
}

static double f_thrice(ADV_ARGUMENTS) {
  for (int i = 0; i < 3; i++) {
    const double times = pow(p, i);
    c[i] = times * (y[0] + y[1] - 1);
    row(j, i, times, times);
  }
  return to(1, 1, y, g);
}

static double f_crossing(ADV_ARGUMENTS) {
  (void)p;
  c[0] = y[0] * y[0] + y[1] * y[1] - 1;
  c[1] = y[0] - y[1];
  row(j, 0, 2 * y[0], 2 * y[1]);
  row(j, 1, 1, -1);
  g[0] = 1;
  g[1] = 0;
  return y[0];
}

/* a stiffness far below its upper bound, and a height that is never reached */
static double f_stiff(ADV_ARGUMENTS) {
  (void)p;
  const double l = log(y[0]), d = l - log(6);
  c[0] = 0.77 * (1 + 0.05 * l) - 1;
  j[0][0] = 0.77 * 0.05 / y[0];
  g[0] = 2 * d / y[0];
  return d * d;
}

/* the optimum is p from the lower bound 1, and the constraint far from active */
static double f_low(ADV_ARGUMENTS) {
  c[0] = 0.1 * y[0] + 0.1 * y[1] - 50;
  row(j, 0, 0.1, 0.1);
  return to(1 + p, 1 + p, y, g);
}

#endif
