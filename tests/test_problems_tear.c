/* Scenes whose bodies tear, swing or are liquids. */
#include "scene.h"
#include "test_problems_scene.h"

/* A beam in a clamp, and a ball that is thrown and touches nothing. At 9.8 m/s^2 the beam swings,
 * at 40 m/s^2 it tears off: 36 of its 192 particles stay in the clamp. */
static const char *const beam =
    "simulation: { grid = [32, 32]; cell = 0.05; time_step = 2e-3; steps = 150; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 60; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"ball\"; material = \"soft\"; shape = \"ball\"; center = [1.2, 0.4];\n"
    "    radius = 0.1; velocity = [0, 2]; },\n"
    "  { name = \"beam\"; material = \"soft\"; low = [0.25, 0.9]; size = [0.8, 0.15];\n"
    "    spacing = 0.025; } );\n"
    "boundaries: { half_spaces: ( { type = \"sticky\"; point = [0.425, 0]; normal = \"x\"; } ); "
    "};\n"
    "design: ( { variable = \"gravity\"; start = [0, -9.8]; lower = [0, -40]; upper = 0; } );\n"
    "objective: ( { term = \"height\"; body = \"beam\"; } );\n";

static const double mild[] = {0.0, -9.8}, heavy[] = {0.0, -40.0};

static cq_scene *load(cq_ctx *ctx, const char *text, const char *set) {
  cq_scene *scene = NULL;
  const cq_status status =
      cq_scene_load_text(ctx, "my.cfg", ".", text, &set, set != NULL ? 1 : 0, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

static cq_tear tear_at(cq_scene *scene, int level, const double *x) {
  const cq_status status = cq_scene_simulate(scene, level, x, "", 0, 0);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(scene->ctx));
  return cq_scene_tear(scene);
}

static void check_beam(const cq_tear *tear) {
  CHECK(tear->body != NULL && strcmp(tear->body, "beam") == 0 && tear->others == 0);
  CHECK_MSG(tear->share > 0.18 && tear->share < 0.25, "share %g", tear->share);
  CHECK_MSG(tear->since > 0.1 && tear->since <= tear->time && tear->time <= 0.3, "%g, %g",
            tear->since, tear->time);
}

static void test_beam(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, beam, NULL);
  CHECK(cq_scene_tear(scene).body == NULL);
  for (int level = 0; level < 2; level++) {
    const cq_tear torn = tear_at(scene, level, heavy);
    printf("  level %d: %.3g %% of \"%s\" at %g s, since %g s\n", level, 100.0 * torn.share,
           torn.body, torn.time, torn.since);
    check_beam(&torn);
    CHECK(torn.scenario == -1);
    const cq_tear whole = tear_at(scene, level, mild);
    CHECK(whole.body == NULL && whole.share == 0.0 && whole.others == 0);
  }
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_liquid(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const text = test_edit(beam, "youngs_modulus = 60; poisson_ratio = 0.3;",
                                     "model = \"liquid\"; bulk_modulus = 60; viscosity = 0.2;");
  cq_scene *scene = load(ctx, text, NULL);
  CHECK(tear_at(scene, 0, heavy).body == NULL); /* it falls off the clamp as well */
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* With on_tear = "fail" a design that tears cannot be simulated; one that does not has the same
 * bits. */
static void test_fail(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *strict = load(ctx, beam, "simulation.on_tear=fail"), *plain = load(ctx, beam, NULL);
  const cq_problem *p = cq_scene_problem(strict), *q = cq_scene_problem(plain);
  double f[2] = {0}, grad[2][2] = {{0}};
  for (int i = 0; i < 2; i++) { /* after a failure, too */
    CHECK(p->eval(p->data, mild, &f[0], NULL, grad[0], NULL) == CQ_OK);
    CHECK(q->eval(q->data, mild, &f[1], NULL, grad[1], NULL) == CQ_OK);
    CHECK(f[0] == f[1] && grad[0][0] == grad[1][0] && grad[0][1] == grad[1][1]);
    CHECK(q->eval(q->data, heavy, &f[1], NULL, NULL, NULL) == CQ_OK);
    CHECK(p->eval(p->data, heavy, &f[0], NULL, grad[0], NULL) == CQ_TEARS);
    CHECK(strstr(cq_ctx_error(ctx), "body \"beam\" tears: ") != NULL);
    CHECK(cq_scene_write_failed_state(strict, "failed.csv") == CQ_OK);
    cq_ctx_clear_error(ctx);
    CHECK(p->refined(p->data, 1, heavy, &f[0], NULL, NULL, NULL) == CQ_TEARS);
    cq_ctx_clear_error(ctx);
  }
  CHECK(cq_status_is_numeric(CQ_TEARS) && cq_status_exit_code(CQ_TORN) == 6);
  cq_scene_destroy(strict);
  cq_scene_destroy(plain);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* every scenario is looked at, not the file's own settings */
static void test_scenarios(void) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = load(ctx, beam,
                         "scenarios={vary=({key=\"materials.[0].youngs_modulus\"; "
                         "values=[300, 500, 20];});}");
  cq_tear tear = {.struct_size = sizeof tear};
  const double x[] = {0.0, -20.0};
  CHECK(tear_at(scene, 0, mild).body == NULL);
  CHECK(cq_scene_find_tear(scene, 0, 1, x, &tear) == CQ_OK);
  CHECK_MSG(tear.scenario == 2 && tear.share > 0.01, "scenario %d, %g", tear.scenario, tear.share);
  CHECK(tear.body != NULL && strcmp(tear.body, "beam") == 0);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_beam);
  RUN(test_liquid);
  RUN(test_fail);
  RUN(test_scenarios);
  return TEST_RESULT();
}
