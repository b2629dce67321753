#include "point.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

cq_status cq_point_create(cq_ctx *ctx, const cq_problem *problem, cq_point *point) {
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  CQ_TRY(CQ_ALLOC(ctx, point->x, n));
  CQ_TRY(CQ_ALLOC(ctx, point->c, m));
  CQ_TRY(CQ_ALLOC(ctx, point->grad, n));
  return cq_alloc(ctx, (void **)&point->jac, m * n, sizeof(double));
}

void cq_point_destroy(cq_ctx *ctx, cq_point *point) {
  cq_free(ctx, point->x);
  cq_free(ctx, point->c);
  cq_free(ctx, point->grad);
  cq_free(ctx, point->jac);
}

void cq_point_copy(const cq_problem *problem, cq_point *to, const cq_point *from) {
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  to->index = from->index;
  to->has_gradient = from->has_gradient;
  to->failed = from->failed;
  to->probe = from->probe;
  to->refinement = from->refinement;
  to->f = from->f;
  to->violation = from->violation;
  memcpy(to->x, from->x, n * sizeof(double));
  memcpy(to->c, from->c, m * sizeof(double));
  if (from->has_gradient) {
    memcpy(to->grad, from->grad, n * sizeof(double));
    memcpy(to->jac, from->jac, m * n * sizeof(double));
  }
}

static void fill_nan(double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    values[i] = NAN;
  }
}

void cq_point_clear(const cq_problem *problem, cq_point *point, bool gradient) {
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  point->has_gradient = gradient;
  point->failed = point->probe = false;
  point->f = NAN;
  point->violation = NAN;
  fill_nan(point->c, m);
  if (gradient) {
    fill_nan(point->grad, n);
    fill_nan(point->jac, m * n);
  }
}

cq_status cq_point_check(cq_ctx *ctx, const cq_problem *problem, const cq_point *point) {
  const int n = problem->n, m = cq_problem_constraints(problem);
  CQ_CHECK(ctx, isfinite(point->f), CQ_NONFINITE, "the objective is %g at evaluation %d", point->f,
           point->index);
  for (int i = 0; i < m; i++) {
    CQ_CHECK(ctx, isfinite(point->c[i]), CQ_NONFINITE, "constraint %d is %g at evaluation %d", i,
             point->c[i], point->index);
  }
  for (int j = 0; point->has_gradient && j < n; j++) {
    CQ_CHECK(ctx, isfinite(point->grad[j]), CQ_NONFINITE,
             "the gradient of the objective is %g in variable %d at evaluation %d", point->grad[j],
             j, point->index);
  }
  for (int i = 0; point->has_gradient && i < m; i++) {
    for (int j = 0; j < n; j++) {
      CQ_CHECK(ctx, isfinite(point->jac[(size_t)i * (size_t)n + (size_t)j]), CQ_NONFINITE,
               "the gradient of constraint %d is not finite in variable %d at evaluation %d", i, j,
               point->index);
    }
  }
  return CQ_OK;
}
