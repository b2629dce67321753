#include "repeats.h"

#include "alloc.h"
#include "status.h"

#include <math.h>

int cq_repeats_wanted(const cq_problem *problem, const cq_optimizer_def *def) {
  return problem->repeat != NULL && def->repeats > 0 ? def->repeats : 0;
}

/* Mean, spread and worst of the runs that did not fail, and what their mean violates. c [count][m]
 * is overwritten. */
static void sum_up(const cq_evaluator *ev, int count, const double *f, double *c, cq_repeats *out) {
  const size_t m = (size_t)ev->m;
  double squares = 0;
  int ran = 0;
  for (int k = 0; k < count; k++) {
    if (!isfinite(f[k])) {
      out->failed++;
      continue;
    }
    const double before = f[k] - out->mean;
    ran++;
    out->mean += before / ran;
    squares += before * (f[k] - out->mean);
    out->worst = fmax(out->worst, f[k]);
    for (size_t i = 0; i < m; i++) {
      const double old = ran > 1 ? c[i] : 0;
      c[i] = old + (c[(size_t)k * m + i] - old) / ran;
    }
  }
  out->deviation = ran > 1 ? sqrt(squares / (ran - 1)) : NAN;
  out->violation = ran > 0 ? cq_violation(ev->problem, ev->size, c) : NAN;
  if (ran == 0) {
    out->mean = out->worst = NAN;
  }
}

/* All runs the same to the last bit: then nothing was moved that matters. */
static void warn_of_sameness(const cq_evaluator *ev, const cq_point *point, int count,
                             const double *f) {
  bool same = count > 1;
  for (int k = 0; k < count; k++) {
    same = same && f[k] == point->f;
  }
  if (same) {
    cq_log(ev->ctx, CQ_LOG_WARNING,
           "%d re-runs of evaluation %d give its f to the last bit: a start moved by "
           "optimizer.repeat_jitter = %g is the same start, or the objective does not see it",
           count, point->index, ev->def->repeat_jitter);
  }
}

/* Warns where all re-runs agree to the last bit. */
static cq_status run(cq_evaluator *ev, const cq_point *point, double *f, double *c,
                     cq_repeats *out) {
  const int count = ev->def->repeats;
  CQ_TRY(ev->problem->repeat(ev->problem->repeat_data, point->refinement, point->x, count,
                             ev->def->repeat_jitter, f, c));
  warn_of_sameness(ev, point, count, f);
  *out = (cq_repeats){.index = point->index, .count = count, .worst = -INFINITY};
  sum_up(ev, count, f, c, out);
  return CQ_OK;
}

/* Mean, deviation and worst of the runs that did not fail. */
cq_status cq_repeats_run(cq_evaluator *ev, const cq_point *point, cq_repeats *out) {
  const size_t count = (size_t)ev->def->repeats;
  double *f = NULL, *c = NULL;
  if (out->index == point->index) {
    return CQ_OK;
  }
  *out = (cq_repeats){.index = 0};
  cq_status status = CQ_ALLOC(ev->ctx, f, count);
  status = status == CQ_OK ? CQ_ALLOC(ev->ctx, c, count * (size_t)ev->m) : status;
  status = status == CQ_OK ? run(ev, point, f, c, out) : status;
  cq_free(ev->ctx, f);
  cq_free(ev->ctx, c);
  if (status != CQ_OK) {
    const bool stopped = status == cq_ctx_stop_requested(ev->ctx);
    cq_evaluator_end(ev, stopped ? CQ_END_REQUEST : CQ_END_ERROR, status);
  }
  return status;
}

double cq_repeats_f(const cq_repeats *repeats, double f) {
  return repeats->index == 0 ? f : repeats->failed > 0 ? INFINITY : repeats->mean;
}

double cq_repeats_violation(const cq_repeats *repeats, double violation) {
  return repeats->index == 0 ? violation : repeats->failed > 0 ? INFINITY : repeats->violation;
}

static bool reaches(const cq_evaluator *ev, const cq_point *point) {
  return cq_evaluator_feasible(ev, point) && point->f <= ev->def->target;
}

/* A point that only its luck has brought below the target is no end; the one that is there by the
 * mean becomes the best, whatever luck others had. */
void cq_repeats_check_target(cq_evaluator *ev) {
  const cq_optimizer_def *def = ev->def;
  const bool repeats = cq_repeats_wanted(ev->problem, def) > 0;
  const cq_point *const point = repeats ? &ev->last : &ev->best;
  if (!def->stop_at_target || isnan(def->target) || !reaches(ev, point)) {
    return;
  }
  if (repeats) {
    if (cq_repeats_run(ev, point, &ev->repeated) != CQ_OK ||
        !(cq_repeats_f(&ev->repeated, point->f) <= def->target) ||
        !(cq_repeats_violation(&ev->repeated, point->violation) <= def->constraint_tolerance)) {
      return;
    }
    cq_evaluator_set_best(ev, point);
  }
  cq_evaluator_end(ev, CQ_END_TARGET, CQ_OK);
}
