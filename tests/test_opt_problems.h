/* Problems with known answers for the tests of opt/, behind one eval that counts, scales and fails
 * on demand. */
#ifndef CQ_TESTS_OPT_PROBLEMS_H
#define CQ_TESTS_OPT_PROBLEMS_H

#include "closed_form.h"

#include <math.h>
#include <string.h>

enum { TP_MAX = CQ_CLOSED_FORM_MOST, TP_CASES = CQ_N_CLOSED_FORMS_HS };

typedef cq_closed_form tp_case;

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
  /* cq_problem.parts at x: values, and slopes [n_parts][n] */
  void (*parts)(const double *x, double *values, double *slopes);
  int n_parts;
  const int *part_of;
} tp;

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
    return CQ_OUT_OF_ROOM;
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

/* Rosenbrock's function as the sum of squares that it is; faults are those of tp_eval, and that of
 * a gradient strikes the derivatives. */
static cq_status tp_residuals(void *data, int level, const double *x, double *f, double *r,
                              double *jac) {
  const tp *t = data;
  const double unit = sqrt(t->factor);
  double g[TP_MAX];
  (void)level;
  const cq_status status = tp_eval(data, x, f, NULL, jac != NULL ? g : NULL, NULL);
  r[0] = unit * 10 * (x[1] - x[0] * x[0]);
  r[1] = unit * (1 - x[0]);
  if (jac != NULL) {
    jac[0] = isfinite(g[0]) ? unit * -20 * x[0] : g[0];
    jac[1] = unit * 10;
    jac[2] = -unit;
    jac[3] = 0;
  }
  return status;
}

static void tp_parts(void *data, double *values, double *slopes) {
  tp *t = data;
  double unused[TP_MAX * TP_MAX];
  t->parts(t->last_x, values, slopes != NULL ? slopes : unused);
}

static inline const tp_case *tp_find(const char *name) {
  for (int i = 0; i < TP_CASES; i++) {
    if (strcmp(cq_closed_forms[i].name, name) == 0) {
      return &cq_closed_forms[i];
    }
  }
  return NULL;
}

static tp tp_make(const tp_case *test) {
  return (tp){.test = test, .factor = 1, .poison = NAN};
}

static cq_problem tp_problem(tp *t) {
  const tp_case *test = t->test;
  const bool squares = strcmp(test->name, "rosenbrock") == 0;
  return (cq_problem){.n = test->n,
                      .n_inequality = test->n_inequality,
                      .n_equality = test->n_equality,
                      .lower = test->lower,
                      .upper = test->upper,
                      .start = test->start,
                      .eval = tp_eval,
                      .n_parts = t->n_parts,
                      .part_of = t->part_of,
                      .parts = tp_parts,
                      .n_residuals = squares ? 2 : 0,
                      .residuals = tp_residuals,
                      .jacobian_cost = 2,
                      .data = t};
}

#endif
