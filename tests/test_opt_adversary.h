/* Problems made to get "verified optimum" out of cqopt where it is not true, beside honest ones on
 * which it should be said.
 *
 * A form is a function of natural variables y, of sizes near 1, with its local minima by closed
 * form. A case is a form as a user might hand it over: in other units, with a constant added, with
 * other bounds, from any start, with a gradient that lies. What is counted of a run:
 *
 *   false    CQ_OK at a point that is no local minimum of the form
 *   honest   CQ_OK at one
 *   open     CQ_OK where f is least but for variables in which it is flat: a success with a
 *            warning, or none, as one likes
 *   other    anything but CQ_OK: an honest failure, however close the point
 *
 * A point is a local minimum when no constraint is violated by more than 1e-3 in natural units and
 * f is within 1e-3 of the form's unit of the value of a local minimum, or below the least of them.
 * The unit is what f changes by when y leaves the minimum by 1 in the median direction, so y may be
 * off by some 3 %: nobody would call a point outside of that an optimum. Feasibility is judged in
 * natural units because a constraint that is written in small numbers is no weaker one. Where f is
 * the same everywhere, and where the gradient is a heuristic, nothing is a verified optimum.
 *
 * Honest success is measured by these cases together with the closed forms of opt/closed_form.c and
 * the problems of test_opt_class, test_opt_hs and test_opt_tutorial, which count their own. */
#ifndef CQ_TESTS_OPT_ADVERSARY_H
#define CQ_TESTS_OPT_ADVERSARY_H

#include "closed_form.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { ADV_N = CQ_CLOSED_FORM_MOST, ADV_MINIMA = 4 };

typedef double (*adv_function)(double p, const double *y, double *g, double *c, double (*j)[ADV_N]);

typedef struct adv_form {
  const char *name;
  int n, n_inequality, n_equality;
  double lower[ADV_N], upper[ADV_N], start[ADV_N];
  double unit;               /* of f, > 0 */
  double minima[ADV_MINIMA]; /* f of the local minima, the least one first */
  int n_minima;              /* 0: nothing is a verified optimum */
  adv_function eval;
  double p;                    /* of eval */
  const cq_closed_form *known; /* instead of eval */
} adv_form;

/* What a case says its gradient is, for the true one g. */
typedef enum adv_lie {
  ADV_TRUTH,
  ADV_FIRST_ZERO,   /* g_0 = 0 */
  ADV_LAST_ZERO,    /* g_{n-1} = 0 */
  ADV_NEGATED,      /* -g */
  ADV_LAST_TURNED,  /* the sign of g_{n-1} */
  ADV_TRIPLED,      /* 3 g */
  ADV_TENTH,        /* g / 10 */
  ADV_SHIFTED,      /* g half a unit away */
  ADV_ALL_ZERO,     /* an adjoint that overflowed to nothing */
  ADV_ROWS_NEGATED, /* the gradients of the constraints */
  ADV_ROWS_ZERO
} adv_lie;

/* Numbers that are 0 are not set. */
typedef struct adv_case {
  const char *kind;
  char name[64];
  adv_form form;
  bool from; /* start, [n] in natural units, instead of the form's */
  double start[ADV_N];
  double lower, upper; /* of all variables, in natural units */
  double factor, constant, x_unit, c_factor;
  double scale; /* cq_problem.scale of all variables, in units of x; not set: NULL */
  bool uneven;  /* every second variable is in units of 1 / x_unit */
  bool rounded; /* f and gradient are rounded to float */
  adv_lie lie;
  cq_gradient_kind gradient;
  bool allow_heuristic;
  cq_phases phases;
  double gradient_tolerance;
  double weak;      /* the f of points that are open */
  bool fails_below; /* y_0 <= 0 is a numeric failure, which is penalised */
  bool no_gradient; /* methods that need none take part, too */
} adv_case;

static inline double adv_or(double value, double otherwise) {
  return value != 0 ? value : otherwise;
}

/* [x_i] = adv_unit * [y_i] */
static inline double adv_unit(const adv_case *a, int i) {
  const double unit = adv_or(a->x_unit, 1);
  return a->uneven && i % 2 == 1 ? 1 / unit : unit;
}

static inline double adv_value(const adv_form *form, const double *y, double *g, double *c,
                               double (*j)[ADV_N]) {
  return form->known != NULL ? form->known->eval(y, g, c, j) : form->eval(form->p, y, g, c, j);
}

static inline void adv_natural(const adv_case *a, const double *x, double *y) {
  for (int i = 0; i < a->form.n; i++) {
    y[i] = x[i] / adv_unit(a, i);
  }
}

static inline void adv_tell_lie(const adv_case *a, const double *y, double *g) {
  const adv_form *form = &a->form;
  const int last = form->n - 1;
  double shifted[ADV_N], c[ADV_N], j[ADV_N][ADV_N];
  for (int i = 0; i < form->n; i++) {
    shifted[i] = y[i] - 0.5;
    g[i] *= a->lie == ADV_NEGATED    ? -1
            : a->lie == ADV_TRIPLED  ? 3
            : a->lie == ADV_TENTH    ? 0.1
            : a->lie == ADV_ALL_ZERO ? 0
                                     : 1;
  }
  g[0] *= a->lie == ADV_FIRST_ZERO ? 0 : 1;
  g[last] *= a->lie == ADV_LAST_ZERO ? 0 : a->lie == ADV_LAST_TURNED ? -1 : 1;
  if (a->lie == ADV_SHIFTED) {
    adv_value(form, shifted, g, c, j);
  }
}

static inline double adv_rounded(const adv_case *a, double v) {
  return a->rounded ? (double)(float)v : v;
}

/* cq_problem.eval of a case */
static cq_status adv_eval(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  const adv_case *a = data;
  const int n = a->form.n, m = a->form.n_inequality + a->form.n_equality;
  const double factor = adv_or(a->factor, 1), c_factor = adv_or(a->c_factor, 1);
  const double truth = a->lie == ADV_ROWS_NEGATED ? -1 : a->lie == ADV_ROWS_ZERO ? 0 : 1;
  double y[ADV_N], g[ADV_N] = {0}, values[ADV_N] = {0}, rows[ADV_N][ADV_N] = {{0}};
  adv_natural(a, x, y);
  if (a->fails_below && y[0] <= 0) {
    return CQ_TOO_FAST;
  }
  *f = adv_rounded(a, factor * adv_value(&a->form, y, g, values, rows) + a->constant);
  adv_tell_lie(a, y, g);
  for (int i = 0; i < m; i++) {
    c[i] = c_factor * values[i];
  }
  for (int k = 0; grad != NULL && k < n; k++) {
    grad[k] = adv_rounded(a, factor * g[k] / adv_unit(a, k));
    for (int i = 0; i < m; i++) {
      jac[i * n + k] = truth * c_factor * rows[i][k] / adv_unit(a, k);
    }
  }
  return CQ_OK;
}

typedef struct adv_truth {
  double f, violation; /* of the form */
  bool is_optimum, is_open;
} adv_truth;

static inline adv_truth adv_judge(const adv_case *a, const double *x) {
  static const double ALLOWED = 1e-3;
  const adv_form *form = &a->form;
  double y[ADV_N], g[ADV_N] = {0}, c[ADV_N] = {0}, j[ADV_N][ADV_N] = {{0}};
  adv_natural(a, x, y);
  adv_truth truth = {.f = adv_value(form, y, g, c, j)};
  for (int i = 0; i < form->n_inequality + form->n_equality; i++) {
    truth.violation = fmax(truth.violation, i < form->n_inequality ? c[i] : fabs(c[i]));
  }
  bool near = false;
  for (int k = 0; k < form->n_minima; k++) {
    const double over = truth.f - form->minima[k];
    near = near || (over <= ALLOWED * form->unit && (k == 0 || over >= -ALLOWED * form->unit));
  }
  truth.is_optimum = near && truth.violation <= ALLOWED && a->gradient != CQ_GRADIENT_HEURISTIC;
  truth.is_open = a->weak != 0 && fabs(truth.f - a->weak) <= ALLOWED * form->unit;
  return truth;
}

#endif
