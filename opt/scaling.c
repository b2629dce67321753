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

/* The constraint of the problem that row i is, or is a part of; -1: it is a part of f. */
static int constraint_of(const cq_scaling *s, int i) {
  return s->row[i] >= 0 ? s->row[i] : s->problem->part_of[-1 - s->row[i]];
}

bool cq_scaling_is_level(const cq_scaling *s, int i) {
  return constraint_of(s, i) < 0;
}

static double value_of(const cq_scaling *s, const cq_point *point, int i) {
  return s->row[i] >= 0 ? point->c[s->row[i]] : point->parts[-1 - s->row[i]];
}

static const double *slopes_of(const cq_scaling *s, const cq_point *point, int i) {
  const size_t n = (size_t)s->problem->n;
  return s->row[i] >= 0 ? point->jac + (size_t)s->row[i] * n
                        : point->part_slopes + (size_t)(-1 - s->row[i]) * n;
}

static bool has_level(const cq_scaling *s) {
  return s->n > s->n_free;
}

/* f and constraints by their slopes at the point, where the settings do not say the unit. */
void cq_scaling_set_units(cq_scaling *s, const cq_point *point) {
  const cq_optimizer_def *def = s->evaluator->def;
  const cq_problem *problem = s->problem;
  const bool automatic = def->scaling != CQ_SCALING_NONE;
  const bool measured = automatic && point->has_gradient;
  s->f_unit = 1;
  s->f_base = point->f;
  if (automatic && !isnan(def->objective_scale)) {
    s->f_unit = def->objective_scale;
  } else if (measured) {
    s->f_unit = unit(norm_of_row(problem, point->grad), F_VALUE_PART * point->f);
  }
  for (int i = 0; i < s->m; i++) {
    const int of = constraint_of(s, i);
    const double setting = !automatic ? NAN : of < 0 ? 1 : constraint_setting(def, of);
    s->c_unit[i] = 1;
    if (!isnan(setting)) {
      s->c_unit[i] = setting;
    } else if (measured) {
      const double *row = slopes_of(s, point, i);
      s->c_unit[i] = unit(s->penalties ? length_of_row(problem, row) : norm_of_row(problem, row),
                          value_of(s, point, i));
    }
    const double tolerance = of < 0 ? def->constraint_tolerance : s->evaluator->tolerance[of];
    s->tolerance[i] = 0.5 * tolerance / s->c_unit[i];
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
  s->n_free = s->n;
}

/* The inequalities, with parts in the place of those that have some, then the equalities. */
static void set_rows(cq_scaling *s, bool split) {
  const cq_problem *problem = s->problem;
  const int m = cq_problem_constraints(problem);
  for (int i = split && !s->seeking ? -1 : 0; i < problem->n_inequality; i++) {
    for (int k = 0; k < problem->n_parts && split; k++) {
      if (problem->part_of[k] == i) {
        s->row[s->m++] = -1 - k;
      }
    }
    if (i >= 0 && !(split && cq_problem_has_parts(problem, i))) {
      s->row[s->m++] = i;
    }
  }
  s->n_inequality = s->m;
  for (int i = problem->n_inequality; i < m; i++) {
    s->row[s->m++] = i;
  }
}

/* t, if f has parts that are constraints */
static void add_level(cq_scaling *s) {
  if (s->m > 0 && cq_scaling_is_level(s, 0)) {
    s->lower[s->n] = -INFINITY;
    s->upper[s->n] = INFINITY;
    s->n++;
  }
}

/* Variables, bounds and rows as a method sees them, with the units of the best point. */
cq_status cq_scaling_create(const cq_evaluator *ev, bool penalties, bool split, cq_scaling *out) {
  const size_t n = (size_t)ev->problem->n + 1, m = (size_t)(ev->m + ev->problem->n_parts);
  cq_ctx *ctx = ev->ctx;
  cq_scaling s = {.evaluator = ev,
                  .problem = ev->problem,
                  .penalties = penalties,
                  .seeking = ev->seeking,
                  .margin = 0.5 * ev->def->constraint_tolerance};
  double *doubles = NULL;
  memset(out, 0, sizeof *out);
  CQ_TRY(CQ_ALLOC(ctx, doubles, 7 * n + 2 * m));
  const cq_status status = CQ_ALLOC(ctx, s.index, n + m);
  if (status != CQ_OK) {
    cq_free(ctx, doubles);
    return status;
  }
  s.row = s.index + n;
  s.lower = doubles;
  s.upper = s.lower + n;
  s.x = s.upper + n;
  s.full = s.x + n;
  s.entered = s.full + n;
  s.entered_x = s.entered + n;
  s.x_unit = s.entered_x + n;
  s.c_unit = s.x_unit + n;
  s.tolerance = s.c_unit + m;
  memcpy(s.full, ev->best.x, (size_t)ev->problem->n * sizeof *s.full);
  set_bounds(&s);
  set_rows(&s, split);
  add_level(&s);
  cq_scaling_set_units(&s, &ev->best);
  *out = s;
  return CQ_OK;
}

void cq_scaling_destroy(cq_ctx *ctx, cq_scaling *s) {
  cq_free(ctx, s->index);
  cq_free(ctx, s->lower); /* the block of all doubles */
  memset(s, 0, sizeof *s);
}

/* t, from which on all parts of f hold at x */
static double level_at(const cq_scaling *s, const double *x) {
  const cq_evaluator *ev = s->evaluator;
  const bool is_last = memcmp(ev->last.x, x, (size_t)s->problem->n * sizeof *x) == 0;
  return ((is_last ? ev->last.f : ev->best.f) - s->f_base) / s->f_unit;
}

void cq_scaling_enter(cq_scaling *s, const double *x) {
  if (has_level(s)) {
    s->level = s->x[s->n_free] = level_at(s, x);
  }
  for (int k = 0; k < s->n_free; k++) {
    const int j = s->index[k];
    const double xs = x[j] / s->x_unit[k];
    s->x[k] = fmin(fmax(xs, s->lower[k]), s->upper[k]);
    s->entered[k] = s->x[k];
    s->entered_x[k] = x[j];
  }
}

/* Back to user units; what was entered, and bounds, come back to the last bit. */
void cq_scaling_leave(cq_scaling *s, const double *xs) {
  if (has_level(s)) {
    s->level = xs[s->n_free];
  }
  for (int k = 0; k < s->n_free; k++) {
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

/* t is the objective. */
static bool is_minimised(const cq_scaling *s) {
  return has_level(s) && !s->seeking;
}

double cq_scaling_objective(const cq_scaling *s, const cq_point *point) {
  const double from = s->seeking ? s->evaluator->best.f : 0;
  if (is_minimised(s)) {
    return s->level;
  }
  return f_counts(s, point) ? (point->f - from) / s->f_unit : 0;
}

double cq_scaling_constraint(const cq_scaling *s, const cq_point *point, int i) {
  const cq_evaluator *ev = s->evaluator;
  const double value = value_of(s, point, i);
  if (cq_scaling_is_level(s, i)) {
    return (value - s->f_base) / s->f_unit - s->level;
  }
  const double margin = s->margin * ev->size[constraint_of(s, i)] + ev->def->constraint_margin;
  return (value + (i < s->n_inequality ? margin : 0)) / s->c_unit[i];
}

void cq_scaling_gradient(const cq_scaling *s, const cq_point *point, int i, double *out) {
  const bool is_level = i >= 0 && cq_scaling_is_level(s, i);
  const double *row = i < 0 ? point->grad : slopes_of(s, point, i);
  const double u = i < 0 || is_level ? s->f_unit : s->c_unit[i];
  const bool is_flat = i < 0 && (is_minimised(s) || !f_counts(s, point));
  for (int k = 0; k < s->n_free; k++) {
    out[k] = is_flat ? 0 : row[s->index[k]] * s->x_unit[k] / u;
  }
  if (has_level(s)) {
    out[s->n_free] = is_level ? -1 : i < 0 && is_minimised(s) ? 1 : 0;
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

/* The units, for whoever wonders about a method's steps. */
void cq_scaling_log(cq_ctx *ctx, const cq_scaling *s) {
  char constraints[120] = "", variables[80] = "variables as they are";
  double least = INFINITY, most = 0;
  for (int k = 0; k < s->n_free; k++) {
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

void cq_scaling_rows(const cq_scaling *s, const cq_point *point, double *out) {
  const size_t n = (size_t)s->problem->n, width = (size_t)s->n;
  const double factor = s->seeking ? 0 : sqrt(2 / s->f_unit);
  for (size_t i = 0; i < n; i++) {
    const double *row = point->reduced + i * (n + 1) + 1;
    for (size_t k = 0; k < width; k++) {
      out[i * width + k] = factor * row[s->index[k]] * s->x_unit[k];
    }
  }
}
