/* The n-th allocation fails, for every n, on the way through all that the API does: CQ_MEMORY with
 * a sentence, nothing is lost, and what is destroyed was whole. Linked with the layers themselves,
 * whose switch for it the library does not show. */
#include "alloc.h"

#include "test_api_run.h"

static const char *const small[] = {"bodies.[0].count=4", "bodies.[1].count=4",
                                    "bodies.[2].count=4", "simulation.steps=4",
                                    "optimizer.max_evaluations=1"};

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const cq_status status_ = (call);                                                              \
    if (status_ != CQ_OK) {                                                                        \
      return status_;                                                                              \
    }                                                                                              \
  } while (0)

static cq_status use_file(cq_file *file) {
  double grad[64];
  size_t size = 0;
  uint64_t hash = 0;
  cq_about_file about = {.struct_size = sizeof about};
  TRY(cq_file_info(file, &about));
  cq_answer a[2] = {{.struct_size = sizeof *a, .grad = grad, .n_grad = about.variables},
                    {.struct_size = sizeof *a}};
  double x[128];
  TRY(cq_file_start(file, x, about.variables));
  TRY(cq_file_start(file, x + about.variables, about.variables));
  TRY(cq_file_evaluate(file, NULL, 0, a));
  TRY(cq_file_evaluate_many(file, x, 2, about.variables, a));
  TRY(cq_file_resolved(file, NULL, &size));
  cq_solve *solve = NULL;
  TRY(cq_solve_create(file, NULL, 0, &solve));
  TRY(cq_solve_close(solve));
  return cq_file_hash(file, true, &hash);
}

static cq_status use_run(cq_run *run, char *blob, size_t room) {
  const double u[2] = {1, 0.5}, up[2] = {0, 1};
  double g[8];
  size_t size = room;
  const int tip = cq_run_find(run, CQ_OBSERVABLES, "tip.position");
  double mises[48];
  TRY(cq_run_reset(run, NULL, 0));
  TRY(cq_run_advance(run, 2, u, 2));
  TRY(cq_run_save(run, blob, &size));
  TRY(cq_run_advance(run, 2, u, 2));
  TRY(cq_run_seed(run, tip, 4, up, 2));
  TRY(cq_run_pull(run));
  TRY(cq_run_gradient(run, CQ_GRADIENT_CONTROLS, g, 8));
  TRY(cq_run_read(run, cq_run_find(run, CQ_FIELDS, "von_mises"), mises, 48));
  return cq_run_load(run, blob, size);
}

static cq_status use_settings(cq_ctx *ctx, cq_settings *settings) {
  const double start[1] = {3};
  double x[1];
  cq_outcome out = {.struct_size = sizeof out};
  const cq_function_def def = {.struct_size = sizeof def,
                               .n = 1,
                               .start = start,
                               .function = test_bowl,
                               .has_gradient = true};
  TRY(cq_settings_set(settings, "name=sqp"));
  return cq_minimise(ctx, &def, settings, NULL, NULL, x, 1, &out);
}

static cq_status use_all(cq_ctx *ctx, cq_file **file, cq_run **run, cq_settings **settings,
                         char *blob, size_t room) {
  TRY(cq_file_load(ctx, "finger", small, sizeof small / sizeof *small, file));
  TRY(use_file(*file));
  TRY(cq_run_create(*file, CQ_RUN_KEEP, run));
  TRY(use_run(*run, blob, room));
  TRY(cq_settings_create(ctx, settings));
  return use_settings(ctx, *settings);
}

/* Whether the switch waits for one of the next n allocations: then the n-th one was not reached. */
static bool is_pending(cq_ctx *ctx, int n) {
  bool pending = false;
  for (int i = 0; i < n && !pending; i++) {
    char *block = NULL;
    pending = CQ_ALLOC(ctx, block, 1) != CQ_OK;
    cq_free(ctx, block);
  }
  return pending;
}

/* Whether the n-th allocation was reached. Where it failed and all went well, something was done
 * without it that can be. */
static bool fails(int n, char *blob, size_t room) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_file *file = NULL;
  cq_run *run = NULL;
  cq_settings *settings = NULL;
  cq_alloc_fail_nth(ctx, n);
  const cq_status status = use_all(ctx, &file, &run, &settings, blob, room);
  CHECK_MSG(status == CQ_OK || status == CQ_MEMORY, "allocation %d: %s, %s", n,
            cq_status_name(status), cq_ctx_error(ctx));
  CHECK_MSG(status == CQ_OK || strstr(cq_ctx_error(ctx), "memory") != NULL ||
                strstr(cq_ctx_error(ctx), "address space") != NULL,
            "allocation %d: \"%s\"", n, cq_ctx_error(ctx));
  const bool reached = status != CQ_OK || !is_pending(ctx, n);
  cq_settings_destroy(settings);
  cq_run_destroy(run);
  cq_file_destroy(file);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "allocation %d: %zu bytes are left", n, cq_ctx_bytes(ctx));
  cq_ctx_destroy(ctx);
  return reached;
}

static void test_every_allocation(void) {
  enum { ROOM = 1 << 20, GIVE_UP = 20000 };
  char *blob = malloc(ROOM);
  int n = 1;
  while (n < GIVE_UP && fails(n, blob, ROOM)) {
    n++;
  }
  CHECK_MSG(n > 100 && n < GIVE_UP, "%d allocations", n);
  printf("%d allocations\n", n - 1);
  free(blob);
}

int main(void) {
  RUN(test_every_allocation);
  return TEST_RESULT();
}
