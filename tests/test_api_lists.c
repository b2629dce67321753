/* What a file and a run say there is, and that it is so. */
#include "test_api_run.h"

/* Labels, units and bounds of a design; what goes to the optimizer's x comes back. */
static void test_design(void) {
  run_world w = open_run("arm_codesign", NULL, 0);
  const int n = w.about.variables;
  double *x = malloc((size_t)n * 8), *values = malloc((size_t)n * 8),
         *again = malloc((size_t)n * 8);
  CHECK(w.about.blocks >= 2 && w.about.inequalities >= 1 && w.about.terms >= 1);
  CHECK_STR(w.about.name, "arm_codesign");
  CHECK(w.about.gradient == CQ_GRADIENT_EXACT_REVERSE);
  int counted = 0;
  for (int i = 0; i < w.about.blocks; i++) {
    cq_about_block block = {.struct_size = sizeof block};
    MUST(&w, cq_file_block(w.file, i, &block));
    CHECK(block.first == counted && block.name != NULL && block.unit != NULL);
    counted += block.count;
  }
  CHECK(counted == n);
  MUST(&w, cq_file_start(w.file, x, n));
  MUST(&w, cq_file_to_values(w.file, x, values, n));
  MUST(&w, cq_file_from_values(w.file, values, again, n));
  for (int i = 0; i < n; i++) {
    cq_about_variable v = {.struct_size = sizeof v};
    MUST(&w, cq_file_variable(w.file, i, &v));
    CHECK(v.label[0] != '\0' && v.lower <= values[i] && values[i] <= v.upper && v.scale > 0);
    CHECK_NEAR(values[i], v.start, 1e-12 * fabs(v.start));
    CHECK_NEAR(again[i], x[i], 1e-12 * (1 + fabs(x[i])));
  }
  cq_about_function f = {.struct_size = sizeof f};
  MUST(&w, cq_file_function(w.file, w.about.terms, &f));
  CHECK(f.label != NULL && f.relation != NULL && isfinite(f.bound));
  MUST(&w, cq_file_function(w.file, 0, &f));
  CHECK(f.label != NULL && f.relation == NULL);
  MUST(&w, cq_file_set_start(w.file, values, n));
  MUST(&w, cq_file_fit(w.file, w.file, values, n, again, n));
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(again[i], values[i], 1e-12 * (1 + fabs(values[i])));
  }
  values[0] = NAN;
  CHECK(cq_file_set_start(w.file, values, n) == CQ_USAGE);
  free(x);
  free(values);
  free(again);
  close_run(&w);
}

/* Starts lie between the bounds, the first one is the file's, and they follow from the seed alone;
 * slopes are those of the way to the values of the file. */
static void test_starts(void) {
  enum { COUNT = 5 };
  run_world w = open_run("arm_codesign", NULL, 0);
  const int n = w.about.variables;
  double *x = malloc((size_t)n * COUNT * 8), *same = malloc((size_t)n * 2 * 8);
  double *values = malloc((size_t)n * 8), *moved = malloc((size_t)n * 8);
  MUST(&w, cq_file_draw_starts(w.file, 7, COUNT, x, (size_t)n * COUNT));
  MUST(&w, cq_file_draw_starts(w.file, 7, 2, same, (size_t)n * 2));
  CHECK(memcmp(x, same, (size_t)n * 2 * 8) == 0);
  MUST(&w, cq_file_start(w.file, same, n));
  CHECK(memcmp(x, same, (size_t)n * 8) == 0);
  for (int k = 1; k < COUNT; k++) {
    MUST(&w, cq_file_to_values(w.file, x + k * n, values, n));
    for (int i = 0; i < n; i++) {
      cq_about_variable v = {.struct_size = sizeof v};
      MUST(&w, cq_file_variable(w.file, i, &v));
      CHECK(v.lower - 1e-9 <= values[i] && values[i] <= v.upper + 1e-9);
    }
  }
  const double step = 1e-6;
  MUST(&w, cq_file_slopes(w.file, x, same, n));
  for (int i = 0; i < n; i++) {
    x[i] += step;
  }
  MUST(&w, cq_file_to_values(w.file, x, moved, n));
  for (int i = 0; i < n; i++) {
    x[i] -= step;
  }
  MUST(&w, cq_file_to_values(w.file, x, values, n));
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(same[i], (moved[i] - values[i]) / step, 1e-4 * (1 + fabs(same[i])));
  }
  CHECK(cq_file_draw_starts(w.file, 7, 2, x, (size_t)n) == CQ_USAGE);
  CHECK(cq_file_draw_starts(w.file, 7, 0, x, 0) == CQ_USAGE);
  free(x);
  free(same);
  free(values);
  free(moved);
  close_run(&w);
}

/* A block that is thrown: in these steps some throws fail, in half of them fewer. */
static const char thrown[] =
    "simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 6e-3; steps = 60; };"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );"
    "bodies: ( { name = \"A\"; material = \"soft\"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing "
    "= "
    "0.05; } );"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; lower = -4; upper = 4; start = "
    "[0.5, "
    "2]; } );"
    "objective: ( { term = \"distance\"; body = \"A\"; target = [0.8, 0.6]; } );";

/* A failure has its sentence, and is tried again in smaller steps where that is asked for. */
static void test_retry(void) {
  enum { COUNT = 3 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_file *file = NULL;
  char reasons[COUNT][200];
  const double x[COUNT][2] = {{0.5, 2}, {-3.5, -3.9}, {3.9, 3.9}};
  cq_answer once[COUNT], again[COUNT];
  CHECK(cq_file_parse(ctx, thrown, "thrown", NULL, NULL, 0, &file) == CQ_OK);
  for (int i = 0; i < COUNT; i++) {
    once[i] = (cq_answer){
        .struct_size = sizeof *once, .reason = reasons[i], .n_reason = sizeof reasons[i]};
    again[i] = once[i];
    again[i].reason = NULL;
    again[i].retry = true;
  }
  CHECK(cq_file_evaluate_many(file, x[0], COUNT, 2, once) == CQ_OK);
  CHECK(once[0].status == CQ_OK && once[0].refinement == 0 && reasons[0][0] == '\0');
  CHECK(cq_status_is_numeric(once[1].status) && isnan(once[1].f) && reasons[1][0] != '\0');
  CHECK(cq_file_evaluate_many(file, x[0], COUNT, 2, again) == CQ_OK);
  CHECK(again[0].f == once[0].f && again[0].refinement == 0);
  CHECK_MSG(again[1].status == CQ_OK && again[1].refinement == 1 && again[1].f > 0, "%s",
            cq_status_name(again[1].status));
  CHECK(cq_file_evaluate(file, x[1], 2, &once[1]) == once[1].status && once[1].status != CQ_OK);
  CHECK_STR(cq_ctx_error(ctx), reasons[1]);
  cq_answer half = {.struct_size = sizeof half, .level = 1};
  CHECK(cq_file_evaluate(file, x[1], 2, &half) == CQ_OK && half.refinement == 1);
  CHECK_MSG(half.f == again[1].f, "%.17g at half the step, %.17g", half.f, again[1].f);
  CHECK(cq_file_evaluate(file, x[0], 2, &half) == CQ_OK && half.f != once[0].f);
  CHECK(fabs(half.f - once[0].f) < 0.2 * fabs(once[0].f));
  half.level = 99;
  CHECK(cq_file_evaluate(file, x[0], 2, &half) == CQ_USAGE);
  /* a caller who knows no more than the first fields */
  cq_answer old = {.struct_size = offsetof(cq_answer, n_jac) + sizeof(int), .refinement = 7};
  CHECK(cq_file_evaluate(file, x[0], 2, &old) == CQ_OK);
  CHECK(old.f == once[0].f && old.refinement == 7);
  cq_file_destroy(file);
  cq_ctx_destroy(ctx);
}

/* There is memory; a device that there is has a name, and the one behind the last is refused. */
static void test_machine(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_about_machine machine = {.struct_size = sizeof machine};
  cq_about_device device = {.struct_size = sizeof device};
  CHECK(cq_machine_info(ctx, &machine) == CQ_OK && machine.free_memory > 0);
  CHECK((machine.no_cuda == NULL) == (machine.devices > 0));
  for (int i = 0; i < machine.devices; i++) {
    CHECK(cq_device_info(ctx, i, &device) == CQ_OK && device.name[0] != '\0' && device.memory > 0);
  }
  CHECK(cq_device_info(NULL, machine.devices, &device) == CQ_DEVICE);
  CHECK(cq_device_info(ctx, machine.devices, &device) == CQ_DEVICE);
  CHECK(strstr(cq_ctx_error(ctx), "no CUDA device") != NULL);
  CHECK(cq_machine_info(ctx, NULL) == CQ_USAGE && cq_machine_info(NULL, NULL) == CQ_USAGE);
  cq_ctx_destroy(ctx);
}

/* Each entry of a list is found by its name, and is read with the length that it says. */
static void check_list(const run_world *w, cq_list list) {
  cq_about_array about = {.struct_size = sizeof about};
  int i = 0;
  while (cq_run_describe(w->run, list, i, &about) == CQ_OK) {
    double *out = malloc((about.numbers + 1) * sizeof *out);
    CHECK_MSG(cq_run_find(w->run, list, about.name) == i, "%s is not found", about.name);
    CHECK(about.numbers == about.shape[0] * (about.rank == 2 ? about.shape[1] : 1));
    MUST(w, list == CQ_OBSERVABLES ? cq_run_observe(w->run, i, 2, out, about.numbers)
            : list == CQ_FIELDS    ? cq_run_read(w->run, i, out, about.numbers)
                                   : cq_run_read_input(w->run, i, out, about.numbers));
    for (size_t k = 0; k < about.numbers; k++) {
      CHECK_MSG(isfinite(out[k]), "%s[%zu] is %g", about.name, k, out[k]);
    }
    free(out);
    i++;
  }
  CHECK(i > 0);
}

static void check_lists(const char *name) {
  run_world w = open_run(name, NULL, 0);
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_advance(w.run, 2, NULL, 0));
  check_list(&w, CQ_OBSERVABLES);
  check_list(&w, CQ_FIELDS);
  check_list(&w, CQ_INPUTS);
  close_run(&w);
}

/* Of each engine. */
static void test_lists(void) {
  check_lists("finger");
  check_lists("bulldozing");
  check_lists("bottle_flip");
}

/* The last line of a table of a run: the column of this name; NAN: there is none. */
static double column_of(const char *path, const char *name) {
  char head[4096] = "", line[4096] = "", *at = NULL;
  double value = NAN;
  FILE *in = fopen(path, "r");
  CHECK_MSG(in != NULL && fgets(head, sizeof head, in) != NULL, "there is no %s", path);
  while (in != NULL && fgets(line, sizeof line, in) != NULL) {
  }
  at = line;
  head[strcspn(head, "\n")] = '\0';
  for (char *word = strtok(head, ","); word != NULL; word = strtok(NULL, ",")) {
    value = strcmp(word, name) == 0 ? strtod(at, NULL) : value;
    at += strcspn(at, ",") + (strchr(at, ',') != NULL);
  }
  if (in != NULL) {
    fclose(in);
  }
  return value;
}

/* A run step by step, by the controller of the file, is the run that the file records. */
static void check_recorded(const char *name, const char *body) {
  static const char *const axes = "xyz";
  char folder[64], path[128], word[64];
  run_world w = open_run(name, "simulation.steps=20", 0);
  double place[3];
  snprintf(folder, sizeof folder, "%s.recorded", name);
  snprintf(path, sizeof path, "%s/observations.csv", folder);
  MUST(&w, cq_file_simulate(w.file, NULL, 0, folder, 2, CQ_RECORD_TABLES));
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  for (int k = 0; k < 20; k++) {
    MUST(&w, cq_run_advance(w.run, 1, NULL, 0));
  }
  snprintf(word, sizeof word, "%s.position", body);
  const int observable = cq_run_find(w.run, CQ_OBSERVABLES, word);
  MUST(&w, cq_run_observe(w.run, observable, 20, place, (size_t)w.about.dimension));
  for (int a = 0; a < w.about.dimension; a++) {
    snprintf(word, sizeof word, "%s.%c", body, axes[a]);
    const double recorded = column_of(path, word);
    CHECK_MSG(fabs(place[a] - recorded) < 1e-13, "%s of %s: %.17g step by step, %.17g recorded",
              word, name, place[a], recorded);
  }
  close_run(&w);
}

/* Of each engine, with a feedback controller and without. */
static void test_recorded(void) {
  check_recorded("finger", "tip");
  check_recorded("billiards_2d", "A");
  check_recorded("bottle_flip", "bottle");
  check_recorded("bulldozing", "heap");
}

/* A mean is the mean of the particles; a controller's controls are those that were asked for. */
static void test_values(void) {
  run_world w = open_run("finger", NULL, 0);
  const int x = cq_run_find(w.run, CQ_FIELDS, "x"),
            all = cq_run_find(w.run, CQ_OBSERVABLES, "*.position");
  const size_t n = 3 * (size_t)w.about.particles;
  const double u[4] = {1, 2, 3, 4};
  double *places = malloc(n * sizeof *places), mean[2], sum[2] = {0, 0}, back[2];
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_advance(w.run, 2, u, 4));
  MUST(&w, cq_run_read_controls(w.run, 1, back, 2));
  CHECK(back[0] == 3 && back[1] == 4);
  MUST(&w, cq_run_read(w.run, x, places, n));
  MUST(&w, cq_run_observe(w.run, all, 2, mean, 2));
  for (size_t i = 0; i < n; i++) {
    sum[i % 3 < 2 ? i % 3 : 0] += i % 3 < 2 ? places[i] : 0;
  }
  CHECK_NEAR(sum[0] / w.about.particles, mean[0], 1e-12);
  CHECK_NEAR(sum[1] / w.about.particles, mean[1], 1e-12);
  cq_about_control c = {.struct_size = sizeof c};
  MUST(&w, cq_run_control(w.run, 1, &c));
  CHECK_STR(c.name, "muscle_right");
  CHECK(c.upper == 4);
  free(places);
  close_run(&w);
}

/* A run that fails says where, and runs again after a reset; nothing goes back from it. */
static void test_failure(void) {
  run_world w = open_run("finger", NULL, CQ_RUN_KEEP);
  const int e = cq_run_find(w.run, CQ_INPUTS, "youngs_modulus");
  const size_t n = numbers(&w, CQ_INPUTS, e);
  double *stiff = malloc(n * sizeof *stiff);
  const double u[2] = {0, 4};
  for (size_t i = 0; i < n; i++) {
    stiff[i] = 1e9; /* the time step is far too long for it */
  }
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_write(w.run, e, stiff, n));
  const cq_status status = cq_run_advance(w.run, 100, u, 2);
  CHECK_MSG(cq_status_is_numeric(status), "%s", cq_status_name(status));
  CHECK(strstr(cq_ctx_error(w.ctx), "particle") != NULL);
  CHECK(cq_run_advance(w.run, 1, NULL, 0) == CQ_USAGE);
  CHECK(cq_run_pull(w.run) == CQ_USAGE);
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_advance(w.run, 5, NULL, 0));
  free(stiff);
  close_run(&w);
}

/* An engine without an exact sweep says so, and its runs go forward all the same. */
static void test_no_sweep(void) {
  run_world w = open_run("bottle_flip", "simulation.steps=20", CQ_RUN_KEEP);
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_advance(w.run, 3, NULL, 0));
  CHECK(cq_run_pull(w.run) == CQ_CONFIG);
  CHECK(strstr(cq_ctx_error(w.ctx), "no exact sweep") != NULL);
  close_run(&w);
}

static void test_gradcheck(void) {
  run_world w = open_run("finger", "simulation.steps=30", 0);
  double agreement[1] = {1};
  CHECK(w.about.blocks == 1);
  MUST(&w, cq_file_gradcheck(w.file, NULL, 0, -1, agreement, 1));
  CHECK_MSG(agreement[0] < 1e-6, "the gradient agrees to %g", agreement[0]);
  close_run(&w);
}

/* Every text has what it is of in it. */
static void test_texts(void) {
  run_world w = open_run("finger", NULL, 0);
  static char text[1 << 18];
  size_t size = sizeof text;
  MUST(&w, cq_file_describe(w.file, text, &size));
  CHECK(strstr(text, "4800 particles") != NULL || strstr(text, "4,800") != NULL);
  size = sizeof text;
  MUST(&w, cq_schema_text(w.ctx, "optimizer", text, &size));
  CHECK(strstr(text, "max_evaluations") != NULL && size == strlen(text) + 1);
  close_run(&w);
}

/* Each experiment as a file of its own, at a design of the file: their values add up. A run is of
 * one of them. */
static void test_experiments(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const double x[] = {80, 0.3, 0.4};
  double sum = 0;
  cq_file *file = NULL;
  cq_run *run = NULL;
  cq_answer answer = {.struct_size = sizeof answer};
  CHECK_MSG(cq_file_load(ctx, "identify_two_tests", NULL, 0, &file) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  CHECK(cq_file_evaluate(file, x, 3, &answer) == CQ_OK);
  for (int i = 0; i < cq_scene_experiment_count(cq_file_scene(file)); i++) {
    cq_file *alone = NULL;
    cq_answer own = {.struct_size = sizeof own};
    CHECK_MSG(cq_file_experiment_alone(file, i, x, 3, &alone) == CQ_OK, "%s", cq_ctx_error(ctx));
    CHECK(cq_scene_problem(cq_file_scene(alone))->n == 3 - i);
    CHECK(cq_file_evaluate(alone, NULL, 0, &own) == CQ_OK);
    sum += own.f;
    cq_file_destroy(alone);
  }
  CHECK(sum == answer.f && sum > 0);
  CHECK(cq_run_create(file, 0, &run) == CQ_CONFIG && run == NULL);
  CHECK(strstr(cq_ctx_error(ctx), "experiments=\"drop\"") != NULL);
  cq_file_destroy(file);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_experiments);
  RUN(test_design);
  RUN(test_starts);
  RUN(test_retry);
  RUN(test_machine);
  RUN(test_lists);
  RUN(test_recorded);
  RUN(test_values);
  RUN(test_failure);
  RUN(test_no_sweep);
  RUN(test_gradcheck);
  RUN(test_texts);
  return TEST_RESULT();
}
