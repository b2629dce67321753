/* Runs that begin in a state of another one: n steps and then m from there are n + m steps, to the
 * last bit where sums have one order; gradients, settings and errors are those of any run. */
#include "test_problems_scene.h"

#include "scene_tear.h"

enum { WHOLE = 40, FIRST = 15 };

/* A state has no mean pressures: by them a run that goes on is another (problem-file.md). */
#define SIMULATION(steps, more)                                                                    \
  "simulation: { dimension = 2; grid = [24, 20]; cell = 0.05; friction_mean = false; time_step = " \
  "2e-3; steps = " #steps ";\n  gravity = [0, -2]; " more " };\n"
#define BODIES                                                                                     \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"  \
  "bodies: (\n"                                                                                    \
  "  { name = \"A\"; material = \"soft\"; low = [0.2, 0.16]; size = [0.2, 0.2]; spin = 2; },\n"    \
  "  { name = \"B\"; material = \"soft\"; low = [0.45, 0.16]; size = [0.1, 0.2]; } );\n"           \
  "boundaries: { domain: { friction = 0.4; }; };\n"                                                \
  "actuators: ( { name = \"m\"; body = \"B\"; direction = \"y\"; max = 8; } );\n"                  \
  "controller: { type = \"tanh_linear\"; inputs: ( { read = \"position\"; },\n"                    \
  "  { read = \"velocity\"; } ); };\n"
#define DESIGN                                                                                     \
  "design: ( { variable = \"controller\"; },\n"                                                    \
  "  { variable = \"youngs_modulus\"; body = \"A\"; lower = 30; upper = 60; } );\n"
#define OBJECTIVE                                                                                  \
  "objective: ( { term = \"distance\"; body = \"A\"; target = [0.6, 0.3]; },\n"                    \
  "  { term = \"mean_square_velocity\"; body = \"B\"; },\n"                                        \
  "  { term = \"elastic_energy\"; body = \"*\"; } );\n"

/* of a scene whose simulation is written before it */
#define REST BODIES DESIGN OBJECTIVE

static double value(cq_scene *scene, double *gradient) {
  const cq_problem *const p = cq_scene_problem(scene);
  double f = NAN;
  CHECK_MSG(p->eval(p->data, p->start, &f, NULL, gradient, NULL) == CQ_OK, "%s",
            cq_ctx_error(scene->ctx));
  return f;
}

/* The state of a run after some steps, in a file. */
static void write_state(const char *set, int steps, const char *path) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = test_load_text(ctx, SIMULATION(40, ) REST, set);
  CHECK_MSG(cq_scene_export_state(scene, NULL, steps * 2e-3, path) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void goes_on(void) {
  static const struct {
    const char *set;
    double most;
  } cases[] = {{"simulation.kernels=\"reference\"", 0.0},
               {"simulation.kernels=\"fast\"", 1e-13},
               {"simulation.precision=\"float\"", 1e-5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    write_state(cases[i].set, FIRST, "state.csv");
    cq_scene *whole = test_load_text(ctx, SIMULATION(40, ) REST, cases[i].set);
    cq_scene *rest =
        test_load_text(ctx, SIMULATION(25, "start_file = \"state.csv\";") REST, cases[i].set);
    cq_scene *fresh = test_load_text(ctx, SIMULATION(25, ) REST, cases[i].set);
    const double f = value(whole, NULL), g = value(rest, NULL);
    CHECK_MSG(fabs(f - g) <= cases[i].most * fabs(f), "%s: %.17g, and %.17g", cases[i].set, f, g);
    CHECK(fabs(value(fresh, NULL) - f) > 0.01 * fabs(f));
    cq_scene_destroy(whole);
    cq_scene_destroy(rest);
    cq_scene_destroy(fresh);
    cq_ctx_destroy(ctx);
  }
}

/* The state travels in the settings: what is written has it without the file. */
static void settings_have_it(void) {
  static char text[1 << 20];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  write_state(NULL, FIRST, "gone.csv");
  cq_scene *scene = test_load_text(ctx, SIMULATION(25, "start_file = \"gone.csv\";") REST, NULL);
  FILE *out = fmemopen(text, sizeof text, "w");
  CHECK(out != NULL && cq_scene_write_config(scene, out) == CQ_OK && fclose(out) == 0);
  remove("gone.csv");
  cq_scene *again = test_load_text(ctx, text, NULL);
  uint64_t hash[2] = {0, 1};
  CHECK(cq_scene_config_hash(scene, true, &hash[0]) == CQ_OK &&
        cq_scene_config_hash(again, true, &hash[1]) == CQ_OK && hash[0] == hash[1]);
  CHECK(value(scene, NULL) == value(again, NULL));
  cq_scene_destroy(scene);
  cq_scene_destroy(again);
  cq_ctx_destroy(ctx);
}

static void gradient_is_right(void) {
  enum { MOST = 32 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  write_state(NULL, FIRST, "state.csv");
  cq_scene *scene = test_load_text(ctx, SIMULATION(25, "start_file = \"state.csv\";") REST, NULL);
  const cq_problem *const p = cq_scene_problem(scene);
  double gradient[MOST], x[2][MOST], f[2], along = 0.0;
  CHECK(p->n <= MOST);
  value(scene, gradient);
  const double step = 1e-5;
  for (int j = 0; j < p->n; j++) {
    const double way = sin(1.3 * j + 1.0);
    along += gradient[j] * way;
    x[0][j] = p->start[j] - step * way;
    x[1][j] = p->start[j] + step * way;
  }
  for (int i = 0; i < 2; i++) {
    CHECK(p->eval(p->data, x[i], &f[i], NULL, NULL, NULL) == CQ_OK);
  }
  const double difference = (f[1] - f[0]) / (2.0 * step);
  CHECK_MSG(fabs(difference - along) < 1e-6 * fabs(along), "%g, and %g", along, difference);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* Starts along a run are scenarios. */
static void scenarios(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  double f[3];
  write_state(NULL, FIRST, "early.csv");
  write_state(NULL, 30, "late.csv");
  static const char *const files[] = {"simulation.start_file=early.csv",
                                      "simulation.start_file=late.csv",
                                      "scenarios={vary=({key=\"simulation.start_file\";"
                                      "values=[\"early.csv\",\"late.csv\"];});}"};
  for (int i = 0; i < 3; i++) {
    cq_scene *scene = test_load_text(
        ctx, i < 2 ? SIMULATION(10, ) REST : SIMULATION(10, "start_file = \"late.csv\";") REST,
        files[i]);
    f[i] = value(scene, NULL);
    cq_scene_destroy(scene);
  }
  CHECK(fabs(f[0] - f[1]) > 1e-3 * f[0]);
  CHECK_MSG(fabs(f[2] - 0.5 * (f[0] + f[1])) < 1e-14, "%g, %g, mean %g", f[0], f[1], f[2]);
  cq_ctx_destroy(ctx);
}

/* Bodies that have torn before are torn. */
static void tears(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_tears t;
  write_state(NULL, FIRST, "state.csv");
  cq_scene *scene = test_load_text(ctx, SIMULATION(25, "start_file = \"state.csv\";") REST, NULL);
  double *const x = scene->current + cq_layout_offset(&scene->layout, "x");
  CHECK(cq_tears_begin(scene, scene->current, &t) == CQ_OK);
  cq_tears_look(&t, 0, scene->current);
  CHECK(cq_tears_worst(&t).share == 0.0);
  cq_tears_end(&t);
  x[0] += 0.2; /* of the first particle: four cells */
  CHECK(cq_tears_begin(scene, scene->current, &t) == CQ_OK);
  cq_tears_look(&t, 0, scene->current);
  CHECK(cq_tears_worst(&t).share > 0.0);
  cq_tears_end(&t);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void refused(void) {
  write_state(NULL, FIRST, "state.csv");
  test_refused(SIMULATION(25, "start_file = \"state.csv\";") REST, "bodies.[1].size=[0.1, 0.1]",
               "my.cfg:2: simulation.start_state: is the state of 96 particles, and the scene has "
               "80; take one of the same bodies");
  test_refused(SIMULATION(25, "start_state = [[1, 2], [3, 4]];") REST, NULL,
               "my.cfg:2: simulation.start_state: a row has 12 numbers, as `cqopt export --state` "
               "writes them");
  test_refused(SIMULATION(25, "start_file = \"state.csv\";") BODIES
               "design: ( { variable = \"initial_velocity\"; body = \"A\"; } );\n" OBJECTIVE,
               NULL,
               "my.cfg:2: simulation.start_state: says where the body \"A\" begins and how it "
               "moves: its place, size or velocity cannot be designed as well");
  test_write_file("bad.csv", "x,y,vx,vy,fxx,fxy,fyx,fyy,cxx,cxy,cyx\n");
  test_refused(SIMULATION(25, "start_file = \"bad.csv\";") REST, NULL,
               "bad.csv:1: no column is called \"cyy\"; the first line must name the columns");
}

static void not_written(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = test_load_text(ctx, SIMULATION(40, ) REST, NULL);
  static const struct {
    double time;
    const char *path, *message;
    cq_status status;
  } cases[] = {
      {0.1, "state.csv", "there is no state at 0.1 s: my.cfg ends at 0.08 s", CQ_USAGE},
      {0.003, "state.csv",
       "there is no state at 0.003 s: it is at 0.002 or 0.004 s, after a whole step", CQ_USAGE},
      {0.03, "nowhere/state.csv", "nowhere/state.csv", CQ_IO},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK(cq_scene_export_state(scene, NULL, cases[i].time, cases[i].path) == cases[i].status);
    CHECK_MSG(strstr(cq_ctx_error(ctx), cases[i].message) != NULL, "%s", cq_ctx_error(ctx));
    cq_ctx_clear_error(ctx);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* What a rigid body does is not in a table of particles. */
static void rigid(void) {
  static const char text[] =
      "materials: ( { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"
      "bodies: ( { name = \"ball\"; material = \"steel\"; shape = \"ball\";\n"
      "  center = [0.6, 0.3]; radius = 0.1; } );\n"
      "objective: ( { term = \"height\"; body = \"ball\"; } );\n";
  char file[8192];
  cq_ctx *ctx = cq_ctx_create(1, 1);
  snprintf(file, sizeof file, "%s%s", SIMULATION(40, ), text);
  cq_scene *scene = test_load_text(ctx, file, NULL);
  CHECK(cq_scene_export_state(scene, NULL, 0.03, "state.csv") == CQ_CONFIG);
  CHECK_STR(cq_ctx_error(ctx),
            "my.cfg has rigid bodies, whose state is no particle's and cannot be written");
  const int n = scene->model.n_particles;
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  int used = snprintf(file, sizeof file, "%s", SIMULATION(40, "start_state = ["));
  used = (int)(strstr(file, "[ };") + 1 - file);
  for (int i = 0; i < n; i++) {
    used += snprintf(file + used, sizeof file - (size_t)used,
                     "%s[0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0]", i > 0 ? ", " : "");
  }
  snprintf(file + used, sizeof file - (size_t)used, "]; };\n%s", text);
  test_refused(
      file, NULL,
      "my.cfg:2: simulation.start_state: says nothing of rigid bodies: leave them or it out");
}

int main(void) {
  RUN(goes_on);
  RUN(settings_have_it);
  RUN(gradient_is_right);
  RUN(scenarios);
  RUN(tears);
  RUN(refused);
  RUN(not_written);
  RUN(rigid);
  return TEST_RESULT();
}
