/* Profiles of a fit: f over one variable, the others fitted again at each of its values. */
#include "cqopt/uncertainty.h"

#include "alloc.h"
#include "refit.h"
#include "status.h"

#include <math.h>
#include <string.h>

typedef struct walk {
  cq_ctx *ctx;
  const cq_problem *problem; /* as it was given */
  const cq_uncertainty *u;
  const double *x; /* [n] the best design */
  cq_profile *p;
  double step; /* of the variable, from point to point */
  int points;  /* on either side */
  int ends[2]; /* points that there are on either side */
  cq_problem fixed;
  double *lower, *upper; /* [n] its bounds: those of the problem, the variable's both where it is */
} walk;

/* Point k of -points ... points: its row while the ends are not known. */
static size_t row_of(const walk *w, int k) {
  return (size_t)(w->points + k);
}

/* The value of the variable at point k; false: it would be past a bound that the one before is on.
 */
static bool place(const walk *w, int k, double *value) {
  const int v = w->p->variable, before = k > 0 ? k - 1 : k + 1;
  const double low = w->problem->lower[v], high = w->problem->upper[v];
  const double last = w->p->x[row_of(w, before) * (size_t)w->p->n + (size_t)v];
  *value = fmin(fmax(w->x[v] + k * w->step, low), high);
  return *value != last;
}

/* A change of variable j where v changes by `by`: as the two designs before did, or as their
 * errors hang together. */
static double follow(const walk *w, int k, int j, double by) {
  const size_t n = (size_t)w->p->n, v = (size_t)w->p->variable, i = (size_t)j;
  if (k == 1 || k == -1) {
    const double slope = w->u->correlation[i * n + v] * w->u->errors[i] / w->u->errors[v];
    return isfinite(slope) ? slope * by : 0;
  }
  const int side = k > 0 ? 1 : -1;
  const double *a = w->p->x + row_of(w, k - 2 * side) * n, *b = w->p->x + row_of(w, k - side) * n;
  return (b[i] - a[i]) / (b[v] - a[v]) * by;
}

/* The fit at point k, from its neighbour. */
static cq_status fit(walk *w, int k, double value) {
  const size_t n = (size_t)w->p->n, row = row_of(w, k);
  const int v = w->p->variable, before = k > 0 ? k - 1 : k + 1;
  const double *from = w->p->x + row_of(w, before) * n;
  double *const x = w->p->x + row * n;
  bool settled = false;
  for (int j = 0; j < w->p->n; j++) {
    const double guess = from[j] + follow(w, k, j, value - from[v]);
    x[j] = j == v ? value : fmin(fmax(guess, w->problem->lower[j]), w->problem->upper[j]);
  }
  w->lower[v] = w->upper[v] = value;
  CQ_TRY(cq_refit(w->ctx, &w->fixed, w->u->memory, x, &w->p->f[row], &settled));
  w->p->unsettled += !settled && !isnan(w->p->f[row]);
  return CQ_OK;
}

/* Outwards on one side, up to a bound or a fit that fails. */
static cq_status walk_side(walk *w, int side) {
  for (int i = 1; i <= w->points; i++) {
    double value = NAN;
    if (!place(w, side * i, &value)) {
      return CQ_OK;
    }
    CQ_TRY(fit(w, side * i, value));
    w->ends[side > 0] = i;
    if (isnan(w->p->f[row_of(w, side * i)])) {
      return CQ_OK;
    }
  }
  return CQ_OK;
}

static double root_of_rise(const cq_profile *p, int i, double least) {
  return sqrt(fmax(p->f[i] - least, 0));
}

/* Where the root of the rise, nearly a straight line on either side, is that of p->rise. */
static double find_end(const cq_profile *p, int best, int side) {
  const double wanted = sqrt(p->rise);
  const size_t n = (size_t)p->n, v = (size_t)p->variable;
  for (int i = best; i + side >= 0 && i + side < p->count; i += side) {
    const double a = root_of_rise(p, i, p->f[best]), b = root_of_rise(p, i + side, p->f[best]);
    if (b >= wanted) {
      const double x = p->x[(size_t)i * n + v], y = p->x[(size_t)(i + side) * n + v];
      return x + (wanted - a) / (b - a) * (y - x);
    }
  }
  return NAN;
}

/* The points that there are, one after the other, and the ends of the interval around the best of
 * them, which may be better than where it began. */
static void finish(walk *w) {
  cq_profile *const p = w->p;
  const size_t n = (size_t)p->n, first = row_of(w, -w->ends[0]);
  p->count = w->ends[0] + 1 + w->ends[1];
  memmove(p->x, p->x + first * n, (size_t)p->count * n * sizeof *p->x);
  memmove(p->f, p->f + first, (size_t)p->count * sizeof *p->f);
  int best = w->ends[0];
  for (int i = 0; i < p->count; i++) {
    best = p->f[i] < p->f[best] ? i : best;
  }
  p->lower = find_end(p, best, -1);
  p->upper = find_end(p, best, 1);
}

/* The length of a step: of the error, or of the range of a variable that has none. */
static cq_status set_step(walk *w, double reach) {
  const int v = w->p->variable;
  const double range = w->problem->upper[v] - w->problem->lower[v], error = w->u->errors[v];
  CQ_CHECK(w->ctx, isfinite(error) || isfinite(range), CQ_CONFIG,
           "variable %d has neither an error bar nor bounds to look between", v);
  CQ_CHECK(w->ctx, range > 0, CQ_CONFIG, "variable %d is fixed by its bounds", v);
  w->step = (isfinite(error) && error > 0 ? reach * error : range) / w->points;
  return CQ_OK;
}

static cq_status run(walk *w, double reach) {
  const size_t n = (size_t)w->p->n, middle = row_of(w, 0);
  CQ_TRY(set_step(w, reach));
  memcpy(w->lower, w->problem->lower, n * sizeof *w->lower);
  memcpy(w->upper, w->problem->upper, n * sizeof *w->upper);
  w->fixed = *w->problem;
  w->fixed.lower = w->lower;
  w->fixed.upper = w->upper;
  memcpy(w->p->x + middle * n, w->x, n * sizeof *w->x);
  w->p->f[middle] = w->u->f;
  for (int side = -1; side <= 1; side += 2) {
    CQ_TRY(walk_side(w, side));
  }
  finish(w);
  return CQ_OK;
}

static cq_status make(cq_ctx *ctx, int n, int variable, int points, cq_profile **out) {
  const size_t most = 2 * (size_t)points + 1;
  CQ_TRY(CQ_ALLOC(ctx, *out, 1));
  (*out)->n = n;
  (*out)->variable = variable;
  CQ_TRY(CQ_ALLOC(ctx, (*out)->x, most * ((size_t)n + 1)));
  (*out)->f = (*out)->x + most * (size_t)n;
  return CQ_OK;
}

cq_status cq_profile_find(cq_ctx *ctx, const cq_problem *problem, const cq_uncertainty *u,
                          const double *x, int variable, int points, double reach,
                          cq_profile **out) {
  double *bounds = NULL;
  CQ_CHECK(ctx, problem != NULL && u != NULL && x != NULL && out != NULL, CQ_USAGE,
           "the problem, its error bars, x or the room for the result is missing");
  *out = NULL;
  CQ_CHECK(ctx, variable >= 0 && variable < problem->n && points > 0 && reach > 0, CQ_USAGE,
           "there is no profile of variable %d at %d points", variable, points);
  CQ_CHECK(ctx, isfinite(u->deviation), CQ_CONFIG,
           "as many residuals as variables tell nothing of their deviation: give one to each term");
  cq_status status = make(ctx, problem->n, variable, points, out);
  status = status == CQ_OK ? CQ_ALLOC(ctx, bounds, 2 * (size_t)problem->n) : status;
  if (status == CQ_OK) {
    (*out)->rise = u->quantile * u->quantile * u->deviation * u->deviation;
    walk w = {.ctx = ctx,
              .problem = problem,
              .u = u,
              .x = x,
              .p = *out,
              .points = points,
              .lower = bounds,
              .upper = bounds + problem->n};
    status = run(&w, reach);
  }
  cq_free(ctx, bounds);
  if (status != CQ_OK) {
    cq_profile_free(ctx, *out);
    *out = NULL;
  }
  return status;
}

void cq_profile_free(cq_ctx *ctx, cq_profile *profile) {
  if (profile != NULL) {
    cq_free(ctx, profile->x);
    cq_free(ctx, profile);
  }
}
