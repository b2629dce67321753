/* Terms of energies, stresses and beds in a problem file: the groups they make, their values over a
 * run, and every gradient, at the end and over time, in the objective and in constraints. */
#include "engine.h"
#include "scene.h"
#include "test_problems_scene.h"

/* a stretched bar without gravity */
#define BAR                                                                                        \
  "simulation = { grid = [20, 20]; cell = 0.05; time_step = 2e-3; steps = 60; };\n"                \
  "materials = ({ name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1.5; });\n" \
  "bodies = ({ name = \"bar\"; material = \"soft\"; low = [0.2, 0.4]; size = [0.3, 0.1];\n"        \
  "            spacing = 0.025; spin = 3; },\n"                                                    \
  "          { name = \"other\"; material = \"soft\"; low = [0.7, 0.4]; size = [0.1, 0.1];\n"      \
  "            spacing = 0.025; velocity = [-1, 0]; });\n"
#define DESIGN                                                                                     \
  "design = ({ variable = \"initial_velocity\"; body = \"other\"; start = [-1, 0.2]; },\n"         \
  "          { variable = \"youngs_modulus\"; body = \"bar\"; lower = 20; upper = 60; },\n"        \
  "          { variable = \"density\"; body = \"other\"; lower = 1; upper = 3; });\n"
#define TERMS                                                                                      \
  "objective = ({ term = \"kinetic_energy\"; weight = 2.0; },\n"                                   \
  "             { term = \"elastic_energy\"; weight = 3.0; when = \"running\"; body = \"bar\"; "   \
  "},\n"                                                                                           \
  "             { term = \"peak_stress\"; weight = 0.1; when = \"running\"; },\n"                  \
  "             { term = \"relative_volume\"; body = \"bar\"; });\n"                               \
  "constraints = ({ term = \"peak_stress\"; body = \"bar\"; upper = 3.0; },\n"                     \
  "               { term = \"peak_stress\"; body = \"bar\"; exponent = 20; upper = 4.0;\n"         \
  "                 when = \"running\"; },\n"                                                      \
  "               { term = \"kinetic_energy\"; body = \"other\"; lower = 0.01; });\n"

/* of a box in which the bar fills three columns of five; the other body stands beside it */
#define BOX "low = [0.1, 0.3]; high = [0.6, 0.6]; "
#define BEDS                                                                                       \
  "objective = ({ term = \"profile\"; columns = 5; bulk_density = 1.5; " BOX "},\n"                \
  "             { term = \"box_distance\"; body = \"other\"; when = \"running\"; " BOX "});\n"     \
  "constraints = ({ term = \"profile\"; heights = [[0.05, 0.1, 0.1, 0.1, 0.02]];\n"                \
  "                 bulk_density = 1.5; squared = false; upper = 0.1; " BOX "});\n"

static cq_scene *load_terms(cq_ctx *ctx, const char *terms) {
  char text[4096];
  snprintf(text, sizeof text, "%s%s%s", BAR, DESIGN, terms);
  test_write_file("energy.cfg", text);
  return test_load(ctx, "energy.cfg");
}

static cq_scene *load(cq_ctx *ctx) {
  return load_terms(ctx, TERMS);
}

static void groups(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx);
  const double parameters[] = {8.0, 8.0, 20.0, 0.0};
  const cq_engine_type *mpm = cq_engine_type_of("mpm");
  const int volume = cq_engine_quantity(mpm, "relative_volume");
  const int energy = cq_engine_quantity(mpm, "elastic_energy");
  const int stress = cq_engine_quantity(mpm, "stress_norm");
  /* asked of a group, in the order of the terms */
  const int channels[][2] = {{0, CQ_Q_SQUARE}, {0, CQ_Q_MASS},   {1, energy},
                             {0, stress},      {1, volume},      {1, stress},
                             {2, stress},      {3, CQ_Q_SQUARE}, {3, CQ_Q_MASS}};
  CHECK(scene->model.n_groups == 4); /* all, the bar, the bar with another norm, the other body */
  for (int i = 0; i < 4 && i < scene->model.n_groups; i++) {
    CHECK_NEAR(scene->model.groups[i].parameter, parameters[i], 0);
  }
  CHECK(scene->model.n_channels == 9);
  for (int i = 0; i < 9 && i < scene->model.n_channels; i++) {
    CHECK_MSG(scene->model.channels[i].group == channels[i][0] &&
                  scene->model.channels[i].quantity == channels[i][1],
              "channel %d", i);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void check_gradients(const char *terms, int n_constraints) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_terms(ctx, terms);
  const cq_problem *p = cq_scene_problem(scene);
  for (int which = -1; which < n_constraints; which++) {
    for (int b = 0; b < cq_scene_block_count(scene); b++) {
      const cq_block_info block = cq_scene_block(scene, b);
      cq_gradcheck check;
      const cq_status status =
          cq_gradcheck_block(ctx, p, p->start, which, block.first, block.count, 1e-6, &check);
      CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
      CHECK_MSG(check.passed && check.gradient_norm > 0.0, "function %d, %s: %g (norm %g)", which,
                block.name, check.best, check.gradient_norm);
      cq_ctx_clear_error(ctx);
    }
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void every_gradient(void) {
  check_gradients(TERMS, 3);
  check_gradients(BEDS, 1);
}

/* The bar is 0.1 m high in three columns of five; the middle of the other body is 0.15 m beside the
 * box. */
static void beds(void) {
  static const char start[] =
      "objective = ({ term = \"profile\"; columns = 5; bulk_density = 1.5; " BOX
      "                when = \"at\"; time = 0.0; },\n"
      "             { term = \"profile\"; heights = [[0, 0.1, 0.1, 0.1, 0.2]]; " BOX
      "               bulk_density = 1.5; squared = false; when = \"at\"; time = 0.0; },\n"
      "             { term = \"profile\"; columns = 5; bulk_density = 1.5; low = [0.1, 0.45];\n"
      "               high = [0.6, 0.6]; when = \"at\"; time = 0.0; },\n"
      "             { term = \"box_distance\"; body = \"other\"; when = \"at\"; time = 0.0; " BOX
      "});\n";
  const double want[] = {(2 * 0.06 * 0.06 + 3 * 0.04 * 0.04) / 5, sqrt(0.2 * 0.2 / 5),
                         (2 * 0.03 * 0.03 + 3 * 0.02 * 0.02) / 5, 0.15};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_terms(ctx, start);
  const cq_problem *p = cq_scene_problem(scene);
  double f = 0.0;
  CHECK_MSG(p->eval(p->data, p->start, &f, NULL, NULL, NULL) == CQ_OK, "%s", cq_ctx_error(ctx));
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(cq_scene_own_term(scene, i), want[i], 1e-12);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* What a profile cannot be. */
static void refused_beds(void) {
#define PROFILE "objective = ({ term = \"profile\"; bulk_density = 1; "
  test_refused(BAR PROFILE BOX "heights = [[1, 2], [3, 4]]; });\n", NULL,
               "my.cfg:7: objective.[0].heights: is one row in 2D, of columns along x");
  test_refused(BAR PROFILE BOX "columns = [3, 4]; });\n", NULL,
               "my.cfg:7: objective.[0].columns: must be one number in 2D");
  test_refused(BAR PROFILE "low = [2, 0]; high = [3, 1]; });\n", NULL,
               "my.cfg:7: objective.[0].low: the box is outside the room: it is 2 to 3 m along x, "
               "and the room 0 to 0.95 m");
}

/* a body in free flight: m v^2 / 2 and no strain */
static void free_flight(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx);
  const cq_problem *p = cq_scene_problem(scene);
  const double x[] = {0.0, 0.3, 40.0, 2.0}; /* velocity, stiffness of the bar, density */
  double f = 0.0, c[3];
  CHECK_MSG(p->eval(p->data, x, &f, c, NULL, NULL) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_NEAR(cq_scene_constraint(scene, 2, c[2]).value, 0.5 * 2.0 * 0.01 * 0.09, 1e-12);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* An engine without one of its quantities. */
static const char *lacks;
int __real_cq_engine_quantity(const cq_engine_type *type, const char *name);
int __wrap_cq_engine_quantity(const cq_engine_type *type, const char *name);
int __wrap_cq_engine_quantity(const cq_engine_type *type, const char *name) {
  const bool has = lacks == NULL || strcmp(name, lacks) != 0;
  return has ? __real_cq_engine_quantity(type, name) : -1;
}

/* A term of what the engine does not observe is refused where it stands. */
static void refused(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  test_write_file("energy.cfg", BAR DESIGN TERMS);
  lacks = "stress_norm";
  CHECK(cq_scene_load(ctx, "energy.cfg", NULL, 0, &scene) == CQ_CONFIG);
  CHECK_STR(cq_ctx_error(ctx), "energy.cfg:12: objective.[2].term: peak_stress measures "
                               "stress_norm, which simulation.engine = \"mpm\" does not observe");
  lacks = NULL;
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(groups);
  RUN(every_gradient);
  RUN(beds);
  RUN(refused_beds);
  RUN(free_flight);
  RUN(refused);
  return TEST_RESULT();
}
