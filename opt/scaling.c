#include "scaling.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

static double norm_of_row(const cq_problem *problem, const double *row) {
  double norm = 0;
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j]) {
      norm = fmax(norm, fabs(row[j]) * cq_problem_scale(problem, j));
    }
  }
  return norm;
}

static double unit(double norm, double value) {
  const double u = fmax(norm, fabs(value));
  return u > 0 ? u : 1;
}

/* The slope of f makes the first step about one scale; its value only counts where the start is
 * nearly stationary and the slope says nothing. A constraint's value counts in full: from a start
 * far outside (or flat, as HS 12's) a unit slope would drown the objective in penalties. Measured:
 * SLSQP on 100 variables takes 146 evaluations, 270 with the value of f in full; AUGLAG_CCSAQ does
 * not solve HS 12 without the value of c. */
static const double F_VALUE_PART = 1e-3;

static void set_units(cq_scaling *s, const cq_point *first) {
  const cq_problem *problem = s->problem;
  s->f_unit = 1;
  for (int i = 0; i < s->m; i++) {
    s->c_unit[i] = 1;
  }
  if (!first->has_gradient) {
    return;
  }
  s->f_unit = unit(norm_of_row(problem, first->grad), F_VALUE_PART * first->f);
  for (int i = 0; i < s->m; i++) {
    const double *row = first->jac + (size_t)i * (size_t)problem->n;
    s->c_unit[i] = unit(norm_of_row(problem, row), first->c[i]);
  }
}

cq_status cq_scaling_create(cq_ctx *ctx, const cq_problem *problem, const cq_point *first,
                            double constraint_tolerance, cq_scaling *out) {
  const size_t n = (size_t)problem->n;
  cq_scaling s = {.problem = problem,
                  .m = problem->n_inequality + problem->n_equality,
                  .margin = 0.5 * constraint_tolerance};
  double *doubles = NULL;
  memset(out, 0, sizeof *out);
  CQ_TRY(CQ_ALLOC(ctx, doubles, 6 * n + 2 * (size_t)s.m));
  const cq_status status = CQ_ALLOC(ctx, s.index, n);
  if (status != CQ_OK) {
    cq_free(ctx, doubles);
    return status;
  }
  s.lower = doubles;
  s.upper = s.lower + n;
  s.x = s.upper + n;
  s.full = s.x + n;
  s.entered = s.full + n;
  s.entered_x = s.entered + n;
  s.c_unit = s.entered_x + n;
  s.tolerance = s.c_unit + s.m;
  for (int j = 0; j < problem->n; j++) {
    s.full[j] = first->x[j];
    if (problem->lower[j] < problem->upper[j]) {
      s.lower[s.n] = problem->lower[j] / cq_problem_scale(problem, j);
      s.upper[s.n] = problem->upper[j] / cq_problem_scale(problem, j);
      s.index[s.n++] = j;
    }
  }
  set_units(&s, first);
  for (int i = 0; i < s.m; i++) {
    s.tolerance[i] = s.margin / s.c_unit[i];
  }
  *out = s;
  return CQ_OK;
}

void cq_scaling_destroy(cq_ctx *ctx, cq_scaling *s) {
  cq_free(ctx, s->index);
  cq_free(ctx, s->lower); /* the block of all doubles */
  memset(s, 0, sizeof *s);
}

void cq_scaling_enter(cq_scaling *s, const double *x) {
  for (int k = 0; k < s->n; k++) {
    const int j = s->index[k];
    const double xs = x[j] / cq_problem_scale(s->problem, j);
    s->x[k] = fmin(fmax(xs, s->lower[k]), s->upper[k]);
    s->entered[k] = s->x[k];
    s->entered_x[k] = x[j];
  }
}

void cq_scaling_leave(cq_scaling *s, const double *xs) {
  for (int k = 0; k < s->n; k++) {
    const int j = s->index[k];
    s->full[j] = xs[k] * cq_problem_scale(s->problem, j);
    if (xs[k] == s->entered[k]) {
      s->full[j] = s->entered_x[k];
    } else if (xs[k] <= s->lower[k]) {
      s->full[j] = s->problem->lower[j];
    } else if (xs[k] >= s->upper[k]) {
      s->full[j] = s->problem->upper[j];
    }
  }
}

double cq_scaling_constraint(const cq_scaling *s, const cq_point *point, int i) {
  const double margin = i < s->problem->n_inequality ? s->margin : 0;
  return (point->c[i] + margin) / s->c_unit[i];
}

void cq_scaling_gradient(const cq_scaling *s, const cq_point *point, int i, double *out) {
  const double *row = i < 0 ? point->grad : point->jac + (size_t)i * (size_t)s->problem->n;
  const double u = i < 0 ? s->f_unit : s->c_unit[i];
  for (int k = 0; k < s->n; k++) {
    const int j = s->index[k];
    out[k] = row[j] * cq_problem_scale(s->problem, j) / u;
  }
}
