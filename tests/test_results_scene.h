/* For the tests of results: a scene of its own context, and the path an optimizer takes in it. */
#ifndef CQ_TESTS_RESULTS_SCENE_H
#define CQ_TESTS_RESULTS_SCENE_H

#include "cqopt/cqopt.h"
#include "test.h"

/* One thread: the bits do not depend on it, and tests run beside each other. */
typedef struct test_scene {
  cq_ctx *ctx;
  cq_file *file;
  cq_scene *scene;
  const cq_problem *problem;
} test_scene;

enum { TEST_PATH = 128, TEST_VARIABLES = 2 };

/* What was evaluated, in order; f alone and then its gradient at one x are one entry. Of x and the
 * gradient the first variables are kept, of the whole gradient its norm. */
typedef struct test_path {
  int n;
  double f[TEST_PATH], x[TEST_PATH][TEST_VARIABLES], grad[TEST_PATH][TEST_VARIABLES];
  double norm[TEST_PATH];
  cq_result result;
} test_path;

static inline test_scene test_open(const char *name, const char *const *sets, int n_sets) {
  test_scene s = {.ctx = cq_ctx_create(1, 1)};
  const cq_status status = cq_file_load(s.ctx, name, sets, n_sets, &s.file);
  if (status != CQ_OK) {
    printf("%s: %s\n", name, cq_ctx_error(s.ctx));
    exit(1);
  }
  s.scene = cq_file_scene(s.file);
  s.problem = cq_scene_problem(s.scene);
  return s;
}

static inline void test_close(test_scene *s) {
  cq_file_destroy(s->file);
  cq_ctx_destroy(s->ctx);
}

static inline cq_status test_record(void *user, const cq_evaluation *e) {
  test_path *path = user;
  if (e->index > TEST_PATH) {
    return CQ_USAGE;
  }
  const int i = e->index - 1;
  path->n = e->index;
  path->f[i] = e->f;
  double square = 0.0;
  for (int j = 0; j < e->n; j++) {
    const double slope = e->grad != NULL ? e->grad[j] : NAN;
    square += slope * slope;
    if (j < TEST_VARIABLES) {
      path->x[i][j] = e->x[j];
      path->grad[i][j] = slope;
    }
  }
  path->norm[i] = sqrt(square);
  return CQ_OK;
}

/* Optimizes as the file says, or with fewer evaluations (0: as many); x is the answer. */
static inline void test_optimize(test_scene *s, int evaluations, double *x, test_path *path) {
  cq_optimizer_def def = *cq_scene_optimizer(s->scene);
  def.max_evaluations = evaluations > 0 ? evaluations : def.max_evaluations;
  path->n = 0;
  cq_optimize(s->ctx, s->problem, &def, test_record, path, x, NULL, &path->result);
}

/* |a - b| <= tolerance |b| */
#define CHECK_RELATIVE(a, b, tolerance) CHECK_NEAR(a, b, (tolerance)*fabs((double)(b)))

#endif
