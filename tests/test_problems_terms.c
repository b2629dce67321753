/* What differs from the formula of a term: zero distances, times, pairs, jumps of controls. The
 * adjoints are proven by test_problems_terms_dual.cpp. */
#include "scene.h"
#include "test_problems_scene.h"

static void no_gradient_at_the_target(void) {
  cq_term_keys keys = {.own.distance = {.target = {0.5, 0.25}, .squared = 0}};
  const cq_term term = {.kind = CQ_TERM_distance, .keys = &keys};
  const double z[5] = {0.5, 0.25};
  double dz[5] = {0};
  const cq_term_in in = {.dim = 2, .z = z};
  CHECK_NEAR(cq_term_value(&term, &in), 0.0, 0);
  cq_term_adjoint(&term, &in, 1.0, dz, NULL);
  CHECK_NEAR(dz[0], 0.0, 0);
  CHECK_NEAR(dz[1], 0.0, 0);
}

static void instants(void) {
  const cq_instant start = cq_instant_at(0.0, 0.1), state = cq_instant_at(0.3, 0.1),
                   between = cq_instant_at(0.32, 0.1), far = cq_instant_at(7777 * 1e-4, 1e-4);
  CHECK(start.step == 0 && start.ahead == 0.0);
  CHECK(state.step == 3 && state.ahead == 0.0);
  CHECK(between.step == 3);
  CHECK_NEAR(between.ahead, 0.2, 1e-12);
  CHECK(far.step == 7777 && far.ahead == 0.0);
}

/* 40 steps of 2e-3 s; every function is a constraint of its own */
static const char constraints[] =
    "constraints: (\n"
    "  { term = \"mean_position\"; body = \"A\"; direction = \"y\"; lower = 0; },\n"
    "  { term = \"height\"; body = \"A\"; above = 0.125; lower = 0; when = \"at\"; time = 0; },\n"
    "  { term = \"height\"; body = \"A\"; lower = 0; when = \"at\"; time = 0.0412; },\n"
    "  { term = \"height\"; body = \"A\"; lower = 0; when = \"window\"; window = [0.02, 0.0412]; "
    "},\n"
    "  { term = \"height\"; body = \"A\"; lower = 0; when = \"running\"; },\n"
    "  { term = \"height\"; body = \"A\"; lower = 0; when = \"window\"; window = [0, 0.08]; },\n"
    "  { term = \"distance_between\"; body = \"A\"; to = \"C\"; offset = [0.1, -0.2]; lower = 0; "
    "},\n"
    "  { term = \"distance_between\"; body = \"A\"; to = \"*\"; squared = false; lower = 0;\n"
    "    when = \"at\"; time = 0.033; },\n"
    "  { term = \"actuation_rate\"; lower = 0; },\n"
    "  { term = \"actuation_rate\"; relative = true; lower = 0; when = \"at\"; time = 0.0145; },\n"
    "  { term = \"actuation_cost\"; lower = 0; when = \"at\"; time = 0.0141; },\n"
    "  { term = \"mean_square_velocity\"; body = \"A\"; lower = 0; when = \"at\"; time = 0; }\n"
    ");\n";
enum { N_CONSTRAINTS = 12, STEPS = 40 };

static cq_scene *open_scene(cq_ctx *ctx) {
  static char text[16384];
  const char *end = strstr(TEST_SCENE, "constraints:");
  snprintf(text, sizeof text, "%.*s%s", (int)(end - TEST_SCENE), TEST_SCENE, constraints);
  test_write_file("terms.cfg", text);
  return test_load(ctx, "terms.cfg");
}

static double length(const double *a, const double *b, double x, double y, bool squared) {
  const double square =
      (a[0] - b[0] - x) * (a[0] - b[0] - x) + (a[1] - b[1] - y) * (a[1] - b[1] - y);
  return squared ? square : sqrt(square);
}

/* against the observations of the run, which the mask asks for */
static void values(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx);
  const cq_problem *p = cq_scene_problem(s);
  double f = 0.0, c[N_CONSTRAINTS] = {0}, v[N_CONSTRAINTS];
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK);
  for (int i = 0; i < N_CONSTRAINTS; i++) {
    v[i] = -c[i];
  }
  const double *z = cq_sim_observations(s->sim), *u = cq_sim_controls(s->sim);
  const cq_z_rows *rows = s->objective.rows;
  const int a = 0, all = 1, ball = 3; /* groups as they are first named: A, *, B, C */
#define Z(k, group) (z + cq_z_at(rows, (k), (group), CQ_Q_POSITION))
  double mean = 0.0, sum = 0.0;
  for (int k = 1; k <= STEPS; k++) {
    mean += k > 10 && k <= 20 ? Z(k, a)[1] / 10 : 0.0;
    sum += Z(k, a)[1];
  }
  CHECK_NEAR(v[0], Z(STEPS, a)[1], 1e-15);
  CHECK_NEAR(v[1], 0.26 - 0.125, 1e-15);
  CHECK_NEAR(v[2], 0.4 * Z(20, a)[1] + 0.6 * Z(21, a)[1], 1e-14);
  CHECK_NEAR(v[3], mean, 1e-15);
  CHECK_NEAR(v[4], sum * 2e-3, 1e-15);
  CHECK_NEAR(v[5], sum / STEPS, 1e-15);
  CHECK_NEAR(v[6], length(Z(STEPS, a), Z(STEPS, ball), 0.1, -0.2, true), 1e-15);
  double here[2], there[2];
  for (int i = 0; i < 2; i++) {
    here[i] = 0.5 * (Z(16, a)[i] + Z(17, a)[i]);
    there[i] = 0.5 * (Z(16, all)[i] + Z(17, all)[i]);
  }
  CHECK_NEAR(v[7], length(here, there, 0, 0, false), 1e-15);
  /* rows 1, 2, 3, -2, -3, 1 of 7 steps each; time 0.0145 is in step 7, the first of row 1, and
   * 0.0141 too */
  CHECK_NEAR(v[8], 1 + 1 + 25 + 1 + 16, 1e-12);
  CHECK_NEAR(v[9], (2.0 - 1.0) * (2.0 - 1.0) / 64 / 2e-3, 1e-12);
  CHECK_NEAR(v[10], 4.0, 1e-14);
  CHECK(u[6] == 1.0 && u[7] == 2.0);
  /* velocity (0.4, -0.5) and a spin of 2 about the middle of 8 x 8 particles */
  CHECK_NEAR(v[11], 0.41 + 4 * 2 * 63.0 / 12 * 0.025 * 0.025, 1e-12);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void gradients(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx);
  const cq_problem *p = cq_scene_problem(s);
  int moved = 0;
  for (int which = 0; which < N_CONSTRAINTS; which++) {
    for (int b = 0; b < 3; b++) {
      static const int blocks[] = {0, 2, 4}; /* initial velocity, Young's modulus, controls */
      const cq_block_info block = cq_scene_block(s, blocks[b]);
      cq_gradcheck check;
      const cq_status status =
          cq_gradcheck_block(ctx, p, p->start, which, block.first, block.count, 1e-6, &check);
      CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
      const bool is_zero = check.gradient_norm < 1e-14; /* masses cancel but for rounding */
      CHECK_MSG(check.passed || is_zero, "function %d, %s: %g (norm %g)", which, block.name,
                check.best, check.gradient_norm);
      moved += !is_zero;
      cq_ctx_clear_error(ctx);
    }
  }
  /* of the 36 pairs: the height at time 0 depends on nothing, terms of controls on them alone */
  CHECK_MSG(moved == 25, "%d gradients that are not zero", moved);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* only what a term looks at is observed */
static void observed_states(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("terms.cfg", TEST_SCENE);
  const char *sets[] = {"objective=({term=\"height\"; when=\"at\"; time=0.0412;})"};
  cq_scene *s = NULL;
  CHECK(cq_scene_load(ctx, "terms.cfg", sets, 1, &s) == CQ_OK);
  const cq_z_rows *rows = s->objective.rows;
  int count = 0;
  for (int k = 0; k <= STEPS; k++) {
    count += cq_z_observes(rows, k);
  }
  CHECK(count == 3 && cq_z_observes(rows, STEPS)); /* where a constraint looks */
  CHECK(rows->begin[20] == 0 && rows->begin[21] == 2 && rows->begin[22] == 4); /* positions */
  cq_scene_destroy(s);
  sets[0] = "objective=({term=\"height\";})";
  CHECK(cq_scene_load(ctx, "terms.cfg", sets, 1, &s) == CQ_OK);
  rows = s->objective.rows;
  CHECK(rows->begin[STEPS] == 0 && cq_z_observes(rows, STEPS));
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void refused(const char *term, const char *message) {
  char set[256], text[512];
  snprintf(set, sizeof set, "objective=({%s})", term);
  snprintf(text, sizeof text, "--set %s: objective.[0]%s", set, message);
  test_refused(TEST_SCENE, set, text);
}

static void bad_periods(void) {
  refused("term=\"periodic\";",
          " needs \"period\" (number, s): the state is compared with that of so long before; add  "
          "period = ...;  to objective.[0]");
  refused(
      "term=\"periodic\"; period=0.1;",
      ".period: 0.1 s before 0.08 s, when it is measured, there is no state: take a shorter one, "
      "or measure later (when)");
  refused("term=\"periodic\"; period=0.05; when=\"running\";",
          ".period: 0.05 s before 0.002 s, when it is measured, there is no state: take a shorter "
          "one, or measure later (when)");
  refused("term=\"periodic\"; period=0.05; direction=[0, 0];", ".direction: must not be zero");
}

static void bad_terms(void) {
  refused("term=\"height\"; when=\"at\";",
          " needs \"time\" (number, s): when it is measured; add  time = ...;  to objective.[0]");
  refused("term=\"height\"; when=\"at\"; time=0.09;",
          ".time: 0.09 s is after the end of the run, 0.08 s");
  refused("term=\"height\"; when=\"window\"; window=[0.05, 0.02];",
          ".window: must be [from, to] with from < to");
  refused("term=\"height\"; when=\"window\"; window=[0.0201, 0.0215];",
          ".window: there is no state after 0.0201 s, up to 0.0215 s: states are 0.002 s apart");
  refused("term=\"distance_between\"; body=\"A\"; to=\"A\";", ".to: is the body itself");
  refused("term=\"distance_between\"; body=\"A\"; to=\"D\";",
          ".to: there is no body or group \"D\"; did you mean \"A\"?");
  test_refused(TEST_SCENE, "objective.[0].time=0.01",
               "--set objective.[0].time=0.01: \"time\" in objective.[0] has a meaning only with "
               "when = \"at\"");
}

int main(void) {
  RUN(no_gradient_at_the_target);
  RUN(instants);
  RUN(values);
  RUN(gradients);
  RUN(observed_states);
  RUN(bad_terms);
  RUN(bad_periods);
  return TEST_RESULT();
}
