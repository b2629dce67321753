/* Two contexts in two threads, each with files, a run, a pull and solves of its own, have the bits
 * that one has alone; so have several designs at once. ThreadSanitizer, which does not know teams
 * of OpenMP, is given the contexts alone: test_api_side_by_side contexts. */
#include "test_api_run.h"

#include <pthread.h>
#include <unistd.h>

static const char *const few[] = {"simulation.steps=20", "optimizer.max_evaluations=3",
                                  "bodies.[0].count=16", "bodies.[1].count=16",
                                  "bodies.[2].count=16"};
static const char *const methods[] = {"LD_SLSQP", "sqp", "cmaes", "adam"};
static const char *const kept[] = {"problem.cfg",   "evals.bin",        "history.csv",
                                   "design.csv",    "observations.csv", "particles.csv",
                                   "trajectory.h5", "trajectory.xdmf",  "run.json"};

enum {
  PATH = 64,
  STEPS = 20,
  CONTROLS = 2,
  METHODS = sizeof methods / sizeof *methods,
  RECORD = 1 << 14
};

typedef struct job {
  char folder[PATH];
  double f[3], z[2], g[CONTROLS * STEPS], best[32], x[METHODS][2]; /* f: of an engine each */
  char record[RECORD];                                             /* evals.bin, then zeros */
  cq_status status;
} job;

static cq_status valley(void *user, const double *x, double *f, double *c, double *grad,
                        double *jac) {
  const double a = x[1] - x[0] * x[0];
  (void)user;
  (void)c;
  (void)jac;
  *f = 10 * a * a + (1 - x[0]) * (1 - x[0]);
  if (grad != NULL) {
    grad[0] = -40 * a * x[0] - 2 * (1 - x[0]);
    grad[1] = 20 * a;
  }
  return CQ_OK;
}

/* By methods of our own and of other libraries, which end by their budget. */
static cq_status minimise(cq_ctx *ctx, const char *method, double *x) {
  const double start[2] = {-1, 1};
  char name[64];
  cq_outcome out = {.struct_size = sizeof out};
  cq_settings *settings = NULL;
  const cq_function_def def = {
      .struct_size = sizeof def, .n = 2, .start = start, .function = valley, .has_gradient = true};
  snprintf(name, sizeof name, "name=%s", method);
  cq_status status = cq_settings_create(ctx, &settings);
  status = status != CQ_OK ? status : cq_settings_set(settings, name);
  status = status != CQ_OK ? status : cq_settings_set(settings, "max_evaluations=60");
  status = status != CQ_OK ? status : cq_minimise(ctx, &def, settings, NULL, NULL, x, 2, &out);
  cq_settings_destroy(settings);
  return out.has_point ? CQ_OK : status;
}

/* A few evaluations of the file, with their record. */
static cq_status solve(cq_file *file, job *j) {
  char path[2 * PATH];
  cq_about_file about = {.struct_size = sizeof about};
  cq_outcome out = {.struct_size = sizeof out};
  TRY(cq_file_info(file, &about));
  if (about.variables > 32) {
    return CQ_USAGE;
  }
  cq_file_solve(file, j->folder, NULL, NULL, j->best, about.variables, &out);
  snprintf(path, sizeof path, "%.*s/evals.bin", PATH, j->folder);
  FILE *in = fopen(path, "rb");
  if (in == NULL || out.evaluations != 3) {
    return CQ_IO;
  }
  const size_t size = fread(j->record, 1, sizeof j->record, in);
  fclose(in);
  return size > 1000 && size < sizeof j->record ? CQ_OK : CQ_IO;
}

static cq_status step_by_step(cq_run *run, job *j) {
  const double up[2] = {0, 1}, u[CONTROLS] = {2, 0};
  const int tip = cq_run_find(run, CQ_OBSERVABLES, "tip.position");
  TRY(cq_run_reset(run, NULL, 0));
  TRY(cq_run_advance(run, 7, NULL, 0));
  TRY(cq_run_advance(run, STEPS - 7, u, CONTROLS));
  TRY(cq_run_observe(run, tip, STEPS, j->z, 2));
  TRY(cq_run_seed(run, tip, STEPS, up, 2));
  TRY(cq_run_pull(run));
  return cq_run_gradient(run, CQ_GRADIENT_CONTROLS, j->g, CONTROLS * STEPS);
}

/* All that a file is good for. */
static cq_status use(cq_file *file, job *j) {
  cq_run *run = NULL;
  cq_answer a = {.struct_size = sizeof a};
  TRY(cq_file_evaluate(file, NULL, 0, &a));
  j->f[0] = a.f;
  TRY(cq_run_create(file, CQ_RUN_KEEP, &run));
  const cq_status status = step_by_step(run, j);
  cq_run_destroy(run);
  TRY(status);
  TRY(solve(file, j));
  return cq_file_simulate(file, NULL, 0, j->folder, 4, CQ_RECORD_TABLES | CQ_RECORD_TRAJECTORY);
}

static cq_status use_file(cq_ctx *ctx, job *j) {
  cq_file *file = NULL;
  TRY(cq_file_load(ctx, "finger", few, sizeof few / sizeof *few, &file));
  const cq_status status = use(file, j);
  cq_file_destroy(file);
  return status;
}

/* One run by another engine. */
static cq_status evaluate(cq_ctx *ctx, const char *name, double *f) {
  const char *const set = "simulation.steps=3";
  cq_file *file = NULL;
  cq_answer a = {.struct_size = sizeof a};
  TRY(cq_file_load(ctx, name, &set, 1, &file));
  const cq_status status = cq_file_evaluate(file, NULL, 0, &a);
  *f = a.f;
  cq_file_destroy(file);
  return status;
}

static cq_status use_all(cq_ctx *ctx, job *j) {
  TRY(use_file(ctx, j));
  TRY(evaluate(ctx, "bulldozing", &j->f[1]));
  TRY(evaluate(ctx, "bottle_flip", &j->f[2]));
  for (int i = 0; i < METHODS; i++) {
    TRY(minimise(ctx, methods[i], j->x[i]));
  }
  return CQ_OK;
}

/* Everything in a context of its own. */
static void *work(void *user) {
  job *const j = user;
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  j->status = use_all(ctx, j);
  if (j->status != CQ_OK) {
    printf("  %s: %s\n", cq_status_name(j->status), cq_ctx_error(ctx));
  }
  cq_ctx_destroy(ctx);
  return NULL;
}

static void make_folder(job *j) {
  snprintf(j->folder, sizeof j->folder, "%s/cqopt_side_XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  CHECK(mkdtemp(j->folder) != NULL);
}

static void remove_folder(const job *j) {
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    char path[2 * PATH];
    snprintf(path, sizeof path, "%.*s/%s", PATH, j->folder, kept[i]);
    CHECK_MSG(unlink(path) == 0, "there is no %s", path);
  }
  CHECK(rmdir(j->folder) == 0);
}

static void test_contexts(void) {
  static job jobs[3];
  pthread_t threads[2];
  for (int i = 0; i < 3; i++) {
    make_folder(&jobs[i]);
  }
  work(&jobs[0]);
  CHECK(jobs[0].status == CQ_OK && jobs[0].g[CONTROLS * STEPS - 2] != 0);
  for (int i = 0; i < 2; i++) {
    CHECK(pthread_create(&threads[i], NULL, work, &jobs[1 + i]) == 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
  }
  for (int i = 1; i < 3; i++) {
    CHECK(jobs[i].status == CQ_OK);
    CHECK(memcmp(jobs[i].f, jobs[0].f, sizeof jobs->f) == 0);
    CHECK(memcmp(jobs[i].z, jobs[0].z, sizeof jobs->z) == 0);
    CHECK(memcmp(jobs[i].g, jobs[0].g, sizeof jobs->g) == 0);
    CHECK(memcmp(jobs[i].best, jobs[0].best, sizeof jobs->best) == 0);
    CHECK(memcmp(jobs[i].x, jobs[0].x, sizeof jobs->x) == 0);
    CHECK(memcmp(jobs[i].record, jobs[0].record, sizeof jobs->record) == 0);
  }
  for (int i = 0; i < 3; i++) {
    remove_folder(&jobs[i]);
  }
}

/* Values side by side and gradients, one of a design that fails. */
static void test_many(void) {
  enum { COUNT = 4 };
  run_world w = open_run("finger", few[0], 0);
  cq_ctx_set_threads(w.ctx, 2);
  const int n = w.about.variables;
  double *x = malloc((size_t)(COUNT * n) * 8), *grad = malloc((size_t)(COUNT * n) * 8), term[COUNT];
  double *one = malloc((size_t)n * 8);
  for (int with = 0; with < 2; with++) {
    cq_answer many[COUNT];
    for (int i = 0; i < COUNT; i++) {
      MUST(&w, cq_file_start(w.file, x + i * n, n));
      x[i * n] += 0.1 * i;
      many[i] = (cq_answer){.struct_size = sizeof *many, .terms = &term[i], .n_terms = 1};
      many[i].grad = with ? grad + i * n : NULL;
      many[i].n_grad = with ? n : 0;
    }
    MUST(&w, cq_file_evaluate_many(w.file, x, COUNT, n, many));
    for (int i = 0; i < COUNT; i++) {
      cq_answer a = {.struct_size = sizeof a, .grad = one, .n_grad = n};
      MUST(&w, cq_file_evaluate(w.file, x + i * n, n, &a));
      CHECK(many[i].status == CQ_OK && memcmp(&many[i].f, &a.f, sizeof a.f) == 0);
      CHECK(term[i] == a.f);
      CHECK(!with || memcmp(grad + i * n, one, (size_t)n * 8) == 0);
    }
  }
  free(x);
  free(grad);
  free(one);
  close_run(&w);
}

int main(int argc, char **argv) {
  RUN(test_contexts);
  if (argc < 2 || strcmp(argv[1], "contexts") != 0) {
    RUN(test_many);
  }
  return TEST_RESULT();
}
