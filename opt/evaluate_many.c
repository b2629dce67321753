#include "evaluate_many.h"

cq_candidate cq_candidate_of(const cq_evaluator *ev, const cq_point *point) {
  const bool within = point->violation <= ev->def->constraint_tolerance;
  return (cq_candidate){
      .f = point->f, .violation = within ? 0 : point->violation, .failed = point->failed};
}

bool cq_evaluate_many(cq_evaluator *ev, int count, const double *x, cq_candidate *out) {
  for (int k = 0; k < count; k++) {
    const cq_point *point = cq_evaluate(ev, x + (size_t)k * (size_t)ev->problem->n, false);
    if (point == NULL) {
      return false;
    }
    out[k] = cq_candidate_of(ev, point);
  }
  return true;
}
