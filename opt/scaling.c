#include "scaling.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
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

static double length_of_row(const cq_problem *problem, const double *row) {
  double sum = 0;
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j]) {
      sum += pow(row[j] * cq_problem_scale(problem, j), 2);
    }
  }
  return sqrt(sum);
}

static double unit(double norm, double value) {
  const double u = fmax(norm, fabs(value));
  return u > 0 ? u : 1;
}

/* The slope of f makes the first step about one scale; its value only counts where the start is
 * nearly stationary and the slope says nothing (a large constant in f must not drown the slope). A
 * constraint's value counts in full: from a start far outside (or flat, as HS 12's) a unit slope
 * would drown the objective in penalties. Measured: SLSQP on 100 variables takes 146 evaluations,
 * 270 with the value of f in full; AUGLAG_CCSAQ does not solve HS 12 without the value of c.
 *
 * Where constraints become penalties, their curvature is the square of the gradient's 2-norm: with
 * the inf-norm a mean over many variables is n times as stiff as the objective (measured: more than
 * 5,000 evaluations instead of 762 at worst on the chain problems of tests/test_opt_class.h). */
static const double F_VALUE_PART = 1e-6;

/* What the settings say of constraint i; NAN: nothing. */
static double constraint_setting(const cq_optimizer_def *def, int i) {
  return def->n_constraint_scale == 0   ? NAN
         : def->n_constraint_scale == 1 ? def->constraint_scale[0]
                                        : def->constraint_scale[i];
}

void cq_scaling_set_units(cq_scaling *s, const cq_point *point) {
  const cq_optimizer_def *def = s->evaluator->def;
  const cq_problem *problem = s->problem;
  const bool automatic = def->scaling != CQ_SCALING_NONE;
  const bool measured = automatic && point->has_gradient;
  s->f_unit = 1;
  if (automatic && !isnan(def->objective_scale)) {
    s->f_unit = def->objective_scale;
  } else if (measured) {
    s->f_unit = unit(norm_of_row(problem, point->grad), F_VALUE_PART * point->f);
  }
  for (int i = 0; i < s->m; i++) {
    const double setting = automatic ? constraint_setting(def, i) : NAN;
    s->c_unit[i] = 1;
    if (!isnan(setting)) {
      s->c_unit[i] = setting;
    } else if (measured) {
      const double *row = point->jac + (size_t)i * (size_t)problem->n;
      s->c_unit[i] =
          unit(s->penalties ? length_of_row(problem, row) : norm_of_row(problem, row), point->c[i]);
    }
    s->tolerance[i] = 0.5 * s->evaluator->tolerance[i] / s->c_unit[i];
  }
}

static void set_bounds(cq_scaling *s) {
  const cq_optimizer_def *def = s->evaluator->def;
  const cq_problem *problem = s->problem;
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j]) {
      const double u = def->scaling == CQ_SCALING_NONE ? 1 : cq_problem_scale(problem, j);
      s->x_unit[s->n] = u;
      s->lower[s->n] = problem->lower[j] / u;
      s->upper[s->n] = problem->upper[j] / u;
      s->index[s->n++] = j;
    }
  }
}

cq_status cq_scaling_create(const cq_evaluator *ev, bool penalties, cq_scaling *out) {
  const size_t n = (size_t)ev->problem->n;
  cq_ctx *ctx = ev->ctx;
  cq_scaling s = {.evaluator = ev,
                  .problem = ev->problem,
                  .m = ev->m,
                  .penalties = penalties,
                  .seeking = ev->seeking,
                  .margin = 0.5 * ev->def->constraint_tolerance};
  double *doubles = NULL;
  memset(out, 0, sizeof *out);
  CQ_TRY(CQ_ALLOC(ctx, doubles, 7 * n + 2 * (size_t)s.m));
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
  s.x_unit = s.entered_x + n;
  s.c_unit = s.x_unit + n;
  s.tolerance = s.c_unit + s.m;
  memcpy(s.full, ev->best.x, n * sizeof *s.full);
  set_bounds(&s);
  cq_scaling_set_units(&s, &ev->best);
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
    const double xs = x[j] / s->x_unit[k];
    s->x[k] = fmin(fmax(xs, s->lower[k]), s->upper[k]);
    s->entered[k] = s->x[k];
    s->entered_x[k] = x[j];
  }
}

void cq_scaling_leave(cq_scaling *s, const double *xs) {
  for (int k = 0; k < s->n; k++) {
    const int j = s->index[k];
    s->full[j] = xs[k] * s->x_unit[k];
    if (xs[k] == s->entered[k]) {
      s->full[j] = s->entered_x[k];
    } else if (xs[k] <= s->lower[k]) {
      s->full[j] = s->problem->lower[j];
    } else if (xs[k] >= s->upper[k]) {
      s->full[j] = s->problem->upper[j];
    }
  }
}

/* After a failure c may be the best point's; what rises is f then. */
static bool f_counts(const cq_scaling *s, const cq_point *point) {
  return !s->seeking || (point->failed && s->evaluator->def->on_failure != CQ_FAILURE_INFEASIBLE);
}

double cq_scaling_objective(const cq_scaling *s, const cq_point *point) {
  const double from = s->seeking ? s->evaluator->best.f : 0;
  return f_counts(s, point) ? (point->f - from) / s->f_unit : 0;
}

double cq_scaling_constraint(const cq_scaling *s, const cq_point *point, int i) {
  const double margin = i < s->problem->n_inequality ? s->margin * s->evaluator->size[i] +
                                                           s->evaluator->def->constraint_margin
                                                     : 0;
  return (point->c[i] + margin) / s->c_unit[i];
}

void cq_scaling_gradient(const cq_scaling *s, const cq_point *point, int i, double *out) {
  const double *row = i < 0 ? point->grad : point->jac + (size_t)i * (size_t)s->problem->n;
  const double u = i < 0 ? s->f_unit : s->c_unit[i];
  if (i < 0 && !f_counts(s, point)) {
    memset(out, 0, (size_t)s->n * sizeof *out);
    return;
  }
  for (int k = 0; k < s->n; k++) {
    const int j = s->index[k];
    out[k] = row[j] * s->x_unit[k] / u;
  }
}

/* "1.1 2 3.5", with the number of those left out */
static void list_units(const cq_scaling *s, char *text, size_t size) {
  enum { MOST = 6 };
  int used = 0;
  for (int i = 0; i < s->m && i < MOST && used < (int)size; i++) {
    used += snprintf(text + used, size - (size_t)used, " %.2g", s->c_unit[i]);
  }
  if (s->m > MOST && used < (int)size) {
    snprintf(text + used, size - (size_t)used, " ... (%d)", s->m);
  }
}

void cq_scaling_log(cq_ctx *ctx, const cq_scaling *s) {
  char constraints[120] = "", variables[80] = "variables as they are";
  double least = INFINITY, most = 0;
  for (int k = 0; k < s->n; k++) {
    least = fmin(least, s->x_unit[k]);
    most = fmax(most, s->x_unit[k]);
  }
  list_units(s, constraints, sizeof constraints);
  if (least < most) {
    snprintf(variables, sizeof variables, "variables by their scale (%.2g .. %.2g)", least, most);
  } else if (most != 1) {
    snprintf(variables, sizeof variables, "variables / %.2g", most);
  }
  cq_log(ctx, CQ_LOG_INFO, "scaling: objective / %.2g%s%s, %s", s->f_unit,
         s->m > 0 ? ", constraints /" : "", constraints, variables);
}
