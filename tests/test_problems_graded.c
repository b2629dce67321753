/* Gradients of every grade, by the engine of springs, which has them all, and differences by MPM:
 * what they are, what a scene says of them, and that nobody who asks for one that is not there gets
 * further than a sentence. */
#include "scene.h"
#include "test_problems_scene.h"

#include <stdlib.h>

/* Four variables, one of them on its lower bound, and a constraint. */
static const char *const springs =
    "simulation: { engine = \"spring\"; dimension = 2; high_corner = [1.15, 1.15]; reach = 0.075;\n"
    "  time_step = 2e-3; steps = 40; gravity = [0, -2]; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.3]; size = [0.15, 0.15];\n"
    "  spacing = 0.05; spin = 2; } );\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; lower = -8; upper = 8;\n"
    "    start = [0.5, 2]; },\n"
    "  { variable = \"density\"; body = \"A\"; lower = 1; upper = 2; },\n"
    "  { variable = \"damping\"; lower = 0; upper = 1; start = 1; } );\n"
    "objective: ( { term = \"distance\"; body = \"A\"; target = [0.45, 0.4]; },\n"
    "  { term = \"mean_square_velocity\"; weight = 1e-3; when = \"running\"; } );\n"
    "constraints: ( { term = \"mean_position\"; body = \"A\"; direction = \"y\"; upper = 0.39; } "
    ");\n"
    "optimizer: { name = \"LD_SLSQP\"; max_evaluations = 60; };\n";

/* of those the first two, whose optimum is one point */
static const char *const throws = "design=({variable=\"initial_velocity\"; body=\"A\"; lower=-8; "
                                  "upper=8; start=[0.5, 2];})";

/* the same by MPM */
#define AS_MPM                                                                                     \
  "simulation={engine=\"mpm\"; dimension=2; grid=[24, 24]; cell=0.05; time_step=2e-3; steps=40; "  \
  "gravity=[0, -2];}"

static cq_scene *load(cq_ctx *ctx, const char *text, const char *const *sets, int n_sets) {
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load_text(ctx, "my.cfg", ".", text, sets, n_sets, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

static void close_scene(cq_ctx *ctx, cq_scene *scene) {
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void check_refused(cq_ctx *ctx, cq_status status, const char *words) {
  CHECK_MSG(status == CQ_CONFIG && strstr(cq_ctx_error(ctx), words) != NULL, "%s",
            cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
}

/* values as ever, and no gradient, by any way to one */
static void check_none(const char *scenarios) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const sets[] = {"simulation.gradient=none", scenarios};
  cq_scene *scene = load(ctx, springs, sets, scenarios != NULL ? 2 : 1);
  const cq_problem *p = cq_scene_problem(scene);
  double f = NAN, c[3], *grad = calloc((size_t)p->n * 4, sizeof *grad);
  cq_gradcheck check;
  cq_contact_summary contacts = {.struct_size = sizeof contacts};
  CHECK(p->gradient == CQ_GRADIENT_NONE);
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK && isfinite(f));
  check_refused(ctx, p->eval(p->data, p->start, &f, c, grad, grad + p->n), "no adjoint sweep");
  check_refused(ctx, p->refined(p->data, 1, p->start, &f, c, grad, grad + p->n),
                "no adjoint sweep");
  check_refused(ctx, cq_scene_write_adjoint(scene, 0, NULL, "none.csv", &contacts),
                "no adjoint sweep");
  check_refused(ctx, cq_gradcheck_block(ctx, p, p->start, -1, 0, 1, 1e-5, &check),
                "no gradient to check");
  cq_optimizer_def def = cq_optimizer_default();
  def.name = "LD_SLSQP";
  check_refused(ctx, cq_optimizer_accepts(ctx, &def, p), "needs a gradient");
  CHECK(isnan(cq_scene_gradient_health(scene).rate));
  free(grad);
  close_scene(ctx, scene);
}

static void test_none(void) {
  check_none(NULL);
  check_none("scenarios={vary=({key=\"bodies.[0].spin\"; values=[2, 1];});}");
}

/* What the optimizer makes of a scene with these settings. */
static cq_result solve(const char *text, const char *const *sets, int n_sets, int threads,
                       double *x, cq_scene_stats *stats) {
  cq_ctx *ctx = cq_ctx_create(threads, 1);
  cq_scene *scene = load(ctx, text, sets, n_sets);
  cq_result result;
  cq_optimize(ctx, cq_scene_problem(scene), cq_scene_optimizer(scene), NULL, NULL, x, NULL,
              &result);
  *stats = cq_scene_statistics(scene);
  close_scene(ctx, scene);
  return result;
}

/* Each grade that proves leads to the same optimum; the label and the tolerance say by what. */
static void test_the_same_optimum(void) {
  static const char *const words[] = {"simulation.gradient=exact", "simulation.gradient=tangent",
                                      "simulation.gradient=difference"};
  double x[3][2] = {{0}};
  long long values = 0;
  for (int i = 0; i < 3; i++) {
    const char *const sets[] = {words[i], throws};
    cq_scene_stats stats;
    const cq_result r = solve(springs, sets, 2, 1, x[i], &stats);
    CHECK_MSG(r.status == CQ_OK, "%s: %s", words[i], r.reason);
    CHECK_MSG((strstr(r.reason, "verified optimum by differences: ") != NULL) == (i == 2) &&
                  (strstr(r.reason, "<= 0.001, ") != NULL) == (i == 2),
              "%s", r.reason);
    for (int j = 0; j < 2; j++) {
      CHECK_NEAR(x[i][j], x[0][j], 1e-3);
    }
    /* a value each, and two beside it for each variable and gradient */
    values = stats.simulations - (i == 2 ? 4LL * r.gradients : 0);
    CHECK_MSG(values <= r.simulations && values >= r.evaluations && stats.gradients == r.gradients,
              "%s: %lld simulations of values, %d evaluations", words[i], values, r.evaluations);
  }
}

/* MPM's optimum by differences, and the same bits by any number of threads. */
static void test_mpm(void) {
  static const char *const sets[] = {AS_MPM, "materials.[0].poisson_ratio=0.3", "constraints=unset",
                                     throws, "simulation.gradient=difference"};
  double exact[2], x[2], again[2];
  cq_scene_stats stats;
  CHECK(solve(springs, sets, 4, 1, exact, &stats).status == CQ_OK);
  const cq_result one = solve(springs, sets, 5, 1, x, &stats);
  CHECK_MSG(one.status == CQ_OK && strstr(one.reason, "by differences") != NULL, "%s", one.reason);
  for (int threads = 2; threads <= 4; threads++) {
    const cq_result many = solve(springs, sets, 5, threads, again, &stats);
    CHECK(memcmp(x, again, sizeof x) == 0 && many.f == one.f &&
          many.evaluations == one.evaluations && many.kkt_residual == one.kkt_residual);
  }
  for (int j = 0; j < 2; j++) {
    CHECK_NEAR(x[j], exact[j], 1e-4);
  }
}

/* On a bound and within a step of it differences look the other way, and are no worse there. */
static void test_bounds(void) {
  static const char *const words[] = {"simulation.gradient=exact", "simulation.gradient=difference",
                                      "simulation.difference_step=1e-4"};
  double gradients[2][8];
  const double at[][4] = {{-8, 2, 1, 0}, {8, 8, 2, 1}, {7.9999, -7.9995, 1 + 3e-5, 1 - 2e-5}};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 2; i++) {
      cq_ctx *ctx = cq_ctx_create(2, 1);
      cq_scene *scene = load(ctx, springs, &words[i], 1 + i);
      const cq_problem *p = cq_scene_problem(scene);
      double f = NAN, c = NAN;
      CHECK_MSG(p->eval(p->data, at[k], &f, &c, gradients[i], gradients[i] + 4) == CQ_OK, "%s",
                cq_ctx_error(ctx));
      close_scene(ctx, scene);
    }
    for (int j = 0; j < 8; j++) {
      CHECK_NEAR(gradients[1][j], gradients[0][j], 2e-6 * fabs(gradients[0][j]) + 1e-9);
    }
  }
}

/* A step that is lost in rounding is refused. With one that is nearly so, or wide, what is called
 * verified is the optimum. */
static void test_no_false_optimum(void) {
  static const char *const steps[] = {
      "simulation.difference_step=1e-15",  "simulation.difference_step=1e-14",
      "simulation.difference_step=1e-13",  "simulation.difference_step=1e-12",
      "simulation.difference_step=1e-10",  "simulation.difference_step=1e-3",
      "simulation.difference_step=0.0011", "simulation.difference_step=0.25"};
  static const char *const modes[] = {"optimizer.verify=probe", "optimizer.verify=residual"};
  double exact[2], x[2];
  cq_scene_stats stats;
  CHECK(solve(springs, &throws, 1, 1, exact, &stats).status == CQ_OK);
  for (int i = 0; i < 16; i++) {
    const char *const sets[] = {throws, "simulation.gradient=difference", steps[i / 2],
                                modes[i % 2], "optimizer.allow_heuristic=true"};
    const cq_result r = solve(springs, sets, 5, 1, x, &stats);
    const double off = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
    printf("  %s, %s: off by %.2g: %s\n", steps[i / 2], modes[i % 2], off, r.reason);
    CHECK_MSG(r.status != CQ_OK || off < 2e-2, "%s: off by %g: %s", steps[i / 2], off, r.reason);
    CHECK((i / 2 < 6 && i / 2 > 3) == (r.status == CQ_OK) || i / 2 < 4);
    CHECK((strstr(r.reason, "heuristic") != NULL) == (i / 2 > 5));
  }
  static const char *const lost[] = {"simulation.gradient=difference",
                                     "simulation.difference_step=1e-18"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  check_refused(ctx, cq_scene_load_text(ctx, "my.cfg", ".", springs, lost, 2, &scene),
                "is lost in the rounding of variable 0");
  cq_ctx_destroy(ctx);
}

/* A design beside x that cannot be simulated: the gradient fails as that does, and says so. */
static void test_failure_beside(void) {
  static const char *const sets[] = {
      AS_MPM,
      "materials.[0].poisson_ratio=0.3",
      "constraints=unset",
      "simulation.gradient=difference",
      "simulation.difference_step=0.2",
      "design=({variable=\"initial_velocity\"; body=\"A\"; lower=-80; "
      "upper=80; start=[0.5, 2]; scale=160;})"};
  for (int threads = 1; threads <= 3; threads += 2) {
    cq_ctx *ctx = cq_ctx_create(threads, 1);
    cq_scene *scene = load(ctx, springs, sets, 6);
    const cq_problem *p = cq_scene_problem(scene);
    double f = NAN, grad[2];
    CHECK(p->eval(p->data, p->start, &f, NULL, NULL, NULL) == CQ_OK);
    CHECK(p->eval(p->data, p->start, &f, NULL, grad, NULL) == CQ_TOO_FAST);
    CHECK_MSG(strstr(cq_ctx_error(ctx), "cells in one step") != NULL, "%s", cq_ctx_error(ctx));
    CHECK(cq_scene_write_failed_state(scene, "beside.csv") == CQ_OK);
    cq_ctx_clear_error(ctx);
    CHECK(p->eval(p->data, p->start, &f, NULL, NULL, NULL) == CQ_OK);
    close_scene(ctx, scene);
  }
}

/* every run without a gradient ends as one, with a point and without a residual */
static void test_solve(void) {
  static const char *const sets[] = {"simulation.gradient=none", "optimizer.name=LN_COBYLA",
                                     "optimizer.max_evaluations=8"};
  double x[4];
  cq_scene_stats stats;
  const cq_result r = solve(springs, sets, 3, 1, x, &stats);
  CHECK_MSG(r.has_point && isnan(r.kkt_residual) && r.gradients == 0 &&
                (strstr(r.reason, "without a gradient") != NULL || r.status == CQ_INFEASIBLE),
            "%s", r.reason);
}

/* Many variables are said to be dear, by the engine's forward mode. */
static void test_many_variables(void) {
  static const char *const sets[] = {"simulation.gradient=tangent", "bodies.[0].spacing=0.015",
                                     "simulation.time_step=2e-4",
                                     "design.[1]={variable=\"density\"; body=\"A\"; "
                                     "per=\"particle\"; lower=1; upper=2;}"};
  test_log log = {""};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_ctx_set_log(ctx, test_log_line, &log);
  cq_scene *scene = load(ctx, springs, sets, 4);
  CHECK_MSG(strstr(log.text, "costs as much as 105 simulations") != NULL, "%s", log.text);
  CHECK(cq_scene_optimizer(scene)->gradient_cost == 105);
  /* they go a part at a time; each is what it is alone */
  double gradients[2][128], f = NAN, c = NAN, jac[2][128];
  for (int i = 0; i < 2; i++) {
    cq_scene *one = load(ctx, springs, sets + i, 4 - i);
    const cq_problem *p = cq_scene_problem(one);
    CHECK(p->n == 103 &&
          p->gradient == (i == 0 ? CQ_GRADIENT_EXACT_TANGENT : CQ_GRADIENT_EXACT_REVERSE));
    CHECK(p->eval(p->data, p->start, &f, &c, gradients[i], jac[i]) == CQ_OK);
    cq_scene_destroy(one);
  }
  for (int j = 0; j < 103; j++) {
    CHECK_NEAR(gradients[0][j], gradients[1][j], 1e-12);
    CHECK_NEAR(jac[0][j], jac[1][j], 1e-12);
  }
  close_scene(ctx, scene);
}

/* A stop between the runs of a gradient. */
static void test_stop(void) {
  static const char *const sets[] = {"simulation.gradient=difference"};
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = load(ctx, springs, sets, 1);
  const cq_problem *p = cq_scene_problem(scene);
  double f = NAN, c = NAN, grad[4], jac[4];
  cq_ctx_request_stop(ctx, CQ_INTERRUPTED);
  CHECK(p->eval(p->data, p->start, &f, &c, grad, jac) == CQ_INTERRUPTED);
  close_scene(ctx, scene);
}

/* Every scenario has its own differences; the mean's are their mean, by any number of threads. */
static void test_scenarios(void) {
  static const char *const sets[] = {
      "scenarios={vary=({key=\"bodies.[0].spin\"; values=[2, 1];});}",
      "simulation.gradient=difference"};
  double gradients[3][4], f[3] = {0}, c[3] = {0}, jac[3][4];
  for (int i = 0; i < 3; i++) {
    cq_ctx *ctx = cq_ctx_create(i, 1);
    cq_scene *scene = load(ctx, springs, sets, i == 0 ? 1 : 2);
    const cq_problem *p = cq_scene_problem(scene);
    CHECK(p->eval(p->data, p->start, &f[i], &c[i], gradients[i], jac[i]) == CQ_OK);
    CHECK(cq_scene_statistics(scene).simulations == (i == 0 ? 2 : 2 * 9));
    close_scene(ctx, scene);
  }
  CHECK(memcmp(gradients[1], gradients[2], sizeof *gradients) == 0);
  for (int j = 0; j < 4; j++) {
    CHECK_NEAR(gradients[1][j], gradients[0][j], 1e-8);
    CHECK_NEAR(jac[1][j], jac[0][j], 1e-8);
  }
}

int main(void) {
  RUN(test_none);
  RUN(test_solve);
  RUN(test_the_same_optimum);
  RUN(test_mpm);
  RUN(test_bounds);
  RUN(test_no_false_optimum);
  RUN(test_failure_beside);
  RUN(test_many_variables);
  RUN(test_stop);
  RUN(test_scenarios);
  return TEST_RESULT();
}
