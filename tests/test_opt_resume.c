/* A run that was cut off goes on from its record as if it never had been. */
#include "test_opt_folder.h"

#include <fcntl.h>
#include <sys/file.h>

/* takes bytes off the ends of the files, as a kill during a write does */
static void tear(const folder *f, int k) {
  size_t size = 0;
  free(slurp(k % 2 == 0 ? f->bin : f->csv, &size));
  const int bytes = 1 + 13 * k % 60;
  CHECK(truncate(k % 2 == 0 ? f->bin : f->csv, (off_t)size - bytes) == 0);
}

static int every =
    5; /* how far apart the records are after which a run is cut off; no factor of 2 or 3 */

/* Cut off after records, half of them torn, by faults on the way or without. */
static void check_method(const char *method, const char *test, cq_failure_policy policy) {
  const folder whole = make_folder();
  attempt a = make_attempt(method, test);
  a.def.on_failure = policy;
  a.problem.fault = policy == CQ_FAILURE_ABORT ? TP_NONE : TP_STATUS;
  a.problem.fault_from = 4;
  a.problem.fault_to = 5;
  const attempt begin = a;
  go(&a, &whole, false, false);
  CHECK_MSG(a.result.has_point && (policy == CQ_FAILURE_ABORT) == (a.result.failures == 0),
            "%s: %s", method, a.result.reason);
  for (int k = 1; k < a.records; k += every) {
    const folder part = make_folder();
    attempt b = begin;
    b.die_at = k;
    CHECK(go(&b, &part, false, false) == CQ_IO);
    if (k % 3 != 0) {
      tear(&part, k);
    }
    attempt c = begin;
    /* the faults strike by number of call: those that are in the record were not called */
    const int lost = k % 3 != 0 && k % 2 == 0;
    c.problem.fault_from = begin.problem.fault_from - k + lost;
    c.problem.fault_to = begin.problem.fault_to - k + lost;
    const cq_status status = go(&c, &part, true, false);
    CHECK_MSG(status == a.result.status, "%s after %d: %s", method, k, c.result.reason);
    CHECK_MSG(c.problem.calls == a.records - k + lost, "%s after %d: %d calls, not %d", method, k,
              c.problem.calls, a.records - k + lost);
    CHECK(c.result.evaluations == a.result.evaluations && c.result.replayed <= k);
    CHECK(c.result.simulations == a.result.simulations && c.result.failures == a.result.failures);
    CHECK(memcmp(c.x, a.x, sizeof a.x) == 0 && c.result.f == a.result.f);
    CHECK(c.result.best_index == a.result.best_index);
    check_equal(method, k, &whole, &part);
    CHECK(exists(&part, "evals.torn") == (lost == 1));
    remove_folder(&part);
  }
  remove_folder(&whole);
}

static void test_every_method(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    check_method(name, "rosenbrock", CQ_FAILURE_ABORT);
    check_method(name, "rosenbrock", CQ_FAILURE_PENALTY);
    if (takes(name, "hs76")) {
      check_method(name, "hs76", CQ_FAILURE_ABORT);
      check_method(name, "hs76", CQ_FAILURE_INFEASIBLE);
    }
  }
}

static void test_searched_steps(void) {
  for (step_rule = CQ_STEP_ARMIJO; step_rule <= CQ_STEP_BARZILAI_BORWEIN; step_rule++) {
    check_method("gradient_descent", "rosenbrock", CQ_FAILURE_ABORT);
    check_method("gradient_descent", "rosenbrock", CQ_FAILURE_PENALTY);
  }
  step_rule = CQ_STEP_FIXED;
}

/* A larger budget lengthens a run that had ended; the same budget evaluates nothing. */
static void test_budgets(void) {
  const folder f = make_folder();
  attempt a = make_attempt("LN_COBYLA", "hs76");
  go(&a, &f, false, false);
  CHECK(a.result.status == CQ_BUDGET && a.result.evaluations == MAX_EVALUATIONS);
  attempt again = make_attempt("LN_COBYLA", "hs76");
  CHECK(go(&again, &f, true, false) == CQ_BUDGET && again.problem.calls == 0);
  CHECK(again.result.f == a.result.f && again.result.evaluations == MAX_EVALUATIONS);
  attempt longer = make_attempt("LN_COBYLA", "hs76");
  longer.def.max_evaluations = MAX_EVALUATIONS + 10;
  CHECK(go(&longer, &f, true, false) == CQ_BUDGET && longer.problem.calls == 10);
  CHECK(longer.result.evaluations == MAX_EVALUATIONS + 10);
  /* the time of the earlier run counts */
  attempt late = make_attempt("LN_COBYLA", "hs76");
  late.def.max_evaluations = 0;
  late.def.max_time = 1e-9;
  CHECK(go(&late, &f, true, false) == CQ_BUDGET && late.problem.calls == 0);
  CHECK(strstr(late.result.reason, "max_time") != NULL);
  remove_folder(&f);
}

/* A run that ended by its budget has verified its best point; one that goes on passes over that. */
static void test_verified_in_between(void) {
  const folder f = make_folder(), straight = make_folder();
  attempt a = make_attempt("gradient_descent", "rosenbrock");
  a.def.max_evaluations = 10;
  go(&a, &f, false, false);
  attempt longer = make_attempt("gradient_descent", "rosenbrock"), whole = longer;
  go(&longer, &f, true, false);
  go(&whole, &straight, false, false);
  CHECK(longer.result.f == whole.result.f && memcmp(longer.x, whole.x, sizeof whole.x) == 0);
  remove_folder(&f);
  remove_folder(&straight);
}

/* Another setting takes other steps: refused, or a warm start from the best point. */
static void test_divergence(void) {
  const folder f = make_folder();
  attempt a = make_attempt("LD_SLSQP", "rosenbrock");
  a.die_at = 8;
  go(&a, &f, false, false);
  attempt b = make_attempt("LD_LBFGS", "rosenbrock");
  CHECK(go(&b, &f, true, false) == CQ_CONFIG && b.problem.calls == 0);
  CHECK_MSG(strstr(b.result.reason, "--allow-diverge") != NULL, "%s", b.result.reason);
  attempt c = make_attempt("LD_LBFGS", "rosenbrock");
  c.def.max_evaluations = 500;
  CHECK_MSG(go(&c, &f, true, true) == CQ_OK, "%s", c.result.reason);
  CHECK(c.result.evaluations > c.result.replayed && c.result.replayed >= 6);
  CHECK(c.result.simulations == c.problem.calls + 8);
  remove_folder(&f);
}

/* Two processes at one folder, and the record of another problem. */
static void test_refusals(void) {
  const folder f = make_folder();
  attempt a = make_attempt("LD_SLSQP", "rosenbrock");
  go(&a, &f, false, false);
  const int other = open(f.bin, O_RDWR);
  CHECK(flock(other, LOCK_EX | LOCK_NB) == 0);
  attempt b = make_attempt("LD_SLSQP", "rosenbrock");
  CHECK(go(&b, &f, true, false) == CQ_IO);
  CHECK_MSG(strstr(b.error, "another process") != NULL, "%s", b.error);
  close(other);
  attempt c = make_attempt("LD_SLSQP", "hs71");
  CHECK(go(&c, &f, true, false) == CQ_CONFIG);
  CHECK_MSG(strstr(c.error, "another problem") != NULL, "%s", c.error);
  remove_folder(&f);
}

/* history.csv lost, or cut in its heading: written anew from evals.bin */
static void test_lost_history(void) {
  for (int cut = -1; cut < 60; cut += 20) {
    const folder f = make_folder(), g = make_folder();
    attempt a = make_attempt("LD_SLSQP", "hs71"), b = a, c = a;
    go(&a, &f, false, false);
    go(&b, &g, false, false);
    CHECK(cut < 0 ? unlink(f.csv) == 0 : truncate(f.csv, cut) == 0);
    go(&c, &f, true, false);
    check_equal("a lost history.csv", cut, &g, &f);
    remove_folder(&f);
    remove_folder(&g);
  }
}

int main(int argc, char **argv) {
  every = argc > 1 ? atoi(argv[1]) : every;
  RUN(test_every_method);
  RUN(test_searched_steps);
  RUN(test_budgets);
  RUN(test_verified_in_between);
  RUN(test_divergence);
  RUN(test_refusals);
  RUN(test_lost_history);
  return TEST_RESULT();
}
