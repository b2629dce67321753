/* Variables that change nothing, and why: by what the file says, and by what a run shows. */
#include "test_problems_scene.h"

#include "scene.h"

#include <stdlib.h>

/* A disc that flies and one that rests, too far apart to meet in 0.04 s. */
static const char *const two_text =
    "simulation: { grid = [48, 24]; cell = \"1/24\"; time_step = 2e-3; steps = 20; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; shape = \"ball\"; center = [0.4, 0.5];\n"
    "    radius = 0.08; velocity = [1, 0]; },\n"
    "  { name = \"B\"; material = \"soft\"; shape = \"ball\"; center = [0.8, 0.5]; radius = 0.08; "
    "} "
    ");\n"
    "design: ( { variable = \"density\"; body = \"A\"; lower = 0.5; upper = 5; },\n"
    "  { variable = \"initial_velocity\"; body = \"A\"; lower = -4; upper = 4; } );\n"
    "objective: ( { term = \"distance\"; body = \"B\"; target = [0.9, 0.5]; } );\n";

static const char *const beam_text =
    "simulation: { grid = [24, 24]; cell = \"1/24\"; time_step = 4e-3; steps = 25;\n"
    "  gravity = [0, -1]; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"beam\"; material = \"soft\"; low = [0.3, 0.05]; size = [0.2, 0.3];\n"
    "    spacing = 0.02; } );\n"
    "boundaries: { domain: { type = \"none\"; };\n"
    "  half_spaces: ( { type = \"sticky\"; point = [0, 0.2]; normal = \"y\"; } ); };\n"
    "design: ( { variable = \"youngs_modulus\"; body = \"beam\"; per = \"particle\"; lower = 10;\n"
    "    upper = 60; } );\n"
    "objective: ( { term = \"height\"; body = \"beam\"; } );\n";

static const char *const muscle_text =
    "simulation: { grid = [24, 24]; cell = \"1/24\"; time_step = 4e-3; steps = 60; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.4]; size = [0.2, 0.2]; } );\n"
    "actuators: ( { name = \"m\"; body = \"A\"; direction = \"y\"; max = 2; } );\n"
    "controller: { type = \"open_loop\"; hold = 5; };\n"
    "design: ( { variable = \"actuation\"; start = 0.5; } );\n"
    "objective: ( { term = \"mean_square_velocity\"; body = \"A\"; when = \"at\"; time = 0.1; } "
    ");\n";

static const char *const feedback_text =
    "simulation: { grid = [24, 24]; cell = \"1/24\"; time_step = 4e-3; steps = 25; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.4]; size = [0.2, 0.2]; } );\n"
    "actuators: ( { name = \"m\"; body = \"A\"; direction = \"y\"; max = 2; } );\n"
    "controller: { type = \"tanh_linear\"; inputs: ( { read = \"clock\"; rate = 40; clocks = 1; } "
    "); "
    "};\n"
    "design: ( { variable = \"controller\"; start = [0, 40]; } );\n"
    "objective: ( { term = \"mean_square_velocity\"; body = \"A\"; } );\n";

/* A block that flies over a roller, which it is near from 0.05 s on. */
static const char *const roller_text =
    "simulation: { grid = [40, 20]; cell = 0.02; time_step = 1e-3; steps = 200; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 100; },\n"
    "  { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.1, 0.26]; size = [0.1, 0.06];\n"
    "    spacing = 0.01; velocity = [2, 0]; },\n"
    "  { name = \"roller\"; material = \"steel\"; shape = \"ball\"; center = [0.4, 0.2];\n"
    "    radius = 0.055; spacing = 0.01; motion = \"driven\"; type = \"sticky\"; } );\n"
    "actuators: ( { name = \"r\"; model = \"drive\"; body = \"roller\"; controls = \"turn\"; max = "
    "10; } );\n"
    "controller: { type = \"open_loop\"; hold = 50; };\n"
    "design: ( { variable = \"actuation\"; start = 1; } );\n"
    "objective: ( { term = \"mean_position\"; body = \"A\"; direction = \"x\"; } );\n";

enum { ROOM = 4 };

static const double ROUNDING = 1e-13;

typedef struct answer {
  int n, count;
  int zero; /* variables without a slope */
  cq_inactive items[ROOM];
} answer;

/* What is asked of a scene at its start, after a gradient there. */
static answer ask(const char *text, const char *const *sets, int n_sets, int which) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  answer a = {.items = {{.struct_size = sizeof a.items[0]}}};
  CHECK_MSG(cq_scene_load_text(ctx, "my.cfg", ".", text, sets, n_sets, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  const cq_problem *p = cq_scene_problem(scene);
  const size_t n = (size_t)p->n, m = (size_t)(p->n_inequality + p->n_equality);
  double *grad = calloc(n, sizeof *grad), *jac = calloc(m * n + 1, sizeof *jac), f, c[4];
  unsigned char *acts = calloc(n, 1);
  CHECK(p->eval(p->data, p->start, &f, m > 0 ? c : NULL, grad, m > 0 ? jac : NULL) == CQ_OK);
  a.n = p->n;
  for (size_t i = 0; i < n; i++) {
    acts[i] = which != 0 && fabs(grad[i]) > ROUNDING;
    for (size_t k = 0; k < m && which != -1; k++) {
      acts[i] = acts[i] || fabs(jac[k * n + i]) > ROUNDING;
    }
    a.zero += !acts[i];
  }
  CHECK_MSG(cq_scene_inactive(scene, 0, p->start, acts, which, ROOM, a.items, &a.count) == CQ_OK,
            "%s", cq_ctx_error(ctx));
  for (int i = 0; i < a.count; i++) {
    printf("  %d of block %d: %s\n", a.items[i].count, a.items[i].block, a.items[i].reason);
  }
  free(grad);
  free(jac);
  free(acts);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return a;
}

static bool says(const answer *a, int i, const char *words) {
  return i < a->count && strstr(a->items[i].reason, words) != NULL;
}

static void test_never_meet(void) {
  const answer a = ask(two_text, NULL, 0, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 2 && a.items[0].count == 1 && a.items[1].count == 2 && a.items[1].first == 1);
  /* the gap of 0.24 m less 0.04 m of flight, from outermost particle to outermost particle */
  CHECK(says(&a, 0, "the bodies never meet: \"A\" and \"B\" are nearest at 0.04 s, 0.2"));
  CHECK(says(&a, 1, "the bodies never meet"));
}

/* They meet, and what is measured was before: 24 cells/m, reach of 3 cells. */
static void test_meet_too_late(void) {
  const char *const sets[] = {"simulation.steps=150", "objective.[0].when=at",
                              "objective.[0].time=0.04"};
  const answer a = ask(two_text, sets, 3, CQ_ALL_FUNCTIONS);
  CHECK(says(&a, 0, "\"A\" meets \"B\" at 0.1"));
  CHECK(says(&a, 0, "the last time that counts is 0.04 s"));
}

/* Only what the function in question measures counts. */
static void test_one_function(void) {
  const char *const sets[] = {
      "constraints=({ term = \"mean_position\"; body = \"A\"; direction = \"x\"; upper = 2; })"};
  const answer both = ask(two_text, sets, 1, CQ_ALL_FUNCTIONS);
  /* free flight depends neither on density nor, along x, on the velocity along y */
  CHECK(both.count == 2 && both.items[0].block == 0 && both.items[1].first == 2);
  CHECK(ask(two_text, sets, 1, -1).count == 2);
  const answer constraint = ask(two_text, sets, 1, 0);
  CHECK(constraint.count == 2 && constraint.items[0].reason[0] == '\0');
}

static void test_by_the_file(void) {
  const char *const weight[] = {"objective.[0].weight=0"};
  const char *const mass[] = {"objective=({ term = \"mass\"; body = \"B\"; })"};
  const char *const early[] = {"objective.[0].when=at", "objective.[0].time=0"};
  answer a = ask(two_text, weight, 1, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 2 && says(&a, 0, "every term has weight 0"));
  a = ask(two_text, mass, 1, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 2 && says(&a, 1, "only masses are measured"));
  a = ask(two_text, early, 2, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 2 && says(&a, 0, "the terms look at the start alone"));
}

/* Some particles' moduli act, those of the others are in the clamp, as it should be; of a whole
 * block in it that is not so. */
static void test_part_in_a_sticky_wall(void) {
  const answer a = ask(beam_text, NULL, 0, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 1 && a.items[0].count > 10 && a.items[0].count < a.n);
  CHECK(a.items[0].count == a.zero && a.items[0].expected);
  CHECK(says(&a, 0, "a wall holds all their particles"));
  const char *const deep[] = {"boundaries.half_spaces.[0].point=[0, 0.5]"};
  const answer whole = ask(beam_text, deep, 1, CQ_ALL_FUNCTIONS);
  CHECK(whole.count == 1 && whole.items[0].count == whole.n && !whole.items[0].expected);
  CHECK(says(&whole, 0, "a wall holds all its particles"));
}

/* Rows that begin at 0.1 s and after, seven of twelve: nothing to worry about. */
static void test_rows_after_the_end(void) {
  const answer a = ask(muscle_text, NULL, 0, CQ_ALL_FUNCTIONS);
  CHECK(a.n == 12 && a.count == 1 && a.items[0].expected && a.items[0].count == 7 &&
        a.items[0].first == 5);
  CHECK(says(&a, 0, "the last time that counts, 0.1 s, is before them"));
}

static void test_saturated(void) {
  const char *const less[] = {"design.[0].start=[0, 1]"};
  const answer a = ask(feedback_text, NULL, 0, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 1 && a.items[0].count == 2 && says(&a, 0, "the controller is saturated"));
  CHECK(ask(feedback_text, less, 1, CQ_ALL_FUNCTIONS).count == 0);
}

/* No slope at the start, and yet they act: a maximum of -v^2 and the optimum itself. */
static void test_stationary_is_not_inactive(void) {
  const char *const top[] = {
      "objective=({ term = \"mean_square_velocity\"; body = \"A\"; weight = -1; })",
      "design=({ variable = \"initial_velocity\"; body = \"A\"; start = 0; lower = -1; upper = 1; "
      "})"};
  const answer a = ask(two_text, top, 2, CQ_ALL_FUNCTIONS);
  CHECK(a.zero == 2 && a.count == 0);
}

/* A modulus of what moves without strain. */
static void test_never_deformed(void) {
  const char *const sets[] = {
      "objective.[0].body=A",
      "design=({ variable = \"youngs_modulus\"; body = \"A\"; lower = 10; upper = 50; })"};
  const answer a = ask(two_text, sets, 2, CQ_ALL_FUNCTIONS);
  CHECK_MSG(a.count == 0 || says(&a, 0, "never deformed"), "%s", a.items[0].reason);
}

/* A row of a drive acts on nothing before the roller meets the block, which is as it should be. */
static void test_drive_alone(void) {
  const answer a = ask(roller_text, NULL, 0, CQ_ALL_FUNCTIONS);
  CHECK(a.n == 4 && a.count == 1 && a.items[0].count == 1 && a.items[0].first == 0);
  CHECK(a.count > 0 && a.items[0].expected);
  CHECK(says(&a, 0, "\"roller\" meets nothing that it can move while they act"));
}

/* A row of a spline acts for three rows' time: two fewer do so in vain. */
static void test_drive_by_spline(void) {
  const char *const sets[] = {
      "controller.hold=10", "design=({variable=\"actuation\";start=0.02;lower=-0.03;upper=0.03;})",
      "controller.interpolation=path"};
  const answer held = ask(roller_text, sets, 2, CQ_ALL_FUNCTIONS);
  const answer a = ask(roller_text, sets, 3, CQ_ALL_FUNCTIONS);
  CHECK(held.n == 20 && held.count == 1 && held.items[0].count > 3);
  CHECK(a.n == 20 && a.count == 1 && a.items[0].first == 0 && a.items[0].expected);
  CHECK(a.items[0].count == held.items[0].count - 2);
  CHECK(says(&a, 0, "\"roller\" meets nothing that it can move while they act"));
}

/* Two rollers by one table, one of which the block is near at the start, and never the other. */
static void test_drive_tied(void) {
  const char *const tied[] = {
      "bodies=({name=\"A\";material=\"soft\";low=[0.1,0.26];size=[0.1,0.06];spacing=0.01;"
      "velocity=[2,0];},"
      "{name=\"roller\";material=\"steel\";shape=\"ball\";center=[0.6,0.1];radius=0.055;"
      "spacing=0.01;motion=\"driven\";type=\"sticky\";},"
      "{name=\"near\";material=\"steel\";shape=\"ball\";center=[0.12,0.17];radius=0.055;"
      "spacing=0.01;motion=\"driven\";type=\"sticky\";})",
      "actuators=({name=\"r\";model=\"drive\";body=\"roller\";controls=\"turn\";max=10;},"
      "{name=\"n\";model=\"drive\";body=\"near\";controls=\"turn\";max=10;})",
      "design=({variable=\"actuation\";actuator=\"r\";tie=[\"n\"];start=1;})"};
  const answer a = ask(roller_text, tied, 3, CQ_ALL_FUNCTIONS);
  CHECK(a.n == 4 && a.count == 1 && a.items[0].count == 3 && a.items[0].first == 1);
  CHECK(a.count > 0 && !a.items[0].expected);
  CHECK(says(&a, 0, "what they drive meets nothing that it can move while they act"));
}

/* Drives and tracks of what never comes near the block: all of their variables. */
static void test_never_near(void) {
  const char *const away[] = {"bodies.[1].center=[0.4, 0.1]"};
  const char *const obstacle[] = {
      "boundaries={obstacles=({type=\"separate\";center=[0.5,0.1];size=[0.06,0.06];})}",
      "actuators.[0].body=obstacles.[0]", "bodies.[1].motion=fixed"};
  const char *const track[] = {
      "boundaries={obstacles=({type=\"separate\";center=[0.5,0.1];size=[0.06,0.06];"
      "track=[[0,0,0,0],[0.1,0.1,0,0],[0.2,0,0,0]];})}",
      "design=({variable=\"track\";body=\"obstacles.[0]\";})"};
  answer a = ask(roller_text, away, 1, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 1 && a.items[0].count == 4 && !a.items[0].expected);
  CHECK(says(&a, 0, "\"roller\" never meets anything that it can move"));
  a = ask(roller_text, obstacle, 3, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 1 && a.items[0].count == 4 && !a.items[0].expected);
  CHECK(says(&a, 0, "\"obstacles.[0]\" never meets anything that it can move"));
  a = ask(roller_text, track, 2, CQ_ALL_FUNCTIONS);
  CHECK(a.count == 1 && a.items[0].count == 6 && !a.items[0].expected);
  CHECK(says(&a, 0, "\"obstacles.[0]\" never meets anything that it can move"));
}

int main(void) {
  RUN(test_never_meet);
  RUN(test_meet_too_late);
  RUN(test_one_function);
  RUN(test_by_the_file);
  RUN(test_part_in_a_sticky_wall);
  RUN(test_rows_after_the_end);
  RUN(test_saturated);
  RUN(test_stationary_is_not_inactive);
  RUN(test_never_deformed);
  RUN(test_drive_alone);
  RUN(test_drive_by_spline);
  RUN(test_drive_tied);
  RUN(test_never_near);
  return TEST_RESULT();
}
