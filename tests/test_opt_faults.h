/* Problems with known optima that fail where and when they are told to, and a recorder that keeps
 * its own count of everything the evaluator counts. */
#ifndef CQ_TESTS_OPT_FAULTS_H
#define CQ_TESTS_OPT_FAULTS_H

#include "cqopt/optimizer.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { FT_MAX = 10, FT_CALLS = 8000, FT_LATER = 4 };

/* f = sum w_i (x_i - 1)^2 / 2, w from 1 to 4, and sum x_i <= n / 2; or Rosenbrock */
typedef struct ft_case {
  const char *name;
  int n, n_inequality;
  bool rosenbrock;
} ft_case;

static const ft_case ft_cases[] = {{"bowl_2", 2, 0, false},
                                   {"bowl_10", 10, 0, false},
                                   {"held_2", 2, 1, false},
                                   {"held_10", 10, 1, false},
                                   {"rosenbrock", 2, 0, true}};

enum { FT_CASES = (int)(sizeof ft_cases / sizeof ft_cases[0]) };

/* what goes wrong: name in the tables, what is spoilt, where */
#define FT_FAULTS(X)                                                                               \
  X(none, NOTHING, NOWHERE)                                                                        \
  X(always_nan, F_NAN, EVERYWHERE)                                                                 \
  X(first_nan, F_NAN, FIRST)                                                                       \
  X(once_nan, F_NAN, ONCE)                                                                         \
  X(once_inf, F_INF, ONCE)                                                                         \
  X(once_minus_inf, F_MINUS_INF, ONCE)                                                             \
  X(once_status, STATUS, ONCE)                                                                     \
  X(once_gradient, GRADIENT, ONCE)                                                                 \
  X(once_constraint, CONSTRAINT, ONCE)                                                             \
  X(once_jacobian, JACOBIAN, ONCE)                                                                 \
  X(way_nan, F_NAN, WAY)                                                                           \
  X(way_gradient, GRADIENT, WAY)                                                                   \
  X(beyond_status, STATUS, BEYOND)                                                                 \
  X(goal_nan, F_NAN, GOAL)                                                                         \
  X(goal_gradient, GRADIENT, GOAL)

typedef enum ft_what {
  FT_NOTHING,
  FT_F_NAN,
  FT_F_INF,
  FT_F_MINUS_INF,
  FT_STATUS,
  FT_GRADIENT,
  FT_CONSTRAINT,
  FT_JACOBIAN
} ft_what;

typedef enum ft_where {
  FT_NOWHERE,
  FT_EVERYWHERE,
  FT_FIRST,  /* the first x */
  FT_ONCE,   /* one call, FT_LATER or the first after it that can be spoilt */
  FT_WAY,    /* a ball on the way from the start to the optimum, not quite in its middle */
  FT_BEYOND, /* where x_0 is more than a little beyond the optimum */
  FT_GOAL    /* a ball around the optimum */
} ft_where;

typedef struct ft_fault {
  const char *name;
  ft_what what;
  ft_where where;
} ft_fault;

static const ft_fault ft_faults[] = {
#define FT_ROW(name, what, where) {#name, FT_##what, FT_##where},
    FT_FAULTS(FT_ROW)
#undef FT_ROW
};

enum { FT_N_FAULTS = (int)(sizeof ft_faults / sizeof ft_faults[0]) };

typedef struct ft {
  const ft_case *test;
  ft_fault fault;
  bool mends; /* refined succeeds in the outer half of a region, and where a fault strikes once */
  double lower[FT_MAX], upper[FT_MAX], start[FT_MAX], optimum[FT_MAX];
  /* counted here */
  int calls, refined_calls, strikes;
  int since_record;      /* calls since the last record */
  bool last_failed;      /* of these calls */
  double last_x[FT_MAX]; /* of the last call */
  int evaluations, failures, recovered, gradients, records;
  double seen[FT_CALLS][FT_MAX]; /* x by index of the evaluation */
  bool bad_x, bad_record;
  char complaint[200];
} ft;

static double ft_weight(const ft_case *test, int i) {
  return 1 + 3.0 * i / (test->n - 1);
}

static void ft_make(ft *t, const ft_case *test, ft_fault fault, bool mends) {
  memset(t, 0, offsetof(ft, seen));
  t->test = test;
  t->fault = fault;
  t->mends = mends;
  t->bad_x = t->bad_record = false;
  t->complaint[0] = '\0';
  double inverse = 0;
  for (int i = 0; i < test->n; i++) {
    inverse += 1 / ft_weight(test, i);
  }
  for (int i = 0; i < test->n; i++) {
    const double pulled = test->n_inequality > 0 ? 0.5 * test->n / inverse : 0;
    t->start[i] = test->rosenbrock ? (i == 0 ? -1.2 : 1) : -1 - 0.1 * i;
    t->optimum[i] = 1 - pulled / ft_weight(test, i);
    t->lower[i] = test->rosenbrock ? -2 : -3;
    t->upper[i] = test->rosenbrock ? 2 : 3;
  }
}

static double ft_f(const ft *t, const double *x, double *g) {
  if (t->test->rosenbrock) {
    const double a = x[1] - x[0] * x[0], b = 1 - x[0];
    if (g != NULL) {
      g[0] = -400 * a * x[0] - 2 * b;
      g[1] = 200 * a;
    }
    return 100 * a * a + b * b;
  }
  double f = 0;
  for (int i = 0; i < t->test->n; i++) {
    const double w = ft_weight(t->test, i);
    f += 0.5 * w * (x[i] - 1) * (x[i] - 1);
    if (g != NULL) {
      g[i] = w * (x[i] - 1);
    }
  }
  return f;
}

static double ft_c(const ft *t, const double *x) {
  double c = -0.5 * t->test->n;
  for (int i = 0; i < t->test->n; i++) {
    c += x[i];
  }
  return c;
}

/* of the ball of FT_WAY and FT_GOAL */
static double ft_middle(const ft *t, int i) {
  static const double beside_the_valley[2] = {0, 0.15};
  if (t->fault.where == FT_GOAL) {
    return t->optimum[i];
  }
  return t->test->rosenbrock ? beside_the_valley[i]
                             : t->start[i] + (i == 0 ? 0.55 : 0.45) * (t->optimum[i] - t->start[i]);
}

/* How deep x is in the region, 1 in its middle, <= 0 outside. */
static double ft_depth(const ft *t, const double *x) {
  const int n = t->test->n;
  if (t->fault.where == FT_BEYOND) {
    return (x[0] - t->optimum[0] - 0.1) / 2;
  }
  double from = 0, size = 0;
  for (int i = 0; i < n; i++) {
    const double d = x[i] - ft_middle(t, i);
    from += d * d;
    size += (t->optimum[i] - t->start[i]) * (t->optimum[i] - t->start[i]);
  }
  return 1 - sqrt(from / size) / (t->test->rosenbrock ? 0.1 : 0.35);
}

/* level: of refined, 0: eval */
static bool ft_strikes(const ft *t, int level, const double *x) {
  const double heals = t->mends && level > 0 ? 0.5 * level : 0;
  switch (t->fault.where) {
  case FT_NOWHERE:
    return false;
  case FT_EVERYWHERE:
    return true;
  case FT_FIRST:
    return memcmp(x, t->start, (size_t)t->test->n * sizeof *x) == 0 && heals == 0;
  case FT_ONCE:
    return level > 0 ? heals == 0 : t->calls >= FT_LATER && t->strikes == 0;
  case FT_WAY:
  case FT_BEYOND:
  case FT_GOAL:
    return ft_depth(t, x) > heals;
  }
  return false;
}

static void ft_watch(ft *t, const double *x) {
  for (int i = 0; i < t->test->n; i++) {
    t->bad_x = t->bad_x || !isfinite(x[i]) || x[i] < t->lower[i] || x[i] > t->upper[i];
    t->last_x[i] = x[i];
  }
  t->since_record++;
}

static cq_status ft_call(ft *t, int level, const double *x, double *f, double *c, double *grad,
                         double *jac) {
  ft_watch(t, x);
  const ft_what what = t->fault.what;
  double *const spoilt = what == FT_GRADIENT     ? grad
                         : what == FT_JACOBIAN   ? jac
                         : what == FT_CONSTRAINT ? c
                         : what == FT_NOTHING    ? NULL
                                                 : f;
  t->last_failed = spoilt != NULL && ft_strikes(t, level, x);
  t->strikes += t->last_failed;
  if (t->last_failed && what == FT_STATUS) {
    return CQ_OUT_OF_ROOM;
  }
  *f = ft_f(t, x, grad);
  if (c != NULL) {
    c[0] = ft_c(t, x);
  }
  for (int i = 0; jac != NULL && i < t->test->n; i++) {
    jac[i] = 1;
  }
  if (t->last_failed) {
    *spoilt = what == FT_F_INF ? INFINITY : what == FT_F_MINUS_INF ? -INFINITY : NAN;
  }
  return CQ_OK;
}

static cq_status ft_eval(void *data, const double *x, double *f, double *c, double *grad,
                         double *jac) {
  ft *t = data;
  t->calls++;
  return ft_call(t, 0, x, f, c, grad, jac);
}

static cq_status ft_refined(void *data, int level, const double *x, double *f, double *c,
                            double *grad, double *jac) {
  ft *t = data;
  t->refined_calls++;
  return ft_call(t, level, x, f, c, grad, jac);
}

/* what the records of evaluations that failed must be */
static cq_status ft_failure(const ft *t) {
  return t->fault.what == FT_STATUS ? CQ_OUT_OF_ROOM : CQ_NONFINITE;
}

static cq_problem ft_problem(ft *t, bool with_refined) {
  return (cq_problem){.n = t->test->n,
                      .n_inequality = t->test->n_inequality,
                      .lower = t->lower,
                      .upper = t->upper,
                      .start = t->start,
                      .eval = ft_eval,
                      .refined = with_refined ? ft_refined : NULL,
                      .data = t};
}

static void ft_complain(ft *t, bool good, const char *what, const cq_evaluation *e) {
  if (!good && !t->bad_record) {
    t->bad_record = true;
    snprintf(t->complaint, sizeof t->complaint, "record %d (evaluation %d, status %d): %s",
             t->records, e->index, (int)e->status, what);
  }
}

/* a failed evaluation says so and nothing else */
static void ft_check_failed(ft *t, const cq_evaluation *e) {
  bool nan = isnan(e->f) && isnan(e->violation);
  for (int i = 0; i < t->test->n_inequality; i++) {
    nan = nan && isnan(e->c[i]);
  }
  for (int i = 0; e->has_gradient && i < t->test->n; i++) {
    nan = nan && isnan(e->grad[i]);
  }
  ft_complain(t, nan, "a failure with numbers", e);
  ft_complain(t, e->status == ft_failure(t), "another status than the failure's", e);
  ft_complain(t, !e->is_best, "a failure is the best point", e);
}

static void ft_check_good(ft *t, const cq_evaluation *e) {
  bool same = e->f == ft_f(t, e->x, NULL);
  for (int i = 0; i < t->test->n_inequality; i++) {
    same = same && e->c[i] == ft_c(t, e->x);
  }
  ft_complain(t, same, "other values than the problem's", e);
}

/* A cq_record_fn. An upgrade fetches a gradient at an x that is known already. */
static cq_status ft_record(void *user, const cq_evaluation *e) {
  ft *t = user;
  const size_t bytes = (size_t)t->test->n * sizeof *e->x;
  const bool is_new = e->index == t->evaluations + 1;
  t->records++;
  if (is_new && e->index < FT_CALLS) {
    memcpy(t->seen[e->index], e->x, bytes);
  }
  t->evaluations += is_new;
  t->failures += t->last_failed;
  t->gradients += e->has_gradient && !t->last_failed;
  t->recovered += !t->last_failed && t->since_record > 1;
  ft_complain(t, e->simulations == t->since_record, "another number of simulations", e);
  ft_complain(t, memcmp(e->x, t->last_x, bytes) == 0, "another x than was evaluated", e);
  ft_complain(t,
              is_new || (e->index >= 1 && e->index <= t->evaluations && e->has_gradient &&
                         memcmp(e->x, t->seen[e->index], bytes) == 0),
              "an index of neither a new x nor an upgrade", e);
  ft_complain(t, (e->status != CQ_OK) == t->last_failed, "a failure unseen, or invented", e);
  if (t->last_failed) {
    ft_check_failed(t, e);
  } else {
    ft_complain(t, !is_new || e->refinement == t->since_record - 1, "another refinement", e);
    ft_check_good(t, e);
  }
  t->since_record = 0;
  return CQ_OK;
}

#endif
