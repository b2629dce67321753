#include "kkt.h"

#include "alloc.h"
#include "evaluator.h"
#include "lsq.h"
#include "status.h"

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
/* of the reach, of the range: what is smaller is no size */
static const double LEAST_SIZE = 1e-4;
/* part of a change by curvature that the next order may be */
static const double CURVED = 0.5;
/* rounds of: which bounds hold, then multipliers; a few settle it */
enum { MAX_ROUNDS = 20 };

typedef struct kkt {
  const cq_problem *problem;
  const cq_point *point;
  int n, p, m;              /* variables; rows: p parts, then the constraints, m in all */
  int mixed;                /* 1: f has parts, whose multipliers add up to 1; else 0 */
  double reach;             /* [scale] what distances are measured in */
  double f_scale;           /* of the gradient times scale */
  double margin;            /* slack that counts as none, */
  const double *tolerance;  /* [n_inequality] and that is a violation's tolerance; NULL: 0 */
  double *row_scale;        /* [m] inf-norm of each row's gradient in scaled variables */
  double *distance;         /* [m] of an inequality from 0; INFINITY: too far to matter */
  double *a, *b;            /* [n + m + mixed][m], [n + m + mixed]: the least squares */
  double *mu;               /* [m] multipliers in scaled units: lambda = mu f_scale / row_scale */
  double *q;                /* [n] */
  bool *held, *held_before; /* [n] by a bound */
} kkt;

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

/* gradient of f, or of its part k >= 0 */
static const double *slopes_of_f(const cq_problem *problem, const cq_point *point, int k) {
  return k < 0 ? point->grad : point->part_slopes + (size_t)k * (size_t)problem->n;
}

/* inf-norm in scaled variables of slopes at a point, less `from` if that is not NULL, over the
 * variables that may move */
static double slope_norm(const cq_problem *problem, const cq_point *point, const double *slopes,
                         const double *from) {
  double most = 0;
  for (int j = 0; j < problem->n; j++) {
    if (problem->lower[j] < problem->upper[j] && !is_pushed(problem, point->x, j, point->grad[j])) {
      const double slope = slopes[j] - (from != NULL ? from[j] : 0);
      most = fmax(most, fabs(slope) * cq_problem_scale(problem, j));
    }
  }
  return most;
}

/* What the gradient of f, or of any of its parts, differs by at another point. */
static double change(const cq_problem *problem, const cq_point *point, const cq_point *other) {
  double most =
      cq_problem_has_parts(problem, -1) ? 0 : slope_norm(problem, point, point->grad, other->grad);
  for (int k = 0; k < problem->n_parts; k++) {
    if (problem->part_of[k] < 0) {
      most = fmax(most, slope_norm(problem, point, slopes_of_f(problem, point, k),
                                   slopes_of_f(problem, other, k)));
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

/* (a - b).(x_a - x_b) of gradients of f, or of its part k >= 0, and the same with a + b */
static void products(const cq_problem *problem, const cq_point *a, const cq_point *b, int k,
                     double *difference, double *sum) {
  const double *const g_a = slopes_of_f(problem, a, k), *const g_b = slopes_of_f(problem, b, k);
  *difference = *sum = 0;
  for (int j = 0; j < problem->n; j++) {
    const double step = a->x[j] - b->x[j];
    *difference += (g_a[j] - g_b[j]) * step;
    *sum += (g_a[j] + g_b[j]) * step;
  }
}

/* What f between two points, or its part k >= 0, is off by from the parabola that their gradients
 * make of it; *bend is what the gradients' difference is worth, *noise that of f. */
static double off_parabola(const cq_evaluator *ev, const cq_point *a, const cq_point *b, int k,
                           double *bend, double *noise) {
  const double f_a = k < 0 ? a->f : a->parts[k], f_b = k < 0 ? b->f : b->parts[k];
  double difference = 0, sum = 0;
  products(ev->problem, a, b, k, &difference, &sum);
  *bend = fabs(0.5 * difference);
  *noise = cq_evaluator_noise(ev, fabs(f_a) + fabs(f_b));
  return fabs(f_a - f_b - 0.5 * sum);
}

/* Across a kink, or too far, the change of the gradient is no curvature. */
static bool is_parabola_of(const cq_evaluator *ev, const cq_point *a, const cq_point *b, int k) {
  double bend = 0, noise = 0;
  const double off = off_parabola(ev, a, b, k, &bend, &noise);
  return off <= CURVED * bend + noise;
}

bool cq_kkt_is_kink(const cq_evaluator *ev, const cq_point *a, const cq_point *b) {
  double bend = 0, noise = 0;
  if (cq_problem_has_parts(ev->problem, -1)) {
    return false;
  }
  const double off = off_parabola(ev, a, b, -1, &bend, &noise);
  /* what is rounded to the same f is off by as much, and no kink */
  return off > CURVED * bend + noise && off <= 2 * bend && fabs(a->f - b->f) > CURVED * bend;
}

/* All parts of f are, if it has some: they are smooth where their largest is not. */
static bool is_parabola(const cq_evaluator *ev, const cq_point *a, const cq_point *b) {
  const cq_problem *problem = ev->problem;
  bool is = cq_problem_has_parts(problem, -1) || is_parabola_of(ev, a, b, -1);
  for (int k = 0; k < problem->n_parts && is; k++) {
    is = problem->part_of[k] >= 0 || is_parabola_of(ev, a, b, k);
  }
  return is;
}

/* how far the last points with gradient have been from this one */
static double way_lately(const cq_evaluator *ev, const cq_point *point) {
  double most = 0;
  for (int k = 0; k < CQ_RECENT; k++) {
    const cq_point *other = cq_recent_at(&ev->recent, k);
    most = fmax(most, other != NULL ? length(ev->problem, other->x, point->x) : 0);
  }
  return most;
}

double cq_kkt_reach(const cq_evaluator *ev, const cq_point *point) {
  const cq_problem *problem = ev->problem;
  const double size = length(problem, point->x, NULL);
  const double range = length(problem, problem->upper, problem->lower);
  double reach = fmax(size, length(problem, point->x, problem->start));
  reach = reach > 0 ? fmax(reach, LEAST_REACH) : way_lately(ev, point);
  return reach > 0 ? fmin(reach, range > 0 ? fmin(range, 1) : 1) : 1;
}

void cq_kkt_sizes(const cq_evaluator *ev, const cq_point *point, double *sizes) {
  const cq_problem *problem = ev->problem;
  const double reach = cq_kkt_reach(ev, point);
  for (int j = 0; j < problem->n; j++) {
    const double range = problem->upper[j] - problem->lower[j];
    const double room = fmin(reach * cq_problem_scale(problem, j), range);
    const double way = fmin(fabs(point->x[j] - problem->start[j]), room);
    const double size = fmin(fmax(fabs(point->x[j]), way), range);
    sizes[j] = size > LEAST_SIZE * room ? size : room > 0 ? room : 1;
  }
}

/* Nearer than that gradients differ by rounding. */
static double least_apart(const cq_evaluator *ev, const cq_point *point) {
  return fmax(APART * cq_kkt_reach(ev, point), ROUNDED * length(ev->problem, point->x, NULL));
}

bool cq_kkt_tells(const cq_evaluator *ev, const cq_point *point, const cq_point *other) {
  return length(ev->problem, other->x, point->x) >= least_apart(ev, point) &&
         is_parabola(ev, point, other);
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

/* of what a slope may be off by: noise has tails, and over a short way makes much of a little */
static const double SURE = 10;

/* What a slope may be off by that is made of differences: rounding of f, or the noise that probes
 * have seen, over the step of each variable. */
static double slope_error(const cq_evaluator *ev, const cq_point *point) {
  const cq_problem *problem = ev->problem;
  double error = 0;
  for (int j = 0; problem->difference != NULL && j < problem->n; j++) {
    if (problem->difference[j] > 0) {
      error = fmax(error, cq_problem_scale(problem, j) / problem->difference[j]);
    }
  }
  return error * fmax(cq_evaluator_noise(ev, fabs(point->f)), ev->f_noise);
}

double cq_kkt_unit(const cq_evaluator *ev, const cq_point *point) {
  double distance = 0;
  const cq_point *other = nearest(ev, point, &distance);
  const double reach = cq_kkt_reach(ev, point), noise = cq_evaluator_noise(ev, fabs(point->f));
  double here = slope_norm(ev->problem, point, point->grad, NULL);
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
  /* what may be an error of two slopes is no curvature */
  const double curvature =
      fmax(change(ev->problem, point, other) - SURE * slope_error(ev, point), 0) / distance;
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

/* gradient of row i */
static const double *row(const kkt *k, int i) {
  const size_t n = (size_t)k->n;
  return i < k->p ? k->point->part_slopes + (size_t)i * n : k->point->jac + (size_t)(i - k->p) * n;
}

static double jacobian(const kkt *k, int i, int j) {
  return row(k, i)[j] * cq_problem_scale(k->problem, j);
}

/* The inequality that row i is, or is a part of; -1: it is a part of f; more than there are: an
 * equality. */
static int function_of(const kkt *k, int i) {
  return i < k->p ? k->problem->part_of[i] : i - k->p;
}

static bool is_part_of_f(const kkt *k, int i) {
  return function_of(k, i) < 0;
}

/* of the objective, but for what its parts are charged with */
static double slope(const kkt *k, int j) {
  return k->mixed ? 0 : k->point->grad[j] * cq_problem_scale(k->problem, j) / k->f_scale;
}

/* q for the present mu, and which variables a bound holds */
static void update(kkt *k) {
  const double *const x = k->point->x;
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(k->problem, j);
    double q = slope(k, j);
    for (int i = 0; i < k->m; i++) {
      q += k->mu[i] * jacobian(k, i, j) / k->row_scale[i];
    }
    const double room = q > 0 ? x[j] - k->problem->lower[j] : k->problem->upper[j] - x[j];
    k->q[j] = q;
    k->held[j] = room <= NEAR * scale * k->reach;
  }
}

/* p_j */
static double project(const kkt *k, int j) {
  const double q = k->q[j], scale = cq_problem_scale(k->problem, j) * k->reach;
  const double x = k->point->x[j];
  return q > 0 ? fmin(q, (x - k->problem->lower[j]) / scale)
               : fmax(q, (x - k->problem->upper[j]) / scale);
}

static double residual(const kkt *k) {
  double r = 0;
  for (int j = 0; j < k->n; j++) {
    r = fmax(r, fabs(project(k, j)));
  }
  for (int i = 0; i < k->p + k->problem->n_inequality; i++) {
    r = fmax(r, fmin(k->mu[i], k->distance[i]));
  }
  return r;
}

static void fill_least_squares(kkt *k) {
  const size_t m = (size_t)k->m;
  for (int j = 0; j < k->n; j++) {
    const double free = k->held[j] ? 0 : 1;
    k->b[j] = free * slope(k, j);
    for (int i = 0; i < k->m; i++) {
      const double matters = k->distance[i] <= NEAR ? free : 0;
      k->a[(size_t)j * m + (size_t)i] = matters * jacobian(k, i, j) / k->row_scale[i];
    }
  }
  for (int i = 0; i < k->m; i++) {
    k->b[k->n + i] = 0;
    k->a[(size_t)(k->n + i) * m + (size_t)i] = fmin(k->distance[i], 1);
  }
  for (int i = 0; k->mixed && i < k->m; i++) {
    /* a part that is too far has no say here either, or it would be the one that is loaded */
    k->a[(size_t)(k->n + k->m) * m + (size_t)i] = is_part_of_f(k, i) && k->distance[i] <= NEAR;
    k->b[k->n + k->m] = -1;
  }
}

/* No multipliers; of the parts of f the largest counts. Returns its row, -1 where f has none. */
static int begin(kkt *k) {
  int largest = -1;
  for (int i = 0; i < k->m; i++) {
    k->mu[i] = 0;
    if (is_part_of_f(k, i) && (largest < 0 || k->point->parts[i] > k->point->parts[largest])) {
      largest = i;
    }
  }
  if (largest >= 0) {
    k->mu[largest] = 1;
  }
  return largest;
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
  if (k->mixed && !(sum > 0)) {
    begin(k);
    return CQ_OK;
  }
  for (int i = 0; i < k->m && k->mixed; i++) {
    k->mu[i] /= sum;
  }
  return CQ_OK;
}

/* What moves of all variables by one scale change in row i; of a part of f, beside the largest. */
static double change_of_row(const kkt *k, int i) {
  double change = 0;
  for (int j = 0; j < k->n; j++) {
    const double largest =
        is_part_of_f(k, i) ? k->point->grad[j] * cq_problem_scale(k->problem, j) : 0;
    change += fabs(jacobian(k, i, j) - largest) * k->reach;
  }
  return change;
}

/* Slack of an inequality beyond margin and tolerance, over what moves of all variables by one scale
 * change. A tolerance wider than a thousandth of that is not granted in full: within it everything
 * would be active. A part of f is as far away as the x where it is as large as the largest. */
static double distance(const kkt *k, int i) {
  const cq_point *point = k->point;
  const int of = function_of(k, i);
  if (of >= k->problem->n_inequality) {
    return 0;
  }
  const double change = change_of_row(k, i);
  const double tolerance = of >= 0 && k->tolerance != NULL ? k->tolerance[of] : 0;
  const double value = i < k->p ? point->parts[i] : point->c[of];
  const double slack =
      of < 0 ? point->f - value : -value - k->margin - fmin(tolerance, NEAR * change);
  return slack <= 0 ? 0 : change > 0 ? slack / change : INFINITY;
}

static void set_rows(kkt *k) {
  for (int i = 0; i < k->m; i++) {
    k->row_scale[i] = 0;
    for (int j = 0; j < k->n; j++) {
      k->row_scale[i] = fmax(k->row_scale[i], fabs(jacobian(k, i, j)));
    }
    k->row_scale[i] = k->row_scale[i] > 0 ? k->row_scale[i] : 1;
    k->row_scale[i] = is_part_of_f(k, i) ? k->f_scale : k->row_scale[i];
    /* what has parts is told by them */
    const bool is_told = i >= k->p && cq_problem_has_parts(k->problem, i - k->p);
    k->distance[i] = is_told ? INFINITY : distance(k, i);
  }
}

/* in user units: of each constraint, with what its parts have, then of each part its own */
static void tell_multipliers(const kkt *k, double *multipliers) {
  const int constraints = k->m - k->p;
  for (int i = 0; i < constraints; i++) {
    multipliers[i] = k->mu[k->p + i] * k->f_scale / k->row_scale[k->p + i];
  }
  for (int i = 0; i < k->p; i++) {
    const double l = k->mu[i] * k->f_scale / k->row_scale[i];
    multipliers[constraints + i] = l;
    if (!is_part_of_f(k, i)) {
      multipliers[function_of(k, i)] += l;
    }
  }
}

/* Keeps the multipliers of the best round: the set of held bounds may cycle. */
static cq_status minimise(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  const int largest = begin(k);
  for (int i = 0; i < k->m; i++) {
    multipliers[i] = 0;
  }
  if (largest >= 0) {
    multipliers[k->m - k->p + largest] = 1;
  }
  update(k);
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

/* Room for one residual; set_rows and minimise do the work. */
static cq_status solve(cq_ctx *ctx, kkt *k, double *multipliers, double *out) {
  const size_t n = (size_t)k->n, m = (size_t)k->m, rows = n + m + (size_t)k->mixed;
  double *doubles = NULL;
  bool *flags = NULL;
  *out = NAN;
  cq_status status = CQ_ALLOC(ctx, doubles, 3 * m + rows * m + rows + n);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, flags, 2 * n);
  }
  if (status == CQ_OK) {
    k->row_scale = doubles;
    k->distance = k->row_scale + m;
    k->mu = k->distance + m;
    k->a = k->mu + m;
    k->b = k->a + rows * m;
    k->q = k->b + rows;
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
               .point = point,
               .n = problem->n,
               .p = problem->n_parts,
               .m = problem->n_parts + cq_problem_constraints(problem),
               .mixed = cq_problem_has_parts(problem, -1),
               .reach = 1};
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

static cq_status judge(const cq_evaluator *ev, const cq_point *point, double *multipliers,
                       double *residual_) {
  kkt k = of_run(ev, point);
  k.f_scale = fmax(cq_kkt_unit(ev, point), DBL_MIN);
  const cq_status status = solve(ev->ctx, &k, multipliers, residual_);
  *residual_ += slope_error(ev, point) / k.f_scale;
  return status;
}

/* with the sizes of the variables for scales; multipliers are the caller's to throw away */
static cq_status judge_by_sizes(const cq_evaluator *ev, const cq_point *point, double *sizes,
                                double *multipliers, double *residual_) {
  cq_problem problem = *ev->problem;
  cq_evaluator view = *ev;
  cq_kkt_sizes(ev, point, sizes);
  problem.scale = sizes;
  view.problem = &problem;
  return judge(&view, point, multipliers, residual_);
}

cq_status cq_kkt_judge(const cq_evaluator *ev, const cq_point *point, double *multipliers,
                       double *residual_) {
  CQ_TRY(judge(ev, point, multipliers, residual_));
  if (!(*residual_ <= ev->def->optimality_tolerance) || ev->def->verify != CQ_VERIFY_PROBE) {
    return CQ_OK;
  }
  double *doubles = NULL, other = NAN;
  const size_t n = (size_t)ev->problem->n;
  CQ_TRY(CQ_ALLOC(ev->ctx, doubles, n + (size_t)(ev->m + ev->problem->n_parts)));
  const cq_status status = judge_by_sizes(ev, point, doubles, doubles + n, &other);
  cq_free(ev->ctx, doubles);
  *residual_ = status == CQ_OK ? fmax(*residual_, other) : NAN;
  return status;
}

double cq_kkt_distance(const cq_evaluator *ev, const cq_point *point, int i) {
  const kkt k = of_run(ev, point);
  return distance(&k, k.p + i);
}
