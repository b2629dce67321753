/* gauss_newton: sums of squares by Levenberg and Marquardt's method with a trust region (More,
 * Lecture Notes in Mathematics 630, 1978). A step minimises the sum of the squared linear models of
 * the residuals within the bounds and a radius (damped.h); the radius follows how well that
 * predicts.
 *
 * The loop is ours, with GSL's linear algebra, and not gsl_multifit_nlinear: that knows no bounds
 * (a transform would put optima on a bound at infinity and bend the error bars), wants the
 * residuals at every trial point where a value is enough, and goes on from a vector of residuals,
 * of which a record holds the reduced form alone (reduce.h). */
#include "alloc.h"
#include "damped.h"
#include "descent.h"
#include "method.h"
#include "sqp_step.h"
#include "status.h"
#include "uncertainty_reduced.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_REJECTED = 20 };

/* part of the predicted decrease with which a step is taken */
static const double TAKEN = 1e-4;
/* of f: what a last step may promise; of x: a last step */
static const double NO_GAIN = 1e-13, NO_STEP = 1e-11;

typedef struct newton {
  cq_run *run;
  int n, rejected;
  cq_damped q;
  double radius; /* of |D p| */
  double f;
  double *x, *to; /* [n] */
} newton;

/* The model at a point with reduced residuals. */
static void load(newton *s, const cq_point *point) {
  s->f = point->f;
  memcpy(s->x, point->x, (size_t)s->n * sizeof *s->x);
  cq_damped_load(&s->q, point->reduced);
  for (int j = 0; j < s->n; j++) {
    s->q.low[j] = s->run->problem->lower[j] - s->x[j];
    s->q.high[j] = s->run->problem->upper[j] - s->x[j];
  }
}

/* False: the run has ended, or there are no derivatives at x. */
static bool linearize(newton *s, const double *x) {
  const cq_point *point = cq_evaluate_jacobian(s->run->evaluator, x);
  if (point == NULL) {
    return false;
  }
  if (point->failed || !point->has_jacobian) {
    cq_descent_claim(s->run, CQ_CLAIM_FAILED, "no derivatives at its best point");
    return false;
  }
  load(s, point);
  return true;
}

/* |D v| of what x, or a move by one scale, is */
static double size_of(const newton *s, bool of_scale) {
  double sum = 0;
  for (int j = 0; j < s->n; j++) {
    sum = hypot(sum, s->q.d[j] * (of_scale ? cq_problem_scale(s->run->problem, j) : s->x[j]));
  }
  return sum;
}

/* The step to try; false when none is worth it, which ends the run. */
static bool propose(newton *s, double *gain, bool *bounded) {
  *bounded = cq_damped_within(&s->q, s->radius);
  *gain = cq_damped_gain(&s->q);
  for (int j = 0; j < s->n; j++) {
    s->to[j] = s->x[j] + s->q.p[j];
  }
  if (!(*gain > cq_evaluator_noise(s->run->evaluator, s->f)) ||
      memcmp(s->x, s->to, (size_t)s->n * sizeof *s->x) == 0) {
    cq_descent_claim(s->run, CQ_CLAIM_CONVERGED, "no step gains anything");
    return false;
  }
  return true;
}

/* Whether a step that is as good as predicted was the last one worth it. */
static bool is_last(newton *s, double gain, double before) {
  const double size = fmax(size_of(s, false), DBL_MIN);
  if (gain <= NO_GAIN * before) {
    cq_descent_claim(s->run, CQ_CLAIM_CONVERGED, "a step gains less than 1e-13 of f");
  } else if (cq_damped_length(&s->q) <= NO_STEP * size) {
    cq_descent_claim(s->run, CQ_CLAIM_CONVERGED, "a step is less than 1e-11 of x");
  }
  return s->run->claim != CQ_CLAIM_NONE;
}

/* A value first, and derivatives where it is better. True when the run has ended. */
static bool step(newton *s) {
  const double before = s->f;
  double gain = 0;
  bool bounded = false;
  if (!propose(s, &gain, &bounded)) {
    return true;
  }
  const cq_point *point = cq_evaluate(s->run->evaluator, s->to, false);
  if (point == NULL) {
    return true;
  }
  const bool failed = point->failed;
  const double f_new = point->f;
  s->radius = cq_damped_next_radius(&s->q, s->radius, gain, s->f, f_new, failed, bounded);
  if (failed || !(before - f_new > TAKEN * gain)) {
    if (!failed && is_last(s, gain, before)) {
      return true;
    }
    if (++s->rejected >= MOST_REJECTED) {
      cq_descent_claim(s->run, CQ_CLAIM_FAILED, "no step is better");
    }
    return s->rejected >= MOST_REJECTED;
  }
  s->rejected = 0;
  const bool over = is_last(s, gain, before) || cq_descent_f_settled(s->run, f_new, before) ||
                    cq_descent_x_settled(s->run, point->x, s->x);
  return over || !linearize(s, point->x);
}

/* From the best point: one that probes have found is known with its gradient alone. */
static cq_status run_newton(cq_run *run) {
  newton s = {.run = run, .n = run->problem->n};
  double *doubles = NULL;
  cq_status status = cq_damped_create(run->ctx, s.n, &s.q);
  status = status == CQ_OK ? CQ_ALLOC(run->ctx, doubles, 2 * (size_t)s.n) : status;
  if (status == CQ_OK) {
    s.x = doubles;
    s.to = s.x + s.n;
    memcpy(s.x, run->evaluator->best.x, (size_t)s.n * sizeof *s.x);
    if (linearize(&s, s.x)) {
      s.radius = size_of(&s, true);
      while (!step(&s)) {
      }
      status = cq_reduced_is_singular(run->ctx, run->problem, s.x, s.q.a, &run->undetermined);
    }
  }
  cq_damped_destroy(run->ctx, &s.q);
  cq_free(run->ctx, doubles);
  return status;
}

/* Constraints are sqp's, with the same derivatives. */
static cq_status run_method(cq_run *run) {
  return cq_problem_constraints(run->problem) > 0 ? cq_sqp_run(run, true) : run_newton(run);
}

/* Sums of squares alone, with as many residuals as there is to find. */
static cq_status check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  const int n = cq_problem_free(problem);
  (void)def;
  CQ_CHECK(ctx, problem->n_residuals > 0, CQ_CONFIG,
           "gauss_newton needs an objective that is a sum of squares: %s; use LD_SLSQP or sqp",
           problem->no_residuals != NULL ? problem->no_residuals
                                         : "this problem does not tell its residuals");
  CQ_CHECK(ctx, problem->n_residuals >= n, CQ_CONFIG,
           "%d residuals cannot tell %d variables that are free to move: give more samples, or tie "
           "or fix variables",
           problem->n_residuals, n);
  return CQ_OK;
}

const cq_optimizer cq_optimizer_gauss_newton = {
    .name = "gauss_newton",
    .help = "least squares (fits to data), with error bars",
    .needs_gradient = true,
    .needs_exact_gradient = true,
    .needs_residuals = true,
    .handles_bounds = true,
    .handles_inequality = true,
    .handles_equality = true,
    .any_equality = true,
    .most_n = 300,
    .beyond = "sqp",
    .good_n = "up to 20 where derivatives are differences: they cost two runs a variable",
    .use = "First choice for fits: markers, distances. A few steps, and error bars of what it "
           "finds. With constraints its steps are those of sqp.",
    .traps =
        "A local method. Objectives that are not sums of squares are refused. Constraints that "
        "contradict the data make it slow: sqp is faster then.",
    .check = check,
    .run = run_method,
};
