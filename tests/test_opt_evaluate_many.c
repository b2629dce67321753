/* Populations: what a problem is told ahead is what it is asked for, whatever the record, the
 * budgets and the bounds are, and the run has the bits of one that was told nothing. */
#include "evaluate_many.h"
#include "test.h"
#include "test_opt_problems.h"

enum { MOST = 400 };

/* A problem, what it was told, and a record of its run. */
typedef struct watched {
  tp problem;
  bool deaf; /* ahead is NULL */
  int told, asked;
  double queue[MOST][TP_MAX];
  int unexpected; /* calls of eval that were not announced */
  int records, failures;
  double x[MOST][TP_MAX], f[MOST], c[MOST][TP_MAX];
  cq_status status[MOST];
  cq_evaluation evaluation; /* of the replay */
  int replayed, replays;
} watched;

static void ahead(void *data, int count, const double *x) {
  watched *w = data;
  const int n = w->problem.test->n;
  CHECK(w->told == w->asked); /* all that was told before has been asked for */
  for (int k = 0; k < count && w->told < MOST; k++) {
    memcpy(w->queue[w->told++], x + k * n, (size_t)n * sizeof *x);
  }
}

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  watched *w = data;
  const size_t bytes = (size_t)w->problem.test->n * sizeof *x;
  if (w->asked < w->told) {
    w->unexpected += memcmp(w->queue[w->asked++], x, bytes) != 0;
  } else {
    w->unexpected++;
  }
  return tp_eval(&w->problem, x, f, c, grad, jac);
}

static cq_status record(void *user, const cq_evaluation *e) {
  watched *w = user;
  CHECK(w->records < MOST);
  memcpy(w->x[w->records], e->x, (size_t)e->n * sizeof *e->x);
  memcpy(w->c[w->records], e->c, (size_t)e->n_constraints * sizeof *e->c);
  w->f[w->records] = e->f;
  w->status[w->records++] = e->status;
  return CQ_OK;
}

static cq_status next(void *user, const cq_evaluation **out) {
  watched *w = user;
  const tp_case *test = w->problem.test;
  const int k = w->replayed;
  *out = NULL;
  if (k < w->replays) {
    w->evaluation = (cq_evaluation){.index = k + 1,
                                    .n = test->n,
                                    .n_constraints = test->n_inequality,
                                    .x = w->x[k],
                                    .c = w->c[k],
                                    .f = w->f[k],
                                    .status = w->status[k],
                                    .simulations = 1};
    for (int i = 0; i < test->n_inequality; i++) {
      w->evaluation.violation = fmax(w->evaluation.violation, w->c[k][i]);
    }
    w->replayed++;
    *out = &w->evaluation;
  }
  return CQ_OK;
}

static cq_result solve(watched *w, const char *test, const char *method, int evaluations,
                       int replays) {
  double x[TP_MAX];
  cq_result result;
  cq_ctx *ctx = cq_ctx_create(1, 3);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = method;
  def.max_evaluations = evaluations;
  def.on_failure = CQ_FAILURE_PENALTY;
  def.sigma = 1; /* many candidates are outside the bounds */
  const tp blank = tp_make(tp_find(test));
  w->problem.test = blank.test;
  w->problem.factor = blank.factor;
  cq_problem problem = tp_problem(&w->problem);
  problem.eval = eval;
  problem.ahead = w->deaf ? NULL : ahead;
  problem.data = w;
  const cq_replay replay = {.next = next, .user = w};
  w->replays = replays;
  cq_optimize_from(ctx, &problem, &def, replays > 0 ? &replay : NULL, record, w, x, NULL, &result);
  cq_ctx_destroy(ctx);
  return result;
}

/* the records that both have */
static void check_same(const watched *a, const watched *b, int from) {
  CHECK(a->records == b->records);
  for (int k = 0; k < a->records; k++) {
    CHECK_MSG(memcmp(a->x[k], b->x[k], sizeof a->x[k]) == 0 && a->status[k] == b->status[k] &&
                  (a->f[k] == b->f[k] || a->status[k] != CQ_OK),
              "record %d of %d differs, replayed up to %d", k + 1, a->records, from);
  }
}

static void test_told_and_asked(void) {
  const char *const methods[] = {"cmaes", "sep_cmaes", "ipop_cmaes", "bipop_cmaes",
                                 "random_search"};
  for (int i = 0; i < 5; i++) {
    for (int evaluations = 60; evaluations < 63; evaluations++) {
      static watched deaf, hears;
      deaf =
          (watched){.deaf = true, .problem = {.fault = TP_STATUS, .fault_from = 9, .fault_to = 11}};
      hears = (watched){.problem = deaf.problem};
      const cq_result a = solve(&deaf, "rosenbrock", methods[i], evaluations, 0);
      const cq_result b = solve(&hears, "rosenbrock", methods[i], evaluations, 0);
      CHECK(a.evaluations == evaluations && b.evaluations == evaluations && a.failures == 3);
      CHECK(a.f == b.f && a.best_index == b.best_index && b.failures == 3);
      check_same(&deaf, &hears, 0);
      /* the start is not announced, everything else is, and nothing beyond the budget; but no
       * method bothers about a single one */
      CHECK_MSG(hears.told >= evaluations - 2 && hears.told <= evaluations - 1, "%s: %d of %d told",
                methods[i], hears.told, evaluations);
      CHECK(hears.unexpected == evaluations - hears.told);
    }
  }
}

/* After a replay that ends within a generation the rest of it is announced, and no more. */
static void test_replays(void) {
  static watched whole, part;
  whole = (watched){.deaf = false};
  solve(&whole, "hs76", "cmaes", 60, 0);
  CHECK(whole.records == 60 && whole.problem.calls == 60);
  for (int k = 1; k < 60; k++) {
    part = whole;
    part.records = part.told = part.asked = part.unexpected = 0;
    part.problem.calls = 0;
    const cq_result result = solve(&part, "hs76", "cmaes", 60, k);
    CHECK(result.replayed == k && part.problem.calls == 60 - k);
    CHECK(part.told <= 60 - k && part.told >= 60 - k - 2);
    check_same(&whole, &part, k);
  }
}

/* Candidates outside the bounds are announced as they are evaluated: on them, and -0 as 0. What is
 * not finite ends the run, and what comes after it is not announced. */
static void test_bounds(void) {
  static watched w;
  const tp blank = tp_make(tp_find("rosenbrock"));
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_evaluator *ev = NULL;
  cq_optimizer_def def = cq_optimizer_default();
  cq_candidate out[4];
  w = (watched){.problem = blank};
  cq_problem problem = tp_problem(&w.problem);
  problem.eval = eval;
  problem.ahead = ahead;
  problem.data = &w;
  CHECK(cq_evaluator_create(ctx, &problem, &def, record, &w, &ev) == CQ_OK);
  double x[] = {3, 1, -7, -0.0, 0.5, 0.5};
  CHECK(cq_evaluate_many(ev, 3, x, out));
  CHECK(w.told == 3 && w.unexpected == 0 && x[0] == 2 && x[2] == -2 && !signbit(x[3]));
  CHECK(out[2].f == w.f[2] && !out[2].failed && out[2].violation == 0);
  double bad[] = {0.1, 0.2, 0.3, 0.4, NAN, 0, 0.5, 0.6};
  CHECK(!cq_evaluate_many(ev, 4, bad, out));
  CHECK(w.told == 5 && w.unexpected == 0 && ev->end == CQ_END_STALL);
  cq_evaluator_destroy(ev);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_bounds);
  RUN(test_told_and_asked);
  RUN(test_replays);
  return TEST_RESULT();
}
