/* Terms of energies and stresses in a problem file: the groups they make, their values over a run,
 * and every gradient, at the end and over time, in the objective and in constraints. */
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
  const unsigned volume = CQ_OBSERVE_VOLUME, energy = CQ_OBSERVE_ENERGY, stress = CQ_OBSERVE_STRESS;
  const struct {
    unsigned quantities;
    double exponent;
  } expected[] = {{stress, 8.0}, {energy | volume | stress, 8.0}, {stress, 20.0}, {0, 0.0}};
  CHECK(scene->model.n_groups == 4); /* all, the bar, the bar with another norm, the other body */
  for (int i = 0; i < 4 && i < scene->model.n_groups; i++) {
    CHECK(scene->model.groups[i].quantities == expected[i].quantities);
    CHECK_NEAR(scene->model.groups[i].stress_exponent, expected[i].exponent, 0);
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

int main(void) {
  RUN(groups);
  RUN(every_gradient);
  RUN(free_flight);
  return TEST_RESULT();
}
