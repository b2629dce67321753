/* Stop rules mean the same for every method: what ends a run is worked out again from its record.
 */
#include "kkt.h"
#include "test.h"
#include "test_opt_facts.h"
#include "test_opt_faults.h"

#include <time.h>

typedef struct row {
  int index, simulations;
  bool has_gradient, is_best, failed;
  double f, violation, elapsed, residual;
} row;

typedef struct run {
  ft *problem;
  cq_ctx *ctx;
  int n;
  row rows[FT_CALLS];
  cq_evaluator mirror;
  cq_result result;
  double x[FT_MAX];
} run;

static ft problem_; /* large, as is this one */
static run run_;

/* What the evaluator knows of scales, kept beside it. */
static void note_scale(cq_evaluator *mirror, const cq_evaluation *e) {
  if (e->index == 1) {
    mirror->f_scale = fmax(mirror->f_scale, fabs(e->f));
  }
  if (e->has_gradient && mirror->first_gradient == 0) {
    for (int j = 0; j < e->n; j++) {
      mirror->first_gradient = fmax(mirror->first_gradient, fabs(e->grad[j]));
    }
    mirror->f_scale = fmax(mirror->f_scale, mirror->first_gradient);
  }
}

/* NAN without gradient */
static double residual_of(run *r, const cq_evaluation *e) {
  double multipliers[1] = {0}, residual = NAN;
  const cq_point point = {.index = e->index,
                          .has_gradient = e->has_gradient,
                          .f = e->f,
                          .x = (double *)e->x,
                          .c = (double *)e->c,
                          .grad = (double *)e->grad,
                          .jac = (double *)e->jac};
  if (!e->has_gradient || e->status != CQ_OK) {
    return NAN;
  }
  cq_recent_add(&r->mirror.recent, &point);
  CHECK(cq_kkt_judge(&r->mirror, &point, multipliers, &residual) == CQ_OK);
  return residual;
}

static cq_status keep(void *user, const cq_evaluation *e) {
  run *r = user;
  const cq_status status = ft_record(r->problem, e);
  if (e->status == CQ_OK) {
    note_scale(&r->mirror, e);
  }
  const double residual = residual_of(r, e);
  if (r->n < FT_CALLS) {
    r->rows[r->n++] =
        (row){e->index, e->simulations, e->has_gradient, e->is_best, e->status != CQ_OK,
              e->f,     e->violation,   e->elapsed,      residual};
  }
  return status;
}

static cq_optimizer_def def_of(const char *name, const ft_case *test) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = name;
  def.max_evaluations = 300;
  def.learning_rate = test->rosenbrock ? 1e-3 : 0.1;
  return def;
}

static const ft_fault *fault_named(const char *name) {
  for (int i = 0; i < FT_N_FAULTS; i++) {
    if (strcmp(ft_faults[i].name, name) == 0) {
      return &ft_faults[i];
    }
  }
  return NULL;
}

/* NULL when the method cannot take the problem */
static run *solve(const ft_case *test, const char *fault, const cq_optimizer_def *def,
                  cq_status (*eval)(void *, const double *, double *, double *, double *,
                                    double *)) {
  run *r = &run_;
  ft_make(&problem_, test, *fault_named(fault), false);
  cq_problem problem = ft_problem(&problem_, true);
  problem.eval = eval != NULL ? eval : problem.eval;
  r->problem = &problem_;
  r->n = 0;
  r->ctx = cq_ctx_create(1, 7);
  const bool accepted = cq_optimizer_accepts(r->ctx, def, &problem) == CQ_OK;
  if (accepted) {
    r->mirror = (cq_evaluator){
        .ctx = r->ctx, .problem = &problem, .def = def, .m = cq_problem_constraints(&problem)};
    CHECK(cq_recent_create(r->ctx, &problem, &r->mirror.recent) == CQ_OK);
    cq_optimize(r->ctx, &problem, def, keep, r, r->x, NULL, &r->result);
    CHECK_MSG(!problem_.bad_record, "%s: %s", def->name, problem_.complaint);
    cq_recent_destroy(r->ctx, &r->mirror.recent);
  }
  cq_ctx_destroy(r->ctx);
  return accepted ? r : NULL;
}

static bool says(const run *r, const char *words) {
  return strstr(r->result.reason, words) != NULL;
}

/* a budget that ended a run, as its words say, is CQ_BUDGET unless the best point verifies */
static void check_budget_status(const run *r, const char *name) {
  const bool verified = r->result.kkt_residual <= 1e-4 && r->result.violation <= 1e-6;
  CHECK_MSG(r->result.status == (verified ? CQ_OK : CQ_BUDGET), "%s: status %d: %s", name,
            (int)r->result.status, r->result.reason);
}

static void test_evaluations(void) {
  const int budgets[] = {1, 2, 6};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 3 * FT_CASES; k++) {
      cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[k % FT_CASES]);
      def.max_evaluations = budgets[k / FT_CASES];
      const run *r = solve(&ft_cases[k % FT_CASES], "none", &def, NULL);
      if (r != NULL && says(r, "max_evaluations")) {
        CHECK_MSG(r->result.evaluations == def.max_evaluations, "%s: %s", def.name,
                  r->result.reason);
        check_budget_status(r, def.name);
      } else if (r != NULL) {
        CHECK_MSG(r->result.evaluations <= def.max_evaluations, "%s: %s", def.name,
                  r->result.reason);
        CHECK_MSG(r->result.status != CQ_BUDGET, "%s: %s", def.name, r->result.reason);
      }
    }
  }
}

/* Simulations: gradients fetched later and retries count. The last evaluation may take some more
 * than are left, and the best point's gradient may be fetched after the end. */
static void test_simulations(void) {
  const int budgets[] = {1, 3, 9};
  static const char *const faults[] = {"none", "way_nan"};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 6 * FT_CASES; k++) {
      cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[k % FT_CASES]);
      def.max_evaluations = 0;
      def.max_simulations = budgets[k / FT_CASES / 2];
      def.on_failure = CQ_FAILURE_RETRY_SMALLER_STEP;
      const run *r = solve(&ft_cases[k % FT_CASES], faults[k / FT_CASES % 2], &def, NULL);
      if (r == NULL || !says(r, "max_simulations")) {
        continue;
      }
      int before = 0, total = 0, last = 0;
      for (int j = 0; j < r->n; j++) {
        const bool verification =
            j == r->n - 1 && r->rows[j].index <= last && total >= def.max_simulations;
        before = verification ? before : total;
        total += r->rows[j].simulations;
        last = r->rows[j].index;
      }
      CHECK_MSG(before < def.max_simulations && total >= def.max_simulations,
                "%s: %d simulations before the last evaluation, %d in all; the budget is %d",
                def.name, before, total, def.max_simulations);
      CHECK(total == r->result.simulations);
      check_budget_status(r, def.name);
    }
  }
}

/* Forward runs: 1 for a value, 2.5 for one with its gradient, 1.5 for the gradient where the record
 * before has the value. */
static void test_cost(void) {
  const double budgets[] = {1, 4, 12.5};
  static const char *const faults[] = {"none", "way_nan"};
  int ended = 0, fetched = 0;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 6 * FT_CASES; k++) {
      cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[k % FT_CASES]);
      def.max_evaluations = 0;
      def.max_cost = budgets[k / FT_CASES / 2];
      def.gradient_cost = 2.5;
      def.step_rule = CQ_STEP_ARMIJO; /* asks for values alone first */
      def.on_failure = CQ_FAILURE_PENALTY;
      const run *r = solve(&ft_cases[k % FT_CASES], faults[k / FT_CASES % 2], &def, NULL);
      if (r == NULL || !says(r, "max_cost")) {
        continue;
      }
      double before = 0, total = 0;
      for (int j = 0; j < r->n; j++) {
        const row *e = &r->rows[j];
        const bool same = j > 0 && e->index == r->rows[j - 1].index && !e->failed;
        const bool verification =
            j == r->n - 1 && j > 0 && e->index <= r->rows[j - 1].index && total >= def.max_cost;
        before = verification ? before : total;
        total += e->simulations + (e->has_gradient && !e->failed ? 1.5 : 0) - same;
        fetched += same && !verification;
      }
      ended++;
      CHECK_MSG(before < def.max_cost && total >= def.max_cost,
                "%s: %g before the last evaluation, %g in all; the budget is %g", def.name, before,
                total, def.max_cost);
      check_budget_status(r, def.name);
    }
  }
  CHECK_MSG(ended > 100 && fetched > 4, "%d runs, %d gradients fetched", ended, fetched);
}

static cq_status eval_slow(void *data, const double *x, double *f, double *c, double *grad,
                           double *jac) {
  const struct timespec nap = {.tv_nsec = 3000000};
  nanosleep(&nap, NULL);
  return ft_eval(data, x, f, c, grad, jac);
}

/* Nothing is begun after max_time, everything before goes on. */
static void test_time(void) {
  const double limit = 0.03;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[4]);
    def.max_time = limit;
    const run *r = solve(&ft_cases[4], "none", &def, eval_slow);
    if (r == NULL) {
      CHECK(facts_of(def.name).needs_residuals);
      continue;
    }
    CHECK_MSG(r->result.status == CQ_BUDGET && says(r, "max_time"), "%s: %s", def.name,
              r->result.reason);
    CHECK(r->result.seconds >= limit && r->n >= 1);
    for (int j = 0; j + 1 < r->n; j++) {
      CHECK_MSG(r->rows[j].elapsed < limit || r->rows[j + 1].index <= r->rows[j].index,
                "%s evaluates after %g s", def.name, r->rows[j].elapsed);
    }
  }
}

/* The longest stretch of new x without a better point, by the meaning in cqopt/optimizer.h;
 * *at_end: of the stretch that the run ends with. */
static int longest_stretch(const run *r, int *at_end) {
  int stretch = 0, longest = 0, seen = 0;
  double f = INFINITY, violation = INFINITY, best = INFINITY;
  for (int j = 0; j < r->n; j++) {
    const row *e = &r->rows[j];
    if (e->index <= seen) {
      continue;
    }
    seen = e->index;
    const bool feasible = !e->failed && e->violation <= 1e-6;
    best = feasible ? fmin(best, e->f) : best;
    const bool better = feasible && (violation > 1e-6 || best < f - 1e-9 * r->mirror.f_scale);
    stretch = better ? 0 : stretch + 1;
    f = better ? best : f;
    violation = better ? 0 : violation;
    longest = stretch > longest ? stretch : longest;
  }
  *at_end = stretch;
  return longest;
}

static void test_stagnation(void) {
  const int limits[] = {2, 7};
  static const char *const faults[] = {"none", "way_nan", "once_nan"};
  int ended = 0;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 6 * FT_CASES; k++) {
      cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[k % FT_CASES]);
      def.stagnation = limits[k / FT_CASES / 3];
      def.on_failure = CQ_FAILURE_PENALTY;
      const char *fault = faults[k / FT_CASES % 3];
      const run *r = solve(&ft_cases[k % FT_CASES], fault, &def, NULL);
      if (r == NULL) {
        continue;
      }
      int at_end = 0;
      const int longest = longest_stretch(r, &at_end);
      const bool by_rule = says(r, "no better design");
      CHECK_MSG(longest <= def.stagnation, "%s, %s: %d without a better one: %s", def.name, fault,
                longest, r->result.reason);
      CHECK_MSG(!by_rule || at_end == def.stagnation, "%s, %s: ended after %d, not %d", def.name,
                fault, at_end, def.stagnation);
      if (by_rule) {
        check_budget_status(r, def.name);
        ended++;
      }
    }
  }
  CHECK_MSG(ended >= 20, "only %d runs ended by stagnation", ended);
}

/* The first feasible best point whose residual is small ends the run. */
static void test_gradient_tolerance(void) {
  const double tolerances[] = {3e-2, 1e-3};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 2 * FT_CASES; k++) {
      cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[k % FT_CASES]);
      def.gradient_tolerance = def.optimality_tolerance = tolerances[k / FT_CASES];
      const run *r = solve(&ft_cases[k % FT_CASES], "none", &def, NULL);
      if (r == NULL) {
        continue;
      }
      int first = -1;
      for (int j = r->n - 1; j >= 0; j--) {
        const row *e = &r->rows[j];
        if (e->is_best && e->violation <= 1e-6 && e->residual <= def.gradient_tolerance) {
          first = j;
        }
      }
      const bool by_rule = says(r, "gradient_tolerance =");
      CHECK_MSG(by_rule == (first >= 0) && (first < 0 || first == r->n - 1),
                "%s on %s: record %d of %d: %s", def.name, ft_cases[k % FT_CASES].name, first, r->n,
                r->result.reason);
      CHECK_MSG(!by_rule || r->result.status == CQ_OK, "%s: %s", def.name, r->result.reason);
      CHECK(has_gradient(def.name) || first < 0);
    }
  }
}

/* A tolerance above what is called stationary ends a run, and is no success. */
static void test_loose_gradient_tolerance(void) {
  cq_optimizer_def def = def_of("LD_LBFGS", &ft_cases[1]);
  def.gradient_tolerance = 0.5;
  const run *r = solve(&ft_cases[1], "none", &def, NULL);
  CHECK_MSG(r->result.status == CQ_NOT_STATIONARY && says(r, "gradient_tolerance = 0.5 reached"),
            "%s", r->result.reason);
}

/* The first feasible f <= target ends the run; a failure whose f is -inf is no such f. */
static void test_target(void) {
  static const char *const faults[] = {"none", "once_minus_inf"};
  const double parts[] = {0.5, -1};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 4 * FT_CASES; k++) {
      const ft_case *test = &ft_cases[k % FT_CASES];
      cq_optimizer_def def = def_of(cq_optimizer_name(i), test);
      ft_make(&problem_, test, *fault_named("none"), false);
      def.on_failure = CQ_FAILURE_PENALTY;
      def.target = parts[k / FT_CASES % 2] * ft_f(&problem_, problem_.start, NULL);
      const run *r = solve(test, faults[k / FT_CASES / 2], &def, NULL);
      if (r == NULL) {
        continue;
      }
      CHECK_MSG(r->result.reached_target == (r->result.f <= def.target), "%s: %s", def.name,
                r->result.reason);
      CHECK_MSG(def.target < 0 ? !r->result.reached_target
                               : r->result.reached_target && r->result.status == CQ_OK,
                "%s on %s: %s", def.name, test->name, r->result.reason);
      for (int j = 0; j + 1 < r->n; j++) {
        const row *e = &r->rows[j];
        CHECK_MSG(e->failed || e->violation > 1e-6 || e->f > def.target ||
                      r->rows[j + 1].index <= e->index,
                  "%s goes on after f = %g", def.name, e->f);
      }
    }
  }
}

/* A budget that ends a run at its optimum hides no success, whichever it is. */
static void test_budget_at_the_optimum(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 0; k < 3; k++) {
      cq_optimizer_def def = def_of(cq_optimizer_name(i), &ft_cases[1]);
      if (facts_of(def.name).needs_residuals) {
        continue;
      }
      (k == 0 ? &def.max_evaluations : k == 1 ? &def.max_simulations : &def.stagnation)[0] = 1;
      ft_make(&problem_, &ft_cases[1], *fault_named("none"), false);
      cq_problem problem = ft_problem(&problem_, false);
      problem.start = problem_.optimum;
      cq_ctx *ctx = cq_ctx_create(1, 1);
      cq_result result;
      double x[FT_MAX];
      cq_optimize(ctx, &problem, &def, ft_record, &problem_, x, NULL, &result);
      CHECK_MSG(result.status == (has_gradient(def.name) ? CQ_OK : CQ_BUDGET), "%s: %s", def.name,
                result.reason);
      cq_ctx_destroy(ctx);
    }
  }
}

int main(void) {
  RUN(test_evaluations);
  RUN(test_simulations);
  RUN(test_cost);
  RUN(test_time);
  RUN(test_stagnation);
  RUN(test_gradient_tolerance);
  RUN(test_loose_gradient_tolerance);
  RUN(test_target);
  RUN(test_budget_at_the_optimum);
  return TEST_RESULT();
}
