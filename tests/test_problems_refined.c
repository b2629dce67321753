/* A scene in smaller steps is the same scene in smaller steps. */
#include "test_problems_scene.h"

#include <math.h>
#include <string.h>

enum { MOST = 200 };

typedef struct values {
  double f, c[8], grad[MOST], jac[8 * MOST], terms[8];
  cq_status status;
} values;

static cq_scene *load_with(cq_ctx *ctx, const char *const *sets, int n_sets) {
  cq_scene *scene = NULL;
  test_write_file("refined.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "refined.cfg", sets, n_sets, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static values evaluate(cq_scene *scene, int level) {
  const cq_problem *p = cq_scene_problem(scene);
  values v;
  memset(&v, 0, sizeof v);
  CHECK(p->n <= MOST && p->n_inequality + p->n_equality <= 8 && cq_scene_term_count(scene) <= 8);
  v.status = level == 0 ? p->eval(p->data, p->start, &v.f, v.c, v.grad, v.jac)
                        : p->refined(p->data, level, p->start, &v.f, v.c, v.grad, v.jac);
  for (int i = 0; i < cq_scene_term_count(scene); i++) {
    v.terms[i] = cq_scene_term_value(scene, i);
  }
  return v;
}

/* level k has the bits of the file with dt/2^k, 2^k steps and controls held 2^k times as long */
static void test_levels(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, NULL, 0);
  const values coarse = evaluate(scene, 0);
  CHECK(coarse.status == CQ_OK);
  for (int level = 1; level <= 3; level++) {
    char time_step[64], steps[64], hold[64];
    snprintf(time_step, sizeof time_step, "simulation.time_step=%.17g", 2e-3 / (1 << level));
    snprintf(steps, sizeof steps, "simulation.steps=%d", 40 << level);
    snprintf(hold, sizeof hold, "controller.hold=%d", 7 << level);
    const char *const sets[] = {time_step, steps, hold};
    cq_scene *finer = load_with(ctx, sets, 3);
    const values a = evaluate(scene, level), b = evaluate(finer, 0);
    CHECK(a.status == CQ_OK && memcmp(&a, &b, sizeof a) == 0);
    /* it converges, and is not the same as the coarse one */
    const double change = fabs(a.f - coarse.f);
    CHECK(change > 0 && change < 0.2 * fabs(coarse.f));
    cq_scene_destroy(finer);
  }
  /* the scene itself is as it was, and all simulations are counted */
  const values again = evaluate(scene, 0);
  CHECK(memcmp(&again, &coarse, sizeof again) == 0);
  const cq_scene_stats stats = cq_scene_statistics(scene);
  CHECK(stats.simulations == 4 && stats.gradients >= 4 && stats.failed_fraction == 0);
  const cq_problem *p = cq_scene_problem(scene);
  double f = 0;
  CHECK(p->refined(p->data, 4, p->start, &f, NULL, NULL, NULL) == CQ_CONFIG);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* a body faster than a cell a step fails in the steps of the file, and not in half of them */
static void test_rescue(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const sets[] = {"bodies.[0].velocity=[28, 0]", "simulation.steps=1",
                              "design.[4].start=[1]"};
  cq_scene *scene = load_with(ctx, sets, 3);
  CHECK(evaluate(scene, 0).status == CQ_TOO_FAST);
  cq_ctx_clear_error(ctx);
  CHECK(evaluate(scene, 1).status == CQ_OK);
  const cq_scene_stats stats = cq_scene_statistics(scene);
  CHECK(stats.simulations == 2 && stats.failed_fraction == 0.5);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_levels);
  RUN(test_rescue);
  return TEST_RESULT();
}
