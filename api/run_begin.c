/* How a call on a run begins, and what it says where steps fail. */
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

/* The status of steps; what their engine knows of a failure is added to it. */
cq_status cq_run_explain(const cq_run *run, cq_status status) {
  return cq_status_is_numeric(status)
             ? cq_scene_explain(run->file->scene, cq_stepper_failure(run->stepper), status)
             : status;
}
