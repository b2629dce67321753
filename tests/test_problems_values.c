/* What design variables mean: values of particles under interpolation, filters, mirrored ties,
 * transforms and poses; and what is refused. */
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <math.h>

/* A and B of TEST_SCENE; here the design is the test's, and B is a second box like A, to its right
 */
static const char *with_design(const char *design) {
  static char text[16384];
  const char *scene = TEST_SCENE, *begin = strstr(scene, "design: ("),
             *end = strstr(scene, "objective:");
  snprintf(text, sizeof text, "%.*sdesign: ( %s );\n%s", (int)(begin - scene), scene, design, end);
  return text;
}

static cq_scene *open_design(cq_ctx *ctx, const char *design) {
  static const char *const sets[] = {"bodies.[1].low=[0.5,0.16]", "bodies.[1].size=[0.2,0.2]",
                                     "bodies.[1].count=[8,8]"};
  cq_scene *scene = NULL;
  const cq_status status =
      cq_scene_load_text(ctx, "values", ".", with_design(design), sets, 3, &scene);
  CHECK_MSG(status == CQ_OK, "%s: %s", design, cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

typedef struct fixture {
  cq_ctx *ctx;
  cq_scene *scene;
  double *x, *inputs;
  const double *at; /* positions without a design */
} fixture;

static fixture begin(const char *design) {
  fixture f = {.ctx = cq_ctx_create(1, 1)};
  f.scene = open_design(f.ctx, design);
  f.x = calloc((size_t)f.scene->design.n, sizeof *f.x);
  f.inputs = calloc(f.scene->layout.total, sizeof *f.inputs);
  f.at = f.scene->inputs + f.scene->layout.offset[CQ_INPUT_x];
  return f;
}

static const double *apply(fixture *f, int input) {
  memcpy(f->inputs, f->scene->inputs, f->scene->layout.total * sizeof *f->inputs);
  cq_design_apply(&f->scene->design, f->x, f->inputs);
  return f->inputs + f->scene->layout.offset[input];
}

static void end(fixture f) {
  free(f.x);
  free(f.inputs);
  cq_scene_destroy(f.scene);
  CHECK(cq_ctx_bytes(f.ctx) == 0);
  cq_ctx_destroy(f.ctx);
}

/* variable [i][j] of patches = [4, 2] holds the particles of its quarter and half */
static void patches_are_where_they_say(void) {
  fixture f = begin("{ variable = \"density\"; body = \"A\"; per = \"patch\"; patches = [4, 2]; "
                    "lower = 0.1; upper = 100; }");
  CHECK(f.scene->design.n == 8);
  for (int j = 0; j < 8; j++) {
    char label[64], expected[64];
    cq_scene_variable_label(f.scene, j, label, sizeof label);
    snprintf(expected, sizeof expected, "A.density[%d][%d]", j / 2, j % 2);
    CHECK_STR(label, expected);
    f.x[j] = 1 + j;
  }
  const double *density = apply(&f, CQ_INPUT_density);
  for (int p = 0; p < 64; p++) {
    const int i = (int)((f.at[2 * p] - 0.2) / 0.05), j = (int)((f.at[2 * p + 1] - 0.16) / 0.1);
    CHECK_NEAR(density[p], 1 + 2 * i + j, 0);
  }
  CHECK_NEAR(density[64], 1, 0); /* of B, as it was */
  end(f);
}

/* a lattice reproduces what is linear along each axis */
static void lattices_interpolate(void) {
  fixture f = begin("{ variable = \"density\"; body = \"A\"; per = \"patch\"; patches = [3, 2]; "
                    "interpolation = \"linear\"; lower = 0.1; upper = 100; }");
  CHECK(f.scene->design.n == 6);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 2; j++) {
      f.x[2 * i + j] = 3 + 2.0 * i + 5.0 * j + 0.5 * i * j;
    }
  }
  const double *density = apply(&f, CQ_INPUT_density);
  for (int p = 0; p < 64; p++) {
    const double s = (f.at[2 * p] - 0.2) / 0.1, t = (f.at[2 * p + 1] - 0.16) / 0.2;
    CHECK_NEAR(density[p], 3 + 2 * s + 5 * t + 0.5 * s * t, 1e-13);
  }
  end(f);
}

/* where a disc has no particle there is no variable */
static void empty_patches_have_no_variables(void) {
  fixture f =
      begin("{ variable = \"density\"; body = \"C\"; per = \"patch\"; patches = 12; lower = "
            "0.1; upper = 100; }");
  const int n = f.scene->design.n;
  CHECK(n > 20 && n <= 60);
  for (int j = 0; j < n; j++) {
    f.x[j] = 1 + j;
  }
  const double *density = apply(&f, CQ_INPUT_density);
  int seen[64] = {0};
  for (int p = f.scene->bodies[2].first; p < f.scene->bodies[2].first + 60; p++) {
    seen[(int)density[p]]++;
  }
  for (int j = 0; j < n; j++) {
    CHECK(seen[1 + j] > 0);
  }
  end(f);
}

/* the filter against its formula, over all pairs of particles of C */
static void filters_are_weighted_means(void) {
  fixture f =
      begin("{ variable = \"density\"; body = \"C\"; per = \"particle\"; filter_radius = 1.2; "
            "lower = 0.1; upper = 100; }");
  const int first = f.scene->bodies[2].first, n = 60;
  for (int j = 0; j < n; j++) {
    f.x[j] = 1 + j % 7;
  }
  const double *density = apply(&f, CQ_INPUT_density), R = 1.2 * 0.05;
  for (int p = first; p < first + n; p++) {
    double sum = 0, total = 0;
    for (int q = first; q < first + n; q++) {
      const double d = hypot(f.at[2 * p] - f.at[2 * q], f.at[2 * p + 1] - f.at[2 * q + 1]);
      const double w = fmax(0, 1 - d / R); /* volumes are the same */
      sum += w * f.x[q - first];
      total += w;
    }
    CHECK_NEAR(density[p], sum / total, 1e-13);
  }
  for (int j = 0; j < n; j++) {
    f.x[j] = 3.3;
  }
  density = apply(&f, CQ_INPUT_density);
  for (int p = first; p < first + n; p++) {
    CHECK_NEAR(density[p], 3.3, 1e-14);
  }
  end(f);
}

/* particle of B at the mirror image of particle p of A, about x = 0.45 */
static int image(const fixture *f, int p) {
  for (int q = 64; q < 128; q++) {
    if (fabs(f->at[2 * q] - (0.9 - f->at[2 * p])) < 1e-9 &&
        fabs(f->at[2 * q + 1] - f->at[2 * p + 1]) < 1e-9) {
      return q;
    }
  }
  CHECK_MSG(false, "no image of particle %d", p);
  return 64;
}

static void ties_are_mirrored(void) {
  static const char *const designs[] = {
      "{ variable = \"initial_velocity\"; body = \"A\"; per = \"patch\"; patches = 3; tie = \"B\"; "
      "mirror = \"x\"; }",
      "{ variable = \"initial_velocity\"; body = \"A\"; per = \"particle\"; tie = \"B\"; mirror = "
      "\"x\"; }"};
  for (int i = 0; i < 2; i++) {
    fixture f = begin(designs[i]);
    for (int j = 0; j < f.scene->design.n; j++) {
      f.x[j] = 1 + j;
    }
    const double *v = apply(&f, CQ_INPUT_v);
    for (int p = 0; p < 64; p++) {
      const int q = image(&f, p);
      CHECK_NEAR(v[2 * q], -v[2 * p], 0);
      CHECK_NEAR(v[2 * q + 1], v[2 * p + 1], 0);
    }
    end(f);
  }
}

/* placed by ties, the bodies stay mirror images */
static void mirrored_places(void) {
  fixture f =
      begin("{ variable = \"center\"; body = \"A\"; tie = \"B\"; mirror = \"x\"; }, "
            "{ variable = \"rotation\"; body = \"A\"; tie = \"B\"; mirror = \"x\"; },"
            "{ variable = \"size\"; body = \"A\"; tie = \"B\"; lower = 0.1; upper = 0.3; }");
  const double x[] = {0.33, 0.28, 0.4, 0.24, 0.15};
  memcpy(f.x, x, sizeof x);
  const double *at = apply(&f, CQ_INPUT_x);
  const double *F = f.inputs + f.scene->layout.offset[CQ_INPUT_F];
  const double *V = f.inputs + f.scene->layout.offset[CQ_INPUT_volume];
  for (int p = 0; p < 64; p++) {
    const int q = image(&f, p);
    const double r[2] = {1.2 * (f.at[2 * p] - 0.3), 0.75 * (f.at[2 * p + 1] - 0.26)};
    CHECK_NEAR(at[2 * p], 0.33 + cos(0.4) * r[0] - sin(0.4) * r[1], 1e-14);
    CHECK_NEAR(at[2 * p + 1], 0.28 + sin(0.4) * r[0] + cos(0.4) * r[1], 1e-14);
    CHECK_NEAR(at[2 * q], 0.9 - at[2 * p], 1e-14);
    CHECK_NEAR(at[2 * q + 1], at[2 * p + 1], 1e-14);
    CHECK_NEAR(F[4 * p + 2], sin(0.4), 1e-15);
    CHECK_NEAR(F[4 * q + 2], -sin(0.4), 1e-15);
    CHECK_NEAR(V[p], 0.025 * 0.025 * 0.9, 1e-18);
  }
  end(f);
}

static void transforms(void) {
  fixture f =
      begin("{ variable = \"density\"; body = \"A\"; lower = 0.5; upper = 8; transform = "
            "\"log\"; start = 2; }, { variable = \"youngs_modulus\"; body = \"A\"; lower = 20; "
            "upper = 60; transform = \"tanh\"; start = 30; }");
  const cq_problem *p = cq_scene_problem(f.scene);
  CHECK_NEAR(p->start[0], log(2.0), 1e-15);
  CHECK_NEAR(p->lower[0], log(0.5), 1e-15);
  CHECK_NEAR(p->upper[0], log(8.0), 1e-15);
  CHECK_NEAR(p->scale[0], log(16.0), 1e-15);
  CHECK_NEAR(p->start[1], atanh(-0.5), 1e-15);
  CHECK(isinf(p->lower[1]) && isinf(p->upper[1]) && p->scale[1] == 1.0);
  CHECK_NEAR(cq_scene_user_value(f.scene, 0, log(3.0)), 3.0, 1e-15);
  CHECK_NEAR(cq_scene_user_value(f.scene, 1, 40.0), 60.0, 0);
  CHECK_NEAR(cq_scene_user_value(f.scene, 0, p->upper[0]), 8.0, 1e-14);
  CHECK(cq_scene_user_value(f.scene, 0, p->upper[0]) <= 8.0);
  CHECK(isnan(cq_scene_user_value(f.scene, 1, NAN)) && isnan(cq_scene_user_value(f.scene, 0, NAN)));
  const cq_variable_info info = cq_scene_variable(f.scene, 1);
  CHECK(info.start == 30 && info.lower == 20 && info.upper == 60);
  f.x[0] = log(3.0);
  f.x[1] = 0.0;
  CHECK_NEAR(apply(&f, CQ_INPUT_density)[0], 3.0, 1e-15);
  CHECK_NEAR(apply(&f, CQ_INPUT_youngs_modulus)[0], 40.0, 1e-14);
  /* another start, in the units of the file; at a bound tanh begins just inside */
  const double start[] = {4.0, 60.0};
  CHECK(cq_scene_set_start(f.scene, start) == CQ_OK);
  CHECK_NEAR(p->start[0], log(4.0), 1e-15);
  CHECK(isfinite(p->start[1]));
  CHECK_NEAR(cq_scene_user_value(f.scene, 1, p->start[1]), 60.0, 1e-4);
  end(f);
}

/* linear between rows: control k of 40 steps, rows every 7 */
static void controls_are_linear(void) {
  fixture f = begin("{ variable = \"actuation\"; }");
  CHECK(f.scene->design.n == 6);
  end(f);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  const char *set = "controller.interpolation=linear";
  CHECK(cq_scene_load_text(ctx, "linear", ".",
                           with_design("{ variable = \"actuation\"; start = [1, 3, -2, 0, 5, "
                                       "4, 2]; }"),
                           &set, 1, &scene) == CQ_OK);
  const cq_problem *p = cq_scene_problem(scene);
  static const double rows[] = {1, 3, -2, 0, 5, 4, 2};
  double value = 0.0, c[3];
  CHECK(p->n == 7 && p->eval(p->data, p->start, &value, c, NULL, NULL) == CQ_OK);
  const double *u = cq_sim_controls(scene->sim);
  for (int k = 0; k < 40; k++) {
    CHECK_NEAR(u[k], rows[k / 7] + (k % 7) / 7.0 * (rows[k / 7 + 1] - rows[k / 7]), 1e-14);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* 10,000 variables, with starts and bounds one by one: time in proportion to their number */
static void many_variables_load(void) {
  enum { SIDE = 100, N = SIDE * SIDE };
  char *text = malloc(64 * N), *to = text;
  to +=
      sprintf(to,
              "simulation: { grid = [64, 64]; cell = 0.02; time_step = 1e-3; steps = 2; };\n"
              "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = "
              "1; } );\nbodies: ( { name = \"A\"; material = \"soft\"; low = [0.2, 0.2]; size = "
              "[0.8, 0.8]; count = %d; } );\nobjective: ( { term = \"mean_position\"; } );\n"
              "design: ( { variable = \"youngs_modulus\"; body = \"A\"; per = \"particle\"; "
              "filter_radius = 2; lower = 10; upper = 60; start = [",
              SIDE);
  for (int i = 0; i < N; i++) {
    to += sprintf(to, "%s%d", i > 0 ? ", " : "", 20 + i % 30);
  }
  sprintf(to, "]; } );\n");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  CHECK_MSG(cq_scene_load_text(ctx, "many", ".", text, NULL, 0, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  CHECK(scene != NULL && cq_scene_problem(scene)->n == N);
  char label[64];
  cq_scene_variable_label(scene, N - 1, label, sizeof label);
  CHECK_STR(label, "A.youngs_modulus[9999]");
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  free(text);
}

static void refused(const char *design, const char *message) {
  char text[512];
  snprintf(text, sizeof text, "my.cfg:19: design.%s", message);
  test_refused(with_design(design), NULL, text);
}

static void what_is_refused(void) {
  refused(
      "{ variable = \"density\"; body = \"A\"; lower = 0; }",
      "[0].lower: a density needs a lower bound > 0 (the time step is checked at the lightest)");
  refused("{ variable = \"poisson_ratio\"; body = \"A\"; lower = 0.1; upper = 0.5; }",
          "[0].upper: a Poisson's ratio needs bounds above -1 and below 0.5");
  refused("{ variable = \"youngs_modulus\"; body = \"A\"; lower = 1; }",
          "[0].upper: a Young's modulus needs an upper bound (the time step is checked at the "
          "stiffest)");
  refused("{ variable = \"size\"; body = \"A\"; lower = 0; }",
          "[0].lower: a size needs a lower bound > 0");
  refused("{ variable = \"volume\"; body = \"A\"; }",
          "[0].lower: a volume needs a lower bound > 0");
  refused("{ variable = \"friction\"; boundary = \"domain\"; lower = -1; }",
          "[0].lower: friction needs a lower bound >= 0");
  refused("{ variable = \"friction\"; boundary = \"domian\"; }",
          "[0].boundary: there is no boundary \"domian\"; did you mean \"domain\"?");
  refused("{ variable = \"damping\"; lower = -1; }", "[0].lower: damping needs a lower bound >= 0");
  refused("{ variable = \"density\"; body = \"A\"; lower = 0; transform = \"log\"; }",
          "[0].lower: transform = \"log\" needs values > 0, and the lower bound is 0");
  refused("{ variable = \"gravity\"; transform = \"log\"; }",
          "[0].start: transform = \"log\" needs values > 0, and the start is 0");
  refused("{ variable = \"density\"; body = \"A\"; lower = 1; transform = \"tanh\"; }",
          "[0].transform: \"tanh\" needs a lower bound below an upper one");
  refused(
      "{ variable = \"density\"; body = \"A\"; tie = \"B\"; tie_factor = -1; lower = 1; upper = 2; "
      "}",
      "[0].lower: a density needs a lower bound > 0 (the time step is checked at the lightest)");
  refused("{ variable = \"density\"; body = \"A\"; tie_factor = -1; lower = 1; upper = 2; }",
          "[0].tie_factor: has a meaning only with tie");
  refused("{ variable = \"density\"; body = \"A\"; per = \"particle\"; tie = \"C\"; lower = 1; }",
          "[0].tie: \"A\" has 64 particles and \"C\" 60");
  refused("{ variable = \"size\"; body = \"A\"; tie = \"C\"; lower = 1; }",
          "[0].tie: \"A\" and \"C\" have different shapes");
  refused("{ variable = \"initial_velocity\"; body = \"A\"; tie = \"B\"; mirror = \"z\"; }",
          "[0].mirror: there is no such axis in 2D");
  refused("{ variable = \"center\"; body = \"*\"; }",
          "[0].body: center needs a body, and \"*\" is none");
  refused("{ variable = \"density\"; body = \"*\"; per = \"group\"; groups = [\"A\", \"*\"]; lower "
          "= 1; }",
          "[0].groups: particle 0 is in \"A\" and in \"*\"");
  refused("{ variable = \"center\"; body = \"A\"; }, { variable = \"initial_position\"; body = "
          "\"A\"; }",
          "[1].variable: A.initial_position is designed by an earlier block already");
  refused("{ variable = \"actuation\"; }, { variable = \"actuation\"; actuator = \"m\"; }",
          "[1].variable: m.actuation is designed by an earlier block already");
  refused("{ variable = \"actuation\"; actuator = \"n\"; }",
          "[0].actuator: there is no actuator \"n\"; did you mean \"m\"?");
  refused(
      "{ variable = \"size\"; body = \"A\"; lower = 0.1; }, { variable = \"volume\"; body = \"A\"; "
      "lower = 1e-6; }",
      "[1].variable: the volumes of body \"A\" are designed by another block, too");
  refused("{ variable = \"initial_position\"; body = \"A\"; per = \"particle\"; }, { variable = "
          "\"rotation\"; body = \"A\"; }",
          "[0].variable: the positions of body \"A\" are designed by another block, too");
}

/* a wall with infinite friction has no coefficient */
static void infinite_friction_is_no_variable(void) {
  test_refused(with_design("{ variable = \"friction\"; boundary = \"domain\"; }"),
               "boundaries.domain.friction=infinite",
               "my.cfg:19: design.[0].boundary: friction needs a wall that has a "
               "finite coefficient of it, and \"domain\" has none");
}

static void preflight_sees_places(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_log lines = {""};
  cq_ctx_set_log(ctx, test_log_line, &lines);
  cq_scene *scene =
      open_design(ctx, "{ variable = \"center\"; body = \"A\"; lower = [0.3, 0.2]; upper "
                       "= [1.1, 0.3]; }");
  CHECK_MSG(strstr(lines.text,
                   "within the bounds of the design body \"A\" can be outside the grid") != NULL,
            "log: %s", lines.text);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  test_refused(
      with_design("{ variable = \"center\"; body = \"A\"; start = [1.1, 0.3]; }"), NULL,
      "my.cfg:9: bodies.[0].low: body \"A\" is outside the grid: its particle 40 is at x = "
      "1.1375 m, and must have 0.025 <= x < 1.125 m (24 nodes, cell 0.05 m); move the body "
      "or enlarge simulation.grid");
}

int main(void) {
  RUN(patches_are_where_they_say);
  RUN(lattices_interpolate);
  RUN(empty_patches_have_no_variables);
  RUN(filters_are_weighted_means);
  RUN(ties_are_mirrored);
  RUN(mirrored_places);
  RUN(transforms);
  RUN(controls_are_linear);
  RUN(many_variables_load);
  RUN(what_is_refused);
  RUN(infinite_friction_is_no_variable);
  RUN(preflight_sees_places);
  return TEST_RESULT();
}
