/* A method that thinks without end inside NLopt is given up: budgets, stalls and requests hold, one
 * thread makes every call, and nothing of the caller's is touched afterwards. */
#include "apart.h"
#include "test.h"
#include "timer.h"

#include "cqopt/optimizer.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MANY = 1600 }; /* LD_SLSQP thinks for half a minute a step */

static void pause_for(double seconds) {
  const double whole = floor(seconds);
  nanosleep(&(struct timespec){(time_t)whole, (long)(1e9 * (seconds - whole))}, NULL);
}

typedef struct trial {
  pthread_t caller;
  int n, m, elsewhere, records; /* m: x_i <= 1 for the first ones */
  double exponent;
  double *lower, *upper, *start, *x; /* [n] of one block that is freed after the run */
  double seconds;
  cq_result result;
} trial;

static cq_status bowl(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  trial *const t = data;
  t->elsewhere += !pthread_equal(pthread_self(), t->caller);
  *f = t->exponent > 0 ? 1e100 * exp(t->exponent * (x[0] - 1)) : 0;
  for (int i = 0; i < t->n; i++) {
    const double d = x[i] - (double)i / t->n;
    *f += (1 + i) * d * d;
    if (grad != NULL) {
      grad[i] = 2 * (1 + i) * d;
    }
  }
  for (int i = 0; i < t->m; i++) {
    c[i] = x[i] - 1;
    for (int j = 0; jac != NULL && j < t->n; j++) {
      jac[i * t->n + j] = i == j;
    }
  }
  return CQ_OK;
}

static cq_status note(void *user, const cq_evaluation *e) {
  (void)e;
  trial *const t = user;
  t->elsewhere += !pthread_equal(pthread_self(), t->caller);
  t->records++;
  return CQ_OK;
}

/* Runs it, and takes away all that was the caller's. */
static void run(cq_ctx *ctx, trial *t, const cq_optimizer_def *def) {
  const size_t n = (size_t)t->n;
  t->lower = malloc(4 * n * sizeof(double));
  t->upper = t->lower + n;
  t->start = t->upper + n;
  t->x = t->start + n;
  for (size_t i = 0; i < n; i++) {
    t->lower[i] = -4;
    t->upper[i] = 4;
    t->start[i] = t->exponent > 0 && i > 0 ? -4 : 2;
  }
  const cq_problem problem = {.n = t->n,
                              .n_inequality = t->m,
                              .lower = t->lower,
                              .upper = t->upper,
                              .start = t->start,
                              .eval = bowl,
                              .gradient =
                                  t->exponent > 0 ? CQ_GRADIENT_NONE : CQ_GRADIENT_EXACT_REVERSE,
                              .data = t};
  t->caller = pthread_self();
  const double began = cq_now();
  const cq_status status = cq_optimize(ctx, &problem, def, note, t, t->x, NULL, &t->result);
  t->seconds = cq_now() - began;
  CHECK(status == t->result.status && t->result.has_point);
  CHECK(t->elsewhere == 0 && t->records >= t->result.evaluations && t->records > 0);
  CHECK(cq_ctx_bytes(ctx) == 0);
  memset(t->lower, 0xff, 4 * n * sizeof(double));
  free(t->lower);
  cq_ctx_destroy(ctx);
}

static cq_optimizer_def thinker(void) {
  cq_optimizer_def def = cq_optimizer_default();
  def.name = "LD_SLSQP";
  def.force = true;
  return def;
}

static void test_budget(void) {
  trial t = {.n = MANY};
  cq_optimizer_def def = thinker();
  def.max_time = 0.3;
  run(cq_ctx_create(1, 1), &t, &def);
  CHECK_MSG(t.result.status == CQ_BUDGET, "%s", t.result.reason);
  CHECK_MSG(strstr(t.result.reason, "max_time = 0.3 s reached") != NULL, "%s", t.result.reason);
  CHECK_MSG(t.seconds >= 1 && t.seconds < 3, "%g s", t.seconds);
}

static void test_stall(void) {
  trial t = {.n = MANY};
  cq_optimizer_def def = thinker();
  def.stall_time = 0.4;
  run(cq_ctx_create(1, 1), &t, &def);
  CHECK_MSG(t.result.status == CQ_OPTIMIZER, "%s", t.result.reason);
  CHECK_MSG(strstr(t.result.reason, "LD_SLSQP stalled: no word from it for 0.4 s after 1 ") != NULL,
            "%s", t.result.reason);
  CHECK_MSG(t.seconds < 2, "%g s", t.seconds);
}

static void *request(void *ctx) {
  pause_for(0.2);
  cq_ctx_request_stop(ctx, CQ_INTERRUPTED);
  return NULL;
}

/* A request is heard without any budget, and goes before a stall. */
static void test_request(void) {
  trial t = {.n = MANY};
  cq_optimizer_def def = thinker();
  def.stall_time = 0;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, request, ctx) == 0);
  run(ctx, &t, &def);
  pthread_join(thread, NULL);
  CHECK_MSG(t.result.status == CQ_INTERRUPTED, "%s", t.result.reason);
  CHECK_MSG(strstr(t.result.reason, "while LD_SLSQP was thinking") != NULL, "%s", t.result.reason);
  CHECK_MSG(t.seconds >= 2 && t.seconds < 4, "%g s", t.seconds);
}

/* sqp looks itself, between the steps of a quadratic problem. */
static void test_sqp(void) {
  trial t = {.n = 300, .m = 300};
  cq_optimizer_def def = cq_optimizer_default();
  def.name = "sqp";
  def.stall_time = 1e-3;
  run(cq_ctx_create(1, 1), &t, &def);
  CHECK_MSG(strstr(t.result.reason, "sqp stalled: no word from it for 0.001 s") != NULL, "%s",
            t.result.reason);
}

/* LN_NEWUOA_BOUND with a huge f, whose inner problems take NLopt seconds or for ever. */
static void test_huge_f(void) {
  trial t = {.n = 2, .exponent = 60};
  cq_optimizer_def def = cq_optimizer_default();
  def.name = "LN_NEWUOA_BOUND";
  def.max_time = 0.3;
  run(cq_ctx_create(1, 1), &t, &def);
  CHECK_MSG(t.result.status == CQ_BUDGET, "%s", t.result.reason);
  CHECK_MSG(t.seconds < 2, "%g s", t.seconds);
}

/* a job that comes back only when it is told to */
typedef struct sleeper {
  cq_apart *apart;
  atomic_bool wake, served, disposed;
} sleeper;

static void serve(void *user) {
  atomic_store(&((sleeper *)user)->served, true);
}

static void sleep_long(void *job) {
  sleeper *const s = job;
  while (!atomic_load(&s->wake)) {
    pause_for(0.01);
  }
  if (cq_apart_call(s->apart, serve, s)) {
    atomic_store(&s->served, true);
  }
}

static void dispose(void *job) {
  atomic_store(&((sleeper *)job)->disposed, true);
}

static bool at_once(void *watch, double silence) {
  (void)watch, (void)silence;
  return true;
}

static bool never(void *watch, double silence) {
  (void)watch, (void)silence;
  return false;
}

/* One that comes back is not served any more, and cleans up after itself. */
static void test_late_return(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  static sleeper s;
  CHECK(cq_apart_create(ctx, &s.apart) == CQ_OK);
  atomic_store(&s.wake, true);
  CHECK(cq_apart_run(s.apart, &(cq_apart_job){sleep_long, dispose, &s, never, NULL}));
  CHECK(s.served && !s.disposed);
  s.served = s.wake = false;
  CHECK(!cq_apart_run(s.apart, &(cq_apart_job){sleep_long, dispose, &s, at_once, NULL}));
  cq_ctx_destroy(ctx);
  atomic_store(&s.wake, true);
  for (int i = 0; i < 500 && !atomic_load(&s.disposed); i++) {
    pause_for(0.01);
  }
  CHECK(s.disposed && !s.served);
}

int main(void) {
  RUN(test_late_return);
  RUN(test_huge_f);
  RUN(test_sqp);
  RUN(test_stall);
  RUN(test_budget);
  RUN(test_request);
  return TEST_RESULT();
}
