#include "kkt.h"

#include "alloc.h"
#include "evaluator.h"
#include "lsq.h"
#include "status.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [scale] a variable this near a bound may be held by it */
static const double NEAR_BOUND = 1e-3;
/* part of f that the gradient's rounding errors may reach */
static const double ROUNDING = 1e-8;
/* sizes of x: a start farther away than that does not loosen the verdict */
static const double LOCAL = 10;
/* size of x: a start nearer than that does not tighten the verdict */
static const double NEARBY = 1e-3;
/* sizes of x: below, two points differ by rounding; above, not by a kink alone */
static const double SAME = 1e-9, APART = 1e-5;
/* rounds of: which bounds hold, then multipliers; a few settle it */
enum { MAX_ROUNDS = 20 };

typedef struct kkt {
  const cq_problem *problem;
  const cq_point *point;
  int n, p, m; /* variables; rows: p parts, then the constraints, m in all */
  int mixed;   /* 1: f has parts, whose multipliers add up to 1; else 0 */
  double f_scale;
  double allowed;           /* slack that costs nothing */
  double *row_scale;        /* [m] inf-norm of each row's gradient in scaled variables */
  double *a, *b;            /* [n + m + mixed][m], [n + m + mixed]: the least squares */
  double *mu;               /* [m] multipliers in scaled units: lambda = mu f_scale / row_scale */
  double *q;                /* [n] */
  bool *held, *held_before; /* [n] by a bound */
} kkt;

double cq_violation(const cq_problem *problem, const double *c) {
  const int m = problem->n_inequality + problem->n_equality;
  double violation = 0;
  for (int i = 0; i < m; i++) {
    const double v = i < problem->n_inequality ? c[i] : fabs(c[i]);
    if (isnan(v)) {
      return NAN;
    }
    violation = fmax(violation, v);
  }
  return violation;
}

/* p_j for q_j */
static double project(const cq_problem *problem, const double *x, int j, double q) {
  const double scale = cq_problem_scale(problem, j);
  return q > 0 ? fmin(q, (x[j] - problem->lower[j]) / scale)
               : fmax(q, (x[j] - problem->upper[j]) / scale);
}

double cq_projected_gradient(const cq_problem *problem, const double *x, const double *grad) {
  double norm = 0;
  for (int j = 0; j < problem->n; j++) {
    const bool held = grad[j] > 0 ? x[j] <= problem->lower[j] : x[j] >= problem->upper[j];
    norm = fmax(norm, held ? 0 : fabs(grad[j]) * cq_problem_scale(problem, j));
  }
  return norm;
}

/* inf-norm over the variables free to move of a - b (b may be NULL), times scale or divided by it
 */
static double norm(const cq_problem *problem, const double *a, const double *b, bool divide) {
  double most = 0;
  for (int j = 0; j < problem->n; j++) {
    const double scale = cq_problem_scale(problem, j), d = fabs(b != NULL ? a[j] - b[j] : a[j]);
    if (problem->lower[j] < problem->upper[j]) {
      most = fmax(most, divide ? d / scale : d * scale);
    }
  }
  return most;
}

/* Of the gradient of f between two points. Where f has parts their gradients do not jump. */
static double change(const cq_problem *problem, const cq_point *a, const cq_point *b) {
  const size_t n = (size_t)problem->n;
  double most = cq_problem_has_parts(problem, -1) ? 0 : norm(problem, a->grad, b->grad, false);
  for (int k = 0; k < problem->n_parts; k++) {
    if (problem->part_of[k] < 0) {
      const size_t row = (size_t)k * n;
      most = fmax(most, norm(problem, a->part_slopes + row, b->part_slopes + row, false));
    }
  }
  return most;
}

/* How much the gradient changes by a move of 1 in scaled variables, going by the recent points that
 * are farther from this one than least; NAN: nobody knows. */
static double curvature(const cq_problem *problem, const cq_recent *recent, const cq_point *point,
                        double least) {
  double most = NAN;
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *other = cq_recent_at(recent, k);
    const double distance = other != NULL ? norm(problem, other->x, point->x, true) : 0;
    if (distance > least) {
      most = fmax(most, change(problem, other, point) / distance);
    }
  }
  return most;
}

double cq_kkt_unit(const cq_evaluator *ev, const cq_point *point) {
  const cq_problem *problem = ev->problem;
  const double here = norm(problem, point->grad, NULL, false);
  const double size = fmax(1, norm(problem, point->x, NULL, true));
  const double change = curvature(problem, &ev->recent, point, SAME * size) * size;
  const double sure = curvature(problem, &ev->recent, point, APART * size) * size;
  const double local = isnan(change) ? INFINITY : LOCAL * fmax(change, here);
  const double first = fmin(fmax(ev->first_gradient, ROUNDING * ev->f_scale), local);
  return fmax(fmax(here, first), isnan(sure) ? 0 : NEARBY * sure);
}

static double jacobian(const kkt *k, int i, int j) {
  const size_t n = (size_t)k->n, column = (size_t)j;
  return cq_problem_scale(k->problem, j) * (i < k->p
                                                ? k->point->part_slopes[(size_t)i * n + column]
                                                : k->point->jac[(size_t)(i - k->p) * n + column]);
}

static bool is_part_of_f(const kkt *k, int i) {
  return i < k->p && k->problem->part_of[i] < 0;
}

/* of the objective, but for what its parts are charged with */
static double slope(const kkt *k, int j) {
  return k->mixed ? 0 : k->point->grad[j] * cq_problem_scale(k->problem, j) / k->f_scale;
}

static double slack(const kkt *k, int i) {
  if (is_part_of_f(k, i)) {
    return k->point->f - k->point->parts[i];
  }
  const double c = i < k->p ? k->point->parts[i] : k->point->c[i - k->p];
  return i < k->p + k->problem->n_inequality ? fmax(-c - k->allowed, 0) : 0;
}

/* q for the present mu, and which variables a bound holds */
static void update(kkt *k) {
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(k->problem, j);
    double q = slope(k, j);
    for (int i = 0; i < k->m; i++) {
      q += k->mu[i] * jacobian(k, i, j) / k->row_scale[i];
    }
    const double x = k->point->x[j];
    const double room = q > 0 ? x - k->problem->lower[j] : k->problem->upper[j] - x;
    k->q[j] = q;
    k->held[j] = room <= NEAR_BOUND * scale;
  }
}

static double residual(const kkt *k) {
  double r = 0;
  for (int j = 0; j < k->n; j++) {
    r = fmax(r, fabs(project(k->problem, k->point->x, j, k->q[j])));
  }
  for (int i = 0; i < k->m; i++) {
    r = fmax(r, k->mu[i] * slack(k, i) / k->row_scale[i]);
  }
  return r;
}

static void fill_least_squares(kkt *k) {
  const size_t m = (size_t)k->m;
  for (int j = 0; j < k->n; j++) {
    const double free = k->held[j] ? 0 : 1;
    k->b[j] = free * slope(k, j);
    for (int i = 0; i < k->m; i++) {
      k->a[(size_t)j * m + (size_t)i] = free * jacobian(k, i, j) / k->row_scale[i];
    }
  }
  for (int i = 0; i < k->m; i++) {
    k->b[k->n + i] = 0;
    k->a[(size_t)(k->n + i) * m + (size_t)i] = slack(k, i) / k->row_scale[i];
  }
  for (int i = 0; k->mixed && i < k->m; i++) {
    k->a[(size_t)(k->n + k->m) * m + (size_t)i] = is_part_of_f(k, i) ? 1 : 0;
    k->b[k->n + k->m] = -1;
  }
}

/* The least squares with the row "the multipliers of f's parts add up to 1": their direction is
 * that of the ones which do, because all rows but this one are 0 for multipliers of 0. */
static cq_status find_multipliers(cq_ctx *ctx, kkt *k) {
  fill_least_squares(k);
  CQ_TRY(cq_lsq_signed(ctx, k->n + k->m + k->mixed, k->m, k->p + k->problem->n_inequality, k->a,
                       k->b, k->mu));
  double sum = 0;
  for (int i = 0; i < k->p; i++) {
    sum += is_part_of_f(k, i) ? k->mu[i] : 0;
  }
  for (int i = 0; i < k->m && sum > 0; i++) {
    k->mu[i] /= sum;
  }
  return CQ_OK;
}

static void set_row_scales(kkt *k) {
  for (int i = 0; i < k->m; i++) {
    k->row_scale[i] = 0;
    for (int j = 0; j < k->n; j++) {
      k->row_scale[i] = fmax(k->row_scale[i], fabs(jacobian(k, i, j)));
    }
    k->row_scale[i] = k->row_scale[i] > 0 ? k->row_scale[i] : 1;
    k->row_scale[i] = is_part_of_f(k, i) ? k->f_scale : k->row_scale[i];
  }
}

/* in user units, of each constraint what it and its parts have, then of each part its own */
static void tell_multipliers(const kkt *k, double *multipliers) {
  for (int i = 0; i < k->m - k->p; i++) {
    multipliers[i] = k->mu[k->p + i] * k->f_scale / k->row_scale[k->p + i];
  }
  for (int i = 0; i < k->p; i++) {
    const int of = k->problem->part_of[i];
    if (of >= 0) {
      multipliers[of] += k->mu[i] * k->f_scale / k->row_scale[i];
    }
    multipliers[k->m - k->p + i] = k->mu[i] * k->f_scale / k->row_scale[i];
  }
}

/* Without multipliers; of the parts of f the largest counts. */
static void begin(kkt *k) {
  int largest = -1;
  for (int i = 0; i < k->p; i++) {
    const bool better =
        is_part_of_f(k, i) && (largest < 0 || k->point->parts[i] > k->point->parts[largest]);
    largest = better ? i : largest;
  }
  if (largest >= 0) {
    k->mu[largest] = 1;
  }
  set_row_scales(k);
  update(k);
}

/* Keeps the multipliers of the best round: the set of held bounds may cycle. */
static cq_status minimise(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  begin(k);
  tell_multipliers(k, multipliers);
  *out = residual(k);
  for (int round = 0; k->m > 0 && round < MAX_ROUNDS; round++) {
    memcpy(k->held_before, k->held, (size_t)k->n * sizeof *k->held);
    const cq_status status = find_multipliers(ctx, k);
    if (status != CQ_OK) {
      *out = NAN;
      return status;
    }
    update(k);
    const double r = residual(k);
    if (r < *out) {
      *out = r;
      tell_multipliers(k, multipliers);
    }
    if (memcmp(k->held_before, k->held, (size_t)k->n * sizeof *k->held) == 0) {
      break;
    }
  }
  return CQ_OK;
}

static cq_status solve(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  const size_t n = (size_t)k->n, m = (size_t)k->m, rows = n + m + (size_t)k->mixed;
  double *doubles = NULL;
  bool *flags = NULL;
  *out = NAN;
  cq_status status = CQ_ALLOC(ctx, doubles, 2 * m + rows * m + rows + n);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, flags, 2 * n);
  }
  if (status == CQ_OK) {
    k->row_scale = doubles;
    k->mu = k->row_scale + m;
    k->a = k->mu + m;
    k->b = k->a + rows * m;
    k->q = k->b + rows;
    k->held = flags;
    k->held_before = flags + n;
    status = minimise(ctx, k, multipliers, out);
  }
  cq_free(ctx, flags);
  cq_free(ctx, doubles);
  return status;
}

cq_status cq_kkt_residual(cq_ctx *ctx, const cq_problem *problem, double f_scale, double allowed,
                          const cq_point *point, double *multipliers, double *residual_) {
  kkt k = {.problem = problem,
           .point = point,
           .n = problem->n,
           .p = problem->n_parts,
           .m = problem->n_parts + cq_problem_constraints(problem),
           .mixed = cq_problem_has_parts(problem, -1),
           .f_scale = fmax(f_scale, DBL_MIN),
           .allowed = allowed};
  return solve(ctx, &k, multipliers, residual_);
}

cq_status cq_kkt_judge(const cq_evaluator *ev, const cq_point *point, double *multipliers,
                       double *residual_) {
  return cq_kkt_residual(ev->ctx, ev->problem, cq_kkt_unit(ev, point),
                         ev->def->constraint_tolerance + ev->def->constraint_margin, point,
                         multipliers, residual_);
}
