/* Failures of every kind, in every method, under every policy: none hangs, none succeeds falsely,
 * none is miscounted, and most reach the optimum all the same.
 *
 *   test_opt_nan          all of them
 *   test_opt_nan PART     of each failure one in PART of the problems
 *   test_opt_nan 1 PATH   all, with the table of who reaches it */
#include "test.h"
#include "test_opt_facts.h"
#include "test_opt_faults.h"

#include <signal.h>
#include <unistd.h>

enum { MAX_EVALUATIONS = 400, MAX_PER_CELL = 5, PATIENCE = 60 };

/* a policy, and whether smaller steps help */
typedef struct policy {
  const char *name;
  cq_failure_policy policy;
  bool refines, mends;
} policy;

static const policy policies[] = {{"abort", CQ_FAILURE_ABORT, false, false},
                                  {"penalty", CQ_FAILURE_PENALTY, false, false},
                                  {"infeasible", CQ_FAILURE_INFEASIBLE, false, false},
                                  {"retry", CQ_FAILURE_RETRY_SMALLER_STEP, true, true},
                                  {"retry_in_vain", CQ_FAILURE_RETRY_SMALLER_STEP, true, false}};

enum { N_POLICIES = (int)(sizeof policies / sizeof policies[0]) };

static ft problem_; /* large */
static char cell[160];
static const char *label; /* of the method in the tables */

/* async-signal-safe: says which cell hangs */
static void on_alarm(int number) {
  static const char text[] = "hangs: ";
  (void)number;
  if (write(1, text, sizeof text - 1) >= 0 && write(1, cell, strlen(cell)) >= 0) {
    _exit(1);
  }
  _exit(1);
}

static cq_step_rule step_rule; /* of gradient_descent */

static cq_optimizer_def def_of(const char *name, const ft_case *test,
                               cq_failure_policy on_failure) {
  cq_optimizer_def def = cq_optimizer_default();
  def.verify = CQ_VERIFY_RESIDUAL;
  def.name = name;
  def.max_evaluations = MAX_EVALUATIONS;
  def.learning_rate = test->rosenbrock ? 1e-3 : 0.2;
  def.momentum = test->rosenbrock && step_rule == CQ_STEP_FIXED ? 0.9 : 0;
  def.step_rule = step_rule;
  def.on_failure = on_failure;
  return def;
}

/* The optimum, by the problem's own formulas: what 1e-4 of the first slope leaves. */
static bool is_optimum(const ft *t, const double *x) {
  double far = 0;
  for (int i = 0; i < t->test->n; i++) {
    far = fmax(far, fabs(x[i] - t->optimum[i]));
  }
  const double gap = ft_f(t, x, NULL) - ft_f(t, t->optimum, NULL);
  return far <= (t->test->rosenbrock ? 0.1 : 1e-2) && fabs(gap) <= 1e-3 &&
         (t->test->n_inequality == 0 || ft_c(t, x) <= 1e-6);
}

static void check_counts(const ft *t, const cq_result *r) {
  CHECK_MSG(!t->bad_x, "%s: an x outside of the bounds", cell);
  CHECK_MSG(!t->bad_record, "%s: %s", cell, t->complaint);
  CHECK_MSG(r->evaluations == t->evaluations, "%s: %d evaluations, not %d", cell, r->evaluations,
            t->evaluations);
  CHECK_MSG(r->simulations == t->calls + t->refined_calls, "%s: %d simulations, not %d", cell,
            r->simulations, t->calls + t->refined_calls);
  CHECK_MSG(r->failures == t->failures, "%s: %d failures, not %d", cell, r->failures, t->failures);
  CHECK_MSG(r->recovered == t->recovered, "%s: %d recovered, not %d", cell, r->recovered,
            t->recovered);
  CHECK_MSG(r->gradients == t->gradients, "%s: %d gradients, not %d", cell, r->gradients,
            t->gradients);
  CHECK(r->evaluations <= MAX_EVALUATIONS && r->simulations <= MAX_PER_CELL * MAX_EVALUATIONS);
}

static void check_point(const ft *t, const cq_result *r, const double *x) {
  CHECK_MSG(r->has_point == (t->failures < t->records), "%s: has_point", cell);
  for (int i = 0; i < t->test->n; i++) {
    CHECK_MSG(isfinite(x[i]) && x[i] >= t->lower[i] && x[i] <= t->upper[i], "%s: x", cell);
  }
  CHECK_MSG(!r->has_point || (isfinite(r->f) && isfinite(r->violation)), "%s: f = %g", cell, r->f);
  CHECK_MSG(!r->has_point || r->f == ft_f(t, x, NULL), "%s: f is not that of x", cell);
  CHECK_MSG(r->has_point || isnan(r->f), "%s: f = %g of nothing", cell, r->f);
}

static void check_status(const ft *t, const policy *p, const cq_result *r, const double *x) {
  const bool first = t->failures == t->records;
  const bool failed = r->status == ft_failure(t);
  CHECK_MSG(r->status != CQ_OK || is_optimum(t, x), "%s: a false success, f = %g: %s", cell, r->f,
            r->reason);
  CHECK_MSG(strstr(r->reason, "asks for variable") == NULL, "%s: %s", cell, r->reason);
  CHECK_MSG(!first || (failed && t->records == 1), "%s: went on after a first failure: %s", cell,
            r->reason);
  CHECK_MSG(p->policy != CQ_FAILURE_ABORT || failed == (t->failures > 0),
            "%s: status %d with %d failures: %s", cell, (int)r->status, t->failures, r->reason);
  CHECK_MSG(p->policy != CQ_FAILURE_ABORT || t->failures <= 1, "%s: not aborted", cell);
  /* the gradient that judges the best point is the one thing that no policy replaces */
  const bool unjudged = t->fault.what == FT_GRADIENT || t->fault.what == FT_JACOBIAN;
  CHECK_MSG(p->policy == CQ_FAILURE_ABORT || first || !failed || unjudged, "%s: %s", cell,
            r->reason);
  CHECK_MSG(failed || r->status == CQ_OK || r->status == CQ_BUDGET || r->status == CQ_OPTIMIZER ||
                r->status == CQ_NOT_STATIONARY || r->status == CQ_VERIFICATION,
            "%s: status %d: %s", cell, (int)r->status, r->reason);
}

/* Where a method that reaches the optimum without failures does not get there around a ball on its
 * way, and says so: a third of the tries. Around the ball there is a path downhill in all but
 * Rosenbrock's valley, but MMA and CCSAQ shrink their steps, COBYLA its simplex, until they rest at
 * its edge. SLSQP asks for f alone first, and takes a point without a gradient for the best. */
typedef struct stuck {
  const char *name, *test, *fault;
  bool penalty, infeasible, retry; /* the penalty stands for retries in vain, too */
} stuck;

static const stuck stucks[] = {
    {"LD_SLSQP", "rosenbrock", "way_nan", true, false, false},
    {"LD_SLSQP", "rosenbrock", "way_gradient", true, false, false},
    {"LD_SLSQP", "held_2", "way_gradient", false, true, false},
    {"LD_SLSQP", "held_10", "way_gradient", false, true, false},
    {"LD_MMA", "bowl_10", NULL, true, false, false},
    {"LD_MMA", "held_2", NULL, true, true, false},
    {"LD_MMA", "held_10", NULL, true, true, false},
    {"LD_CCSAQ", "held_10", NULL, true, true, false},
    {"LD_LBFGS", "rosenbrock", NULL, true, false, false},
    {"AUGLAG_LBFGS", "rosenbrock", NULL, true, false, false},
    {"LN_COBYLA", "bowl_2", NULL, true, false, false},
    {"LN_COBYLA", "bowl_10", NULL, true, false, false},
    {"LN_COBYLA", "held_2", NULL, true, false, false},
    {"LN_COBYLA", "held_10", NULL, true, false, false},
    {"LN_NELDERMEAD", "rosenbrock", NULL, true, false, false},
    {"gradient_descent armijo", "bowl_10", NULL, true, false, false},
    {"gradient_descent barzilai_borwein", "rosenbrock", NULL, true, false, false},
    {"adam", "bowl_10", NULL, true, false, false},
};

/* those whose table was taken */
static const char *const measured[] = {"LD_SLSQP",
                                       "LD_MMA",
                                       "LD_CCSAQ",
                                       "LD_LBFGS",
                                       "AUGLAG_LBFGS",
                                       "AUGLAG_CCSAQ",
                                       "LN_COBYLA",
                                       "LN_NELDERMEAD",
                                       "gradient_descent",
                                       "adam",
                                       "gradient_descent armijo",
                                       "gradient_descent barzilai_borwein"};

static bool is_measured(const char *name) {
  for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
    if (strcmp(name, measured[i]) == 0) {
      return true;
    }
  }
  return false;
}

static bool may_be_stuck(const char *name, const ft *t, const policy *p) {
  for (size_t i = 0; i < sizeof stucks / sizeof stucks[0]; i++) {
    const stuck *s = &stucks[i];
    const bool listed = p->policy == CQ_FAILURE_INFEASIBLE ? s->infeasible
                        : p->mends                         ? s->retry
                                                           : s->penalty;
    if (listed && strcmp(s->name, name) == 0 && strcmp(s->test, t->test->name) == 0 &&
        (s->fault == NULL || strcmp(s->fault, t->fault.name) == 0)) {
      return t->fault.where == FT_WAY;
    }
  }
  return false;
}

/* whether a method that finds the optimum has all it needs to find it all the same */
static bool must_reach(const char *name, const ft *t, const policy *p) {
  const bool fatal = t->fault.where == FT_EVERYWHERE;
  const bool blocked = t->fault.where == FT_FIRST || t->fault.where == FT_GOAL;
  return p->policy != CQ_FAILURE_ABORT && !fatal && (p->mends || !blocked) && is_measured(name) &&
         !may_be_stuck(name, t, p);
}

typedef struct tally {
  int runs, reached, evaluations, failures, recovered;
} tally;

static bool applies(const ft_case *test, const ft_fault *fault, const policy *p, const char *name) {
  const bool constraint = fault->what == FT_CONSTRAINT || fault->what == FT_JACOBIAN;
  const bool gradient = fault->what == FT_GRADIENT || fault->what == FT_JACOBIAN;
  return (test->n_inequality > 0 || (!constraint && p->policy != CQ_FAILURE_INFEASIBLE)) &&
         (has_gradient(name) || !gradient);
}

/* can: the method reaches the optimum when nothing fails */
static void run_cell(const char *name, const ft_case *test, const ft_fault *fault, const policy *p,
                     bool *can, tally *out) {
  ft *const t = &problem_;
  ft_make(t, test, *fault, p->mends);
  const cq_problem problem = ft_problem(t, p->refines);
  const cq_optimizer_def def = def_of(name, test, p->policy);
  cq_ctx *ctx = cq_ctx_create(1, 7);
  if (cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK && applies(test, fault, p, name)) {
    double x[FT_MAX];
    cq_result r;
    snprintf(cell, sizeof cell, "%s, %s, %s, %s", label, test->name, fault->name, p->name);
    alarm(PATIENCE);
    cq_optimize(ctx, &problem, &def, ft_record, t, x, NULL, &r);
    alarm(0);
    check_counts(t, &r);
    check_point(t, &r, x);
    check_status(t, p, &r, x);
    const bool reached = r.has_point && is_optimum(t, x);
    *can = fault->where == FT_NOWHERE ? reached : *can;
    CHECK_MSG(reached || !*can || !must_reach(label, t, p), "%s: does not get there: %s", cell,
              r.reason);
    out->runs++;
    out->reached += reached;
    out->evaluations += r.evaluations;
    out->failures += r.failures;
    out->recovered += r.recovered;
  }
  cq_ctx_destroy(ctx);
}

static FILE *table;
static int part = 1;

static void put_row(const char *name, const ft_fault *fault, const policy *p, const tally *sum) {
  if (table != NULL && sum->runs > 0) {
    fprintf(table, "%s,%s,%s,%d,%d,%d,%d,%d\n", name, fault->name, p->name, sum->runs, sum->reached,
            sum->evaluations, sum->failures, sum->recovered);
  }
}

static void run_method(const char *name, const char *as) {
  bool can[FT_CASES] = {false};
  label = as;
  for (int k = 0; k < FT_N_FAULTS; k++) {
    for (int p = 0; p < N_POLICIES; p++) {
      tally sum = {.runs = 0};
      for (int c = 0; c < FT_CASES; c++) {
        if (ft_faults[k].where == FT_NOWHERE || (c + k + p) % part == 0) {
          run_cell(name, &ft_cases[c], &ft_faults[k], &policies[p], &can[c], &sum);
        }
      }
      /* nothing need lead beyond the optimum, nor past every problem's failures, and smaller steps
       * may cure all */
      const bool may_miss = ft_faults[k].where == FT_BEYOND || policies[p].mends || part > 1;
      CHECK_MSG(sum.runs == 0 || may_miss ||
                    (ft_faults[k].where == FT_NOWHERE) == (sum.failures == 0),
                "%s: %s strikes %d times", name, ft_faults[k].name, sum.failures);
      put_row(label, &ft_faults[k], &policies[p], &sum);
    }
  }
}

static void test_matrix(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    run_method(cq_optimizer_name(i), cq_optimizer_name(i));
  }
  step_rule = CQ_STEP_ARMIJO;
  run_method("gradient_descent", "gradient_descent armijo");
  step_rule = CQ_STEP_BARZILAI_BORWEIN;
  run_method("gradient_descent", "gradient_descent barzilai_borwein");
  step_rule = CQ_STEP_FIXED;
}

int main(int argc, char **argv) {
  signal(SIGALRM, on_alarm);
  part = argc > 1 ? atoi(argv[1]) : 1;
  CHECK(part > 0);
  if (argc > 2) {
    table = fopen(argv[2], "w");
    CHECK(table != NULL);
    fprintf(table, "method,failure,policy,problems,reached,evaluations,failures,recovered\n");
  }
  RUN(test_matrix);
  if (table != NULL) {
    CHECK(fclose(table) == 0);
  }
  return TEST_RESULT();
}
