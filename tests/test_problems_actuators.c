/* Actuators of a problem file: names, units, bounds and starts of their controls, what enters the
 * time step, where the points of a cable are, and what is refused. */
#include "actuators.h"
#include "mpm_model.h"
#include "scene.h"
#include "test_problems_scene.h"

static const char *const muscle =
    "actuators: ( { name = \"m\"; body = \"B\"; direction = \"y\"; max = 8; } );\n";
/* the table of TEST_SCENE is six rows of one control */
static const char *const design = "  { variable = \"actuation\"; start = [1, 2, 3, -2, -3, 1]; }\n";

/* TEST_SCENE with these actuators instead */
static const char *with(const char *actuators) {
  static char text[16384];
  snprintf(text, sizeof text, "%s", test_edit(TEST_SCENE, muscle, actuators));
  snprintf(text, sizeof text, "%s", test_edit(text, design, "  { variable = \"actuation\"; }\n"));
  return text;
}

static cq_scene *load(cq_ctx *ctx, const char *actuators) {
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load_text(ctx, "my.cfg", ".", with(actuators), NULL, 0, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static void check_control(const cq_scene *scene, int i, const char *name, const char *unit,
                          double min, double max) {
  CHECK_STR(scene->controls[i].name, name);
  CHECK_STR(scene->controls[i].unit, unit);
  CHECK_MSG(scene->u_min[i] == min && scene->u_max[i] == max, "%s: %g to %g", name, scene->u_min[i],
            scene->u_max[i]);
}

static void controls(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene =
      load(ctx, "actuators: (\n"
                "  { name = \"d\"; body = \"A\"; model = \"diagonal\"; max = 8; },\n"
                "  { name = \"p\"; body = \"B\"; model = \"pneumatic\"; max = 4; min = -1; },\n"
                "  { name = \"t\"; body = \"C\"; model = \"thrust\"; max = 3; along = \"y\"; },\n"
                "  { name = \"c\"; body = \"A\"; model = \"cable\"; max = 0.5;\n"
                "    points = [[0.21, 0.2], [0.39, 0.3]]; }\n"
                ");\n");
  CHECK(scene->model.n_controls == 5 && scene->model.n_drives == 6);
  check_control(scene, 0, "d.x", "Pa", -8.0, 8.0);
  check_control(scene, 1, "d.y", "Pa", -8.0, 8.0);
  check_control(scene, 2, "p", "Pa", -1.0, 4.0);
  check_control(scene, 3, "t", "m/s^2", -3.0, 3.0);
  check_control(scene, 4, "c", "N", 0.0, 0.5);
  const cq_block *block = &scene->design.blocks[scene->design.n_blocks - 1];
  CHECK_STR(block->unit, "Pa|m/s^2|N");
  CHECK(block->count == 6 * 5);
  for (int j = 0; j < block->count; j++) {
    CHECK(block->start[j] == 0.0 && block->lower[j] == scene->u_min[j % 5] &&
          block->upper[j] == scene->u_max[j % 5]);
  }
  /* a particle has the index of its actuator; the cable is on top of it */
  const cq_body *bodies = scene->bodies;
  for (int b = 0; b < 3; b++) {
    CHECK(scene->model.actuator[bodies[b].first] == b);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* the stress that an actuator enters the stable time step with */
static double bound(const char *actuators) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, actuators);
  double away[6];
  for (int i = 0; i < scene->model.n_controls; i++) {
    away[i] = scene->u_max[i] - scene->u_rest[i];
  }
  const double stress = cq_actuator_bound(&cq_mpm_of(&scene->model)->actuators[0], 2, away);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return stress;
}

static void bounds(void) {
#define ON(body, rest) "actuators: ( { name = \"a\"; body = \"" body "\"; max = 8; " rest " } );\n"
  CHECK_NEAR(bound(ON("B", "direction = \"y\";")), 8.0, 1e-14);
  CHECK_NEAR(bound(ON("B", "direction = [0, 1, 1, 0];")), 8.0 * sqrt(2.0), 1e-14);
  CHECK_NEAR(bound(ON("B", "model = \"diagonal\";")), 8.0 * sqrt(2.0), 1e-14);
  CHECK_NEAR(bound(ON("B", "model = \"stress\";")), 16.0, 1e-14);
  CHECK_NEAR(bound(ON("B", "model = \"pneumatic\";")), 8.0, 1e-14);
  CHECK_NEAR(bound(ON("B", "model = \"thrust\";")), 0.0, 0.0);
  CHECK_NEAR(bound(ON("B", "model = \"torque\";")), 0.0, 0.0);
  /* the shorter segment is 0.1 m long */
  CHECK_NEAR(bound(ON("A", "model = \"cable\"; points = [[0.3, 0.2], [0.3, 0.3], [0.2, 0.15]];")),
             80.0, 1e-12);
}

/* The place of a cable's point is the one of the file: on a particle, between some, outside. */
static void cable_points(void) {
  static const double wanted[4][2] = {{0.2125, 0.1725}, {0.25, 0.26}, {0.39, 0.2}, {0.405, 0.37}};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, ON("A", "model = \"cable\"; points = [[0.2125, 0.1725], "
                                      "[0.25, 0.26], [0.39, 0.2], [0.405, 0.37]];"));
  const cq_actuator *cable = &cq_mpm_of(&scene->model)->actuators[0];
  CHECK(cable->n_points == 4);
  for (int j = 0; j < 4; j++) {
    double sum = 0.0, x[2] = {0.0, 0.0};
    for (int k = 0; k < CQ_ANCHORS; k++) {
      const cq_anchor *a = &cable->anchors[j * CQ_ANCHORS + k];
      sum += a->share;
      for (int i = 0; i < 2; i++) {
        x[i] += a->share * scene->x[2 * a->particle + i];
      }
      CHECK(fabs(a->share) < 2.0);
    }
    CHECK_NEAR(sum, 1.0, 1e-13);
    CHECK_NEAR(x[0], wanted[j][0], 1e-9);
    CHECK_NEAR(x[1], wanted[j][1], 1e-9);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* Fewer particles than a point takes, all in a row. */
static void cable_in_a_thread(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  char text[16384];
  snprintf(text, sizeof text, "%s",
           test_edit(with(ON("B", "model = \"cable\"; points = [[0.48, 0.16], [0.48, 0.36]];")),
                     "count = [4, 8]", "count = [1, 3]"));
  CHECK_MSG(cq_scene_load_text(ctx, "my.cfg", ".", text, NULL, 0, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  const cq_actuator *cable = &cq_mpm_of(&scene->model)->actuators[0];
  for (int j = 0; j < 2; j++) {
    double sum = 0.0, y = 0.0;
    for (int k = 0; k < CQ_ANCHORS; k++) {
      const cq_anchor *a = &cable->anchors[j * CQ_ANCHORS + k];
      sum += a->share;
      y += a->share * scene->x[2 * a->particle + 1];
    }
    CHECK_NEAR(sum, 1.0, 1e-13);
    CHECK_NEAR(y, j == 0 ? 0.16 : 0.36, 1e-8); /* x is 0.5 and cannot be 0.48 */
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* An actuator on B that sees where it is: the state is observed at every step, and the gradient
 * goes through what is seen. */
static void sees_its_place(const char *rest, int n_drives) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  char actuators[200], text[16384];
  snprintf(actuators, sizeof actuators,
           "actuators: ( { name = \"a\"; body = \"B\"; max = 8; %s } );\n", rest);
  snprintf(text, sizeof text, "%s",
           test_edit(with(actuators), "boundaries: {",
                     "boundaries: { height_fields: ( { type = \"slip\";\n"
                     "  x0 = 0.2; spacing = 0.2; heights = [0.1, 0.2, 0.1, 0.3]; } );"));
  CHECK_MSG(cq_scene_load_text(ctx, "my.cfg", ".", text, NULL, 0, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  const cq_model *model = &scene->model;
  const cq_actuator *seen = &cq_mpm_of(model)->actuators[0];
  CHECK(seen->n_controls == 1 && seen->n_drives == n_drives && model->n_controls == 1);
  const cq_channel *channel = &model->channels[0];
  CHECK(seen->first_z == 0 && channel->at == NULL);
  CHECK(model->groups[channel->group].particles[0] == scene->bodies[1].first);
  const cq_problem *problem = cq_scene_problem(scene);
  const int n = problem->n, last = n - 6; /* the first row of the table */
  double *x = malloc((size_t)n * sizeof *x), *grad = malloc((size_t)n * sizeof *grad);
  double *jac = malloc(3 * (size_t)n * sizeof *jac);
  double f = 0.0, c[3], above = 0.0, below = 0.0;
  memcpy(x, problem->start, (size_t)n * sizeof *x);
  x[last] = 2.0;
  CHECK(problem->eval(problem->data, x, &f, c, grad, jac) == CQ_OK);
  x[last] = 2.0 + 1e-3;
  CHECK(problem->eval(problem->data, x, &above, c, NULL, NULL) == CQ_OK);
  x[last] = 2.0 - 1e-3;
  CHECK(problem->eval(problem->data, x, &below, c, NULL, NULL) == CQ_OK);
  CHECK(grad[last] != 0.0);
  CHECK_NEAR((above - below) / 2e-3, grad[last], 1e-6 * fabs(grad[last]));
  free(x);
  free(grad);
  free(jac);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void actuators_that_see(void) {
  sees_its_place("model = \"thrust\"; along = \"slope\";", 2);
  sees_its_place("model = \"torque\";", 3);
}

static void refused(const char *actuators, const char *message) {
  test_refused(with(actuators), NULL, message);
}

static void errors(void) {
  refused(ON("B", "model = \"pneumatic\"; min = 1;"),
          "my.cfg:17: actuators.[0].min: must be at most 0, the control of an idle pneumatic");
  refused(ON("A", "model = \"cable\"; min = -1; points = [[0.3, 0.2], [0.3, 0.3]];"),
          "my.cfg:17: actuators.[0].min: must not be negative: a cable can only pull");
  refused(ON("A", "model = \"cable\"; points = [[0.3, 0.2, 0.1], [0.3, 0.3, 0.1]];"),
          "my.cfg:17: actuators.[0].points: a point has 2 numbers, not 3");
  refused(ON("A", "model = \"cable\"; points = [[0.3, 0.2]];"),
          "my.cfg:17: actuators.[0].points: a cable needs two points at least");
  refused(ON("A", "model = \"cable\"; points = [[0.3, 0.2], [0.3, 0.2]];"),
          "my.cfg:17: actuators.[0].points: points 0 and 1 are 0 m apart; put them half a cell "
          "apart at least (0.025 m)");
  refused(ON("A", "model = \"cable\"; points = [[0.3, 0.2], [0.6, 0.2]];"),
          "my.cfg:17: actuators.[0].points: point 1 is 0.212515 m away from the nearest particle "
          "of \"A\"; it must be in the body or within a cell of it (0.05 m)");
  /* bounds of the design: a cable cannot push */
  test_refused(
      test_edit(with(ON("A", "model = \"cable\"; points = [[0.3, 0.2], [0.3, 0.3]];")),
                "variable = \"actuation\";", "variable = \"actuation\"; lower = -2;"),
      NULL,
      "my.cfg:17: actuators.[0].name: the design lets the control \"a\" go down to -2, and 0 "
      "is the least that makes sense; raise `lower` of its block");
  refused(ON("A", "model = \"cable\";"),
          "my.cfg:17: actuators.[0] needs \"points\" (list of rows of numbers, m): what the cable "
          "runs through, in the body at rest: [[x, y], [x, y], ...]; add  points = ...;  to "
          "actuators.[0]");
  refused(ON("A", "model = \"thrust\"; along = [0, 0];"),
          "my.cfg:17: actuators.[0].along: must not be zero");
  refused(ON("A", "model = \"thrust\"; along = \"slope\";"),
          "my.cfg:17: actuators.[0].along: \"slope\" is that of the ground: it needs one of "
          "boundaries.height_fields, and there are 0 of one row");
  test_refused(
      with("actuators: ( { name = \"a\"; body = \"A\"; model = \"push\"; force = [1, 0]; until = "
           "1; max = 2; } );\n"),
      NULL,
      "my.cfg:17: \"max\" in actuators.[0] has a meaning only with model = \"muscle\", \"stress\", "
      "\"diagonal\", \"pneumatic\", \"hydraulic\", \"thrust\", \"torque\", \"cable\", \"drive\"");
  test_refused(with("actuators: ( { name = \"a\"; body = \"A\"; model = \"push\"; force = [1, 0]; "
                    "from = 0.4; until = 0.3; } );\n"),
               NULL,
               "my.cfg:17: actuators.[0].until: is not after `from`, 0.4 s, when the push begins");
  refused(ON("A", "model = \"muscle\"; direction = \"x\"; along = \"x\";"),
          "my.cfg:17: \"along\" in actuators.[0] has a meaning only with model = \"thrust\"");
  refused("actuators: ( { name = \"a\"; body = \"A\"; direction = \"y\"; max = 8; },\n"
          "  { name = \"b\"; body = \"*\"; model = \"thrust\"; max = 8; } );\n",
          "my.cfg:18: actuators.[1].body: the actuator \"a\" acts on particles of \"*\" already; a "
          "particle has one actuator, and any number of cables");
}

/* What a controller throws as a run begins. */
#define LAUNCH(body, rest) "launches: ( { name = \"l\"; body = \"" body "\"; " rest " } );\n"
#define READS(what)                                                                                \
  "controller: { type = \"mlp\"; hidden = 2; inputs = ( { read = " what " } ); };\n"
static const char *thrown(const char *launch, const char *controller) {
  static char text[16384];
  char both[1024];
  snprintf(both, sizeof both, "%s%s", launch, controller);
  snprintf(text, sizeof text, "%s", test_edit(TEST_SCENE, muscle, ""));
  snprintf(text, sizeof text, "%s",
           test_edit(text, "controller: { type = \"open_loop\"; hold = 7; };\n", both));
  snprintf(
      text, sizeof text, "%s",
      test_edit(text, "  { term = \"actuation_cost\"; relative = true; upper = 0.02; },\n", ""));
  snprintf(text, sizeof text, "%s",
           test_edit(text, "  { variable = \"initial_velocity\"; body = \"A\"; },\n", ""));
  snprintf(text, sizeof text, "%s", test_edit(text, design, "  { variable = \"controller\"; }\n"));
  return text;
}

/* The body begins as the controller says for its target, which another target changes. */
static void launches(void) {
  const char *text =
      thrown(LAUNCH("A", "controls = [\"turn\", \"y\"]; low = [1, -3]; high = [2, -2];"),
             READS("\"target\";"));
  double speed[2] = {0.0, 0.0};
  for (int i = 0; i < 2; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    const char *const set = i == 0 ? "optimizer.name=adam" : "objective.[0].target=[0.1, 0.5]";
    cq_scene *scene = NULL;
    CHECK_MSG(cq_scene_load_text(ctx, "my.cfg", ".", text, &set, 1, &scene) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    check_control(scene, 0, "l.turn", "rad/s", 1.0, 2.0);
    check_control(scene, 1, "l.y", "m/s", -3.0, -2.0);
    const cq_body *a = &scene->bodies[0];
    const double *v = scene->current + cq_layout_offset(&scene->layout, "v") + 2 * a->first;
    double mean[2] = {0.0, 0.0};
    for (int p = 0; p < a->count; p++) {
      mean[0] += v[2 * p] / a->count;
      mean[1] += v[2 * p + 1] / a->count;
    }
    CHECK_NEAR(mean[0], 0.4, 1e-14); /* as the file has it */
    CHECK_MSG(mean[1] > -3.0 && mean[1] < -2.0, "%g m/s", mean[1]);
    speed[i] = mean[1];
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
  CHECK_MSG(fabs(speed[0] - speed[1]) > 1e-3, "%g and %g m/s", speed[0], speed[1]);
}

static void refused_launches(void) {
#define LOW_HIGH "low = -1; high = 1;"
  static const char target[] = READS("\"target\";");
  test_refused(
      thrown(LAUNCH("A", "controls = \"z\"; " LOW_HIGH), target), NULL,
      "my.cfg:17: launches.[0].controls: \"z\" is no way to move: \"x\", \"y\" or \"turn\"");
  test_refused(thrown(LAUNCH("A", "controls = [\"x\", \"x\"]; " LOW_HIGH), target), NULL,
               "my.cfg:17: launches.[0].controls: \"x\" of \"A\" is there twice");
  test_refused(thrown(LAUNCH("A", "controls = \"x\"; low = 2; high = 1;"), target), NULL,
               "my.cfg:17: launches.[0].low: 2 is not below `high`, 1");
  test_refused(thrown(LAUNCH("A", "controls = \"x\"; low = [0, 1]; high = 1;"), target), NULL,
               "my.cfg:17: launches.[0].low: must be a number or a list of 1");
  test_refused(
      thrown(LAUNCH("A", "controls = \"x\"; " LOW_HIGH), READS("\"velocity\";")), NULL,
      "my.cfg:18: controller.inputs.[0].read: is not known before the run, when bodies are "
      "launched; take target or constant");
  test_refused(
      thrown(LAUNCH("A", "controls = \"x\"; " LOW_HIGH),
             "controller: { type = \"sinusoid\"; rate = 2; };\n"),
      NULL, "my.cfg:18: controller.type: a launch needs one that reads inputs: tanh_linear or mlp");
  test_refused(
      test_edit(thrown(LAUNCH("A", "controls = \"x\"; " LOW_HIGH), target),
                "{ variable = \"controller\"; }",
                "{ variable = \"initial_velocity\"; body = \"A\"; }"),
      NULL,
      "my.cfg:23: design.[3].variable: A.initial_velocity is what the launch \"l\" sets; take "
      "one of them out");
}

int main(void) {
  RUN(controls);
  RUN(bounds);
  RUN(cable_points);
  RUN(cable_in_a_thread);
  RUN(actuators_that_see);
  RUN(errors);
  RUN(launches);
  RUN(refused_launches);
  return TEST_RESULT();
}
