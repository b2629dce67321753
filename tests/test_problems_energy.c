/* Terms of energies and stresses in a problem file: the groups they make, their values over a run,
 * and every gradient, at the end and over time, in the objective and in constraints. */
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

static cq_scene *load(cq_ctx *ctx) {
  test_write_file("energy.cfg", BAR DESIGN TERMS);
  return test_load(ctx, "energy.cfg");
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

static void every_gradient(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx);
  const cq_problem *p = cq_scene_problem(scene);
  for (int which = -1; which < 3; which++) {
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
  RUN(free_flight);
  RUN(refused);
  return TEST_RESULT();
}
