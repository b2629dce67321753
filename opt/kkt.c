#include "kkt.h"

#include "alloc.h"
#include "evaluator.h"
#include "lsq.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [scale] a variable this near a bound may be held by it, an inequality this near 0 may be active
 */
static const double NEAR = 1e-3;
/* [reach], [size of x]: gradients of points nearer than that differ by rounding */
static const double APART = 1e-7, ROUNDED = 1e-9;
/* [scale] */
static const double LEAST_REACH = 1e-12;
/* part of a change by curvature that the next order may be */
static const double CURVED = 0.5;
/* rounds of: which bounds hold, then multipliers; a few settle it */
enum { MAX_ROUNDS = 20 };

typedef struct kkt {
  const cq_problem *problem;
  int n, m;
  double reach;            /* [scale] what distances are measured in */
  double f_scale;          /* of the gradient times scale */
  double margin;           /* slack that counts as none, */
  const double *tolerance; /* [n_inequality] and that is a violation's tolerance; NULL: 0 */
  const double *x, *c, *grad, *jac;
  double *row_scale;        /* [m] inf-norm of each constraint gradient in scaled variables */
  double *distance;         /* [m] of an inequality from 0; INFINITY: too far to matter */
  double *a, *b;            /* [n + m][m], [n + m]: the least squares */
  double *mu;               /* [m] multipliers in scaled units: lambda = mu f_scale / row_scale */
  double *q;                /* [n] */
  bool *held, *held_before; /* [n] by a bound */
} kkt;

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

double cq_projected_gradient(const cq_problem *problem, const double *x, const double *grad) {
  double norm = 0;
  for (int j = 0; j < problem->n; j++) {
    const bool held = grad[j] > 0 ? x[j] <= problem->lower[j] : x[j] >= problem->upper[j];
    norm = fmax(norm, held ? 0 : fabs(grad[j]) * cq_problem_scale(problem, j));
  }
  return norm;
}

/* whether variable j lies on the bound that its descent -slope pushes it against */
static bool is_pushed(const cq_problem *problem, const double *x, int j, double slope) {
  return slope > 0 ? x[j] <= problem->lower[j] : slope < 0 && x[j] >= problem->upper[j];
}

/* inf-norm of the gradient at a point in scaled variables, with those that bounds hold */
static double whole_slope(const cq_problem *problem, const cq_point *point) {
  double most = 0;
  for (int j = 0; j < problem->n; j++) {
    most = fmax(most, fabs(point->grad[j]) * cq_problem_scale(problem, j));
  }
  return most;
}

/* inf-norm in scaled variables of the gradient at a point, less `from` if that is not NULL, over
 * the variables that may move */
static double slope_norm(const cq_problem *problem, const cq_point *point, const double *from) {
  double most = 0;
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j] && !is_pushed(problem, point->x, j, point->grad[j])) {
      const double slope = point->grad[j] - (from != NULL ? from[j] : 0);
      most = fmax(most, fabs(slope) * cq_problem_scale(problem, j));
    }
  }
  return most;
}

/* inf-norm of a - b (NULL: 0) in scaled variables, over those that may move */
static double length(const cq_problem *problem, const double *a, const double *b) {
  double most = 0;
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j]) {
      most = fmax(most, fabs(a[j] - (b != NULL ? b[j] : 0)) / cq_problem_scale(problem, j));
    }
  }
  return most;
}

/* (a - b).(x_a - x_b) of gradients, and the same with a + b */
static void products(const cq_problem *problem, const cq_point *a, const cq_point *b,
                     double *difference, double *sum) {
  *difference = *sum = 0;
  for (int j = 0; j < problem->n; j++) {
    const double step = a->x[j] - b->x[j];
    *difference += (a->grad[j] - b->grad[j]) * step;
    *sum += (a->grad[j] + b->grad[j]) * step;
  }
}

/* Whether f between two points is the parabola that their gradients make of it. Across a kink, or
 * too far, the change of the gradient is no curvature. */
static bool is_parabola(const cq_evaluator *ev, const cq_point *a, const cq_point *b) {
  double difference = 0, sum = 0;
  products(ev->problem, a, b, &difference, &sum);
  return fabs(a->f - b->f - 0.5 * sum) <=
         CURVED * fabs(0.5 * difference) + cq_evaluator_noise(ev, fabs(a->f) + fabs(b->f));
}

double cq_kkt_reach(const cq_evaluator *ev, const cq_point *point) {
  const double size = length(ev->problem, point->x, NULL);
  const double reach = fmax(size, length(ev->problem, point->x, ev->problem->start));
  return reach > 0 ? fmin(fmax(reach, LEAST_REACH), 1) : 1;
}

/* Nearer than that gradients differ by rounding. */
static double least_apart(const cq_evaluator *ev, const cq_point *point) {
  return fmax(APART * cq_kkt_reach(ev, point), ROUNDED * length(ev->problem, point->x, NULL));
}

/* The nearest point with a gradient that differs from this one's by more than rounding, and its
 * distance; NULL: there is none. */
static const cq_point *nearest(const cq_evaluator *ev, const cq_point *point, double *distance) {
  const double least = least_apart(ev, point);
  const cq_point *best = NULL;
  *distance = INFINITY;
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *other = cq_recent_at(&ev->recent, k);
    const double d = other != NULL ? length(ev->problem, other->x, point->x) : 0;
    if (d >= least && d < *distance && is_parabola(ev, point, other)) {
      *distance = d;
      best = other;
    }
  }
  return best;
}

double cq_kkt_unit(const cq_evaluator *ev, const cq_point *point) {
  double distance = 0;
  const cq_point *other = nearest(ev, point, &distance);
  const double reach = cq_kkt_reach(ev, point), noise = cq_evaluator_noise(ev, fabs(point->f));
  double here = slope_norm(ev->problem, point, NULL);
  if (ev->def->verify == CQ_VERIFY_PROBE) {
    /* beside slopes that bounds hold, those that change f by less than its noise over the whole
     * reach are none */
    const double level = noise / (ev->def->optimality_tolerance * reach);
    here = fmax(here, fmin(level, whole_slope(ev->problem, point)));
  }
  if (other == NULL) {
    /* without probes: what it was at first */
    return ev->def->verify == CQ_VERIFY_RESIDUAL ? fmax(here, ev->first_gradient) : here;
  }
  const double curvature = slope_norm(ev->problem, point, other->grad) / distance;
  /* where the slope is worth less than the noise of f, no method gets any further */
  const double least = sqrt(2 * noise * curvature);
  const double most =
      fmax(curvature * reach, fmin(least / ev->def->optimality_tolerance, curvature));
  return fmax(here, most);
}

bool cq_kkt_is_blind(const cq_evaluator *ev, const cq_point *point, bool settled) {
  double distance = 0;
  bool still = true;
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *other = cq_recent_at(&ev->recent, k);
    still =
        still && other != NULL && length(ev->problem, other->x, point->x) < least_apart(ev, point);
  }
  return nearest(ev, point, &distance) == NULL && (still || !settled);
}

static double jacobian(const kkt *k, int i, int j) {
  return k->jac[(size_t)i * (size_t)k->n + (size_t)j] * cq_problem_scale(k->problem, j);
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
    k->held[j] = room <= NEAR * scale * k->reach;
  }
}

/* p_j */
static double project(const kkt *k, int j) {
  const double q = k->q[j], scale = cq_problem_scale(k->problem, j) * k->reach;
  return q > 0 ? fmin(q, (k->x[j] - k->problem->lower[j]) / scale)
               : fmax(q, (k->x[j] - k->problem->upper[j]) / scale);
}

static double residual(const kkt *k) {
  double r = 0;
  for (int j = 0; j < k->n; j++) {
    r = fmax(r, fabs(project(k, j)));
  }
  for (int i = 0; i < k->problem->n_inequality; i++) {
    r = fmax(r, fmin(k->mu[i], k->distance[i]));
  }
  return r;
}

static void fill_least_squares(kkt *k) {
  const size_t m = (size_t)k->m;
  for (int j = 0; j < k->n; j++) {
    const double free = k->held[j] ? 0 : 1;
    k->b[j] = free * k->grad[j] * cq_problem_scale(k->problem, j) / k->f_scale;
    for (int i = 0; i < k->m; i++) {
      const double matters = k->distance[i] <= NEAR ? free : 0;
      k->a[(size_t)j * m + (size_t)i] = matters * jacobian(k, i, j) / k->row_scale[i];
    }
  }
  for (int i = 0; i < k->m; i++) {
    k->b[k->n + i] = 0;
    k->a[(size_t)(k->n + i) * m + (size_t)i] = fmin(k->distance[i], 1);
  }
}

/* Slack of inequality i beyond margin and tolerance, over what moves of all variables by one scale
 * change. A tolerance wider than a thousandth of that is not granted in full: within it everything
 * would be active. */
static double distance(const kkt *k, int i) {
  double change = 0;
  for (int j = 0; j < k->n; j++) {
    change += fabs(jacobian(k, i, j)) * k->reach;
  }
  const double tolerance = k->tolerance != NULL ? k->tolerance[i] : 0;
  const double slack = -k->c[i] - k->margin - fmin(tolerance, NEAR * change);
  return slack <= 0 ? 0 : change > 0 ? slack / change : INFINITY;
}

static void set_rows(kkt *k) {
  for (int i = 0; i < k->m; i++) {
    k->row_scale[i] = 0;
    for (int j = 0; j < k->n; j++) {
      k->row_scale[i] = fmax(k->row_scale[i], fabs(jacobian(k, i, j)));
    }
    k->row_scale[i] = k->row_scale[i] > 0 ? k->row_scale[i] : 1;
    k->distance[i] = i < k->problem->n_inequality ? distance(k, i) : 0;
  }
}

/* Keeps the multipliers of the best round: the set of held bounds may cycle. */
static cq_status minimise(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  for (int i = 0; i < k->m; i++) {
    multipliers[i] = 0;
  }
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
  cq_status status = CQ_ALLOC(ctx, doubles, 3 * m + (n + m) * m + (n + m) + n);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, flags, 2 * n);
  }
  if (status == CQ_OK) {
    k->row_scale = doubles;
    k->distance = k->row_scale + m;
    k->mu = k->distance + m;
    k->a = k->mu + m;
    k->b = k->a + (n + m) * m;
    k->q = k->b + n + m;
    k->held = flags;
    k->held_before = flags + n;
    set_rows(k);
    status = minimise(ctx, k, multipliers, out);
  }
  cq_free(ctx, flags);
  cq_free(ctx, doubles);
  return status;
}

static kkt of_point(const cq_problem *problem, const cq_point *point) {
  return (kkt){.problem = problem,
               .n = problem->n,
               .m = cq_problem_constraints(problem),
               .reach = 1,
               .x = point->x,
               .c = point->c,
               .grad = point->grad,
               .jac = point->jac};
}

/* of a run */
static kkt of_run(const cq_evaluator *ev, const cq_point *point) {
  kkt k = of_point(ev->problem, point);
  k.reach = cq_kkt_reach(ev, point);
  k.margin = ev->def->constraint_margin;
  k.tolerance = ev->tolerance;
  return k;
}

cq_status cq_kkt_residual(cq_ctx *ctx, const cq_problem *problem, double f_scale,
                          const cq_point *point, double *multipliers, double *residual_) {
  kkt k = of_point(problem, point);
  k.f_scale = fmax(f_scale, DBL_MIN);
  return solve(ctx, &k, multipliers, residual_);
}

cq_status cq_kkt_judge(const cq_evaluator *ev, const cq_point *point, double *multipliers,
                       double *residual_) {
  kkt k = of_run(ev, point);
  k.f_scale = fmax(cq_kkt_unit(ev, point), DBL_MIN);
  return solve(ev->ctx, &k, multipliers, residual_);
}

double cq_kkt_distance(const cq_evaluator *ev, const cq_point *point, int i) {
  const kkt k = of_run(ev, point);
  return i < ev->problem->n_inequality ? distance(&k, i) : 0;
}
