/* Depth images of a file's cameras: of all engines, of what moves, in 2D, by any number of threads;
 * and what is refused. */
#include "test_api_run.h"

/* A grain that stands on the floor under a camera, beside an obstacle that moves with another one.
 */
#define GRAIN                                                                                      \
  "simulation: { engine = \"granular\"; dimension = 3; room = [1, 1, 1]; time_step = 1e-3;\n"      \
  "  steps = 100; gravity = [0, -9.81, 0]; };\n"                                                   \
  "materials: ( { name = \"stone\"; density = 2500; } );\n"                                        \
  "bodies: ( { name = \"one\"; material = \"stone\"; grain_radius = 0.1;\n"                        \
  "  low = [0.4, 0, 0.4]; size = [0.2, 0.2, 0.2]; count = [1, 1, 1]; packing = \"cubic\"; } );\n"  \
  "boundaries: { obstacles: ( { shape = \"box\"; center = [0.2, 0.5, 0.5];\n"                      \
  "  size = [0.1, 0.1, 0.1]; } ); };\n"                                                            \
  "actuators: ( { name = \"go\"; body = \"*\"; wall = \"obstacles.[0]\"; along = [\"x\"];\n"       \
  "  max = 2; } );\n"                                                                              \
  "controller: { type = \"open_loop\"; hold = 100; };\n"                                           \
  "objective: ( { term = \"height\"; body = \"one\"; } );\n"
#define TOP                                                                                        \
  "cameras: ( { name = \"top\"; size = [5, 5]; eye = [0.5, 2, 0.5]; at = [0.5, 0, 0.5];\n"         \
  "  up = \"x\"; width = 1; far = 4; },\n"
#define EGO                                                                                        \
  "  { name = \"ego\"; kind = \"perspective\"; size = [3, 1]; eye = [0.3, 0.1, 0.5];\n"            \
  "    at = [1, 0.1, 0.5]; fov = 2.8; near = 0.01; far = 2; on = \"obstacles.[0]\"; } );\n"

static run_world open_text(const char *text, int threads) {
  run_world w = {.ctx = cq_ctx_create(threads, 1), .about = {.struct_size = sizeof w.about}};
  MUST(&w, cq_file_parse(w.ctx, text, "my.cfg", ".", NULL, 0, &w.file));
  MUST(&w, cq_run_create(w.file, 0, &w.run));
  if (w.run == NULL) {
    exit(EXIT_FAILURE);
  }
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  return w;
}

/* The box moves 0.2 m along x, and the camera that it carries comes nearer to the grain. */
static void moving(void) {
  run_world w = open_text(GRAIN TOP EGO, 1);
  const double speed = 2.0;
  double top[25], ego[3], before[3];
  cq_about_array about = {.struct_size = sizeof about};
  const int i = cq_run_find(w.run, CQ_IMAGES, "ego");
  double radius = 0.0; /* pictures, too, draw it as large as it is */
  MUST(&w, cq_run_read(w.run, cq_run_find(w.run, CQ_FIELDS, "radius"), &radius, 1));
  CHECK_NEAR(radius, 0.1, 1e-9);
  CHECK(i == 1 && cq_run_find(w.run, CQ_IMAGES, "none") == -1);
  MUST(&w, cq_run_describe(w.run, CQ_IMAGES, 0, &about));
  CHECK(about.rank == 2 && about.shape[0] == 5 && about.shape[1] == 5 && about.numbers == 25);
  CHECK_STR(about.unit, "m");
  MUST(&w, cq_run_look(w.run, 0, top, 25));
  MUST(&w, cq_run_look(w.run, 1, before, 3));
  CHECK_NEAR(top[12], 2.0 - 0.2, 1e-6);         /* on the grain */
  CHECK_NEAR(top[0], 2.0, 1e-12);               /* the floor */
  CHECK_NEAR(top[22], 2.0, 1e-12);              /* x = 0.1, as up is x */
  CHECK_NEAR(before[1], 0.1, 1e-6);             /* from 0.3 to 0.4 */
  const double wall = 0.5 / (tan(1.4) * 2 / 3); /* beside it */
  CHECK_NEAR(before[0], wall, 1e-9);
  MUST(&w, cq_run_advance(w.run, 40, &speed, 1));
  MUST(&w, cq_run_look(w.run, 0, top, 25));
  MUST(&w, cq_run_look(w.run, 1, ego, 3));
  CHECK_NEAR(ego[1], before[1] - 0.08, 1e-3);
  CHECK_NEAR(ego[0], wall, 1e-9);
  CHECK_NEAR(top[17], 2.0 - 0.55, 1e-12); /* the box has come to x = 0.28 */
  close_run(&w);
}

/* A soft block is balls of half its spacing, a rigid body its shape. */
static void continuum(void) {
  run_world w = open_text(
      "simulation: { engine = \"mpm\"; dimension = 3; grid = [16, 16, 16]; cell = 0.05;\n"
      "  time_step = 1e-3; steps = 10; gravity = [0, 0, 0]; contact_depth = 0.02; };\n"
      "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; },\n"
      "  { name = \"hard\"; model = \"rigid\"; density = 2; } );\n"
      "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.2, 0.2, 0.2];\n"
      "    size = [0.15, 0.15, 0.15]; spacing = 0.05; particle_volume = 1; },\n"
      "  { name = \"B\"; material = \"hard\"; shape = \"ball\"; center = [0.5, 0.5, 0.5];\n"
      "    radius = 0.06; spacing = 0.03; } );\n"
      "objective: ( { term = \"height\"; body = \"A\"; } );\n"
      "cameras: ( { name = \"a\"; size = [1, 1]; eye = [0.225, 0.7, 0.225];\n"
      "    at = [0.225, 0, 0.225]; up = \"z\"; width = 0.01; far = 4; },\n"
      "  { name = \"b\"; size = [1, 1]; eye = [0.53, 0.7, 0.5]; at = [0.53, 0, 0.5]; up = \"z\";\n"
      "    width = 0.01; far = 4; } );\n",
      1);
  double a = 0.0, b = 0.0;
  MUST(&w, cq_run_look(w.run, 0, &a, 1));
  MUST(&w, cq_run_look(w.run, 1, &b, 1));
  CHECK_NEAR(a, 0.7 - 0.35, 1e-9);
  CHECK_NEAR(b, 0.2 - sqrt(0.06 * 0.06 - 0.03 * 0.03), 1e-9);
  close_run(&w);
}

/* A line in 2D, of a fluid that an obstacle on a track moves over. */
static void line(void) {
  run_world w = open_text(
      "simulation: { engine = \"fluid\"; size = [0.4, 0.4]; radius = 0.0125; time_step = 1e-3;\n"
      "  steps = 100; gravity = [0, -9.81]; };\n"
      "materials: ( { name = \"water\"; density = 1000; } );\n"
      "bodies: ( { name = \"pool\"; material = \"water\"; low = [0, 0]; size = [0.2, 0.1]; } );\n"
      "boundaries: { obstacles: ( { shape = \"box\"; center = [0.35, 0.25]; size = [0.06, 0.06];\n"
      "  velocity = [0, 1]; } ); };\n"
      "objective: ( { term = \"height\"; body = \"pool\"; } );\n"
      "cameras: ( { name = \"down\"; size = 4; eye = [0.2, 0.8]; at = [0.2, 0]; width = 0.4;\n"
      "  far = 2; } );\n",
      1);
  double row[4];
  cq_about_array about = {.struct_size = sizeof about};
  MUST(&w, cq_run_describe(w.run, CQ_IMAGES, 0, &about));
  CHECK(about.shape[0] == 1 && about.shape[1] == 4);
  MUST(&w, cq_run_look(w.run, 0, row, 4));
  CHECK_NEAR(row[0], 0.7, 0.013); /* the water, between two particles */
  CHECK_NEAR(row[2], 0.8, 1e-9);  /* the floor */
  CHECK_NEAR(row[3], 0.52, 1e-9);
  MUST(&w, cq_run_advance(w.run, 10, NULL, 0));
  MUST(&w, cq_run_look(w.run, 0, row, 4));
  CHECK_NEAR(row[3], 0.51, 1e-6);
  close_run(&w);
}

static void threads(void) {
  double images[2][25];
  for (int k = 0; k < 2; k++) {
    run_world w = open_text(GRAIN TOP EGO, 1 + k);
    MUST(&w, cq_run_advance(w.run, 50, NULL, 0));
    MUST(&w, cq_run_look(w.run, 0, images[k], 25));
    close_run(&w);
  }
  CHECK(memcmp(images[0], images[1], sizeof images[0]) == 0);
}

static void misuse(void) {
  run_world w = open_text(GRAIN TOP EGO, 1);
  double top[25];
  CHECK(cq_run_look(w.run, 2, top, 25) == CQ_USAGE && cq_run_look(w.run, 0, top, 24) == CQ_USAGE);
  CHECK(cq_run_look(w.run, 0, NULL, 25) == CQ_USAGE && cq_run_look(NULL, 0, top, 25) == CQ_USAGE);
  close_run(&w);
}

/* One line each, with its place. */
static void refused(void) {
  static const char rest[] = "eye = [0.5, 2, 0.5]; at = [0.5, 0, 0.5]; ";
  static const struct {
    const char *camera, *says;
  } bad[] = {
      {"size = 3; up = \"x\"; width = 1; far = 4;", "size: must be two numbers of pixels"},
      {"size = [0, 3]; up = \"x\"; width = 1; far = 4;", "size"},
      {"size = [3.5, 3]; up = \"x\"; width = 1; far = 4;", "size: 3.5 is no whole number"},
      {"size = [2000000, 2000000]; up = \"x\"; width = 1; far = 4;",
       "size: an image of 4000000000000 pixels takes 3.05e+07 MiB, and simulation.memory is"},
      {"size = [3, 3]; width = 1; far = 4;", "is along the way from eye to at"},
      {"size = [3, 3]; up = \"x\"; width = 1; near = 5; far = 4;",
       "far: must be more than near = 5"},
      {"size = [3, 3]; up = \"x\"; width = 1; far = 4; on = \"obstacles.[1]\";",
       "on: there is no boundary \"obstacles.[1]\""},
      {"size = [3, 3]; up = \"x\"; fov = 1; far = 4;", "\"fov\""},
      {"size = [3, 3]; up = \"x\"; kind = \"perspective\"; fov = 4; far = 4;",
       "fov: must be below pi"},
      {"size = [3, 3]; up = \"x\"; kind = \"fisheye\"; width = 1; far = 4;", "kind must be one of"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[4096];
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_file *file = NULL;
    snprintf(text, sizeof text, GRAIN "cameras: ( { name = \"c\"; %s%s } );\n", rest,
             bad[i].camera);
    CHECK(cq_file_parse(ctx, text, "my.cfg", ".", NULL, 0, &file) == CQ_CONFIG && file == NULL);
    const char *error = cq_ctx_error(ctx);
    CHECK_MSG(strstr(error, bad[i].says) != NULL && strncmp(error, "my.cfg:", 7) == 0 &&
                  strstr(error, "cameras.[0]") != NULL && strchr(error, '\n') == NULL,
              "\"%s\" does not say \"%s\"", error, bad[i].says);
    cq_ctx_destroy(ctx);
  }
}

/* Its eye is what it looks at, and a name that is there twice. */
static void refused_too(void) {
  static const char *const texts[] = {
      GRAIN
      "cameras: ( { name = \"c\"; size = [3, 3]; eye = [1, 1, 1]; at = [1, 1, 1]; width = 1;\n"
      "far = 1; } );\n",
      GRAIN TOP "{ name = \"top\"; size = [5, 5]; eye = [0.5, 2, 0.5]; at = [0.5, 0, 0.5];\n"
                "  up = \"x\"; width = 1; far = 4; } );\n"};
  static const char *const say[] = {"at: is the eye itself", "name: there are two cameras \"top\""};
  for (int i = 0; i < 2; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_file *file = NULL;
    CHECK(cq_file_parse(ctx, texts[i], "my.cfg", ".", NULL, 0, &file) == CQ_CONFIG);
    CHECK_MSG(strstr(cq_ctx_error(ctx), say[i]) != NULL, "\"%s\"", cq_ctx_error(ctx));
    cq_ctx_destroy(ctx);
  }
}

int main(void) {
  RUN(moving);
  RUN(continuum);
  RUN(line);
  RUN(threads);
  RUN(misuse);
  RUN(refused);
  RUN(refused_too);
  return TEST_RESULT();
}
