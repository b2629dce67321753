/* How a call on a run begins. */
#include "run.h"

cq_status cq_run_begin(const cq_run *run) {
  return run == NULL ? CQ_USAGE : cq_api_begin(run->file);
}

cq_status cq_run_begin_reset(const cq_run *run) {
  CQ_TRY(cq_run_begin(run));
  CQ_CHECK(run->ctx, !cq_stepper_has_failed(run->stepper), CQ_USAGE,
           "the run was not reset, or failed: reset it");
  return CQ_OK;
}
