/* Probes of a claim: what they cost, what they refute, and what they let pass. */
#include "test_opt_probe.h"

/* Every gradient method on every form, or every that is named. */
static void for_each(void (*check)(const char *method, const tp_case *test), const tp_case *tests,
                     int count) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    for (int k = 0; has_gradient(name) && k < count; k++) {
      if (watch_takes(name, &tests[k])) {
        check(name, &tests[k]);
      }
    }
  }
}

static int n_verified, n_probed, n_over;

static void check_watched(const watch *w, const char *what) {
  const char *const name = w->def.name, *const test = w->problem.test->name;
  CHECK_MSG(w->result.probes == w->probes, "%s, %s, %s: %d probes, %d in the record", name, test,
            what, w->result.probes, w->probes);
  CHECK_MSG(!w->problem.saw_bad_x, "%s, %s, %s: outside the bounds", name, test, what);
  const double curvature = w->curvature ? GRADIENT_COST : 0; /* a look at that comes first */
  CHECK_MSG(w->claim <= FORWARD_RUNS + curvature, "%s, %s, %s: probes cost %g forward runs: %s",
            name, test, what, w->claim, w->result.reason);
  CHECK_MSG(w->tail <= FORWARD_RUNS + curvature + GRADIENT_COST, "%s, %s, %s: an end that costs %g",
            name, test, what, w->tail);
  n_probed += w->probes > 0;
}

/* each budget, so small that it ends the run */
static void check_budgets(const char *method, const tp_case *test, const watch *whole) {
  const int evaluations = whole->result.evaluations - whole->result.probes;
  for (int part = 1; part <= 4; part++) {
    const int budget = (evaluations * part + 3) / 4;
    watch w[3] = {watch_make(method, test), watch_make(method, test), watch_make(method, test)};
    w[0].def.max_evaluations = budget;
    w[1].def.max_simulations = budget;
    w[2].def.max_cost = GRADIENT_COST * budget;
    watch_run(&w[0]);
    watch_run(&w[1]);
    watch_run(&w[2]);
    check_watched(&w[0], "max_evaluations");
    check_watched(&w[1], "max_simulations");
    check_watched(&w[2], "max_cost");
    CHECK(w[0].result.evaluations <= budget + FORWARD_RUNS);
    CHECK(w[1].result.simulations <= budget + FORWARD_RUNS + 1);
    /* the evaluation that reaches a cost may pass it by less than itself */
    CHECK_MSG(w[2].cost < w[2].def.max_cost + FORWARD_RUNS + 2 * GRADIENT_COST,
              "%s, %s: max_cost = %g, %g spent", method, test->name, w[2].def.max_cost, w[2].cost);
    n_over += w[0].result.evaluations > budget;
  }
}

static void check_cost(const char *method, const tp_case *test) {
  watch w = watch_make(method, test), plain = w;
  watch_run(&w);
  check_watched(&w, "to the end");
  n_verified += w.result.status == CQ_OK;
  if (strncmp(method, "GD_", 3) != 0) { /* those end by a budget already */
    check_budgets(method, test, &w);
  }
  plain.def.verify = CQ_VERIFY_RESIDUAL;
  watch_run(&plain);
  CHECK_MSG(plain.probes == 0 && plain.result.probes == 0, "%s, %s: %d probes", method, test->name,
            plain.probes);
}

static void test_cost(void) {
  const tp_case forms[] = {bowl,
                           *tp_find("rosenbrock"),
                           *tp_find("hs71"),
                           *tp_find("hs76"),
                           *tp_find("hs43"),
                           {.name = "saddle", 2, 0, 0, {-2, -2}, {2, 2}, {1, 0}, -0.25, f_saddle_2},
                           {.name = "hill", 2, 0, 0, {-1, -1}, {1, 1}, {0, 0}, -2, f_hill}};
  for_each(check_cost, forms, (int)(sizeof forms / sizeof forms[0]));
  CHECK_MSG(n_verified > 40 && n_probed > 40 && n_over > 20, "%d verified, %d probed, %d over",
            n_verified, n_probed, n_over);
}

/* an optimum inside, at, and pressed between bounds; variables that are fixed */
static void test_bounds(void) {
  const tp_case forms[] = {
      {.name = "narrow",
       2,
       0,
       0,
       {0.99999, -0.50001},
       {1.00001, -0.49999},
       {1.00001, -0.5},
       1,
       f_bowl},
      {.name = "edge", 2, 0, 0, {1 - 1e-9, -4}, {4, 4}, {3, 2}, 1, f_bowl},
      {.name = "corner", 2, 0, 0, {1, -0.5}, {4, 4}, {3, 2}, 1, f_bowl},
      {.name = "fixed", 2, 0, 0, {1, -4}, {1, 4}, {1, 2}, 1, f_bowl},
      {.name = "all fixed", 2, 0, 0, {1, -0.5}, {1, -0.5}, {1, -0.5}, 1, f_bowl},
      {.name = "thin", 2, 0, 0, {1, -4}, {1 + 1e-12, 4}, {1, 2}, 1, f_bowl}};
  for_each(check_cost, forms, (int)(sizeof forms / sizeof forms[0]));
}

/* without gradient nothing is claimed, and nothing probed */
static void test_without_gradient(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    if (!has_gradient(name) && watch_takes(name, &bowl)) {
      watch w = watch_make(name, &bowl);
      w.def.max_evaluations = 60;
      w.kind = CQ_GRADIENT_NONE;
      watch_run(&w);
      CHECK_MSG(w.probes == 0 && w.result.probes == 0 && w.problem.gradients == 0,
                "%s: %d probes, %d gradients", name, w.probes, w.problem.gradients);
    }
  }
}

int main(void) {
  RUN(test_cost);
  RUN(test_bounds);
  RUN(test_without_gradient);
  return TEST_RESULT();
}
