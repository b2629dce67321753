/* What stands between a method and the problem: failures, counts, stop rules, the best point. */
#include "alloc.h"
#include "evaluator.h"
#include "test.h"
#include "test_opt_facts.h"
#include "test_opt_problems.h"

enum { LOG_MAX = 4000 };

typedef struct log_entry {
  int index;
  bool has_gradient, is_best;
  double f, violation, best_f, best_violation;
  cq_status status;
  double x0;
} log_entry;

typedef struct run_log {
  int n;
  log_entry entries[LOG_MAX];
  int fail_at; /* the record that refuses; 0: none */
} run_log;

static run_log log_;

static cq_status keep(void *user, const cq_evaluation *e) {
  run_log *log = user;
  CHECK((e->grad != NULL) == e->has_gradient);
  CHECK(e->elapsed >= 0 && e->seconds >= 0);
  if (log->n < LOG_MAX) {
    log->entries[log->n++] =
        (log_entry){e->index,  e->has_gradient,   e->is_best, e->f,   e->violation,
                    e->best_f, e->best_violation, e->status,  e->x[0]};
  }
  return log->n == log->fail_at ? CQ_IO : CQ_OK;
}

typedef struct outcome {
  cq_result result;
  double x[TP_MAX];
  char error[300];
} outcome;

static outcome solve(tp *t, const cq_optimizer_def *def) {
  outcome o;
  memset(&o, 0, sizeof o);
  const int fail_at = log_.fail_at;
  memset(&log_, 0, sizeof log_);
  log_.fail_at = fail_at;
  cq_ctx *ctx = cq_ctx_create(1, 7);
  if (t->stop_at > 0) {
    t->stop_ctx = ctx;
  }
  const cq_problem problem = tp_problem(t);
  cq_optimize(ctx, &problem, def, keep, &log_, o.x, NULL, &o.result);
  snprintf(o.error, sizeof o.error, "%s", cq_ctx_error(ctx));
  CHECK(cq_ctx_bytes(ctx) == 0);
  CHECK(!t->saw_bad_x);
  cq_ctx_destroy(ctx);
  return o;
}

static cq_optimizer_def def_of(const char *name) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = name;
  def.max_evaluations = 500;
  def.learning_rate = 1e-3;
  return def;
}

static bool takes(const char *name, const tp_case *test) {
  tp t = tp_make(test);
  const cq_problem problem = tp_problem(&t);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = name;
  const bool yes = cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK;
  cq_ctx_destroy(ctx);
  return yes;
}

/* Every kind of failure in every method, at the first evaluation and later: the run ends at once
 * with the status of the failure, and the method never sees it. */
static void test_failures_end_the_run(void) {
  const tp_fault faults[] = {TP_STATUS, TP_F, TP_C, TP_GRAD, TP_JAC};
  const double poisons[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *name = cq_optimizer_name(i);
    const bool constrained = takes(name, tp_find("hs76"));
    const tp_case *test = tp_find(constrained ? "hs76" : "rosenbrock");
    for (int k = 0; k < 5 * 3 * 2; k++) {
      const tp_fault fault = faults[k % 5];
      const int at = k / 15 == 0 ? 1 : 4;
      const bool by_gradient = fault == TP_GRAD || fault == TP_JAC;
      if ((!constrained && (fault == TP_C || fault == TP_JAC)) ||
          (by_gradient && (at > 1 || !has_gradient(name)))) {
        continue;
      }
      tp t = tp_make(test);
      t.fault = fault;
      t.poison = poisons[k / 5 % 3];
      t.fault_from = t.fault_to = at;
      cq_optimizer_def def = def_of(name);
      def.on_failure = CQ_FAILURE_ABORT;
      const outcome o = solve(&t, &def);
      CHECK_MSG(o.result.status == (fault == TP_STATUS ? CQ_OUT_OF_ROOM : CQ_NONFINITE),
                "%s, fault %d at %d: %s", name, (int)fault, at, o.result.reason);
      CHECK_MSG(t.calls == at, "%s went on after a failure: %d calls, not %d", name, t.calls, at);
      CHECK(o.result.failures == 1);
      CHECK(o.result.has_point == (at > 1));
      CHECK(o.error[0] != '\0');
      CHECK(log_.n == at && isnan(log_.entries[at - 1].f) && !log_.entries[at - 1].is_best);
      CHECK(log_.entries[at - 1].status == o.result.status);
      CHECK(isfinite(o.x[0]) && (at == 1 || isfinite(o.result.f)));
    }
  }
}

/* A gradient that fails later: at the first request from call 5 on. */
static void test_late_gradient_failure(void) {
  const char *const names[] = {"LD_SLSQP",     "LD_MMA",       "LD_CCSAQ",        "LD_LBFGS",
                               "AUGLAG_LBFGS", "AUGLAG_CCSAQ", "gradient_descent"};
  for (int i = 0; i < 7; i++) {
    tp t = tp_make(tp_find("rosenbrock"));
    t.fault = TP_GRAD;
    t.fault_from = 5;
    t.fault_to = 1000;
    cq_optimizer_def def = def_of(names[i]);
    def.on_failure = CQ_FAILURE_ABORT;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_NONFINITE, "%s: %s", names[i], o.result.reason);
    CHECK(o.result.failures == 1 && t.calls < 40 && o.result.has_point);
    CHECK(strstr(o.error, "gradient of the objective") != NULL);
  }
}

/* SLSQP asks for objective, inequalities and equalities, with and without gradients. */
static void test_one_evaluation_per_x(void) {
  tp t = tp_make(tp_find("hs71"));
  const cq_optimizer_def def = def_of("LD_SLSQP");
  const outcome o = solve(&t, &def);
  CHECK(o.result.status == CQ_OK);
  CHECK(t.calls == log_.n);
  CHECK(t.gradients == o.result.gradients);
  CHECK(t.repeated == 0);
  int upgrades = 0; /* NLopt may or may not ask for the gradient later */
  for (int i = 1; i < log_.n; i++) {
    const log_entry *a = &log_.entries[i - 1], *b = &log_.entries[i];
    if (b->index == a->index) {
      upgrades++;
      CHECK(b->has_gradient && !a->has_gradient && a->x0 == b->x0 && a->f == b->f);
    } else {
      CHECK(b->index == a->index + 1);
    }
  }
  CHECK(t.calls == o.result.evaluations + upgrades);
  CHECK(log_.entries[0].index == 1 && log_.entries[0].has_gradient);
  CHECK(log_.entries[log_.n - 1].index == o.result.evaluations);
}

/* A gradient asked for later, at the last point and at the best one, keeps the index; a known point
 * costs nothing. */
static void test_upgrades(void) {
  tp t = tp_make(tp_find("rosenbrock"));
  const cq_problem problem = tp_problem(&t);
  const cq_optimizer_def def = def_of("LD_SLSQP");
  const double a[2] = {0.5, 0.5}, b[2] = {-1, -1}, outside[2] = {0.5, 9};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_evaluator *ev = NULL;
  memset(&log_, 0, sizeof log_);
  CHECK(cq_evaluator_create(ctx, &problem, &def, keep, &log_, &ev) == CQ_OK);
  CHECK(!cq_evaluate(ev, a, false)->has_gradient && t.calls == 1);
  const cq_point *p = cq_evaluate(ev, a, true);
  CHECK(p->has_gradient && p->index == 1 && t.calls == 2 && ev->evaluations == 1);
  CHECK(ev->best.has_gradient && ev->gradients == 1);
  CHECK(cq_evaluate(ev, a, true)->index == 1 && cq_evaluate(ev, a, false)->index == 1);
  CHECK(t.calls == 2);
  CHECK(cq_evaluate(ev, b, false)->index == 2 && ev->best.index == 1);
  CHECK(cq_evaluate(ev, a, true)->index == 1 && t.calls == 3); /* the best point is kept too */
  p = cq_evaluate(ev, outside, false);
  CHECK(p->index == 3 && p->x[1] == 2); /* moved onto its bound */
  CHECK(log_.n == 4 && log_.entries[1].index == 1 && log_.entries[1].has_gradient);
  CHECK(cq_evaluator_best_gradient(ev) == CQ_OK && t.calls == 4);
  cq_evaluator_destroy(ev);

  /* the best point's gradient after the end of the run */
  CHECK(cq_evaluator_create(ctx, &problem, &def, keep, &log_, &ev) == CQ_OK);
  cq_evaluate(ev, a, false);
  cq_evaluate(ev, b, false);
  cq_evaluator_end(ev, CQ_END_EVALUATIONS, CQ_BUDGET);
  CHECK(cq_evaluate(ev, a, false) == NULL);
  CHECK(cq_evaluator_best_gradient(ev) == CQ_OK && ev->best.has_gradient && ev->evaluations == 2);
  CHECK(ev->best.index == 1 && log_.entries[log_.n - 1].index == 1);

  /* a method that goes round in circles is stopped */
  cq_evaluator_destroy(ev);
  CHECK(cq_evaluator_create(ctx, &problem, &def, NULL, NULL, &ev) == CQ_OK);
  int asked = 0;
  while (asked < 100000 && cq_evaluate(ev, a, false) != NULL) {
    asked++;
  }
  CHECK(asked < 100000 && ev->end == CQ_END_STALL);
  cq_evaluator_destroy(ev);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_best_point(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *name = cq_optimizer_name(i);
    const tp_case *test = tp_find(takes(name, tp_find("hs43")) ? "hs43" : "rosenbrock");
    tp t = tp_make(test);
    cq_optimizer_def def = def_of(name);
    def.max_evaluations = 12;
    const outcome o = solve(&t, &def);
    double f = INFINITY, violation = INFINITY;
    for (int k = 0; k < log_.n; k++) {
      const log_entry *e = &log_.entries[k];
      const bool feasible = e->violation <= 1e-6, had = violation <= 1e-6;
      if (feasible ? !had || e->f < f : !had && e->violation < violation) {
        f = e->f;
        violation = e->violation;
        CHECK(e->is_best);
      }
      CHECK(e->best_f == f && e->best_violation == violation);
    }
    CHECK_MSG(o.result.f == f && o.result.violation == violation, "%s: best f %g, not %g", name,
              o.result.f, f);
    double g[TP_MAX], c[TP_MAX], j[TP_MAX][TP_MAX];
    CHECK(test->eval(o.x, g, c, j) == f);
  }
}

static void test_budget(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    tp t = tp_make(tp_find("rosenbrock"));
    cq_optimizer_def def = def_of(cq_optimizer_name(i));
    def.max_evaluations = 7;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_BUDGET && o.result.evaluations == 7, "%s: %s", def.name,
              o.result.reason);
    CHECK(strstr(o.result.reason, "max_evaluations = 7") != NULL);
    CHECK(cq_status_exit_code(o.result.status) == 3);
    def.max_evaluations = 0;
    def.max_time = 1e-9;
    const outcome timed = solve(&t, &def);
    CHECK_MSG(timed.result.status == CQ_BUDGET && timed.result.evaluations == 1, "%s: %s", def.name,
              timed.result.reason);
    CHECK(strstr(timed.result.reason, "max_time") != NULL);
  }
}

/* A budget that ends at the optimum is no failure. */
static void test_budget_at_the_optimum(void) {
  tp_case test = *tp_find("rosenbrock");
  test.start[0] = test.start[1] = 1;
  tp t = tp_make(&test);
  cq_optimizer_def def = def_of("LD_SLSQP");
  def.max_evaluations = 1;
  const outcome o = solve(&t, &def);
  CHECK(o.result.status == CQ_OK && o.result.evaluations == 1);
}

static void test_target(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    tp t = tp_make(tp_find("rosenbrock"));
    cq_optimizer_def def = def_of(cq_optimizer_name(i));
    def.max_evaluations = 5000;
    def.target = 4;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_OK && o.result.reached_target && o.result.f <= 4, "%s: %s",
              def.name, o.result.reason);
    CHECK(log_.entries[o.result.evaluations - 2].f > 4);
    CHECK(strstr(o.result.reason, "target") != NULL);
    def.max_evaluations = o.result.evaluations + 5;
    def.stop_at_target = false;
    const outcome on = solve(&t, &def);
    CHECK_MSG(on.result.evaluations > o.result.evaluations && on.result.status == CQ_OK &&
                  on.result.reached_target,
              "%s does not go on after the target: %s", def.name, on.result.reason);
  }
  /* f below the target at an infeasible point counts for nothing */
  tp t = tp_make(tp_find("hs71"));
  cq_optimizer_def def = def_of("LD_SLSQP");
  def.target = 17.5;
  const outcome o = solve(&t, &def);
  CHECK(o.result.status == CQ_OK && o.result.violation <= 1e-6 && o.result.f <= 17.5);
  CHECK(log_.entries[0].f < 17.5 && o.result.evaluations > 1);
}

static void test_stop_request(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int at = 1; at <= 4; at += 3) {
      tp t = tp_make(tp_find("rosenbrock"));
      t.stop_at = at;
      const cq_optimizer_def def = def_of(cq_optimizer_name(i));
      const outcome o = solve(&t, &def);
      CHECK_MSG(o.result.status == CQ_INTERRUPTED && t.calls == at && o.result.has_point,
                "%s: %s after %d calls", def.name, o.result.reason, t.calls);
    }
  }
}

static void test_record_failure(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    tp t = tp_make(tp_find("rosenbrock"));
    const cq_optimizer_def def = def_of(cq_optimizer_name(i));
    log_.fail_at = 3;
    const outcome o = solve(&t, &def);
    CHECK_MSG(o.result.status == CQ_IO && t.calls == 3, "%s: %s", def.name, o.result.reason);
  }
  log_.fail_at = 0;
}

/* Nor does a budget that has ended the run before its probes hide what happens to these. */
static void test_record_failure_of_probes(void) {
  int probes = 0;
  for (int most = 2; most <= 80; most++) {
    cq_optimizer_def def = def_of("LD_SLSQP");
    def.max_evaluations = most;
    def.verify = CQ_VERIFY_PROBE;
    tp t = tp_make(tp_find("rosenbrock"));
    const outcome whole = solve(&t, &def);
    const int records = log_.n;
    probes += whole.result.probes;
    for (int last = 0; last < whole.result.probes; last++) {
      tp again = tp_make(tp_find("rosenbrock"));
      log_.fail_at = records - last;
      const outcome o = solve(&again, &def);
      CHECK_MSG(o.result.status == CQ_IO, "%d of %d: %s", log_.fail_at, most, o.result.reason);
      log_.fail_at = 0;
    }
  }
  CHECK(probes > 0);
}

/* A gradient of the wrong sign must not become a success. */
static cq_status eval_wrong_sign(void *data, const double *x, double *f, double *c, double *grad,
                                 double *jac) {
  const cq_status status = tp_eval(data, x, f, c, grad, jac);
  if (grad != NULL) {
    grad[0] = -grad[0];
    grad[1] = -grad[1];
  }
  return status;
}

static void test_wrong_gradient(void) {
  const char *const names[] = {"LD_SLSQP", "LD_LBFGS", "LD_MMA", "LD_CCSAQ", "AUGLAG_LBFGS"};
  for (int i = 0; i < 5; i++) {
    tp_case test = *tp_find("rosenbrock");
    test.lower[0] = test.lower[1] = -INFINITY;
    test.upper[0] = test.upper[1] = INFINITY;
    tp t = tp_make(&test);
    cq_problem problem = tp_problem(&t);
    problem.eval = eval_wrong_sign;
    const cq_optimizer_def def = def_of(names[i]);
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_result result;
    double x[2];
    cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
    CHECK_MSG(result.status != CQ_OK, "%s calls that a success: %s", names[i], result.reason);
    cq_ctx_destroy(ctx);
  }
}

/* a different value each time: nothing found can be trusted */
static cq_status eval_noise(void *data, const double *x, double *f, double *c, double *grad,
                            double *jac) {
  tp *t = data;
  const cq_status status = tp_eval(data, x, f, c, grad, jac);
  *f += t->calls;
  return status;
}

static void test_not_deterministic(void) {
  tp t = tp_make(tp_find("hs71"));
  cq_problem problem = tp_problem(&t);
  problem.eval = eval_noise;
  const cq_optimizer_def def = def_of("LD_SLSQP");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_result result;
  double x[4];
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
  CHECK_MSG(result.status == CQ_VERIFICATION, "%s", result.reason);
  CHECK(strstr(cq_ctx_error(ctx), "not deterministic") != NULL);
  cq_ctx_destroy(ctx);
}

/* A variable that is not a multiple of its scale comes back from scaled variables with other bits;
 * the start must still be simulated once. */
static void test_start_is_simulated_once(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    tp t = tp_make(tp_find("rosenbrock"));
    cq_problem problem = tp_problem(&t);
    const double scale[2] = {0.3, 0.3}, start[2] = {-0.7, 0.9};
    problem.scale = scale;
    problem.start = start;
    cq_optimizer_def def = def_of(cq_optimizer_name(i));
    def.max_evaluations = 2;
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_result result;
    double x[2];
    memset(&log_, 0, sizeof log_);
    cq_optimize(ctx, &problem, &def, keep, &log_, x, NULL, &result);
    CHECK_MSG(log_.n >= 2 && fabs(log_.entries[1].x0 - start[0]) > 1e-9,
              "%s evaluates the start twice", def.name);
    cq_ctx_destroy(ctx);
  }
}

/* Whichever allocation of ours fails, the run ends with CQ_MEMORY and holds nothing. */
static void test_out_of_memory(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    cq_status status = CQ_MEMORY;
    int nth = 1;
    for (; nth < 200 && status != CQ_OK; nth++) {
      tp t = tp_make(tp_find(takes(cq_optimizer_name(i), tp_find("hs76")) ? "hs76" : "rosenbrock"));
      const cq_problem problem = tp_problem(&t);
      cq_optimizer_def def = def_of(cq_optimizer_name(i));
      def.max_evaluations = 30;
      def.target = 0;
      cq_ctx *ctx = cq_ctx_create(1, 1);
      cq_result result;
      double x[TP_MAX];
      cq_alloc_fail_nth(ctx, nth);
      status = cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result);
      CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%s holds %zu bytes", def.name, cq_ctx_bytes(ctx));
      if (status != CQ_MEMORY) {
        status = CQ_OK; /* past the last allocation: any end of the run will do */
      }
      cq_ctx_destroy(ctx);
    }
    CHECK(nth > 8 && nth < 200);
  }
}

int main(void) {
  RUN(test_out_of_memory);
  RUN(test_failures_end_the_run);
  RUN(test_late_gradient_failure);
  RUN(test_one_evaluation_per_x);
  RUN(test_upgrades);
  RUN(test_best_point);
  RUN(test_budget);
  RUN(test_budget_at_the_optimum);
  RUN(test_target);
  RUN(test_stop_request);
  RUN(test_record_failure);
  RUN(test_record_failure_of_probes);
  RUN(test_wrong_gradient);
  RUN(test_not_deterministic);
  RUN(test_start_is_simulated_once);
  return TEST_RESULT();
}
