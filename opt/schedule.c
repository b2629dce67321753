#include "schedule.h"

#include "status.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

enum { PATIENCE = 20 };

static int patience(const cq_optimizer_def *def) {
  return def->schedule_period > 0 ? def->schedule_period : PATIENCE;
}

static int cosine_period(const cq_optimizer_def *def) {
  return def->schedule_period > 0 ? def->schedule_period : def->max_evaluations;
}

cq_status cq_rate_check(cq_ctx *ctx, const cq_optimizer_def *def) {
  CQ_CHECK(ctx, isfinite(def->learning_rate) && def->learning_rate > 0, CQ_CONFIG,
           "%s needs optimizer.learning_rate > 0, not %g", def->name, def->learning_rate);
  CQ_CHECK(ctx, def->schedule_period >= 0, CQ_CONFIG,
           "optimizer.schedule_period must not be negative, it is %d", def->schedule_period);
  CQ_CHECK(ctx, def->schedule != CQ_SCHEDULE_COSINE || cosine_period(def) > 0, CQ_CONFIG,
           "optimizer.schedule = \"cosine\" needs the length of the run: set "
           "optimizer.schedule_period or optimizer.max_evaluations");
  return CQ_OK;
}

cq_rate cq_rate_begin(const cq_optimizer_def *def) {
  return (cq_rate){.def = def, .rate = def->learning_rate, .best = INFINITY};
}

static double plateau(cq_rate *r, double f) {
  if (f < r->best) {
    r->best = f;
    r->waited = 0;
  } else if (++r->waited == patience(r->def)) {
    r->rate *= 0.5;
    r->waited = 0;
  }
  return r->rate;
}

double cq_rate_next(cq_rate *r, double f) {
  const int k = r->k++, period = cosine_period(r->def);
  switch (r->def->schedule) {
  case CQ_SCHEDULE_PLATEAU:
    return plateau(r, f);
  case CQ_SCHEDULE_COSINE:
    /* the cosine of an exact multiple of pi is not exact, the end of the schedule is */
    return k < period ? r->rate * 0.5 * (1 + cos(PI * k / period)) : 0;
  case CQ_SCHEDULE_CONSTANT:
    break;
  }
  return r->rate;
}
