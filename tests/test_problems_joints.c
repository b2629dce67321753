/* Joints of rigid bodies in a problem file: where an arm is, its gradients, and what is refused. */
#include "scene/mpm_scene.h"
#include "test_problems_scene.h"

#include <math.h>

/* An arm of two links at a fixed post; the second one pushes a soft block. */
#define ARM                                                                                        \
  "simulation: { dimension = 2; grid = [40, 24]; cell = 0.05; time_step = 1e-3; steps = 100;\n"    \
  "  gravity = [0, -9.81]; };\n"                                                                   \
  "materials: (\n"                                                                                 \
  "  { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 100; },\n"            \
  "  { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"                                 \
  "bodies: (\n"                                                                                    \
  "  { name = \"post\"; material = \"steel\"; motion = \"fixed\"; low = [0.5137, 0.517];\n"        \
  "    size = [0.1, 0.1]; },\n"                                                                    \
  "  { name = \"upper\"; material = \"steel\"; motion = \"driven\"; shape = \"capsule\";\n"        \
  "    points = [[0.62, 0.55], [0.92, 0.55]]; radius = 0.03;\n"                                    \
  "    joint = \"hinge\"; joint_at = \"post\"; joint_point = [0.62, 0.55]; },\n"                   \
  "  { name = \"fore\"; material = \"steel\"; motion = \"driven\"; shape = \"capsule\";\n"         \
  "    points = [[0.92, 0.55], [0.92, 0.35]]; radius = 0.03; friction = 0.5;\n"                    \
  "    joint = \"hinge\"; joint_at = \"upper\"; joint_point = [0.92, 0.55]; },\n"                  \
  "  { name = \"block\"; material = \"soft\"; low = [0.9571, 0.251]; size = [0.2, 0.2]; } );\n"    \
  "boundaries: { domain: { friction = 0.4; }; };\n"                                                \
  "actuators: (\n"                                                                                 \
  "  { name = \"a\"; model = \"drive\"; body = \"upper\"; controls = \"joint\"; max = 8; },\n"     \
  "  { name = \"b\"; model = \"drive\"; body = \"fore\"; controls = [\"joint\"]; max = 8; } );\n"  \
  "controller: { type = \"open_loop\"; hold = 50; };\n"                                            \
  "design: ( { variable = \"actuation\"; start = [-2, 4, -2, 4]; } );\n"                           \
  "objective: ( { term = \"distance\"; body = \"block\"; target = [1.3, 0.4]; }, {\n"              \
  "  term = \"distance\"; body = \"fore\"; target = [0.9, 0.4]; } );\n"

/* In 3D: a cart that is driven, a mast that turns on it, a slider on the mast. */
#define CRANE                                                                                      \
  "simulation: { dimension = 3; grid = [28, 20, 20]; cell = 0.02; time_step = 5e-4;\n"             \
  "  steps = 80; gravity = [0, -9.81, 0]; };\n"                                                    \
  "materials: (\n"                                                                                 \
  "  { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 200; },\n"            \
  "  { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"                                 \
  "bodies: (\n"                                                                                    \
  "  { name = \"block\"; material = \"soft\"; low = [0.2, 0.0537, 0.15]; size = [0.1, 0.1,\n"      \
  "    0.1]; },\n"                                                                                 \
  "  { name = \"cart\"; material = \"steel\"; motion = \"driven\"; low = [0.2213, 0.2937,\n"       \
  "    0.1613]; size = [0.06, 0.04, 0.06]; },\n"                                                   \
  "  { name = \"mast\"; material = \"steel\"; motion = \"driven\"; shape = \"capsule\";\n"         \
  "    points = [[0.25, 0.29, 0.19], [0.28, 0.23, 0.21]]; radius = 0.02; joint = \"hinge\";\n"     \
  "    joint_at = \"cart\"; joint_point = [0.25, 0.29, 0.19]; joint_axis = [1, 2, -1]; },\n"       \
  "  { name = \"hook\"; material = \"steel\"; motion = \"driven\"; shape = \"ball\";\n"            \
  "    center = [0.2831, 0.1811, 0.2107]; radius = 0.0327; friction = 0.5; joint = \"slider\";\n"  \
  "    joint_at = \"mast\"; joint_axis = [1, -2, 0.5]; } );\n"                                     \
  "actuators: (\n"                                                                                 \
  "  { name = \"c\"; model = \"drive\"; body = \"cart\"; controls = [\"x\", \"turn z\"];\n"        \
  "    max = 1; max_turn = 5; },\n"                                                                \
  "  { name = \"m\"; model = \"drive\"; body = \"mast\"; controls = \"joint\"; max = 6; },\n"      \
  "  { name = \"h\"; model = \"drive\"; body = \"hook\"; controls = \"joint\"; max = 0.6; } );\n"  \
  "controller: { type = \"open_loop\"; hold = 40; };\n"                                            \
  "design: ( { variable = \"actuation\"; start = [0.2, 1, 3, 0.4, -0.3, 2, -1, 0.3]; } );\n"       \
  "objective: ( { term = \"distance\"; body = \"hook\"; target = [0.3, 0.2, 0.2]; }, {\n"          \
  "  term = \"distance\"; body = \"block\"; target = [0.3, 0.1, 0.2]; } );\n"

/* to += the vector (x, y) turned */
static void add_turned(double angle, double x, double y, double *to) {
  to[0] += cos(angle) * x - sin(angle) * y;
  to[1] += sin(angle) * x + cos(angle) * y;
}

/* Links overlap at joints, of which nobody need be warned; a free body inside one is an error. */
static void overlaps(void) {
  test_log log = {""};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_ctx_set_log(ctx, test_log_line, &log);
  cq_scene_destroy(test_load_text(ctx, ARM, NULL));
  CHECK_MSG(log.text[0] == '\0', "%s", log.text);
  cq_scene_destroy(
      test_load_text(ctx, test_edit(ARM, "0.03;\n    joint", "0.03; release = 1;\n    joint"),
                     "bodies.[2].release=1"));
  CHECK_MSG(strstr(log.text, "bodies \"upper\" and \"fore\" overlap") != NULL, "%s", log.text);
  cq_ctx_destroy(ctx);
}

/* With steady rates the angles are rates times time, and an arm is where they have it. */
static void place(void) {
  static const double rates[2] = {-2.0, 4.0};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, ARM, NULL);
  const cq_rigid *const rigid = cq_mpm_scene_of(s)->rigid;
  CHECK_STR(rigid[2].name, "upper");
  CHECK(rigid[2].joint->kind == JOINT_HINGE && rigid[2].parent == 1 && rigid[3].parent == 2);
  CHECK_NEAR(rigid[3].joint->anchor[0], 0.15, 1e-12);
  CHECK_NEAR(rigid[3].joint->arm[1], -0.1, 1e-12);
  CHECK_STR(s->controls[0].unit, "rad/s");
  CHECK_STR(s->controls[1].name, "b");
  /* the mean of the particles of the second link, which is what a term sees */
  double mean[2] = {0.0, 0.0}, at[2] = {0.62, 0.55}, f = 1.0;
  const cq_body *fore = &s->bodies[2];
  for (int p = 0; p < fore->count; p++) {
    mean[0] += fore->x[2 * p] / fore->count;
    mean[1] += fore->x[2 * p + 1] / fore->count;
  }
  const double first = 0.1 * rates[0], second = first + 0.1 * rates[1];
  add_turned(first, 0.3, 0.0, at);
  add_turned(second, mean[0] - 0.92, mean[1] - 0.55, at);
  cq_scene_destroy(s);
  char target[160];
  snprintf(target, sizeof target,
           "objective=({term=\"distance\";body=\"fore\";squared=false;target=[%.17g,%.17g];})",
           at[0], at[1]);
  s = test_load_text(ctx, ARM, target);
  CHECK(cq_scene_evaluate(s, cq_scene_problem(s)->start, &f, NULL, NULL, NULL) == CQ_OK);
  CHECK_MSG(f < 1e-10, "%g m away", f);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void check_gradient(const char *text, const char *set) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, text, set);
  const cq_problem *p = cq_scene_problem(s);
  cq_gradcheck check;
  for (int i = 0; i < p->n; i++) { /* each by itself, so that no large one hides a small one */
    const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, i, 1, 1e-5, &check);
    CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0,
              "%d: %s, agrees to %g of %g", i, cq_ctx_error(ctx), check.best, check.gradient_norm);
  }
  cq_scene_destroy(s);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Of the links alone, and of a soft block that they push. */
static void gradient(void) {
  static const char *const pushed =
      "objective=({term=\"distance\";body=\"block\";target=[1.3,0.4];})";
  check_gradient(ARM, NULL);
  check_gradient(ARM, pushed);
  check_gradient(CRANE, NULL);
}

/* Rows as angles: a joint is half-way between two of them where pieces of its spline meet, has
 * begun at rest, and no step goes faster than the bounds allow. */
static void path(void) {
  static const char *const rows = "controller={type=\"open_loop\";hold=25;interpolation=\"path\";}";
  static const double p[4][2] = {{-0.1, 0.08}, {-0.16, 0.15}, {-0.12, 0.2}, {-0.08, 0.16}};
  static char text[8192];
  snprintf(text, sizeof text, "%s",
           test_edit(ARM, "start = [-2, 4, -2, 4];",
                     "start = [-0.1, 0.08, -0.16, 0.15, -0.12, 0.2, -0.08, 0.16];\n"
                     "  lower = [-0.13, 0.05, -0.19, 0.12, -0.15, 0.17, -0.11, 0.13];\n"
                     "  upper = [-0.07, 0.11, -0.13, 0.18, -0.09, 0.23, -0.05, 0.19];"));
  test_refused(
      test_edit(text, "0.18, -0.09", "0.3, -0.09"), rows,
      "my.cfg:19: actuators.[1].name: from row 0 to row 1 of its path it may go at 10 rad/s "
      "by its bounds, and 8 is its limit: bring the bounds nearer to those before, or raise "
      "controller.hold or max");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = test_load_text(ctx, text, rows);
  const cq_problem *problem = cq_scene_problem(s);
  double f = 0.0, angle[2] = {0.0, 0.0};
  CHECK(problem->n == 8);
  CHECK(cq_scene_evaluate(s, problem->start, &f, NULL, NULL, NULL) == CQ_OK);
  const double *u = cq_sim_controls(s->sim);
  CHECK(fabs(u[0]) < 0.1 && fabs(u[1]) < 0.1); /* [rad/s] */
  for (int k = 0; k < 100; k++) {
    for (int i = 0; i < 2; i++) {
      angle[i] += 1e-3 * u[2 * k + i];
      if (k % 25 == 24) {
        CHECK_NEAR(angle[i], 0.5 * (p[k / 25][i] + (k > 24 ? p[k / 25 - 1][i] : 0.0)), 1e-13);
      }
    }
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
  check_gradient(text, rows);
}

/* An obstacle can carry an arm, too. */
static void at_obstacle(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *text = test_edit(ARM, "joint_at = \"post\"", "joint_at = \"obstacles.[0]\"");
  cq_scene *s = test_load_text(
      ctx, text, "boundaries.obstacles=({type=\"separate\";low=[0.3,0.2];size=[0.1,0.1];})");
  CHECK_STR(cq_mpm_scene_of(s)->rigid[1].name, "obstacles.[0]");
  CHECK_NEAR(cq_mpm_scene_of(s)->rigid[3].joint->anchor[0], 0.62 - 0.35, 1e-12);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static const struct {
  const char *text, *from, *to, *message;
} refusals[] = {
    {ARM, "joint_at = \"post\"", "joint_at = \"posts\"",
     "my.cfg:11: bodies.[1].joint_at: there is no rigid body or obstacle \"posts\"; did you mean "
     "\"post\"?"},
    {ARM, "joint_at = \"post\"", "joint_at = \"fore\"",
     "my.cfg:11: bodies.[1].joint_at: \"fore\" must stand before what hangs at it"},
    {ARM, "joint_at = \"post\"", "joint_at = \"block\"",
     "my.cfg:11: bodies.[1].joint_at: \"block\" is not rigid, and nothing can hang at it"},
    {ARM, "motion = \"fixed\"; low", "low",
     "my.cfg:11: bodies.[1].joint_at: \"post\" is free; what others hang at has motion = "
     "\"driven\" or \"fixed\""},
    {ARM, "radius = 0.03;\n", "radius = 0.03; release = 0.05;\n",
     "my.cfg:14: bodies.[2].joint_at: \"upper\" is released before what hangs at it"},
    {ARM, "radius = 0.03; friction = 0.5;\n", "radius = 0.03; spin = 1;\n",
     "my.cfg:14: bodies.[2].joint: \"fore\" has a track, a sway, a velocity or a spin; take those "
     "out, or the joint"},
    {ARM, "body = \"fore\"; controls", "body = \"upper\"; controls",
     "my.cfg:14: bodies.[2].joint: nothing drives the joint of \"fore\": give it an actuator with "
     "model = \"drive\" and controls = \"joint\""},
    {ARM, "motion = \"driven\"; shape = \"capsule\";\n    points = [[0.92",
     "shape = \"capsule\";\n    points = [[0.92",
     "my.cfg:19: actuators.[1].body: \"fore\" is free; set its motion = \"driven\", or take the "
     "actuator out"},
    {ARM, "controls = [\"joint\"]", "controls = [\"joint\", \"x\"]",
     "my.cfg:19: actuators.[1].controls: \"fore\" hangs at a joint, whose rate is what it is "
     "driven by: \"joint\""},
    {ARM, "controls = [\"joint\"]", "frame = \"own\"; controls = [\"joint\"]",
     "my.cfg:19: actuators.[1].frame: is of velocities; \"fore\" moves by its joint"},
    {ARM, "joint_point = [0.92, 0.55];", "joint_point = [0.92, 0.55]; joint_axis = [0, 1];",
     "my.cfg:14: bodies.[2].joint_axis: is of sliders; a hinge in 2D turns about its joint_point"},
    {ARM, "joint = \"hinge\"; joint_at = \"upper\"; joint_point = [0.92, 0.55]",
     "joint = \"slider\"; joint_at = \"upper\"",
     "my.cfg:14: bodies.[2].joint: needs joint_axis, the direction in which it slides"},
    {CRANE, "joint_axis = [1, 2, -1];", "",
     "my.cfg:12: bodies.[2].joint: needs joint_axis, what it turns about"},
    {CRANE, "joint_axis = [1, 2, -1];", "joint_axis = [0, 0, 0];",
     "my.cfg:13: bodies.[2].joint_axis: must not be zero"},
    {CRANE, "controls = [\"x\", \"turn z\"]", "controls = \"joint\"",
     "my.cfg:18: actuators.[0].controls: \"cart\" has no joint; give it one, or take other "
     "controls"},
    {ARM, "{ variable = \"actuation\"; start = [-2, 4, -2, 4]; }",
     "{ variable = \"center\"; body = \"post\"; }",
     "my.cfg:21: design.[0].variable: \"post\" is part of a linkage, whose joints are where the "
     "file has them"},
    {ARM, "target = [0.9, 0.4]", "target = [1.1, 0.4]",
     "my.cfg:23: objective.[1].target: \"fore\" cannot reach it: it is 0.5029 m from the joint of "
     "\"upper\", and the links let its centre come to 0.2 to 0.4 m from there; move the target or "
     "the arm, or make links longer"},
    {ARM, "target = [0.9, 0.4]", "target = [0.65, 0.5]",
     "my.cfg:23: objective.[1].target: \"fore\" cannot reach it: it is 0.05831 m from the joint of "
     "\"upper\", and the links let its centre come to 0.2 to 0.4 m from there; move the target or "
     "the arm, or make links longer"},
    {ARM, "0.251]; size = [0.2, 0.2]; }",
     "0.251]; size = [0.2, 0.2]; joint = \"hinge\";\n"
     "    joint_at = \"post\"; joint_point = [1, 1]; }",
     "my.cfg:15: bodies.[3].joint: is of rigid bodies; the material \"soft\" is not rigid"},
};

static void refused(void) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    test_refused(test_edit(refusals[i].text, refusals[i].from, refusals[i].to), NULL,
                 refusals[i].message);
  }
}

int main(void) {
  RUN(overlaps);
  RUN(place);
  RUN(gradient);
  RUN(path);
  RUN(at_obstacle);
  RUN(refused);
  return TEST_RESULT();
}
