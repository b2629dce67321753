/* Experiments: the sum of single scenes, its gradient and residuals, who has which variable, what
 * is written and read again, copies, and what is refused. */
#include "cqopt/uncertainty.h"
#include "test_problems_scene.h"

#define SCENE(velocity, steps, rest)                                                               \
  "simulation: { grid = [20, 20]; cell = 0.05; time_step = 2e-3; steps = " steps ";\n"             \
  "  gravity = [0, -4]; memory = \"60 MiB\"; };\n"                                                 \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"  \
  "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.4, 0.16]; size = [0.2, 0.2];\n"         \
  "  spacing = 0.025; velocity = " velocity "; } );\n" rest

/* A falls and is seen; it slides, with a friction of its own, a second body, and a constraint */
#define FALL                                                                                       \
  SCENE("[0, -1]", "40",                                                                           \
        "objective: ( { term = \"marker_distance\"; samples = [[0, 1, 0.43, 0.2, 1],\n"            \
        "  [0.06, 1, 0.43, 0.19, 1]]; },\n"                                                        \
        "  { term = \"distance\"; body = \"A\"; target = [0.5, 0.3]; squared = true; } );\n"       \
        "design: ( { variable = \"gravity\"; } );\n")
#define SLIDE                                                                                      \
  SCENE("[1, -0.5]", "60",                                                                         \
        "groups: ( { name = \"half\"; body = \"A\"; low = [0.4, 0.16]; size = [0.1, 0.2]; } );\n"  \
        "boundaries: { domain: { friction = 0.3; }; };\n"                                          \
        "objective: ( { term = \"distance\"; body = \"A\"; target = [0.7, 0.2]; squared = true;\n" \
        "  } );\n"                                                                                 \
        "constraints: ( { term = \"mean_square_velocity\"; body = \"A\"; upper = 0.5; } );\n")

#define STIFFNESS "{ variable = \"youngs_modulus\"; body = \"A\"; lower = 20; upper = 80; }"
#define VELOCITY  "{ variable = \"initial_velocity\"; body = \"A\"; experiments = \"slide\"; }"
#define HALF                                                                                       \
  "{ variable = \"density\"; body = \"half\"; lower = 0.5; upper = 2; transform = \"log\"; }"
#define FRICTION                                                                                   \
  "{ variable = \"friction\"; boundary = \"domain\"; lower = 0; upper = 1;\n"                      \
  "  experiments = [\"slide\"]; }"
#define BOTH                                                                                       \
  "experiments: ( { include = \"fall.cfg\"; weight = 2; },\n"                                      \
  "  { include = \"slide.cfg\"; name = \"slide\"; } );\n"

static const char *const file =
    "design: ( " HALF ", " STIFFNESS ", " FRICTION ", " VELOCITY " );\n" BOTH;
enum { N = 5 };
static const double at[N] = {0.2, 43.0, 0.35, 0.9, -0.4};

static cq_scene *open_file(cq_ctx *ctx, const char *text, const char *set) {
  cq_scene *scene = NULL;
  const char *sets[] = {set};
  test_write_file("fall.cfg", FALL);
  test_write_file("slide.cfg", SLIDE);
  const cq_status status =
      cq_scene_load_text(ctx, "two.cfg", ".", text, sets, set != NULL ? 1 : 0, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

typedef struct values {
  double f, c, grad[N], jac[N], r[8], r_jac[8 * N];
} values;

static values evaluate(cq_ctx *ctx, cq_scene *scene, const double *x) {
  const cq_problem *p = cq_scene_problem(scene);
  values v = {.f = NAN, .c = NAN};
  double again = NAN;
  const bool constrained = p->n_inequality > 0;
  CHECK_MSG(p->eval(p->data, x, &v.f, constrained ? &v.c : NULL, v.grad,
                    constrained ? v.jac : NULL) == CQ_OK,
            "%s", cq_ctx_error(ctx));
  CHECK(p->n_residuals <= 8);
  CHECK_MSG(p->residuals(p->data, 0, x, &again, v.r, v.r_jac) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(again == v.f);
  return v;
}

/* The sum is that of the files alone, bit by bit, and so are derivatives and residuals. */
static void test_sum(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *both = open_file(ctx, file, NULL);
  cq_scene *fall = open_file(ctx, file, "experiments=fall");
  cq_scene *slide = open_file(ctx, file, "experiments=\"slide\"");
  const double x_fall[] = {at[1]};
  const values all = evaluate(ctx, both, at), a = evaluate(ctx, fall, x_fall),
               b = evaluate(ctx, slide, at);
  CHECK(cq_scene_problem(both)->n == N && cq_scene_problem(fall)->n == 1 &&
        cq_scene_problem(slide)->n == N);
  CHECK(all.f == 2 * a.f + b.f && all.c == b.c);
  for (int j = 0; j < N; j++) {
    CHECK(all.grad[j] == (j == 1 ? 2 * a.grad[0] : 0.0) + b.grad[j]);
    CHECK(all.jac[j] == b.jac[j]);
  }
  const int of_fall = cq_scene_problem(fall)->n_residuals;
  const int count = cq_scene_problem(both)->n_residuals;
  CHECK(of_fall == 4 && count == 6 && !cq_scene_problem(both)->has_deviations);
  for (int i = 0; i < count; i++) {
    const bool first = i < of_fall;
    CHECK(all.r[i] == (first ? sqrt(2) * a.r[i] : b.r[i - of_fall]));
    for (int j = 0; j < N; j++) {
      const double own = first ? (j == 1 ? sqrt(2) * a.r_jac[i] : 0)
                               : b.r_jac[(size_t)(i - of_fall) * N + (size_t)j];
      CHECK(all.r_jac[(size_t)i * N + (size_t)j] == own);
    }
  }
  CHECK(cq_scene_statistics(both).simulations > 3);
  cq_scene_destroy(both);
  cq_scene_destroy(fall);
  cq_scene_destroy(slide);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static double f_at(cq_scene *scene, int j, double step) {
  const cq_problem *p = cq_scene_problem(scene);
  double x[N], f = NAN, c = NAN;
  memcpy(x, at, sizeof x);
  x[j] += step;
  CHECK(p->eval(p->data, x, &f, &c, NULL, NULL) == CQ_OK);
  return f;
}

static void test_gradient(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = open_file(ctx, file, NULL);
  const values v = evaluate(ctx, scene, at);
  for (int j = 0; j < N; j++) {
    const double h = 1e-5 * cq_scene_problem(scene)->scale[j];
    const double slope = (f_at(scene, j, h) - f_at(scene, j, -h)) / (2 * h);
    CHECK_NEAR(slope, v.grad[j], 1e-6 * fabs(v.grad[j]));
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* What is thought of the design beforehand counts once, whatever the experiments weigh. */
static void test_smoothness(void) {
#define PATCHES(smooth)                                                                            \
  "design: ( { variable = \"youngs_modulus\"; body = \"A\"; per = \"patch\"; patches = [2, 1];\n"  \
  "  lower = 20; upper = 80; " smooth " } );\n" BOTH
  const double x[N] = {40, 46};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *rough = open_file(ctx, PATCHES(""), NULL);
  cq_scene *smooth = open_file(ctx, PATCHES("smoothness = 3;"), NULL);
  const values a = evaluate(ctx, rough, x), b = evaluate(ctx, smooth, x);
  const cq_problem *p = cq_scene_problem(smooth);
  const int n = p->n, last = p->n_residuals - 1;
  CHECK(n == 2 && p->n_residuals == cq_scene_problem(rough)->n_residuals + 1);
  CHECK_NEAR(b.f - a.f, 4, 1e-12);
  CHECK_NEAR(b.grad[0] - a.grad[0], -4.0 / 3, 1e-12);
  CHECK_NEAR(b.grad[1] - a.grad[1], 4.0 / 3, 1e-12);
  CHECK_NEAR(b.r[last], 2, 1e-15);
  CHECK_NEAR(b.r_jac[last * n], -1.0 / 3, 1e-15);
  CHECK_NEAR(b.r_jac[last * n + 1], 1.0 / 3, 1e-15);
  const cq_residual_info told = cq_scene_residual(smooth, last, b.r);
  CHECK_STR(told.term, "smoothness of A.youngs_modulus");
  CHECK_NEAR(told.simulated, 6, 1e-12);
  const cq_residual_info marker = cq_scene_residual(smooth, 1, b.r);
  CHECK_STR(marker.term, "fall: marker_distance");
  CHECK(marker.marker == 1 && marker.component == 1);
  CHECK_NEAR(sqrt(marker.weight) * (marker.simulated - marker.measured), b.r[1], 1e-12);
  cq_scene_destroy(rough);
  cq_scene_destroy(smooth);
  cq_ctx_destroy(ctx);
#undef PATCHES
}

/* The gradient is worth what the one of any experiment is, and precision what the least is. */
static void test_grades(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = open_file(ctx, file, NULL);
  cq_scene *mixed = open_file(ctx, file, "experiments.[1].simulation.gradient=\"difference\"");
  cq_scene *floats = open_file(ctx, file, "experiments.[1].simulation.precision=\"float\"");
  const cq_problem *p = cq_scene_problem(mixed), *exact = cq_scene_problem(scene);
  const values v = evaluate(ctx, scene, at), w = evaluate(ctx, mixed, at);
  CHECK(exact->gradient == CQ_GRADIENT_EXACT_REVERSE && exact->difference == NULL &&
        exact->noise == 0 && exact->gradient_cost == 0);
  CHECK(p->gradient == CQ_GRADIENT_DIFFERENCE && p->difference != NULL && p->difference[2] > 0 &&
        p->gradient_cost == 2 * N + 1);
  for (int j = 0; j < N; j++) {
    CHECK(v.grad[j] != w.grad[j]);
    CHECK_NEAR(v.grad[j], w.grad[j], 1e-5 * fabs(v.grad[j]));
  }
  CHECK(cq_scene_problem(floats)->noise > 0 &&
        cq_scene_problem(floats)->jacobian_error > exact->jacobian_error);
  cq_scene_destroy(scene);
  cq_scene_destroy(mixed);
  cq_scene_destroy(floats);
  cq_ctx_destroy(ctx);
}

/* Any number of threads gives the same bits: side by side, or in turn on all of them. */
static void test_threads(void) {
  values of[3];
  for (int i = 0; i < 3; i++) {
    cq_ctx *ctx = cq_ctx_create(1 + i, 1);
    cq_scene *scene = open_file(ctx, file, NULL);
    of[i] = evaluate(ctx, scene, at);
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
  CHECK(memcmp(&of[0], &of[1], sizeof of[0]) == 0 && memcmp(&of[0], &of[2], sizeof of[0]) == 0);
}

/* What the first experiment does not have has names and bounds, too. */
static void test_names(void) {
  static const char *const labels[N] = {"half.density", "A.youngs_modulus", "domain.friction",
                                        "A.initial_velocity[0]", "A.initial_velocity[1]"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = open_file(ctx, file, NULL);
  char text[128];
  for (int j = 0; j < N; j++) {
    cq_scene_variable_label(scene, j, text, sizeof text);
    CHECK_MSG(strcmp(text, labels[j]) == 0, "%s", text);
  }
  const cq_variable_info density = cq_scene_variable(scene, 0);
  CHECK(density.start == 1 && density.lower == 0.5 && density.upper == 2);
  CHECK(cq_scene_problem(scene)->start[0] == 0 && cq_scene_variable(scene, 2).start == 0.3 &&
        cq_scene_variable(scene, 3).start == 1);
  CHECK(cq_scene_experiment_count(scene) == 2 && cq_scene_term_count(scene) == 3);
  CHECK(strcmp(cq_scene_term_label(scene, 2), "slide: A.distance") == 0);
  CHECK(strcmp(cq_scene_constraint_label(scene, 0), "slide: A.mean_square_velocity") == 0);
  CHECK(cq_scene_constraint(scene, 0, 0.25).value == 0.75);
  const cq_experiment_info first = cq_scene_experiment(scene, 0);
  CHECK(strcmp(first.name, "fall") == 0 && first.weight == 2 && first.terms == 2 &&
        first.variables == 1 && first.residuals == 4 && first.steps == 40);
  cq_experiment_info none = {.struct_size = sizeof none};
  CHECK(cq_scene_get_experiment(scene, 2, &none) == CQ_USAGE);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static cq_scene *reread(cq_ctx *ctx, const cq_scene *scene, const char *set) {
  static char text[1 << 16];
  FILE *out = fmemopen(text, sizeof text, "w");
  CHECK(cq_scene_write_config(scene, out) == CQ_OK && fclose(out) == 0);
  return open_file(ctx, text, set);
}

/* The written file has all experiments in it; a new start, and settings for all, hold in it. */
static void test_written(void) {
  cq_ctx *ctx = cq_ctx_create(1, 7);
  const double start[N] = {1.2, 50, 0.4, 0.8, -0.2};
  uint64_t before = 0, after = 0, other = 0;
  cq_scene *scene = open_file(ctx, file, NULL);
  const values v = evaluate(ctx, scene, at);
  CHECK(cq_scene_set_start(scene, start) == CQ_OK);
  CHECK(cq_scene_config_hash(scene, true, &before) == CQ_OK);
  cq_scene *again = reread(ctx, scene, NULL);
  CHECK(cq_scene_config_hash(again, true, &after) == CQ_OK && before == after);
  for (int j = 0; j < N; j++) {
    CHECK(cq_scene_variable(again, j).start == start[j]);
  }
  const values w = evaluate(ctx, again, at);
  CHECK(memcmp(&v, &w, sizeof v) == 0);
  CHECK(scene->model.memory == again->model.memory && scene->model.memory == (20u << 20));
  CHECK(again->joined->all[1].scene->model.memory == (20u << 20));
  cq_scene *changed = reread(ctx, scene, "experiments.[1].simulation.steps=61");
  CHECK(cq_scene_config_hash(changed, true, &other) == CQ_OK && other != before);
  CHECK(cq_scene_experiment(changed, 1).steps == 61 && cq_scene_experiment(changed, 0).steps == 40);
  cq_scene *short_ones = reread(ctx, scene, "simulation.steps=50");
  CHECK(cq_scene_experiment(short_ones, 1).steps == 50 &&
        cq_scene_experiment(short_ones, 0).steps == 50);
  cq_scene *set =
      open_file(ctx, "output: { frames = 3; };", "experiments=({include=\"fall.cfg\";})");
  CHECK(cq_scene_experiment_count(set) == 1 && cq_scene_experiment(set, 0).steps == 40);
  cq_scene_destroy(set);
  cq_scene *bare = open_file(ctx, BOTH "output: { frames = 3; };", "output=unset");
  cq_scene *as_bare = reread(ctx, bare, NULL);
  CHECK(cq_scene_experiment_count(as_bare) == 2);
  cq_scene_destroy(bare);
  cq_scene_destroy(as_bare);
  cq_scene_destroy(scene);
  cq_scene_destroy(again);
  cq_scene_destroy(changed);
  cq_scene_destroy(short_ones);
  cq_ctx_destroy(ctx);
}

/* In smaller steps by problem->refined and by a caller's wish; the scene's own copy runs, too. */
static void test_refined(void) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = open_file(ctx, file, NULL);
  const cq_problem *p = cq_scene_problem(scene);
  double f = NAN, c = NAN, finer = NAN, c_finer = NAN, grad[N], jac[N];
  CHECK(p->refined(p->data, 1, at, &f, &c, grad, jac) == CQ_OK);
  CHECK(cq_scene_evaluate_finer(scene, 1, 1, at, &finer, &c_finer) == CQ_OK);
  CHECK(f == finer && c == c_finer && f != f_at(scene, 0, 0));
  CHECK_MSG(cq_scene_simulate(scene, 1, at, ".", 2, CQ_RECORD_TABLES) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  cq_tear tear = {.struct_size = sizeof tear};
  CHECK(cq_scene_find_tear(scene, 0, 1, at, &tear) == CQ_OK && tear.share == 0);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* Friction acts only where the block slides, and not while it flies; a constraint is asked about in
 * its experiment. */
static void test_inactive(void) {
  static const char *const flies = "experiments.[1].bodies.[0].velocity=[0, 1]";
  const unsigned char acts[] = {1, 0};
  const int which[] = {CQ_ALL_FUNCTIONS, 0};
  for (int i = 0; i < 4; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *scene =
        open_file(ctx, "design: ( " STIFFNESS ", " FRICTION " );\n" BOTH, i < 2 ? flies : NULL);
    cq_inactive found[3] = {{.struct_size = sizeof found[0]}};
    int count = -1;
    const double x[] = {40, 0.3};
    CHECK_MSG(cq_scene_inactive(scene, 0, x, acts, which[i % 2], 3, found, &count) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    CHECK_MSG(count == (i < 2), "%d of case %d", count, i);
    CHECK(i >= 2 || (found[0].block == 1 && found[0].first == 1 && found[0].count == 1));
    cq_scene_destroy(scene);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
}

/* Growth is that of the function that grows fastest, by its number in the file. */
static void test_health(void) {
  static const char *const text =
      "design: ( " STIFFNESS " );\nexperiments: ( { include = \"slide.cfg\"; objective: (); },\n"
      "  { include = \"fall.cfg\"; objective: (); constraints: (\n"
      "  { term = \"mean_position\"; body = \"A\"; direction = \"y\"; upper = 1; } ); } );\n";
  static const char *const alone[] = {"experiments=slide", "experiments=fall"};
  double f, c[2], grad, jac[2], rate = -INFINITY;
  int wanted = -1;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = open_file(ctx, text, NULL);
  const cq_problem *p = cq_scene_problem(scene);
  CHECK(p->n_inequality == 2 && p->eval(p->data, p->start, &f, c, &grad, jac) == CQ_OK);
  for (int k = 0; k < 2; k++) {
    cq_scene *one = open_file(ctx, text, alone[k]);
    const cq_problem *q = cq_scene_problem(one);
    CHECK(q->eval(q->data, q->start, &f, c, &grad, jac) == CQ_OK);
    const cq_gradient_health own = cq_scene_gradient_health(one);
    wanted = own.rate > rate ? (own.function > 0 ? 1 + k : 0) : wanted;
    rate = fmax(rate, own.rate);
    cq_scene_destroy(one);
  }
  const cq_gradient_health all = cq_scene_gradient_health(scene);
  CHECK_MSG(all.rate == rate && all.function == wanted && wanted == 2, "function %d, not %d",
            all.function, wanted);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void check_refused(const char *text, const char *set, const char *words) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  const char *sets[] = {set};
  const cq_status status =
      cq_scene_load_text(ctx, "two.cfg", ".", text, sets, set != NULL ? 1 : 0, &scene);
  CHECK_MSG(status != CQ_OK && strcmp(cq_ctx_error(ctx), words) == 0, "%s", cq_ctx_error(ctx));
  CHECK(scene == NULL && cq_ctx_bytes(ctx) == 0);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

#define PLAIN      SCENE("[0, 0]", "40", "")
#define ONE(block) "design: ( " block " );\n" BOTH
/* One clear line each. */
static void test_refusals(void) {
  static const struct {
    const char *text, *set, *words;
  } all[] = {
      {ONE("{ variable = \"density\"; body = \"C\"; }"), NULL,
       "two.cfg:1: design.[0].body: no experiment has a body \"C\", so that the block would change "
       "nothing"},
      {ONE("{ variable = \"density\"; body = \"A\"; experiments = \"slid\"; }"), NULL,
       "two.cfg:1: there is no experiment \"slid\"; did you mean \"slide\"?"},
      {ONE("{ variable = \"density\"; body = \"half\"; experiments = [\"fall\"]; }"), NULL,
       "experiment fall: two.cfg:1: design.[0].body: there is no body or group \"half\"; known "
       "are: A"},
      {ONE("{ variable = \"youngs_modulus\"; body = \"A\"; per = \"particle\"; lower = 9; upper = "
           "90; }"),
       "experiments.[1].bodies.[0].spacing=0.05",
       "two.cfg:1: design.[0].variable: A.youngs_modulus has 16 variables in experiment slide and "
       "64 in "
       "another one: name the experiments that it is for (experiments = [\"slide\"])"},
      {"experiments: ( { include = \"fall.cfg\"; },\n  { include = \"fall.cfg\"; } );\n", NULL,
       "two.cfg:2: experiments.[1].name: an earlier experiment is called \"fall\", too; give one "
       "of "
       "them another name"},
      {"experiments: ( { include = \"none.cfg\"; } );\n", NULL,
       "two.cfg:1: cannot read none.cfg: No such file or directory"},
      {"experiments: (\n  { include = \"nested.cfg\"; } );\n", NULL,
       "nested.cfg:1: there are no experiments within an experiment; list them all in one file"},
      {"experiments: (\n  { include = \"varied.cfg\"; } );\n", NULL,
       "varied.cfg:1: an experiment has no scenarios; list each of them as an experiment"},
      {BOTH "scenarios: { vary = ( { key = \"simulation.steps\"; values = [1]; } ); };\n", NULL,
       "two.cfg:3: a file has scenarios or experiments, not both"},
      {"experiments: ( { include = \"fall.cfg\"; weight = -1; } );\n", NULL,
       "two.cfg:1: experiments.[0].weight = -1 is out of range: must be > 0"},
      {"experiments: ( { include = \"fall.cfg\"; wieght = 1; } );\n", NULL,
       "two.cfg:1: unknown key \"wieght\" in experiments.[0]; did you mean \"weight\"?"},
      {"experiments: ( { weight = 1; } );\n", NULL,
       "two.cfg:1: experiments.[0] needs \"name\" (name of letters, digits, _ - .): its name in "
       "tables and of its folder; by default that of the included file; add  name = ...;  to "
       "experiments.[0]"},
      {"experiments: ( { include = \"late.cfg\"; } );\n", NULL,
       "experiment late: late.cfg:7: objective.[0].samples: no sample is within the run, which "
       "ends "
       "0.08 s from rest (0): the first one after rest is at 7"},
      {"experiments: ( { include = \"bad.cfg\"; } );\n", NULL,
       "experiment bad: bad.cfg:6: unknown key \"nme\" in groups.[0]; did you mean \"name\"?"},
      {ONE("{ variable = \"density\"; body = \"A\"; experiments = []; }"), NULL,
       "two.cfg:1: design.[0].experiments: name an experiment at least"},
      {BOTH, "experiments.[1].include=fall.cfg",
       "--set experiments.[1].include=fall.cfg: the experiment has been read already; set the list "
       "of experiments as a whole"},
      {BOTH, "experiments.[1]=3",
       "--set experiments.[1]=3: experiments must be a list of groups ( { ... }, { ... } )"},
      {FALL, "experiments=fall", "--set experiments=fall: the file has no experiments"},
      {BOTH, "experiments=press",
       "--set experiments: there is no experiment \"press\"; known are: fall, slide"},
      {"design: ( " VELOCITY " );\n" PLAIN, NULL,
       "two.cfg:1: design.[0].experiments: the file has no experiments"},
  };
  test_write_file("nested.cfg", BOTH);
  test_write_file("varied.cfg",
                  "scenarios: { vary = ( { key = \"simulation.steps\"; values = [1]; } ); };\n");
  test_write_file("late.cfg",
                  SCENE("[0, 0]", "40",
                        "objective: (\n  { term = \"marker_distance\"; samples = [[0, 1, 0.43, "
                        "0.2, 1], [7, 1, 0.43, 0.19, 1]]; } );\n"));
  test_write_file("bad.cfg", SCENE("[0, 0]", "40", "groups: ( { nme = \"G\"; } );\n"));
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    check_refused(all[i].text, all[i].set, all[i].words);
  }
}

int main(void) {
  RUN(test_sum);
  RUN(test_gradient);
  RUN(test_smoothness);
  RUN(test_grades);
  RUN(test_threads);
  RUN(test_names);
  RUN(test_written);
  RUN(test_refined);
  RUN(test_inactive);
  RUN(test_health);
  RUN(test_refusals);
  return TEST_RESULT();
}
