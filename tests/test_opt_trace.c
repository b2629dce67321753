/* The evaluation record: round trip, torn tails, full disks, equal runs. */
#include "hash.h"
#include "test.h"
#include "test_opt_problems.h"
#include "trace.h"
#include "trace_format.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct folder {
  char dir[64], bin[96], csv[96];
} folder;

static folder make_folder(void) {
  folder f = {.dir = "/tmp/cqopt_trace_XXXXXX"};
  CHECK(mkdtemp(f.dir) != NULL);
  snprintf(f.bin, sizeof f.bin, "%s/evals.bin", f.dir);
  snprintf(f.csv, sizeof f.csv, "%s/history.csv", f.dir);
  return f;
}

static void remove_folder(const folder *f) {
  unlink(f->bin);
  unlink(f->csv);
  CHECK(rmdir(f->dir) == 0);
}

static cq_status create(cq_ctx *ctx, const char *dir, int n, int m, const char *const *labels,
                        cq_trace **out) {
  const cq_trace_def def = {.n = n, .n_constraints = m, .constraint_labels = labels};
  return cq_trace_create(ctx, dir, &def, out);
}

/* hands every record to fn, which may be NULL */
static cq_status read_all(cq_ctx *ctx, const char *path, cq_record_fn fn, void *user,
                          cq_trace_info *info) {
  cq_trace_reader *reader = NULL;
  const cq_evaluation *e = NULL;
  cq_status status = cq_trace_open(ctx, path, &reader);
  if (status != CQ_OK) {
    return status;
  }
  while ((status = cq_trace_next(reader, &e)) == CQ_OK && e != NULL && fn != NULL) {
    fn(user, e);
  }
  while (status == CQ_OK && e != NULL) {
    status = cq_trace_next(reader, &e);
  }
  *info = (cq_trace_info){.struct_size = sizeof *info};
  CHECK(cq_trace_reader_info(reader, info) == CQ_OK);
  cq_trace_close(reader);
  return status;
}

static char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  CHECK(file != NULL && text != NULL);
  *size = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  return text;
}

/* SLSQP on HS 71: the record of a real run, optionally with a failure at its end */
static cq_result run_into(const folder *f, const char *const *labels, int fail_at) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  tp t = tp_make(tp_find("hs71"));
  t.fault = TP_STATUS;
  t.fault_from = t.fault_to = fail_at;
  const cq_problem problem = tp_problem(&t);
  const cq_optimizer_def def = cq_optimizer_default();
  cq_trace *trace = NULL;
  cq_result result;
  double x[TP_MAX];
  CHECK(create(ctx, f->dir, 4, 2, labels, &trace) == CQ_OK);
  cq_optimize(ctx, &problem, &def, cq_trace_record, trace, x, NULL, &result);
  CHECK(cq_trace_destroy(trace) == CQ_OK);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return result;
}

typedef struct reread {
  int n, gradients, failures;
} reread;

static cq_status check_record(void *user, const cq_evaluation *e) {
  reread *r = user;
  double g[TP_MAX], c[TP_MAX], j[TP_MAX][TP_MAX];
  const double f = tp_find("hs71")->eval(e->x, g, c, j);
  r->n++;
  r->gradients += e->has_gradient;
  if (e->status != CQ_OK) {
    r->failures++;
    CHECK(isnan(e->f) && isnan(e->violation) && isnan(e->c[0]));
    return CQ_OK;
  }
  CHECK(e->f == f && e->c[0] == c[0] && e->c[1] == c[1]);
  CHECK((e->grad != NULL) == e->has_gradient && (e->jac != NULL) == e->has_gradient);
  for (int k = 0; e->has_gradient && k < 4; k++) {
    CHECK(e->grad[k] == g[k] && e->jac[k] == j[0][k] && e->jac[4 + k] == j[1][k]);
  }
  return CQ_OK;
}

static void test_round_trip(void) {
  for (int fail_at = 0; fail_at <= 6; fail_at += 6) {
    const folder f = make_folder();
    const cq_result result = run_into(&f, NULL, fail_at);
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_trace_info info;
    reread r = {0};
    struct stat stat_;
    CHECK(read_all(ctx, f.bin, check_record, &r, &info) == CQ_OK);
    CHECK(info.n == 4 && info.n_constraints == 2 && !info.torn && info.records == r.n);
    CHECK(r.n >= result.evaluations && r.failures == (fail_at > 0));
    CHECK(stat(f.bin, &stat_) == 0 && stat_.st_size == info.bytes);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
    remove_folder(&f);
  }
}

/* Each record is in the file before the next evaluation, with a row in the CSV and no sign on NaN.
 */
static void test_written_at_once(void) {
  const folder f = make_folder();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trace *trace = NULL;
  cq_trace_info info;
  const double x = 1, c = -NAN;
  CHECK(create(ctx, f.dir, 1, 1, NULL, &trace) == CQ_OK);
  for (int i = 1; i <= 3; i++) {
    const cq_evaluation e = {.index = i, .n = 1, .n_constraints = 1, .x = &x, .c = &c, .f = 0.1};
    CHECK(cq_trace_record(trace, &e) == CQ_OK);
    CHECK(read_all(ctx, f.bin, NULL, NULL, &info) == CQ_OK && info.records == i && !info.torn);
  }
  size_t size = 0;
  char *text = slurp(f.csv, &size);
  CHECK(strstr(text, ",0.10000000000000001,nan,0,OK,0,,0.000000,0.000000\n3,f,") != NULL);
  const cq_evaluation other = {.index = 4, .n = 2, .n_constraints = 1, .x = &x, .c = &c};
  CHECK(cq_trace_record(trace, &other) == CQ_USAGE);
  free(text);
  cq_trace_destroy(trace);
  cq_ctx_destroy(ctx);
  remove_folder(&f);
}

static void test_csv(void) {
  const folder f = make_folder();
  const char *const labels[2] = {"lift", "mass, \"total\""};
  const cq_result result = run_into(&f, labels, 0);
  size_t size = 0;
  char *text = slurp(f.csv, &size);
  const char *columns = "eval,kind,x_hash,f,lift,\"mass, \"\"total\"\"\",violation,status,"
                        "refinement,gradient_norm,eval_seconds,elapsed_seconds\n";
  CHECK(strncmp(text, columns, strlen(columns)) == 0);
  const double start[4] = {1, 5, 5, 1};
  char row[200];
  /* f(start) = 16, product 25, squares 52, gradient (12, 1, 2, 11) */
  snprintf(row, sizeof row, "1,fg,%016llx,16,0,12,12,OK,0,16.4316767,",
           (unsigned long long)cq_hash(start, sizeof start));
  CHECK(strncmp(text + strlen(columns), row, strlen(row)) == 0);
  int lines = 0;
  for (size_t i = 0; i < size; i++) {
    lines += text[i] == '\n';
  }
  CHECK(lines > result.evaluations && text[size - 1] == '\n');
  free(text);
  remove_folder(&f);
}

static void test_failed_row(void) {
  const folder f = make_folder();
  run_into(&f, NULL, 1);
  size_t size = 0;
  char *text = slurp(f.csv, &size);
  CHECK(strstr(text, ",c_0,c_1,violation,") != NULL);
  CHECK(strstr(text, ",nan,nan,nan,nan,OUT_OF_ROOM,") != NULL && strstr(text, "-nan") == NULL);
  free(text);
  remove_folder(&f);
}

/* Cut anywhere, or damaged anywhere, the whole records before are read and the rest is reported. */
static void test_torn_tail(void) {
  const folder f = make_folder();
  run_into(&f, NULL, 0);
  size_t size = 0;
  char *bytes = slurp(f.bin, &size);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trace_info whole, info;
  CHECK(read_all(ctx, f.bin, NULL, NULL, &whole) == CQ_OK && whole.records >= 3);
  for (size_t cut = 32; cut < size; cut += 7) {
    FILE *file = fopen(f.bin, "wb");
    CHECK(fwrite(bytes, 1, cut, file) == cut && fclose(file) == 0);
    reread r = {0};
    CHECK(read_all(ctx, f.bin, check_record, &r, &info) == CQ_OK);
    CHECK(info.records < whole.records && info.bytes <= (long long)cut);
    CHECK(info.torn == (info.bytes != (long long)cut));
  }
  for (size_t at = size - 1; at > size - 100; at -= 9) {
    bytes[at] ^= 1;
    FILE *file = fopen(f.bin, "wb");
    CHECK(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    bytes[at] ^= 1;
    CHECK(read_all(ctx, f.bin, NULL, NULL, &info) == CQ_OK);
    CHECK(info.torn && info.records == whole.records - 1);
  }
  CHECK(truncate(f.bin, 10) == 0);
  CHECK(read_all(ctx, f.bin, NULL, NULL, &info) == CQ_IO);
  CHECK(strstr(cq_ctx_error(ctx), f.bin) != NULL);
  cq_ctx_destroy(ctx);
  free(bytes);
  remove_folder(&f);
}

static void test_equal_runs(void) {
  const folder a = make_folder(), b = make_folder();
  run_into(&a, NULL, 0);
  run_into(&b, NULL, 0);
  size_t size_a = 0, size_b = 0;
  char *bin_a = slurp(a.bin, &size_a), *bin_b = slurp(b.bin, &size_b);
  CHECK(size_a == size_b && memcmp(bin_a, bin_b, size_a) == 0);
  char *csv_a = slurp(a.csv, &size_a), *csv_b = slurp(b.csv, &size_b);
  char *next_a = csv_a, *next_b = csv_b, *line_a = NULL, *line_b = NULL;
  while ((line_a = strtok_r(next_a, "\n", &next_a)) != NULL) {
    line_b = strtok_r(next_b, "\n", &next_b);
    CHECK(line_b != NULL);
    for (int k = 0; k < 2 && line_b != NULL; k++) {
      *strrchr(line_a, ',') = '\0';
      *strrchr(line_b, ',') = '\0';
    }
    CHECK_STR(line_a, line_b);
  }
  CHECK(strtok_r(next_b, "\n", &next_b) == NULL);
  free(bin_a);
  free(bin_b);
  free(csv_a);
  free(csv_b);
  remove_folder(&a);
  remove_folder(&b);
}

/* A disk that fills up after some records: the run ends with CQ_IO, and what was written is whole.
 */
static void test_full_disk(void) {
  const folder f = make_folder();
  struct rlimit before, limit;
  CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
  limit = before;
  limit.rlim_cur = 1000;
  signal(SIGXFSZ, SIG_IGN);
  cq_ctx *ctx = cq_ctx_create(1, 3);
  tp t = tp_make(tp_find("hs71"));
  const cq_problem problem = tp_problem(&t);
  const cq_optimizer_def def = cq_optimizer_default();
  cq_trace *trace = NULL;
  cq_result result;
  double x[TP_MAX];
  CHECK(create(ctx, f.dir, 4, 2, NULL, &trace) == CQ_OK);
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  CHECK(cq_optimize(ctx, &problem, &def, cq_trace_record, trace, x, NULL, &result) == CQ_IO);
  cq_trace_destroy(trace);
  CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK_MSG(strstr(cq_ctx_error(ctx), f.bin) != NULL && strstr(result.reason, f.bin) != NULL, "%s",
            result.reason);
  cq_ctx_clear_error(ctx);
  cq_trace_info info;
  CHECK(read_all(ctx, f.bin, NULL, NULL, &info) == CQ_OK);
  CHECK(info.records >= 1 && info.records == t.calls - 1);
  cq_ctx_destroy(ctx);
  remove_folder(&f);
}

/* One record with a head of our making and a hash that is right. */
static cq_status read_crafted(const folder *f, const cq_trace_record_head *head, int doubles,
                              cq_ctx *ctx) {
  const cq_trace_header header = {.magic = CQ_TRACE_MAGIC,
                                  .version = CQ_TRACE_VERSION,
                                  .byte_order = CQ_TRACE_BYTE_ORDER,
                                  .n = 2};
  unsigned char payload[sizeof *head + 4 * sizeof(double)] = {0};
  const uint64_t bytes = sizeof *head + (size_t)doubles * sizeof(double);
  memcpy(payload, head, sizeof *head);
  const uint64_t hash = cq_hash(payload, bytes);
  cq_trace_info info;
  FILE *const file = fopen(f->bin, "wb");
  CHECK(fwrite(&header, sizeof header, 1, file) == 1 && fwrite(&bytes, sizeof bytes, 1, file) == 1);
  CHECK(fwrite(payload, 1, bytes, file) == bytes && fwrite(&hash, sizeof hash, 1, file) == 1);
  CHECK(fclose(file) == 0);
  return read_all(ctx, f->bin, NULL, NULL, &info);
}

/* A status is a place in a table, a refinement a power of two, a gradient takes room. */
static void test_crafted_records(void) {
  const folder f = make_folder();
  const cq_trace_record_head right = {.index = 1, .status = CQ_TOO_FAST, .refinement = 2};
  cq_trace_record_head wrong[7];
  for (int i = 0; i < 7; i++) {
    wrong[i] = right;
  }
  wrong[0].status = CQ_N_STATUSES;
  wrong[1].status = -1;
  wrong[2].refinement = 40;
  wrong[3].refinement = -1;
  wrong[4].index = -7;
  wrong[5].index = 0;
  wrong[6].has_gradient = 1; /* and no room for it */
  cq_ctx *ctx = cq_ctx_create(1, 1);
  CHECK(read_crafted(&f, &right, 2, ctx) == CQ_OK);
  for (int i = 0; i < 7; i++) {
    CHECK_MSG(read_crafted(&f, &wrong[i], 2, ctx) == CQ_IO, "record %d is taken", i);
    CHECK_MSG(strstr(cq_ctx_error(ctx), "evals.bin is damaged: record 1") != NULL, "%s",
              cq_ctx_error(ctx));
    cq_ctx_clear_error(ctx);
  }
  CHECK(read_crafted(&f, &right, 4, ctx) == CQ_IO); /* room for one, and none */
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  unlink(f.bin);
  CHECK(rmdir(f.dir) == 0);
}

/* A header alone asks for no memory, whatever it says. */
static void test_large_header(void) {
  const folder f = make_folder();
  const cq_trace_header header = {.magic = CQ_TRACE_MAGIC,
                                  .version = CQ_TRACE_VERSION,
                                  .byte_order = CQ_TRACE_BYTE_ORDER,
                                  .n = 1 << 28,
                                  .m = 1 << 28,
                                  .k = 1 << 28};
  const uint64_t bytes = cq_trace_payload(1 << 28, 1 << 28, 1 << 28, 0, 1);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trace_info info;
  FILE *const file = fopen(f.bin, "wb");
  CHECK(fwrite(&header, sizeof header, 1, file) == 1 && fwrite(&bytes, sizeof bytes, 1, file) == 1);
  CHECK(fclose(file) == 0);
  CHECK(read_all(ctx, f.bin, NULL, NULL, &info) == CQ_OK);
  CHECK(info.torn && info.records == 0);
  cq_ctx_destroy(ctx);
  unlink(f.bin);
  CHECK(rmdir(f.dir) == 0);
}

static void test_refusals(void) {
  const folder f = make_folder();
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trace *trace = NULL;
  CHECK(create(ctx, "/nowhere/at/all", 2, 0, NULL, &trace) == CQ_IO && trace == NULL);
  CHECK(strstr(cq_ctx_error(ctx), "/nowhere/at/all/evals.bin") != NULL);
  cq_ctx_clear_error(ctx);
  /* an older record is never overwritten, nor is a link to a device written through */
  CHECK(symlink("/dev/full", f.bin) == 0);
  CHECK(create(ctx, f.dir, 2, 0, NULL, &trace) == CQ_IO && trace == NULL);
  cq_ctx_clear_error(ctx);
  cq_trace_info info;
  CHECK(read_all(ctx, "/nowhere/evals.bin", NULL, NULL, &info) == CQ_IO);
  CHECK(cq_ctx_bytes(ctx) == 0);
  CHECK(cq_trace_destroy(NULL) == CQ_OK);
  cq_ctx_destroy(ctx);
  remove_folder(&f);
}

int main(void) {
  RUN(test_round_trip);
  RUN(test_written_at_once);
  RUN(test_csv);
  RUN(test_failed_row);
  RUN(test_torn_tail);
  RUN(test_equal_runs);
  RUN(test_full_disk);
  RUN(test_crafted_records);
  RUN(test_large_header);
  RUN(test_refusals);
  return TEST_RESULT();
}
