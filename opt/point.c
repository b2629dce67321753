#include "point.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

cq_status cq_point_create(cq_ctx *ctx, const cq_problem *problem, cq_point *point) {
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  const size_t p = (size_t)problem->n_parts;
  CQ_TRY(CQ_ALLOC(ctx, point->x, n));
  CQ_TRY(CQ_ALLOC(ctx, point->c, m));
  CQ_TRY(CQ_ALLOC(ctx, point->grad, n));
  CQ_TRY(CQ_ALLOC(ctx, point->parts, p));
  CQ_TRY(cq_alloc(ctx, (void **)&point->part_slopes, p * n, sizeof(double)));
  return cq_alloc(ctx, (void **)&point->jac, m * n, sizeof(double));
}

void cq_point_destroy(cq_ctx *ctx, cq_point *point) {
  cq_free(ctx, point->x);
  cq_free(ctx, point->c);
  cq_free(ctx, point->grad);
  cq_free(ctx, point->jac);
  cq_free(ctx, point->parts);
  cq_free(ctx, point->reduced);
  cq_free(ctx, point->residuals);
  cq_free(ctx, point->part_slopes);
}

/* Derivatives are copied only where there are some: they may be large. */
void cq_point_copy(const cq_problem *problem, cq_point *to, const cq_point *from) {
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  const size_t p = (size_t)problem->n_parts;
  to->index = from->index;
  to->has_gradient = from->has_gradient;
  to->has_jacobian = from->has_jacobian;
  to->has_residuals = from->has_residuals;
  to->failed = from->failed;
  to->probe = from->probe;
  to->refinement = from->refinement;
  to->f = from->f;
  to->violation = from->violation;
  memcpy(to->x, from->x, n * sizeof(double));
  memcpy(to->c, from->c, m * sizeof(double));
  memcpy(to->parts, from->parts, p * sizeof(double));
  if (from->has_gradient) {
    memcpy(to->grad, from->grad, n * sizeof(double));
    memcpy(to->jac, from->jac, m * n * sizeof(double));
    memcpy(to->part_slopes, from->part_slopes, p * n * sizeof(double));
  }
  if (from->has_jacobian) {
    memcpy(to->reduced, from->reduced, cq_problem_reduced(problem) * sizeof(double));
  }
  if (from->has_residuals) {
    memcpy(to->residuals, from->residuals, (size_t)problem->n_residuals * sizeof(double));
  }
}

static void fill_nan(double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    values[i] = NAN;
  }
}

/* Derivatives that are not wanted are left alone: they may be large, or have no room at all. */
void cq_point_clear(const cq_problem *problem, cq_point *point, cq_want want) {
  const size_t n = (size_t)problem->n, m = (size_t)cq_problem_constraints(problem);
  const size_t p = (size_t)problem->n_parts;
  point->has_gradient = want == CQ_WANT_GRADIENT;
  point->has_jacobian = want == CQ_WANT_JACOBIAN;
  point->has_residuals = want == CQ_WANT_RESIDUALS;
  point->failed = point->probe = false;
  point->f = NAN;
  point->violation = NAN;
  if (point->has_jacobian) {
    fill_nan(point->reduced, cq_problem_reduced(problem));
  } else {
    fill_nan(point->c, m);
    fill_nan(point->parts, p);
  }
  if (point->has_residuals) {
    fill_nan(point->residuals, (size_t)problem->n_residuals);
  }
  if (point->has_gradient) {
    fill_nan(point->grad, n);
    fill_nan(point->jac, m * n);
    fill_nan(point->part_slopes, p * n);
  }
}

/* Parts are finite, and each function that has parts is the largest of its own: a verdict on other
 * ones would mean nothing. */
static cq_status check_parts(cq_ctx *ctx, const cq_problem *problem, const cq_point *point) {
  const size_t n = (size_t)problem->n;
  for (int i = -1; i < problem->n_inequality && problem->n_parts > 0; i++) {
    double largest = -INFINITY;
    for (int k = 0; k < problem->n_parts; k++) {
      largest = problem->part_of[k] == i ? fmax(largest, point->parts[k]) : largest;
    }
    const double value = i < 0 ? point->f : point->c[i];
    CQ_CHECK(ctx, largest == value || !cq_problem_has_parts(problem, i), CQ_USAGE,
             "function %d (-1: the objective) is %.17g at evaluation %d, and the largest of its "
             "parts %.17g",
             i, value, point->index, largest);
  }
  for (int k = 0; k < problem->n_parts; k++) {
    CQ_CHECK(ctx, isfinite(point->parts[k]), CQ_NONFINITE, "part %d is %g at evaluation %d", k,
             point->parts[k], point->index);
    for (size_t j = 0; point->has_gradient && j < n; j++) {
      CQ_CHECK(ctx, isfinite(point->part_slopes[(size_t)k * n + j]), CQ_NONFINITE,
               "the gradient of part %d is not finite in variable %d at evaluation %d", k, (int)j,
               point->index);
    }
  }
  return CQ_OK;
}

/* The first value that is not finite, by its name. */
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
  for (size_t i = 0; point->has_jacobian && i < cq_problem_reduced(problem); i++) {
    CQ_CHECK(ctx, isfinite(point->reduced[i]), CQ_NONFINITE,
             "the residuals or their derivatives are not finite at evaluation %d", point->index);
  }
  for (int i = 0; point->has_residuals && i < problem->n_residuals; i++) {
    CQ_CHECK(ctx, isfinite(point->residuals[i]), CQ_NONFINITE, "residual %d is %g at evaluation %d",
             i, point->residuals[i], point->index);
  }
  return check_parts(ctx, problem, point);
}

double cq_violation(const cq_problem *problem, const double *unit, const double *c) {
  const int m = problem->n_inequality + problem->n_equality;
  double violation = 0;
  for (int i = 0; i < m; i++) {
    const double v = i < problem->n_inequality ? c[i] : fabs(c[i]);
    if (isnan(v)) {
      return NAN;
    }
    violation = fmax(violation, unit != NULL ? v / unit[i] : v);
  }
  return violation;
}

int cq_problem_free(const cq_problem *problem) {
  int n = 0;
  for (int j = 0; j < problem->n; j++) {
    n += problem->lower[j] < problem->upper[j];
  }
  return n;
}
