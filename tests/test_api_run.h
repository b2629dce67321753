/* A file and a run of it for the tests of runs. */
#ifndef CQ_TESTS_TEST_API_RUN_H
#define CQ_TESTS_TEST_API_RUN_H

#include "cqopt/cqopt.h"

#include "test.h"

typedef struct run_world {
  cq_ctx *ctx;
  cq_file *file;
  cq_run *run;
  cq_about_file about;
} run_world;

static inline void must(const run_world *w, cq_status status, const char *what) {
  CHECK_MSG(status == CQ_OK, "%s: %s: %s", what, cq_status_name(status), cq_ctx_error(w->ctx));
}
#define MUST(w, call) must((w), (call), #call)

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const cq_status status_ = (call);                                                              \
    if (status_ != CQ_OK) {                                                                        \
      return status_;                                                                              \
    }                                                                                              \
  } while (0)

/* A built-in problem with a setting (NULL: none), and a run of it for what. */
static inline run_world open_run(const char *name, const char *set, unsigned what) {
  run_world w = {.ctx = cq_ctx_create(1, 1), .about = {.struct_size = sizeof w.about}};
  MUST(&w, cq_file_load(w.ctx, name, &set, set != NULL, &w.file));
  MUST(&w, cq_file_info(w.file, &w.about));
  MUST(&w, cq_run_create(w.file, what, &w.run));
  if (w.run == NULL) {
    exit(EXIT_FAILURE); /* nothing else would mean anything */
  }
  return w;
}

static inline void close_run(run_world *w) {
  cq_run_destroy(w->run);
  cq_file_destroy(w->file);
  CHECK_MSG(cq_ctx_bytes(w->ctx) == 0, "%zu bytes are left", cq_ctx_bytes(w->ctx));
  cq_ctx_destroy(w->ctx);
}

/* How many numbers an entry of a list has. */
static inline size_t numbers(const run_world *w, cq_list list, int i) {
  cq_about_array about = {.struct_size = sizeof about};
  MUST(w, cq_run_describe(w->run, list, i, &about));
  return about.numbers;
}

/* its least is at 1; below 0 it fails */
static inline cq_status test_bowl(void *user, const double *x, double *f, double *c, double *grad,
                                  double *jac) {
  (void)user;
  (void)c;
  (void)jac;
  *f = x[0] < 0 ? NAN : (x[0] - 1) * (x[0] - 1);
  if (grad != NULL) {
    grad[0] = 2 * (x[0] - 1);
  }
  return CQ_OK;
}

#endif
