#include "rules.h"

#include "kkt.h"
#include "repeats.h"
#include "replay.h"
#include "status.h"

#include <math.h>

/* A method that asks this often for points known already does not move any more; no method of the
 * list comes near it between two simulations. */
enum { MAX_REPEATS = 10000 };

/* [s] for a method to hear of a stop, and that its time is over, before it is given up */
static const double HEARS_A_STOP = 2, HEARS_THE_TIME = 1;

static void check_request(cq_evaluator *ev) {
  const cq_status request = cq_ctx_stop_requested(ev->ctx);
  if (request != CQ_OK) {
    cq_evaluator_end(ev, CQ_END_REQUEST, request);
  }
}

static void check_stall(cq_evaluator *ev) {
  if (++ev->repeats > MAX_REPEATS) {
    CQ_FAIL(ev->ctx, CQ_OPTIMIZER, "%s asked %d times for points it knows", ev->def->name,
            (int)MAX_REPEATS);
    cq_evaluator_end(ev, CQ_END_STALL, CQ_OPTIMIZER);
  }
}

/* While a record is replayed its time has been spent already. */
static void check_budgets(cq_evaluator *ev, bool is_new) {
  const cq_optimizer_def *def = ev->def;
  if (def->max_time > 0 && ev->evaluations > 0 && ev->pending == NULL &&
      cq_evaluator_elapsed(ev) >= def->max_time) {
    cq_evaluator_end(ev, CQ_END_TIME, CQ_BUDGET);
  } else if (is_new && def->max_evaluations > 0 && ev->evaluations >= def->max_evaluations) {
    cq_evaluator_end(ev, CQ_END_EVALUATIONS, CQ_BUDGET);
  } else if (is_new && ev->seeking && def->feasibility_evaluations > 0 &&
             ev->evaluations >= def->feasibility_evaluations) {
    cq_evaluator_end(ev, CQ_END_SEEKING, CQ_BUDGET);
  } else if (def->max_simulations > 0 && ev->simulations >= def->max_simulations) {
    cq_evaluator_end(ev, CQ_END_SIMULATIONS, CQ_BUDGET);
  } else if (def->max_cost > 0 && ev->cost >= def->max_cost) {
    cq_evaluator_end(ev, CQ_END_COST, CQ_BUDGET);
  } else if (is_new && def->stagnation > 0 && ev->stale >= def->stagnation) {
    cq_evaluator_end(ev, CQ_END_STAGNATION, CQ_BUDGET);
  }
}

void cq_rules_before(cq_evaluator *ev, bool simulates, bool is_new) {
  check_request(ev);
  check_stall(ev);
  if (simulates) {
    check_budgets(ev, is_new);
  }
}

static bool gradient_is_small(cq_evaluator *ev) {
  const cq_point *best = &ev->best;
  double residual = NAN;
  return ev->def->gradient_tolerance > 0 && best->index == ev->last.index && best->has_gradient &&
         cq_evaluator_feasible(ev, best) &&
         cq_kkt_judge(ev, best, ev->multipliers, &residual) == CQ_OK &&
         residual <= ev->def->gradient_tolerance;
}

/* It may take no new evaluation yet, and its time has been spent already. */
static bool is_replaying(cq_evaluator *ev) {
  return cq_replay_peek(ev) != CQ_OK || ev->pending != NULL;
}

/* A user who asks for the end gets it under that name, stalled or not. */
static void check_silence(cq_evaluator *ev, double silence) {
  const cq_optimizer_def *def = ev->def;
  const bool stalled = def->stall_time > 0 && silence > def->stall_time;
  const cq_status request = cq_ctx_stop_requested(ev->ctx);
  if (request != CQ_OK && (stalled || silence > HEARS_A_STOP)) {
    cq_evaluator_end(ev, CQ_END_REQUEST, request);
  } else if (def->max_time > 0 && silence > HEARS_THE_TIME && ev->evaluations > 0 &&
             cq_evaluator_elapsed(ev) >= def->max_time && !is_replaying(ev)) {
    cq_evaluator_end(ev, CQ_END_TIME, CQ_BUDGET);
  } else if (stalled) {
    cq_evaluator_end(ev, CQ_END_STALL, CQ_OPTIMIZER);
  }
}

bool cq_rules_give_up(void *evaluator, double silence) {
  cq_evaluator *const ev = evaluator;
  if (ev->end == CQ_END_NONE) {
    check_silence(ev, silence);
  } else if (silence <= HEARS_A_STOP) {
    return false; /* it has been told */
  }
  ev->silence = ev->end != CQ_END_NONE ? silence : 0;
  return ev->end != CQ_END_NONE;
}

void cq_rules_after(cq_evaluator *ev) {
  cq_repeats_check_target(ev);
  if (ev->end != CQ_END_NONE) {
    return; /* it is reached */
  }
  if (ev->seeking && cq_evaluator_feasible(ev, &ev->best)) {
    cq_evaluator_end(ev, CQ_END_FEASIBLE, CQ_OK);
  } else if (gradient_is_small(ev)) {
    cq_evaluator_end(ev, CQ_END_GRADIENT, CQ_OK);
  }
  check_request(ev);
}
