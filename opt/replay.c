#include "replay.h"

#include "status.h"

#include <math.h>
#include <string.h>

/* The next record, which must be of a problem of this size; past the last one the replay is over.
 */
cq_status cq_replay_peek(cq_evaluator *ev) {
  if (ev->pending != NULL || ev->replay == NULL) {
    return CQ_OK;
  }
  CQ_TRY(ev->replay->next(ev->replay->user, &ev->pending));
  if (ev->pending == NULL) {
    ev->replay = NULL;
    return CQ_OK;
  }
  CQ_CHECK(ev->ctx,
           ev->pending->n == ev->problem->n && ev->pending->n_constraints == ev->m &&
               ev->pending->n_parts == ev->problem->n_parts,
           CQ_CONFIG,
           "the record is of %d variables, %d constraints and %d parts, the problem has %d, %d "
           "and %d",
           ev->pending->n, ev->pending->n_constraints, ev->pending->n_parts, ev->problem->n, ev->m,
           ev->problem->n_parts);
  CQ_CHECK(ev->ctx,
           ev->pending->residuals == NULL || ev->pending->n_residuals == ev->problem->n_residuals,
           CQ_CONFIG, "the record is of %d residuals, the problem has %d", ev->pending->n_residuals,
           ev->problem->n_residuals);
  return CQ_OK;
}

static bool is_of(const cq_evaluator *ev, const cq_evaluation *e, const double *x) {
  return memcmp(e->x, x, (size_t)ev->problem->n * sizeof *x) == 0;
}

/* from is NULL where there is nothing to copy. */
static void copy(double *to, const double *from, size_t count) {
  if (count > 0) {
    memcpy(to, from, count * sizeof *to);
  }
}

static cq_want want_of(const cq_evaluation *e) {
  return e->has_gradient        ? CQ_WANT_GRADIENT
         : e->reduced != NULL   ? CQ_WANT_JACOBIAN
         : e->residuals != NULL ? CQ_WANT_RESIDUALS
                                : CQ_WANT_VALUE;
}

/* values of a record into a point, whose x is the same */
static void unpack(cq_evaluator *ev, const cq_evaluation *e, cq_point *point) {
  const size_t n = (size_t)ev->problem->n, m = (size_t)ev->m, p = (size_t)ev->problem->n_parts;
  cq_point_clear(ev->problem, point, want_of(e));
  point->refinement = e->refinement;
  if (e->status != CQ_OK) {
    return;
  }
  point->f = e->f;
  copy(point->c, e->c, m);
  copy(point->parts, e->parts, p);
  if (e->has_gradient) {
    copy(point->grad, e->grad, n);
    copy(point->jac, e->jac, m * n);
    copy(point->part_slopes, e->part_slopes, p * n);
  }
  if (e->reduced != NULL) {
    copy(point->reduced, e->reduced, cq_problem_reduced(ev->problem));
  }
  if (e->residuals != NULL) {
    copy(point->residuals, e->residuals, (size_t)e->n_residuals);
  }
  cq_evaluator_measure(ev, point);
}

/* The gradient of the best point is kept for when somebody asks for it; one that failed may come
 * out better then. */
static bool take_verification(cq_evaluator *ev) {
  const cq_evaluation *e = ev->pending;
  if (!e->has_gradient || ev->best.has_gradient || e->index != ev->best.index ||
      !is_of(ev, e, ev->best.x)) {
    return false;
  }
  ev->simulations += e->simulations;
  if (e->status == CQ_OK) {
    unpack(ev, e, &ev->best);
    ev->gradients++;
    ev->recovered += e->simulations > 1;
  } else {
    ev->failures++;
  }
  return true;
}

/* Tells the recorder of an evaluation that no method asks for. */
static cq_status announce(cq_evaluator *ev, const cq_evaluation *e) {
  cq_evaluator_charge(ev, e);
  if (ev->record == NULL) {
    return CQ_OK;
  }
  cq_evaluation copy = *e;
  copy.replayed = true;
  copy.is_best = e->status == CQ_OK && e->index == ev->best.index;
  copy.best_f = ev->best.f;
  copy.best_violation = ev->best.violation;
  return ev->record(ev->user, &copy);
}

/* A record that nobody asks for, counted and kept as any other point. */
static cq_status absorb(cq_evaluator *ev) {
  const cq_evaluation *e = ev->pending;
  const bool is_new = e->index > ev->evaluations;
  memcpy(ev->last.x, e->x, (size_t)ev->problem->n * sizeof *e->x);
  ev->last.index = e->index;
  unpack(ev, e, &ev->last);
  ev->evaluations = ev->replayed = is_new ? e->index : ev->evaluations;
  ev->probes += is_new && e->probe;
  ev->simulations += e->simulations;
  if (e->status == CQ_OK) {
    ev->probing = e->probe;
    ev->bar = e->is_best ? INFINITY : -INFINITY;
    cq_evaluator_note(ev, is_new);
    ev->probing = false;
    ev->recovered += e->simulations > 1;
  } else {
    ev->failures++;
    ev->last.index = 0;
  }
  CQ_TRY(announce(ev, e));
  ev->pending = NULL;
  return CQ_OK;
}

/* Whether the next record answers what is wanted of evaluation `index`: the gradient that an end
 * asked for there is no Jacobian. */
static bool answers(const cq_evaluation *e, int index, cq_want want) {
  return e->index == index && !(want == CQ_WANT_JACOBIAN && e->has_gradient);
}

cq_status cq_replay_reach(cq_evaluator *ev, int index, cq_want want, bool *passed) {
  *passed = false;
  CQ_TRY(cq_replay_peek(ev));
  while (ev->pending != NULL && !answers(ev->pending, index, want) && take_verification(ev)) {
    CQ_TRY(announce(ev, ev->pending));
    ev->pending = NULL;
    CQ_TRY(cq_replay_peek(ev));
  }
  *passed = ev->pending != NULL && ev->pending->probe && !ev->probing;
  return *passed ? absorb(ev) : CQ_OK;
}

/* The record must be of the same evaluation, to the last bit of x: anything else is another run. */
cq_status cq_replay_trial(cq_evaluator *ev, cq_want want, cq_evaluation *out) {
  cq_point *trial = &ev->trial;
  out->replayed = false;
  if (ev->replay == NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_replay_peek(ev));
  const cq_evaluation *e = ev->pending;
  if (e == NULL) {
    return CQ_OK;
  }
  CQ_CHECK(ev->ctx, ev->end == CQ_END_NONE || e->index == trial->index, CQ_CONFIG,
           "the run ends at evaluation %d, the record goes on after it: give the run the budgets "
           "and tolerances it had, or larger budgets",
           ev->evaluations);
  CQ_CHECK(ev->ctx,
           e->index == trial->index && want_of(e) == want && e->probe == ev->probing &&
               is_of(ev, e, trial->x),
           CQ_CONFIG,
           "evaluation %d is not the one of the record: another machine, build or setting takes "
           "other steps; --allow-diverge starts afresh from the best design of the record",
           trial->index);
  unpack(ev, e, trial);
  ev->simulations += e->simulations;
  ev->replayed += trial->index > ev->replayed;
  ev->pending = NULL;
  out->replayed = true;
  out->status = e->status;
  out->seconds = e->seconds;
  out->jacobian_cost = e->jacobian_cost;
  out->extra = e->extra;
  out->n_extra = e->n_extra;
  if (e->status != CQ_OK) {
    CQ_FAIL(ev->ctx, e->status, "evaluation %d failed when it was recorded: %s", trial->index,
            cq_status_text(e->status));
  }
  return CQ_OK;
}

cq_status cq_replay_all(cq_evaluator *ev) {
  CQ_TRY(cq_replay_peek(ev));
  while (ev->pending != NULL) {
    CQ_TRY(absorb(ev));
    CQ_TRY(cq_replay_peek(ev));
  }
  ev->stale = 0; /* the method that begins has not had its tries yet */
  return CQ_OK;
}
