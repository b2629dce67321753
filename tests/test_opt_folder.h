/* Runs that keep a record in a folder, are cut off and go on. */
#ifndef CQ_TESTS_OPT_FOLDER_H
#define CQ_TESTS_OPT_FOLDER_H

#include "test.h"
#include "test_opt_problems.h"
#include "trace.h"

#include <unistd.h>

enum { MAX_EVALUATIONS = 30 };

typedef struct folder {
  char dir[64], bin[96], csv[96];
} folder;

static inline folder make_folder(void) {
  /* every record is synced: in memory, where there is such a place, that takes no time */
  const bool in_memory = access("/dev/shm", W_OK) == 0;
  folder f;
  snprintf(f.dir, sizeof f.dir, "%s/cqopt_resume_XXXXXX", in_memory ? "/dev/shm" : "/tmp");
  CHECK(mkdtemp(f.dir) != NULL);
  snprintf(f.bin, sizeof f.bin, "%s/evals.bin", f.dir);
  snprintf(f.csv, sizeof f.csv, "%s/history.csv", f.dir);
  return f;
}

static inline bool exists(const folder *f, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", f->dir, name);
  return access(path, F_OK) == 0;
}

static inline void remove_folder(const folder *f) {
  static const char *const names[] = {"evals.bin", "history.csv", "evals.torn", "history.torn"};
  for (int i = 0; i < 4; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->dir, names[i]);
    unlink(path);
  }
  CHECK(rmdir(f->dir) == 0);
}

static inline char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  CHECK(file != NULL && text != NULL);
  *size = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  return text;
}

/* history.csv without its columns of seconds */
static inline char *history(const folder *f) {
  size_t size = 0;
  char *text = slurp(f->csv, &size), *out = calloc(1, size + 1), *to = out, *rest = text;
  for (char *line = NULL; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
    *strrchr(line, ',') = '\0';
    *strrchr(line, ',') = '\0';
    to += sprintf(to, "%s\n", line);
  }
  free(text);
  return out;
}

typedef struct attempt {
  tp problem;
  cq_optimizer_def def;
  cq_trace *trace;
  int newest;          /* index of an evaluation */
  int records, die_at; /* the record after which the process is as good as dead; 0: never */
  cq_result result;
  double x[TP_MAX];
  char error[400];
} attempt;

/* one value beside each evaluation, as terms of an objective are */
static inline cq_status keep(void *user, const cq_evaluation *e) {
  attempt *a = user;
  const double extra = 2 * e->f;
  cq_evaluation copy = *e;
  if (e->replayed) {
    CHECK(e->n_extra == 1 && (isnan(e->f) || e->extra[0] == extra));
    return CQ_OK;
  }
  copy.extra = &extra;
  copy.n_extra = 1;
  const cq_status status = cq_trace_record(a->trace, &copy);
  return ++a->records == a->die_at ? CQ_IO : status;
}

static cq_step_rule step_rule; /* of gradient_descent */

static inline attempt make_attempt(const char *method, const char *test) {
  attempt a = {.problem = tp_make(tp_find(test)), .def = cq_optimizer_default()};
  a.def.name = method;
  a.def.max_evaluations = MAX_EVALUATIONS;
  a.def.learning_rate = 1e-3;
  a.def.step_rule = step_rule;
  return a;
}

static inline cq_status go(attempt *a, const folder *f, bool resume, bool warm) {
  cq_ctx *ctx = cq_ctx_create(1, 3);
  const cq_problem problem = tp_problem(&a->problem);
  const cq_trace_def def = {.n = problem.n,
                            .n_constraints = problem.n_inequality + problem.n_equality,
                            .n_parts = problem.n_parts,
                            .n_residuals = problem.n_residuals,
                            .n_extra = 1};
  cq_trace_past past = {.records = 0};
  cq_trace_reader *reader = NULL;
  cq_status status = resume ? cq_trace_append(ctx, f->dir, &def, &a->trace, &past)
                            : cq_trace_create(ctx, f->dir, &def, &a->trace);
  if (status == CQ_OK && resume) {
    CHECK(cq_trace_open(ctx, f->bin, &reader) == CQ_OK);
  }
  if (status == CQ_OK) {
    const cq_replay replay = {.next = cq_trace_next,
                              .user = reader,
                              .elapsed = past.elapsed,
                              .eval_seconds = past.eval_seconds,
                              .warm = warm};
    status = cq_optimize_from(ctx, &problem, &a->def, resume ? &replay : NULL, keep, a, a->x, NULL,
                              &a->result);
  }
  snprintf(a->error, sizeof a->error, "%s", cq_ctx_error(ctx));
  cq_trace_close(reader);
  cq_trace_destroy(a->trace);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return status;
}

static inline void check_equal(const char *what, int k, const folder *a, const folder *b) {
  size_t size_a = 0, size_b = 0;
  char *bin_a = slurp(a->bin, &size_a), *bin_b = slurp(b->bin, &size_b);
  CHECK_MSG(size_a == size_b && memcmp(bin_a, bin_b, size_a) == 0, "%s after %d: evals.bin", what,
            k);
  char *csv_a = history(a), *csv_b = history(b);
  CHECK_MSG(strcmp(csv_a, csv_b) == 0, "%s after %d: history.csv\n%s\n%s", what, k, csv_a, csv_b);
  free(bin_a);
  free(bin_b);
  free(csv_a);
  free(csv_b);
}

static inline bool takes(const char *name, const char *test) {
  tp t = tp_make(tp_find(test));
  const cq_problem problem = tp_problem(&t);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = name;
  const bool yes = cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK;
  cq_ctx_destroy(ctx);
  return yes;
}

#endif
