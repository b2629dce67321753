/* Scenarios: their settings, how their values are combined, gradients, bits, refusals. */
#include "far.h"
#include "scenario_settings.h"
#include "test_problems_scene.h"

#include <math.h>

/* TEST_SCENE of two variables, cheap, judged at three targets. */
static const char *const scene_text =
    "simulation: { dimension = 2; grid = [16, 16]; cell = 0.05; time_step = 2e-3; steps = 20;\n"
    "  gravity = [0, -2]; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.3]; size = [0.1, 0.1];\n"
    "  velocity = [0.1, 0.2]; } );\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; } );\n"
    "objective: ( { term = \"distance\"; body = \"A\"; target = [0.4, 0.4]; } );\n"
    "constraints: ( { term = \"mean_square_velocity\"; body = \"A\"; upper = 0.5; } );\n"
    "optimizer: { name = \"adam\"; };\n";

static cq_scene *load(cq_ctx *ctx, const char *const *sets, int n) {
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load_text(ctx, "my.cfg", ".", scene_text, sets, n, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

typedef struct values {
  double f, c, grad[2], jac[2];
} values;

static values evaluate(cq_ctx *ctx, cq_scene *scene) {
  const cq_problem *p = cq_scene_problem(scene);
  values v;
  CHECK_MSG(p->eval(p->data, p->start, &v.f, &v.c, v.grad, v.jac) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  return v;
}

/* the same with one target, without scenarios */
static values alone(const char *target) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *sets[] = {target};
  cq_scene *scene = load(ctx, sets, 1);
  const values v = evaluate(ctx, scene);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return v;
}

static const char *const targets[] = {"objective.[0].target=[0.4, 0.4]",
                                      "objective.[0].target=[0.2, 0.5]",
                                      "objective.[0].target=[0.6, 0.3]"};
static const char *const three =
    "scenarios={vary=({key=\"objective.[0].target\"; values=[0.4, 0.4, 0.2, 0.5, 0.6, 0.3];});}";

static values combined(const char *how, int threads) {
  cq_ctx *ctx = cq_ctx_create(threads, 1);
  const char *sets[] = {three, how};
  cq_scene *scene = load(ctx, sets, 2);
  const values v = evaluate(ctx, scene);
  CHECK_NEAR(cq_scene_term_value(scene, 0), v.f, 1e-15);
  CHECK(cq_scene_statistics(scene).simulations == 3);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return v;
}

static void mean_and_worst(void) {
  values v[3];
  int worst = 0;
  for (int i = 0; i < 3; i++) {
    v[i] = alone(targets[i]);
    worst = v[i].f > v[worst].f ? i : worst;
  }
  const values mean = combined("scenarios.combine=mean", 1);
  CHECK_NEAR(mean.f, (v[0].f + v[1].f + v[2].f) / 3, 0);
  CHECK_NEAR(mean.grad[0], (v[0].grad[0] + v[1].grad[0] + v[2].grad[0]) / 3, 0);
  CHECK_NEAR(mean.c, v[0].c, 0);
  CHECK_NEAR(mean.jac[1], v[0].jac[1], 0);
  const values most = combined("scenarios.combine=worst", 1);
  CHECK(worst != 0);
  CHECK_NEAR(most.f, v[worst].f, 0);
  CHECK_NEAR(most.grad[1], v[worst].grad[1], 0);
}

/* What each of them is, and what it gave. */
static void each_is_told(void) {
  for (int worst = 0; worst < 2; worst++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    const char *sets[] = {three, worst ? "scenarios.combine=worst" : "scenarios.combine=mean"};
    cq_scene *scene = load(ctx, sets, 2);
    const cq_scenarios_info info = cq_scene_scenarios(scene);
    CHECK(info.count == 3 && info.evaluated == 3);
    CHECK(strcmp(info.combine, worst ? "worst" : "mean") == 0);
    CHECK(isnan(cq_scene_scenario_term(scene, 0, 0)));
    evaluate(ctx, scene);
    for (int k = 0; k < 3; k++) {
      char text[64];
      CHECK_NEAR(cq_scene_scenario_term(scene, k, 0), alone(targets[k]).f, 0);
      CHECK(cq_scene_scenario_settings(scene, k, text, sizeof text) == CQ_OK);
      CHECK_MSG(strcmp(text, targets[k]) == 0, "%s", text);
    }
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, NULL, 0);
  CHECK(cq_scene_scenarios(scene).count == 0);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* The parts are what the scenarios are alone: of the worst objective and of every constraint. */
static void told_in_parts(void) {
  for (int worst = 0; worst < 2; worst++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    const char *sets[] = {three, worst ? "scenarios.combine=worst" : "scenarios.combine=mean"};
    cq_scene *scene = load(ctx, sets, 2);
    const cq_problem *p = cq_scene_problem(scene);
    double values_[6], slopes[12];
    CHECK(p->n_parts == (worst ? 6 : 3));
    evaluate(ctx, scene);
    p->parts(p->data, values_, slopes);
    for (int k = 0; k < p->n_parts; k++) {
      const values v = alone(targets[k % 3]);
      const bool is_of_f = worst && k < 3;
      CHECK(p->part_of[k] == (is_of_f ? -1 : 0));
      CHECK_NEAR(values_[k], is_of_f ? v.f : v.c, 0);
      CHECK_NEAR(slopes[2 * k], is_of_f ? v.grad[0] : v.jac[0], 0);
      CHECK_NEAR(slopes[2 * k + 1], is_of_f ? v.grad[1] : v.jac[1], 0);
    }
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

/* The nearest of two targets for the worst of them is half way, at a kink. */
static void kink_is_verified(void) {
  static const char *const two =
      "scenarios={combine=\"worst\"; vary=({key=\"objective.[0].target\"; "
      "values=[0.32, 0.35, 0.42, 0.35];});}";
  static const char *const methods[] = {"LD_SLSQP", "sqp", "LD_MMA"};
  for (int i = 0; i < 3; i++) {
    char name[40];
    snprintf(name, sizeof name, "optimizer.name=%s", methods[i]);
    cq_ctx *ctx = cq_ctx_create(2, 1);
    const char *sets[] = {two, name, "simulation.gravity=[0, 0]", "optimizer.max_evaluations=60"};
    cq_scene *scene = load(ctx, sets, 4);
    cq_result result;
    double x[2];
    /* the centre goes from (0.35, 0.35) by 0.04 s times the velocity: 0.5 to 0.37, 0 to 0.35 */
    CHECK_MSG(cq_optimize(ctx, cq_scene_problem(scene), cq_scene_optimizer(scene), NULL, NULL, x,
                          NULL, &result) == CQ_OK,
              "%s: %s", methods[i], result.reason);
    CHECK_MSG(fabs(x[0] - 0.5) < 2e-3 && fabs(x[1]) < 2e-3, "%s: %g %g", methods[i], x[0], x[1]);
    CHECK_NEAR(result.f, 0.0025, 1e-7);
    CHECK_MSG(result.evaluations <= 40, "%s: %d", methods[i], result.evaluations);
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
}

static void bits_of_any_threads(void) {
  for (int threads = 2; threads <= 4; threads++) {
    const values one = combined("scenarios.combine=mean", 1);
    const values many = combined("scenarios.combine=mean", threads);
    CHECK(memcmp(&one, &many, sizeof one) == 0);
  }
}

/* --- helpers --- */

/* one in this process, which is gone after some answers, or fails all */
typedef struct fellow {
  cq_scene *scene;
  int left; /* answers; of all others nothing is heard */
  bool fails;
  int asked;
} fellow;

static bool is_here(void *user, int helper) {
  const fellow *f = user;
  return helper == 0 && f->left > 0;
}

static bool ask(void *user, int helper, const void *request, size_t size, void *answer, size_t *n) {
  fellow *const f = user;
  const void *got = NULL;
  const size_t room = *n;
  CHECK(helper == 0);
  f->asked++;
  if (f->left-- <= 0) {
    return false;
  }
  *n = 0;
  if (!f->fails) {
    CHECK(cq_scene_help(f->scene, request, size, &got, n) == CQ_OK && *n == room);
    memcpy(answer, got, *n);
  }
  return true;
}

static cq_scene *load_three(cq_ctx *ctx) {
  const char *sets[] = {"simulation.steps=200",
                        "scenarios={combine=\"mean\"; "
                        "vary=({key=\"objective.[0].target\"; "
                        "values=[[0.4, 0.4], [0.3, 0.5], [0.45, 0.35]];});}"};
  return load(ctx, sets, 2);
}

static void same_with_helpers(void) {
  static const struct {
    int left;
    bool fails;
  } cases[] = {{100, false}, {1, false}, {100, true}};
  cq_ctx *ctx = cq_ctx_create(1, 1), *far = cq_ctx_create(1, 1);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cq_scene *plain = load_three(ctx), *scene = load_three(ctx);
    fellow f = {.scene = load_three(far), .left = cases[i].left, .fails = cases[i].fails};
    const cq_helpers helpers = {.count = 2, .is_here = is_here, .ask = ask, .user = &f};
    cq_scene_set_helpers(scene, &helpers);
    for (int k = 0; k < 4 || (f.asked == 0 && k < 20000); k++) { /* who takes what differs */
      const values one = evaluate(ctx, plain), many = evaluate(ctx, scene);
      CHECK(memcmp(&one, &many, sizeof one) == 0);
      CHECK(cq_scene_term_value(plain, 0) == cq_scene_term_value(scene, 0));
      CHECK(cq_scene_scenario_term(plain, 1, 0) == cq_scene_scenario_term(scene, 1, 0));
      const double own = cq_scene_gradient_health(plain).rate;
      const double theirs = cq_scene_gradient_health(scene).rate;
      CHECK(own == theirs || (isnan(own) && isnan(theirs)));
    }
    CHECK(f.asked > 0);
    cq_scene_set_helpers(scene, NULL);
    const int asked = f.asked;
    evaluate(ctx, scene);
    CHECK(f.asked == asked);
    cq_scene_destroy(plain);
    cq_scene_destroy(scene);
    cq_scene_destroy(f.scene);
  }
  cq_ctx_destroy(far);
  cq_ctx_destroy(ctx);
}

/* bytes of another file or of nobody are refused */
static void wrong_requests(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_three(ctx);
  const double x[3] = {0, 0, 0};
  const cq_far_request wrong[] = {{.kind = CQ_FAR_FUNCTIONS, .item = 3, .n_x = 2},
                                  {.kind = CQ_FAR_FUNCTIONS, .which = -1, .n_x = 2},
                                  {.kind = CQ_FAR_FUNCTIONS, .n_x = 3},
                                  {.kind = CQ_FAR_VALUES, .n_x = 2},
                                  {.kind = CQ_FAR_FUNCTIONS, .n_x = (size_t)-1}};
  char bytes[sizeof wrong[0] + sizeof x];
  const void *answer = NULL;
  size_t n = 1;
  CHECK(cq_scene_help(scene, bytes, 3, &answer, &n) == CQ_USAGE && n == 0);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const size_t of_x = wrong[i].n_x < 4 ? wrong[i].n_x * sizeof *x : 0;
    memcpy(bytes, &wrong[i], sizeof wrong[i]);
    memcpy(bytes + sizeof wrong[i], x, of_x);
    cq_ctx_clear_error(ctx);
    CHECK_MSG(cq_scene_help(scene, bytes, sizeof wrong[i] + of_x, &answer, &n) == CQ_USAGE,
              "request %zu is taken", i);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

typedef struct dealt {
  int done[4], n;
} dealt;

static void note(void *user, int worker, int item) {
  dealt *const d = user;
  CHECK(worker == 0);
  d->done[d->n++] = item;
}

static void in_this_order(void) {
  static const int order[] = {2, 0, 3, 1};
  dealt d = {.n = 0};
  cq_deal(&(cq_dealing){.count = 4, .order = order, .workers = 1, .task = note, .user = &d});
  CHECK(d.n == 4 && memcmp(d.done, order, sizeof order) == 0);
}

/* the last number of a setting varies first, the first setting first */
static void a_grid(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *sets[] = {
      "scenarios={sampling=\"grid\"; vary=({key=\"objective.[0].target\"; low=[0, 1]; high=[1, 2]; "
      "points=[2, 3];}, {key=\"simulation.damping\"; low=0; high=4; points=3;});}"};
  cq_scene *scene = load(ctx, sets, 1);
  const char *settings[2];
  int count = 0;
  bool seen[18] = {false};
  CHECK(cq_scenarios_count(scene, &count) == CQ_OK && count == 18);
  for (int k = 0; k < count; k++) {
    double x = -1, y = -1, damping = -1;
    CHECK(cq_scenario_settings(scene, k, settings) == CQ_OK);
    CHECK(sscanf(settings[0], "objective.[0].target=[%lf, %lf]", &x, &y) == 2);
    CHECK(sscanf(settings[1], "simulation.damping=%lf", &damping) == 1);
    const int cell = (int)(x + 0.5) + 2 * (int)(2 * (y - 1) + 0.5) + 6 * (int)(damping / 2 + 0.5);
    CHECK(!seen[cell]);
    seen[cell] = true;
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* what is tied moves as far from what the file has */
static void a_tie(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *sets[] = {"scenarios={sampling=\"random\"; count=5; seed=3; "
                        "vary=({key=\"objective.[0].target\"; low=[0, 1]; high=[1, 1.5]; "
                        "tie=\"simulation.gravity\";});}"};
  cq_scene *scene = load(ctx, sets, 1);
  const char *settings[2];
  double t[2], along[2];
  for (int k = 0; k < 5; k++) {
    CHECK(cq_scenario_settings_count(scene) == 2 &&
          cq_scenario_settings(scene, k, settings) == CQ_OK);
    CHECK(sscanf(settings[0], "objective.[0].target=[%lf, %lf]", &t[0], &t[1]) == 2);
    CHECK(sscanf(settings[1], "simulation.gravity=[%lf, %lf]", &along[0], &along[1]) == 2);
    CHECK_NEAR(along[0], t[0] - 0.4, 1e-13);
    CHECK_NEAR(along[1] + 2, t[1] - 0.4, 1e-13);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void draws(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *sets[] = {"scenarios={sampling=\"random\"; count=200; seed=3; "
                        "vary=({key=\"objective.[0].target\"; low=[0, 1]; high=[1, 1.5];});}"};
  cq_scene *scene = load(ctx, sets, 1);
  double sum[2] = {0, 0}, square = 0;
  for (int k = 0; k < 200; k++) {
    const char *setting = NULL;
    double t[2];
    CHECK(cq_scenario_settings(scene, k, &setting) == CQ_OK);
    CHECK(sscanf(setting, "objective.[0].target=[%lf, %lf]", &t[0], &t[1]) == 2);
    CHECK(t[0] >= 0 && t[0] <= 1 && t[1] >= 1 && t[1] <= 1.5);
    sum[0] += t[0] / 200;
    sum[1] += t[1] / 200;
    square += t[0] * t[0] / 200;
  }
  CHECK_NEAR(sum[0], 0.5, 0.07);
  CHECK_NEAR(sum[1], 1.25, 0.035);
  CHECK_NEAR(square - sum[0] * sum[0], 1.0 / 12, 0.02);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* The batch follows from the number of the evaluation alone, in any order. */
static void batches(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *sets[] = {"scenarios={sampling=\"random\"; count=50; combine=\"batch\"; batch=2; "
                        "vary=({key=\"objective.[0].target\"; low=0.2; high=0.6;});}"};
  cq_scene *scene = load(ctx, sets, 1);
  const cq_problem *p = cq_scene_problem(scene);
  double f[5], again = 0, c = 0;
  CHECK(p->draw != NULL);
  for (int k = 0; k < 5; k++) {
    p->draw(p->data, 1 + k);
    CHECK(p->eval(p->data, p->start, &f[k], &c, NULL, NULL) == CQ_OK);
  }
  CHECK(f[0] != f[1] && f[1] != f[2]);
  for (int k = 4; k >= 0; k--) {
    p->draw(p->data, 1 + k);
    CHECK(p->eval(p->data, p->start, &again, &c, NULL, NULL) == CQ_OK && again == f[k]);
  }
  CHECK(cq_scene_statistics(scene).simulations >= 20 - 4);
  cq_optimizer_def def = *cq_scene_optimizer(scene);
  def.name = "LD_MMA";
  CHECK(cq_optimizer_accepts(ctx, &def, p) == CQ_CONFIG);
  CHECK(strstr(cq_ctx_error(ctx), "compares values") != NULL);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* Texts, lists in brackets, and lists of lists. */
static void values_of_any_kind(void) {
  static const char *const models[] = {"materials.[0].model=\"fixed_corotated\"",
                                       "materials.[0].model=\"neo_hookean\""};
  static const char *const tables[] = {
      "objective=({term=\"marker_distance\"; samples=[[0, 1, 0.33, 0.33], [0.04, 1, 0.33, "
      "0.34]];})",
      "objective=({term=\"marker_distance\"; samples=[[0, 1, 0.35, 0.35], [0.02, 1, 0.36, 0.34], "
      "[0.04, 1, 0.3, 0.3]];})"};
  const struct {
    const char *sets[2], *const *alone;
  } all[] = {
      {{"scenarios={vary=({key=\"objective.[0].target\"; values=[[0.4, 0.4], [0.2, 0.5]];});}",
        "objective.[0].weight=1"},
       targets},
      {{"scenarios={vary=({key=\"materials.[0].model\"; values=[\"fixed_corotated\", "
        "\"neo_hookean\"];});}",
        "bodies.[0].velocity=[0.1, -4]"},
       models},
      {{"scenarios={vary=({key=\"objective.[0].samples\"; values=[[[0, 1, 0.33, 0.33], [0.04, 1, "
        "0.33, 0.34]], [[0, 1, 0.35, 0.35], [0.02, 1, 0.36, 0.34], [0.04, 1, 0.3, 0.3]]];});}",
        tables[0]},
       tables}};
  for (int i = 0; i < 3; i++) {
    double f[3];
    for (int k = 0; k < 3; k++) {
      cq_ctx *ctx = cq_ctx_create(1, 1);
      const char *sets[] = {all[i].sets[1], k < 2 ? all[i].alone[k] : all[i].sets[0]};
      cq_scene *scene = load(ctx, sets, 2);
      f[k] = evaluate(ctx, scene).f;
      cq_scene_destroy(scene);
      CHECK(cq_ctx_bytes(ctx) == 0);
      cq_ctx_destroy(ctx);
    }
    CHECK_NEAR(f[2], 0.5 * (f[0] + f[1]), 0);
    CHECK(i == 1 || f[0] != f[1]);
  }
}

/* Files are read at once, so that what is written needs none of them. */
static void files(void) {
  static char text[1 << 16];
  static const char *const sets[] = {
      "objective=({term=\"marker_distance\"; file=\"a.csv\";})",
      "scenarios={vary=({key=\"simulation.damping\"; values=[0, 2];}, {key=\"objective.[0].file\"; "
      "values=[\"a.csv\", \"b.csv\"];});}",
      "objective=({term=\"marker_distance\"; file=\"b.csv\";})", "simulation.damping=2"};
  test_write_file("a.csv", "time,id,x,y\n0,1,0.33,0.33\n0.04,1,0.33,0.34\n");
  test_write_file("b.csv", "time,id,x,y\n0,1,0.35,0.35\n0.02,1,0.36,0.34\n0.04,1,0.3,0.3\n");
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *a = load(ctx, sets, 1), *b = load(ctx, sets + 2, 2), *both = load(ctx, sets, 2);
  uint64_t hash = 0, again = 0;
  const double f = evaluate(ctx, both).f;
  CHECK_NEAR(f, 0.5 * (evaluate(ctx, a).f + evaluate(ctx, b).f), 0);
  FILE *out = fmemopen(text, sizeof text, "w");
  CHECK(cq_scene_write_config(both, out) == CQ_OK && fclose(out) == 0);
  CHECK(cq_scene_config_hash(both, true, &hash) == CQ_OK);
  CHECK(strstr(text, "csv") == NULL);
  remove("a.csv");
  remove("b.csv");
  cq_scene *reread = NULL;
  CHECK_MSG(cq_scene_load_text(ctx, "my.cfg", ".", text, NULL, 0, &reread) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  CHECK(evaluate(ctx, reread).f == f);
  CHECK(cq_scene_config_hash(reread, true, &again) == CQ_OK && again == hash);
  cq_scene_destroy(a);
  cq_scene_destroy(b);
  cq_scene_destroy(both);
  cq_scene_destroy(reread);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  test_write_file("a.csv", "time,id,x,y\n0,1,0.33,0.33\n0.04,1,0.33,0.34\n");
  ctx = cq_ctx_create(1, 1);
  CHECK(cq_scene_load_text(ctx, "my.cfg", ".", scene_text, sets, 2, &both) == CQ_IO);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "cannot read ./b.csv") != NULL ||
                strstr(cq_ctx_error(ctx), "cannot read b.csv") != NULL,
            "%s", cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

static void refused(const char *set, const char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  CHECK(cq_scene_load_text(ctx, "my.cfg", ".", scene_text, &set, 1, &scene) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), message) != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

static void refusals(void) {
  refused("scenarios={vary=({key=\"objective.[1].target\"; values=[1, 2];});}",
          "there is no setting \"objective.[1].target\" to vary");
  refused("scenarios={vary=({key=\"objective.[0].term\"; values=[1, 2];});}",
          "values: \"objective.[0].term\" is a text: write its values in quotes");
  refused("scenarios={vary=({key=\"objective.[0]\"; values=[1, 2];});}",
          "\"objective.[0]\" is a section; vary a setting in it");
  refused("scenarios={sampling=\"grid\"; vary=({key=\"objective.[0].term\"; low=1; high=2; "
          "points=2;});}",
          "is no number and no list of numbers");
  refused("scenarios={vary=({key=\"objective.[0].target\"; values=[1, 2, 3];});}",
          "give the list of 2 values of the first scenario");
  refused("scenarios={sampling=\"random\"; vary=({key=\"simulation.damping\"; low=1; high=2;});}",
          "scenarios needs \"count\"");
  refused("scenarios={sampling=\"grid\"; vary=({key=\"simulation.damping\"; low=1; points=2;});}",
          "scenarios.vary.[0].high: give a number");
  refused("scenarios={sampling=\"random\"; count=2; vary=({key=\"objective.[0].target\"; low=1; "
          "high=2; "
          "tie=\"simulation.damping\";});}",
          "scenarios.vary.[0].tie: \"simulation.damping\" is no setting of 2 numbers");
  refused(
      "scenarios={vary=({key=\"simulation.damping\"; values=[1, 2]; "
      "tie=\"simulation.time_step\";});}",
      "scenarios.vary.[0].tie: goes with scenarios.sampling = \"grid\" or \"random\" alone; list "
      "the values");
}

int main(void) {
  RUN(mean_and_worst);
  RUN(each_is_told);
  RUN(told_in_parts);
  RUN(kink_is_verified);
  RUN(bits_of_any_threads);
  RUN(same_with_helpers);
  RUN(wrong_requests);
  RUN(in_this_order);
  RUN(a_grid);
  RUN(draws);
  RUN(a_tie);
  RUN(batches);
  RUN(values_of_any_kind);
  RUN(files);
  RUN(refusals);
  return TEST_RESULT();
}
