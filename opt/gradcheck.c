/* Gradient check by differences. The place checked is x, moved inside its bounds by up to
 * LARGEST_STEP of scale (to the middle of a narrower range) so that every difference is central. */
#include "alloc.h"
#include "evaluator.h"
#include "grade.h"
#include "rng.h"
#include "status.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [scale] eps = 10^-2 ... 10^-8 */
static const double LADDER[CQ_GRADCHECK_ROWS] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
#define LARGEST_STEP (LADDER[0])
/* Differences of this many ulps of f are no derivative ... */
static const double ROUNDING = 8 * DBL_EPSILON;
/* ... but only at steps that would show one. */
static const double ROUNDING_EPS = 1e-4;
/* Slopes on both sides of a smooth stationary point fall with eps, to a tenth; those of a kink do
 * not. */
static const double SHRINKS = 0.2;

typedef struct check {
  cq_ctx *ctx;
  const cq_problem *problem;
  int which, first, count;
  double *centre, *x;     /* [n] */
  double *step;           /* [count] of x per eps, in user units: scale times the direction */
  double *c, *grad, *jac; /* [m], [n], [m][n] */
} check;

/* A direction of normal numbers with inf-norm 1 in scaled variables, shortened in variables whose
 * range is less than twice the largest step. */
static void choose_direction(check *k, const double *x) {
  cq_rng rng = cq_rng_seed(cq_ctx_seed(k->ctx) ^ ((uint64_t)(k->first + 1) << 32) ^
                           (uint64_t)(k->which + 1));
  double largest = 0;
  for (int i = 0; i < k->count; i++) {
    k->step[i] = cq_rng_normal(&rng);
    largest = fmax(largest, fabs(k->step[i]));
  }
  memcpy(k->centre, x, (size_t)k->problem->n * sizeof *x);
  for (int i = 0; i < k->count; i++) {
    const int j = k->first + i;
    const double scale = cq_problem_scale(k->problem, j);
    const double lower = k->problem->lower[j], upper = k->problem->upper[j];
    const double room = fmin(LARGEST_STEP * scale, 0.5 * (upper - lower));
    k->step[i] *= room / LARGEST_STEP / largest;
    k->centre[j] = fmin(fmax(x[j], lower + room), upper - room);
  }
}

static cq_status evaluate(check *k, const double *x, bool gradient, double *value) {
  const bool has_c = k->problem->n_inequality + k->problem->n_equality > 0;
  double f = NAN;
  CQ_TRY(k->problem->eval(k->problem->data, x, &f, has_c ? k->c : NULL, gradient ? k->grad : NULL,
                          gradient && has_c ? k->jac : NULL));
  *value = k->which < 0 ? f : k->c[k->which];
  CQ_CHECK(k->ctx, isfinite(*value), CQ_NONFINITE, "the checked function is %g", *value);
  return CQ_OK;
}

/* The value at centre + t step; NAN when the evaluation fails numerically. */
static cq_status evaluate_at(check *k, double t, double *value) {
  memcpy(k->x, k->centre, (size_t)k->problem->n * sizeof *k->x);
  for (int i = 0; i < k->count; i++) {
    const int j = k->first + i;
    const double x = k->centre[j] + t * k->step[i];
    k->x[j] = fmin(fmax(x, k->problem->lower[j]), k->problem->upper[j]);
  }
  const bool was_clean = cq_ctx_status(k->ctx) == CQ_OK;
  const cq_status status = evaluate(k, k->x, false, value);
  if (!cq_status_is_numeric(status)) {
    return status;
  }
  *value = NAN;
  if (was_clean) {
    cq_ctx_clear_error(k->ctx); /* the row says it */
  }
  return CQ_OK;
}

static void analytic_slope(const check *k, cq_gradcheck *out) {
  const double *row = k->which < 0 ? k->grad : k->jac + (size_t)k->which * (size_t)k->problem->n;
  double square = 0;
  out->analytic = 0;
  for (int i = 0; i < k->count; i++) {
    const double g = row[k->first + i] * cq_problem_scale(k->problem, k->first + i);
    square += g * g;
    out->analytic += row[k->first + i] * k->step[i];
  }
  out->gradient_norm = sqrt(square);
}

/* Half of what the slope changes by from one side to the other: the curvature times eps/2. */
static double bend(const cq_gradcheck *out, int row) {
  return 0.5 * fabs(out->rows[row].slope_plus - out->rows[row].slope_minus);
}

/* Near a stationary point gradient and difference are what rounding leaves of the slopes around it:
 * those of the largest step that shows it so are what the error is measured by. 0: there is none.
 */
static double slopes_around(const cq_gradcheck *out) {
  for (int row = 0; row + 1 < CQ_GRADCHECK_ROWS; row++) {
    const cq_gradcheck_row *const r = &out->rows[row];
    if (r->slope_plus * r->slope_minus < 0 && out->gradient_norm < bend(out, row) &&
        bend(out, row + 1) <= SHRINKS * bend(out, row)) {
      return bend(out, row);
    }
  }
  return 0;
}

/* How well each row agrees, and which does best. */
static void judge(cq_gradcheck *out, double around) {
  out->best = NAN;
  for (int row = 0; row < CQ_GRADCHECK_ROWS; row++) {
    cq_gradcheck_row *const r = &out->rows[row];
    const double difference = 0.5 * (r->slope_plus + r->slope_minus);
    const double error = fabs(difference - out->analytic);
    const double size = fabs(out->analytic) + fabs(difference);
    const bool agrees = error == 0 || (out->flat && r->eps >= ROUNDING_EPS);
    r->agreement = agrees ? 0 : error / fmax(size, around);
    if (r->agreement < out->best || (isnan(out->best) && !isnan(r->agreement))) {
      out->best = r->agreement;
      out->stationary = around > size;
    }
  }
}

/* The one-sided slopes of a row; *below: they and the gradient are no more than rounding. */
static cq_status measure(check *k, double centre, double eps, cq_gradcheck *out,
                         cq_gradcheck_row *row, bool *below) {
  double plus = NAN, minus = NAN;
  CQ_TRY(evaluate_at(k, eps, &plus));
  CQ_TRY(evaluate_at(k, -eps, &minus));
  const double rounding = ROUNDING * fmax(fabs(centre), fmax(fabs(plus), fabs(minus)));
  const double most = fmax(fabs(plus - centre), fabs(minus - centre));
  *below = isnan(most) || fmax(most, eps * out->gradient_norm) <= rounding;
  *row = (cq_gradcheck_row){
      .eps = eps, .slope_minus = (centre - minus) / eps, .slope_plus = (plus - centre) / eps};
  return CQ_OK;
}

/* The slope along one direction by the gradient, and by differences with steps from large to small;
 * the best of those counts. */
static cq_status run(check *k, const double *x, double tolerance, cq_gradcheck *out) {
  double centre = NAN;
  choose_direction(k, x);
  CQ_TRY(evaluate(k, k->centre, true, &centre));
  analytic_slope(k, out);
  CQ_CHECK(k->ctx, isfinite(out->gradient_norm), CQ_NONFINITE,
           "the gradient to be checked is not finite");
  out->flat = true;
  for (int r = 0; r < CQ_GRADCHECK_ROWS; r++) {
    bool below = false;
    CQ_TRY(measure(k, centre, LADDER[r], out, &out->rows[r], &below));
    out->flat = out->flat && (below || LADDER[r] < ROUNDING_EPS);
  }
  judge(out, slopes_around(out));
  out->flat = out->flat && !isnan(out->best);
  out->passed = out->best <= tolerance;
  out->stationary = out->stationary && out->passed;
  return CQ_OK;
}

/* Room for one check, of function `which` in some variables, and the check. */
cq_status cq_gradcheck_block(cq_ctx *ctx, const cq_problem *problem, const double *x, int which,
                             int first, int count, double tolerance, cq_gradcheck *out) {
  CQ_CHECK(ctx, ctx != NULL && problem != NULL && x != NULL && out != NULL, CQ_USAGE,
           "the problem, x or the room for the result is missing");
  const size_t n = (size_t)problem->n;
  const int m = problem->n_inequality + problem->n_equality;
  check k = {.ctx = ctx, .problem = problem, .which = which, .first = first, .count = count};
  memset(out, 0, sizeof *out);
  CQ_CHECK(ctx, cq_grade_is_given(problem->gradient), CQ_CONFIG,
           "the problem has no gradient to check");
  CQ_CHECK(ctx, which >= -1 && which < m, CQ_USAGE, "there is no constraint %d to check", which);
  CQ_CHECK(ctx, first >= 0 && count >= 1 && count <= problem->n - first, CQ_USAGE,
           "variables %d to %d cannot be checked: there are %d", first, first + count - 1,
           problem->n);
  double *block = NULL;
  CQ_TRY(CQ_ALLOC(ctx, block, 4 * n + (size_t)m * (n + 1)));
  k.centre = block;
  k.x = k.centre + n;
  k.step = k.x + n;
  k.grad = k.step + n;
  k.c = k.grad + n;
  k.jac = k.c + m;
  const cq_status status = run(&k, x, tolerance, out);
  cq_free(ctx, block);
  return status;
}
