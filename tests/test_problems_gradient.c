/* Evaluation of whole problems: published numbers, one sweep for all functions, every gradient. */
#include "scene.h"
#include "test_problems_scene.h"

/* Computed in double precision by an independent program: reference value of DiffTaichi's
 * checkpointing scene with v = p/m on the grid. */
static void velocity_2d(void) {
  cq_ctx *ctx = cq_ctx_create(0, 1);
  cq_scene *scene = test_load(ctx, "velocity_2d");
  const cq_problem *p = cq_scene_problem(scene);
  double f = 0.0, g[2];
  CHECK(p->n == 2);
  CHECK_MSG(p->eval(p->data, p->start, &f, NULL, g, NULL) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_NEAR(f, 0.052556920957, 1e-12);
  CHECK_NEAR(g[0], -0.016322421889, 1e-11);
  CHECK_NEAR(g[1], 0.031845861604, 1e-11);
  CHECK_NEAR(cq_scene_term_value(scene, 0), f, 0);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

enum { N = 70, CONSTRAINTS = 3 };

/* inequalities first; c = factor (value - bound) */
static const struct {
  const char *relation;
  double bound, factor;
} constraints[CONSTRAINTS] = {{"<=", 0.02, 1.0}, {">=", 0.2, -2.0}, {"=", 0.01, 1.0}};

static void one_run_and_one_sweep(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("gradient.cfg", TEST_SCENE);
  cq_scene *scene = test_load(ctx, "gradient.cfg");
  const cq_problem *p = cq_scene_problem(scene);
  static double g[N], jac[CONSTRAINTS][N];
  double f = 0.0, c[CONSTRAINTS];
  CHECK(p->n == N && p->n_inequality == 2 && p->n_equality == 1);
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK);
  CHECK(p->eval(p->data, p->start, &f, c, g, &jac[0][0]) == CQ_OK);
  const cq_sim_stats *stats = cq_sim_statistics(scene->sim);
  CHECK(stats->steps_forward == 40 && stats->steps_backward == 40);
  CHECK(cq_scene_statistics(scene).simulations == 1 && cq_scene_statistics(scene).gradients == 1);
  /* the cost of the controls needs no adjoint slab, three functions do */
  CHECK(scene->objective.n_seeds == 3);
  CHECK_STR(cq_scene_constraint_label(scene, 0), "actuation_cost");
  CHECK_STR(cq_scene_constraint_label(scene, 2), "C.distance");
  for (int i = 0; i < CONSTRAINTS; i++) {
    const cq_constraint_info info = cq_scene_constraint(scene, i, c[i]);
    CHECK_STR(info.relation, constraints[i].relation);
    CHECK_NEAR(info.bound, constraints[i].bound, 1e-15);
    CHECK_NEAR(constraints[i].factor * (info.value - info.bound), c[i], 1e-15);
  }
  const double *u = cq_sim_controls(scene->sim);
  double cost = 0.0;
  for (int k = 0; k < 40; k++) {
    cost += u[k] * u[k] / 64 * 2e-3;
  }
  CHECK_NEAR(c[0], cost - 0.02, 1e-16);
  CHECK_NEAR(jac[0][64 + 2], 7 * 2 * 3.0 / 64 * 2e-3, 1e-16); /* row 2 is held 7 steps */
  CHECK_NEAR(jac[0][64 + 5], 5 * 2 * 1.0 / 64 * 2e-3, 1e-16); /* the last one for 5 */
  double sum = 0.0;
  for (int i = 0; i < cq_scene_term_count(scene); i++) {
    sum += cq_scene_term_value(scene, i);
  }
  CHECK_NEAR(sum, f, 1e-15);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void every_gradient(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("gradient.cfg", TEST_SCENE);
  cq_scene *scene = test_load(ctx, "gradient.cfg");
  const cq_problem *p = cq_scene_problem(scene);
  for (int which = -1; which < CONSTRAINTS; which++) {
    for (int b = 0; b < cq_scene_block_count(scene); b++) {
      const cq_block_info block = cq_scene_block(scene, b);
      cq_gradcheck check;
      const cq_status status =
          cq_gradcheck_block(ctx, p, p->start, which, block.first, block.count, 1e-6, &check);
      CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
      CHECK_MSG(check.passed || (check.gradient_norm == 0.0 && which == 0),
                "function %d, %s: %g (norm %g)", which, block.name, check.best,
                check.gradient_norm);
      cq_ctx_clear_error(ctx);
    }
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void failures_are_counted(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("gradient.cfg", TEST_SCENE);
  cq_scene *scene = test_load(ctx, "gradient.cfg");
  const cq_problem *p = cq_scene_problem(scene);
  double x[N], f = 0.0, c[CONSTRAINTS];
  memcpy(x, p->start, sizeof x);
  x[0] = 200; /* 8 cells a step */
  CHECK(cq_scene_write_failed_state(scene, "failed.csv") == CQ_USAGE);
  cq_ctx_clear_error(ctx);
  CHECK(cq_status_is_numeric(p->eval(p->data, x, &f, c, NULL, NULL)));
  CHECK(cq_ctx_error(ctx)[0] != '\0');
  cq_ctx_clear_error(ctx);
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK);
  CHECK_NEAR(cq_scene_statistics(scene).failed_fraction, 0.5, 0);
  CHECK(p->eval(p->data, x, &f, c, NULL, NULL) != CQ_OK);
  cq_ctx_clear_error(ctx);
  CHECK_MSG(cq_scene_write_failed_state(scene, "failed.csv") == CQ_OK, "%s", cq_ctx_error(ctx));
  x[0] = NAN;
  CHECK(p->eval(p->data, x, &f, c, NULL, NULL) == CQ_NONFINITE);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(one_run_and_one_sweep);
  RUN(every_gradient);
  RUN(failures_are_counted);
  RUN(velocity_2d);
  return TEST_RESULT();
}
