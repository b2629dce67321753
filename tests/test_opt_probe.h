/* Runs whose records are watched for probes, and small functions that tempt a verdict. */
#ifndef CQ_TESTS_OPT_PROBE_H
#define CQ_TESTS_OPT_PROBE_H

#include "test.h"
#include "test_opt_facts.h"
#include "test_opt_problems.h"

static const double FORWARD_RUNS = 6, GRADIENT_COST = 3;

typedef struct watch {
  tp problem;
  cq_optimizer_def def;
  cq_gradient_kind kind;
  double noise;
  int fail_probe; /* number of the probe whose record cannot be written; 0: none */
  cq_result result;
  double x[TP_MAX];
  char error[300];
  /* counted here */
  int probes, calls_before_probe; /* calls of eval before the first probe */
  int last;                       /* index of the newest record */
  double cost;                    /* [forward runs] of all records, */
  double claim;                   /* of the probes after the newest record that is none, */
  double tail;                    /* of all after the newest evaluation that a method asked for */
  int claim_gradients;            /* of these probes, those with gradient */
  bool curvature;                 /* more than one of them */
} watch;

static inline cq_status watch_record(void *user, const cq_evaluation *e) {
  watch *w = user;
  const double cost = cq_evaluation_cost(e, w->last, GRADIENT_COST);
  const bool by_method = !e->probe && (e->index > w->last || e->reduced != NULL);
  if (e->probe && w->probes++ == 0) {
    w->calls_before_probe = w->problem.calls - e->simulations;
  }
  w->cost += cost;
  w->claim = e->probe ? w->claim + cost : 0;
  w->claim_gradients = e->probe ? w->claim_gradients + e->has_gradient : 0;
  w->curvature = w->claim_gradients > 1;
  w->tail = by_method ? 0 : w->tail + cost;
  w->last = e->index > w->last ? e->index : w->last;
  return e->probe && w->probes == w->fail_probe ? CQ_IO : CQ_OK;
}

static inline watch watch_make(const char *method, const tp_case *test) {
  watch w = {.problem = tp_make(test), .def = cq_optimizer_default()};
  w.def.name = method;
  w.def.gradient_cost = GRADIENT_COST;
  w.def.max_evaluations = 400;
  w.def.learning_rate = 1e-2;
  return w;
}

static inline cq_status watch_run(watch *w) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  cq_problem problem = tp_problem(&w->problem);
  problem.gradient = w->kind;
  problem.noise = w->noise;
  if (w->problem.stop_at > 0) {
    w->problem.stop_ctx = ctx;
  }
  const cq_status status =
      cq_optimize(ctx, &problem, &w->def, watch_record, w, w->x, NULL, &w->result);
  snprintf(w->error, sizeof w->error, "%s", cq_ctx_error(ctx));
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return status;
}

/* whether the method is in this build and takes the form */
static inline bool watch_takes(const char *method, const tp_case *test) {
  watch w = watch_make(method, test);
  cq_problem problem = tp_problem(&w.problem);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const bool yes = cq_optimizer_accepts(ctx, &w.def, &problem) == CQ_OK;
  cq_ctx_destroy(ctx);
  return yes;
}

/* ---- functions */

#define FORM(name)                                                                                 \
  static inline double name(const double *x, double *g, double *c, double(*j)[TP_MAX])
#define NO_CONSTRAINTS (void)c, (void)j

/* minimum 1 at (1, -0.5) */
FORM(f_bowl) {
  NO_CONSTRAINTS;
  const double a = x[0] - 1, b = x[1] + 0.5;
  g[0] = 2 * a;
  g[1] = 6 * b;
  return 1 + a * a + 3 * b * b;
}

FORM(f_hill) {
  NO_CONSTRAINTS;
  g[0] = -2 * x[0];
  g[1] = -2 * x[1];
  return -x[0] * x[0] - x[1] * x[1];
}

FORM(f_saddle_2) {
  NO_CONSTRAINTS;
  const double y = x[1];
  g[0] = 2 * x[0];
  g[1] = -2 * y + 4 * y * y * y;
  return x[0] * x[0] - y * y + y * y * y * y;
}

FORM(f_saddle_3) {
  NO_CONSTRAINTS;
  const double z = x[2];
  g[0] = 2 * x[0];
  g[1] = 4 * x[1];
  g[2] = -2 * z + 4 * z * z * z;
  return x[0] * x[0] + 2 * x[1] * x[1] - z * z + z * z * z * z;
}

FORM(f_inflection) {
  NO_CONSTRAINTS;
  g[0] = 3 * x[0] * x[0];
  return x[0] * x[0] * x[0];
}

/* the gradient is huge at x_0 = 2, and 1e-2 matters */
FORM(f_wall) {
  NO_CONSTRAINTS;
  const double e = exp(30 * (x[0] - 1)), a = x[0] + 0.5, b = x[1] - 2;
  g[0] = 30 * e + 2 * a;
  g[1] = 2e-3 * b;
  return e + a * a + 1e-3 * b * b;
}

FORM(f_constant) {
  NO_CONSTRAINTS;
  (void)x;
  g[0] = g[1] = 0;
  return 7;
}

/* the same, x_0 + x_1 <= 1 */
FORM(f_constant_held) {
  c[0] = x[0] + x[1] - 1;
  j[0][0] = j[0][1] = 1;
  g[0] = g[1] = 0;
  return 7;
}

/* half of the gradient, and of another minimum */
FORM(f_heuristic) {
  NO_CONSTRAINTS;
  g[0] = 0.5 * (x[0] - 4);
  return 1 + (x[0] - 3) * (x[0] - 3);
}

/* the second component is lost */
FORM(f_half_gradient) {
  const double f = f_bowl(x, g, c, j);
  g[1] = 0;
  return f;
}

/* x_0^2, x_0 >= 1 in units of 1e-9 */
FORM(f_small_constraint) {
  c[0] = 1e-9 * (1 - x[0]);
  j[0][0] = -1e-9;
  g[0] = 2 * x[0];
  return x[0] * x[0];
}

/* |x|^2, |x_1| >= 0.5, whose gradient is zero in the middle */
FORM(f_hole) {
  c[0] = 0.25 - x[1] * x[1];
  j[0][0] = 0;
  j[0][1] = -2 * x[1];
  g[0] = 2 * x[0];
  g[1] = 2 * x[1];
  return x[0] * x[0] + x[1] * x[1];
}

/* least at a bound; the other variable does not matter, and its gradient is rounding */
FORM(f_vertex) {
  NO_CONSTRAINTS;
  g[0] = 1 + x[0];
  g[1] = 1e-17 * sin(1e6 * x[1]);
  return 1 + x[0] + x[0] * x[0] / 2;
}

FORM(f_ridge) {
  NO_CONSTRAINTS;
  g[0] = 2 * (x[0] - 1);
  g[1] = -2 * x[1];
  return (x[0] - 1) * (x[0] - 1) - x[1] * x[1];
}

FORM(f_zero) {
  NO_CONSTRAINTS;
  g[0] = 2 * x[0];
  g[1] = 4 * x[1];
  return x[0] * x[0] + 2 * x[1] * x[1];
}

/* the bowl as a simulation in single precision has it */
FORM(f_rounded) {
  return (float)f_bowl(x, g, c, j);
}

static const tp_case bowl = {"bowl", 2, 0, 0, {-4, -4}, {4, 4}, {3, 2}, 1, f_bowl};

#endif
