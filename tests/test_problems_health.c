/* Health of a scene's gradient: growth of the last sweep, of scenarios and smaller steps, and
 * adjoint.csv against the gradient itself. */
#include "scenarios.h"
#include "test_problems_scene.h"

/* A box thrown onto the floor. The second constraint is of the controls alone: it has no adjoint.
 */
static const char *const scene_text =
    "simulation: { dimension = 2; grid = [24, 16]; cell = 0.05; time_step = 2e-3; steps = 100;\n"
    "  gravity = [0, -2]; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.25]; size = [0.2, 0.1];\n"
    "  spacing = 0.025; velocity = [0.5, -1.2]; } );\n"
    "actuators: ( { name = \"m\"; body = \"A\"; direction = \"y\"; max = 2; } );\n"
    "controller: { type = \"open_loop\"; hold = 50; };\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; }, { variable = \"actuation\"; } "
    ");\n"
    "objective: ( { term = \"mean_position\"; body = \"A\"; direction = \"x\"; } );\n"
    "constraints: ( { term = \"mean_square_velocity\"; body = \"A\"; upper = 5; },\n"
    "  { term = \"actuation_cost\"; upper = 5; } );\n"
    "optimizer: { name = \"LD_SLSQP\"; };\n";

enum { STEPS = 100, PARTICLES = 32, VARIABLES = 4 };

static cq_scene *load(cq_ctx *ctx, const char *set) {
  cq_scene *scene = NULL;
  const cq_status status =
      cq_scene_load_text(ctx, "my.cfg", ".", scene_text, &set, set != NULL ? 1 : 0, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  return scene;
}

static void differentiate(cq_ctx *ctx, cq_scene *scene, double *grad) {
  const cq_problem *p = cq_scene_problem(scene);
  double f = 0.0, c[2], jac[2 * VARIABLES];
  CHECK(p->n == VARIABLES);
  CHECK_MSG(p->eval(p->data, p->start, &f, c, grad, jac) == CQ_OK, "%s", cq_ctx_error(ctx));
}

static void test_growth(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, NULL);
  double grad[VARIABLES];
  CHECK(isnan(cq_scene_gradient_health(scene).rate));
  differentiate(ctx, scene, grad);
  const cq_gradient_health first = cq_scene_gradient_health(scene);
  printf("  function %d grows %.3g-fold, %.3g per s\n", first.function, first.growth, first.rate);
  CHECK_NEAR(first.growth, exp(first.rate * STEPS * 2e-3), 1e-9 * first.growth);
  /* a weight changes no growth, and another sweep begins anew */
  differentiate(ctx, scene, grad);
  CHECK(cq_scene_gradient_health(scene).rate == first.rate);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* the function that grows fastest is named: alone, the objective grows less */
static void test_fastest(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *both = load(ctx, NULL), *objective = load(ctx, "constraints=unset");
  double grad[VARIABLES];
  differentiate(ctx, both, grad);
  differentiate(ctx, objective, grad);
  const cq_gradient_health a = cq_scene_gradient_health(both);
  const cq_gradient_health b = cq_scene_gradient_health(objective);
  CHECK(b.function == 0);
  CHECK(a.rate >= b.rate && (a.function == 0) == (a.rate == b.rate));
  CHECK_MSG(a.function == 1, "function %d", a.function);
  cq_scene_destroy(both);
  cq_scene_destroy(objective);
  cq_ctx_destroy(ctx);
}

/* of two scenarios the one that grows faster counts */
static void test_scenarios(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const settings[] = {
      "scenarios={vary=({key=\"materials.[0].youngs_modulus\"; values=[20, 5];});}", NULL,
      "materials.[0].youngs_modulus=5"};
  double rate[3], grad[VARIABLES];
  for (int i = 0; i < 3; i++) {
    cq_scene *scene = load(ctx, settings[i]);
    differentiate(ctx, scene, grad);
    rate[i] = cq_scene_gradient_health(scene).rate;
    cq_scene_destroy(scene);
  }
  CHECK(rate[1] != rate[2]);
  CHECK_MSG(rate[0] == fmax(rate[1], rate[2]), "%g, not of %g and %g", rate[0], rate[1], rate[2]);
  cq_ctx_destroy(ctx);
}

/* sums over the rows of adjoint.csv */
typedef struct table {
  int rows, pressing, switching, spells;
  long long switches;
  double first_v; /* norm of dL/dv of the objective at the start */
  double last[4], last_time;
} table;

static table read_table(const char *path) {
  table t = {0};
  char line[512];
  FILE *file = fopen(path, "r");
  CHECK(file != NULL && fgets(line, sizeof line, file) != NULL);
  CHECK_STR(line, "step,time,pressing,switched,objective.x,objective.v,objective.F,objective.C,"
                  "A.mean_square_velocity.x,A.mean_square_velocity.v,A.mean_square_velocity.F,"
                  "A.mean_square_velocity.C\n");
  bool pressed = false;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    int step = -1, pressing = -1, switched = -1;
    CHECK(sscanf(line, "%d,%lf,%d,%d,%lf,%lf,%lf,%lf,", &step, &t.last_time, &pressing, &switched,
                 &t.last[0], &t.last[1], &t.last[2], &t.last[3]) == 8);
    CHECK(step == t.rows);
    t.first_v = t.rows == 0 ? t.last[1] : t.first_v;
    t.spells += pressing > 0 && !pressed;
    pressed = pressing > 0;
    t.pressing += pressed;
    t.switching += switched > 0;
    t.switches += switched;
    t.rows++;
  }
  if (file != NULL) {
    fclose(file);
  }
  return t;
}

static table write_table(cq_ctx *ctx, cq_scene *scene, int level) {
  cq_contact_summary c = {.struct_size = sizeof c};
  CHECK_MSG(cq_scene_write_adjoint(scene, level, NULL, "adjoint.csv", &c) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  const table t = read_table("adjoint.csv");
  printf("  %d steps: %d press, %d spells, %lld switches in %d\n", c.steps, c.pressing, c.spells,
         c.switches, c.switching);
  CHECK(t.rows == c.steps + 1 && t.pressing == c.pressing && t.switches == c.switches);
  CHECK(t.switching == c.switching && t.spells == c.spells);
  CHECK_NEAR(t.last_time, 0.2, 1e-12);
  return t;
}

static void test_file(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, NULL);
  double grad[VARIABLES];
  differentiate(ctx, scene, grad);
  const table t = write_table(ctx, scene, 0);
  CHECK(t.spells == 1 && t.pressing > 10 && t.pressing < STEPS && t.switches > 0);
  /* mean x at the end: dL/dx = 1/n a particle */
  CHECK_NEAR(t.last[0], 1.0 / sqrt(PARTICLES), 1e-9);
  CHECK(t.last[1] == 0.0 && t.last[2] == 0.0 && t.last[3] == 0.0);
  /* the body has one velocity: |sum of dL/dv| <= sqrt(n) |dL/dv| */
  const double sum = hypot(grad[0], grad[1]), most = sqrt(PARTICLES) * t.first_v;
  CHECK_MSG(sum <= most * (1.0 + 1e-9) && most < 1.5 * sum, "%g and %g", sum, most);
  const table finer = write_table(ctx, scene, 1);
  CHECK(finer.rows == 2 * STEPS + 1 && finer.spells == 1);
  CHECK_NEAR(finer.first_v, t.first_v, 0.05 * t.first_v);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void test_refusals(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_contact_summary c = {.struct_size = sizeof c};
  cq_scene *plain = load(ctx, NULL), *wanted = load(ctx, "output.adjoint=true");
  CHECK(!cq_scene_wants_adjoint(plain) && cq_scene_wants_adjoint(wanted));
  CHECK(cq_scene_write_adjoint(plain, 0, NULL, "nowhere/adjoint.csv", &c) == CQ_IO);
  CHECK(strstr(cq_ctx_error(ctx), "nowhere/adjoint.csv") != NULL);
  cq_scene_destroy(plain);
  cq_scene_destroy(wanted);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_growth);
  RUN(test_fastest);
  RUN(test_scenarios);
  RUN(test_file);
  RUN(test_refusals);
  return TEST_RESULT();
}
