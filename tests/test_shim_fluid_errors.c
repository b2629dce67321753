/* Calls of the CUDA runtime that fail while the fluid runs, one after the other, and a device with
 * little memory: the engine says which call it was, nothing leaks, and the next simulator works.
 * With the shim. */
#include "cq_shim.h"
#include "fluid_device_scene.h"

/* A simulator of its own; what it took must be given back. */
static cq_status run(fluid_scene *s) {
  cq_sim *sim = NULL;
  cq_status status = cq_sim_create(s->ctx, &s->model, &sim);
  status = status != CQ_OK ? status : cq_sim_forward(sim, s->inputs);
  cq_sim_destroy(sim);
  CHECK_MSG(cq_shim_bytes() == 0, "%zu bytes of device memory leak", cq_shim_bytes());
  CHECK_MSG(cq_shim_handles() == 0, "%d handles leak", cq_shim_handles());
  return status;
}

static void test_calls(void) {
  enum { STRIDE = 5 };
  fluid_scene s;
  int calls = 0, seen = 0, happened = 1;
  make_scene(&s, 2, 64, (variety){0});
  s.model.device = CQ_ON_CUDA;
  s.model.steps = 2;
  for (int n = 1; happened; n += STRIDE) {
    cq_shim_fail_nth(n);
    const cq_status status = run(&s);
    happened = cq_shim_fail_nth(0) == 0;
    const char *text = cq_ctx_error(s.ctx);
    CHECK_MSG(status == CQ_OK || (status == CQ_DEVICE && strstr(text, "CUDA") != NULL),
              "call %d: %s \"%s\"", n, cq_status_name(status), text);
    calls += happened;
    seen += happened && status == CQ_DEVICE;
    cq_ctx_clear_error(s.ctx);
  }
  printf("  %d calls were made to fail, %d stopped the run\n", calls, seen);
  CHECK(calls > 20 && seen > calls / 2); /* frees may fail at the end */
  CHECK(run(&s) == CQ_OK);
  scene_close(&s);
}

static void test_little_memory(void) {
  fluid_scene s;
  int short_of = 0;
  cq_status status = CQ_MEMORY;
  make_scene(&s, 2, 64, (variety){.crowded = true}); /* lists grow in a step */
  s.model.device = CQ_ON_CUDA;
  for (size_t bytes = 1000; status == CQ_MEMORY && bytes < (size_t)1 << 30; bytes += bytes / 8) {
    char text[32];
    snprintf(text, sizeof text, "%zu", bytes);
    setenv("CQ_SHIM_MEMORY", text, 1);
    status = run(&s);
    CHECK_MSG(status == CQ_OK || strstr(cq_ctx_error(s.ctx), "out of device memory: ") != NULL,
              "%s", cq_ctx_error(s.ctx));
    short_of += status == CQ_MEMORY;
    cq_ctx_clear_error(s.ctx);
  }
  unsetenv("CQ_SHIM_MEMORY");
  CHECK(status == CQ_OK && short_of > 10);
  scene_close(&s);
}

int main(void) {
  RUN(test_calls);
  RUN(test_little_memory);
  return TEST_RESULT();
}
