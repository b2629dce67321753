/* Scenes whose engine has a heuristic gradient or none: what they say of it, and that nobody who
 * asks for one that is not there gets further than a sentence. */
#include "scene.h"
#include "test_problems_scene.h"

#include <stdlib.h>

static cq_scene *load(cq_ctx *ctx, const char *grade, const char *scenarios) {
  const char *const sets[] = {scenarios, "constraints=unset"};
  cq_scene *scene = NULL;
  CHECK(setenv("CQ_TEST_GRADIENT", grade, 1) == 0);
  const cq_status status =
      cq_scene_load_text(ctx, "my.cfg", ".", TEST_SCENE, sets, scenarios != NULL ? 2 : 0, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

static void check_refused(cq_ctx *ctx, cq_status status, const char *words) {
  CHECK_MSG(status == CQ_CONFIG && strstr(cq_ctx_error(ctx), words) != NULL, "%s",
            cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
}

/* values as ever, and no gradient, by any way to one */
static void check_none(const char *grade, const char *scenarios) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, grade, scenarios);
  const cq_problem *p = cq_scene_problem(scene);
  double f = NAN, c[3], *grad = calloc((size_t)p->n * 4, sizeof *grad);
  cq_gradcheck check;
  cq_contact_summary contacts;
  CHECK(p->gradient == CQ_GRADIENT_NONE);
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK && isfinite(f));
  check_refused(ctx, p->eval(p->data, p->start, &f, c, grad, grad + p->n), "has no gradient");
  check_refused(ctx, p->refined(p->data, 1, p->start, &f, c, grad, grad + p->n), "has no gradient");
  check_refused(ctx, cq_scene_write_adjoint(scene, 0, NULL, "none.csv", &contacts),
                "has no gradient");
  check_refused(ctx, cq_gradcheck_block(ctx, p, p->start, -1, 0, 1, 1e-5, &check),
                "no gradient to check");
  cq_optimizer_def def = cq_optimizer_default();
  def.name = "LD_SLSQP";
  check_refused(ctx, cq_optimizer_accepts(ctx, &def, p), "needs a gradient");
  CHECK(isnan(cq_scene_gradient_health(scene).rate));
  free(grad);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* every run without a gradient ends as one, with a point and without a residual */
static void test_solve(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "none", "scenarios=unset");
  const cq_problem *p = cq_scene_problem(scene);
  cq_optimizer_def def = cq_optimizer_default();
  cq_result result;
  double *x = calloc((size_t)p->n, sizeof *x);
  def.name = "LN_SBPLX";
  def.max_evaluations = 8;
  CHECK(cq_optimize(ctx, p, &def, NULL, NULL, x, NULL, &result) == CQ_BUDGET);
  CHECK_MSG(result.has_point && isnan(result.kkt_residual) && result.gradients == 0 &&
                strstr(result.reason, "without a gradient") != NULL,
            "%s", result.reason);
  free(x);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void test_heuristic(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int exact = 0; exact < 2; exact++) {
    cq_scene *scene = load(ctx, exact ? "exact" : "heuristic", NULL);
    char text[4096] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    CHECK((cq_scene_problem(scene)->gradient == CQ_GRADIENT_HEURISTIC) == !exact);
    CHECK(cq_scene_describe(scene, out) == CQ_OK && fclose(out) == 0);
    CHECK_MSG((strstr(text, "gradient: heuristic") != NULL) == !exact, "%s", text);
    cq_scene_destroy(scene);
  }
  cq_ctx_destroy(ctx);
}

static void test_none(void) {
  check_none("none", NULL);
  check_none("missing", NULL);
  check_none("none", "scenarios={vary=({key=\"bodies.[0].spin\"; values=[2, 1];});}");
}

int main(void) {
  RUN(test_none);
  RUN(test_solve);
  RUN(test_heuristic);
  return TEST_RESULT();
}
