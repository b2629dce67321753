/* Controllers for other programs: the C function that is written, compiled, gives all controls of a
 * simulation bit by bit; its numbers in JSON are the parameters. */
#include "test_problems_scene.h"

#include <dlfcn.h>

#define OPEN_LOOP "controller: { type = \"open_loop\"; hold = 7; };\n"
#define BLOCK     "  { variable = \"actuation\"; start = [1, 2, 3, -2, -3, 1]; }\n"
#define MUSCLE    "actuators: ( { name = \"m\"; body = \"B\"; direction = \"y\"; max = 8; } );\n"
#define MUSCLES                                                                                    \
  "actuators: ( { name = \"m\"; body = \"B\"; direction = \"y\"; max = 8; },\n"                    \
  "  { name = \"n-2\"; body = \"A\"; direction = \"x\"; max = 3; min = -1; } );\n"
#define INPUTS                                                                                     \
  "inputs = ( { read = \"velocity\"; body = \"A\"; scale = 3; },\n"                                \
  "  { read = \"clock\"; rate = 30; clocks = 3; scale = [0.7, 0.1, 2]; },\n"                       \
  "  { read = \"constant\"; value = 0.3; center = 0.1; },\n"                                       \
  "  { read = \"target\"; }, { read = \"position\"; center = [0.3, 0.1]; } ); };\n"

typedef void control(int step, const double *z, double *u);

static const struct {
  const char *what, *controller, *block;
} cases[] = {
    {"rows", "controller: { type = \"open_loop\"; hold = 7; };\n", "actuation"},
    {"lines", "controller: { type = \"open_loop\"; hold = 7; interpolation = \"linear\"; };\n",
     "actuation"},
    {"sinusoid", "controller: { type = \"sinusoid\"; rate = 11; };\n", "controller"},
    {"learned rate", "controller: { type = \"sinusoid\"; rate = 11; learn_rate = true; };\n",
     "controller"},
    {"tanh_linear", "controller: { type = \"tanh_linear\"; " INPUTS, "controller"},
    {"tanh units", "controller: { type = \"mlp\"; hidden = [5, 9]; " INPUTS, "controller"},
    {"relu units", "controller: { type = \"mlp\"; hidden = [7]; activation = \"relu\"; " INPUTS,
     "controller"},
};

static cq_scene *load(cq_ctx *ctx, size_t i) {
  char text[16384], block[80];
  snprintf(block, sizeof block, "  { variable = \"%s\"; }\n", cases[i].block);
  snprintf(text, sizeof text, "%s", test_edit(TEST_SCENE, MUSCLE, MUSCLES));
  snprintf(text, sizeof text, "%s", test_edit(text, OPEN_LOOP, cases[i].controller));
  return test_load_text(ctx, test_edit(text, BLOCK, block), NULL);
}

/* The function of the file, compiled; handle is to be closed. */
static control *compile(const char *source, void **handle) {
  CHECK(system(TEST_CC " -std=c17 -O2 -Wall -Wextra -Werror -shared -fPIC -o ./my.so my.c -lm") ==
        0);
  CHECK(strstr(source, "void my_cfg_control(int step, const double *z, double *u)") != NULL);
  *handle = dlopen("./my.so", RTLD_NOW | RTLD_LOCAL);
  CHECK_MSG(*handle != NULL, "%s", dlerror());
  if (*handle == NULL) {
    exit(1);
  }
  control *found = NULL;
  *(void **)&found = dlsym(*handle, "my_cfg_control");
  return found;
}

static void read_file(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  text[file != NULL ? fread(text, 1, size - 1, file) : 0] = '\0';
  if (file != NULL) {
    fclose(file);
  }
}

/* Bits of all controls of the run that was evaluated last. Returns how many differ. */
static int differ(const cq_scene *scene, control *function) {
  const cq_controller *c = &scene->model.controller;
  const double *z = cq_sim_observations(scene->sim), *u = cq_sim_controls(scene->sim);
  cq_z_rows rows = {0};
  int wrong = 0;
  CHECK(cq_z_rows_make(scene->ctx, &scene->model, &rows) == CQ_OK);
  for (int k = 0; k < scene->model.steps; k++) {
    double read[32] = {0}, mine[2] = {NAN, NAN};
    const double *row = z + rows.begin[k];
    for (int i = 0, n = 0; i < c->n_features; i++) {
      if (c->features[i].kind == CQ_FEATURE_OBSERVED) {
        read[n++] = row[c->features[i].index];
      }
    }
    function(k, read, mine);
    wrong += memcmp(mine, u + 2 * (size_t)k, sizeof mine) != 0;
  }
  cq_z_rows_free(scene->ctx, &rows);
  return wrong;
}

static void same_bits(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static char text[65536], json[65536];
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *scene = load(ctx, i);
    const cq_problem *p = cq_scene_problem(scene);
    double *x = malloc((size_t)p->n * sizeof *x), f = 0.0, c[8];
    for (int j = 0; j < p->n; j++) {
      const bool controls = p->lower[j] < 0.0 || !isfinite(p->lower[j]);
      x[j] = p->start[j] + (controls ? 0.3 * sin(1.7 * j + 0.2) : 0.0);
    }
    CHECK_MSG(p->eval(p->data, x, &f, c, NULL, NULL) == CQ_OK, "%s: %s", cases[i].what,
              cq_ctx_error(ctx));
    CHECK(cq_scene_export_controller(scene, x, "my.c") == CQ_OK);
    CHECK(cq_scene_export_controller(scene, x, "my.json") == CQ_OK);
    read_file("my.c", text, sizeof text);
    read_file("my.json", json, sizeof json);
    void *handle = NULL;
    control *function = compile(text, &handle);
    CHECK_MSG(differ(scene, function) == 0, "%s: %d of %d steps differ", cases[i].what,
              differ(scene, function), scene->model.steps);
    /* another design is another function */
    x[p->n - 1] += 1e-6;
    CHECK(p->eval(p->data, x, &f, c, NULL, NULL) == CQ_OK && differ(scene, function) > 0);
    CHECK(strstr(text, "u[1]  n-2 [Pa], -1 to 3") != NULL);
    CHECK(strstr(json, "\"name\": \"n-2\"") != NULL &&
          strstr(json, "\"time_step\": 0.002") != NULL);
    dlclose(handle);
    free(x);
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

/* Places of a wall are splines: what is written is their slope, and nothing once they end. */
static void splines(void) {
  static char text[65536], json[65536];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = test_load_text(
      ctx,
      "simulation: { engine = \"granular\"; dimension = 2; room = [1, 1]; time_step = 2e-3;\n"
      "  steps = 30; };\n"
      "materials: ( { name = \"s\"; density = 2000; rolling_friction = 0.1; } );\n"
      "bodies: ( { name = \"b\"; material = \"s\"; grain_radius = 0.02; low = [0.5, 0.5];\n"
      "  size = [0.2, 0.2]; count = [3, 3]; } );\n"
      "boundaries: { obstacles: ( { shape = \"ball\"; center = [0.3, 0.3]; radius = 0.05; } ); };\n"
      "actuators: ( { name = \"m\"; body = \"*\"; wall = \"obstacles.[0]\"; along = [\"x\", "
      "\"y\"];\n"
      "  max = 3; } );\n"
      "controller: { type = \"open_loop\"; hold = 7; interpolation = \"path\"; };\n"
      "design: ( { variable = \"actuation\"; lower = -0.01; upper = 0.01; } );\n"
      "objective: ( { term = \"height\"; body = \"b\"; } );\n",
      NULL);
  const cq_problem *p = cq_scene_problem(scene);
  double x[10], f = 0.0, u[2] = {1.0, 1.0};
  CHECK(p->n == 10);
  for (int j = 0; j < p->n; j++) {
    x[j] = 0.01 * sin(1.7 * j + 0.2);
  }
  CHECK_MSG(p->eval(p->data, x, &f, NULL, NULL, NULL) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_scene_export_controller(scene, x, "my.c") == CQ_OK);
  CHECK(cq_scene_export_controller(scene, x, "my.json") == CQ_OK);
  read_file("my.c", text, sizeof text);
  read_file("my.json", json, sizeof json);
  void *handle = NULL;
  control *function = compile(text, &handle);
  CHECK_MSG(differ(scene, function) == 0, "%d of 30 steps differ", differ(scene, function));
  function(35, NULL, u);
  CHECK(u[0] == 0.0 && u[1] == 0.0);
  CHECK(strstr(json, "\"interpolation\": \"path\"") != NULL);
  x[9] = -x[9];
  CHECK(p->eval(p->data, x, &f, NULL, NULL, NULL) == CQ_OK && differ(scene, function) > 0);
  dlclose(handle);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void refused(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, 0);
  CHECK(cq_scene_export_controller(scene, NULL, "my.py") == CQ_USAGE);
  CHECK_STR(cq_ctx_error(ctx), "my.py: a controller is written as .c or .json");
  cq_ctx_clear_error(ctx);
  CHECK(cq_scene_export_controller(scene, NULL, "nowhere/my.c") == CQ_IO);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  ctx = cq_ctx_create(1, 1);
  scene = test_load_text(
      ctx,
      "simulation: { grid = [20, 20]; cell = 0.05; time_step = 1e-3; steps = 2; };\n"
      "materials: ( { name = \"s\"; youngs_modulus = 10; poisson_ratio = 0.3; density = 1; } );\n"
      "bodies: ( { name = \"b\"; material = \"s\"; low = [0.3, 0.3]; size = [0.2, 0.2]; } );\n",
      NULL);
  CHECK(cq_scene_export_controller(scene, NULL, "my.c") == CQ_CONFIG);
  CHECK_STR(cq_ctx_error(ctx),
            "my.cfg has no controller to write: give it controller.type and actuators");
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(same_bits);
  RUN(splines);
  RUN(refused);
  return TEST_RESULT();
}
