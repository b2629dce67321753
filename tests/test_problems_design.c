/* Blocks: x to inputs, gradients back, labels, scales; particles of bodies. */
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"

typedef struct fixture {
  cq_ctx *ctx;
  cq_scene *scene;
} fixture;

static fixture open_scene(void) {
  fixture f = {.ctx = cq_ctx_create(1, 1)};
  test_write_file("design.cfg", TEST_SCENE);
  f.scene = test_load(f.ctx, "design.cfg");
  return f;
}

static void close_scene(fixture f) {
  cq_scene_destroy(f.scene);
  CHECK(cq_ctx_bytes(f.ctx) == 0);
  cq_ctx_destroy(f.ctx);
}

static double random_number(void) {
  return 2.0 * rand() / RAND_MAX - 1.0;
}

/* the start is the scene as written */
static void start_is_the_scene(void) {
  const fixture f = open_scene();
  const cq_scene *s = f.scene;
  double *inputs = calloc(s->layout.total, sizeof *inputs);
  memcpy(inputs, s->inputs, s->layout.total * sizeof *inputs);
  cq_design_apply(&s->design, s->design.start, inputs);
  for (size_t i = 0; i < s->layout.offset[CQ_INPUT_theta]; i++) {
    CHECK_NEAR(inputs[i], s->inputs[i], 1e-15 * (1.0 + fabs(inputs[i])));
  }
  CHECK_NEAR(inputs[s->layout.offset[CQ_INPUT_theta] + 3], -2.0, 0);
  free(inputs);
  close_scene(f);
}

/* design.[4] are the controls: six, from 1, 2, 3, -2, -3, 1, within 8 of zero */
static void draws(uint64_t seed, const char *spread, double start[6]) {
  cq_ctx *ctx = cq_ctx_create(1, seed);
  cq_scene *scene = NULL;
  test_write_file("design.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "design.cfg", &spread, 1, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_block *block = &scene->design.blocks[4];
  memcpy(start, scene->design.start + block->first, 6 * sizeof *start);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void starts_are_drawn(void) {
  static const double given[6] = {1, 2, 3, -2, -3, 1};
  double all[4][6], square = 0.0;
  draws(1, "design.[4].start_spread=0.5", all[0]);
  draws(1, "design.[4].start_spread=0.5", all[1]);
  draws(2, "design.[4].start_spread=0.5", all[2]);
  draws(2, "design.[4].start_spread=1e3", all[3]);
  CHECK(memcmp(all[0], all[1], sizeof all[0]) == 0 && memcmp(all[0], all[2], sizeof all[0]) != 0);
  for (int j = 0; j < 6; j++) {
    square += (all[0][j] - given[j]) * (all[0][j] - given[j]) / 6;
    CHECK(fabs(all[3][j]) <= 8.0);
  }
  CHECK(square > 0.05 && square < 1.0);
}

/* a start that is set is not drawn again when the settings are read again */
static void what_is_set_is_not_drawn(void) {
  const fixture f = open_scene();
  const char *const spread = "design.[4].start_spread=0.5";
  cq_scene *scene = NULL, *again = NULL;
  double *values = calloc((size_t)f.scene->design.n, sizeof *values);
  CHECK(cq_scene_load(f.ctx, "design.cfg", &spread, 1, &scene) == CQ_OK);
  for (int i = 0; i < scene->design.n; i++) {
    values[i] = cq_scene_variable(f.scene, i).start;
  }
  CHECK(cq_scene_set_start(scene, values) == CQ_OK);
  FILE *file = fopen("set.cfg", "w");
  CHECK(cq_scene_write_config(scene, file) == CQ_OK && fclose(file) == 0);
  again = test_load(f.ctx, "set.cfg");
  for (int i = 0; i < scene->design.n; i++) {
    CHECK_NEAR(cq_scene_variable(again, i).start, values[i], 0);
  }
  free(values);
  cq_scene_destroy(again);
  cq_scene_destroy(scene);
  close_scene(f);
}

/* <w, J dx> = <J^T w, dx>, and J by a difference of apply */
static void chain_rule_both_ways(void) {
  const fixture f = open_scene();
  const cq_design *d = &f.scene->design;
  const size_t n = (size_t)d->n, total = f.scene->layout.total;
  double *x = calloc(n, sizeof *x), *dx = calloc(n, sizeof *dx), *g = calloc(n, sizeof *g);
  double *a = calloc(total, sizeof *a), *b = calloc(total, sizeof *b),
         *w = calloc(total, sizeof *w);
  for (size_t i = 0; i < n; i++) {
    x[i] = d->start[i];
    dx[i] = random_number();
  }
  for (size_t i = 0; i < total; i++) {
    w[i] = random_number();
  }
  cq_design_apply(d, x, a);
  for (size_t i = 0; i < n; i++) {
    x[i] += dx[i];
  }
  cq_design_apply(d, x, b);
  double forward = 0.0, backward = 0.0;
  for (size_t i = 0; i < total; i++) {
    forward += w[i] * (b[i] - a[i]);
  }
  cq_design_pull(d, d->start, w, g);
  for (size_t i = 0; i < n; i++) {
    backward += g[i] * dx[i];
  }
  CHECK_NEAR(forward, backward, 1e-11);
  CHECK(fabs(forward) > 1e-3);
  free(x);
  free(dx);
  free(g);
  free(a);
  free(b);
  free(w);
  close_scene(f);
}

static void blocks_and_labels(void) {
  const fixture f = open_scene();
  const cq_problem *p = cq_scene_problem(f.scene);
  static const struct {
    int variable;
    const char *label;
    double start, lower, upper, scale;
  } expected[] = {{0, "A.initial_velocity[0]", 0.4, -INFINITY, INFINITY, 0.4},
                  {1, "A.initial_velocity[1]", -0.5, -INFINITY, INFINITY, 0.5},
                  {2, "A.density", 1, 0.8, 3, 2.2},
                  {3, "A.youngs_modulus", 40, 10, 60, 50},
                  {4, "C.youngs_modulus[0]", 40, 10, 60, 50},
                  {63, "C.youngs_modulus[59]", 40, 10, 60, 50},
                  {64, "actuation[0].m", 1, -8, 8, 16},
                  {69, "actuation[5].m", 1, -8, 8, 16}};
  CHECK(p->n == 70 && cq_scene_block_count(f.scene) == 5);
  CHECK_STR(cq_scene_block(f.scene, 4).name, "actuation");
  CHECK_STR(cq_scene_block(f.scene, 3).unit, "Pa");
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    char text[64];
    const int j = expected[i].variable;
    cq_scene_variable_label(f.scene, j, text, sizeof text);
    CHECK_STR(text, expected[i].label);
    CHECK(p->start[j] == expected[i].start && p->lower[j] == expected[i].lower);
    CHECK(p->upper[j] == expected[i].upper);
    CHECK_NEAR(p->scale[j], expected[i].scale, 1e-15);
  }
  close_scene(f);
}

/* spin stays when the velocity is designed: v = x + w cross (position - centre) */
static void spin_is_kept(void) {
  const fixture f = open_scene();
  const cq_scene *s = f.scene;
  double *inputs = calloc(s->layout.total, sizeof *inputs);
  double x[70];
  memcpy(x, s->design.start, sizeof x);
  x[0] = 5;
  x[1] = 7;
  cq_design_apply(&s->design, x, inputs);
  const double *v = inputs + s->layout.offset[CQ_INPUT_v];
  const double *pos = s->inputs + s->layout.offset[CQ_INPUT_x];
  for (int p = 0; p < s->bodies[0].count; p++) {
    CHECK_NEAR(v[2 * p], 5 - 2 * (pos[2 * p + 1] - 0.26), 1e-14);
    CHECK_NEAR(v[2 * p + 1], 7 + 2 * (pos[2 * p] - 0.3), 1e-14);
  }
  free(inputs);
  close_scene(f);
}

/* mass of a body is its density times its volume, however it is sampled */
static void masses(void) {
  const fixture f = open_scene();
  const cq_scene *s = f.scene;
  const double expected[] = {0.04, 0.02, 2 * 3.14159265358979323846 * 0.01};
  const int counts[] = {64, 32, 60};
  for (int b = 0; b < 3; b++) {
    double mass = 0.0;
    for (int p = s->bodies[b].first; p < s->bodies[b].first + s->bodies[b].count; p++) {
      mass += s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)p] *
              s->inputs[s->layout.offset[CQ_INPUT_volume] + (size_t)p];
      CHECK(cq_shape_distance(&s->bodies[b].shape,
                              s->inputs + s->layout.offset[CQ_INPUT_x] + 2 * (size_t)p) <= 1e-12);
    }
    CHECK(s->bodies[b].count == counts[b]);
    CHECK_NEAR(mass, expected[b], 1e-14);
  }
  close_scene(f);
}

static cq_scene *load_with(cq_ctx *ctx, const char *const *sets, int n) {
  cq_scene *scene = NULL;
  test_write_file("design.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "design.cfg", sets, n, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

/* the scale of variable i of the test's scene with these bounds of its block */
static double scale_with(int block, int i, const char *lower, const char *upper) {
  char sets[3][64];
  const char *const all[] = {sets[0], sets[1], sets[2]};
  snprintf(sets[0], sizeof sets[0], "design.[%d].lower=%s", block, lower);
  snprintf(sets[1], sizeof sets[1], "design.[%d].upper=%s", block, upper);
  snprintf(sets[2], sizeof sets[2], "simulation.allow_unstable=true");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, all, 3);
  const double scale = scene->design.scale[i];
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return scale;
}

/* Bounds of an ordinary width are the scale; of wide ones the start is, or the scene. The grid is
 * 23 cells of 5 cm long, 40 steps take 0.08 s: speeds of a quarter of a cell a step are 6.25 m/s.
 */
static void wide_bounds(void) {
  CHECK_NEAR(scale_with(0, 0, "-30", "30"), 60.0, 0);
  CHECK_NEAR(scale_with(0, 0, "-32", "32"), 6.25, 1e-14);
  CHECK_NEAR(scale_with(0, 1, "-1e6", "1e18"), 6.25, 1e-14);
  CHECK_NEAR(scale_with(2, 3, "1", "400"), 399.0, 0);
  CHECK_NEAR(scale_with(2, 3, "1", "402"), 40.0, 0);
  CHECK_NEAR(scale_with(2, 3, "1", "1e6"), 40.0, 0);
  test_write_file(
      "place.cfg",
      test_edit(TEST_SCENE, "design: (\n",
                "design: (\n  { variable = \"center\"; body = \"B\"; lower = [0.2, -1e3]; "
                "upper = [1.3, 1e3]; },\n"));
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = test_load(ctx, "place.cfg");
  CHECK_NEAR(scene->design.scale[0], 1.3 - 0.2, 1e-15);
  CHECK_NEAR(scene->design.scale[1], 0.115, 1e-15);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* 1e19 and beyond is no bound; the kind's own stays. */
static void no_bounds(void) {
  const char *const sets[] = {"design.[0].lower=-1e20", "design.[0].upper=[1e19, 1e300]",
                              "design.[1].upper=1e20", "design.[4].lower=-1e20"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, sets, 4), *without = load_with(ctx, NULL, 0);
  const cq_design *d = &scene->design;
  CHECK(isinf(d->lower[0]) && isinf(d->lower[1]) && isinf(d->upper[0]) && isinf(d->upper[1]));
  CHECK(d->scale[0] == without->design.scale[0] && d->scale[1] == without->design.scale[1]);
  CHECK(d->lower[2] == 0.8 && isinf(d->upper[2]));
  CHECK(d->lower[d->n - 1] == -8.0 && d->upper[d->n - 1] == 8.0);
  cq_scene_destroy(without);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  test_refused(TEST_SCENE, "design.[2].upper=1e20",
               "--set design.[2].upper=1e20: design.[2].upper: a Young's modulus needs an upper "
               "bound (the time step "
               "is checked at the stiffest)");
}

/* A new start, from which another scale would follow, keeps that of the file. */
static void scale_outlives_the_start(void) {
  const char *const sets[] = {"design.[2].upper=400", "simulation.allow_unstable=true"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, sets, 2);
  const cq_problem *p = cq_scene_problem(scene);
  double *x = calloc((size_t)p->n, sizeof *x);
  memcpy(x, p->start, (size_t)p->n * sizeof *x);
  x[3] = 12;
  CHECK(scene->design.scale[3] == 390.0 && cq_scene_set_start(scene, x) == CQ_OK);
  FILE *file = fopen("started.cfg", "w");
  CHECK(cq_scene_write_config(scene, file) == CQ_OK);
  fclose(file);
  cq_scene *again = test_load(ctx, "started.cfg");
  CHECK(again->design.start[3] == 12.0 && again->design.scale[3] == 390.0);
  free(x);
  cq_scene_destroy(again);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(start_is_the_scene);
  RUN(starts_are_drawn);
  RUN(what_is_set_is_not_drawn);
  RUN(chain_rule_both_ways);
  RUN(blocks_and_labels);
  RUN(spin_is_kept);
  RUN(masses);
  RUN(wide_bounds);
  RUN(no_bounds);
  RUN(scale_outlives_the_start);
  return TEST_RESULT();
}
