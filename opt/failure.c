#include "failure.h"

#include "status.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [scale] where the bowl goes on as a cone: squares would run away where there are no bounds */
static const double EDGE = 1000;
/* a method may square, add and scale what it is told */
static const double LARGEST = 1e150;

cq_status cq_failure_check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  CQ_CHECK(ctx, def->on_failure != CQ_FAILURE_INFEASIBLE || problem->n_inequality > 0, CQ_CONFIG,
           "on_failure = \"infeasible\" needs inequality constraints, the problem has none; use "
           "\"penalty\"");
  return CQ_OK;
}

void cq_failure_note(cq_evaluator *ev, const cq_point *point) {
  ev->worst_f = fmax(ev->worst_f, point->f);
  for (int i = 0; i < ev->m; i++) {
    ev->c_size[i] = fmax(ev->c_size[i], fabs(point->c[i]));
  }
}

static double clamp(double value, double largest) {
  return fmin(fmax(value, -largest), largest);
}

static double distance(const cq_evaluator *ev, const cq_point *point, int j) {
  return clamp((point->x[j] - ev->best.x[j]) / cq_problem_scale(ev->problem, j), LARGEST);
}

static double bowl(const cq_evaluator *ev, const cq_point *point) {
  double q = 1;
  for (int j = 0; j < ev->problem->n; j++) {
    const double d = fabs(distance(ev, point, j));
    q += d <= EDGE ? 0.5 * d * d : EDGE * (d - 0.5 * EDGE);
  }
  return q;
}

/* size q, which may be as large as what was seen, but no larger than LARGEST otherwise */
static double height(double size, double q, double seen) {
  return fmin(size * q, fmax(LARGEST, fabs(seen)));
}

static void fill_slope(const cq_evaluator *ev, const cq_point *point, double size, double *row) {
  for (int j = 0; j < ev->problem->n; j++) {
    const double d = clamp(distance(ev, point, j), EDGE);
    row[j] = clamp(size * d / cq_problem_scale(ev->problem, j), LARGEST);
  }
}

/* f and c of the best point, flat where their slopes are not known */
static void copy_best(const cq_evaluator *ev, cq_point *point) {
  const size_t n = (size_t)ev->problem->n, m = (size_t)ev->m;
  const cq_point *best = &ev->best;
  point->f = best->f;
  memcpy(point->c, best->c, m * sizeof *point->c);
  memset(point->grad, 0, n * sizeof *point->grad);
  memset(point->jac, 0, m * n * sizeof *point->jac);
  if (best->has_gradient) {
    memcpy(point->grad, best->grad, n * sizeof *point->grad);
    memcpy(point->jac, best->jac, m * n * sizeof *point->jac);
  }
}

/* all parts of a function are what the function is */
static void fill_parts(const cq_evaluator *ev, cq_point *point) {
  const size_t n = (size_t)ev->problem->n;
  for (int k = 0; k < ev->problem->n_parts; k++) {
    const int i = ev->problem->part_of[k];
    point->parts[k] = i < 0 ? point->f : point->c[i];
    memcpy(point->part_slopes + (size_t)k * n, i < 0 ? point->grad : point->jac + (size_t)i * n,
           n * sizeof *point->grad);
  }
}

/* A bowl around the best point, above all that was seen: the way out is the way back. */
void cq_failure_substitute(const cq_evaluator *ev, cq_point *point) {
  const double q = bowl(ev, point);
  copy_best(ev, point);
  if (ev->def->on_failure == CQ_FAILURE_INFEASIBLE) {
    for (int i = 0; i < ev->problem->n_inequality; i++) {
      const double size = ev->c_size[i] > 0 ? ev->c_size[i] : 1;
      point->c[i] = height(size, q, size);
      fill_slope(ev, point, size, point->jac + (size_t)i * (size_t)ev->problem->n);
    }
  } else {
    const double seen = fmin(fmax(ev->f_scale, ev->worst_f - ev->best.f), DBL_MAX);
    const double size = seen > DBL_MIN ? seen : 1;
    point->f = fmin(ev->worst_f + height(size, q, ev->worst_f), DBL_MAX);
    fill_slope(ev, point, size, point->grad);
  }
  fill_parts(ev, point);
  point->violation = cq_violation(ev->problem, ev->size, point->c);
  point->has_gradient = true;
  point->has_jacobian = false;
  point->failed = true;
}
