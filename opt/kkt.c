#include "kkt.h"

#include "alloc.h"
#include "evaluator.h"
#include "lsq.h"

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
  int n, m;
  double f_scale;
  double allowed; /* slack that costs nothing */
  const double *x, *c, *grad, *jac;
  double *row_scale;        /* [m] inf-norm of each constraint gradient in scaled variables */
  double *a, *b;            /* [n + m][m], [n + m]: the least squares */
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

/* How much the gradient changes by a move of 1 in scaled variables, going by the recent points that
 * are farther from this one than least; NAN: nobody knows. */
static double curvature(const cq_problem *problem, const cq_recent *recent, const cq_point *point,
                        double least) {
  double most = NAN;
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *other = cq_recent_at(recent, k);
    const double distance = other != NULL ? norm(problem, other->x, point->x, true) : 0;
    if (distance > least) {
      most = fmax(most, norm(problem, other->grad, point->grad, false) / distance);
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
  return k->jac[(size_t)i * (size_t)k->n + (size_t)j] * cq_problem_scale(k->problem, j);
}

static double slack(const kkt *k, int i) {
  return i < k->problem->n_inequality ? fmax(-k->c[i] - k->allowed, 0) : 0;
}

/* q for the present mu, and which variables a bound holds */
static void update(kkt *k) {
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(k->problem, j);
    double q = k->grad[j] * scale / k->f_scale;
    for (int i = 0; i < k->m; i++) {
      q += k->mu[i] * jacobian(k, i, j) / k->row_scale[i];
    }
    const double room = q > 0 ? k->x[j] - k->problem->lower[j] : k->problem->upper[j] - k->x[j];
    k->q[j] = q;
    k->held[j] = room <= NEAR_BOUND * scale;
  }
}

static double residual(const kkt *k) {
  double r = 0;
  for (int j = 0; j < k->n; j++) {
    r = fmax(r, fabs(project(k->problem, k->x, j, k->q[j])));
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
    k->b[j] = free * k->grad[j] * cq_problem_scale(k->problem, j) / k->f_scale;
    for (int i = 0; i < k->m; i++) {
      k->a[(size_t)j * m + (size_t)i] = free * jacobian(k, i, j) / k->row_scale[i];
    }
  }
  for (int i = 0; i < k->m; i++) {
    k->b[k->n + i] = 0;
    k->a[(size_t)(k->n + i) * m + (size_t)i] = slack(k, i) / k->row_scale[i];
  }
}

static void set_row_scales(kkt *k) {
  for (int i = 0; i < k->m; i++) {
    k->row_scale[i] = 0;
    for (int j = 0; j < k->n; j++) {
      k->row_scale[i] = fmax(k->row_scale[i], fabs(jacobian(k, i, j)));
    }
    k->row_scale[i] = k->row_scale[i] > 0 ? k->row_scale[i] : 1;
  }
}

/* Keeps the multipliers of the best round: the set of held bounds may cycle. */
static cq_status minimise(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  for (int i = 0; i < k->m; i++) {
    multipliers[i] = 0;
  }
  set_row_scales(k);
  update(k);
  *out = residual(k);
  for (int round = 0; k->m > 0 && round < MAX_ROUNDS; round++) {
    memcpy(k->held_before, k->held, (size_t)k->n * sizeof *k->held);
    fill_least_squares(k);
    const cq_status status =
        cq_lsq_signed(ctx, k->n + k->m, k->m, k->problem->n_inequality, k->a, k->b, k->mu);
    if (status != CQ_OK) {
      *out = NAN;
      return status;
    }
    update(k);
    const double r = residual(k);
    if (r < *out) {
      *out = r;
      for (int i = 0; i < k->m; i++) {
        multipliers[i] = k->mu[i] * k->f_scale / k->row_scale[i];
      }
    }
    if (memcmp(k->held_before, k->held, (size_t)k->n * sizeof *k->held) == 0) {
      break;
    }
  }
  return CQ_OK;
}

static cq_status solve(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  const size_t n = (size_t)k->n, m = (size_t)k->m;
  double *doubles = NULL;
  bool *flags = NULL;
  *out = NAN;
  cq_status status = CQ_ALLOC(ctx, doubles, 2 * m + (n + m) * m + (n + m) + n);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, flags, 2 * n);
  }
  if (status == CQ_OK) {
    k->row_scale = doubles;
    k->mu = k->row_scale + m;
    k->a = k->mu + m;
    k->b = k->a + (n + m) * m;
    k->q = k->b + n + m;
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
           .n = problem->n,
           .m = cq_problem_constraints(problem),
           .f_scale = fmax(f_scale, DBL_MIN),
           .allowed = allowed,
           .x = point->x,
           .c = point->c,
           .grad = point->grad,
           .jac = point->jac};
  return solve(ctx, &k, multipliers, residual_);
}

cq_status cq_kkt_judge(const cq_evaluator *ev, const cq_point *point, double *multipliers,
                       double *residual_) {
  return cq_kkt_residual(ev->ctx, ev->problem, cq_kkt_unit(ev, point),
                         ev->def->constraint_tolerance + ev->def->constraint_margin, point,
                         multipliers, residual_);
}
