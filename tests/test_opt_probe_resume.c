/* Probes that fail, are interrupted, cut off and gone on from. */
#include "test_opt_folder.h"
#include "test_opt_probe.h"

static const char *const methods[] = {"LD_SLSQP", "sqp", "IPOPT", "LD_LBFGS", "adam"};

enum { N_METHODS = 5, ENOUGH = 400, LONGER = 500 };

static const tp_case saddle = {"saddle", 2, 0, 0, {-2, -2}, {2, 2}, {1, 0}, -0.25, f_saddle_2};

static bool is_here(const char *method) {
  return watch_takes(method, &bowl);
}

/* A run whose probes fail, all of them or one; the verdict stands on the others. */
static void test_failed_probes(void) {
  const cq_failure_policy policies[] = {CQ_FAILURE_ABORT, CQ_FAILURE_PENALTY};
  for (int i = 0; i < 2 * N_METHODS; i++) {
    watch whole = watch_make(methods[i / 2], &bowl);
    whole.def.on_failure = policies[i % 2];
    whole.def.learning_rate = 0.1;
    const watch begin = whole;
    if (!is_here(whole.def.name)) {
      continue;
    }
    CHECK_MSG(watch_run(&whole) == CQ_OK && whole.probes > 2, "%s: %s", whole.def.name,
              whole.result.reason);
    for (int k = 0; k <= whole.probes; k++) {
      watch w = begin;
      w.problem.fault = TP_STATUS;
      w.problem.fault_from = whole.calls_before_probe + (k == 0 ? 1 : k);
      w.problem.fault_to = k == 0 ? 100000 : w.problem.fault_from;
      watch_run(&w);
      /* without a gradient nearby a run cut off by its budget proves nothing */
      const bool blind = k == 0 && whole.result.evaluations > whole.def.max_evaluations;
      CHECK_MSG(w.result.status == (blind ? CQ_BUDGET : CQ_OK) &&
                    w.result.best_index == whole.result.best_index,
                "%s, failure at probe %d: %d: %s", w.def.name, k, (int)w.result.status,
                w.result.reason);
      CHECK_MSG(w.result.failures == (k == 0 ? w.probes : 1),
                "%s, failure at probe %d: %d failures", w.def.name, k, w.result.failures);
      CHECK(w.error[0] == '\0');
    }
  }
}

/* by: evaluations that methods make, 0: no budget */
static void check_stops(const char *method, int by) {
  watch whole = watch_make(method, &bowl);
  whole.def.learning_rate = 0.1;
  whole.def.max_evaluations = by;
  const watch begin = whole;
  watch_run(&whole);
  CHECK_MSG(whole.result.status == CQ_OK && whole.probes > 2, "%s: %s", method,
            whole.result.reason);
  for (int k = 1; k <= whole.probes; k++) {
    watch stopped = begin, unwritten = begin;
    stopped.problem.stop_at = whole.calls_before_probe + k;
    unwritten.fail_probe = k;
    watch_run(&stopped);
    /* nothing is left to stop after the last one */
    CHECK_MSG(stopped.result.status == CQ_INTERRUPTED ||
                  (k == whole.probes && stopped.result.status == CQ_OK),
              "%s, budget %d, stopped at probe %d of %d: %d: %s", method, by, k, whole.probes,
              (int)stopped.result.status, stopped.result.reason);
    CHECK_MSG(stopped.probes == k, "%s, budget %d: %d probes after a request at probe %d", method,
              by, stopped.probes, k);
    CHECK_MSG(watch_run(&unwritten) == CQ_IO && unwritten.result.status == CQ_IO &&
                  unwritten.probes == k,
              "%s, budget %d, unwritten probe %d: %d probes, %d: %s", method, by, k,
              unwritten.probes, (int)unwritten.result.status, unwritten.result.reason);
  }
}

/* A request to stop, and a disk that is full, end the run at any probe. */
static void test_stops(void) {
  for (int i = 0; i < N_METHODS; i++) {
    if (is_here(methods[i])) {
      watch w = watch_make(methods[i], &bowl);
      w.def.learning_rate = 0.1;
      watch_run(&w);
      check_stops(methods[i], ENOUGH);
      check_stops(methods[i], w.result.evaluations - w.probes);
    }
  }
}

static attempt make_probed(const char *method, const tp_case *test, int budget) {
  attempt a = make_attempt(method, "rosenbrock");
  a.problem = tp_make(test);
  a.def.max_evaluations = budget;
  a.def.learning_rate = 0.1;
  a.def.gradient_cost = GRADIENT_COST;
  return a;
}

/* Cut off after each of the last records, every other one torn, and gone on. */
static void check_cuts(const char *method, const tp_case *test, int budget) {
  enum { LAST = 45 };
  const folder whole = make_folder();
  attempt a = make_probed(method, test, budget);
  const attempt begin = a;
  go(&a, &whole, false, false);
  CHECK_MSG(a.result.probes > 0, "%s, %s: no probes: %s", method, test->name, a.result.reason);
  for (int k = a.records > LAST ? a.records - LAST : 1; k <= a.records; k++) {
    const folder part = make_folder();
    attempt b = begin, c = begin;
    b.die_at = k;
    go(&b, &part, false, false);
    if (k % 2 == 0) {
      size_t size = 0;
      free(slurp(part.bin, &size));
      CHECK(truncate(part.bin, (off_t)size - 7) == 0);
    }
    const cq_status status = go(&c, &part, true, false);
    CHECK_MSG(status == a.result.status && c.result.probes == a.result.probes &&
                  c.result.evaluations == a.result.evaluations,
              "%s, %s, budget %d, cut after %d of %d: %d probes, not %d; %d: %s", method,
              test->name, budget, k, a.records, c.result.probes, a.result.probes, (int)status,
              c.result.reason);
    CHECK_STR(c.result.reason, a.result.reason);
    CHECK(memcmp(c.x, a.x, sizeof a.x) == 0 && c.result.best_index == a.result.best_index);
    check_equal(method, k, &whole, &part);
    remove_folder(&part);
  }
  remove_folder(&whole);
}

/* a claim that stands, and one that is refuted */
static void test_cuts(void) {
  for (int i = 0; i < N_METHODS; i++) {
    if (is_here(methods[i])) {
      check_cuts(methods[i], &bowl, ENOUGH);
      check_cuts(methods[i], &saddle, ENOUGH);
    }
  }
}

/* what methods alone evaluate in a run, up to the first probe or the last */
static int evaluations_of(const char *method, const tp_case *test, bool first) {
  watch w = watch_make(method, test);
  w.def.learning_rate = 0.1;
  watch_run(&w);
  return first ? w.calls_before_probe : w.result.evaluations - w.probes;
}

/* probes of a claim, or of what a budget leaves, past the budget */
static void test_cuts_past_budgets(void) {
  for (int i = 0; i < N_METHODS; i++) {
    if (is_here(methods[i])) {
      const int whole = evaluations_of(methods[i], &bowl, false);
      check_cuts(methods[i], &bowl, whole);
      check_cuts(methods[i], &saddle, evaluations_of(methods[i], &saddle, true));
    }
  }
}

/* A longer budget goes on from a run whose probes went past its own: they stay in the record,
 * counted. */
static void test_longer(void) {
  for (int i = 0; i < N_METHODS; i++) {
    if (!is_here(methods[i])) {
      continue;
    }
    const folder f = make_folder();
    attempt a = make_probed(methods[i], &saddle, evaluations_of(methods[i], &saddle, true));
    go(&a, &f, false, false);
    CHECK_MSG(a.result.probes > 0 && a.result.status != CQ_OK, "%s: %d probes: %s", methods[i],
              a.result.probes, a.result.reason);
    attempt longer = make_probed(methods[i], &saddle, LONGER);
    go(&longer, &f, true, false);
    /* adam goes on from where it was, on the ridge */
    const bool right = longer.result.status == CQ_OK && fabs(longer.result.f + 0.25) < 1e-6;
    const bool on_ridge = strcmp(methods[i], "adam") == 0 && longer.result.status != CQ_OK;
    CHECK_MSG(right || on_ridge, "%s, longer: %d: f = %g: %s, %s", methods[i],
              (int)longer.result.status, longer.result.f, longer.result.reason, longer.error);
    CHECK(longer.result.probes >= a.result.probes && longer.result.replayed >= a.records - 1);
    attempt again = make_probed(methods[i], &saddle, LONGER);
    go(&again, &f, true, false);
    CHECK_MSG(again.problem.calls == 0 && again.result.status == longer.result.status &&
                  again.result.f == longer.result.f,
              "%s, again: %d calls, %d: %s, %s", methods[i], again.problem.calls,
              (int)again.result.status, again.result.reason, again.error);
    remove_folder(&f);
  }
}

int main(void) {
  RUN(test_failed_probes);
  RUN(test_stops);
  RUN(test_cuts);
  RUN(test_cuts_past_budgets);
  RUN(test_longer);
  return TEST_RESULT();
}
