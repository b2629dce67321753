/* What the objective of a file earns in a part of a run. */
#include "run.h"

#include <math.h>

/* States before the first one are not known. */
static cq_status check_from(const cq_run *run, int from) {
  const int first = cq_stepper_first(run->stepper), at = cq_stepper_step(run->stepper);
  CQ_CHECK(run->ctx, (from >= first || (from == -1 && first == 0)) && from <= at, CQ_USAGE,
           "nothing can be earned from state %d on: the run began at %d and is at %d", from, first,
           at);
  return CQ_OK;
}

cq_status cq_run_earned(cq_run *run, int from, double *terms, size_t n) {
  CQ_TRY(cq_run_begin_reset(run));
  CQ_TRY(check_from(run, from));
  CQ_TRY(cq_api_length(run->ctx, "terms", terms, n, (size_t)cq_scene_term_count(run->file->scene)));
  cq_objective_part(&run->objective, from, cq_stepper_step(run->stepper),
                    cq_stepper_observations(run->stepper), cq_stepper_controls(run->stepper),
                    terms);
  return CQ_OK;
}

cq_status cq_run_seed_earned(cq_run *run, int term, int from, double weight) {
  CQ_TRY(cq_run_begin_reset(run));
  CQ_CHECK(run->ctx, run->seeds != NULL, CQ_USAGE,
           "the run keeps no states: create it with CQ_RUN_KEEP");
  CQ_TRY(check_from(run, from));
  CQ_TRY(cq_api_index(run->ctx, "term", term, cq_scene_term_count(run->file->scene)));
  CQ_CHECK(run->ctx, isfinite(weight), CQ_USAGE, "the weight is %g", weight);
  cq_objective_part_seed(&run->objective, term, from, cq_stepper_step(run->stepper), weight,
                         cq_stepper_observations(run->stepper), cq_stepper_controls(run->stepper),
                         run->seeds, run->seeds_u);
  return CQ_OK;
}
