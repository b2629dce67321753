/* What is checked before the first step. */
#include "scene.h"
#include "test_problems_scene.h"

static void body_outside(void) {
  test_refused(
      TEST_SCENE, "bodies.[0].low=[1.0,0.16]",
      "--set bodies.[0].low=[1.0,0.16]: bodies.[0].low: body \"A\" is outside the grid: its "
      "particle 40 is at x = 1.1375 m, and must have 0.025 <= x < 1.125 m (24 nodes, cell "
      "0.05 m); move the body or enlarge simulation.grid");
  test_refused(TEST_SCENE, "bodies.[2].center=[0.7,-0.3]",
               "--set bodies.[2].center=[0.7,-0.3]: bodies.[2].center: body \"C\" is outside the "
               "grid: its particle 0 is at y = -0.364226 m, and must have 0.025 <= y < 0.925 m (20 "
               "nodes, cell 0.05 m); move the body or enlarge simulation.grid");
}

/* Loads with a time step that is `ratio` of the one at which sound crosses a cell. */
static cq_status load_at(double ratio, const char *more, char *log, char *error) {
  /* stiffest: E = 60 (a bound), nu = 0.3; lightest: density 0.8 (a bound) */
  const double c = sqrt(60 * 0.7 / (1.3 * 0.4) / 0.8);
  char set[64];
  snprintf(set, sizeof set, "simulation.time_step=%.17g", ratio * 0.05 / c);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_log lines = {""};
  cq_ctx_set_log(ctx, test_log_line, &lines);
  test_write_file("my.cfg", TEST_SCENE);
  cq_scene *scene = NULL;
  const cq_status status =
      cq_scene_load(ctx, "my.cfg", (const char *const[]){set, more}, more != NULL ? 2 : 1, &scene);
  snprintf(log, 4096, "%s", lines.text);
  snprintf(error, 4096, "%s", cq_ctx_error(ctx));
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return status;
}

static void time_step(void) {
  char log[4096], error[4096];
  CHECK(load_at(0.899, NULL, log, error) == CQ_OK);
  CHECK_STR(log, "");
  CHECK(load_at(0.91, NULL, log, error) == CQ_OK);
  CHECK(strstr(log, "may be unstable: sound crosses 0.91 cells a step in body \"A\"") != NULL);
  CHECK(load_at(1.19, NULL, log, error) == CQ_OK && log[0] != '\0');
  CHECK(load_at(1.21, NULL, log, error) == CQ_CONFIG);
  CHECK(load_at(9.0, NULL, log, error) == CQ_CONFIG);
  CHECK(strstr(error, "sound crosses 9 cells a step") != NULL);
  CHECK_MSG(strstr(error, "with steps = 400 gives the same time") != NULL, "%s", error);
  CHECK(load_at(9.0, "simulation.allow_unstable=true", log, error) == CQ_OK && log[0] != '\0');
}

/* actuation adds to the stiffness of the body it is in */
static void actuation_counts(void) {
  char log[4096], error[4096];
  CHECK(load_at(0.85, "actuators.[0].max=1e3", log, error) == CQ_CONFIG);
  CHECK_MSG(strstr(error, "actuation 1000 Pa") != NULL, "%s", error);
}

static void overlap(void) {
  char log[4096], error[4096];
  CHECK(load_at(0.5, "bodies.[1].low=[0.35,0.16]", log, error) == CQ_OK);
  CHECK_MSG(strstr(log, "bodies \"A\" and \"B\" overlap: ") != NULL, "log: %s", log);
  CHECK(load_at(0.5, "bodies.[1].low=[0.4,0.16]", log, error) == CQ_OK);
  CHECK_STR(log, "");
}

static void inversion_needs_a_material_for_it(void) {
  char log[4096], error[4096];
  CHECK(load_at(0.5, "simulation.on_inversion=continue", log, error) == CQ_OK);
  const char *text =
      test_edit(TEST_SCENE, "poisson_ratio", "model = \"neo_hookean\"; poisson_ratio");
  char copy[16384];
  snprintf(copy, sizeof copy, "%s", text);
  test_refused(
      copy, "simulation.on_inversion=continue",
      "--set simulation.on_inversion=continue: simulation.on_inversion: \"continue\" is not "
      "possible with the material of body \"A\"");
}

/* every allocation may fail: no leak, no crash, the right status */
static void out_of_memory(void) {
  test_write_file("my.cfg", TEST_SCENE);
  test_load_without_memory("my.cfg");
}

/* A free bar whose particles shake, after 400 steps: does a step of `ratio` of the stable one keep
 * it together? */
static bool survives(double ratio, double viscosity, const char *material) {
  char text[2048], error[4096];
  const double cell = 0.05, density = 1.5, modulus = 40.0, way = 0.9 * cell,
               n = 2 * viscosity / density;
  const double stable = way * way / (n + sqrt(n * n + modulus / density * way * way));
  snprintf(text, sizeof text,
           "simulation = { grid = [24, 24]; cell = %g; time_step = %.17g; steps = 400;\n"
           "               allow_unstable = true; };\n"
           "materials = ({ name = \"m\"; %s viscosity = %.17g; density = %g; });\n"
           "bodies = ({ name = \"bar\"; material = \"m\"; low = [0.4, 0.5]; size = [0.4, 0.2];\n"
           "            spacing = 0.025; spin = 0.2; velocity = [0.05, 0.02]; });\n"
           "objective = ({ term = \"mean_square_velocity\"; });\n",
           cell, ratio * stable, material, viscosity, density);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  double f = INFINITY;
  CHECK_MSG(cq_scene_load_text(ctx, "text", ".", text, NULL, 0, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  CHECK_NEAR(scene->stable_dt, stable, 1e-12 * stable);
  const cq_problem *p = cq_scene_problem(scene);
  const cq_status status = p->eval(p->data, NULL, &f, NULL, NULL, NULL);
  snprintf(error, sizeof error, "%s", cq_ctx_error(ctx));
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  const double start = 0.05 * 0.05 + 0.02 * 0.02 + 0.04 * (0.4 * 0.4 + 0.2 * 0.2) / 12;
  printf("  viscosity %g: %.2f of the stable step: %s, mean |v|^2 %.3g of the start's\n", viscosity,
         ratio, status == CQ_OK ? "ran" : "failed", f / start);
  return status == CQ_OK && f <= 1.1 * start;
}

/* the stable step of solids, liquids, with little and with much viscosity */
static void stability(void) {
  static const char solid[] = "youngs_modulus = 40; poisson_ratio = 0;";
  static const char liquid[] = "model = \"liquid\"; bulk_modulus = 40;";
  const double viscosities[] = {0.0, 0.3, 3.0};
  for (int i = 0; i < 3; i++) {
    CHECK(survives(0.98, viscosities[i], solid));
    CHECK(survives(0.98, viscosities[i], liquid));
    CHECK(!survives(2.5, viscosities[i], solid));
  }
}

/* lengths in other units than metres */
static void target_outside(void) {
  static const char *const sets[] = {"objective.[0].target=[0.6, 30]",
                                     "constraints.[0].target=[-0.1, 0.3]",
                                     "objective.[0].target=[0.6, 0.31]"};
  static const char *const seen[] = {
      "the target of objective.[0] is outside the room: y = 30 m",
      "the target of constraints.[0] is outside the room: x = -0.1 m", NULL};
  for (int i = 0; i < 3; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    test_log lines = {""};
    cq_scene *scene = NULL;
    cq_ctx_set_log(ctx, test_log_line, &lines);
    test_write_file("my.cfg", TEST_SCENE);
    CHECK_MSG(cq_scene_load(ctx, "my.cfg", &sets[i], 1, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
    CHECK_MSG(seen[i] != NULL ? strstr(lines.text, seen[i]) != NULL : lines.text[0] == '\0',
              "log: %s", lines.text);
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

/* a block that hangs from a sticky ceiling */
static const char hanging[] =
    "simulation: { grid = [64, 64]; cell = \"1/64\"; time_step = 4e-4; steps = 200;\n"
    "  gravity = [0, -10]; damping = 5; };\n"
    "materials: ( { name = \"m\"; youngs_modulus = 1000; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"b\"; material = \"m\"; low = [0.375, 0.375]; size = [0.25, 0.375]; } );\n"
    "boundaries: { half_spaces: ( { type = \"sticky\"; point = [0, \"44.5/64\"];\n"
    "  normal = [0, -1]; } ); };\n"
    "design: ( { variable = \"initial_velocity\"; body = \"b\"; } );\n"
    "objective: ( { term = \"kinetic_energy\"; } );\n";

/* Loads it with a setting, runs it if an error is wanted, and gives what was said. */
static void hang(const char *set, char *log, char *error) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  test_log lines = {""};
  double f = NAN;
  cq_ctx_set_log(ctx, test_log_line, &lines);
  test_write_file("hang.cfg", hanging);
  CHECK_MSG(cq_scene_load(ctx, "hang.cfg", &set, 1, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene != NULL && error != NULL) {
    const cq_problem *p = cq_scene_problem(scene);
    const cq_status status = p->eval(p->data, p->start, &f, NULL, NULL, NULL);
    CHECK_MSG(status == CQ_DEFORMED, "%s: %s", set, cq_ctx_error(ctx));
    snprintf(error, 1024, "%s", cq_ctx_error(ctx));
  }
  snprintf(log, sizeof lines.text, "%s", lines.text);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* More than a cell apart, particles do not feel each other. */
static void sparse(void) {
  static const char *const dense[] = {
      "bodies.[0].spacing=\"1/128\"",
      "bodies.[0].spacing=\"1/64\"",
      "bodies.[0].count=[16,25]",
      "bodies=({name=\"b\";material=\"m\";low=[0.3,0.4];size=[0.4,0.1];count=[30,1];})",
      "bodies=({name=\"b\";material=\"m\";low=[0.375,0.375];size=[0.25,0.375];"
      "sampling=\"random\";particles=390;})",
      "bodies=({name=\"b\";material=\"m\";sampling=\"points\";volume=1e-3;"
      "positions=[[0.5,0.5],[0.51,0.5],[0.52,0.5],[0.6,0.6]];})"};
  char log[4096], error[1024];
  for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
    hang(dense[i], log, NULL);
    CHECK_MSG(strstr(log, "particles of body") == NULL, "%s: %s", dense[i], log);
  }
  hang("bodies.[0].spacing=\"1/48\"", log, error);
  CHECK_MSG(strstr(log,
                   "hang.cfg:4: the particles of body \"b\" are 1.33 cells apart: take a spacing "
                   "of 0.0078125 m, half a cell; more than a cell apart they do not feel each "
                   "other, and the body falls apart") != NULL,
            "%s", log);
  CHECK_MSG(strstr(error, "is inverted (det F = -") != NULL &&
                strstr(error, "), and the particles of body \"b\" are 1.33 cells apart: take a "
                              "spacing of 0.0078125 m, half a cell; if that does not help, lower "
                              "simulation.time_step or the load") != NULL,
            "%s", error);
  hang("bodies.[0].count=[12,48]", log, NULL);
  CHECK(strstr(log, "are 1.33 cells apart") != NULL);
  hang("bodies=({name=\"b\";material=\"m\";low=[0.375,0.375];size=[0.25,0.375];"
       "sampling=\"random\";particles=192;})",
       log, NULL);
  CHECK_MSG(strstr(log, "are 0.5 a cell: take 1536, which are four a cell;") != NULL, "%s", log);
  hang("bodies=({name=\"b\";material=\"m\";sampling=\"points\";volume=1e-3;"
       "positions=[[0.5,0.5],[0.52,0.5],[0.54,0.5],[0.55,0.5]];})",
       log, NULL);
  CHECK(strstr(log, "particles of body") == NULL);
  hang("bodies=({name=\"b\";material=\"m\";sampling=\"points\";volume=1e-3;"
       "positions=[[0.5,0.5],[0.52,0.5],[0.54,0.5],[0.57,0.5]];})",
       log, NULL);
  CHECK_MSG(strstr(log, "are too far apart: 4 of 4 have no other within a cell") != NULL, "%s",
            log);
  /* an inverted particle of a dense body has another cause */
  hang("simulation.gravity=[0, -3000]", log, error);
  CHECK_MSG(strstr(error, "; lower simulation.time_step or the load") != NULL, "%s", error);
}

int main(void) {
  RUN(target_outside);
  RUN(body_outside);
  RUN(time_step);
  RUN(actuation_counts);
  RUN(overlap);
  RUN(inversion_needs_a_material_for_it);
  RUN(stability);
  RUN(out_of_memory);
  RUN(sparse);
  return TEST_RESULT();
}
