/* Two contexts in two threads, each with a file, a run and a pull of its own, have the bits that
 * one has alone; so have several designs at once. */
#include "test_api_run.h"

#include <pthread.h>

static const char *const sets[] = {"simulation.steps=20", "optimizer.max_evaluations=3"};

typedef struct job {
  unsigned what;
  double f, z[2], g[40], best[32], x[2];
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

/* A few evaluations of the file, then a method of another library on a function. */
static cq_status optimize(cq_ctx *ctx, cq_file *file, job *j) {
  const double start[2] = {-1, 1};
  cq_about_file about = {.struct_size = sizeof about};
  cq_outcome out = {.struct_size = sizeof out};
  cq_settings *settings = NULL;
  cq_function_def def = {
      .struct_size = sizeof def, .n = 2, .start = start, .function = valley, .has_gradient = true};
  cq_status status = cq_file_info(file, &about);
  if (status == CQ_OK && about.variables <= 32) {
    cq_file_solve(file, NULL, NULL, NULL, j->best, about.variables, &out);
    status = out.evaluations == 3 ? cq_settings_create(ctx, &settings) : CQ_OPTIMIZER;
  }
  status = status != CQ_OK ? status : cq_settings_set(settings, "name=LD_SLSQP");
  status = status != CQ_OK ? status : cq_minimise(ctx, &def, settings, NULL, NULL, j->x, 2, &out);
  cq_settings_destroy(settings);
  return status;
}

/* Everything in a context of its own. */
static void *work(void *user) {
  job *j = user;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_file *file = NULL;
  cq_run *run = NULL;
  const double up[2] = {0, 1}, u[2] = {2, 0};
  cq_answer a = {.struct_size = sizeof a};
  j->status = cq_file_load(ctx, "finger", sets, 2, &file);
  j->status = j->status != CQ_OK ? j->status : cq_file_evaluate(file, NULL, 0, &a);
  j->status = j->status != CQ_OK ? j->status : cq_run_create(file, j->what, &run);
  j->status = j->status != CQ_OK ? j->status : cq_run_reset(run, NULL, 0);
  j->status = j->status != CQ_OK ? j->status : cq_run_advance(run, 20, u, 2);
  const int tip = cq_run_find(run, CQ_OBSERVABLES, "tip.position");
  j->status = j->status != CQ_OK ? j->status : cq_run_observe(run, tip, 20, j->z, 2);
  j->status = j->status != CQ_OK ? j->status : cq_run_seed(run, tip, 20, up, 2);
  j->status = j->status != CQ_OK ? j->status : cq_run_pull(run);
  j->status = j->status != CQ_OK ? j->status : cq_run_gradient(run, CQ_GRADIENT_CONTROLS, j->g, 40);
  j->f = a.f;
  j->status = j->status != CQ_OK ? j->status : optimize(ctx, file, j);
  cq_run_destroy(run);
  cq_file_destroy(file);
  cq_ctx_destroy(ctx);
  return NULL;
}

static void test_contexts(void) {
  job jobs[3] = {{.what = CQ_RUN_KEEP}, {.what = CQ_RUN_KEEP}, {.what = CQ_RUN_KEEP}};
  pthread_t threads[2];
  work(&jobs[0]);
  CHECK(jobs[0].status == CQ_OK && jobs[0].g[1] != 0);
  for (int i = 0; i < 2; i++) {
    CHECK(pthread_create(&threads[i], NULL, work, &jobs[1 + i]) == 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    CHECK(jobs[1 + i].status == CQ_OK);
    CHECK(memcmp(&jobs[1 + i].f, &jobs[0].f, sizeof jobs->f) == 0);
    CHECK(memcmp(jobs[1 + i].z, jobs[0].z, sizeof jobs->z) == 0);
    CHECK(memcmp(jobs[1 + i].g, jobs[0].g, sizeof jobs->g) == 0);
    CHECK(memcmp(jobs[1 + i].best, jobs[0].best, sizeof jobs->best) == 0);
    CHECK(memcmp(jobs[1 + i].x, jobs[0].x, sizeof jobs->x) == 0);
  }
}

/* Values side by side and gradients, one of a design that fails. */
static void test_many(void) {
  enum { COUNT = 4 };
  run_world w = open_run("finger", sets[0], 0);
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

int main(void) {
  RUN(test_contexts);
  RUN(test_many);
  return TEST_RESULT();
}
