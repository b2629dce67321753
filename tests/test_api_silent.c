/* A method that falls silent inside the library is given up there: cq_minimise comes
 * back and says so, and the context works on. */
#include "test_api_run.h"

#include <pthread.h>
#include <time.h>

enum { MANY = 1600 }; /* LD_SLSQP thinks for half a minute a step */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cq_status bowl(void *user, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  (void)user, (void)c, (void)jac;
  *f = 0;
  for (int i = 0; i < MANY; i++) {
    *f += (1 + i) * x[i] * x[i];
    if (grad != NULL) {
      grad[i] = 2 * (1 + i) * x[i];
    }
  }
  return CQ_OK;
}

/* Of the bowl, by a method with a setting; how long it took. */
static double minimise(cq_ctx *ctx, const char *method, const char *set, cq_outcome *out) {
  static double start[MANY], x[MANY];
  cq_settings *s = NULL;
  for (int i = 0; i < MANY; i++) {
    start[i] = 2;
  }
  const cq_function_def def = {
      .struct_size = sizeof def, .n = MANY, .start = start, .function = bowl, .has_gradient = true};
  *out = (cq_outcome){.struct_size = sizeof *out};
  const char *const sets[] = {method, "force=true", set};
  CHECK(cq_settings_create(ctx, &s) == CQ_OK);
  for (int i = 0; i < 3; i++) {
    CHECK_MSG(cq_settings_set(s, sets[i]) == CQ_OK, "%s", cq_ctx_error(ctx));
  }
  const double began = now();
  const cq_status status = cq_minimise(ctx, &def, s, NULL, NULL, x, MANY, out);
  const double seconds = now() - began;
  CHECK(status == out->status && out->has_point && out->evaluations >= 1);
  cq_settings_destroy(s);
  CHECK(cq_ctx_bytes(ctx) == 0);
  return seconds;
}

static void test_stall(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_outcome out;
  const double seconds = minimise(ctx, "name=LD_SLSQP", "stall_time=0.4", &out);
  CHECK_MSG(out.status == CQ_OPTIMIZER && strstr(out.reason, "stalled") != NULL, "%s", out.reason);
  CHECK_MSG(seconds < 10, "%g s", seconds);
  minimise(ctx, "name=adam", "max_evaluations=3", &out); /* the context works on */
  CHECK_MSG(out.status == CQ_BUDGET, "%s", out.reason);
  cq_ctx_destroy(ctx);
}

static void *request(void *ctx) {
  nanosleep(&(struct timespec){0, 200000000}, NULL);
  cq_ctx_request_stop(ctx, CQ_INTERRUPTED);
  return NULL;
}

static void test_request(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_outcome out;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, request, ctx) == 0);
  const double seconds = minimise(ctx, "name=LD_SLSQP", "stall_time=0", &out);
  pthread_join(thread, NULL);
  CHECK_MSG(out.status == CQ_INTERRUPTED, "%s", out.reason);
  CHECK_MSG(seconds < 12, "%g s", seconds);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_stall);
  RUN(test_request);
  return TEST_RESULT();
}
