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

/* What has no status, of nothing: nothing. The rest with nothing is api_nothing.sh's. */
static void test_nothing(void) {
  double x[2] = {0, 0};
  size_t size = 0;
  cq_outcome outcome = {.struct_size = sizeof outcome};
  CHECK(cq_file_scene(NULL) == NULL);
  CHECK(cq_run_step(NULL) == -1);
  CHECK(cq_run_find(NULL, CQ_FIELDS, "x") == -1 && cq_run_find(w.run, CQ_FIELDS, NULL) == -1);
  CHECK(cq_run_find(w.run, (cq_list)7, "x") == -1);
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
  CHECK(cq_draw_starts(NULL, NULL, 1, 1, x) == CQ_USAGE);
  CHECK(cq_machine_info(NULL, NULL) == CQ_USAGE && cq_device_info(NULL, 0, NULL) == CQ_USAGE);
  CHECK(cq_optimizer_get_facts(0, NULL) == CQ_USAGE &&
        cq_optimizer_get_facts(-1, NULL) == CQ_USAGE);
  CHECK(cq_uncertainty_find(NULL, NULL, 0, x, NULL) == CQ_USAGE);
  cq_uncertainty_free(NULL, NULL);
  CHECK(cq_profile_find(NULL, NULL, NULL, x, 0, 5, 2, NULL) == CQ_USAGE);
  CHECK(cq_bootstrap_find(NULL, NULL, NULL, x, 5, 1, NULL) == CQ_USAGE);
  cq_profile_free(NULL, NULL);
  cq_bootstrap_free(NULL, NULL);
  cq_file_destroy(NULL);
  cq_run_destroy(NULL);
  cq_settings_destroy(NULL);
  cq_ctx_destroy(NULL);
}

static void test_context(void) {
  cq_ctx_set_log(NULL, NULL, NULL);
  cq_ctx_set_pace(NULL, NULL, NULL);
  cq_ctx_set_threads(NULL, 2);
  cq_ctx_set_seed(NULL, 1);
  cq_ctx_clear_error(NULL);
  cq_ctx_request_stop(NULL, CQ_INTERRUPTED);
  CHECK(cq_ctx_threads(NULL) == 0 && cq_ctx_seed(NULL) == 0 && cq_ctx_bytes(NULL) == 0);
  CHECK(cq_ctx_status(NULL) == CQ_USAGE && cq_ctx_stop_requested(NULL) == CQ_USAGE);
  CHECK_STR(cq_ctx_error(NULL), "there is no context");
  for (int i = -1; i <= CQ_N_STATUSES; i += CQ_N_STATUSES + 1) {
    const cq_status none = (cq_status)i;
    CHECK_STR(cq_status_text(none), "no status");
    CHECK_STR(cq_status_name(none), "");
    CHECK(cq_status_exit_code(none) == 1 && !cq_status_is_numeric(none));
  }
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
  REFUSED(cq_file_describe(w.file, NULL, NULL), CQ_USAGE, "size of the text");
  REFUSED(cq_schema_text(w.ctx, "no_such", NULL, &size), CQ_CONFIG, "no_such");
  cq_trace_reader *reader = NULL;
  REFUSED(cq_trace_open(w.ctx, NULL, &reader), CQ_USAGE, "path of a record");
  REFUSED(cq_trace_open(w.ctx, "/no/such", &reader), CQ_IO, "/no/such");
  REFUSED(cq_trace_open(w.ctx, "/dev/null", &reader), CQ_IO, "not an evaluation record");
  CHECK(reader == NULL);
  REFUSED(cq_file_hash(w.file, true, NULL), CQ_USAGE, "nowhere");
  cq_about_block block = {.struct_size = sizeof block};
  REFUSED(cq_file_block(w.file, w.about.blocks, &block), CQ_USAGE, "no block");
  cq_file *alone = NULL;
  REFUSED(cq_file_experiment_alone(w.file, 0, NULL, 0, &alone), CQ_USAGE, "no experiment");
  REFUSED(cq_file_experiment_alone(w.file, 0, NULL, 0, NULL), CQ_USAGE, "nowhere");
  const char *const staged = "stages=({set=\"simulation.steps=3\";})";
  double x[2];
  cq_outcome outcome = {.struct_size = sizeof outcome};
  CHECK(cq_file_load(w.ctx, "bounce", &staged, 1, &file) == CQ_OK);
  CHECK(cq_scene_stage_count(cq_file_scene(file)) == 1);
  CHECK(cq_scene_stage_settings(cq_file_scene(file), 0, text, sizeof text) == CQ_OK);
  CHECK_STR(text, "sim");
  REFUSED(cq_scene_stage_settings(cq_file_scene(file), 1, text, sizeof text), CQ_USAGE, "no stage");
  REFUSED(cq_scene_get_plan(cq_file_scene(file), -1, &(cq_plan){.struct_size = 8}), CQ_USAGE,
          "cannot be timed");
  REFUSED(cq_file_solve(file, NULL, NULL, NULL, x, 2, &outcome), CQ_CONFIG, "has stages");
  cq_file_destroy(file);
}

static const char *const stiffness =
    "design=({variable=\"youngs_modulus\";body=\"block\";lower=1;upper=400;transform=\"log\";})";

/* Designs of another length, outside of bounds, without an x, of another file. */
static void test_design(void) {
  run_world other = open_run("velocity_2d", stiffness, 0);
  const int n = w.about.variables, m = other.about.variables;
  double *x = calloc((size_t)(n + m), sizeof *x);
  REFUSED(cq_file_start(w.file, x, n + 1), CQ_USAGE, "numbers");
  REFUSED(cq_file_start(w.file, x, -1), CQ_USAGE, "numbers");
  REFUSED(cq_file_start(w.file, NULL, n), CQ_USAGE, "no array");
  REFUSED(cq_file_from_values(w.file, x, x, n - 1), CQ_USAGE, "numbers");
  REFUSED(cq_file_set_start(w.file, x, n - 1), CQ_USAGE, "numbers");
  REFUSED(cq_file_fit(w.file, NULL, x, n, x, n), CQ_USAGE, "no other file");
  REFUSED(cq_file_fit(w.file, w.file, x, n - 1, x, n), CQ_USAGE, "values");
  REFUSED(cq_file_fit(w.file, w.file, x, n, x, n - 1), CQ_USAGE, "fitted");
  REFUSED(cq_file_fit(w.file, other.file, x, m, x, n), CQ_CONFIG, "");
  x[0] = -1;
  CHECK(cq_file_from_values(other.file, x, x, m) == CQ_CONFIG);
  CHECK(strstr(cq_ctx_error(other.ctx), "value 0 is -1") != NULL);
  CHECK(cq_file_set_start(other.file, x, m) == CQ_USAGE);
  CHECK(strstr(cq_ctx_error(other.ctx), "value 0 is -1, outside its bounds") != NULL);
  free(x);
  close_run(&other);
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
  REFUSED(cq_file_gradcheck(w.file, NULL, 0, -1, grad, 2), CQ_USAGE, "agreement");
  cq_answer answers[2] = {{.struct_size = sizeof *answers}, {.struct_size = 5}};
  REFUSED(cq_file_evaluate_many(w.file, many, -1, n, answers), CQ_USAGE, "-1 designs");
  REFUSED(cq_file_evaluate_many(w.file, NULL, 1, n, answers), CQ_USAGE, "missing");
  REFUSED(cq_file_evaluate_many(w.file, many, 1, n - 1, answers), CQ_USAGE, "numbers");
  REFUSED(cq_file_evaluate_many(w.file, many, 2, n, answers), CQ_USAGE, "struct_size");
  REFUSED(cq_file_simulate(w.file, NULL, 0, NULL, 0, CQ_RECORD_TABLES), CQ_USAGE, "no folder");
  REFUSED(cq_file_simulate(w.file, NULL, 0, "none", -1, CQ_RECORD_TABLES), CQ_USAGE, "-1 frames");
  REFUSED(cq_file_simulate(w.file, NULL, 0, "none", 0, 8), CQ_USAGE, "no record 8");
  REFUSED(cq_file_simulate(w.file, many, 1, "none", 0, CQ_RECORD_TABLES), CQ_USAGE, "numbers");
  REFUSED(cq_file_simulate(w.file, NULL, 0, "no/such", 0, CQ_RECORD_TABLES), CQ_IO, "no/such");
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
  REFUSED(cq_run_look(lean, 0, z, 2), CQ_USAGE, "reset it");
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
  REFUSED(cq_run_clear_seeds(lean), CQ_USAGE, "CQ_RUN_KEEP");
  REFUSED(cq_run_seed_earned(lean, 0, -1, 1), CQ_USAGE, "CQ_RUN_KEEP");
  REFUSED(cq_run_gradient(lean, 0, g, 2), CQ_USAGE, "CQ_RUN_KEEP");
  REFUSED(cq_run_read_controls(lean, 0, u, 2), CQ_USAGE, "step 0 was not made");
  cq_run_destroy(lean);
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  REFUSED(cq_run_pull(w.run), CQ_USAGE, "needs a step");
  REFUSED(cq_run_pull_to(w.run, 0), CQ_USAGE, "a sweep cannot go");
  REFUSED(cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g, 2), CQ_USAGE, "a pull before");
  MUST(&w, cq_run_advance(w.run, 1, NULL, 0));
  MUST(&w, cq_run_pull(w.run));
  REFUSED(cq_run_earned(w.run, 2, z, 1), CQ_USAGE, "from state 2");
  REFUSED(cq_run_earned(w.run, 0, z, 2), CQ_USAGE, "terms");
  REFUSED(cq_run_seed_earned(w.run, 1, 0, 1), CQ_USAGE, "no term 1");
  REFUSED(cq_run_seed_earned(w.run, 0, 0, NAN), CQ_USAGE, "the weight is nan");
  REFUSED(cq_run_read(w.run, -1, z, 2), CQ_USAGE, "no field -1");
  REFUSED(cq_run_read(w.run, 0, z, 2), CQ_USAGE, "2 numbers");
  REFUSED(cq_run_look(w.run, 0, z, 2), CQ_USAGE, "no image 0");
  REFUSED(cq_run_read_controls(w.run, 0, z, 1), CQ_USAGE, "controls");
  cq_about_control control = {.struct_size = sizeof control};
  REFUSED(cq_run_control(w.run, 2, &control), CQ_USAGE, "no control 2");
  REFUSED(cq_run_control(w.run, 0, NULL), CQ_USAGE, "no struct");
  cq_about_array array = {.struct_size = sizeof array};
  REFUSED(cq_run_describe(w.run, (cq_list)7, 0, &array), CQ_USAGE, "no entry 0");
  char few[4];
  size = sizeof few;
  REFUSED(cq_run_save(w.run, few, &size), CQ_USAGE, "room for 4");
  REFUSED(cq_run_save(w.run, few, NULL), CQ_USAGE, "size of the state");
  REFUSED(cq_run_load(w.run, NULL, 0), CQ_USAGE, "no state");
  REFUSED(cq_run_load(w.run, few, sizeof few), CQ_USAGE, "no state");
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

/* With a file that was destroyed. */
#define GONE(call)                                                                                 \
  do {                                                                                             \
    cq_ctx_clear_error(other.ctx);                                                                 \
    CHECK((call) == CQ_USAGE);                                                                     \
    CHECK_MSG(strstr(cq_ctx_error(other.ctx), "destroyed") != NULL, "%s: %s", #call,               \
              cq_ctx_error(other.ctx));                                                            \
  } while (0)

/* A run that outlives its file refuses everything, and is the one that frees it; so does the file,
 * which lives until then. */
static void test_destroyed(void) {
  run_world other = open_run("finger", NULL, CQ_RUN_KEEP);
  double z[2] = {0, 0};
  size_t size = sizeof z;
  uint64_t hash = 0;
  cq_run *more = NULL;
  cq_about_array array = {.struct_size = sizeof array};
  cq_about_control control = {.struct_size = sizeof control};
  cq_outcome out = {.struct_size = sizeof out};
  cq_answer a = {.struct_size = sizeof a};
  MUST(&other, cq_run_reset(other.run, NULL, 0));
  cq_file_destroy(other.file);
  GONE(cq_run_reset(other.run, NULL, 0));
  GONE(cq_run_advance(other.run, 1, NULL, 0));
  GONE(cq_run_control(other.run, 0, &control));
  GONE(cq_run_read_controls(other.run, 0, z, 2));
  GONE(cq_run_describe(other.run, CQ_INPUTS, 0, &array));
  GONE(cq_run_observe(other.run, 0, 0, z, 2));
  GONE(cq_run_read(other.run, 0, z, 2));
  GONE(cq_run_read_input(other.run, 0, z, 2));
  GONE(cq_run_write(other.run, 0, z, 2));
  GONE(cq_run_save(other.run, NULL, &size));
  GONE(cq_run_load(other.run, z, sizeof z));
  GONE(cq_run_seed(other.run, 0, 0, z, 2));
  GONE(cq_run_clear_seeds(other.run));
  GONE(cq_run_earned(other.run, -1, z, 1));
  GONE(cq_run_seed_earned(other.run, 0, -1, 1));
  GONE(cq_run_pull(other.run));
  GONE(cq_run_gradient(other.run, 0, z, 2));
  CHECK(cq_run_step(other.run) == -1 && cq_run_find(other.run, CQ_FIELDS, "x") == -1);
  GONE(cq_run_create(other.file, 0, &more));
  GONE(cq_file_info(other.file, &other.about));
  GONE(cq_file_evaluate(other.file, NULL, 0, &a));
  GONE(cq_file_evaluate_many(other.file, z, 1, 2, &a));
  GONE(cq_file_solve(other.file, NULL, NULL, NULL, z, 2, &out));
  GONE(cq_file_simulate(other.file, NULL, 0, "none", 0, CQ_RECORD_TABLES));
  GONE(cq_file_hash(other.file, true, &hash));
  GONE(cq_file_get(other.file, "simulation.steps", NULL, &size));
  cq_file_destroy(other.file);
  other.file = NULL;
  close_run(&other);
}

static cq_status bowl(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  return test_bowl(data, x, f, c, grad, jac);
}

/* The optimizers of their own. */
static void test_optimizer(void) {
  const double lower[1] = {-5}, upper[1] = {5}, start[1] = {3};
  double x[1] = {0};
  cq_problem p = {.n = 1, .lower = lower, .upper = upper, .eval = bowl};
  cq_optimizer_def def = cq_optimizer_default();
  cq_result result;
  cq_gradcheck check;
  p.gradient = CQ_GRADIENT_EXACT_REVERSE;
  REFUSED(cq_optimize(w.ctx, &p, &def, NULL, NULL, x, NULL, &result), CQ_USAGE, "start");
  REFUSED(cq_optimizer_accepts(w.ctx, &def, &p), CQ_USAGE, "start");
  p.start = start;
  REFUSED(cq_optimize(w.ctx, NULL, &def, NULL, NULL, x, NULL, &result), CQ_USAGE, "problem");
  REFUSED(cq_optimize(w.ctx, &p, NULL, NULL, NULL, x, NULL, &result), CQ_USAGE, "settings");
  REFUSED(cq_optimize_from(w.ctx, &p, &def, NULL, NULL, NULL, NULL, NULL, &result), CQ_USAGE,
          "room for x");
  REFUSED(cq_optimize_from(w.ctx, &p, &def, NULL, NULL, NULL, x, NULL, NULL), CQ_USAGE, "result");
  REFUSED(cq_gradcheck_block(w.ctx, &p, NULL, -1, 0, 1, 1e-5, &check), CQ_USAGE, "missing");
  REFUSED(cq_gradcheck_block(w.ctx, &p, start, -1, 0, 2, 1e-5, &check), CQ_USAGE, "variables");
  REFUSED(cq_gradcheck_block(w.ctx, &p, start, 0, 0, 1, 1e-5, &check), CQ_USAGE, "no constraint 0");
  def.name = "no_such";
  REFUSED(cq_optimizer_accepts(w.ctx, &def, &p), CQ_CONFIG, "no_such");
  def = (cq_optimizer_def){.name = "sqp"};
  REFUSED(cq_optimize(w.ctx, &p, &def, NULL, NULL, x, NULL, &result), CQ_USAGE,
          "cq_optimizer_default");
  p.eval = NULL;
  def = cq_optimizer_default();
  REFUSED(cq_optimize(w.ctx, &p, &def, NULL, NULL, x, NULL, &result), CQ_USAGE, "no eval");
}

static const char *long_setting(void) {
  static char text[400] = "name=";
  memset(text + 5, 'a', sizeof text - 6);
  return text;
}

/* What is wrong with a function that is to be minimised. */
static void refuse_functions(const cq_settings *s, const cq_function_def *good) {
  double x[1];
  cq_outcome out = {.struct_size = sizeof out};
  cq_ctx *const other = cq_ctx_create(1, 1);
  cq_function_def bad = *good;
  CHECK(cq_minimise(other, good, s, NULL, NULL, x, 1, &out) == CQ_USAGE);
  CHECK(strstr(cq_ctx_error(other), "another context") != NULL);
  cq_ctx_destroy(other);
  bad.struct_size = 8;
  REFUSED(cq_minimise(w.ctx, &bad, s, NULL, NULL, x, 1, &out), CQ_USAGE, "struct_size");
  bad = *good;
  bad.function = NULL;
  REFUSED(cq_minimise(w.ctx, &bad, s, NULL, NULL, x, 1, &out), CQ_USAGE, "missing");
  bad = *good;
  bad.start = NULL;
  REFUSED(cq_minimise(w.ctx, &bad, s, NULL, NULL, x, 1, &out), CQ_USAGE, "missing");
  bad = *good;
  bad.n = 0;
  REFUSED(cq_minimise(w.ctx, &bad, s, NULL, NULL, x, 0, &out), CQ_USAGE, "0 variables");
  bad = *good;
  bad.n_inequality = -1;
  REFUSED(cq_minimise(w.ctx, &bad, s, NULL, NULL, x, 1, &out), CQ_USAGE, "-1");
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
  REFUSED(cq_settings_set(s, NULL), CQ_USAGE, "setting is missing");
  REFUSED(cq_settings_set(s, long_setting()), CQ_USAGE, "too long");
  REFUSED(cq_settings_create(w.ctx, NULL), CQ_USAGE, "nowhere");
  MUST(&w, cq_settings_set(s, "name=sqp"));
  REFUSED(cq_minimise(w.ctx, NULL, s, NULL, NULL, x, 1, &out), CQ_USAGE, "no function");
  REFUSED(cq_minimise(w.ctx, &def, s, NULL, NULL, x, 2, &out), CQ_USAGE, "2 numbers");
  REFUSED(cq_minimise(w.ctx, &def, s, NULL, NULL, x, 1, NULL), CQ_USAGE, "no struct");
  refuse_functions(s, &def);
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
  test_context();
  test_file();
  test_design();
  test_texts();
  test_evaluate();
  test_order();
  test_inputs();
  test_destroyed();
  test_minimise();
  test_optimizer();
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
  CHECK_STR(cq_capability("simd"), cq_simd_level());
  CHECK(strstr(cq_capability("engines"), "mpm") != NULL);
  CHECK(cq_capability("no_such") == NULL && cq_capability(NULL) == NULL);
}

int main(void) {
  w = open_run("finger", NULL, CQ_RUN_KEEP);
  RUN(test_nothing);
  RUN(test_context);
  RUN(test_file);
  RUN(test_design);
  RUN(test_texts);
  RUN(test_evaluate);
  RUN(test_order);
  RUN(test_inputs);
  RUN(test_destroyed);
  RUN(test_minimise);
  RUN(test_optimizer);
  RUN(test_quiet);
  RUN(test_version);
  close_run(&w);
  return TEST_RESULT();
}
