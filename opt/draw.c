#include "cqopt/optimizer.h"

#include "alloc.h"
#include "point.h"
#include "rng.h"
#include "status.h"

#include <math.h>

/* One variable's places in [0, 1), a growing Latin hypercube: whenever every one of `parts` equal
 * parts has a place, the parts are halved and the empty halves are filled in random order.
 * Variables that do this independently of each other have no pattern between them, in any
 * dimension. */
typedef struct sampler {
  cq_rng rng;
  double *place; /* [count] */
  int *empty;    /* [count] halves without a place */
} sampler;

/* 0 ... n - 1, uniformly but for a bias of n / 2^53 */
static int pick(cq_rng *rng, int n) {
  const int i = (int)(cq_rng_uniform(rng) * n);
  return i < n ? i : n - 1;
}

/* In [0, 1), of so few bits that half + fraction is exact and stays in its half. */
static double fraction(cq_rng *rng) {
  return (double)(cq_rng_next(rng) >> 32) * 0x1p-32;
}

/* The places parts ... 2 parts - 1, as far as they are wanted. */
static void fill_halves(sampler *s, int parts, int count) {
  for (int i = 0; i < parts; i++) {
    const int half = (int)(s->place[i] * 2 * parts);
    s->empty[i] = half ^ 1;
  }
  for (int i = 0; i < parts && parts + i < count; i++) {
    const int j = i + pick(&s->rng, parts - i);
    const int half = s->empty[j];
    s->empty[j] = s->empty[i];
    s->place[parts + i] = (half + fraction(&s->rng)) / (2.0 * parts);
  }
}

static double below_one(double u) {
  return fmin(fmax(u, 0.0), 1.0 - 0x1p-53);
}

/* One number of each of `count` points, spread over the bounds, or a scale around the start where
 * there are none. */
static void draw_variable(const cq_problem *problem, int j, int count, sampler *s, double *x) {
  const double start = problem->start[j], scale = cq_problem_scale(problem, j);
  double low = problem->lower[j], high = problem->upper[j];
  if (!isfinite(low) || !isfinite(high)) {
    low = fmax(low, start - scale);
    high = fmin(high, start + scale);
  }
  s->place[0] = high > low ? below_one((start - low) / (high - low)) : 0.0;
  for (int parts = 1; parts < count; parts *= 2) {
    fill_halves(s, parts, count);
  }
  x[j] = start;
  for (int i = 1; i < count; i++) {
    const double value = low + s->place[i] * (high - low);
    x[(size_t)i * (size_t)problem->n + (size_t)j] = fmin(fmax(value, low), high);
  }
}

cq_status cq_draw_starts(cq_ctx *ctx, const cq_problem *problem, uint64_t seed, int count,
                         double *x) {
  static const uint64_t stream = 0x6d756c7469u; /* apart from what else the seed is used for */
  sampler s = {.place = NULL};
  CQ_CHECK(ctx, ctx != NULL && problem != NULL && x != NULL && count >= 1, CQ_USAGE,
           "there is no problem to start, no start to draw or nowhere to put it");
  cq_status status = CQ_ALLOC(ctx, s.place, count);
  status = status == CQ_OK ? CQ_ALLOC(ctx, s.empty, count) : status;
  for (int j = 0; j < problem->n && status == CQ_OK; j++) {
    uint64_t state = seed ^ (stream << 20);
    s.rng = cq_rng_seed(cq_rng_splitmix(&state) + (uint64_t)j);
    draw_variable(problem, j, count, &s, x);
  }
  cq_free(ctx, s.place);
  cq_free(ctx, s.empty);
  return status;
}
