/* Tables from other programs: what is understood, and what is refused with a sentence. */
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <sys/stat.h>

/* a square of four points, half a cell apart */
static const char scene[] =
    "simulation: { grid = [24, 24]; cell = 0.05; time_step = 1e-3; steps = 2; };\n"
    "materials: ( { name = \"m\"; youngs_modulus = 4; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"d\"; material = \"m\"; sampling = \"points\"; points_file = \"p.csv\";\n"
    "            volume = 0.0025; } );\n"
    "objective: ( { term = \"kinetic_energy\"; } );\n";

static cq_status load(const char *csv, cq_ctx *ctx, cq_scene **out) {
  test_write_file("points.cfg", scene);
  test_write_file("p.csv", csv);
  return cq_scene_load(ctx, "points.cfg", NULL, 0, out);
}

static void understood(const char *csv) {
  static const double x[] = {0.5, 0.5, 0.525, 0.5, 0.5, 0.525, 0.525, 0.525};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  const cq_status status = load(csv, ctx, &s);
  CHECK_MSG(status == CQ_OK, "%s: %s", csv, cq_ctx_error(ctx));
  CHECK(s != NULL && s->model.n_particles == 4 &&
        memcmp(s->inputs + s->layout.offset[CQ_INPUT_x], x, sizeof x) == 0);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void refused(const char *csv, cq_status wanted, const char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  CHECK(load(csv, ctx, &s) == wanted && s == NULL);
  CHECK_STR(cq_ctx_error(ctx), message);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void spreadsheets(void) {
  understood("x,y\n0.5,0.5\n0.525,0.5\n0.5,0.525\n0.525,0.525\n");
  understood("\xef\xbb\xbfx,y\r\n0.5,0.5\r\n0.525,0.5\r\n0.5,0.525\r\n0.525,0.525\r\n");
  understood("X;Y\n0.5;0.5\n0.525;0.5\n0.5;0.525\n0.525;0.525\n;\n");
  understood("x\ty\n0.5\t0.5\n0.525\t0.5\n0.5\t0.525\n0.525\t0.525\n");
  understood("\"Y [m]\",\"x (m)\"\n\"0.5\",0.5\n0.5,0.525\n0.525,0.5\n0.525,0.525\n");
}

/* a unit of a power is written in several ways */
static void volumes(void) {
  static const char *const names[] = {"volume", "Volume [m^2]", "volume [m2]",
                                      "volume (m\xc2\xb2)"};
  for (int i = 0; i < 4; i++) {
    char csv[128];
    snprintf(csv, sizeof csv, "x,y,%s\n0.5,0.5,1e-3\n0.525,0.5,1e-3\n", names[i]);
    refused(csv, CQ_CONFIG,
            "points.cfg:4: bodies.[0].volume: give one of volume, particle_volume and volumes of "
            "the points");
  }
  refused("x,y,volume [m^3]\n0.5,0.5,1e-3\n", CQ_CONFIG,
          "p.csv:1: the column \"volume\" must be in [m^2], not in [m^3]; convert its numbers");
}

static void columns(void) {
  refused("x,y,colour\n1,1,1\n", CQ_CONFIG,
          "p.csv:1: unknown column \"colour\"; known are: x, y, volume, density, group, "
          "youngs_modulus");
  refused("# points\nx,y,volum\n1,1,1\n", CQ_CONFIG,
          "p.csv:2: unknown column \"volum\"; did you mean \"volume\"?");
  refused("x,y,z\n1,1,1\n", CQ_CONFIG,
          "p.csv:1: the scene is 2D and has no use for a column \"z\"; take it out, or set "
          "simulation.dimension = 3");
  refused("x,y,X [m]\n1,1,1\n", CQ_CONFIG, "p.csv:1: two columns are called \"x\"");
  refused("x,y,\n1,1,\n", CQ_CONFIG, "p.csv:1: column 3 has no name; take it out");
  refused("x [mm],y\n1,1\n", CQ_CONFIG,
          "p.csv:1: the column \"x\" must be in [m], not in [mm]; convert its numbers");
  refused("x\n1\n", CQ_CONFIG,
          "p.csv:1: no column is called \"y\"; the first line must name the columns");
}

static void numbers(void) {
  refused("x;y\n0,5;0,5\n", CQ_CONFIG,
          "p.csv:2: x must be a number, not \"0,5\"; write a decimal point");
  refused("x,y\n0.5,1e400\n", CQ_CONFIG, "p.csv:2: y = 1e400 is not a finite number");
  refused("x,y\n0.5\n", CQ_CONFIG, "p.csv:2: as many fields as names are needed, 2");
}

static void tracks(void) {
  const char *const set = "objective=({term=\"marker_distance\"; file=\"t.csv\";})";
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  test_write_file("points.cfg", scene);
  test_write_file("p.csv", "x,y\n0.5,0.5\n0.525,0.5\n0.5,0.525\n0.525,0.525\n");
  test_write_file("t.csv", "time,id,x,y,wieght\n0,1,0.5,0.5,1\n0.001,1,0.5,0.5,1\n");
  CHECK(cq_scene_load(ctx, "points.cfg", &set, 1, &s) == CQ_CONFIG);
  CHECK_STR(cq_ctx_error(ctx), "t.csv:1: unknown column \"wieght\"; did you mean \"weight\"?");
  cq_ctx_clear_error(ctx);
  test_write_file("t.csv", "Time [s];ID;X;Y;weight\n0;1;0.5;0.5;1\n0.001;1;0.5;0.5;1\n");
  CHECK_MSG(cq_scene_load(ctx, "points.cfg", &set, 1, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* a named pipe would be waited for, a device has no end */
static void no_files(void) {
  const char *sets[] = {"bodies.[0].points_file=pipe", "bodies.[0].points_file=/dev/zero",
                        "bodies.[0].points_file=/"};
  static const char *const kinds[] = {"pipe: it is a named pipe", "/dev/zero: it is a device",
                                      "/: it is a folder"};
  test_write_file("points.cfg", scene);
  mkfifo("pipe", 0600);
  for (int i = 0; i < 3; i++) {
    char message[256];
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *s = NULL;
    CHECK(cq_scene_load(ctx, "points.cfg", &sets[i], 1, &s) == CQ_IO && s == NULL);
    snprintf(message, sizeof message,
             "--set %s: bodies.[0].points_file: cannot read %s, not a file", sets[i], kinds[i]);
    CHECK_STR(cq_ctx_error(ctx), message);
    cq_ctx_clear_error(ctx);
    CHECK(cq_scene_load(ctx, strchr(sets[i], '=') + 1, NULL, 0, &s) == CQ_IO && s == NULL);
    CHECK(strstr(cq_ctx_error(ctx), kinds[i]) != NULL);
    cq_ctx_destroy(ctx);
  }
}

int main(void) {
  RUN(spreadsheets);
  RUN(volumes);
  RUN(columns);
  RUN(numbers);
  RUN(tracks);
  RUN(no_files);
  return TEST_RESULT();
}
