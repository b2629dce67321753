/* Designs of a population simulated side by side: the same bits for any number of threads, in f, c
 * and every term; failures are those of runs one at a time. */
#include "alloc.h"
#include "task.h"
#include "test_problems_scene.h"

/* TEST_SCENE of two variables, cheap. `reach` of 40 m/s throws it out of the grid. */
static const char *const scene_text =
    "simulation: { dimension = 2; grid = [16, 16]; cell = 0.05; time_step = 2e-3; steps = 20;\n"
    "  gravity = [0, -2]; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.3]; size = [0.1, 0.1];\n"
    "  velocity = [0.1, 0.2]; } );\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; lower = -5; upper = 40; } );\n"
    "objective: ( { term = \"distance\"; body = \"A\"; target = [0.4, 0.4]; },\n"
    "  { term = \"mean_square_velocity\"; body = \"A\"; weight = 1e-4; } );\n"
    "constraints: ( { term = \"mean_square_velocity\"; body = \"A\"; upper = 30; } );\n"
    "optimizer: { name = \"cmaes\"; max_evaluations = 60; on_failure = \"penalty\"; };\n";

enum { MOST = 64 };

/* What a run recorded. */
typedef struct record {
  cq_scene *scene;
  int count, failures;
  double rows[MOST][6]; /* x, f, c, terms; zeros where it failed */
} record;

static cq_status keep(void *user, const cq_evaluation *e) {
  record *r = user;
  double *row = r->rows[r->count++];
  r->failures += e->status != CQ_OK;
  row[0] = e->x[0];
  row[1] = e->x[1];
  if (e->status == CQ_OK) {
    row[2] = e->f;
    row[3] = e->c[0];
    row[4] = cq_scene_term_value(r->scene, 0);
    row[5] = cq_scene_term_value(r->scene, 1);
    CHECK_NEAR(row[4] + row[5], e->f, 1e-12 * fabs(e->f));
  }
  return CQ_OK;
}

static void solve(const char *const *sets, int n, int threads, record *r) {
  cq_ctx *ctx = cq_ctx_create(threads, 4);
  cq_scene *scene = NULL;
  double x[2];
  cq_result result;
  *r = (record){.count = 0};
  CHECK_MSG(cq_scene_load_text(ctx, "my.cfg", ".", scene_text, sets, n, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  r->scene = scene;
  cq_optimize(ctx, cq_scene_problem(scene), cq_scene_optimizer(scene), keep, r, x, NULL, &result);
  CHECK_MSG(result.evaluations == 60 && r->count == 60, "%s", result.reason);
  const cq_scene_stats stats = cq_scene_statistics(scene);
  const bool beside = threads > 1 && cq_scene_problem(scene)->ahead != NULL;
  /* designs that fail beside others are simulated again; of two in one corner of the bounds only
   * the first is asked for */
  const int most = 60 + (beside ? r->failures + 3 : 0);
  CHECK_MSG(
      scene->task->scenarios != NULL || (stats.simulations >= 60 && stats.simulations <= most),
      "%lld simulations with %d threads, %d failures", stats.simulations, threads, r->failures);
  CHECK((scene->task->beside.ahead[0] != NULL) == (cq_scene_problem(scene)->ahead != NULL));
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void bits_of_any_threads(void) {
  static record one, many;
  const char *const sets[] = {"optimizer.name=cmaes", "optimizer.name=random_search",
                              "optimizer.bounds_handling=penalty", "simulation.memory=64 KiB"};
  for (int i = 0; i < 4; i++) {
    solve(&sets[i], 1, 1, &one);
    CHECK_MSG(one.failures > 0 && one.failures < 50, "%d failures", one.failures);
    for (int threads = 2; threads <= 5; threads++) {
      solve(&sets[i], 1, threads, &many);
      CHECK_MSG(memcmp(one.rows, many.rows, sizeof one.rows) == 0 && one.failures == many.failures,
                "%s: other bits with %d threads", sets[i], threads);
    }
  }
}

/* Scenarios have the threads for themselves. */
static void scenarios(void) {
  static record one, many;
  const char *const sets[] = {
      "scenarios={vary=({key=\"objective.[0].target\"; values=[0.4, 0.4, 0.2, 0.5];});}"};
  solve(sets, 1, 1, &one);
  solve(sets, 1, 3, &many);
  CHECK(memcmp(one.rows, many.rows, sizeof one.rows) == 0);
}

/* eval answers with what went ahead only where x is the same, and simulates for a gradient */
static void answers(void) {
  cq_ctx *ctx = cq_ctx_create(2, 4);
  cq_scene *scene = NULL;
  CHECK(cq_scene_load_text(ctx, "my.cfg", ".", scene_text, NULL, 0, &scene) == CQ_OK);
  const cq_problem *p = cq_scene_problem(scene);
  const double x[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, other[] = {0.1, 0.3};
  double f[3], c, grad[2], jac[2];
  p->ahead(p->data, 3, x);
  CHECK(cq_scene_statistics(scene).simulations == 3);
  for (int k = 2; k >= 0; k--) {
    CHECK(p->eval(p->data, x + 2 * k, &f[k], &c, NULL, NULL) == CQ_OK);
  }
  CHECK(cq_scene_statistics(scene).simulations == 3 && f[0] != f[1]);
  double again = NAN;
  CHECK(p->eval(p->data, x + 2, &again, &c, grad, jac) == CQ_OK && again == f[1]);
  CHECK(cq_scene_statistics(scene).simulations == 4);
  CHECK(p->eval(p->data, other, &again, &c, NULL, NULL) == CQ_OK);
  CHECK(cq_scene_statistics(scene).simulations == 5);
  /* a stop that was asked for: nothing goes ahead, and nothing is answered */
  cq_ctx_request_stop(ctx, CQ_INTERRUPTED);
  p->ahead(p->data, 3, x);
  CHECK(!cq_ahead_answers(scene->task->beside.ahead[0], x, &again, &c));
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Short of memory it does without copies, whichever allocation fails. */
static void short_of_memory(void) {
  const double x[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  for (int nth = 1; nth < 4; nth++) {
    cq_ctx *ctx = cq_ctx_create(3, 4);
    cq_scene *scene = NULL;
    double f = NAN, c = NAN;
    CHECK(cq_scene_load_text(ctx, "my.cfg", ".", scene_text, NULL, 0, &scene) == CQ_OK);
    const cq_problem *p = cq_scene_problem(scene);
    cq_alloc_fail_nth(ctx, nth);
    p->ahead(p->data, 3, x);
    cq_alloc_fail_nth(ctx, 0);
    CHECK(cq_ctx_status(ctx) == CQ_OK);
    CHECK(p->eval(p->data, x, &f, &c, NULL, NULL) == CQ_OK && isfinite(f));
    cq_scene_destroy(scene);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
}

int main(void) {
  RUN(bits_of_any_threads);
  RUN(scenarios);
  RUN(answers);
  RUN(short_of_memory);
  return TEST_RESULT();
}
