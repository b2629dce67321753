/* Wrong use is a status with a sentence, and what was there before works on; the library is quiet.
 */
#include "test_api_run.h"

#include "cqopt/version.h"

#include <signal.h>
#include <unistd.h>

static run_world w;

/* The call fails with a status, and the context has a sentence that holds the words. */
static void refused(cq_status status, cq_status wanted, const char *words, int line) {
  CHECK_MSG(status == wanted && strstr(cq_ctx_error(w.ctx), words) != NULL,
            "line %d: %s, \"%s\", not %s with \"%s\"", line, cq_status_name(status),
            cq_ctx_error(w.ctx), cq_status_name(wanted), words);
  cq_ctx_clear_error(w.ctx);
}
#define REFUSED(call, wanted, words) refused((call), (wanted), (words), __LINE__)

static void test_nothing(void) {
  double x[2] = {0, 0};
  size_t size = 0;
  cq_about_file about = {.struct_size = sizeof about};
  cq_outcome outcome = {.struct_size = sizeof outcome};
  CHECK(cq_file_load(NULL, "finger", NULL, 0, NULL) == CQ_USAGE);
  CHECK(cq_file_info(NULL, &about) == CQ_USAGE);
  CHECK(cq_file_evaluate(NULL, x, 2, NULL) == CQ_USAGE);
  CHECK(cq_file_evaluate_many(NULL, x, 1, 2, NULL) == CQ_USAGE);
  CHECK(cq_file_solve(NULL, NULL, NULL, NULL, x, 2, &outcome) == CQ_USAGE);
  CHECK(cq_file_gradcheck(NULL, NULL, 0, -1, x, 2) == CQ_USAGE);
  CHECK(cq_file_resolved(NULL, NULL, &size) == CQ_USAGE);
  CHECK(cq_file_scene(NULL) == NULL);
  CHECK(cq_run_create(NULL, 0, NULL) == CQ_USAGE);
  CHECK(cq_run_reset(NULL, NULL, 0) == CQ_USAGE);
  CHECK(cq_run_advance(NULL, 1, NULL, 0) == CQ_USAGE);
  CHECK(cq_run_step(NULL) == -1);
  CHECK(cq_run_find(NULL, CQ_FIELDS, "x") == -1);
  CHECK(cq_run_pull(NULL) == CQ_USAGE);
  CHECK(cq_run_save(NULL, NULL, &size) == CQ_USAGE);
  CHECK(cq_run_load(NULL, x, sizeof x) == CQ_USAGE);
  CHECK(cq_settings_create(NULL, NULL) == CQ_USAGE);
  CHECK(cq_settings_set(NULL, "name=adam") == CQ_USAGE);
  CHECK(cq_minimise(NULL, NULL, NULL, NULL, NULL, x, 2, &outcome) == CQ_USAGE);
  CHECK(cq_file_draw_starts(NULL, 1, 1, x, 2) == CQ_USAGE);
  CHECK(cq_file_slopes(NULL, x, x, 2) == CQ_USAGE);
  CHECK(cq_trace_open(NULL, "evals.bin", NULL) == CQ_USAGE);
  CHECK(cq_trace_next(NULL, NULL) == CQ_USAGE);
  CHECK(cq_trace_reader_info(NULL, NULL) == CQ_USAGE);
  cq_trace_close(NULL);
  CHECK(cq_solve_create(NULL, NULL, 0, NULL) == CQ_USAGE);
  CHECK(cq_solve_run(NULL, NULL, NULL, x, 2, &outcome) == CQ_USAGE);
  CHECK(cq_solve_multipliers(NULL, x, 2) == CQ_USAGE);
  CHECK(cq_solve_close(NULL) == CQ_OK);
  CHECK(cq_file_may_resume(NULL, "x", 0) == CQ_USAGE);
  CHECK(cq_file_resume(NULL, "x", 0, NULL, NULL, x, 2, &outcome) == CQ_USAGE);
  CHECK(cq_file_facts(NULL, NULL, &size) == CQ_USAGE);
  CHECK(cq_outcome_facts(NULL, NULL, 0, NULL, &size) == CQ_USAGE);
  CHECK(cq_outcome_facts(&(cq_outcome){.f = 1}, NULL, 0, NULL, &size) == CQ_USAGE);
  CHECK(cq_schema_word(NULL, "ball", NULL, &size) == CQ_USAGE);
  cq_file_destroy(NULL);
  cq_run_destroy(NULL);
  cq_settings_destroy(NULL);
}

static void test_file(void) {
  cq_file *file = NULL;
  cq_about_file about = {.struct_size = 3};
  const char *none = NULL;
  REFUSED(cq_file_load(w.ctx, NULL, NULL, 0, &file), CQ_USAGE, "name");
  REFUSED(cq_file_load(w.ctx, "finger", NULL, 0, NULL), CQ_USAGE, "nowhere");
  REFUSED(cq_file_load(w.ctx, "finger", &none, 1, &file), CQ_USAGE, "set 0 is NULL");
  REFUSED(cq_file_load(w.ctx, "no_such.cfg", NULL, 0, &file), CQ_IO, "no_such.cfg");
  REFUSED(cq_file_parse(w.ctx, "simulation: { nonsense = 1; };", "mine.cfg", NULL, NULL, 0, &file),
          CQ_CONFIG, "mine.cfg:1");
  CHECK(file == NULL);
  REFUSED(cq_file_info(w.file, NULL), CQ_USAGE, "no struct");
  REFUSED(cq_file_info(w.file, &about), CQ_USAGE, "struct_size is 3");
  cq_about_variable variable = {.struct_size = sizeof variable};
  REFUSED(cq_file_variable(w.file, w.about.variables, &variable), CQ_USAGE, "no variable");
  REFUSED(cq_file_variable(w.file, -1, &variable), CQ_USAGE, "no variable -1");
  cq_about_function function = {.struct_size = sizeof function};
  REFUSED(cq_file_function(w.file, 1, &function), CQ_USAGE, "no function 1");
  char text[4];
  size_t size = sizeof text;
  REFUSED(cq_file_resolved(w.file, text, &size), CQ_USAGE, "room for 4");
  REFUSED(cq_file_get(w.file, "simulation.stepz", NULL, &size), CQ_CONFIG, "simulation.stepz");
  REFUSED(cq_schema_text(w.ctx, "no_such", NULL, &size), CQ_CONFIG, "no_such");
  cq_trace_reader *reader = NULL;
  REFUSED(cq_trace_open(w.ctx, NULL, &reader), CQ_USAGE, "path of a record");
  REFUSED(cq_trace_open(w.ctx, "/no/such", &reader), CQ_IO, "/no/such");
  REFUSED(cq_trace_open(w.ctx, "/dev/null", &reader), CQ_IO, "not an evaluation record");
  CHECK(reader == NULL);
}

/* A text goes where there is room for it, and its size was said before. */
static void test_texts(void) {
  size_t size = 0;
  MUST(&w, cq_file_get(w.file, "simulation.steps", NULL, &size));
  CHECK(size == 4);
  char text[8];
  size = sizeof text;
  MUST(&w, cq_file_get(w.file, "simulation.steps", text, &size));
  CHECK_STR(text, "150");
  size = 0;
  MUST(&w, cq_file_resolved(w.file, NULL, &size));
  char *all = malloc(size);
  cq_file *again = NULL;
  uint64_t hash[2] = {0, 1};
  MUST(&w, cq_file_resolved(w.file, all, &size));
  MUST(&w, cq_file_parse(w.ctx, all, "again", NULL, NULL, 0, &again));
  MUST(&w, cq_file_hash(w.file, true, &hash[0]));
  MUST(&w, cq_file_hash(again, true, &hash[1]));
  CHECK(hash[0] == hash[1]);
  cq_file_destroy(again);
  free(all);
}

/* Lengths, and what becomes of the numbers where a call is refused. */
static void test_evaluate(void) {
  double x[2] = {0, NAN}, many[64], grad[2];
  const int n = w.about.variables;
  cq_answer a = {.struct_size = sizeof a};
  REFUSED(cq_file_evaluate(w.file, x, 2, &a), CQ_USAGE, "2 numbers");
  REFUSED(cq_file_evaluate(w.file, NULL, 0, NULL), CQ_USAGE, "no answer");
  a.struct_size = 0;
  REFUSED(cq_file_evaluate(w.file, NULL, 0, &a), CQ_USAGE, "struct_size");
  a = (cq_answer){.struct_size = sizeof a, .grad = grad, .n_grad = 2};
  REFUSED(cq_file_evaluate(w.file, NULL, 0, &a), CQ_USAGE, "grad: 2 numbers");
  MUST(&w, cq_file_start(w.file, many, n));
  many[3] = NAN;
  a = (cq_answer){.struct_size = sizeof a};
  REFUSED(cq_file_evaluate(w.file, many, n, &a), CQ_USAGE, "x[3] is nan");
  MUST(&w, cq_file_evaluate(w.file, NULL, 0, &a));
  CHECK(a.status == CQ_OK && isfinite(a.f) && a.violation == 0);
  REFUSED(cq_file_to_values(w.file, many, many, 2), CQ_USAGE, "2 numbers");
  cq_solve *solve = NULL;
  REFUSED(cq_solve_create(w.file, NULL, CQ_SOLVE_RESUME, &solve), CQ_USAGE, "no folder");
  REFUSED(cq_solve_create(w.file, "x", CQ_SOLVE_DIVERGE, &solve), CQ_USAGE, "diverge");
  REFUSED(cq_solve_create(w.file, "no_such", CQ_SOLVE_RESUME, &solve), CQ_IO, "no_such");
  REFUSED(cq_solve_create(w.file, NULL, 64, &solve), CQ_USAGE, "no way 64");
  REFUSED(cq_solve_create(w.file, NULL, 0, NULL), CQ_USAGE, "nowhere");
  CHECK(solve == NULL);
  MUST(&w, cq_solve_create(w.file, NULL, 0, &solve));
  REFUSED(cq_solve_run(solve, NULL, NULL, many, n - 1, NULL), CQ_USAGE, "numbers");
  MUST(&w, cq_solve_close(solve));
  many[3] = 1e300;
  REFUSED(cq_file_solve(w.file, NULL, NULL, NULL, many, n - 1, NULL), CQ_USAGE, "numbers");
  REFUSED(cq_file_solve(w.file, NULL, NULL, NULL, many, n, NULL), CQ_USAGE, "no struct");
  REFUSED(cq_file_gradcheck(w.file, NULL, 0, 1, grad, 1), CQ_USAGE, "no function 1");
}

static void test_order(void) {
  double u[2] = {0, 0}, z[2], g[2];
  size_t size = 0;
  const int tip = cq_run_find(w.run, CQ_OBSERVABLES, "tip.position");
  cq_run *lean = NULL;
  REFUSED(cq_run_create(w.file, 8, &lean), CQ_USAGE, "not for 8");
  MUST(&w, cq_run_create(w.file, 0, &lean));
  REFUSED(cq_run_advance(lean, 1, NULL, 0), CQ_USAGE, "reset it");
  REFUSED(cq_run_observe(lean, tip, 0, z, 2), CQ_USAGE, "reset it");
  REFUSED(cq_run_save(lean, NULL, &size), CQ_USAGE, "reset it");
  MUST(&w, cq_run_reset(lean, NULL, 0));
  REFUSED(cq_run_advance(lean, 151, NULL, 0), CQ_USAGE, "ends at 150");
  REFUSED(cq_run_advance(lean, -1, NULL, 0), CQ_USAGE, "-1 steps");
  REFUSED(cq_run_advance(lean, 2, u, 3), CQ_USAGE, "neither one row nor 2");
  u[1] = 1e6;
  REFUSED(cq_run_advance(lean, 2, u, 2), CQ_USAGE, "outside its bounds");
  u[1] = NAN;
  REFUSED(cq_run_advance(lean, 2, u, 2), CQ_USAGE, "outside its bounds");
  REFUSED(cq_run_observe(lean, tip, 1, z, 2), CQ_USAGE, "state 1");
  REFUSED(cq_run_observe(lean, -1, 0, z, 2), CQ_USAGE, "no observable -1");
  REFUSED(cq_run_observe(lean, tip, 0, z, 1), CQ_USAGE, "1 numbers");
  REFUSED(cq_run_seed(lean, tip, 0, z, 2), CQ_USAGE, "CQ_RUN_KEEP");
  REFUSED(cq_run_pull(lean), CQ_USAGE, "CQ_RUN_KEEP");
  REFUSED(cq_run_read_controls(lean, 0, u, 2), CQ_USAGE, "step 0 was not made");
  cq_run_destroy(lean);
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  REFUSED(cq_run_pull(w.run), CQ_USAGE, "needs a step");
  REFUSED(cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g, 2), CQ_USAGE, "a pull before");
  MUST(&w, cq_run_advance(w.run, 1, NULL, 0));
  MUST(&w, cq_run_pull(w.run));
  z[1] = INFINITY;
  z[0] = 0;
  REFUSED(cq_run_seed(w.run, tip, 1, z, 2), CQ_USAGE, "d[1] is inf");
  REFUSED(cq_run_gradient(w.run, 99, g, 2), CQ_USAGE, "no input 99");
  REFUSED(cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g, 1), CQ_USAGE, "1 numbers");
}

static void test_inputs(void) {
  const int e = cq_run_find(w.run, CQ_INPUTS, "youngs_modulus");
  const size_t n = numbers(&w, CQ_INPUTS, e);
  double *values = malloc(n * sizeof *values), g[64];
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_read_input(w.run, e, values, n));
  CHECK(values[0] == 10);
  values[5] = -1;
  REFUSED(cq_run_write(w.run, e, values, n), CQ_USAGE, "youngs_modulus[5] is -1");
  values[5] = INFINITY;
  REFUSED(cq_run_write(w.run, e, values, n), CQ_USAGE, "youngs_modulus[5] is inf");
  values[5] = 11;
  MUST(&w, cq_run_write(w.run, e, values, n));
  MUST(&w, cq_run_advance(w.run, 1, NULL, 0));
  REFUSED(cq_run_write(w.run, e, values, n), CQ_USAGE, "before the first step");
  MUST(&w, cq_run_pull(w.run));
  REFUSED(cq_run_gradient(w.run, CQ_GRADIENT_DESIGN, g, (size_t)w.about.variables), CQ_USAGE,
          "an input was written");
  free(values);
}

/* A run that outlives its file refuses, and is the one that frees it. */
static void test_destroyed(void) {
  run_world other = open_run("finger", NULL, 0);
  MUST(&other, cq_run_reset(other.run, NULL, 0));
  cq_file_destroy(other.file);
  CHECK(cq_run_advance(other.run, 1, NULL, 0) == CQ_USAGE);
  CHECK(strstr(cq_ctx_error(other.ctx), "destroyed") != NULL);
  CHECK(cq_run_step(other.run) == -1);
  cq_file_destroy(other.file);
  other.file = NULL;
  close_run(&other);
}

static void test_minimise(void) {
  const double start[1] = {3}, upper[1] = {2};
  double x[1];
  cq_settings *s = NULL;
  cq_outcome out = {.struct_size = sizeof out};
  cq_function_def def = {.struct_size = sizeof def,
                         .n = 1,
                         .start = start,
                         .function = test_bowl,
                         .has_gradient = true};
  MUST(&w, cq_settings_create(w.ctx, &s));
  REFUSED(cq_settings_set(s, "name=no_such"), CQ_CONFIG, "no_such");
  REFUSED(cq_settings_set(s, "nonsense=1"), CQ_CONFIG, "nonsense");
  MUST(&w, cq_settings_set(s, "name=sqp"));
  REFUSED(cq_minimise(w.ctx, NULL, s, NULL, NULL, x, 1, &out), CQ_USAGE, "no function");
  REFUSED(cq_minimise(w.ctx, &def, s, NULL, NULL, x, 2, &out), CQ_USAGE, "2 numbers");
  REFUSED(cq_minimise(w.ctx, &def, s, NULL, NULL, x, 1, NULL), CQ_USAGE, "no struct");
  def.upper = upper;
  REFUSED(cq_minimise(w.ctx, &def, s, NULL, NULL, x, 1, &out), CQ_USAGE, "outside its bounds");
  def.upper = NULL;
  MUST(&w, cq_minimise(w.ctx, &def, s, NULL, NULL, x, 1, &out));
  CHECK_NEAR(x[0], 1, 1e-6);
  CHECK(out.status == CQ_OK && out.evaluations > 1);
  cq_settings_destroy(s);
}

static void run_everything(void) {
  test_nothing();
  test_file();
  test_texts();
  test_evaluate();
  test_order();
  test_inputs();
  test_destroyed();
  test_minimise();
}

/* All of it once more, with nowhere to write: what would be printed goes to a file, which stays
 * empty; and every signal has the handler that it had. */
static void test_quiet(void) {
  struct sigaction before, after;
  FILE *caught = tmpfile();
  fflush(stdout);
  const int out = dup(1), err = dup(2);
  dup2(fileno(caught), 1);
  dup2(fileno(caught), 2);
  sigaction(SIGINT, NULL, &before);
  run_everything();
  sigaction(SIGINT, NULL, &after);
  fflush(stdout);
  const long length = lseek(fileno(caught), 0, SEEK_END);
  dup2(out, 1);
  dup2(err, 2);
  close(out);
  close(err);
  fclose(caught);
  CHECK_MSG(length == 0, "%ld bytes were written to stdout or stderr", length);
  CHECK(before.sa_handler == after.sa_handler);
}

static void test_version(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", CQ_VERSION_MAJOR, CQ_VERSION_MINOR, CQ_VERSION_PATCH);
  CHECK_STR(cq_version(), text);
  CHECK(cq_abi() == CQ_ABI);
  CHECK(cq_capability("simd") != NULL);
  CHECK(strstr(cq_capability("engines"), "mpm") != NULL);
  CHECK(cq_capability("no_such") == NULL && cq_capability(NULL) == NULL);
}

int main(void) {
  w = open_run("finger", NULL, CQ_RUN_KEEP);
  RUN(test_nothing);
  RUN(test_file);
  RUN(test_texts);
  RUN(test_evaluate);
  RUN(test_order);
  RUN(test_inputs);
  RUN(test_destroyed);
  RUN(test_minimise);
  RUN(test_quiet);
  RUN(test_version);
  close_run(&w);
  return TEST_RESULT();
}
