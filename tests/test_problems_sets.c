/* Named sets of particles: bodies, groups, all. */
#include "scene.h"
#include "test_problems_scene.h"

/* A is 8 x 8 particles from (0.2, 0.16), 0.025 m apart, the last axis fastest; B is 4 x 8 */
#define GROUPS                                                                                     \
  "groups: (\n"                                                                                    \
  "  { name = \"tip\"; body = \"A\"; low = [0.35, 0.16]; size = [0.05, 0.2]; },\n"                 \
  "  { name = \"edge\"; body = \"A\"; low = [0.1, 0.1]; size = [0.1125, 0.5]; },\n"                \
  "  { name = \"near\"; shape = \"ball\"; center = [0.4, 0.26]; radius = 0.1; },\n"                \
  "  { name = \"inner\"; body = \"near\"; center = [0.5, 0.26]; size = [0.2, 0.2]; }\n"            \
  ");\n"

static cq_scene *load_groups(cq_ctx *ctx) {
  test_write_file("sets.cfg", TEST_SCENE GROUPS);
  return test_load(ctx, "sets.cfg");
}

static const cq_set *find(cq_scene *scene, const char *name) {
  const cq_set *set = NULL;
  CHECK(cq_scene_find_set(scene, scene->config.root, "body", name, &set) == CQ_OK);
  return set;
}

static void bodies_and_all(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = load_groups(ctx);
  const int n = 64 + 32 + 60;
  CHECK(find(s, "*")->count == n && find(s, "*")->particles[n - 1] == n - 1);
  CHECK(find(s, "B")->count == 32 && find(s, "B")->particles[0] == 64);
  CHECK(find(s, "C")->count == 60 && find(s, "C")->particles[59] == n - 1);
  CHECK_STR(find(s, "B")->name, "B");
  const cq_set *set = NULL;
  CHECK(cq_scene_find_set(s, s->config.root, "body", "tipp", &set) == CQ_CONFIG && set == NULL);
  CHECK(strstr(cq_ctx_error(ctx), "there is no body or group \"tipp\"; did you mean \"tip\"?"));
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void groups(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = load_groups(ctx);
  const cq_set *tip = find(s, "tip");
  CHECK(tip->count == 16); /* the two columns x = 0.3625, 0.3875 */
  for (int i = 0; i < tip->count; i++) {
    CHECK(tip->particles[i] == 48 + i);
  }
  /* the column at x = 0.2125 lies on the face of the box */
  CHECK(find(s, "edge")->count == 8);
  /* of every body, as the distance says, in ascending order */
  const cq_set *near = find(s, "near");
  int count = 0;
  for (int p = 0; p < s->model.n_particles; p++) {
    const bool inside = hypot(s->x[2 * p] - 0.4, s->x[2 * p + 1] - 0.26) <= 0.1;
    CHECK(!inside || (count < near->count && near->particles[count] == p));
    count += inside;
  }
  CHECK(near->count == count && near->particles[0] < 64 && near->particles[count - 1] >= 64);
  /* a group of a group */
  const cq_set *inner = find(s, "inner");
  CHECK(inner->count > 0 && inner->count < near->count);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* a strip along the diagonal of body A */
static void turned_group(void) {
  const char *const set =
      "groups=({name=\"strip\";body=\"A\";center=[0.3,0.26];size=[1,0.05];rotation=\"11/14\";})";
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  test_write_file("groups.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "groups.cfg", &set, 1, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_set *strip = find(s, "strip");
  int count = 0;
  for (int p = 0; p < s->bodies[0].count; p++) {
    const double across =
        (s->x[2 * p + 1] - 0.26) * cos(11.0 / 14.0) - (s->x[2 * p] - 0.3) * sin(11.0 / 14.0);
    count += fabs(across) <= 0.025;
    CHECK(fabs(across) > 0.025 || strip->particles[count - 1] == p);
  }
  CHECK(count == strip->count && count > 8 && count < 40);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* a term of a group is that of its particles, and its gradient is right */
static void a_term_reads_a_group(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("sets.cfg", test_edit(TEST_SCENE GROUPS, "\"A\"; target", "\"tip\"; target"));
  cq_scene *s = test_load(ctx, "sets.cfg");
  CHECK_STR(cq_scene_term_label(s, 0), "tip.distance");
  const cq_problem *p = cq_scene_problem(s);
  double f = 0.0, c[3], center[2] = {0};
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK);
  double *state = malloc(s->layout.state_total * sizeof *state);
  CHECK(cq_sim_final_state(s->sim, state) == CQ_OK);
  for (int i = 48; i < 64; i++) { /* of equal mass */
    center[0] += state[2 * i] / 16;
    center[1] += state[2 * i + 1] / 16;
  }
  CHECK_NEAR(cq_scene_term_value(s, 0), hypot(center[0] - 0.6, center[1] - 0.3), 1e-14);
  cq_gradcheck check;
  CHECK(cq_gradcheck_block(ctx, p, p->start, -1, 0, 4, 1e-6, &check) == CQ_OK);
  CHECK_MSG(check.passed && check.gradient_norm > 0.0, "%g", check.best);
  free(state);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void refused(const char *group, const char *message) {
  char text[16384];
  snprintf(text, sizeof text, "%sgroups: (\n  %s\n);\n", TEST_SCENE, group);
  test_refused(text, NULL, message);
}

static void bad_groups(void) {
  refused("{ name = \"A\"; low = [0, 0]; size = [1, 1]; }",
          "my.cfg:37: groups.[0].name: there is a body or group \"A\" already");
  refused("{ name = \"g\"; low = [0, 0]; size = [1, 1]; },\n"
          "  { name = \"g\"; low = [0, 0]; size = [1, 1]; }",
          "my.cfg:38: groups.[1].name: there is a body or group \"g\" already");
  refused("{ name = \"g\"; body = \"a\"; low = [0, 0]; size = [1, 1]; }",
          "my.cfg:37: groups.[0].body: there is no body or group \"a\"; did you mean \"A\"?");
  refused("{ name = \"g\"; body = \"A\"; low = [0.5, 0.5]; size = [0.1, 0.1]; }",
          "my.cfg:37: groups.[0].name: the group \"g\" is empty: no particle of \"A\" starts in "
          "its shape; they start between [0.2125, 0.1725] and [0.3875, 0.3475]");
  refused("{ name = \"g\"; size = [1, 1]; }",
          "my.cfg:37: groups.[0].low: give either low or center");
  refused("{ name = \"g\"; shape = \"ball\"; center = [1, 1]; }",
          "my.cfg:37: groups.[0] needs \"radius\" (number, m): radius; add  radius = ...;  to "
          "groups.[0]");
}

int main(void) {
  RUN(bodies_and_all);
  RUN(groups);
  RUN(turned_group);
  RUN(a_term_reads_a_group);
  RUN(bad_groups);
  return TEST_RESULT();
}
