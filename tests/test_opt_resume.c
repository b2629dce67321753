/* A run that was cut off goes on from its record as if it never had been. */
#include "test.h"
#include "test_opt_problems.h"
#include "trace.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

enum { MAX_EVALUATIONS = 30 };

typedef struct folder {
  char dir[64], bin[96], csv[96];
} folder;

static folder make_folder(void) {
  /* every record is synced: in memory, where there is such a place, that takes no time */
  const bool in_memory = access("/dev/shm", W_OK) == 0;
  folder f;
  snprintf(f.dir, sizeof f.dir, "%s/cqopt_resume_XXXXXX", in_memory ? "/dev/shm" : "/tmp");
  CHECK(mkdtemp(f.dir) != NULL);
  snprintf(f.bin, sizeof f.bin, "%s/evals.bin", f.dir);
  snprintf(f.csv, sizeof f.csv, "%s/history.csv", f.dir);
  return f;
}

static bool exists(const folder *f, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", f->dir, name);
  return access(path, F_OK) == 0;
}

static void remove_folder(const folder *f) {
  static const char *const names[] = {"evals.bin", "history.csv", "evals.torn", "history.torn"};
  for (int i = 0; i < 4; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->dir, names[i]);
    unlink(path);
  }
  CHECK(rmdir(f->dir) == 0);
}

static char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  CHECK(file != NULL && text != NULL);
  *size = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  return text;
}

/* history.csv without its columns of seconds */
static char *history(const folder *f) {
  size_t size = 0;
  char *text = slurp(f->csv, &size), *out = calloc(1, size + 1), *to = out, *rest = text;
  for (char *line = NULL; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
    *strrchr(line, ',') = '\0';
    *strrchr(line, ',') = '\0';
    to += sprintf(to, "%s\n", line);
  }
  free(text);
  return out;
}

typedef struct attempt {
  tp problem;
  cq_optimizer_def def;
  cq_trace *trace;
  int records, die_at; /* the record after which the process is as good as dead; 0: never */
  cq_result result;
  double x[TP_MAX];
  char error[400];
} attempt;

/* one value beside each evaluation, as terms of an objective are */
static cq_status keep(void *user, const cq_evaluation *e) {
  attempt *a = user;
  const double extra = 2 * e->f;
  cq_evaluation copy = *e;
  if (e->replayed) {
    CHECK(e->n_extra == 1 && (isnan(e->f) || e->extra[0] == extra));
    return CQ_OK;
  }
  copy.extra = &extra;
  copy.n_extra = 1;
  const cq_status status = cq_trace_record(a->trace, &copy);
  return ++a->records == a->die_at ? CQ_IO : status;
}

static cq_step_rule step_rule; /* of gradient_descent */

static attempt make_attempt(const char *method, const char *test) {
  attempt a = {.problem = tp_make(tp_find(test)), .def = cq_optimizer_default()};
  a.def.name = method;
  a.def.max_evaluations = MAX_EVALUATIONS;
  a.def.learning_rate = 1e-3;
  a.def.step_rule = step_rule;
  return a;
}

static cq_status go(attempt *a, const folder *f, bool resume, bool warm) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  const cq_problem problem = tp_problem(&a->problem);
  const cq_trace_def def = {
      .n = problem.n, .n_constraints = problem.n_inequality + problem.n_equality, .n_extra = 1};
  cq_trace_past past = {.records = 0};
  cq_trace_reader *reader = NULL;
  cq_status status = resume ? cq_trace_append(ctx, f->dir, &def, &a->trace, &past)
                            : cq_trace_create(ctx, f->dir, &def, &a->trace);
  if (status == CQ_OK && resume) {
    CHECK(cq_trace_open(ctx, f->bin, &reader) == CQ_OK);
  }
  if (status == CQ_OK) {
    const cq_replay replay = {.next = cq_trace_next,
                              .user = reader,
                              .elapsed = past.elapsed,
                              .eval_seconds = past.eval_seconds,
                              .warm = warm};
    status = cq_optimize_from(ctx, &problem, &a->def, resume ? &replay : NULL, keep, a, a->x, NULL,
                              &a->result);
  }
  snprintf(a->error, sizeof a->error, "%s", cq_ctx_error(ctx));
  cq_trace_close(reader);
  cq_trace_destroy(a->trace);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return status;
}

static void check_equal(const char *what, int k, const folder *a, const folder *b) {
  size_t size_a = 0, size_b = 0;
  char *bin_a = slurp(a->bin, &size_a), *bin_b = slurp(b->bin, &size_b);
  CHECK_MSG(size_a == size_b && memcmp(bin_a, bin_b, size_a) == 0, "%s after %d: evals.bin", what,
            k);
  char *csv_a = history(a), *csv_b = history(b);
  CHECK_MSG(strcmp(csv_a, csv_b) == 0, "%s after %d: history.csv\n%s\n%s", what, k, csv_a, csv_b);
  free(bin_a);
  free(bin_b);
  free(csv_a);
  free(csv_b);
}

/* takes bytes off the ends of the files, as a kill during a write does */
static void tear(const folder *f, int k) {
  size_t size = 0;
  free(slurp(k % 2 == 0 ? f->bin : f->csv, &size));
  const int bytes = 1 + 13 * k % 60;
  CHECK(truncate(k % 2 == 0 ? f->bin : f->csv, (off_t)size - bytes) == 0);
}

/* Cut off after each record, half of them torn, by faults on the way or without. */
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
  for (int k = 1; k < a.records; k++) {
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

static bool takes(const char *name, const char *test) {
  tp t = tp_make(tp_find(test));
  const cq_problem problem = tp_problem(&t);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  const bool yes = cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK;
  cq_ctx_destroy(ctx);
  return yes;
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

int main(void) {
  RUN(test_every_method);
  RUN(test_searched_steps);
  RUN(test_budgets);
  RUN(test_verified_in_between);
  RUN(test_divergence);
  RUN(test_refusals);
  RUN(test_lost_history);
  return TEST_RESULT();
}
