/* Resuming in odd places: verifications, changed budgets, files that are torn, missing or
 * another run's. What cannot go on says what to do, and leaves the files as they are. */
#include "evaluator.h"
#include "test_opt_folder.h"

/* A record in memory of evaluations made by hand, of Rosenbrock's function. */
typedef struct tape {
  int n, at;
  cq_evaluation rows[8];
  double x[8][2], grad[8][2];
} tape;

static cq_status onto_tape(void *user, const cq_evaluation *e) {
  tape *t = user;
  if (!e->replayed) {
    memcpy(t->x[t->n], e->x, sizeof t->x[0]);
    t->rows[t->n] = *e;
    t->rows[t->n].x = t->x[t->n];
    if (e->has_gradient) {
      memcpy(t->grad[t->n], e->grad, sizeof t->grad[0]);
      t->rows[t->n].grad = t->grad[t->n];
    }
    t->n++;
  }
  return CQ_OK;
}

static cq_status from_tape(void *user, const cq_evaluation **out) {
  tape *t = user;
  *out = t->at < t->n ? &t->rows[t->at++] : NULL;
  return CQ_OK;
}

static const double near_it[2] = {0.9, 0.8}, far_off[2] = {-1, -1}, further[2] = {-1.5, -1};

/* Evaluates the values of two points, and the gradient of the better one at the end, which fails on
 * demand. */
static void make_tape(tape *t, bool fails) {
  tp p = tp_make(tp_find("rosenbrock"));
  const cq_problem problem = tp_problem(&p);
  const cq_optimizer_def def = cq_optimizer_default();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_evaluator *ev = NULL;
  memset(t, 0, sizeof *t);
  CHECK(cq_evaluator_create(ctx, &problem, &def, onto_tape, t, &ev) == CQ_OK);
  cq_evaluate(ev, near_it, false);
  cq_evaluate(ev, far_off, false);
  cq_evaluator_end(ev, CQ_END_EVALUATIONS, CQ_BUDGET);
  p.fault = fails ? TP_GRAD : TP_NONE;
  p.fault_from = 3;
  p.fault_to = 3;
  CHECK(cq_evaluator_best_gradient(ev) == (fails ? CQ_NONFINITE : CQ_OK) && t->n == 3);
  cq_evaluator_destroy(ev);
  cq_ctx_destroy(ctx);
}

/* A run that goes on does not ask for the gradient that was to verify its best point, fetched or
 * failed: it passes over it, and its counts hold. */
static void test_verification_passed_over(void) {
  for (int fails = 0; fails < 2; fails++) {
    tape t;
    make_tape(&t, fails == 1);
    const cq_replay replay = {.next = from_tape, .user = &t};
    tp p = tp_make(tp_find("rosenbrock"));
    const cq_problem problem = tp_problem(&p);
    const cq_optimizer_def def = cq_optimizer_default();
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_evaluator *ev = NULL;
    CHECK(cq_evaluator_create(ctx, &problem, &def, onto_tape, &t, &ev) == CQ_OK);
    CHECK(cq_evaluator_set_replay(ev, &replay) == CQ_OK);
    CHECK(cq_evaluate(ev, near_it, false) != NULL && cq_evaluate(ev, far_off, false) != NULL);
    CHECK(p.calls == 0 && ev->replayed == 2);
    CHECK_MSG(cq_evaluate(ev, further, false) != NULL && ev->last.index == 3, "%s",
              cq_ctx_error(ctx));
    CHECK(p.calls == 1 && ev->simulations == 4 && ev->failures == fails);
    CHECK(ev->best.has_gradient == (fails == 0) && ev->gradients == 1 - fails && t.n == 4);
    cq_evaluator_destroy(ev);
    cq_ctx_destroy(ctx);
  }
}

/* A run that ends before its record does cannot fetch a gradient: its place is in between. */
static void test_end_before_the_record(void) {
  tape t;
  make_tape(&t, false);
  const cq_replay replay = {.next = from_tape, .user = &t};
  tp p = tp_make(tp_find("rosenbrock"));
  const cq_problem problem = tp_problem(&p);
  const cq_optimizer_def def = cq_optimizer_default();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_evaluator *ev = NULL;
  CHECK(cq_evaluator_create(ctx, &problem, &def, onto_tape, &t, &ev) == CQ_OK);
  CHECK(cq_evaluator_set_replay(ev, &replay) == CQ_OK);
  CHECK(cq_evaluate(ev, near_it, false) != NULL);
  cq_evaluator_end(ev, CQ_END_EVALUATIONS, CQ_BUDGET);
  CHECK(cq_evaluator_best_gradient(ev) == CQ_CONFIG && p.calls == 0 && t.n == 3);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "larger budgets") != NULL, "%s", cq_ctx_error(ctx));
  cq_evaluator_destroy(ev);
  cq_ctx_destroy(ctx);
}

/* A budget below what the record holds; the record stays what it is. */
static void test_smaller_budget(void) {
  for (int budget = 3; budget < 20; budget++) {
    const folder f = make_folder();
    attempt a = make_attempt("LD_SLSQP", "rosenbrock"), b = a, c = a;
    go(&a, &f, false, false);
    size_t before = 0, after = 0;
    free(slurp(f.bin, &before));
    b.def.max_evaluations = budget;
    const cq_status status = go(&b, &f, true, false);
    CHECK_MSG(status == CQ_BUDGET || status == CQ_OK, "%s", b.result.reason);
    CHECK(b.result.evaluations == budget);
    free(slurp(f.bin, &after));
    CHECK(b.problem.calls == 0 && before == after);
    CHECK(go(&c, &f, true, false) == a.result.status && c.problem.calls == 0);
    remove_folder(&f);
  }
}

/* A run that ended by any budget: the same again evaluates nothing, a larger one goes on as if
 * there had been no end. */
static void check_budget(const char *name, cq_optimizer_def limits) {
  const folder f = make_folder(), g = make_folder();
  attempt a = make_attempt(name, "rosenbrock"), longer = a, straight = a;
  a.def.max_simulations = limits.max_simulations;
  a.def.max_cost = limits.max_cost;
  a.def.stagnation = limits.stagnation;
  attempt again = a;
  go(&a, &f, false, false);
  go(&again, &f, true, false);
  CHECK_MSG(again.result.status == a.result.status && again.problem.calls == 0,
            "%s: %d calls: %s, not %s", name, again.problem.calls, again.result.reason,
            a.result.reason);
  CHECK(again.result.simulations == a.result.simulations && again.result.f == a.result.f);
  go(&longer, &f, true, false);
  go(&straight, &g, false, false);
  CHECK_MSG(longer.result.status == straight.result.status, "%s: %s, not %s", name,
            longer.result.reason, straight.result.reason);
  CHECK(longer.result.evaluations == straight.result.evaluations);
  CHECK(longer.result.best_index == straight.result.best_index);
  CHECK(memcmp(longer.x, straight.x, sizeof longer.x) == 0);
  remove_folder(&f);
  remove_folder(&g);
}

static void test_every_budget(void) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    for (int k = 2; k < 12; k++) {
      check_budget(cq_optimizer_name(i), (cq_optimizer_def){.max_simulations = k});
      check_budget(cq_optimizer_name(i), (cq_optimizer_def){.max_cost = 2.5 * k});
    }
    check_budget(cq_optimizer_name(i), (cq_optimizer_def){.stagnation = 1});
    check_budget(cq_optimizer_name(i), (cq_optimizer_def){.stagnation = 3});
  }
}

/* A run that max_time ended evaluates nothing more, whether or not its best point had a gradient.
 */
static void test_time_is_spent(void) {
  for (int budget = 3; budget < 20; budget++) {
    const folder f = make_folder();
    attempt a = make_attempt("LD_SLSQP", "rosenbrock"), b = a;
    a.def.max_evaluations = budget;
    go(&a, &f, false, false);
    b.def.max_evaluations = 0;
    b.def.max_time = 1e-12;
    CHECK_MSG(go(&b, &f, true, false) == CQ_BUDGET && b.problem.calls == 0, "%d: %d calls: %s",
              budget, b.problem.calls, b.result.reason);
    remove_folder(&f);
  }
}

/* A warm start after a standstill has its own tries. */
static void test_warm_after_stagnation(void) {
  const folder f = make_folder();
  attempt a = make_attempt("LN_NELDERMEAD", "rosenbrock");
  a.def.max_evaluations = 0;
  a.def.stagnation = 5;
  CHECK(go(&a, &f, false, false) == CQ_BUDGET);
  CHECK(strstr(a.result.reason, "no better design in 5") != NULL);
  attempt b = make_attempt("LD_LBFGS", "rosenbrock");
  b.def.max_evaluations = 0;
  b.def.stagnation = 5;
  CHECK_MSG(go(&b, &f, true, true) == CQ_OK, "%s", b.result.reason);
  CHECK(b.result.evaluations > b.result.replayed && b.result.kkt_residual <= 1e-4);
  remove_folder(&f);
}

/* A warm start of a run that never got off the ground, and verification of what it finds. */
static void test_warm_after_first_failure(void) {
  const folder f = make_folder();
  attempt a = make_attempt("LD_SLSQP", "rosenbrock"), b = a;
  a.problem.fault = TP_STATUS;
  a.problem.fault_from = a.problem.fault_to = 1;
  CHECK(go(&a, &f, false, false) == CQ_OUT_OF_ROOM && !a.result.has_point);
  b.def.max_evaluations = 200;
  CHECK_MSG(go(&b, &f, true, true) == CQ_OK, "%s", b.result.reason);
  CHECK(b.result.failures == 1 && b.result.simulations == b.problem.calls + 1);
  remove_folder(&f);
}

/* The steps of a folder that was continued from its best design cannot be retraced. */
static void test_warm_twice(void) {
  const folder f = make_folder();
  attempt a = make_attempt("LD_CCSAQ", "rosenbrock");
  go(&a, &f, false, false);
  attempt b = make_attempt("LD_SLSQP", "rosenbrock"), c = b, d = b;
  b.def.max_evaluations = MAX_EVALUATIONS + 4;
  CHECK_MSG(go(&b, &f, true, true) == CQ_BUDGET && b.problem.calls >= 4, "%s", b.result.reason);
  CHECK(go(&c, &f, true, false) == CQ_CONFIG && c.problem.calls == 0);
  CHECK_MSG(strstr(c.result.reason, "--allow-diverge") != NULL, "%s", c.result.reason);
  d.def.max_evaluations = 300;
  CHECK_MSG(go(&d, &f, true, true) == CQ_OK, "%s", d.result.reason);
  CHECK(d.result.replayed == MAX_EVALUATIONS + 4 && d.result.f <= b.result.f);
  CHECK(d.result.simulations == a.problem.calls + b.problem.calls + d.problem.calls);
  remove_folder(&f);
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* evals.bin missing, empty, cut in its header, or something else */
static void test_no_record(void) {
  for (int k = 0; k < 5; k++) {
    const folder f = make_folder();
    attempt a = make_attempt("LD_SLSQP", "rosenbrock"), b = a;
    go(&a, &f, false, false);
    size_t size = 0, csv_before = 0, csv_after = 0;
    char *bin = slurp(f.bin, &size), *csv = slurp(f.csv, &csv_before);
    const size_t kept[] = {0, 0, 12, 23, 0};
    CHECK(unlink(f.bin) == 0);
    if (k == 4) {
      write_bytes(f.bin, csv, csv_before);
    } else if (k > 0) {
      write_bytes(f.bin, bin, kept[k]);
    }
    CHECK(go(&b, &f, true, false) == CQ_IO && b.problem.calls == 0);
    CHECK_MSG(strstr(b.error, k < 4 ? "in a new folder" : "not an evaluation record") != NULL, "%s",
              b.error);
    free(slurp(f.csv, &csv_after));
    CHECK(csv_before == csv_after && !exists(&f, "history.torn") && !exists(&f, "evals.torn"));
    free(bin);
    free(csv);
    remove_folder(&f);
  }
}

/* history.csv of another run of the same problem: refused, both files untouched */
static void test_history_of_another_run(void) {
  const folder f = make_folder(), g = make_folder();
  attempt a = make_attempt("LD_SLSQP", "rosenbrock"), b = a, again = a;
  attempt other = make_attempt("LD_LBFGS", "rosenbrock");
  go(&a, &f, false, false);
  go(&other, &g, false, false);
  size_t size = 0, after = 0;
  char *csv = slurp(g.csv, &size);
  write_bytes(f.csv, csv, size);
  CHECK(go(&b, &f, true, false) == CQ_CONFIG);
  CHECK_MSG(strstr(b.error, "is of another run") != NULL, "%s", b.error);
  free(slurp(f.csv, &after));
  CHECK(after == size && !exists(&f, "history.torn"));
  CHECK(unlink(f.csv) == 0);
  CHECK(go(&again, &f, true, false) == a.result.status && again.problem.calls == 0);
  free(csv);
  remove_folder(&f);
  remove_folder(&g);
}

/* A byte of a record in the middle has changed: it and what follows is saved and done again. */
static void test_damage_in_the_middle(void) {
  const folder f = make_folder(), g = make_folder();
  attempt a = make_attempt("LD_SLSQP", "hs71"), b = a, c = a;
  go(&a, &f, false, false);
  go(&b, &g, false, false);
  size_t size = 0;
  char *bin = slurp(f.bin, &size);
  bin[size / 2] = (char)(bin[size / 2] ^ 1);
  write_bytes(f.bin, bin, size);
  CHECK(go(&c, &f, true, false) == a.result.status);
  CHECK(c.problem.calls > 0 && c.problem.calls < a.problem.calls);
  CHECK(exists(&f, "evals.torn") && exists(&f, "history.torn"));
  check_equal("damage", (int)size / 2, &g, &f);
  free(bin);
  remove_folder(&f);
  remove_folder(&g);
}

int main(void) {
  RUN(test_verification_passed_over);
  RUN(test_end_before_the_record);
  RUN(test_smaller_budget);
  RUN(test_every_budget);
  RUN(test_time_is_spent);
  RUN(test_warm_after_stagnation);
  RUN(test_warm_after_first_failure);
  RUN(test_warm_twice);
  RUN(test_no_record);
  RUN(test_history_of_another_run);
  RUN(test_damage_in_the_middle);
  return TEST_RESULT();
}
