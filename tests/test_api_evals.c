/* What the program wrote into evals.bin is what the API gives, to the last bit: by evaluating at
 * each x of the record, and by a solve of the same file. test_api_evals EVALS.BIN FOLDER PROBLEM
 * SETS...     FOLDER: a new one, for the solve */
#include "cqopt/cqopt.h"

#include "test.h"

#include <unistd.h>

static const char *record, *folder, *problem;
static const char *const *all_sets;
static int n_sets;
static cq_ctx *ctx;
static cq_file *file;
static int n, m;

typedef struct bytes {
  size_t length;
  char *data;
} bytes;

static bytes read_all(const char *path) {
  bytes b = {0, NULL};
  FILE *in = fopen(path, "rb");
  CHECK_MSG(in != NULL, "cannot read %s", path);
  if (in != NULL) {
    fseek(in, 0, SEEK_END);
    b.length = (size_t)ftell(in);
    rewind(in);
    b.data = malloc(b.length + 1);
    CHECK(fread(b.data, 1, b.length, in) == b.length);
    fclose(in);
  }
  return b;
}

/* The same numbers, to the last bit, as at `place` of a record. */
static void same(const char *what, const double *mine, const char *place, size_t count) {
  CHECK_MSG(memcmp(mine, place, count * sizeof *mine) == 0, "%s has other bits", what);
}

/* One record: six integers, f, violation, x, c, extra, parts, and the gradients (opt/trace.h). */
static void check_record(const char *payload, const int *head, bool *with_gradient) {
  int32_t has_gradient = 0, status = 0;
  memcpy(&has_gradient, payload + 4, 4);
  memcpy(&status, payload + 8, 4);
  const char *const f = payload + 24, *const x_at = f + 16;
  const char *const c_at = x_at + 8 * (size_t)n;
  const char *const after = c_at + 8 * (size_t)(m + head[4] + head[5]);
  double *x = malloc(((size_t)n + 1) * 8), *c = malloc(((size_t)m + 1) * 8);
  double *grad = malloc(((size_t)n + 1) * 8), *jac = malloc(((size_t)(n * m) + 1) * 8);
  memcpy(x, x_at, 8 * (size_t)n);
  cq_answer a = {.struct_size = sizeof a, .c = c, .n_c = m};
  if (has_gradient) {
    a.grad = grad;
    a.n_grad = n;
    a.jac = jac;
    a.n_jac = n * m;
  }
  CHECK(status == CQ_OK);
  CHECK(cq_file_evaluate(file, x, n, &a) == CQ_OK);
  same("f", &a.f, f, 1);
  same("c", c, c_at, (size_t)m);
  if (has_gradient) {
    same("the gradient", grad, after, (size_t)n);
    same("the Jacobian", jac, after + 8 * (size_t)n, (size_t)(n * m));
    *with_gradient = true;
  }
  free(x);
  free(c);
  free(grad);
  free(jac);
}

static void test_evaluations(void) {
  const bytes b = read_all(record);
  int32_t head[6]; /* version, byte order, n, m, k, p */
  bool with_gradient = false;
  size_t at = 8 + sizeof head;
  int records = 0;
  memcpy(head, b.data + 8, sizeof head);
  CHECK(head[2] == n && head[3] == m);
  while (at < b.length) {
    uint64_t length = 0;
    memcpy(&length, b.data + at, 8);
    check_record(b.data + at + 8, head, &with_gradient);
    at += 16 + length;
    records++;
  }
  CHECK(records >= 2 && with_gradient);
  free(b.data);
}

/* The same record read by the library: as many evaluations, with the numbers of the file. */
static void test_reader(void) {
  cq_trace_reader *reader = NULL;
  const cq_evaluation *e = NULL;
  cq_trace_info info = {.struct_size = sizeof info};
  double *grad = malloc(((size_t)n + 1) * 8);
  int gradients = 0;
  CHECK(cq_trace_open(ctx, record, &reader) == CQ_OK);
  CHECK(cq_trace_next(reader, &e) == CQ_OK && e != NULL && e->index == 1 && e->replayed);
  while (e != NULL) {
    cq_answer a = {.struct_size = sizeof a};
    if (e->has_gradient) {
      a.grad = grad;
      a.n_grad = n;
      gradients++;
    }
    CHECK(cq_file_evaluate(file, e->x, n, &a) == CQ_OK);
    same("f of the reader", &a.f, (const char *)&e->f, 1);
    if (e->has_gradient) {
      same("the gradient of the reader", grad, (const char *)e->grad, (size_t)n);
    }
    CHECK(cq_trace_next(reader, &e) == CQ_OK);
  }
  CHECK(cq_trace_reader_info(reader, &info) == CQ_OK);
  CHECK(info.n == n && info.n_constraints == m && !info.torn && gradients > 0);
  const bytes b = read_all(record);
  CHECK(info.bytes == (long long)b.length && info.records >= 2);
  cq_trace_close(reader);
  free(b.data);
  free(grad);
}

/* A solve of the API in a folder of its own leaves the same record. */
static void test_solve(void) {
  char path[4096];
  double *x = malloc(((size_t)n + 1) * 8);
  cq_outcome outcome = {.struct_size = sizeof outcome};
  const cq_status status = cq_file_solve(file, folder, NULL, NULL, x, n, &outcome);
  CHECK_MSG(status == outcome.status && outcome.has_point, "%s", outcome.reason);
  snprintf(path, sizeof path, "%s/evals.bin", folder);
  const bytes theirs = read_all(record), mine = read_all(path);
  CHECK_MSG(theirs.length == mine.length && memcmp(theirs.data, mine.data, mine.length) == 0,
            "the solve has another record");
  static const char *const names[] = {"problem.cfg", "design.csv", "run.json"};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    CHECK_MSG(access(path, R_OK) == 0, "there is no %s", path);
  }
  free(theirs.data);
  free(mine.data);
  free(x);
}

typedef struct stop {
  int after, calls, replayed;
} stop;

/* Ends a run after so many evaluations. */
static cq_status end_early(void *user, const cq_evaluation *e) {
  stop *const s = user;
  s->calls++;
  s->replayed += e->replayed;
  return s->calls == s->after ? CQ_INTERRUPTED : CQ_OK;
}

/* A solve that was cut off goes on in its folder, and its record is that of the whole run. */
static void test_resume(void) {
  char part[4096], path[4200];
  double *x = malloc(((size_t)n + 1) * 8), *held = malloc(((size_t)m + 1) * 8);
  cq_solve *solve = NULL, *other = NULL;
  cq_outcome outcome = {.struct_size = sizeof outcome};
  stop s = {.after = 1};
  snprintf(part, sizeof part, "%.4000s.part", folder);
  snprintf(path, sizeof path, "%s/evals.bin", part);
  CHECK(cq_solve_create(file, part, 0, &solve) == CQ_OK);
  CHECK(cq_solve_create(file, part, CQ_SOLVE_RESUME, &other) == CQ_IO && other == NULL);
  CHECK(cq_solve_multipliers(solve, held, m) == CQ_USAGE);
  CHECK(cq_solve_run(solve, end_early, &s, x, n, &outcome) == CQ_INTERRUPTED && s.calls == 1);
  CHECK(cq_solve_run(solve, NULL, NULL, x, n, &outcome) == CQ_USAGE);
  CHECK(cq_solve_close(solve) == CQ_OK);
  s = (stop){.after = 0};
  CHECK(cq_solve_create(file, part, CQ_SOLVE_RESUME, &solve) == CQ_OK);
  const cq_status status = cq_solve_run(solve, end_early, &s, x, n, &outcome);
  CHECK_MSG(status == outcome.status && status != CQ_INTERRUPTED, "%s", outcome.reason);
  CHECK(s.replayed == 1 && outcome.replayed == 1 && s.calls > 1 && outcome.evaluations == 2);
  CHECK(cq_solve_multipliers(solve, held, m) == CQ_OK);
  CHECK(cq_solve_close(solve) == CQ_OK);
  const bytes theirs = read_all(record), mine = read_all(path);
  CHECK_MSG(theirs.length == mine.length && memcmp(theirs.data, mine.data, mine.length) == 0,
            "the run that went on has another record");
  free(theirs.data);
  free(mine.data);
  free(x);
  free(held);
}

/* The same by the call that does all: a run that was cut off has its files, and says how it ended.
 */
static void test_resume_folder(void) {
  char part[4096], path[4200], text[4096] = "";
  double *x = malloc(((size_t)n + 1) * 8);
  cq_outcome outcome = {.struct_size = sizeof outcome};
  stop s = {.after = 1};
  snprintf(part, sizeof part, "%.4000s.again", folder);
  snprintf(path, sizeof path, "%s/evals.bin", part);
  CHECK(cq_file_solve(file, part, end_early, &s, x, n, &outcome) == CQ_INTERRUPTED);
  CHECK(cq_file_resume(file, folder, 64, NULL, NULL, x, n, &outcome) == CQ_USAGE);
  const cq_status status = cq_file_resume(file, part, 0, NULL, NULL, x, n, &outcome);
  CHECK(status == outcome.status && status != CQ_INTERRUPTED && outcome.replayed == 1);
  const bytes theirs = read_all(record), mine = read_all(path);
  CHECK_MSG(theirs.length == mine.length && memcmp(theirs.data, mine.data, mine.length) == 0,
            "the run that went on has another record");
  snprintf(path, sizeof path, "%s/run.json", part);
  const bytes run = read_all(path);
  snprintf(text, sizeof text, "\n  \"status\": \"%s\",", cq_status_name(status));
  run.data[run.length] = '\0';
  CHECK(strstr(run.data, text) != NULL);
  free(run.data);
  free(theirs.data);
  free(mine.data);
  free(x);
}

/* By its run.json a folder is of this file, and not of one with another method, which may go on
 * from its best design alone. */
static void test_may_resume(void) {
  cq_file *other = NULL;
  const char *sets[32];
  for (int i = 0; i < n_sets; i++) {
    sets[i] = all_sets[i];
  }
  sets[n_sets] = "optimizer.name=adam";
  CHECK(cq_file_may_resume(file, folder, 0) == CQ_OK);
  CHECK(cq_file_may_resume(file, "no_such", 0) == CQ_IO);
  CHECK(cq_file_load(ctx, problem, sets, n_sets + 1, &other) == CQ_OK);
  CHECK(cq_file_may_resume(other, folder, 0) == CQ_CONFIG);
  CHECK(strstr(cq_ctx_error(ctx), "is not the problem of this run") != NULL);
  CHECK(cq_file_may_resume(other, folder, CQ_SOLVE_RESUME | CQ_SOLVE_DIVERGE) == CQ_OK);
  cq_file_destroy(other);
}

/* A record of the run is there, by its tables. */
static void test_simulate(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/run", folder);
  CHECK(cq_file_simulate(file, NULL, 0, path, 2, 0) == CQ_USAGE);
  CHECK(cq_file_simulate(file, NULL, 0, path, 2, CQ_RECORD_TABLES) == CQ_OK);
  snprintf(path, sizeof path, "%s/run/observations.csv", folder);
  CHECK(access(path, R_OK) == 0);
}

int main(int argc, char **argv) {
  ctx = cq_ctx_create(1, 1);
  cq_about_file about = {.struct_size = sizeof about};
  record = argv[1];
  folder = argv[2];
  problem = argv[3];
  all_sets = (const char *const *)argv + 4;
  n_sets = argc - 4;
  CHECK_MSG(cq_file_load(ctx, problem, all_sets, n_sets, &file) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_file_info(file, &about) == CQ_OK);
  n = about.variables;
  m = about.inequalities + about.equalities;
  RUN(test_evaluations);
  RUN(test_reader);
  RUN(test_solve);
  RUN(test_resume);
  RUN(test_resume_folder);
  RUN(test_may_resume);
  RUN(test_simulate);
  cq_file_destroy(file);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
