/* Rigid bodies of a problem file: what a model is told of them, designs of tracks, drives, moving
 * obstacles; what is refused; and runs with gradients. */
#include "scene/mpm_scene.h"
#include "test_problems_scene.h"

#include <math.h>

/* A pusher on a track, a soft block, a ball, a press that an actuator drives. */
#define RIGID                                                                                      \
  "simulation: { dimension = 2; grid = [40, 24]; cell = 0.05; time_step = 1e-3; steps = 100;\n"    \
  "  gravity = [0, -9.81]; };\n"                                                                   \
  "materials: (\n"                                                                                 \
  "  { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 100; },\n"            \
  "  { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"                                 \
  "bodies: (\n"                                                                                    \
  "  { name = \"pusher\"; material = \"steel\"; motion = \"driven\"; low = [0.3137, 0.217];\n"     \
  "    size = [0.1, 0.3]; friction = 0.5; track = [[0, 0, 0], [0.04, 0.06, 0], [0.1, 0.1, 0]]; "   \
  "},\n"                                                                                           \
  "  { name = \"block\"; material = \"soft\"; low = [0.4571, 0.131]; size = [0.2, 0.2]; },\n"      \
  "  { name = \"ball\"; material = \"steel\"; shape = \"ball\"; center = [0.783, 0.23];\n"         \
  "    radius = 0.1; friction = 0.4; rolling = 1e-3; velocity = [-0.6, 0]; spin = 2; },\n"         \
  "  { name = \"press\"; material = \"steel\"; motion = \"driven\"; type = \"sticky\";\n"          \
  "    low = [0.463, 0.351]; size = [0.18, 0.08]; } );\n"                                          \
  "boundaries: { domain: { friction = 0.4; };\n"                                                   \
  "  obstacles: ( { type = \"separate\"; center = [1.4, 0.23]; size = [0.1, 0.2]; },\n"            \
  "    { type = \"slip\"; shape = \"ball\"; center = [1.4, 0.7]; radius = 0.1; spin = 3; } ); "    \
  "};\n"                                                                                           \
  "actuators: ( { name = \"m\"; body = \"block\"; direction = \"y\"; max = 800; },\n"              \
  "  { name = \"p\"; model = \"drive\"; body = \"press\"; controls = [\"y\", \"turn\"]; max = "    \
  "0.5;\n"                                                                                         \
  "    max_turn = 2; } );\n"                                                                       \
  "controller: { type = \"open_loop\"; hold = 50; };\n"                                            \
  "design: ( { variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; },\n"           \
  "  { variable = \"actuation\"; actuator = \"p\"; start = [-0.4, 0, -0.2, 1]; } );\n"             \
  "objective: ( { term = \"distance\"; body = \"ball\"; target = [1.2, 0.3]; } );\n"

/* In 3D: a turning track with a steady spin on top, a vehicle that a feedback controller drives. */
#define RIGID_3D                                                                                   \
  "simulation: { dimension = 3; grid = [28, 20, 20]; cell = 0.02; time_step = 5e-4;\n"             \
  "  steps = 80; gravity = [0, -9.81, 0]; };\n"                                                    \
  "materials: ( { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density =\n"         \
  "  800; },\n"                                                                                    \
  "  { name = \"steel\"; model = \"rigid\"; density = 2000; } );\n"                                \
  "bodies: (\n"                                                                                    \
  "  { name = \"block\"; material = \"soft\"; low = [0.2, 0.0537, 0.15]; size = [0.1, 0.1,\n"      \
  "  0.1]; },\n"                                                                                   \
  "  { name = \"mixer\"; material = \"steel\"; motion = \"driven\"; shape = \"capsule\";\n"        \
  "  points = [[0.133, 0.1071, 0.1613], [0.133, 0.1071, 0.2413]];\n"                               \
  "    radius = 0.03; friction = 0.5; track = [[0, 0, 0, 0, 0, 0, 0], [0.03, 0.03, 0,\n"           \
  "  0, 0.1, 0.2, 0.3], [0.06, 0.05, 0.01, 0, 0.2, 0.4, 0.3]]; spin = [0, 3, 0]; },\n"             \
  "  { name = \"arm\"; material = \"steel\"; motion = \"driven\"; low = [0.331, 0.0637,\n"         \
  "  0.1613]; size = [0.05, 0.08, 0.08]; friction = 0.3; },\n"                                     \
  "  { name = \"ball\"; material = \"steel\"; shape = \"ball\"; center = [0.2531, 0.2037,\n"       \
  "  0.2071]; radius = 0.04; friction = 0.4; spin = [1, 2, 3]; } );\n"                             \
  "boundaries: { domain: { friction = 0.4; }; };\n"                                                \
  "actuators: ( { name = \"a\"; model = \"drive\"; body = \"arm\"; frame = \"own\"; controls =\n"  \
  "  [\"x\", \"turn y\"]; max = 1; max_turn = 5; } );\n"                                           \
  "controller: { type = \"tanh_linear\"; spread = 0.5; inputs = ( { read = \"position\";\n"        \
  "  body = \"ball\"; }, { read = \"velocity\"; body = \"block\"; } ); };\n"                       \
  "design: ( { variable = \"track\"; body = \"mixer\"; }, { variable = \"controller\"; }, {\n"     \
  "  variable = \"center\"; body = \"ball\"; }, { variable = \"rotation\"; body = \"arm\";\n"      \
  "  start = 0.1; } );\n"                                                                          \
  "objective: ( { term = \"distance\"; body = \"ball\"; target = [0.3, 0.2, 0.2]; }, {\n"          \
  "  term = \"distance\"; body = \"block\"; target = [0.3, 0.1, 0.2]; } );\n"

/* What a sticky body holds may reach into it; others may not without a warning. */
static void holding(void) {
  static test_log lines;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_ctx_set_log(ctx, test_log_line, &lines);
  const char *const holds = test_edit(RIGID, "low = [0.463, 0.351]", "low = [0.463, 0.281]");
  cq_scene_destroy(test_load_text(ctx, holds, NULL));
  CHECK_MSG(strstr(lines.text, "overlap") == NULL, "log: %s", lines.text);
  cq_scene_destroy(test_load_text(ctx, holds, "bodies.[3].type=slip"));
  CHECK_MSG(strstr(lines.text, "\"block\" and \"press\" overlap") != NULL, "log: %s", lines.text);
  cq_ctx_destroy(ctx);
}

/* Order, motions and numbers of what the file has. */
static void model(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, RIGID, NULL);
  const cq_mpm_scene *own = cq_mpm_scene_of(s);
  const cq_mpm_model *m = &own->model;
  static const char *const names[] = {"domain", "obstacles.[0]", "obstacles.[1]",
                                      "pusher", "ball",          "press"};
  static const cq_rigid_motion motions[] = {CQ_RIGID_FIXED,  CQ_RIGID_FIXED, CQ_RIGID_DRIVEN,
                                            CQ_RIGID_DRIVEN, CQ_RIGID_FREE,  CQ_RIGID_DRIVEN};
  CHECK(own->rigids.n == 6 && s->model.n_boundaries == 6 && m->n_walls == 2);
  for (int i = 0; i < 6; i++) {
    CHECK_STR(own->rigid[i].name, names[i]);
    CHECK(own->rigid[i].motion == motions[i] && m->rigid[i].meets == (i >= 2));
    CHECK(m->rigid[i].wall == i);
  }
  /* soft particles come first, and rigid ones in the order of the file */
  CHECK(s->bodies[1].first == 0 && m->n_soft == s->bodies[1].count);
  CHECK(s->bodies[0].first == m->n_soft && m->rigid[3].first == m->n_soft);
  CHECK(s->bodies[2].first == s->bodies[0].first + s->bodies[0].count);
  CHECK(m->placed == s->x + 2 * m->n_soft);
  CHECK_NEAR(m->placed_center[2 * 4], 0.783, 1e-15);
  CHECK(m->rigid[3].kind == CQ_BOUNDARY_separate && m->rigid[5].kind == CQ_BOUNDARY_sticky);
  CHECK(s->walls[3].friction == 0.5 && s->walls[4].friction == 0.4);
  CHECK(own->rigid[4].rolling == 1e-3 && own->rigids.smooth);
  /* knots: the obstacle has one, the pusher three */
  const double *tracks = s->inputs + cq_layout_offset(&s->layout, "track");
  CHECK(s->model.n_knots == 4 && m->rigid[2].first_knot == 0 && m->rigid[3].first_knot == 1);
  CHECK(own->rigid[2].track->rate == 3.0);
  CHECK_NEAR(tracks[3 * 2], 0.3637 + 0.06, 1e-15);
  CHECK_NEAR(tracks[3 * 3], 0.3637 + 0.1, 1e-15);
  CHECK_NEAR(tracks[3 * 3 + 1], 0.367, 1e-15);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* Controls of a drive come after those of muscles, and move their body. */
static void drives(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, RIGID, NULL);
  const cq_mpm_scene *own = cq_mpm_scene_of(s);
  CHECK(s->model.n_controls == 3 && s->model.n_drives == 3);
  CHECK(own->model.first_rigid_drive == 1 && own->model.n_rigid_drives == 2);
  const cq_rigid *press = &own->rigid[5];
  CHECK(press->drive.n_controls == 2 && press->drive.component[0] == 1 &&
        press->drive.component[1] == 2 && press->first_control == 0 && !press->drive.own);
  CHECK_STR(s->controls[1].name, "p.y");
  CHECK_STR(s->controls[2].unit, "rad/s");
  CHECK(s->u_min[1] == -0.5 && s->u_max[1] == 0.5 && s->u_max[2] == 2.0);
  /* an actuator of bodies may stand before others, and an obstacle be driven */
  cq_scene_destroy(s);
  s = test_load_text(
      ctx,
      test_edit(RIGID, "{ name = \"m\"; body = \"block\"; direction = \"y\"; max = 800; }",
                "{ name = \"o\"; model = \"drive\"; body = \"obstacles.[0]\"; frame = \"own\";\n"
                "  controls = \"x\"; max = 0.5; }"),
      NULL);
  CHECK(cq_mpm_scene_of(s)->model.n_walls == 1 && s->model.n_controls == 3);
  CHECK(cq_mpm_scene_of(s)->rigid[1].motion == CQ_RIGID_DRIVEN &&
        cq_mpm_scene_of(s)->rigid[1].drive.own);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* The labels of a track's variables; its first knot stays. */
static void labels(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, RIGID, NULL);
  char text[96];
  CHECK(s->design.blocks[0].count == 6);
  cq_scene_variable_label(s, 0, text, sizeof text);
  CHECK_STR(text, "pusher.track[1].x");
  cq_scene_variable_label(s, 5, text, sizeof text);
  CHECK_STR(text, "pusher.track[2].turn");
  CHECK_NEAR(s->design.blocks[0].start[3], 0.1, 1e-15);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* A ball that lies on the floor is carried by it. */
static void weight(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(
      ctx,
      "simulation: { dimension = 2; grid = [24, 16]; cell = 0.05; time_step = 1e-3;\n"
      "  steps = 800; gravity = [0, -9.81]; };\n"
      "materials: ( { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"
      "bodies: ( { name = \"ball\"; material = \"steel\"; shape = \"ball\";\n"
      "  center = [0.6, 0.226]; radius = 0.1; } );\n"
      "design: ( { variable = \"spin\"; body = \"ball\"; } );\n"
      "objective: ( { term = \"height\"; body = \"ball\"; } );\n",
      NULL);
  static char text[4096];
  double numbers[16] = {0};
  CHECK(cq_scene_simulate(s, 0, NULL, ".", 2, CQ_RECORD_TABLES) == CQ_OK);
  FILE *file = fopen("observations.csv", "r");
  CHECK(file != NULL && fgets(text, sizeof text, file) != NULL);
  CHECK_STR(text, "time,ball.x,ball.y,ball.vx,ball.vy,ball.mean_square_velocity,ball.turn_z,"
                  "ball.spin_z,ball.force_x,ball.force_y,ball.torque_z\n");
  while (file != NULL && fgets(text, sizeof text, file) != NULL) {
    char *c = text;
    for (int i = 0; i < 11; i++, c += *c == ',') {
      numbers[i] = strtod(c, &c);
    }
  }
  CHECK_NEAR(numbers[9], 500.0 * acos(-1.0) * 0.01 * 9.81, 1.0);
  if (file != NULL) {
    fclose(file);
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* Rigid bodies have their turn, their spin and what material pushes them by in observations.csv. */
static void columns(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, RIGID, NULL);
  static char text[8192];
  double row[64] = {0};
  CHECK(cq_scene_simulate(s, 0, NULL, ".", 2, CQ_RECORD_TABLES) == CQ_OK);
  FILE *file = fopen("observations.csv", "r");
  CHECK(file != NULL && fgets(text, sizeof text, file) != NULL);
  const char *at = strstr(text, ",pusher.turn_z,pusher.spin_z,pusher.force_x,pusher.force_y,"
                                "pusher.torque_z,");
  CHECK(at != NULL && strstr(text, "block.turn_z") == NULL);
  /* of the obstacle that moves, too, at the end */
  CHECK(strstr(text,
               ",press.torque_z,obstacles.[1].turn_z,obstacles.[1].spin_z,"
               "obstacles.[1].force_x,obstacles.[1].force_y,obstacles.[1].torque_z\n") != NULL);
  int column = 0, all = 1;
  for (const char *c = text; *c != '\0'; c++) {
    all += *c == ',';
  }
  for (const char *c = text; at != NULL && c < at; c++) {
    column += *c == ',';
  }
  while (file != NULL && fgets(text, sizeof text, file) != NULL) {
    char *c = text;
    for (int i = 0; i < 64 && *c != '\0' && *c != '\n'; i++, c += *c == ',') {
      row[i] = strtod(c, &c);
    }
  }
  /* at the end the block pushes it back, and it has not turned */
  CHECK(row[0] > 0.0999 && row[column + 1] == 0.0 && row[column + 2] == 0.0);
  CHECK_MSG(row[column + 3] < -1.0, "%g N", row[column + 3]);
  CHECK_NEAR(row[all - 5], 0.3, 1e-12);
  CHECK_NEAR(row[all - 4], 3.0, 1e-12);
  fclose(file);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* A gradient by tracks, drives, poses, motions and masses, and an evaluation. */
static void gradient(void) {
  static const char *const blocks[] = {
      NULL,
      "design=({variable=\"center\";body=\"ball\";},{variable=\"initial_velocity\";body=\"ball\";},"
      "{variable=\"spin\";body=\"ball\";},{variable=\"density\";body=\"ball\";lower=100;upper=900;}"
      ","
      "{variable=\"friction\";boundary=\"pusher\";upper=1;},"
      "{variable=\"friction\";boundary=\"ball\";upper=1;})"};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *s = test_load_text(ctx, RIGID, blocks[i]);
    const cq_problem *p = cq_scene_problem(s);
    cq_gradcheck check;
    const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, 0, p->n, 1e-5, &check);
    CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0,
              "%zu: %s, agrees to %g of %g", i, cq_ctx_error(ctx), check.best, check.gradient_norm);
    cq_scene_destroy(s);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
}

/* Obstacles and a half-space on tracks that press a soft block. */
#define PRESSED                                                                                    \
  "simulation: { dimension = 2; grid = [24, 20]; cell = 0.05; time_step = 1e-3; steps = 100; };\n" \
  "materials: ( { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 100; } "   \
  ");\n"                                                                                           \
  "bodies: ( { name = \"block\"; material = \"soft\"; low = [0.4571, 0.231]; size = [0.2, 0.2]; "  \
  "} "                                                                                             \
  ");\n"                                                                                           \
  "boundaries: {\n"                                                                                \
  "  half_spaces: ( { type = \"separate\"; friction = 0.3; point = [0.55, 0.4713]; normal = [0, "  \
  "-1];\n"                                                                                         \
  "    track = [[0, 0, 0, 0], [0.1, 0.01, -0.08, 0.1]]; } );\n"                                    \
  "  obstacles: ( { type = \"separate\"; friction = 0.5; low = [0.3137, 0.217]; size = [0.1, "     \
  "0.2];\n"                                                                                        \
  "    track = [[0, 0, 0, 0], [0.04, 0.06, 0, 0.1], [0.1, 0.1, 0.02, 0.3]]; },\n"                  \
  "    { type = \"sticky\"; low = [0.7005, 0.217]; size = [0.1, 0.2];\n"                           \
  "    track = [[0, 0, 0, 0], [0.04, -0.06, 0, -0.1], [0.1, -0.1, 0.02, -0.3]]; },\n"              \
  "    { type = \"slip\"; center = [0.9, 0.7]; size = [0.1, 0.1]; } ); };\n"                       \
  "design: ( { variable = \"track\"; body = \"obstacles.[0]\"; tie = [\"obstacles.[1]\"];\n"       \
  "    mirror = \"x\"; },\n"                                                                       \
  "  { variable = \"track\"; body = \"half_spaces.[0]\"; } );\n"                                   \
  "objective: ( { term = \"distance\"; body = \"block\"; target = [0.7, 0.3]; },\n"                \
  "  { term = \"mean_square_velocity\"; body = \"block\"; } );\n"

#define PRESSED_3D                                                                                 \
  "simulation: { dimension = 3; grid = [20, 16, 16]; cell = 0.02; time_step = 5e-4;\n"             \
  "  steps = 60; };\n"                                                                             \
  "materials: ( { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density =\n"         \
  "  800; } );\n"                                                                                  \
  "bodies: ( { name = \"block\"; material = \"soft\"; low = [0.15, 0.0937, 0.1]; size = [0.08, "   \
  "0.08, 0.08]; } );\n"                                                                            \
  "boundaries: { obstacles: ( { type = \"separate\"; friction = 0.5; center = [0.1177, 0.131, "    \
  "0.14];\n"                                                                                       \
  "    size = [0.06, 0.08, 0.06]; track = [[0, 0, 0, 0, 0, 0, 0], [0.015, 0.01, 0, 0, 0.1, 0.2, "  \
  "0.3],\n"                                                                                        \
  "    [0.03, 0.02, 0, 0.01, 0.2, 0.4, 0.3]]; } ); };\n"                                           \
  "design: ( { variable = \"track\"; body = \"obstacles.[0]\"; } );\n"                             \
  "objective: ( { term = \"distance\"; body = \"block\"; target = [0.3, 0.1, 0.2]; } );\n"

/* The gradient by tracks of what has no particles, of each of their numbers. */
static void pressed(void) {
  static const struct {
    const char *text, *set;
    int n;
  } cases[] = {{PRESSED, NULL, 6 + 3},
               {PRESSED, "simulation.kernels=\"reference\"", 6 + 3},
               {PRESSED_3D, NULL, 12}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *s = test_load_text(ctx, cases[i].text, cases[i].set);
    const cq_problem *p = cq_scene_problem(s);
    char text[96];
    CHECK(p->n == cases[i].n);
    cq_scene_variable_label(s, 0, text, sizeof text);
    CHECK_STR(text, "obstacles.[0].track[1].x");
    CHECK_STR(cq_scene_variable(s, 0).unit, "m");
    CHECK_STR(cq_scene_variable(s, 5).unit, "rad");
    for (int j = 0; j < p->n; j++) {
      cq_gradcheck check;
      const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, j, 1, 1e-5, &check);
      CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0,
                "%zu: variable %d: %s, agrees to %g of %g", i, j, cq_ctx_error(ctx), check.best,
                check.gradient_norm);
    }
    cq_scene_destroy(s);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
  test_refused(test_edit(PRESSED, "body = \"half_spaces.[0]\"", "body = \"obstacles.[2]\""), NULL,
               "my.cfg:14: design.[1].body: \"obstacles.[2]\" has no track");
  test_refused(test_edit(PRESSED, "body = \"half_spaces.[0]\"", "body = \"block\""), NULL,
               "my.cfg:14: design.[1].body: \"block\" has no track");
  test_refused(test_edit(PRESSED, "[0.04, -0.06", "[0.05, -0.06"), NULL,
               "my.cfg:12: design.[0].tie: \"obstacles.[0]\" and \"obstacles.[1]\" have knots at "
               "different times");
}

/* A design of tracks as the start of a scene whose blocks stand in another order. */
static void fitted(void) {
  enum { FIRST = 6, SECOND = 3 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, PRESSED, NULL);
  cq_scene *other =
      test_load_text(ctx, PRESSED,
                     "design=({variable=\"track\";body=\"half_spaces.[0]\";},{variable=\"track\";"
                     "body=\"obstacles.[0]\";tie=[\"obstacles.[1]\"];mirror=\"x\";})");
  double values[FIRST + SECOND], fits[FIRST + SECOND];
  for (int i = 0; i < FIRST + SECOND; i++) {
    values[i] = 0.01 * (i + 1);
  }
  CHECK_MSG(cq_scene_fit_design(s, other, values, fits) == CQ_OK, "%s", cq_ctx_error(ctx));
  for (int i = 0; i < FIRST + SECOND; i++) {
    CHECK_NEAR(fits[i], values[i < FIRST ? SECOND + i : i - FIRST], 1e-12);
  }
  cq_scene_destroy(s);
  cq_scene_destroy(other);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Outlines and meshes that are free, with exact distances and those of a grid: a wedge on the
 * floor, and a tetrahedron on the block in 3D. Their gradients are right. */
#define WEDGE                                                                                      \
  "shape = \"mesh\"; vertices = [[0, 0], [0.2, 0], [0.13, 0.16], [0.05, 0.14]];\n"                 \
  "  faces = [[0, 1], [1, 2], [2, 3], [3, 0]]; low = [0.683, 0.127];"
#define TETRAHEDRON                                                                                \
  "shape = \"mesh\"; vertices = [[0, 0, 0], [0.08, 0, 0], [0.01, 0, 0.09], [0.03, 0.08, 0.02]];\n" \
  "  faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]; low = [0.2131, 0.1597, 0.1671];"

static void free_meshes(void) {
  for (int k = 0; k < 4; k++) {
    const char *text =
        k < 2 ? test_edit(RIGID, "shape = \"ball\"; center = [0.783, 0.23];\n    radius = 0.1;",
                          k == 0 ? WEDGE : WEDGE " cells = 30;")
              : test_edit(RIGID_3D,
                          "shape = \"ball\"; center = [0.2531, 0.2037,\n  0.2071]; radius = 0.04;",
                          k == 2 ? TETRAHEDRON : TETRAHEDRON " cells = 30;");
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *s =
        test_load_text(ctx, text,
                       k < 2 ? "design=({variable=\"center\";body=\"ball\";},{variable=\"spin\";"
                               "body=\"ball\";},{variable=\"initial_velocity\";body=\"ball\";})"
                             : NULL);
    const cq_rigid *rigid = &cq_mpm_scene_of(s)->rigid[k < 2 ? 4 : 3];
    CHECK_STR(rigid->name, "ball");
    CHECK(rigid->motion == CQ_RIGID_FREE && rigid->skin.n > 0);
    const cq_problem *p = cq_scene_problem(s);
    cq_gradcheck check;
    const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, 0, p->n, 1e-5, &check);
    CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0,
              "%d: %s, agrees to %g of %g", k, cq_ctx_error(ctx), check.best, check.gradient_norm);
    cq_scene_destroy(s);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
}

static void gradient_3d(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, RIGID_3D, NULL);
  const cq_problem *p = cq_scene_problem(s);
  for (int b = 0; b < s->design.n_blocks; b++) {
    const cq_block *block = &s->design.blocks[b];
    cq_gradcheck check;
    const cq_status status =
        cq_gradcheck_block(ctx, p, p->start, -1, block->first, block->count, 1e-5, &check);
    CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0,
              "%s: %s, agrees to %g of %g", block->name, cq_ctx_error(ctx), check.best,
              check.gradient_norm);
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* Impulses run where no exact gradient is asked for, with one value whatever is said of it. */
static void impulses(void) {
  static const char *const words[] = {"none", "difference"};
  static const cq_gradient_kind kinds[] = {CQ_GRADIENT_NONE, CQ_GRADIENT_DIFFERENCE};
  double f[2] = {0.0, 1.0};
  for (int i = 0; i < 2; i++) {
    char set[64];
    cq_ctx *ctx = cq_ctx_create(1, 1);
    snprintf(set, sizeof set, "simulation.gradient=%s", words[i]);
    cq_scene *s = test_load_text(ctx,
                                 test_edit(RIGID, "gravity = [0, -9.81];",
                                           "gravity = [0, -9.81]; rigid_contact = \"impulses\";"),
                                 set);
    const cq_problem *p = cq_scene_problem(s);
    CHECK(p->gradient == kinds[i] && !cq_mpm_scene_of(s)->rigids.smooth);
    CHECK_MSG(cq_scene_evaluate(s, p->start, &f[i], NULL, NULL, NULL) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    cq_scene_destroy(s);
    cq_ctx_destroy(ctx);
  }
  CHECK(f[0] == f[1]);
}

/* Terms of rigid bodies: those of the last state are what observations.csv has there, and all of
 * them have their gradients. The second obstacle comes down on the block. */
static const char *const seen =
    "{ type = \"separate\"; friction = 0.3; shape = \"ball\"; center = [0.5631, 0.4327];\n"
    "  radius = 0.1; spin = 3; velocity = [0, -0.4]; } );";

static const char *const seen_terms[] = {
    "{term=\"turn\";body=\"ball\"}",
    "{term=\"turn\";body=\"ball\";target=0.2;squared=false}",
    "{term=\"spin\";body=\"ball\"}",
    "{term=\"spin\";body=\"press\";target=0.5;when=\"window\";window=[0.02,0.05]}",
    "{term=\"force\";body=\"pusher\";direction=\"x\"}",
    "{term=\"force\";body=\"pusher\";direction=[0.6,0.8];target=-12.0}",
    "{term=\"force\";body=\"ball\";target=[-3,40];squared=false;when=\"window\";window=[0.03,0.1]}",
    "{term=\"torque\";body=\"pusher\"}",
    "{term=\"force\";body=\"obstacles.[1]\";direction=\"y\";when=\"running\"}",
    "{term=\"torque\";body=\"obstacles.[1]\";target=0.01;when=\"at\";time=0.0503}",
    "{term=\"turn\";body=\"obstacles.[1]\"}",
    "{term=\"spin\";body=\"obstacles.[1]\"}",
};
enum { N_SEEN = sizeof seen_terms / sizeof *seen_terms };

static cq_scene *seen_scene(cq_ctx *ctx, const char *text, const char *term) {
  char objective[256];
  snprintf(objective, sizeof objective, "objective=(%s)", term);
  return test_load_text(ctx, text, objective);
}

static double value_of(cq_scene *s) {
  const cq_problem *p = cq_scene_problem(s);
  double f = NAN;
  CHECK(p->eval(p->data, p->start, &f, NULL, NULL, NULL) == CQ_OK);
  return f;
}

static void terms(void) {
  static char text[16384];
  snprintf(text, sizeof text, "%s",
           test_edit(RIGID,
                     "{ type = \"slip\"; shape = \"ball\"; center = [1.4, 0.7]; radius = 0.1; "
                     "spin = 3; } ); ",
                     seen));
  snprintf(text, sizeof text, "%s",
           test_edit(text, "low = [0.463, 0.351]", "low = [0.463, 0.551]"));
  double values[N_SEEN];
  for (int i = 0; i < N_SEEN; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *s = seen_scene(ctx, text, seen_terms[i]);
    const cq_problem *p = cq_scene_problem(s);
    cq_gradcheck check = {0};
    values[i] = value_of(s);
    const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, 0, p->n, 1e-6, &check);
    const bool given = i >= 10; /* by its motion alone, which is not designed */
    CHECK_MSG(given || (status == CQ_OK && check.passed && check.gradient_norm > 0.0),
              "%s: %s, agrees to %g of %g", seen_terms[i], cq_ctx_error(ctx), check.best,
              check.gradient_norm);
    cq_scene_destroy(s);
    cq_ctx_destroy(ctx);
  }
  CHECK_NEAR(values[10], 0.3, 1e-12);
  CHECK_NEAR(values[11], 3.0, 1e-12);
  CHECK_NEAR(values[1], fabs(values[0] - 0.2), 1e-15);
  CHECK(values[2] != 0.0 && values[4] < -1.0 && values[7] != 0.0 && values[8] > 0.01);
}

/* The same in 3D, where a turn is a vector; the controller reads what terms see. */
static void terms_3d(void) {
  static const char *const seen_3d[] = {
      "{term=\"turn\";body=\"ball\";target=[0.1,0,0.2]}",
      "{term=\"turn\";body=\"mixer\";direction=\"y\";when=\"running\"}",
      "{term=\"spin\";body=\"ball\";target=[0,0,0];squared=false}",
      "{term=\"force\";body=\"arm\";target=[1,2,3]}",
      "{term=\"torque\";body=\"mixer\";direction=[0.3,1,-0.2];when=\"window\";window=[0.01,0.04]}",
  };
  const char *const text =
      test_edit(RIGID_3D, "{ read = \"velocity\"; body = \"block\"; } ); };",
                "{ read = \"turn\"; body = \"mixer\"; }, { read = \"spin\"; body = \"ball\"; },\n"
                "  { read = \"force\"; scale = 0.1; }, { read = \"torque\"; } ); };");
  for (size_t i = 0; i < sizeof seen_3d / sizeof *seen_3d; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *s = seen_scene(ctx, text, seen_3d[i]);
    const cq_problem *p = cq_scene_problem(s);
    CHECK(s->model.controller.n_features == 3 + 3 + 3 + 3 * 3 + 3 * 3);
    CHECK_STR(s->features[5], "mixer.turn_z");
    CHECK_STR(s->features[12], "arm.force_x");
    cq_gradcheck check = {0};
    const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, 0, p->n, 1e-6, &check);
    CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0,
              "%s: %s, agrees to %g of %g", seen_3d[i], cq_ctx_error(ctx), check.best,
              check.gradient_norm);
    cq_scene_destroy(s);
    cq_ctx_destroy(ctx);
  }
}

#define OBJECTIVE  "{ term = \"distance\"; body = \"ball\"; target = [1.2, 0.3]; }"
#define CONTROLLER "type = \"open_loop\"; hold = 50;"

static const struct {
  const char *from, *to, *message;
} no_terms[] = {
    {OBJECTIVE, "{ term = \"turn\"; body = \"block\"; }",
     "my.cfg:23: objective.[0].body: turn is that of one rigid body, and \"block\" is none"},
    {OBJECTIVE, "{ term = \"spin\"; }",
     "my.cfg:23: objective.[0].body: spin is that of one rigid body, and \"*\" is none"},
    {OBJECTIVE, "{ term = \"force\"; body = \"obstacles.[0]\"; direction = \"x\"; }",
     "my.cfg:23: objective.[0].body: \"obstacles.[0]\" is a wall that stands, whose force is not "
     "measured; a body of a material with model = \"rigid\" and motion = \"fixed\" has one"},
    {OBJECTIVE, "{ term = \"force\"; body = \"pusherr\"; direction = \"x\"; }",
     "my.cfg:23: objective.[0].body: there is no body or group \"pusherr\"; did you mean "
     "\"pusher\"?"},
    {OBJECTIVE, "{ term = \"force\"; body = \"ball\"; }",
     "my.cfg:23: objective.[0].term: force has 2 components: give a direction, or a target"},
    {OBJECTIVE, "{ term = \"force\"; body = \"ball\"; target = [1, 2, 3]; }",
     "my.cfg:23: objective.[0].target: must be [x, y]"},
    {OBJECTIVE, "{ term = \"spin\"; body = \"ball\"; target = [1, 2]; }",
     "my.cfg:23: objective.[0].target: must be a number"},
    {OBJECTIVE, "{ term = \"spin\"; body = \"ball\"; direction = \"x\"; }",
     "my.cfg:23: objective.[0].direction: spin is one number in 2D, anticlockwise; leave this out"},
    {CONTROLLER, "type = \"tanh_linear\"; inputs = ( { read = \"force\"; body = \"block\"; } );",
     "my.cfg:20: controller.inputs.[0].body: force is that of one rigid body, and \"block\" is "
     "none"},
};

/* A driven body that nothing can touch is not pushed, but it turns. */
static const char *const alone =
    "simulation: { dimension = 2; grid = [24, 16]; cell = 0.05; time_step = 1e-3; steps = 10; };\n"
    "materials: ( { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"
    "bodies: ( { name = \"tool\"; material = \"steel\"; low = [0.5, 0.3]; size = [0.1, 0.1];\n"
    "  motion = \"driven\"; track = [[0, 0, 0, 0], [0.01, 0, 0, 0.1]]; } );\n"
    "design: ( { variable = \"track\"; body = \"tool\"; } );\n"
    "objective: ( { term = \"turn\"; body = \"tool\"; } );\n";

static void no_such_terms(void) {
  for (size_t i = 0; i < sizeof no_terms / sizeof *no_terms; i++) {
    test_refused(test_edit(RIGID, no_terms[i].from, no_terms[i].to), NULL, no_terms[i].message);
  }
  test_refused(alone, "objective=({term=\"torque\";body=\"tool\"})",
               "--set objective=({term=\"torque\";body=\"tool\"}): objective.[0].body: nothing can "
               "push \"tool\": there is no material "
               "and no free body");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, alone, NULL);
  CHECK_NEAR(value_of(s), 0.1, 1e-14);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

#define BODY0 "friction = 0.5; track = [[0, 0, 0], [0.04, 0.06, 0], [0.1, 0.1, 0]];"

static const struct {
  const char *from, *to, *message;
} refusals[] = {
    {"motion = \"driven\"; low = [0.3137", "motion = \"free\"; low = [0.3137",
     "my.cfg:8: bodies.[0].track: moves a body with motion = \"driven\"; \"pusher\" is free"},
    {BODY0, "release = 1;",
     "my.cfg:7: bodies.[0].motion: nothing drives \"pusher\": give it a track, a sway, a velocity "
     "or a spin, an actuator with model = \"drive\", or motion = \"fixed\""},
    {"radius = 0.1; friction = 0.4;", "radius = 0.1; friction = 0.4; motion = \"fixed\";",
     "my.cfg:11: bodies.[2].velocity: \"ball\" is fixed, and has no velocity and no spin"},
    {"radius = 0.1; friction = 0.4;", "radius = 0.1; type = \"slip\"; friction = 0.4;",
     "my.cfg:11: bodies.[2].friction: is of type = \"separate\""},
    {"radius = 0.1; friction = 0.4;", "radius = 0.1; release = 0.1;",
     "my.cfg:11: bodies.[2].release: is of a body with motion = \"driven\"; \"ball\" is free"},
    {"size = [0.2, 0.2]; }", "size = [0.2, 0.2]; rolling = 0.1; }",
     "my.cfg:9: bodies.[1].rolling: is of rigid bodies; the material \"soft\" is not rigid"},
    {"[0.04, 0.06, 0]", "[0.1, 0.06, 0]",
     "my.cfg:8: bodies.[0].track: knot 2 is at 0.1 s, which is not after the one before it, at 0.1 "
     "s (the first is 0)"},
    {"[[0, 0, 0], [0.04, 0.06, 0], [0.1, 0.1, 0]]", "[[0, 0], [0.04, 0.06]]",
     "my.cfg:8: bodies.[0].track: a row is [time, x, y] or [time, x, y, turn], not 2 numbers"},
    {"[[0, 0, 0],", "[[0, 0.01, 0],",
     "my.cfg:8: bodies.[0].track: at time 0 the motion has \"pusher\" 0.01 m away from where the "
     "file has it, or turned; begin with a knot of zeros at time 0, and a phase of 0"},
    {"spin = 3;", "spin = 3; velocity = [20, 0];",
     "my.cfg:16: boundaries.obstacles.[1].velocity: \"obstacles.[1]\" leaves the grid: at 0.035 s "
     "its centre is at x = 2.1 m, and the grid is 0 to 1.95 m; shorten its motion or enlarge "
     "simulation.grid"},
    {BODY0, "sway = [[1, 0.1]];",
     "my.cfg:8: bodies.[0].sway: a row is [frequency, x, y, turn] or has a phase after them, not 2 "
     "numbers"},
    {"track = [[0, 0, 0]", "sway = [[1, 0.1, 0, 0, 1.5]]; track = [[0, 0, 0]",
     "my.cfg:8: bodies.[0].sway: at time 0 the motion has \"pusher\" 0.0997495 m away from where "
     "the file has it, or turned; begin with a knot of zeros at time 0, and a phase of 0"},
    {"center = [0.783, 0.23]", "center = [1.32, 0.23]",
     "my.cfg:10: bodies.[2].name: rigid bodies \"ball\" and \"obstacles.[0]\" overlap by 0.07 m at "
     "the start: move them apart"},
    {"center = [0.783, 0.23]", "center = [0.783, 0.2]",
     "my.cfg:10: bodies.[2].name: rigid bodies \"ball\" and \"domain\" overlap by 0.025 m at the "
     "start: move them apart"},
    {"gravity = [0, -9.81];", "gravity = [0, -9.81]; rigid_contact = \"impulses\";",
     "my.cfg:2: simulation.rigid_contact: \"impulses\" have no gradient: set simulation.gradient = "
     "\"none\" or \"difference\", or take \"springs\""},
    {"body = \"press\"; controls", "body = \"block\"; controls",
     "my.cfg:12: bodies.[3].motion: nothing drives \"press\": give it a track, a sway, a velocity "
     "or a spin, an actuator with model = \"drive\", or motion = \"fixed\""},
    {"body = \"press\"; controls", "body = \"ball\"; controls",
     "my.cfg:18: actuators.[1].body: \"ball\" is free; set its motion = \"driven\", or take the "
     "actuator out"},
    {"body = \"press\"; controls", "body = \"pusher\"; controls",
     "my.cfg:18: actuators.[1].body: \"pusher\" has a track, a sway, a velocity or a spin; take "
     "those out, or the actuator"},
    {"{ name = \"m\"; body = \"block\"; direction = \"y\"; max = 800; }",
     "{ name = \"q\"; model = \"drive\"; body = \"block\"; controls = \"x\"; max = 1; }",
     "my.cfg:17: actuators.[0].body: \"block\" cannot be driven: a body of a rigid material with "
     "motion = \"driven\" can, and an obstacle or half-space by its place, \"obstacles.[0]\""},
    {"{ name = \"m\"; body = \"block\"; direction = \"y\"; max = 800; }",
     "{ name = \"q\"; model = \"drive\"; body = \"presss\"; controls = \"x\"; max = 1; }",
     "my.cfg:17: actuators.[0].body: there is no body or group \"presss\"; did you mean "
     "\"press\"?"},
    {"body = \"block\"; direction", "body = \"*\"; direction",
     "my.cfg:17: actuators.[0].body: \"*\" has particles of a rigid body, which only model = "
     "\"drive\" moves"},
    {"center = [0.783, 0.23];", "center = [0.783, 0.23]; ground_friction = -1;",
     "my.cfg:10: bodies.[2].ground_friction = -1 is out of range: must be >= 0 m/s^2"},
    {"controls = [\"y\", \"turn\"]", "controls = [\"y\", \"turn z\"]",
     "my.cfg:18: actuators.[1].controls: \"turn z\" is no way to move: \"x\", \"y\" or \"turn\""},
    {"controls = [\"y\", \"turn\"]", "controls = [\"y\", \"y\"]",
     "my.cfg:18: actuators.[1].controls: \"y\" is there twice"},
    {"{ name = \"m\"; body = \"block\"; direction = \"y\"; max = 800; }",
     "{ name = \"q\"; model = \"drive\"; body = \"press\"; controls = \"x\"; max = 1; }",
     "my.cfg:18: actuators.[1].body: the actuator \"q\" drives \"press\" already"},
    {"body = \"block\"; direction", "body = \"ball\"; direction",
     "my.cfg:17: actuators.[0].body: \"ball\" has particles of a rigid body, which only model = "
     "\"drive\" moves"},
    {"spin = 3;", "spin = [3, 1];",
     "my.cfg:16: boundaries.obstacles.[1].spin: must be one number in 2D"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"track\"; body = \"ball\"; }",
     "my.cfg:21: design.[0].body: \"ball\" has no track"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"size\"; body = \"ball\"; lower = 0.05; }",
     "my.cfg:21: design.[0].variable: \"ball\" is rigid, and its size cannot be designed"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"youngs_modulus\"; body = \"*\"; lower = 1; upper = 3e4; }",
     "my.cfg:21: design.[0].variable: there are particles of a rigid body among them, which has "
     "none of its own to design"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"volume\"; body = \"ball\"; lower = 1e-5; }",
     "my.cfg:21: design.[0].variable: there are particles of a rigid body among them, which has "
     "none of its own to design"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"center\"; body = \"pusher\"; }",
     "my.cfg:21: design.[0].variable: \"pusher\" is where its own motion has it: design its track"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"initial_velocity\"; body = \"press\"; }",
     "my.cfg:21: design.[0].variable: \"press\" is not free, and has no velocity of its own"},
    {"{ variable = \"track\"; body = \"pusher\"; lower = -0.1; upper = 0.3; }",
     "{ variable = \"initial_velocity\"; body = \"ball\"; per = \"particle\"; }",
     "my.cfg:21: design.[0].variable: a rigid body moves as a whole: use center, rotation, "
     "initial_velocity or spin of it"},
};

static void refused(void) {
  test_refused(
      test_edit(RIGID, "shape = \"ball\"; center = [0.783, 0.23];\n    radius = 0.1;",
                "shape = \"mesh\"; vertices = [[0, 0], [0.2, 0], [0.2, 0.2], [0.199, 0.2], "
                "[0.199, 0.001], [0, 0.001]];\n    faces = [[0, 1], [1, 2], [2, 3], [3, 4], "
                "[4, 5], [5, 0]]; low = [0.683, 0.23]; spacing = 0.0005;"),
      NULL,
      "my.cfg:10: bodies.[2].name: this mesh is too thin for points of contact, so that it "
      "cannot be free: make it thicker, or the grid finer");
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    test_refused(test_edit(RIGID, refusals[i].from, refusals[i].to), NULL, refusals[i].message);
  }
}

int main(void) {
  RUN(model);
  RUN(holding);
  RUN(drives);
  RUN(labels);
  RUN(columns);
  RUN(weight);
  RUN(gradient);
  RUN(gradient_3d);
  RUN(pressed);
  RUN(fitted);
  RUN(terms);
  RUN(terms_3d);
  RUN(no_such_terms);
  RUN(impulses);
  RUN(free_meshes);
  RUN(refused);
  return TEST_RESULT();
}
