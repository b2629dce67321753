/* What an evaluator knows of its run so far: its points and which is the best, what it has cost,
 * and its end. It evaluates nothing. */
#include "evaluator.h"

#include "failure.h"
#include "status.h"
#include "timer.h"

#include <float.h>
#include <math.h>

/* of f that are no difference */
static const double ROUNDINGS = 8;

/* least improvement, of f relative to f_scale and of a violation to itself, that is no standstill
 */
static const double NO_STANDSTILL = 1e-9;

double cq_evaluator_elapsed(const cq_evaluator *ev) {
  return cq_now() - ev->began;
}

bool cq_evaluator_feasible(const cq_evaluator *ev, const cq_point *point) {
  return point->index > 0 && !point->failed && point->violation <= ev->def->constraint_tolerance;
}

double cq_evaluator_noise(const cq_evaluator *ev, double size) {
  return ROUNDINGS * fmax(ev->problem->noise, DBL_EPSILON) * size;
}

void cq_evaluator_end(cq_evaluator *ev, cq_end end, cq_status status) {
  if (ev->end == CQ_END_NONE) {
    ev->end = end;
    ev->status = status;
  }
}

void cq_evaluator_fail(cq_evaluator *ev, cq_status status) {
  if (ev->end != CQ_END_TARGET) {
    ev->end = CQ_END_ERROR;
    ev->status = status;
  }
}

/* The size of a constraint that the problem does not know: what a move by one scale changes, or the
 * value, which of the two is more. */
static double measured_size(const cq_evaluator *ev, const cq_point *point, int i) {
  double size = fabs(point->c[i]);
  for (int j = 0; point->has_gradient && j < ev->problem->n; j++) {
    const double slope = point->jac[(size_t)i * (size_t)ev->problem->n + (size_t)j];
    size = fmax(size, fabs(slope) * cq_problem_scale(ev->problem, j));
  }
  return size;
}

/* A constraint in numbers that small is easily one in other units than was meant. */
static void warn_of_size(const cq_evaluator *ev, const cq_point *point, int i) {
  const double size = measured_size(ev, point, i), tolerance = ev->def->constraint_tolerance;
  if (size > 0 && size < tolerance) {
    cq_log(
        ev->ctx, CQ_LOG_WARNING,
        "constraint %d is %.3g at the start and changes by less than constraint_tolerance = %.3g "
        "where a variable moves by its scale: violations above %.3g count; a weight makes its "
        "numbers larger",
        i, point->c[i], tolerance, tolerance * ev->size[i]);
  }
}

void cq_evaluator_measure(cq_evaluator *ev, cq_point *point) {
  for (int i = 0; i < ev->m; i++) {
    if (ev->size[i] == 0) {
      const double *given = ev->problem->constraint_size;
      const double size = given != NULL && given[i] > 0 ? given[i] : measured_size(ev, point, i);
      ev->size[i] = size > 0 ? fmin(size, 1) : 1;
      ev->tolerance[i] = ev->def->constraint_tolerance * ev->size[i];
      warn_of_size(ev, point, i);
    }
  }
  point->violation = cq_violation(ev->problem, ev->size, point->c);
}

static bool is_better(const cq_evaluator *ev, const cq_point *a, const cq_point *b) {
  const bool feasible = cq_evaluator_feasible(ev, a);
  if (ev->problem->draw != NULL && !a->failed) {
    return true; /* values of different samples do not compare */
  }
  if (ev->probing && b->index > 0 && !(a->f < ev->bar)) {
    return false;
  }
  if (b->index == 0 || feasible != cq_evaluator_feasible(ev, b)) {
    return b->index == 0 || feasible;
  }
  if (feasible || a->violation == b->violation) {
    return a->f < b->f;
  }
  return a->violation < b->violation;
}

/* The first point, and the first gradient, which a warm start may get later. */
static void note_scale(cq_evaluator *ev, const cq_point *point) {
  if (point->has_gradient && !ev->has_scale) {
    ev->has_scale = true;
    for (int j = 0; j < ev->problem->n; j++) {
      ev->first_gradient =
          fmax(ev->first_gradient, fabs(point->grad[j]) * cq_problem_scale(ev->problem, j));
    }
    ev->f_scale = fmax(ev->f_scale, ev->first_gradient);
  }
  if (ev->best.index == 0) {
    ev->f_scale = fmax(ev->f_scale, fabs(point->f));
  }
}

/* Has the best point improved? */
static void note_standstill(cq_evaluator *ev) {
  const cq_point *best = &ev->best;
  const bool feasible = cq_evaluator_feasible(ev, best);
  const bool moved = feasible ? ev->stale_violation > ev->def->constraint_tolerance ||
                                    best->f < ev->stale_f - NO_STANDSTILL * ev->f_scale
                              : best->violation < (1 - NO_STANDSTILL) * ev->stale_violation;
  ev->stale = moved ? 0 : ev->stale + 1;
  if (moved) {
    ev->stale_f = best->f;
    ev->stale_violation = best->violation;
  }
}

void cq_evaluator_note(cq_evaluator *ev, bool is_new) {
  note_scale(ev, &ev->last);
  ev->gradients += ev->last.has_gradient;
  cq_failure_note(ev, &ev->last);
  if (ev->last.index == ev->best.index || is_better(ev, &ev->last, &ev->best)) {
    cq_point_copy(ev->problem, &ev->best, &ev->last);
  }
  if (is_new && !ev->probing) {
    note_standstill(ev);
  }
}

double cq_evaluation_cost(const cq_evaluation *e, int index_before, double gradient_cost) {
  const bool ok = e->status == CQ_OK;
  return e->simulations + (ok && e->has_gradient ? gradient_cost - 1 : 0) +
         (ok ? e->jacobian_cost : 0) - (ok && e->index == index_before);
}

void cq_evaluator_charge(cq_evaluator *ev, const cq_evaluation *e) {
  ev->cost += cq_evaluation_cost(e, ev->recorded, ev->def->gradient_cost);
  ev->recorded = e->index;
}

void cq_evaluator_set_best(cq_evaluator *ev, const cq_point *point) {
  cq_point_copy(ev->problem, &ev->best, point);
}
