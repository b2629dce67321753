/* The term periodic: what it is of a body that flies, and its gradient. */
#include "test_problems_scene.h"

static cq_scene *open_scene(cq_ctx *ctx, const char *const *sets, int n) {
  cq_scene *scene = NULL;
  test_write_file("periodic.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "periodic.cfg", sets, n, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

/* A disc that flies with (0.4, 0.5) m/s in nothing: along its way it only shifts, along x it
 * falls, along y it goes sideways; its particles keep their velocities. */
static void flight(void) {
  const double way[] = {0.03 * 0.4, 0.03 * 0.5};
  const char *sets[] = {
      "simulation.gravity=[0, 0]",
      "actuators=()",
      "controller=unset",
      "design=({variable=\"initial_velocity\"; body=\"C\";})",
      "bodies.[2].velocity=[0.4, 0.5]",
      "bodies.[2].center=[0.8, 0.5]",
      "constraints=()",
      "objective=({term=\"periodic\"; body=\"C\"; period=0.03; direction=[0.8, 1];},"
      "{term=\"periodic\"; body=\"C\"; period=0.03; when=\"at\"; time=0.0412;},"
      "{term=\"periodic\"; body=\"C\"; period=0.03; direction=\"y\"; when=\"window\"; "
      "window=[0.04, 0.07];})"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, sets, sizeof sets / sizeof *sets);
  const cq_problem *p = cq_scene_problem(s);
  double f = 0.0;
  CHECK(p->eval(p->data, p->start, &f, NULL, NULL, NULL) == CQ_OK);
  CHECK_NEAR(cq_scene_term_value(s, 0), 0.0, 1e-12);
  CHECK_NEAR(cq_scene_term_value(s, 1), way[1] * way[1], 1e-9);
  CHECK_NEAR(cq_scene_term_value(s, 2), way[0] * way[0], 1e-9);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* of a body that is driven and hits the ground, between states and over a window */
static void gradients(void) {
  static const char *const sets[] = {"constraints=({term=\"periodic\"; body=\"A\"; period=0.0333; "
                                     "upper=0; when=\"at\"; time=0.0712;},"
                                     "{term=\"periodic\"; period=0.02; direction=\"y\"; upper=0; "
                                     "when=\"window\"; window=[0.05, 0.08];})",
                                     "design.[2].body=\"B\""};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, sets, 2);
  const cq_problem *p = cq_scene_problem(s);
  for (int which = 0; which < 2; which++) {
    for (int b = 0; b < cq_scene_block_count(s); b++) {
      const cq_block_info block = cq_scene_block(s, b);
      cq_gradcheck check;
      CHECK_MSG(cq_gradcheck_block(ctx, p, p->start, which, block.first, block.count, 1e-6,
                                   &check) == CQ_OK,
                "%s", cq_ctx_error(ctx));
      CHECK_MSG(check.passed || check.gradient_norm < 1e-14, "function %d, %s: %g (norm %g)", which,
                block.name, check.best, check.gradient_norm);
      CHECK_MSG(check.gradient_norm > 0.0 || which == 0, "%s: no gradient", block.name);
      cq_ctx_clear_error(ctx);
    }
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(flight);
  RUN(gradients);
  return TEST_RESULT();
}
