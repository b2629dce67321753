/* Calls of the CUDA runtime that fail, one after the other, and devices with little memory: the
 * engine says which call it was, nothing leaks, and the next simulator works. With the shim. */
#include "contact_scene.h"
#include "cq_shim.h"
#include "granular_scene.h"
#include "test.h"

static double *state_of(const contact_scene *s) {
  return calloc(s->layout.total, sizeof(double));
}

static void see(void *user, int state, const cq_adjoint_norms *norms,
                const cq_contact_count *contacts) {
  (void)user, (void)state, (void)norms, (void)contacts;
}

/* everything an engine is asked for */
static cq_status run_all(cq_ctx *ctx, contact_scene *s) {
  cq_sim *sim = NULL;
  const cq_watch watch = {.every = 1, .contacts = true, .show = see};
  double *out = state_of(s), *weights = state_of(s);
  weights[0] = 1.0;
  const cq_seed seed = {.terminal = weights};
  cq_status status = cq_sim_create(ctx, &s->model, &sim);
  status = status != CQ_OK ? status : cq_sim_forward(sim, s->inputs);
  status = status != CQ_OK ? status : cq_sim_final_state(sim, out);
  status = status != CQ_OK ? status : cq_sim_backward(sim, 1, &seed, out);
  status = status != CQ_OK ? status : cq_sim_backward_watched(sim, 1, &seed, &watch, out);
  cq_sim_destroy(sim);
  free(out);
  free(weights);
  return status;
}

static int every = 1; /* how far apart the calls are that are made to fail */

static void nothing_leaks(const cq_ctx *ctx) {
  CHECK(cq_ctx_bytes(ctx) == 0);
  CHECK_MSG(cq_shim_bytes() == 0, "%zu bytes of device memory leak", cq_shim_bytes());
  CHECK_MSG(cq_shim_handles() == 0, "%d handles leak", cq_shim_handles());
}

/* All calls of a run that has graphs, too: a failure each `stride` calls. */
static void fail_calls(int steps, int stride) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, steps);
  s.model.device = CQ_ON_CUDA;
  int calls = 0, seen = 0, happened = 1;
  for (int n = 1; happened; n += stride) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_shim_fail_nth(n);
    const cq_status status = run_all(ctx, &s);
    happened = cq_shim_fail_nth(0) == 0;
    const char *text = cq_ctx_error(ctx);
    const bool named = strstr(text, "CUDA") != NULL;
    CHECK_MSG(status == CQ_OK || (status == CQ_DEVICE && named), "call %d: %s \"%s\"", n,
              cq_status_name(status), text);
    calls += happened;
    seen += happened && status == CQ_DEVICE;
    nothing_leaks(ctx);
    cq_ctx_clear_error(ctx);
    if (n % (97 * stride) == 1) {
      CHECK_MSG(run_all(ctx, &s) == CQ_OK, "after call %d: %s", n, cq_ctx_error(ctx));
    }
    cq_ctx_destroy(ctx);
  }
  printf("  %d steps: %d calls were made to fail, %d stopped the run\n", steps, calls, seen);
  /* frees may fail at the end, and versions may be unknown */
  CHECK(calls > 50 / every && seen > calls * 3 / 5);
  free(s.inputs);
}

static void every_call(void) {
  fail_calls(2, every);
}

static void calls_of_graphs(void) {
  fail_calls(70, 41 * every);
}

/* A run of grains on a floor, and its last state. */
static cq_status run_grains(grain_scene *s) {
  const double at[3] = {0.0}, up[3] = {0.0, 1.0, 0.0};
  *s = grain_begin(2, 64, 9, 0.02, 1e-3, 3);
  grain_plane(s, at, up, 0.5);
  for (int i = 0; i < 9; i++) {
    grain_of(s, CQ_GRAIN_x, i)[0] = 0.041 * (i % 3);
    grain_of(s, CQ_GRAIN_x, i)[1] = 0.02 + 0.04 * (i / 3);
  }
  grain_gravity(s)[1] = -10.0;
  s->model.device = CQ_ON_CUDA;
  const cq_status status = grain_run(s, 3);
  cq_sim_destroy(s->sim);
  s->sim = NULL;
  return status;
}

/* What fails while a state is read shows in the next call alone. */
static void every_call_of_grains(void) {
  int calls = 0, seen = 0, happened = 1;
  for (int n = 1; happened; n += every) {
    grain_scene s;
    cq_shim_fail_nth(n);
    const cq_status status = run_grains(&s);
    happened = cq_shim_fail_nth(0) == 0;
    const char *text = cq_ctx_error(s.ctx);
    CHECK_MSG(status == CQ_OK || (status == CQ_DEVICE && strstr(text, "CUDA") != NULL),
              "call %d: %s \"%s\"", n, cq_status_name(status), text);
    calls += happened;
    seen += happened && status == CQ_DEVICE;
    nothing_leaks(s.ctx);
    grain_end(&s);
  }
  printf("  grains: %d calls were made to fail, %d stopped the run\n", calls, seen);
  CHECK(calls > 200 / every && seen > calls * 3 / 5);
}

static void little_memory(void) {
  contact_scene s;
  contact_scene_make(&s, 3, 64, 5);
  s.model.device = CQ_ON_CUDA;
  int short_of = 0;
  cq_status status = CQ_MEMORY;
  const size_t part = every > 1 ? 1 : 3;
  for (size_t bytes = 1000; status == CQ_MEMORY && bytes < (size_t)1 << 30; bytes += bytes / part) {
    char text[32];
    cq_ctx *ctx = cq_ctx_create(1, 1);
    snprintf(text, sizeof text, "%zu", bytes);
    setenv("CQ_SHIM_MEMORY", text, 1);
    status = run_all(ctx, &s);
    CHECK_MSG(status == CQ_OK || strstr(cq_ctx_error(ctx), "out of device memory: ") != NULL, "%s",
              cq_ctx_error(ctx));
    short_of += status == CQ_MEMORY;
    nothing_leaks(ctx);
    cq_ctx_destroy(ctx);
  }
  unsetenv("CQ_SHIM_MEMORY");
  CHECK(status == CQ_OK && short_of > 5);
  free(s.inputs);
}

static void names_the_kernel(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 2);
  s.model.device = CQ_ON_CUDA;
  setenv("CQ_CUDA_WAIT", "1", 1);
  int kernels = 0, happened = 1;
  for (int n = 1; happened; n += every) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_shim_fail_nth(n);
    (void)run_all(ctx, &s);
    happened = cq_shim_fail_nth(0) == 0;
    kernels += strstr(cq_ctx_error(ctx), "CUDA: kernel scatter: ") != NULL;
    cq_ctx_destroy(ctx);
  }
  unsetenv("CQ_CUDA_WAIT");
  CHECK_MSG(kernels >= 4 / every, "%d", kernels); /* its launch and the wait for it, each step */
  free(s.inputs);
}

int main(int argc, char **argv) {
  every = argc > 1 ? atoi(argv[1]) : 1;
  RUN(every_call);
  RUN(calls_of_graphs);
  RUN(every_call_of_grains);
  RUN(little_memory);
  RUN(names_the_kernel);
  return TEST_RESULT();
}
