/* Walls of a problem file: what is read, in which order they act, what is refused and warned of. */
#include "mpm_inputs.h"
#include "mpm_model.h"
#include "scene.h"
#include "test_problems_scene.h"

#define WALLS                                                                                      \
  "boundaries: {\n"                                                                                \
  "  half_spaces: ( { type = \"slip\"; point = [0, 0.1]; normal = [0, 2]; },\n"                    \
  "    { type = \"none\"; point = [0, 0.1]; normal = \"y\"; } );\n"                                \
  "  height_fields: (\n"                                                                           \
  "    { type = \"separate\"; friction = 0.3; x0 = -0.1; spacing = 0.5;\n"                         \
  "      heights = [0.1, 0.15, \"1/10\", 0.1] } );\n"                                              \
  "  obstacles: (\n"                                                                               \
  "    { type = \"sticky\"; shape = \"box\"; center = [0.6, 0.7]; size = [0.2, 0.1];\n"            \
  "      angle = 0.5 },\n"                                                                         \
  "    { type = \"separate\"; friction = \"infinite\"; shape = \"ball\";\n"                        \
  "      center = [0.9, 0.6]; radius = 0.05 } );\n"                                                \
  "};\n"

static const char *scene_text(void) {
  return test_edit(TEST_SCENE, "boundaries: { domain: { friction = 0.4; }; };\n", WALLS);
}

static void order_and_values(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_log lines = {""};
  cq_ctx_set_log(ctx, test_log_line, &lines);
  test_write_file("my.cfg", scene_text());
  cq_scene *scene = test_load(ctx, "my.cfg");
  const cq_boundary *b = cq_mpm_of(&scene->model)->boundaries;
  const double *friction = scene->inputs + scene->layout.offset[CQ_INPUT_friction];
  CHECK(scene->model.n_boundaries == 5);
  CHECK(b[0].shape.kind == CQ_SHAPE_domain && b[0].kind == CQ_BOUNDARY_separate);
  CHECK_NEAR(b[0].shape.center[1] - 0.5 * b[0].shape.size[1], 2.5 * 0.05, 1e-15);
  CHECK_NEAR(b[0].shape.center[0] + 0.5 * b[0].shape.size[0], 20.5 * 0.05, 1e-15);
  CHECK(b[1].shape.kind == CQ_SHAPE_half_space && b[1].kind == CQ_BOUNDARY_slip);
  CHECK(b[1].shape.normal[1] == 1.0);
  CHECK(b[2].shape.kind == CQ_SHAPE_height_field && friction[2] == 0.3);
  CHECK_NEAR(cq_curve_at(&b[2].shape.curve, 0.4).y, 0.15, 1e-15);
  CHECK(b[3].shape.kind == CQ_SHAPE_box && b[3].kind == CQ_BOUNDARY_sticky);
  CHECK(b[3].shape.turn.is && b[3].shape.size[1] == 0.1);
  CHECK(b[4].shape.kind == CQ_SHAPE_ball && b[4].kind == CQ_BOUNDARY_separate_stick);
  CHECK(b[4].shape.center[0] == 0.9 && b[4].shape.radius == 0.05);
  CHECK(friction[4] == 0.0);
  CHECK_STR(lines.text, "");
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* what is written has every wall, and is read as the same */
static void written_file(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  uint64_t hash[2] = {0, 1};
  test_write_file("my.cfg", scene_text());
  for (int k = 0; k < 2; k++) {
    cq_scene *scene = test_load(ctx, k == 0 ? "my.cfg" : "written.cfg");
    CHECK(cq_scene_config_hash(scene, true, &hash[k]) == CQ_OK);
    FILE *file = fopen("written.cfg", "w");
    CHECK(cq_scene_write_config(scene, file) == CQ_OK && fclose(file) == 0);
    cq_scene_destroy(scene);
  }
  CHECK(hash[0] == hash[1]);
  cq_ctx_destroy(ctx);
}

static void refused(void) {
  const char *text = scene_text();
  char copy[16384];
  snprintf(copy, sizeof copy, "%s", text);
  test_refused(
      copy, "boundaries.height_fields.[0].rows_z=2",
      "--set boundaries.height_fields.[0].rows_z=2: boundaries.height_fields.[0].rows_z: is for "
      "3D: in 2D the ground has one row");
  test_refused(copy, "boundaries.height_fields.[0].heights=[1]",
               "--set boundaries.height_fields.[0].heights=[1]: "
               "boundaries.height_fields.[0].heights: needs two heights or more");
  test_refused(copy, "boundaries.obstacles.[1].radius=0",
               "--set boundaries.obstacles.[1].radius=0: boundaries.obstacles.[1].radius = 0 is "
               "out of range: must be > 0 m");
  test_refused(copy, "boundaries.obstacles.[1].size=[1,1]",
               "--set boundaries.obstacles.[1].size=[1,1]: \"size\" in boundaries.obstacles.[1] "
               "has a meaning only with shape = \"box\"");
  test_refused(copy, "boundaries.obstacles.[0].center=unset",
               "my.cfg:23: boundaries.obstacles.[0].low: give either low or center");
  test_refused(copy, "boundaries.obstacles.[0].shape=cone",
               "--set boundaries.obstacles.[0].shape=cone: boundaries.obstacles.[0].shape must be "
               "one of \"box\", \"ball\", \"polygon\", \"capsule\", \"composite\", \"mesh\", "
               "\"gear\"");
  test_refused(copy, "boundaries.obstacles.[0].rotation=[1,2]",
               "--set boundaries.obstacles.[0].rotation=[1,2]: boundaries.obstacles.[0].rotation: "
               "must be one number in 2D, an angle");
  test_refused(
      copy, "boundaries.obstacles.[0].rotation=1",
      "my.cfg:24: boundaries.obstacles.[0].angle: is for boxes in 2D; give rotation alone");
}

static void too_many(void) {
  char set[4096] = "boundaries.obstacles=(";
  for (int i = 0; i < CQ_MAX_BOUNDARIES; i++) {
    strcat(set, i > 0 ? "," : "");
    strcat(set, "{type=\"slip\";shape=\"ball\";center=[0.9,0.9];radius=0.01;}");
  }
  strcat(set, ")");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  const char *const sets[] = {set};
  test_write_file("my.cfg", TEST_SCENE);
  CHECK(cq_scene_load(ctx, "my.cfg", sets, 1, &scene) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "boundaries.obstacles.[31]: more than 32 walls") != NULL,
            "%s", cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

/* Does wall i hold what is to be inside, and not what is beside it? */
static void check_wall(const cq_scene *scene, int i, double x, double y, double z, bool inside) {
  const double at[3] = {x, y, z};
  CHECK_MSG((cq_shape_distance(&cq_mpm_of(&scene->model)->boundaries[i].shape, at) < 0.0) == inside,
            "wall %d at (%g, %g, %g)", i, x, y, z);
}

/* every shape that a body can have, turned */
static void any_shape(void) {
  static const char *const set[] = {
      "boundaries.obstacles=("
      "{type=\"slip\";center=[0.6,0.7];size=[0.3,0.04];rotation=0.6;},"
      "{type=\"slip\";center=[0.6,0.7];size=[0.3,0.04];angle=0.6;},"
      "{type=\"slip\";shape=\"capsule\";points=[[0.5,0.7],[0.7,0.7]];radius=0.02;rotation=\"1/"
      "2\";},"
      "{type=\"slip\";shape=\"polygon\";points=[[0.5,0.6],[0.7,0.6],[0.7,0.8]];rotation=3.1415926;}"
      ","
      "{type=\"slip\";shape=\"composite\";rotation=1.5707963;parts=({center=[0.6,0.7];"
      "size=[0.4,0.1];},{operation=\"subtract\";shape=\"ball\";center=[0.7,0.7];radius=0.04;});})"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  test_write_file("my.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "my.cfg", set, 1, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  for (int i = 1; i <= 2; i++) {
    check_wall(scene, i, 0.6 + 0.14 * cos(0.6), 0.7 + 0.14 * sin(0.6), 0.0, true);
    check_wall(scene, i, 0.74, 0.7, 0.0, false);
  }
  check_wall(scene, 3, 0.6 + 0.1 * cos(0.5), 0.7 + 0.1 * sin(0.5), 0.0, true);
  check_wall(scene, 3, 0.7, 0.7, 0.0, false);
  check_wall(scene, 4, 0.52, 0.78, 0.0, true); /* half a turn: the other half of its square */
  check_wall(scene, 4, 0.68, 0.62, 0.0, false);
  check_wall(scene, 5, 0.6, 0.88, 0.0, true); /* a quarter: it stands, and the hole is above */
  check_wall(scene, 5, 0.6, 0.8, 0.0, false);
  check_wall(scene, 5, 0.6, 0.6, 0.0, true);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void turned_in_3d(void) {
  static const char text[] =
      "simulation: { dimension = 3; grid = 20; cell = 0.05; time_step = 1e-3;\n"
      "  steps = 1; };\n"
      "materials: ( { name = \"a\"; youngs_modulus = 9; poisson_ratio = 0.3;\n"
      "  density = 1; } );\n"
      "bodies: ( { name = \"A\"; material = \"a\"; low = [0.3, 0.3, 0.3];\n"
      "  size = [0.1, 0.1, 0.1]; } );\n"
      "boundaries: { obstacles: ( { type = \"slip\"; shape = \"box\";\n"
      "  center = [0.6, 0.7, 0.5]; size = [0.2, 0.02, 0.02]; %s } ); };\n";
  char turned[1024];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  snprintf(turned, sizeof turned, text, "angle = 0.5;");
  test_refused(turned, NULL,
               "my.cfg:8: boundaries.obstacles.[0].angle: is for boxes in 2D; give rotation alone");
  snprintf(turned, sizeof turned, text, "rotation = 0.5;");
  test_refused(turned, NULL,
               "my.cfg:8: boundaries.obstacles.[0].rotation: must be three numbers in 3D, axis "
               "times angle");
  snprintf(turned, sizeof turned, text, "rotation = [0, \"-11/7\", 0];"); /* x to z */
  test_write_file("my.cfg", turned);
  CHECK_MSG(cq_scene_load(ctx, "my.cfg", NULL, 0, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  check_wall(scene, 1, 0.6, 0.7, 0.59, true);
  check_wall(scene, 1, 0.69, 0.7, 0.5, false);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* a body that starts inside a wall is warned of, unless the wall holds it for good */
static void body_inside(void) {
  static const char *const types[] = {"separate", "sticky"};
  for (int k = 0; k < 2; k++) {
    char set[128];
    snprintf(set, sizeof set,
             "boundaries.obstacles=({type=\"%s\";shape=\"ball\";center=[0.2,0.16];radius=0.05;})",
             types[k]);
    cq_ctx *ctx = cq_ctx_create(1, 1);
    test_log lines = {""};
    cq_ctx_set_log(ctx, test_log_line, &lines);
    test_write_file("my.cfg", TEST_SCENE);
    const char *const sets[] = {set};
    cq_scene *scene = NULL;
    CHECK(cq_scene_load(ctx, "my.cfg", sets, 1, &scene) == CQ_OK);
    if (k == 0) {
      CHECK_MSG(strstr(lines.text, "3 of the 64 particles of body \"A\" start inside the wall "
                                   "boundaries.obstacles.[0]; move") != NULL,
                "log: %s", lines.text);
    } else {
      CHECK_STR(lines.text, "");
    }
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

/* What a slip wall holds goes on behind it, by three cells at most: here 1.9 and 3.8 of them. Or it
 * ends at the wall, where this may be a mirror. */
static void body_held(void) {
  static const char *const points[] = {"0.296", "0.39", "0.199", "0.1", "0.2", "0.2"};
  static const char *const said[] = {NULL,
                                     "64 of the 64 particles of body \"A\" start inside the wall "
                                     "boundaries.half_spaces.[0]; move",
                                     "body \"A\" ends at the slip wall boundaries.half_spaces.[0]",
                                     NULL,
                                     NULL,
                                     "body \"A\" ends at the slip wall boundaries.half_spaces.[0]"};
  for (int k = 0; k < 6; k++) {
    char set[160];
    const char *const sets[] = {set};
    snprintf(set, sizeof set,
             "boundaries.half_spaces=({type=\"slip\";point=[%s,0];normal=\"x\";%s})", points[k],
             k < 5 ? "" : "mirror=false;");
    cq_ctx *ctx = cq_ctx_create(1, 1);
    test_log lines = {""};
    cq_scene *scene = NULL;
    cq_ctx_set_log(ctx, test_log_line, &lines);
    test_write_file("my.cfg", TEST_SCENE);
    CHECK(cq_scene_load(ctx, "my.cfg", sets, 1, &scene) == CQ_OK);
    CHECK_MSG(said[k] != NULL ? strstr(lines.text, said[k]) != NULL : lines.text[0] == '\0',
              "log: %s", lines.text);
    CHECK(cq_mpm_of(&scene->model)->boundaries[1].mirror == (k == 4));
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

int main(void) {
  RUN(order_and_values);
  RUN(written_file);
  RUN(refused);
  RUN(too_many);
  RUN(any_shape);
  RUN(turned_in_3d);
  RUN(body_inside);
  RUN(body_held);
  return TEST_RESULT();
}
