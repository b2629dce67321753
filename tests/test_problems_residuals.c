/* Residuals of a scene's objective: what they add up to, their derivatives, deviations and losses,
 * and fits with gauss_newton. */
#include "cqopt/uncertainty.h"
#include "jacobian.h"
#include "residuals.h"
#include "test_problems_scene.h"

/* two soft blocks that fall; the markers of A were seen where they are not */
static const char scene_text[] =
    "simulation: { grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 40; gravity = [0, -4]; "
    "};\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: (\n"
    "  { name = \"A\"; material = \"soft\"; low = [0.3, 0.16]; size = [0.2, 0.2]; spacing = "
    "0.025;\n"
    "    velocity = [0.4, -1]; },\n"
    "  { name = \"B\"; material = \"soft\"; low = [0.7, 0.3]; size = [0.1, 0.1]; spacing = 0.025; "
    "}\n"
    ");\n"
    "design: (\n"
    "  { variable = \"initial_velocity\"; body = \"A\"; },\n"
    "  { variable = \"youngs_modulus\"; body = \"A\"; lower = 20; upper = 80; }\n"
    ");\n";

#define TRACKS                                                                                     \
  "samples = [[0, 1, 0.33, 0.33, 1], [0, 2, 0.45, 0.2, 1], [0.04, 1, 0.35, 0.29, 1], [0.04, 2, "   \
  "0.47, 0.17, 1], [0.08, 1, 0.37, 0.28, 2], [0.08, 2, 0.48, 0.16, 1]];"

static cq_status load(cq_ctx *ctx, const char *objective, cq_scene **scene) {
  static char text[8192];
  snprintf(text, sizeof text, "%sobjective: ( %s );\n", scene_text, objective);
  test_write_file("residuals.cfg", text);
  return cq_scene_load(ctx, "residuals.cfg", NULL, 0, scene);
}

static cq_scene *open_scene(cq_ctx *ctx, const char *objective) {
  cq_scene *scene = NULL;
  CHECK_MSG(load(ctx, objective, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

/* What a residual is said to be of gives it back, for a loss and scenarios, too; the samples of
 * TRACKS come in their order. */
static void check_told(cq_scene *s, const double *r) {
  const cq_problem *p = cq_scene_problem(s);
  const bool markers = strcmp(cq_scene_term_label(s, 0), "A.marker_distance") == 0;
  for (int i = 0; i < p->n_residuals; i++) {
    const cq_residual_info about = cq_scene_residual(s, i, r);
    CHECK(about.term != NULL && (about.component == i % 2 || about.component == -1));
    CHECK_NEAR(about.weight > 0 ? sqrt(about.weight) * (about.simulated - about.measured) : 0, r[i],
               1e-12);
    CHECK(!(about.weight > 0) || about.component < 0 ||
          (about.simulated > 0.1 && about.simulated < 0.9));
    if (markers && i < 8) {
      CHECK(about.marker == 1 + i / 2 % 2 && about.time == (i < 4 ? 0.04 : 0.08));
      CHECK(i != 3 || about.measured == 0.17);
    }
  }
  cq_residual_info about = {.struct_size = sizeof about};
  CHECK(cq_scene_get_residual(s, p->n_residuals, r, &about) == CQ_USAGE);
}

/* f is the sum of the squares to rounding, and twice J^T r its gradient, in the scene's steps and
 * in smaller ones, where a running term has more residuals. */
static void check_sum(const char *objective, int n_residuals, bool deviations) {
  const bool running = strstr(objective, "running") != NULL;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, objective);
  const cq_problem *p = cq_scene_problem(s);
  double r[256], jac[256 * 3], grad[3], f = 0.0, again = 0.0;
  CHECK_MSG(p->n_residuals == n_residuals, "%d residuals, not %d", p->n_residuals, n_residuals);
  CHECK(p->has_deviations == deviations && p->jacobian_cost == 6);
  for (int level = 0; level < 2 && p->n_residuals <= 256; level++) {
    double sum = 0.0;
    CHECK(p->refined(p->data, level, p->start, &f, NULL, grad, NULL) == CQ_OK);
    const cq_status status = p->residuals(p->data, level, p->start, &again, r, jac);
    CHECK(status == (running && level > 0 ? CQ_CONFIG : CQ_OK));
    if (status != CQ_OK) {
      continue;
    }
    CHECK(f == again);
    for (int i = 0; i < p->n_residuals; i++) {
      sum += r[i] * r[i];
    }
    CHECK_NEAR(sum, f, 1e-12 * f);
    check_told(s, r);
    for (int j = 0; j < 3; j++) {
      double slope = 0.0, size = 0.0;
      for (int i = 0; i < p->n_residuals; i++) {
        slope += 2.0 * r[i] * jac[i * 3 + j];
        size += fabs(2.0 * r[i] * jac[i * 3 + j]);
      }
      CHECK_NEAR(slope, grad[j], 1e-6 * size);
    }
  }
  cq_scene_destroy(s);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_sums(void) {
  check_sum("{ term = \"marker_distance\"; body = \"A\"; " TRACKS " }", 8, false);
  check_sum("{ term = \"marker_distance\"; body = \"A\"; weight = 3; " TRACKS " },\n"
            "{ term = \"distance\"; body = \"A\"; target = [0.5, 0.3]; weight = 0.5; when = "
            "\"running\"; },\n"
            "{ term = \"distance_between\"; body = \"A\"; to = \"B\"; weight = 0; }",
            8 + 80 + 2, false);
  check_sum("{ term = \"marker_distance\"; body = \"A\"; deviation = 2e-3; " TRACKS " },\n"
            "{ term = \"distance\"; body = \"A\"; target = [0.5, 0.3]; deviation = 0.01; }",
            10, true);
  check_sum("{ term = \"marker_distance\"; body = \"A\"; deviation = 2e-3; " TRACKS
            " } ); scenarios: { vary = ( { key = \"simulation.damping\"; values = [0, 1, 2]; } ); "
            "}; constraints: (",
            24, false);
  check_sum("{ term = \"marker_distance\"; body = \"A\"; deviation = 2e-3; weight = 2; " TRACKS "}",
            8, false);
}

/* Calibrations: their columns of the Jacobian are exact, and cost no runs. */
static void check_calibrated(const char *objective) {
  const char *design =
      "design = (\n"
      "  { variable = \"youngs_modulus\"; body = \"A\"; lower = 20; upper = 80; },\n"
      "  { variable = \"time_offset\"; lower = -0.01; upper = 0; start = -3e-3; },\n"
      "  { variable = \"view_rotation\"; start = 0.1; },\n"
      "  { variable = \"view_offset\"; start = 0.01; },\n"
      "  { variable = \"marker_offset\"; start = 0.002; })";
  static char text[8192];
  snprintf(text, sizeof text, "%sobjective: ( %s } );\n", scene_text, objective);
  test_write_file("residuals.cfg", text);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  CHECK_MSG(cq_scene_load(ctx, "residuals.cfg", &design, 1, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_problem *p = cq_scene_problem(s);
  double r[16], jac[16 * 9], grad[9], f = 0.0, again = 0.0, sum = 0.0;
  CHECK(p->n == 9 && p->n_residuals == 12 && p->jacobian_cost == 2);
  CHECK(p->eval(p->data, p->start, &f, NULL, grad, NULL) == CQ_OK);
  const long long before = cq_scene_statistics(s).simulations;
  CHECK(p->residuals(p->data, 0, p->start, &again, r, jac) == CQ_OK && f == again);
  CHECK(cq_scene_statistics(s).simulations == before + 2);
  for (int i = 0; i < p->n_residuals; i++) {
    sum += r[i] * r[i];
  }
  CHECK_NEAR(sum, f, 1e-12 * f);
  for (int j = 0; j < p->n; j++) {
    double slope = 0.0, size = 0.0;
    for (int i = 0; i < p->n_residuals; i++) {
      slope += 2.0 * r[i] * jac[i * p->n + j];
      size += fabs(2.0 * r[i] * jac[i * p->n + j]);
    }
    CHECK_MSG(fabs(slope - grad[j]) <= (j == 0 ? 1e-6 : 1e-12) * size, "%d: %g, not %g", j, slope,
              grad[j]);
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void test_calibrations(void) {
#define SEEN                                                                                       \
  "{ term = \"marker_distance\"; body = \"A\"; " TRACKS                                            \
  " rest_places = [[1, 0.331, 0.33], [2, 0.45, 0.202]]; "
  check_calibrated(SEEN "");
  check_calibrated(SEEN "deviation = 2e-3;");
  check_calibrated(SEEN "deviation = 2e-3; loss = \"cauchy\";");
  check_calibrated(SEEN "loss = \"huber\"; loss_size = 4e-3;");
  check_calibrated(SEEN "camera = [[1, 0, 0, 0], [0.1, 1, 0, 0], [0.1, 0.2, 0, 1]];");
}

static cq_status load_design(cq_ctx *ctx, const char *objective, const char *design,
                             cq_scene **scene) {
  static char text[8192];
  snprintf(text, sizeof text, "%sobjective: ( %s );\n", scene_text, objective);
  test_write_file("residuals.cfg", text);
  return cq_scene_load(ctx, "residuals.cfg", &design, 1, scene);
}

/* The body falls: its speed differs from step to step, but not the slope by the time at a state. */
static void test_clocks(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  const cq_status status = load_design(
      ctx, "{ term = \"marker_distance\"; samples = [[0, 1, 0.4, 0.3], [0.0401, 1, 0.5, 0.5]]; }",
      "design=({variable=\"time_offset\"; lower=-0.01; upper=0.01;})", &s);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_problem *p = cq_scene_problem(s);
  double f[3] = {0}, slope[3] = {0};
  for (int i = 0; i < 3; i++) { /* state 20 is at 0.04 s */
    const double x = -1e-4 + 1e-9 * (i - 1);
    CHECK(p->eval(p->data, &x, &f[i], NULL, &slope[i], NULL) == CQ_OK);
  }
  CHECK_NEAR(slope[0], slope[2], 1e-6 * fabs(slope[1]));
  CHECK_NEAR((f[2] - f[0]) / 2e-9, slope[1], 1e-5 * fabs(slope[1]));
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void refused_design(const char *objective, const char *design, const char *words) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  CHECK(load_design(ctx, objective, design, &s) == CQ_CONFIG && s == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), words) != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

static void test_bad_calibrations(void) {
#define PLAIN "{ term = \"marker_distance\"; body = \"A\"; label = \"left\"; " TRACKS " }"
#define OTHER ", { term = \"marker_distance\"; body = \"A\"; label = \"right\"; " TRACKS " }"
  refused_design(PLAIN, "design=({variable=\"time_offset\"; upper=1;})", "needs lower and upper");
  refused_design(PLAIN, "design=({variable=\"time_offset\"; lower=-0.001; upper=0.001;})",
                 "a sample at 0.08 would be outside of the run");
  refused_design(PLAIN, "design=({variable=\"view_offset\";})", "needs rest_positions of the term");
  refused_design(PLAIN, "design=({variable=\"marker_offset\"; term=\"lift\";})",
                 "no marker_distance term is called \"lift\"; did you mean \"left\"?");
  refused_design(PLAIN OTHER, "design=({variable=\"marker_offset\";})",
                 "there are several marker_distance terms: say which");
  refused_design("{ term = \"distance\"; body = \"A\"; target = [0.5, 0.3]; }",
                 "design=({variable=\"marker_offset\";})", "needs a marker_distance term");
  refused_design(
      PLAIN, "design=({variable=\"marker_offset\";},{variable=\"marker_offset\"; term=\"left\";})",
      "is designed by an earlier block already");
}

/* Beyond loss_size: linear, or logarithmic; within it the square, nearly. */
static void test_losses(void) {
  check_sum(
      "{ term = \"marker_distance\"; body = \"A\"; loss = \"huber\"; loss_size = 4e-3; " TRACKS
      " }",
      8, false);
  check_sum(
      "{ term = \"marker_distance\"; body = \"A\"; loss = \"cauchy\"; deviation = 2e-3; " TRACKS
      " }",
      8, true);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const at = "{ term = \"distance\"; body = \"B\"; target = [0.75, 1.337264]; "
                         "loss = \"%s\"; loss_size = 0.1; }";
  const char *const losses[] = {"squares", "huber", "cauchy"};
  double f[3] = {0};
  for (int i = 0; i < 3; i++) {
    char text[256];
    snprintf(text, sizeof text, at, losses[i]);
    if (i == 0) {
      *strstr(text, "loss_size") = '}';
      *(strchr(text, '}') + 1) = '\0';
    }
    cq_scene *s = open_scene(ctx, text);
    const cq_problem *p = cq_scene_problem(s);
    CHECK(p->eval(p->data, p->start, &f[i], NULL, NULL, NULL) == CQ_OK);
    cq_scene_destroy(s);
  }
  CHECK_NEAR(f[1], 0.2 * sqrt(f[0]) - 0.01, 1e-12);
  CHECK_NEAR(f[2], 0.01 * log(1 + f[0] / 0.01), 1e-12);
  cq_ctx_destroy(ctx);
}

/* Patches that are alike: the squares of their differences are part of f, its gradient and its
 * residuals, of the logarithm where that is what the optimizer changes. */
static void check_smooth(const char *keys, int pairs, bool logarithm) {
  enum { PATCHES = 6, DEVIATION = 2 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  char design[256];
  cq_scene *s[2] = {NULL};
  double x[PATCHES], f[2], grad[2][PATCHES], r[64], jac[64 * PATCHES], sum = 0.0;
  for (int k = 0; k < 2; k++) {
    snprintf(design, sizeof design,
             "design=({variable=\"youngs_modulus\"; body=\"A\"; per=\"patch\"; lower=20; upper=80; "
             "%s %s})",
             keys, k > 0 ? "smoothness = 2;" : "");
    static char text[8192];
    snprintf(text, sizeof text, "%sobjective: ( %s );\n", scene_text,
             "{ term = \"marker_distance\"; body = \"A\"; deviation = 2e-3; " TRACKS " }");
    test_write_file("smooth.cfg", text);
    const char *const sets[] = {design};
    CHECK_MSG(cq_scene_load(ctx, "smooth.cfg", sets, 1, &s[k]) == CQ_OK, "%s", cq_ctx_error(ctx));
    const cq_problem *p = cq_scene_problem(s[k]);
    for (int j = 0; j < PATCHES; j++) {
      x[j] = p->start[j] + (logarithm ? 0.01 : 1) * j * j;
    }
    CHECK(p->n == PATCHES && p->n_residuals == 8 + (k > 0 ? pairs : 0) && p->has_deviations);
    CHECK(p->eval(p->data, x, &f[k], NULL, grad[k], NULL) == CQ_OK);
  }
  const cq_problem *p = cq_scene_problem(s[1]);
  double again = NAN, prior = 0.0;
  CHECK(p->residuals(p->data, 0, x, &again, r, jac) == CQ_OK && again == f[1]);
  check_told(s[1], r);
  for (int i = 0; i < 8 + pairs; i++) {
    sum += r[i] * r[i];
    prior += i >= 8 ? r[i] * r[i] : 0.0;
    for (int j = 0; j < PATCHES && i >= 8; j++) {
      const double step = jac[i * PATCHES + j] * DEVIATION;
      CHECK(fabs(step) < 1e-6 || fabs(fabs(step) - 1) < 1e-6);
      grad[0][j] += 2 * r[i] * jac[i * PATCHES + j];
    }
  }
  CHECK(prior > 0);
  CHECK_NEAR(f[1] - f[0], prior, 1e-12 * f[1]);
  CHECK_NEAR(sum, f[1], 1e-12 * f[1]);
  for (int j = 0; j < PATCHES; j++) {
    CHECK_NEAR(grad[1][j], grad[0][j], 1e-6 * fabs(grad[1][j]) + 1e-6);
  }
  const cq_residual_info about = cq_scene_residual(s[1], 8, r);
  CHECK(strcmp(about.term, "smoothness of A.youngs_modulus") == 0 && about.component == -1);
  CHECK_NEAR(about.simulated, x[2] - x[0], 1e-12); /* [0][0] and [1][0] */
  for (int k = 0; k < 2; k++) {
    cq_scene_destroy(s[k]);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Two scenarios have their data each, and one prior. */
static void check_smooth_scenarios(void) {
  enum { N = 6, PAIRS = 7, M = 2 * 8 + PAIRS };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  const char *const sets[] = {
      "design=({variable=\"youngs_modulus\"; body=\"A\"; per=\"patch\"; patches=[3,2]; lower=20; "
      "upper=80; smoothness=2;})",
      "scenarios={vary=({key=\"simulation.damping\"; values=[0, 1];});}"};
  double x[N], r[M], jac[M * N], grad[N], f[2], sum = 0.0;
  CHECK_MSG(cq_scene_load(ctx, "smooth.cfg", sets, 2, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_problem *p = cq_scene_problem(s);
  for (int j = 0; j < N; j++) {
    x[j] = p->start[j] + j * j;
  }
  CHECK_MSG(p->n_residuals == M, "%d residuals", p->n_residuals);
  CHECK(p->eval(p->data, x, &f[0], NULL, grad, NULL) == CQ_OK);
  CHECK(p->residuals(p->data, 0, x, &f[1], r, jac) == CQ_OK && f[0] == f[1]);
  check_told(s, r);
  for (int i = 0; i < M; i++) {
    const cq_residual_info about = cq_scene_residual(s, i, r);
    CHECK(about.scenario == (i < 8 ? 0 : i < 16 ? 1 : -1));
    sum += r[i] * r[i];
  }
  CHECK_NEAR(sum, f[0], 1e-12 * f[0]);
  for (int j = 0; j < N; j++) {
    double slope = 0.0;
    for (int i = 0; i < M; i++) {
      slope += 2.0 * r[i] * jac[i * N + j];
    }
    CHECK_NEAR(slope, grad[j], 1e-6 * fabs(grad[j]) + 1e-6);
  }
  cq_scene_destroy(s);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_smoothness(void) {
  check_smooth("patches = [3, 2];", 7, false);
  check_smooth("patches = [3, 2]; transform = \"log\";", 7, true);
  check_smooth("patches = [3, 2]; interpolation = \"linear\";", 7, false);
  check_smooth_scenarios();
}

/* The Jacobian by differences and by adjoint sweeps, which agree, and products with its transpose.
 */
static void check_ways(const char *objective, const char *design, double cost) {
  enum { MOST = 2048 };
  static double jac[2][MOST], r[64], w[128], rows[128];
  const char *const ways[] = {"optimizer.jacobian=differences", "optimizer.jacobian=adjoint",
                              "optimizer.jacobian=auto"};
  cq_ctx *ctx = cq_ctx_create(2, 1);
  static char text[8192];
  int n = 0, m = 0;
  double costs[3] = {0};
  snprintf(text, sizeof text, "%sobjective: ( %s );\n", scene_text, objective);
  test_write_file("ways.cfg", text);
  for (int k = 0; k < 3; k++) {
    const char *const sets[] = {ways[k], design};
    cq_scene *s = NULL;
    CHECK_MSG(cq_scene_load(ctx, "ways.cfg", sets, 2, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
    const cq_problem *p = cq_scene_problem(s);
    double f = NAN;
    n = p->n;
    m = p->n_residuals;
    costs[k] = p->jacobian_cost;
    CHECK(m <= 64 && n <= 64 && m * n <= MOST);
    if (k < 2) {
      CHECK(p->residuals(p->data, 0, p->start, &f, r, jac[k]) == CQ_OK);
    }
    for (int i = 0; i < m; i++) {
      w[i] = sin(i);
      w[m + i] = r[i];
    }
    CHECK(k != 1 || cq_jacobian_pull(s, p->start, 2, w, rows) == CQ_OK);
    cq_scene_destroy(s);
  }
  CHECK(costs[2] == fmin(costs[0], costs[1]) && costs[2] == cost);
  for (int j = 0; j < n; j++) {
    double size = 0.0, products[2] = {0};
    for (int i = 0; i < m; i++) {
      size = hypot(size, jac[1][i * n + j]);
      products[0] += w[i] * jac[1][i * n + j];
      products[1] += w[m + i] * jac[1][i * n + j];
    }
    CHECK_NEAR(products[0], rows[j], 1e-11 * size * sqrt(m));
    CHECK_NEAR(products[1], rows[n + j], 1e-11 * size * sqrt(m));
    for (int i = 0; i < m; i++) {
      CHECK_MSG(fabs(jac[0][i * n + j] - jac[1][i * n + j]) <= 1e-6 * size,
                "residual %d by variable %d: %g and %g", i, j, jac[0][i * n + j],
                jac[1][i * n + j]);
    }
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* A field of a hundred patches with a prior, seen by two markers: by sweeps the minimum that
 * differences find, for a part of their cost. */
static void check_many_patches(void) {
  enum { N = 100 };
  const char *const design = "design=({variable=\"youngs_modulus\"; body=\"A\"; per=\"patch\"; "
                             "patches=[10, 10]; lower=20; "
                             "upper=80; smoothness=3;})";
  const char *const ways[] = {"optimizer.jacobian=auto", "optimizer.jacobian=differences"};
  static char text[8192];
  static double x[N];
  double f[2] = {NAN, NAN}, runs[2] = {0};
  snprintf(text, sizeof text, "%sobjective: ( %s );\n", scene_text,
           "{ term = \"marker_distance\"; body = \"A\"; deviation = 1e-3; " TRACKS " }");
  test_write_file("field.cfg", text);
  for (int k = 0; k < 2; k++) {
    const char *const sets[] = {design, ways[k], "optimizer.name=gauss_newton",
                                "bodies.[0].spacing=\"1/60\""};
    cq_ctx *ctx = cq_ctx_create(2, 1);
    cq_scene *s = NULL;
    CHECK_MSG(cq_scene_load(ctx, "field.cfg", sets, 4, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
    const cq_problem *p = cq_scene_problem(s);
    cq_result result;
    CHECK(p->n == N && s->jacobian.by_sweeps == (k == 0) && s->jacobian.measured == 8);
    cq_optimize(ctx, p, cq_scene_optimizer(s), NULL, NULL, x, NULL, &result);
    CHECK_MSG(result.status == CQ_OK, "%s", result.reason);
    f[k] = result.f;
    const cq_scene_stats did = cq_scene_statistics(s);
    runs[k] = (double)did.simulations + (k == 0 ? p->jacobian_cost * (double)did.gradients : 0);
    cq_scene_destroy(s);
    cq_ctx_destroy(ctx);
  }
  CHECK_NEAR(f[0], f[1], 1e-6 * f[0]);
  printf("     %g forward runs by %s\n", runs[0], "sweeps");
  printf("     %g forward runs by %s\n", runs[1], "differences");
  CHECK(runs[0] < 0.25 * runs[1]);
}

/* A field has more variables than there are samples: sweeps are cheaper. */
static void test_ways(void) {
#define FIELD                                                                                      \
  "design=({variable=\"youngs_modulus\"; body=\"A\"; per=\"patch\"; patches=[4, 4]; lower=20; "    \
  "upper=80; smoothness=10;})"
  check_ways("{ term = \"marker_distance\"; body = \"A\"; deviation = 2e-3; " TRACKS " }", FIELD,
             17);
  check_ways(
      "{ term = \"marker_distance\"; body = \"A\"; deviation = 2e-3; loss = \"cauchy\"; " TRACKS
      " rest_places = [[1, 0.331, 0.33], [2, 0.45, 0.202]]; }",
      "design=({variable=\"youngs_modulus\"; body=\"A\"; lower=20; "
      "upper=80;},{variable=\"time_offset\"; "
      "lower=-0.01; upper=0; start=-3e-3;},{variable=\"marker_offset\"; start=0.002;})",
      2);
  check_ways(
      "{ term = \"marker_distance\"; body = \"A\"; loss = \"huber\"; loss_size = 4e-3; " TRACKS
      " },\n{ term = \"distance\"; body = \"A\"; target = [0.5, 0.3]; weight = 0.5; },\n"
      "{ term = \"distance_between\"; body = \"A\"; to = \"B\"; }",
      FIELD, 25);
  check_many_patches();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  const char *const sets[] = {"optimizer.jacobian=adjoint", "simulation.gradient=difference"};
  CHECK(cq_scene_load(ctx, "ways.cfg", sets, 2, &s) == CQ_CONFIG &&
        strstr(cq_ctx_error(ctx), "no adjoint sweeps") != NULL);
  cq_ctx_destroy(ctx);
}

static void refused(const char *objective, const char *words) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  const cq_status status = load(ctx, objective, &s);
  CHECK_MSG(status == CQ_CONFIG && strstr(cq_ctx_error(ctx), words) != NULL, "%s",
            cq_ctx_error(ctx));
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* what gauss_newton says to an objective */
static void not_squares(const char *objective, const char *words) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, objective);
  cq_optimizer_def def = *cq_scene_optimizer(s);
  def.name = "gauss_newton";
  CHECK(cq_optimizer_accepts(ctx, &def, cq_scene_problem(s)) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), words) != NULL, "%s", cq_ctx_error(ctx));
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void test_what_is_refused(void) {
#define AT "{ term = \"distance\"; body = \"A\"; target = [0.5, 0.3]; "
  refused(AT "loss = \"huber\"; }", "loss_size: is missing");
  refused(AT "loss_size = 0.1; }", "loss_size: is the size of a loss");
  refused(AT "loss = \"cauchy\"; loss_size = 0.1; squared = false; }", "leave out squared = false");
  refused(AT "}); constraints: (" AT "deviation = 0.1; upper = 1; }",
          "deviation belongs to the objective");
  not_squares(AT "squared = false; }", "\"A.distance\" is none with squared = false");
  not_squares(AT "weight = -1; }", "\"A.distance\" is none with a negative weight");
  not_squares(AT "}, { term = \"height\"; body = \"B\"; }",
              "\"B.height\" is none; marker_distance, distance");
  not_squares(AT "}", "2 residuals cannot tell 3 variables");
  not_squares(AT "}, " AT
                 "}); scenarios: { vary: ( { key = \"simulation.damping\"; values = [0, 1]; "
                 "} ); combine = \"worst\"; }; constraints: (",
              "scenarios.combine");
}

int main(void) {
  RUN(test_sums);
  RUN(test_calibrations);
  RUN(test_clocks);
  RUN(test_bad_calibrations);
  RUN(test_losses);
  RUN(test_smoothness);
  RUN(test_ways);
  RUN(test_what_is_refused);
  return TEST_RESULT();
}
