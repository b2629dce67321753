/* A recorded run: the files, and that it is the run the problem evaluates. */
#include "scene.h"
#include "test_problems_scene.h"

#include <sys/stat.h>

static int count_lines(const char *path, char *last, size_t size) {
  FILE *file = fopen(path, "r");
  int n = 0;
  char line[4096];
  CHECK(file != NULL);
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    n++;
    snprintf(last, size, "%s", line);
  }
  if (file != NULL) {
    fclose(file);
  }
  return n;
}

static void records(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("simulate.cfg", TEST_SCENE);
  cq_scene *scene = test_load(ctx, "simulate.cfg");
  mkdir("simulate.d", 0777);
  CHECK_MSG(cq_scene_simulate(scene, 0, NULL, "simulate.d", 3, CQ_RECORD_TABLES) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  char last[4096];
  CHECK(count_lines("simulate.d/particles.csv", last, sizeof last) == 1 + 4 * 156);
  CHECK(strncmp(last, "40,155,C,", 9) == 0);
  CHECK(count_lines("simulate.d/observations.csv", last, sizeof last) == 1 + 41);
  /* time, then x, y of A: what the first term of the objective sees */
  double t = 0.0, x = 0.0, y = 0.0, f = 0.0, c[3];
  CHECK(sscanf(last, "%lf,%lf,%lf", &t, &x, &y) == 3);
  CHECK_NEAR(t, 0.08, 1e-15);
  const cq_problem *p = cq_scene_problem(scene);
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK);
  CHECK_NEAR(hypot(x - 0.6, y - 0.3), cq_scene_term_value(scene, 0), 1e-12);
  CHECK(cq_scene_simulate(scene, 0, NULL, "no/such/folder", 3, CQ_RECORD_TABLES) == CQ_IO);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Named groups have columns beside the bodies: here that of all of A, so A's numbers again. */
static void records_groups(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const set =
      "groups=({name=\"tip\"; body=\"A\"; shape=\"box\"; center=[0.5, 0.5]; size=[2, 2];})";
  cq_scene *scene = NULL;
  char header[512] = "", last[4096];
  CHECK_MSG(cq_scene_load(ctx, "simulate.cfg", &set, 1, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_scene_simulate(scene, 0, NULL, "simulate.d", 3, CQ_RECORD_TABLES) == CQ_OK);
  FILE *file = fopen("simulate.d/observations.csv", "r");
  CHECK(file != NULL && fgets(header, sizeof header, file) != NULL);
  fclose(file);
  CHECK_MSG(strstr(header, "C.mean_square_velocity,tip.x,tip.y,tip.vx,tip.vy,tip.mean") != NULL,
            "%s", header);
  CHECK(count_lines("simulate.d/observations.csv", last, sizeof last) == 1 + 41);
  double v[21];
  char *at = last;
  for (int i = 0; i < 21; i++, at++) { /* time, then five numbers of A, B, C and tip */
    v[i] = strtod(at, &at);
  }
  for (int i = 0; i < 5; i++) {
    CHECK_NEAR(v[16 + i], v[1 + i], 0);
    CHECK(v[16 + i] != v[6 + i]);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void describes(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = test_load(ctx, "simulate.cfg");
  static char text[8192];
  FILE *out = tmpfile();
  CHECK(cq_scene_describe(scene, out) == CQ_OK);
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = '\0';
  CHECK(strstr(text, "156 particles, 40 steps") != NULL);
  CHECK(strstr(text, "body C: 60 particles, fixed_corotated") != NULL);
  CHECK(strstr(text, "70 design variables") != NULL);
  CHECK(strstr(text, "constraint: C.distance = 0.01") != NULL);
  CHECK(strstr(text, " of 16 MiB)") != NULL);
  fclose(out);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* Bodies that differ in their names alone share a line. */
static void describes_alike(void) {
#define BOX(name, x)                                                                               \
  "{ name = \"" name "\"; material = \"m\"; center = [" x ", 0.5]; size = [0.1, 0.1]; }, "
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = test_load_text(
      ctx,
      "simulation: { grid = [40, 20]; cell = 0.05; time_step = 2e-3; steps = 10; };\n"
      "materials: ( { name = \"m\"; youngs_modulus = 10; poisson_ratio = 0.2; density = 1; } );\n"
      "bodies: ( " BOX("a", "0.4") BOX("b", "0.6")
          BOX("c", "0.8") "{ name = \"d\"; material = "
                          "\"m\"; center = [1.2, 0.5]; size = [0.2, 0.1]; } );\n",
      NULL);
  static char text[8192];
  FILE *out = fmemopen(text, sizeof text, "w");
  CHECK(out != NULL && cq_scene_describe(scene, out) == CQ_OK && fclose(out) == 0);
  CHECK_MSG(strstr(text, "  3 bodies a .. c, each: 16 particles, ") != NULL, "%s", text);
  CHECK_MSG(strstr(text, "  body d: 32 particles, ") != NULL, "%s", text);
  CHECK(strstr(text, "body a:") == NULL && strstr(text, "body b:") == NULL);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* a scene without a design can be run, not optimized */
static void no_design(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("plain.cfg",
                  "simulation: { grid = 20; cell = 0.05; time_step = 2e-3; steps = 10; };\n"
                  "materials: ( { name = \"m\"; youngs_modulus = 10; poisson_ratio = 0.2; "
                  "density = 1; } );\n"
                  "bodies: ( { name = \"A\"; material = \"m\"; center = [0.5, 0.5]; "
                  "size = [0.2, 0.1]; } );\n");
  cq_scene *scene = test_load(ctx, "plain.cfg");
  char last[4096];
  CHECK(cq_scene_problem(scene)->n == 0);
  CHECK(scene->bodies[0].count == 8 * 4); /* half a cell apart */
  mkdir("plain.d", 0777);
  CHECK_MSG(cq_scene_simulate(scene, 0, NULL, "plain.d", 0, CQ_RECORD_TABLES) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  CHECK(count_lines("plain.d/particles.csv", last, sizeof last) == 1 + 11 * 32);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* a key that a kind of wall does not have is no parameter that is not finite */
static void every_wall(void) {
  static const char *const walls[] = {"domain: { type = \"slip\"; };",
                                      "domain: { type = \"sticky\"; };",
                                      "domain: { type = \"separate\"; };",
                                      "domain: { type = \"separate\"; friction = \"infinite\"; };",
                                      "domain: { type = \"separate_stick\"; };",
                                      "half_spaces: ( { type = \"sticky\"; point = [0, 0.15]; "
                                      "normal = [0, 1]; } );"};
  for (int i = 0; i < 6; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    test_write_file("wall.cfg", test_edit(TEST_SCENE, "domain: { friction = 0.4; };", walls[i]));
    cq_scene *scene = test_load(ctx, "wall.cfg");
    const cq_problem *p = cq_scene_problem(scene);
    double f = 0.0, c[3];
    CHECK_MSG(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK, "%s: %s", walls[i],
              cq_ctx_error(ctx));
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

int main(void) {
  RUN(records);
  RUN(records_groups);
  RUN(describes);
  RUN(describes_alike);
  RUN(no_design);
  RUN(every_wall);
  return TEST_RESULT();
}
