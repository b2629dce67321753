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
  check_lists("rolling_ball");
  check_lists("billiards_2d");
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

int main(void) {
  RUN(test_design);
  RUN(test_lists);
  RUN(test_values);
  RUN(test_failure);
  return TEST_RESULT();
}
