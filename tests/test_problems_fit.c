/* A design of one problem as the start of another: patches as particles, rows of controls as other
 * rows, filters, ties, transforms, poses; what cannot be taken over. */
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <math.h>

enum { STEPS = 24, MOST = 4096 };

/* Two boxes, each with a muscle, or what stands for `bodies`, `controller` and `more`. */
static const char scene_text[] =
    "simulation: { dimension = 2; grid = [24, 20]; cell = 0.05; time_step = 2e-3; steps = 24; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.25, 0.2]; size = [0.2, 0.2];\n"
    "            count = [8, 8]; },\n"
    "          { name = \"B\"; material = \"soft\"; low = [0.6, 0.2]; size = [0.2, 0.2];\n"
    "            count = [8, 8]; } );\n"
    "groups: ( { name = \"both\"; low = [0.2, 0.2]; size = [0.7, 0.3]; } );\n"
    "actuators: ( { name = \"a\"; body = \"A\"; direction = \"y\"; max = 8; },\n"
    "             { name = \"b\"; body = \"B\"; direction = \"y\"; max = 8; } );\n"
    "objective: ( { term = \"height\"; body = \"A\"; } );\n";

#define COARSE                                                                                     \
  "controller: { type = \"open_loop\"; hold = 8; };\n"                                             \
  "design: ( { variable = \"actuation\"; },\n"                                                     \
  "  { variable = \"youngs_modulus\"; body = \"A\"; per = \"patch\"; patches = [2, 2];\n"          \
  "    start = 20; lower = 3; upper = 40; },\n"                                                    \
  "  { variable = \"youngs_modulus\"; body = \"B\"; start = 20; lower = 3; upper = 40; } );\n"

/* A disc that is driven. */
static const char driven_text[] =
    "simulation: { dimension = 2; grid = [24, 20]; cell = 0.05; time_step = 2e-3; steps = 24; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; },\n"
    "  { name = \"steel\"; model = \"rigid\"; density = 5; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.25, 0.2]; size = [0.2, 0.2]; },\n"
    "  { name = \"R\"; material = \"steel\"; shape = \"ball\"; center = [0.7, 0.4]; radius = 0.1;\n"
    "    motion = \"driven\"; type = \"sticky\"; } );\n"
    "actuators: ( { name = \"r\"; model = \"drive\"; body = \"R\"; controls = \"turn\"; max = 50; "
    "} );\n"
    "objective: ( { term = \"height\"; body = \"A\"; } );\n";

/* the scene without its controller and design */
static const char *base = scene_text;

static cq_ctx *ctx;
static test_log log_of;

/* of the finer scene alone, or NULL */
static const char *set;

static cq_scene *load(const char *rest, int n_sets) {
  static char text[8192];
  snprintf(text, sizeof text, "%s%s", base, rest);
  test_write_file("fit.cfg", text);
  cq_scene *scene = NULL;
  CHECK_MSG(cq_scene_load(ctx, "fit.cfg", &set, n_sets, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

/* different values inside the bounds */
static void draw(const cq_scene *scene, double *values) {
  for (int i = 0; i < scene->design.n; i++) {
    const cq_variable_info info = cq_scene_variable(scene, i);
    const double low = fmax(info.lower, -1.0), high = fmin(info.upper, 50.0);
    values[i] = low + (high - low) * (0.1 + 0.8 * fmod(0.37 * (i + 1), 1.0));
  }
}

static void inputs_of(const cq_scene *scene, const double *values, double *inputs) {
  double x[MOST];
  for (int i = 0; i < scene->design.n; i++) {
    x[i] = cq_scene_optimizer_value(scene, i, values[i]);
  }
  memcpy(inputs, scene->inputs, scene->layout.total * sizeof *inputs);
  cq_design_apply(&scene->design, x, inputs);
}

/* How far an input of the two scenes differs, at most. */
static double difference(const cq_scene *a, const double *of_a, const cq_scene *b,
                         const double *of_b, int input) {
  double largest = 0.0;
  CHECK(a->layout.count[input] == b->layout.count[input]);
  for (size_t i = 0; i < a->layout.count[input]; i++) {
    largest =
        fmax(largest, fabs(of_a[a->layout.offset[input] + i] - of_b[b->layout.offset[input] + i]));
  }
  return largest;
}

typedef struct pair {
  cq_scene *coarse, *fine;
  double values[MOST], fitted[MOST];
  double theirs[16384], mine[16384];
} pair;

static pair p;

/* A design of `coarse` as one of `fine`, and the inputs of both. */
static void fit(const char *coarse, const char *fine) {
  log_of.text[0] = '\0';
  p.coarse = load(coarse, 0);
  p.fine = load(fine, set != NULL);
  draw(p.coarse, p.values);
  CHECK_MSG(cq_scene_fit_design(p.fine, p.coarse, p.values, p.fitted) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  for (int i = 0; i < p.fine->design.n; i++) {
    const cq_variable_info info = cq_scene_variable(p.fine, i);
    CHECK(p.fitted[i] >= info.lower && p.fitted[i] <= info.upper);
  }
  inputs_of(p.coarse, p.values, p.theirs);
  inputs_of(p.fine, p.fitted, p.mine);
}

static void done(void) {
  cq_scene_destroy(p.coarse);
  cq_scene_destroy(p.fine);
}

static double differs(int input) {
  return difference(p.coarse, p.theirs, p.fine, p.mine, input);
}

/* the controls of step k, of tables with rows held so long */
static void check_table(int hold, int fine_hold) {
  const double *theirs = p.theirs + p.coarse->layout.offset[CQ_INPUT_theta];
  const double *mine = p.mine + p.fine->layout.offset[CQ_INPUT_theta];
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < 2; i++) {
      CHECK_NEAR(mine[k / fine_hold * 2 + i], theirs[k / hold * 2 + i], 1e-14);
    }
  }
}

static void patches_become_particles(void) {
  fit(COARSE,
      "controller: { type = \"open_loop\"; hold = 2; };\n"
      "design: ( { variable = \"youngs_modulus\"; body = \"both\"; per = \"particle\";\n"
      "            start = 10; lower = 3; upper = 40; }, { variable = \"actuation\"; } );\n");
  CHECK(p.coarse->design.n == 6 + 4 + 1 && p.fine->design.n == 24 + 128);
  CHECK(differs(CQ_INPUT_youngs_modulus) <= 1e-13);
  check_table(8, 2);
  CHECK_MSG(log_of.text[0] == '\0', "%s", log_of.text);
  done();
}

/* the mean of what a row is held for: 8 steps of one row and 4 of the next */
static void rows_of_other_lengths(void) {
  fit(COARSE, "controller: { type = \"open_loop\"; hold = 12; };\n"
              "design: ( { variable = \"actuation\"; } );\n");
  const double *theirs = p.theirs + p.coarse->layout.offset[CQ_INPUT_theta];
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(p.fitted[i], (2 * theirs[i] + theirs[2 + i]) / 3, 1e-14);
    CHECK_NEAR(p.fitted[2 + i], (theirs[2 + i] + 2 * theirs[4 + i]) / 3, 1e-14);
  }
  CHECK_MSG(strstr(log_of.text, "A.youngs_modulus, which fit designs, is not designed here") !=
                NULL,
            "%s", log_of.text);
  done();
}

/* Half the time step and twice the steps, as a line between nodes. */
static void tables_go_by_time(void) {
  static const char *const line =
      "controller: { type = \"open_loop\"; hold = 16; interpolation = \"linear\"; };\n"
      "design: ( { variable = \"actuation\"; } );\n";
  const char *const finer =
      "simulation={dimension=2;grid=[24,20];cell=0.05;time_step=1e-3;steps=48;}";
  set = finer;
  fit(COARSE, line);
  const double *theirs = p.theirs + p.coarse->layout.offset[CQ_INPUT_theta];
  CHECK(p.fine->design.n == 8);
  for (int j = 0; j < 8; j++) {
    CHECK_NEAR(p.fitted[j], theirs[j < 6 ? j : j - 2], 1e-14);
  }
  done();
  set = NULL;
}

/* Splines in half the time step and twice the steps: by slopes near where their pieces meet, which
 * are off by a part of what a slope changes in a row. */
static void splines_go_by_time(void) {
  static const char *const path =
      "controller: { type = \"open_loop\"; hold = 8; interpolation = \"path\"; };\n"
      "design: ( { variable = \"actuation\"; lower = -0.1; upper = 0.1; } );\n";
  static const char *const finer_path =
      "controller: { type = \"open_loop\"; hold = 16; interpolation = \"path\"; };\n"
      "design: ( { variable = \"actuation\"; lower = -0.1; upper = 0.1; } );\n";
  set = "simulation={dimension=2;grid=[24,20];cell=0.05;time_step=1e-3;steps=48;}";
  base = driven_text;
  fit(path, finer_path);
  const double *theirs = p.theirs + p.coarse->layout.offset[CQ_INPUT_theta];
  double largest = 0.0;
  CHECK(p.coarse->design.n == 3 && p.fine->design.n == 3);
  for (int j = 0; j < 3; j++) {
    largest = fmax(largest, fabs(theirs[j]));
    printf("row %d: %.4f for %.4f\n", j, p.fitted[j], theirs[j]);
    CHECK_NEAR(p.fitted[j], theirs[j], 0.01);
  }
  CHECK(largest > 0.05);
  done();
  set = NULL;
  base = scene_text;
}

/* A filter, a transform and a tie between the variables and the particles. */
static void filters_are_undone_as_far_as_they_can_be(void) {
  fit(COARSE, "controller: { type = \"open_loop\"; hold = 8; };\n"
              "design: ( { variable = \"youngs_modulus\"; body = \"both\"; per = \"particle\";\n"
              "  filter_radius = 1; transform = \"log\"; start = 10; lower = 3; upper = 40; },\n"
              "  { variable = \"actuation\"; } );\n");
  const double largest = differs(CQ_INPUT_youngs_modulus);
  double square = 0.0;
  for (size_t i = 0; i < 128; i++) {
    const double lacks = p.theirs[p.coarse->layout.offset[CQ_INPUT_youngs_modulus] + i] -
                         p.mine[p.fine->layout.offset[CQ_INPUT_youngs_modulus] + i];
    square += lacks * lacks / 128;
  }
  printf("filtered: largest difference %.3g Pa, root mean square %.3g Pa\n", largest, sqrt(square));
  CHECK(largest < 3.0 && sqrt(square) < 1.0); /* after one sweep 5.9 and 1.5 */
  CHECK_MSG(strstr(log_of.text, "both.youngs_modulus starts up to") != NULL, "%s", log_of.text);
  done();
}

static void finer_patches_and_lines(void) {
  fit(COARSE,
      "controller: { type = \"open_loop\"; hold = 8; };\n"
      "design: ( { variable = \"actuation\"; },\n"
      "  { variable = \"youngs_modulus\"; body = \"A\"; per = \"patch\"; patches = [4, 8];\n"
      "    transform = \"tanh\"; start = 20; lower = 3; upper = 40; },\n"
      "  { variable = \"youngs_modulus\"; body = \"B\"; per = \"patch\"; patches = [3, 3];\n"
      "    interpolation = \"linear\"; start = 20; lower = 3; upper = 40; } );\n");
  CHECK(differs(CQ_INPUT_youngs_modulus) <= 1e-6);
  done();
}

/* A body that is moved and turned: its pose is taken over, not its particles. */
static void poses(void) {
  static const char moved[] =
      "controller: { type = \"open_loop\"; hold = 8; };\n"
      "design: ( { variable = \"center\"; body = \"A\"; lower = [0.3, 0.3]; upper = [0.4, 0.4]; "
      "},\n"
      "  { variable = \"density\"; body = \"B\"; lower = 1; upper = 3; } );\n";
  fit(moved, moved);
  CHECK(differs(CQ_INPUT_x) <= 1e-15 && differs(CQ_INPUT_density) <= 1e-14);
  CHECK(fabs(p.mine[0] - p.fine->inputs[0]) > 1e-3);
  done();
  fit(moved,
      "controller: { type = \"open_loop\"; hold = 8; };\n"
      "design: ( { variable = \"initial_position\"; body = \"A\"; lower = -0.1; upper = 0.1;\n"
      "  per = \"particle\"; }, { variable = \"density\"; body = \"B\"; lower = 1; upper = 2;\n"
      "  } );\n");
  CHECK(differs(CQ_INPUT_x) <= 1e-14);
  done();
}

static void refused(const char *coarse, const char *fine, const char *message) {
  p.coarse = load(coarse, 0);
  p.fine = load(fine, set != NULL);
  draw(p.coarse, p.values);
  CHECK(cq_scene_fit_design(p.fine, p.coarse, p.values, p.fitted) == CQ_CONFIG);
  CHECK_MSG(strcmp(cq_ctx_error(ctx), message) == 0, "\"%s\" instead of \"%s\"", cq_ctx_error(ctx),
            message);
  cq_ctx_clear_error(ctx);
  done();
}

static void what_has_no_counterpart(void) {
  refused(COARSE,
          "controller: { type = \"tanh_linear\"; inputs = ( { read = \"position\"; } ); };\n"
          "design: ( { variable = \"controller\"; } );\n",
          "controller of fit cannot be taken from a design of fit, which has other controls, or "
          "another type of controller");
  static const char friction[] =
      "controller: { type = \"open_loop\"; hold = 8; };\n"
      "boundaries: { domain: { friction = 0.4; };\n"
      "  half_spaces: ( { type = \"separate\"; friction = 0.2; point = [0, 0.1]; normal = \"y\"; } "
      ");\n"
      "};\n"
      "design: ( { variable = \"friction\"; boundary = \"half_spaces.[0]\"; upper = 2; } );\n";
  refused(COARSE, friction,
          "half_spaces.[0].friction of fit cannot be taken from a design of fit, which has no such "
          "wall");
  set = "bodies.[1].count=[9, 8]";
  refused(COARSE, COARSE,
          "B.youngs_modulus of fit cannot be taken from a design of fit, which has no body of that "
          "name and as many particles");
  set = "simulation.steps=25";
  refused(COARSE, COARSE,
          "actuation of fit cannot be taken from a design of fit, which is a "
          "table of controls for 0.048 s, and here are 0.05 s: keep that time, or take a "
          "controller that "
          "goes on, by the state or a clock");
  set = NULL;
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  cq_ctx_set_log(ctx, test_log_line, &log_of);
  RUN(patches_become_particles);
  RUN(rows_of_other_lengths);
  RUN(tables_go_by_time);
  RUN(splines_go_by_time);
  RUN(filters_are_undone_as_far_as_they_can_be);
  RUN(finer_patches_and_lines);
  RUN(poses);
  RUN(what_has_no_counterpart);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
