/* Bodies of every shape and sampling: particles, masses, messages. */
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <unistd.h>

#define HEAD                                                                                       \
  "simulation: { grid = [40, 40]; cell = 0.05; time_step = 2e-3; steps = 20; };\n"                 \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 2; } );\n"

/* the scene of bodies, or NULL */
static cq_scene *load(cq_ctx *ctx, const char *bodies) {
  static char text[16384];
  cq_scene *scene = NULL;
  snprintf(text, sizeof text, HEAD "bodies: (\n%s\n);\n", bodies);
  test_write_file("bodies.cfg", text);
  (void)cq_scene_load(ctx, "bodies.cfg", NULL, 0, &scene);
  return scene;
}

static cq_scene *open_scene(cq_ctx *ctx, const char *bodies) {
  cq_scene *scene = load(ctx, bodies);
  CHECK_MSG(scene != NULL, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static double total_volume(const cq_scene *s) {
  double sum = 0.0;
  for (int p = 0; p < s->model.n_particles; p++) {
    sum += s->inputs[s->layout.offset[CQ_INPUT_volume] + (size_t)p];
  }
  return sum;
}

/* A triangle: its area is exact, however many particles there are; it spins about their mean. */
static void polygon(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s =
      open_scene(ctx, "{ name = \"t\"; material = \"soft\"; shape = \"polygon\"; spin = 3;\n"
                      "  points = [[0.5, 0.5], [1.1, 0.5], [0.5, 0.9]]; spacing = 0.03; }");
  const cq_body *b = &s->bodies[0];
  CHECK_NEAR(total_volume(s), 0.12, 1e-15);
  CHECK_NEAR(b->count, 0.12 / 0.03 / 0.03, 10);
  double mean[2] = {0}, momentum[2] = {0};
  for (int i = 0; i < b->count; i++) {
    const double *x = s->x + 2 * i, *v = s->inputs + s->layout.offset[CQ_INPUT_v] + 2 * i;
    CHECK((x[0] - 0.5) / 0.6 + (x[1] - 0.5) / 0.4 <= 1.0 + 1e-9);
    for (int a = 0; a < 2; a++) {
      mean[a] += x[a] / b->count;
      momentum[a] += v[a];
    }
  }
  CHECK_NEAR(mean[0], 0.7, 0.01);
  CHECK_NEAR(momentum[0], 0.0, 1e-12);
  CHECK_NEAR(momentum[1], 0.0, 1e-12);
  const double *v = s->inputs + s->layout.offset[CQ_INPUT_v];
  CHECK_NEAR(v[0], -3 * (s->x[1] - mean[1]), 1e-12);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* A ring with a bar: particles on the lattice of its bounds, each the volume of a lattice cell. */
static void composite(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(
      ctx, "{ name = \"ring\"; material = \"soft\"; shape = \"composite\"; spacing = 0.02;\n"
           "  parts = ( { shape = \"ball\"; center = [1, 1]; radius = 0.4; },\n"
           "    { operation = \"subtract\"; shape = \"composite\"; parts = (\n"
           "        { shape = \"ball\"; center = [1, 1]; radius = 0.2; },\n"
           "        { operation = \"subtract\"; low = [0.9, 0.5]; size = [0.1, 1]; } ); },\n"
           "    { low = [1.4, 0.98]; size = [0.2, 0.04]; } ); }");
  const double half = 0.2 * 0.2 * 3.14159265358979 / 2;
  const double segment = half - (0.1 * sqrt(0.03) + 0.04 * asin(0.5)); /* x < 0.9 of the hole */
  const double area = 0.16 * 3.14159265358979 - (half + segment) + 0.2 * 0.04;
  CHECK_NEAR(total_volume(s), s->model.n_particles * 0.02 * 0.02, 1e-13);
  CHECK_NEAR(total_volume(s), area, 0.02 * area);
  int bar = 0, hole = 0;
  for (int p = 0; p < s->model.n_particles; p++) {
    const double *x = s->x + 2 * p, r = hypot(x[0] - 1, x[1] - 1);
    bar += x[0] > 1.4;
    hole += r < 0.2 - 1e-9 && (x[0] > 1.0 + 1e-9 || x[0] < 0.9 - 1e-9);
  }
  CHECK(bar == 20 && hole == 0);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void points(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("points.csv", "x,y,volume\n0.5,0.5,1e-3\n0.525,0.5,2e-3\n0.55,0.525,3e-3\n");
  cq_scene *s =
      open_scene(ctx, "{ name = \"p\"; material = \"soft\"; sampling = \"points\"; spin = 1;\n"
                      "  points_file = \"points.csv\"; }");
  CHECK(s->model.n_particles == 3);
  CHECK_NEAR(total_volume(s), 6e-3, 1e-18);
  CHECK(s->x[4] == 0.55 && s->x[5] == 0.525);
  CHECK_NEAR(s->bodies[0].center[0], 0.525, 1e-15);
  /* what is written holds the points */
  FILE *out = fopen("resolved.cfg", "w");
  CHECK(out != NULL && cq_scene_write_config(s, out) == CQ_OK && fclose(out) == 0);
  cq_scene_destroy(s);
  remove("points.csv");
  s = test_load(ctx, "resolved.cfg");
  CHECK_NEAR(total_volume(s), 6e-3, 1e-18);
  CHECK(s->x[4] == 0.55);
  cq_scene_destroy(s);
  /* 3 particles share the volume of the body */
  test_write_file("points.csv", "y,x\n0.5,0.5\n0.5,0.525\n0.525,0.55\n");
  s = open_scene(ctx, "{ name = \"p\"; material = \"soft\"; sampling = \"points\"; volume = 3e-3;\n"
                      "  points_file = \"points.csv\"; }");
  CHECK_NEAR(s->inputs[s->layout.offset[CQ_INPUT_volume]], 1e-3, 1e-18);
  CHECK(s->x[2] == 0.525 && s->x[3] == 0.5);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void random_composite(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(
      ctx, "{ name = \"r\"; material = \"soft\"; shape = \"composite\"; sampling = \"random\";\n"
           "  particles = 50; volume = 0.1; parts = (\n"
           "    { shape = \"capsule\"; points = [[0.5, 0.5], [1, 1]]; radius = 0.1; },\n"
           "    { operation = \"subtract\"; low = [0, 0]; size = [0.6, 2]; } ); }");
  for (int p = 0; p < 50; p++) {
    CHECK(s->x[2 * p] >= 0.6 && fabs(s->x[2 * p] - s->x[2 * p + 1]) <= 0.1 * sqrt(2.0) + 1e-12);
  }
  CHECK_NEAR(total_volume(s), 0.1, 1e-15);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* The log of a scene of two bodies. */
static const char *log_of(const char *second) {
  static test_log lines;
  static char bodies[1024];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  lines.text[0] = '\0';
  cq_ctx_set_log(ctx, test_log_line, &lines);
  snprintf(
      bodies, sizeof bodies,
      "{ name = \"a\"; material = \"soft\"; shape = \"polygon\"; spacing = 0.025;\n"
      "  points = [[0.5, 0.5], [1.5, 0.5], [1.5, 0.6], [0.6, 0.6], [0.6, 1.5], [0.5, 1.5]]; },\n"
      "{ name = \"b\"; material = \"soft\"; %s }",
      second);
  cq_scene_destroy(open_scene(ctx, bodies));
  cq_ctx_destroy(ctx);
  return lines.text;
}

/* A turned body is the unturned one, particle by particle, about the middle of its shape. */
static void turned(void) {
  static const char *const shapes[] = {
      "center = [1, 0.9]; size = [0.4, 0.2]; count = [8, 4]",
      "center = [1, 0.9]; size = [0.4, 0.2]; sampling = \"random\"; particles = 40; seed = 2",
      "shape = \"capsule\"; points = [[0.8, 0.9], [1.2, 0.9]]; radius = 0.1",
      "shape = \"polygon\"; points = [[0.8, 0.8], [1.2, 0.8], [1.2, 1]]",
      "shape = \"composite\"; parts = ( { center = [1, 0.9]; size = [0.4, 0.2]; },\n"
      "  { operation = \"subtract\"; shape = \"ball\"; center = [1.1, 0.9]; radius = 0.06; } )"};
  const double c = cos(0.7), d = sin(0.7);
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    char text[512];
    snprintf(text, sizeof text, "{ name = \"t\"; material = \"soft\"; %s; }", shapes[k]);
    cq_scene *flat = open_scene(ctx, text);
    snprintf(text, sizeof text, "{ name = \"t\"; material = \"soft\"; rotation = 0.7; %s; }",
             shapes[k]);
    cq_scene *s = open_scene(ctx, text);
    CHECK(s->model.n_particles == flat->model.n_particles && s->model.n_particles > 10);
    CHECK_NEAR(total_volume(s), total_volume(flat), 1e-15);
    for (int p = 0; p < s->model.n_particles; p++) {
      const double x = flat->x[2 * p] - 1.0, y = flat->x[2 * p + 1] - 0.9;
      CHECK_NEAR(s->x[2 * p], 1.0 + c * x - d * y, 1e-14);
      CHECK_NEAR(s->x[2 * p + 1], 0.9 + d * x + c * y, 1e-14);
      CHECK(cq_shape_distance(&s->bodies[0].shape, s->x + 2 * p) <= 1e-12);
    }
    cq_scene_destroy(flat);
    cq_scene_destroy(s);
    cq_ctx_destroy(ctx);
  }
}

static void overlaps(void) {
  /* inside the bounds of the L, and on its skin, but not in it */
  CHECK_STR(log_of("low = [0.6, 0.6]; size = [0.4, 0.4]; spacing = 0.025;"), "");
  CHECK_STR(log_of("low = [0.6, 0.6]; size = [0.4, 0.4]; sampling = \"random\"; particles = 300;"),
            "");
  /* wide apart, its particles are far from those of the L, but 16 of those are inside of it */
  CHECK(strstr(log_of("low = [0.575, 0.7]; size = [0.4, 0.4]; spacing = 0.1;"),
               "bodies \"a\" and \"b\" overlap: 16 particles of \"a\" and 0 of \"b\"") != NULL);
  /* points have no inside; two of these are in the L */
  CHECK(strstr(log_of("sampling = \"points\"; volume = 1;\n"
                      "  positions = [[0.52, 0.51], [0.9, 0.9], [1.4, 0.59]];"),
               "0 particles of \"a\" and 2 of \"b\"") != NULL);
}

static void refused(const char *body, const char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  char bodies[1024];
  snprintf(bodies, sizeof bodies, "{ name = \"a\"; material = \"soft\"; %s }", body);
  cq_scene *scene = load(ctx, bodies);
  CHECK(scene == NULL);
  CHECK_STR(cq_ctx_error(ctx), message);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void bad_bodies(void) {
  refused("shape = \"polygon\"; points = [[0, 0], [1, 1]];",
          "bodies.cfg:4: bodies.[0].points: a polygon has at least three corners");
  refused("shape = \"polygon\"; points = [[0, 0], [1, 1], [2, 2]];",
          "bodies.cfg:4: bodies.[0].points: the polygon has no area");
  refused(
      "shape = \"polygon\"; points = [[0, 0], [1, 1], [1, 0], [0, 2]];",
      "bodies.cfg:4: bodies.[0].points: the edges that begin at corners 0 and 2 cross (the first "
      "is 0)");
  refused("shape = \"polygon\"; points = [[0, 0, 1], [1, 1, 1], [1, 0, 1]];",
          "bodies.cfg:4: bodies.[0].points: a row must be a point, 2 numbers");
  refused("shape = \"capsule\"; points = [[0, 0], [1, 1], [2, 2]]; radius = 1;",
          "bodies.cfg:4: bodies.[0].points: a capsule has two ends");
  refused("shape = \"composite\"; parts = ();",
          "bodies.cfg:4: bodies.[0].parts: must begin with a part that is added");
  refused("shape = \"composite\"; parts = ({ operation = \"subtract\"; low = [0, 0]; size = [1, "
          "1]; });",
          "bodies.cfg:4: bodies.[0].parts: must begin with a part that is added");
  refused("shape = \"composite\"; parts = ({ low = [0, 0]; sise = [1, 1]; });",
          "bodies.cfg:4: unknown key \"sise\" in bodies.[0].parts.[0]; did you mean \"size\"?");
  refused("shape = \"composite\"; sampling = \"random\"; particles = 9; volume = 1; parts = (\n"
          "  { low = [1, 1]; size = [0.1, 0.1]; },\n"
          "  { operation = \"subtract\"; low = [0.9, 0.9]; size = [0.3, 0.3]; });",
          "bodies.cfg:4: bodies.[0].sampling: nothing is left of the shape, or too little to draw "
          "points in it");
  refused("shape = \"composite\"; sampling = \"random\"; particles = 9; parts = (\n"
          "  { low = [1, 1]; size = [0.1, 0.1]; });",
          "bodies.cfg:4: bodies.[0].volume: the volume of the body is not known; give volume or "
          "particle_volume");
  refused("low = [1, 1]; size = [0.1, 0.1]; volume = 1; particle_volume = 1;",
          "bodies.cfg:4: bodies.[0].volume: give one of volume, particle_volume and volumes of the "
          "points");
  refused("sampling = \"points\";",
          "bodies.cfg:4: bodies.[0].points_file: give points_file or positions");
  refused("sampling = \"points\"; positions = [[1, 1]];",
          "bodies.cfg:4: bodies.[0].volume: the volume of the body is not known; give volume or "
          "particle_volume");
  refused("sampling = \"points\"; positions = [[1, 1, 0]];",
          "bodies.cfg:4: bodies.[0].positions: the volume of point 0 is not > 0 (the first is 0)");
  refused("sampling = \"points\"; positions = [[1, 1, 1, 1]];",
          "bodies.cfg:4: bodies.[0].positions: a row is [x, y] or [x, y, volume]");
  refused("sampling = \"points\"; positions = [[1, 1, 1]]; particle_mass = 1;",
          "bodies.cfg:4: bodies.[0].particle_mass: give either density or particle_mass (and no "
          "volumes of single points)");
  refused("sampling = \"points\"; positions = [[1, 1, 1]]; shape = \"ball\";",
          "bodies.cfg:4: \"shape\" in bodies.[0] has a meaning only with sampling = "
          "\"lattice\", \"random\", \"jittered\", \"blue_noise\"");
  refused(
      "sampling = \"points\"; positions = [[1, 5, 1]];",
      "bodies.cfg:4: bodies.[0].name: body \"a\" is outside the grid: its particle 0 is at y = 5 "
      "m, and must have 0.025 <= y < 1.925 m (40 nodes, cell 0.05 m); move the body or enlarge "
      "simulation.grid");
}

/* every allocation may fail: no leak, no crash, the right status */
static void out_of_memory(void) {
  test_write_file("points.csv", "x,y,volume\n0.5,1.5,1e-3\n0.525,1.5,2e-3\n");
  test_write_file("tracks.csv", "time,id,x,y\n0,1,1,1\n0.01,1,1,1\n");
  test_write_file("bodies.cfg", HEAD
                  "bodies: (\n"
                  "  { name = \"p\"; material = \"soft\"; sampling = \"points\"; points_file = "
                  "\"points.csv\"; },\n"
                  "  { name = \"c\"; material = \"soft\"; shape = \"composite\"; parts = (\n"
                  "    { shape = \"polygon\"; points = [[0.8, 0.8], [1.2, 0.8], [1, 1.2]]; } ); }\n"
                  ");\n"
                  "groups: ( { name = \"g\"; low = [0, 0]; size = [2, 1.05]; } );\n"
                  "objective: ( { term = \"marker_distance\"; file = \"tracks.csv\"; } );\n");
  test_load_without_memory("bodies.cfg");
}

/* What means 1e12 points is refused before they are counted. */
static void sizes(void) {
  static const char *const thin = "bodies=({name=\"A\"; material=\"soft\"; sampling=\"random\"; "
                                  "particles=1000; shape=\"polygon\"; points=[[0.2,0.2],[0.8,0.8],"
                                  "[0.8,0.8000000000001]];})";
  alarm(60);
  test_refused(
      TEST_SCENE, "bodies.[1].count=[999999,999999]",
      "--set bodies.[1].count=[999999,999999]: bodies.[1].count: a lattice of 1e+12 points "
      "around the body is too large: at most 134217726");
  test_refused(
      TEST_SCENE, "bodies.[0].spacing=1e-6",
      "--set bodies.[0].spacing=1e-6: bodies.[0].spacing: a lattice of 4e+10 points around "
      "the body is too large: at most 134217726");
  test_refused(
      "simulation: { dimension = 3; grid = 20; cell = 0.05; time_step = 1e-3; steps = 3; };\n"
      "materials: ( { name = \"m\"; youngs_modulus = 4; poisson_ratio = 0.3; density = 1; } );\n"
      "bodies: ( { name = \"a\"; material = \"m\"; shape = \"ball\"; radius = 0.1;\n"
      "  center = [0.5, 0.5, 0.5]; spacing = 1e-6; } );\n",
      NULL,
      "my.cfg:4: bodies.[0].spacing: a lattice of 8e+15 points around the body is too large: "
      "at most 134217726");
  test_refused(
      TEST_SCENE, "bodies.[2].particles=2000000000",
      "--set bodies.[2].particles=2000000000: bodies.[2].particles: 2000000000 particles are "
      "too many: at most 134217726");
  char message[400];
  snprintf(
      message, sizeof message,
      "--set %s: bodies.[0].sampling: the shape fills 8.3e-14 of the box around it: 1.20096e+16 "
      "points would be drawn for 1000 inside; take fewer, or sampling = \"lattice\"",
      thin);
  test_refused("simulation: { grid = 20; cell = 0.05; time_step = 1e-3; steps = 3; };\n"
               "materials: ( { name = \"soft\"; youngs_modulus = 4; poisson_ratio = 0.3; density = "
               "1; } );\n",
               thin, message);
  test_refused(
      TEST_SCENE, "simulation.steps=2147483647",
      "--set simulation.steps=2147483647: simulation.steps = 2147483647 is out of range: must "
      "be 1 to 1000000000");
  test_refused(
      TEST_SCENE,
      "scenarios={sampling=\"random\"; count=2147483647; "
      "vary=({key=\"objective.[1].weight\"; low=0; high=1;});}",
      "--set scenarios={sampling=\"random\"; count=2147483647; "
      "vary=({key=\"objective.[1].weight\"; low=0; high=1;});}: scenarios.count: 2147483647 "
      "scenarios are too many: at most 1000000");
  alarm(0);
}

int main(void) {
  RUN(polygon);
  RUN(composite);
  RUN(points);
  RUN(random_composite);
  RUN(turned);
  RUN(overlaps);
  RUN(bad_bodies);
  RUN(out_of_memory);
  RUN(sizes);
  return TEST_RESULT();
}
