/* Runs that begin in a state of another one: n steps and then m from there are n + m steps, to the
 * last bit where sums have one order; gradients, settings and errors are those of any run. */
#include "test_problems_scene.h"

#include "scene_tear.h"

enum { WHOLE = 40, FIRST = 15 };

#define SIMULATION(steps, more)                                                                    \
  "simulation: { dimension = 2; grid = [24, 20]; cell = 0.05; time_step = "                        \
  "2e-3; steps = " #steps ";\n  gravity = [1, -4]; " more " };\n"
#define FLOOR "boundaries: { domain: { friction = 0.4; }; };\n"
#define BODIES                                                                                     \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"  \
  "bodies: (\n"                                                                                    \
  "  { name = \"A\"; material = \"soft\"; low = [0.2, 0.16]; size = [0.2, 0.2]; spin = 2;\n"       \
  "    velocity = [0.5, 0]; },\n"                                                                  \
  "  { name = \"B\"; material = \"soft\"; low = [0.42, 0.16]; size = [0.1, 0.2]; } );\n" FLOOR     \
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

/* The scene with other boundaries. */
static cq_scene *load(cq_ctx *ctx, const char *text, const char *boundaries, const char *set) {
  return test_load_text(ctx, test_edit(text, FLOOR, boundaries), set);
}

/* The state of a run after some steps, in a file. */
static void write_state_on(const char *boundaries, const char *set, int steps, const char *path) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, SIMULATION(40, ) REST, boundaries, set);
  CHECK_MSG(cq_scene_export_state(scene, NULL, steps * 2e-3, path) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void write_state(const char *set, int steps, const char *path) {
  write_state_on(FLOOR, set, steps, path);
}

/* The text of a state, and where its means begin. */
static char *read_state(const char *path, char **means) {
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  text[file != NULL ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
  CHECK(file != NULL && fclose(file) == 0);
  *means = strstr(text, "[means]\n");
  CHECK(*means != NULL);
  return text;
}

/* The rows of means that a file has for walls from `first` on. */
static int count_means(const char *path, int first) {
  char *line = NULL;
  int n = 0;
  read_state(path, &line);
  for (line = strchr(strchr(line, '\n') + 1, '\n'); line[1] != '\0';
       line = strchr(line + 1, '\n')) {
    n += atoi(line + 1) >= first;
  }
  return n;
}

/* As states were written once. */
static void take_means_out(const char *path) {
  char *means = NULL, *text = read_state(path, &means);
  *means = '\0';
  test_write_file(path, text);
}

static void check_goes_on(const char *boundaries, const char *set, double most) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  write_state_on(boundaries, set, FIRST, "state.csv");
  CHECK(count_means("state.csv", strstr(boundaries, "contact") != NULL) >
        0); /* the wall is 0, a contact 1 */
  cq_scene *whole = load(ctx, SIMULATION(40, ) REST, boundaries, set);
  cq_scene *rest = load(ctx, SIMULATION(25, "start_file = \"state.csv\";") REST, boundaries, set);
  cq_scene *fresh = load(ctx, SIMULATION(25, ) REST, boundaries, set);
  take_means_out("state.csv");
  cq_scene *anew = load(ctx, SIMULATION(25, "start_file = \"state.csv\";") REST, boundaries, set);
  const double f = value(whole, NULL), g = value(rest, NULL);
  CHECK_MSG(fabs(f - g) <= most * fabs(f), "%s: %.17g, and %.17g", set, f, g);
  CHECK(fabs(value(fresh, NULL) - f) > 0.01 * fabs(f));
  CHECK_MSG(fabs(value(anew, NULL) - f) > 1e-6 * fabs(f), "%s: %g of %g", set,
            value(anew, NULL) - f, f);
  cq_scene_destroy(whole);
  cq_scene_destroy(rest);
  cq_scene_destroy(fresh);
  cq_scene_destroy(anew);
  cq_ctx_destroy(ctx);
}

/* With friction at a wall, at one of several fields, and where bodies meet. */
#define SLOPE                                                                                      \
  "boundaries: { half_spaces: ( { type = \"separate\"; point = [0.4, 0.15]; normal = [-0.3, 1]; "  \
  "friction = 0.5; } ); "                                                                          \
  "};\n"
#define CONTACT FLOOR "contact: ( { between = [\"A\", \"B\"]; friction = 0.3; } );\n"

static void goes_on(void) {
  static const struct {
    const char *set;
    double most;
  } cases[] = {{"simulation.kernels=\"reference\"", 0.0},
               {"simulation.kernels=\"fast\"", 1e-13},
               {"simulation.precision=\"float\"", 1e-6}};
  static const char *const boundaries[] = {FLOOR, SLOPE, CONTACT};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t k = 0; k < sizeof boundaries / sizeof *boundaries; k++) {
      check_goes_on(boundaries[k], cases[i].set, cases[i].most);
    }
  }
}

/* The same in 3D, where a particle has 24 numbers. */
#define SIMULATION_3D(steps, more)                                                                 \
  "simulation: { dimension = 3; grid = [12, 10, 10]; cell = 0.05; time_step = 2e-3; steps "        \
  "= " #steps ";\n  kernels = \"reference\"; gravity = [1, -4, 0.5]; " more " };\n"
#define REST_3D                                                                                    \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"  \
  "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.17, 0.16, 0.17]; size = [0.1, 0.1, "    \
  "0.1]; velocity = [0.6, 0, 0]; },\n"                                                             \
  "  { name = \"B\"; material = \"soft\"; low = [0.28, 0.16, 0.17]; size = [0.1, 0.1, 0.1]; } "    \
  ");\n"                                                                                           \
  "boundaries: { domain: { friction = 0.4; }; };\n"                                                \
  "contact: ( { between = [\"A\", \"B\"]; friction = 0.3; } );\n"                                  \
  "design: ( { variable = \"youngs_modulus\"; body = \"A\"; lower = 30; upper = 60; } "            \
  ");\n"                                                                                           \
  "objective: ( { term = \"distance\"; body = \"*\"; target = [0.3, 0.2, 0.2]; } );\n"

static void goes_on_in_3d(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *whole = test_load_text(ctx, SIMULATION_3D(30, ) REST_3D, NULL);
  CHECK(cq_scene_export_state(whole, NULL, 0.03, "state.csv") == CQ_OK);
  CHECK(count_means("state.csv", 1) > 0 &&
        count_means("state.csv", 0) > count_means("state.csv", 1));
  cq_scene *rest =
      test_load_text(ctx, SIMULATION_3D(15, "start_file = \"state.csv\";") REST_3D, NULL);
  CHECK(value(whole, NULL) == value(rest, NULL));
  cq_scene_destroy(whole);
  cq_scene_destroy(rest);
  cq_ctx_destroy(ctx);
}

/* What a run begins with is what its first state has; a sum is of a step, however long. */
static void begins_with_it(void) {
  static char before[1 << 14];
  double row[2][9];
  for (int i = 0; i < 2; i++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    char *means = NULL;
    write_state_on(CONTACT, NULL, FIRST, "state.csv");
    read_state("state.csv", &means);
    snprintf(before, sizeof before, "%s", means);
    cq_scene *scene = load(ctx, SIMULATION(25, "start_file = \"state.csv\";") REST, CONTACT,
                           i == 0 ? NULL : "simulation.time_step=1e-3");
    CHECK(cq_scene_export_state(scene, NULL, 0.0, "state.csv") == CQ_OK);
    read_state("state.csv", &means);
    CHECK((strcmp(before, means) == 0) == (i == 0));
    char *at = strchr(strchr(means, '\n') + 1, '\n');
    for (int k = 0; k < 9; k++) {
      row[i][k] = strtod(at + 1, &at);
    }
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
  CHECK(row[1][5] == 0.5 * row[0][5] && row[1][6] == row[0][6] && row[1][7] == row[0][7]);
  CHECK(row[0][8] == 2e-3 && row[1][8] == 1e-3);
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
  CHECK(count_means("late.csv", 0) > 0);
  take_means_out("early.csv"); /* it may have none */
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

/* A state whose first mean is another row. */
static void refused_mean(const char *row, const char *set, const char *message) {
  char *means = NULL, *text = NULL;
  write_state(NULL, FIRST, "state.csv");
  text = read_state("state.csv", &means);
  snprintf(strchr(strchr(means, '\n') + 1, '\n') + 1, 200, "%s\n", row);
  test_write_file("state.csv", text);
  test_refused(SIMULATION(25, "start_file = \"state.csv\";") REST, set, message);
}

#define NEW "take the rows of means out, then they begin anew"
#define KEY "my.cfg:2: simulation.start_means: "

static void refused_means(void) {
  refused_mean("0,0,0.3,0.1,0,1e-7,much,0,0.002", NULL,
               "state.csv:101: weight must be a number, not \"much\"");
  refused_mean("0,0,0.3,0.1,0,1e-7", NULL, "state.csv:101: as many fields as names are needed, 9");
  refused_mean(
      "0,0,0.3,0.1,0,1e-7,1,0,0.002", "simulation.friction_mean=false",
      KEY "row 1: no friction of wall 0 and field 0 goes by a mean of the pressure here; " NEW);
  refused_mean(
      "0,0,0.3,0.1,0,1e-7,1,0,0.002", "boundaries.domain.friction=0",
      KEY "row 1: no friction of wall 0 and field 0 goes by a mean of the pressure here; " NEW);
  refused_mean(
      "1,0,0.3,0.1,0,1e-7,1,0,0.002", NULL,
      KEY "row 1: no friction of wall 1 and field 0 goes by a mean of the pressure here; " NEW);
  refused_mean("0,0,2,0.1,0,1e-7,1,0,0.002", NULL,
               KEY
               "row 1: at 2, 0.1, 0 m is no node that wall 0 holds; take a state of the same grid "
               "and walls, or its rows of means out, then they begin anew");
  refused_mean("0,0,0.3,0.1,0,1e-7,-0.5,0,0.002", NULL,
               KEY
               "row 1: sum 1e-07, weight -0.5 and step 0.002 are those of no mean: a weight and a "
               "step are above 0, a sum is not below");
  test_refused(SIMULATION(25, "start_means = [[1, 2]];") REST, NULL,
               KEY "is of a start_state, and there is none");
  test_refused(SIMULATION(25, "start_state = [[1]]; start_means = [[1, 2]];") REST, NULL,
               KEY "a row has 9 numbers, as `cqopt export --state` writes them");
  test_refused(
      "simulation: { engine = \"granular\"; dimension = 2; time_step = 1e-3; steps = 4;\n"
      "  room = [1, 1]; gravity = [0, -2]; start_state = [[1]]; start_means = [[1]]; };\n"
      "materials: ( { name = \"sand\"; density = 1; friction = 0.5; } );\n"
      "bodies: ( { name = \"A\"; material = \"sand\"; low = [0.3, 0.3]; size = [0.2, 0.2];\n"
      "  grain_radius = 0.02; } );\n"
      "objective: ( { term = \"distance\"; body = \"A\"; target = [0.6, 0.3]; } );\n",
      NULL, KEY "this engine has none; leave it out");
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
  RUN(goes_on_in_3d);
  RUN(begins_with_it);
  RUN(settings_have_it);
  RUN(gradient_is_right);
  RUN(scenarios);
  RUN(tears);
  RUN(refused);
  RUN(refused_means);
  RUN(not_written);
  RUN(rigid);
  return TEST_RESULT();
}
