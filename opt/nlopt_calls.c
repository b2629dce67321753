/* What NLopt calls: the scaled problem, from the evaluator. */
#include "nlopt_driver.h"

#include <string.h>

enum { MOST_IDLE = 100 }; /* requests */

/* MMA and CCSAQ may go round in their inner iteration at one x for ever, each time with thousands
 * of steps for the multipliers. Without new points such a pass ends. */
static void watch(cq_nlopt_driver *d) {
  const cq_evaluator *ev = d->run->evaluator;
  const int news = ev->evaluations + ev->gradients;
  d->idle = news == d->news ? d->idle + 1 : 0;
  d->news = news;
  if (d->idle > MOST_IDLE) {
    d->stuck = true;
    nlopt_force_stop(d->opt);
  }
}

const cq_point *cq_nlopt_point(cq_nlopt_driver *d, const double *xs, bool gradient) {
  cq_scaling_leave(&d->scaling, xs);
  const cq_point *point = cq_evaluate(d->run->evaluator, d->scaling.full, gradient);
  if (point == NULL) {
    nlopt_force_stop(d->opt);
  } else {
    watch(d);
  }
  return point;
}

/* After the end NLopt may call some more before it looks at the flag: it gets zeros. */
double cq_nlopt_objective(unsigned n, const double *xs, double *grad, void *data) {
  cq_nlopt_driver *d = data;
  const cq_point *point = cq_nlopt_point(d, xs, grad != NULL);
  if (point == NULL) {
    if (grad != NULL) {
      memset(grad, 0, n * sizeof *grad);
    }
    return 0;
  }
  if (grad != NULL) {
    cq_scaling_gradient(&d->scaling, point, -1, grad);
  }
  return cq_scaling_objective(&d->scaling, point);
}

/* Rows of constraints from `first` on; zeros after the end, as in cq_nlopt_objective. */
static void constraints(cq_nlopt_driver *d, int first, unsigned m, double *result, unsigned n,
                        const double *xs, double *grad) {
  const cq_point *point = cq_nlopt_point(d, xs, grad != NULL);
  if (point == NULL) {
    memset(result, 0, m * sizeof *result);
    if (grad != NULL) {
      memset(grad, 0, (size_t)m * n * sizeof *grad);
    }
    return;
  }
  for (unsigned i = 0; i < m; i++) {
    result[i] = cq_scaling_constraint(&d->scaling, point, first + (int)i);
    if (grad != NULL) {
      cq_scaling_gradient(&d->scaling, point, first + (int)i, grad + (size_t)i * n);
    }
  }
}

void cq_nlopt_inequalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                           void *data) {
  constraints(data, 0, m, result, n, xs, grad);
}

void cq_nlopt_equalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                         void *data) {
  cq_nlopt_driver *d = data;
  constraints(d, d->scaling.n_inequality, m, result, n, xs, grad);
}
