/* The n-th allocation fails, for every n, on the way through all that the API does: CQ_MEMORY with
 * a sentence, nothing is lost, and what is destroyed was whole. Linked with the layers themselves,
 * whose switch for it the library does not show. */
#include "alloc.h"

#include "test_api_run.h"

#include <unistd.h>

static const char *const small[] = {"bodies.[0].count=4", "bodies.[1].count=4",
                                    "bodies.[2].count=4", "simulation.steps=4",
                                    "optimizer.max_evaluations=1"};

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

enum { ROOM = 1 << 20 };

/* What a try makes and uses. */
typedef struct world {
  cq_ctx *ctx;
  cq_file *file;
  cq_run *run;
  cq_settings *settings;
  char *blob; /* [ROOM] */
} world;
typedef cq_status (*use_fn)(world *w);

static cq_status use_most(world *w) {
  TRY(cq_file_load(w->ctx, "finger", small, sizeof small / sizeof *small, &w->file));
  TRY(use_file(w->file));
  TRY(cq_run_create(w->file, CQ_RUN_KEEP, &w->run));
  TRY(use_run(w->run, w->blob, ROOM));
  TRY(cq_settings_create(w->ctx, &w->settings));
  return use_settings(w->ctx, w->settings);
}

static const char *const throws =
    "simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 3; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.3]; size = [0.1, 0.1];\n"
    "  spacing = 0.05; } );\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; start = [1, 2]; } );\n"
    "objective: ( { term = \"distance\"; body = \"A\"; target = [0.45, 0.4]; } );\n"
    "constraints: ( { term = \"mean_position\"; body = \"A\"; direction = \"y\"; upper = 0.9; } "
    ");\n"
    "optimizer: { name = \"sqp\"; max_evaluations = 2; };\n";

/* What a file says of itself. */
static cq_status describe(world *w) {
  cq_about_file about = {.struct_size = sizeof about};
  cq_about_block block = {.struct_size = sizeof block};
  cq_about_variable variable = {.struct_size = sizeof variable};
  cq_about_function function = {.struct_size = sizeof function};
  size_t size = ROOM;
  TRY(cq_file_info(w->file, &about));
  TRY(cq_file_block(w->file, 0, &block));
  TRY(cq_file_variable(w->file, 1, &variable));
  TRY(cq_file_function(w->file, 1, &function));
  TRY(cq_file_get(w->file, "simulation.steps", w->blob, &size));
  size = ROOM;
  TRY(cq_file_describe(w->file, w->blob, &size));
  size = ROOM;
  return cq_schema_text(w->ctx, "optimizer", w->blob, &size);
}

/* A folder of the tries, in memory where there is such a place, as every record is synced. */
static char folder[64];

static void clear_folder(void) {
  static const char *const names[] = {"problem.cfg", "evals.bin",        "history.csv",
                                      "design.csv",  "observations.csv", "particles.csv",
                                      "run.json"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    snprintf(path, sizeof path, "%.63s/%s", folder, names[i]);
    unlink(path);
  }
}

/* Its design, and all that runs it as a whole. */
static cq_status solve(world *w) {
  double x[2], values[2], agreement[1];
  cq_outcome out = {.struct_size = sizeof out};
  TRY(cq_file_start(w->file, x, 2));
  TRY(cq_file_to_values(w->file, x, values, 2));
  TRY(cq_file_from_values(w->file, values, x, 2));
  TRY(cq_file_fit(w->file, w->file, values, 2, x, 2));
  TRY(cq_file_set_start(w->file, values, 2));
  TRY(cq_file_gradcheck(w->file, NULL, 0, -1, agreement, 1));
  TRY(cq_file_simulate(w->file, NULL, 0, folder, 1, CQ_RECORD_TABLES));
  const cq_status status = cq_file_solve(w->file, folder, NULL, NULL, x, 2, &out);
  return status == CQ_BUDGET ? CQ_OK : status;
}

/* A run whose inputs are written, and the terms that it earns. */
static cq_status use_inputs(world *w) {
  double values[64], terms[1];
  cq_about_array about = {.struct_size = sizeof about};
  TRY(cq_run_create(w->file, CQ_RUN_KEEP, &w->run));
  const int e = cq_run_find(w->run, CQ_INPUTS, "youngs_modulus");
  TRY(cq_run_describe(w->run, CQ_INPUTS, e, &about));
  TRY(cq_run_reset(w->run, NULL, 0));
  TRY(cq_run_read_input(w->run, e, values, about.numbers));
  TRY(cq_run_write(w->run, e, values, about.numbers));
  TRY(cq_run_advance(w->run, 3, NULL, 0));
  TRY(cq_run_observe(w->run, 0, 3, values, 2));
  TRY(cq_run_earned(w->run, -1, terms, 1));
  TRY(cq_run_seed_earned(w->run, 0, -1, 1.0));
  TRY(cq_run_pull(w->run));
  return cq_run_clear_seeds(w->run);
}

static cq_status use_rest(world *w) {
  TRY(cq_file_parse(w->ctx, throws, "throws.cfg", NULL, NULL, 0, &w->file));
  TRY(describe(w));
  TRY(solve(w));
  return use_inputs(w);
}

#define PART(name, x)                                                                              \
  "{ name = \"" name "\"; bodies: ( { name = \"A\"; material = \"soft\"; low = [" x ", 0.3];\n"    \
  "  size = [0.1, 0.1]; spacing = 0.05; } );\n"                                                    \
  "  objective: ( { term = \"distance\"; body = \"A\"; target = [0.45, 0.4]; squared = true; } "   \
  "); }"
static const char *const experiments =
    "simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 3; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; experiments = [\"b\"]; },\n"
    "  { variable = \"density\"; body = \"A\"; lower = 0.5; upper = 2; } );\n"
    "experiments: ( " PART("a", "0.3") ", " PART("b", "0.5") " );\n";

/* All of them, and one alone. What its scenes take in contexts of their own does not fail. */
static cq_status use_experiments(world *w) {
  double grad[3];
  uint64_t hash = 0;
  size_t size = ROOM;
  cq_file *alone = NULL;
  cq_answer a = {.struct_size = sizeof a, .grad = grad, .n_grad = 3};
  TRY(cq_file_parse(w->ctx, experiments, "two.cfg", NULL, NULL, 0, &w->file));
  TRY(cq_file_evaluate(w->file, NULL, 0, &a));
  TRY(cq_file_describe(w->file, w->blob, &size));
  TRY(cq_file_hash(w->file, true, &hash));
  TRY(cq_file_experiment_alone(w->file, 1, NULL, 0, &alone));
  const cq_status status = cq_file_evaluate(alone, NULL, 0, &a);
  cq_file_destroy(alone);
  return status;
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
static bool fails(use_fn use, int n, char *blob) {
  world w = {.ctx = cq_ctx_create(1, 1), .blob = blob};
  cq_alloc_fail_nth(w.ctx, n);
  const cq_status status = use(&w);
  CHECK_MSG(status == CQ_OK || status == CQ_MEMORY, "allocation %d: %s, %s", n,
            cq_status_name(status), cq_ctx_error(w.ctx));
  CHECK_MSG(status == CQ_OK || strstr(cq_ctx_error(w.ctx), "memory") != NULL ||
                strstr(cq_ctx_error(w.ctx), "address space") != NULL,
            "allocation %d: \"%s\"", n, cq_ctx_error(w.ctx));
  const bool reached = status != CQ_OK || !is_pending(w.ctx, n);
  clear_folder();
  cq_settings_destroy(w.settings);
  cq_run_destroy(w.run);
  cq_file_destroy(w.file);
  CHECK_MSG(cq_ctx_bytes(w.ctx) == 0, "allocation %d: %zu bytes are left", n, cq_ctx_bytes(w.ctx));
  cq_ctx_destroy(w.ctx);
  return reached;
}

static void fail_each(use_fn use) {
  enum { GIVE_UP = 20000 };
  char *blob = malloc(ROOM);
  int n = 1;
  while (n < GIVE_UP && fails(use, n, blob)) {
    n++;
  }
  CHECK_MSG(n > 100 && n < GIVE_UP, "%d allocations", n);
  printf("%d allocations\n", n - 1);
  free(blob);
}

static void test_most(void) {
  fail_each(use_most);
}

static void test_rest(void) {
  fail_each(use_rest);
}

static void test_experiments(void) {
  fail_each(use_experiments);
}

int main(void) {
  snprintf(folder, sizeof folder, "%s/cqopt_memory_XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  CHECK(mkdtemp(folder) != NULL);
  RUN(test_most);
  RUN(test_rest);
  RUN(test_experiments);
  CHECK(rmdir(folder) == 0);
  return TEST_RESULT();
}
