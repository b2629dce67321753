/* Values and gradients of a file, at one design or at many. */
#include "api.h"

#include "attempt.h"
#include "point.h"

#include <math.h>
#include <string.h>

/* The fields that the first callers know. */
enum { LEAST_ANSWER = offsetof(cq_answer, n_jac) + sizeof(int) };

/* An answer of a caller who may know fewer fields than this library, or more. */
static cq_status take(cq_ctx *ctx, const cq_answer *from, cq_answer *answer) {
  CQ_CHECK(ctx, from != NULL, CQ_USAGE, "there is no answer to fill");
  const size_t have = from->struct_size;
  CQ_CHECK(ctx, have >= LEAST_ANSWER && have <= (size_t)1 << 16, CQ_USAGE,
           "struct_size of the answer is %zu: set it to sizeof(cq_answer) before the call", have);
  *answer = (cq_answer){.struct_size = 0};
  memcpy(answer, from, have < sizeof *answer ? have : sizeof *answer);
  return CQ_OK;
}

/* The fields that this caller knows. */
static void give(cq_answer *to, const cq_answer *answer) {
  to->status = answer->status;
  to->f = answer->f;
  to->violation = answer->violation;
  if (to->struct_size >= offsetof(cq_answer, refinement) + sizeof to->refinement) {
    to->refinement = answer->refinement;
  }
}

/* Answer i of several, whose size is the caller's. */
static cq_answer *answer_at(cq_answer *first, int i) {
  return (cq_answer *)((char *)first + (size_t)i * first->struct_size);
}

/* The arrays that are wanted have the lengths that they need. */
static cq_status check_arrays(const cq_file *file, const cq_answer *a) {
  const cq_problem *const problem = cq_scene_problem(file->scene);
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  const size_t terms = (size_t)cq_scene_term_count(file->scene);
  CQ_TRY(a->c != NULL ? cq_api_length(file->ctx, "c", a->c, (size_t)a->n_c, m) : CQ_OK);
  CQ_TRY(a->terms != NULL ? cq_api_length(file->ctx, "terms", a->terms, (size_t)a->n_terms, terms)
                          : CQ_OK);
  CQ_TRY(a->grad != NULL ? cq_api_length(file->ctx, "grad", a->grad, (size_t)a->n_grad, n) : CQ_OK);
  CQ_TRY(a->jac != NULL ? cq_api_length(file->ctx, "jac", a->jac, (size_t)a->n_jac, m * n) : CQ_OK);
  CQ_CHECK(file->ctx, (a->grad == NULL && a->jac == NULL) || problem->gradient != CQ_GRADIENT_NONE,
           CQ_CONFIG, "%s has no gradient", cq_scene_name(file->scene));
  CQ_CHECK(file->ctx, a->level >= 0 && a->level < 16, CQ_USAGE, "there is no level %d of steps",
           a->level);
  CQ_CHECK(file->ctx, a->level == 0 || (a->terms == NULL && a->grad == NULL && a->jac == NULL),
           CQ_USAGE, "at a level of smaller steps there are values alone");
  return CQ_OK;
}

static void clear(double *values, size_t n) {
  for (size_t i = 0; values != NULL && i < n; i++) {
    values[i] = NAN;
  }
}

/* What a failure leaves. */
static void clear_all(cq_answer *a) {
  a->f = a->violation = NAN;
  clear(a->c, (size_t)a->n_c);
  clear(a->terms, (size_t)a->n_terms);
  clear(a->grad, (size_t)a->n_grad);
  clear(a->jac, (size_t)a->n_jac);
}

static void copy(double *to, const double *from, size_t n) {
  if (to != NULL) {
    memcpy(to, from, n * sizeof *to);
  }
}

/* The sentence of a failure, where it is wanted. */
static void tell(const cq_file *file, cq_answer *a) {
  if (a->reason != NULL && a->n_reason > 0) {
    snprintf(a->reason, (size_t)a->n_reason, "%s",
             a->status == CQ_OK ? "" : cq_ctx_error(file->ctx));
  }
}

/* Values alone, in smaller steps. */
static cq_status evaluate_finer(cq_file *file, const double *x, cq_point *point, cq_answer *a) {
  const cq_problem *const problem = cq_scene_problem(file->scene);
  const size_t m = (size_t)cq_problem_constraints(problem);
  double f = NAN;
  clear_all(a);
  a->status = cq_scene_evaluate_finer(file->scene, a->level, a->evaluation > 0 ? a->evaluation : 1,
                                      x, &f, m > 0 ? point->c : NULL);
  a->refinement = a->level;
  tell(file, a);
  CQ_TRY(a->status);
  a->f = f;
  a->violation = cq_violation(problem, NULL, point->c);
  copy(a->c, point->c, m);
  return CQ_OK;
}

/* One design; the status is that of the simulation. point: room for what is always filled. */
static cq_status evaluate(cq_file *file, const double *x, cq_point *point, cq_answer *a) {
  const cq_problem *const problem = cq_scene_problem(file->scene);
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  cq_optimizer_def def = *cq_scene_optimizer(file->scene);
  int simulations = 0;
  if (a->level > 0) {
    return evaluate_finer(file, x, point, a);
  }
  def.on_failure = a->retry ? def.on_failure : CQ_FAILURE_ABORT;
  clear_all(a);
  copy(point->x, x, n);
  point->index = a->evaluation > 0 ? a->evaluation : 1;
  a->status = cq_attempt(file->ctx, problem, &def, 0, a->grad != NULL || a->jac != NULL, point,
                         &simulations);
  a->refinement = point->refinement;
  tell(file, a);
  CQ_TRY(a->status);
  a->f = point->f;
  a->violation = cq_violation(problem, NULL, point->c);
  copy(a->c, point->c, m);
  copy(a->grad, point->grad, n);
  copy(a->jac, point->jac, m * n);
  for (int i = 0; a->terms != NULL && i < a->n_terms; i++) {
    a->terms[i] = cq_scene_term_value(file->scene, i);
  }
  return CQ_OK;
}

cq_status cq_file_evaluate(cq_file *file, const double *x, int n, cq_answer *out) {
  cq_answer answer;
  cq_point point = {.index = 0};
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(take(file->ctx, out, &answer));
  CQ_TRY(check_arrays(file, &answer));
  CQ_TRY(cq_api_design(file, x, n, &x));
  cq_status status = cq_point_create(file->ctx, cq_scene_problem(file->scene), &point);
  if (status == CQ_OK) {
    status = evaluate(file, x, &point, &answer);
    give(out, &answer);
  }
  cq_point_destroy(file->ctx, &point);
  return status;
}

/* Everything is checked before the first simulation. *values_alone: there is no gradient. */
static cq_status check_many(const cq_file *file, const double *x, int count, int n, cq_answer *out,
                            bool *values_alone) {
  cq_answer answer;
  const double *same = NULL;
  CQ_CHECK(file->ctx, count >= 0, CQ_USAGE, "there cannot be %d designs", count);
  CQ_CHECK(file->ctx, (x != NULL && out != NULL) || count == 0, CQ_USAGE,
           "designs or answers are missing");
  *values_alone = true;
  for (int i = 0; i < count; i++) {
    CQ_TRY(take(file->ctx, answer_at(out, i), &answer));
    CQ_CHECK(file->ctx, answer.struct_size == out->struct_size, CQ_USAGE,
             "struct_size of answer %d is not that of the first one", i);
    CQ_TRY(check_arrays(file, &answer));
    CQ_TRY(cq_api_design(file, x + (size_t)i * (size_t)n, n, &same));
    *values_alone = *values_alone && answer.grad == NULL && answer.jac == NULL && answer.level == 0;
  }
  return CQ_OK;
}

/* In their order; a design that fails is no failure of the call. */
static cq_status evaluate_all(cq_file *file, const double *x, int count, int n, cq_point *point,
                              cq_answer *out) {
  cq_answer answer;
  for (int i = 0; i < count; i++) {
    CQ_TRY(take(file->ctx, answer_at(out, i), &answer));
    const cq_status status = evaluate(file, x + (size_t)i * (size_t)n, point, &answer);
    give(answer_at(out, i), &answer);
    if (status != CQ_OK && !cq_status_is_numeric(status)) {
      return status;
    }
    cq_ctx_clear_error(file->ctx);
    CQ_TRY(cq_ctx_stop_requested(file->ctx));
  }
  return CQ_OK;
}

cq_status cq_file_evaluate_many(cq_file *file, const double *x, int count, int n, cq_answer *out) {
  bool values_alone = true;
  cq_point point = {.index = 0};
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(check_many(file, x, count, n, out, &values_alone));
  const cq_problem *const problem = cq_scene_problem(file->scene);
  if (values_alone && problem->ahead != NULL && count > 1) {
    problem->ahead(problem->data, count, x);
  }
  cq_status status = cq_point_create(file->ctx, cq_scene_problem(file->scene), &point);
  status = status == CQ_OK ? evaluate_all(file, x, count, n, &point, out) : status;
  cq_point_destroy(file->ctx, &point);
  return status;
}
