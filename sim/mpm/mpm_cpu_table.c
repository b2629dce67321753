/* What the loop around a step calls of the fast engine. */
#include "mpm_cpu_step.h"

static const cq_failure *cpu_failure(const void *work) {
  return &((const cpu *)work)->failure;
}

static cq_tally *cpu_tally(void *work) {
  return &((cpu *)work)->tally;
}

/* One table a variant; the loop knows the engine by these functions alone. */
const cq_host_steps V(cq_mpm_cpu) = {
    .state_bytes = V(cq_cpu_state_bytes),
    .create = V(cq_cpu_create),
    .destroy = V(cq_cpu_destroy),
    .upload = V(cq_cpu_upload),
    .drive = V(cq_mpm_drive),
    .drive_adjoint = V(cq_mpm_drive_adjoint),
    .step = V(cq_cpu_step),
    .observe = V(cq_cpu_observe),
    .download = V(cq_cpu_download),
    .field = V(cq_mpm_field),
    .walls = V(cq_cpu_walls),
    .adjoint_begin = V(cq_cpu_adjoint_begin),
    .observe_adjoint = V(cq_cpu_observe_adjoint),
    .step_adjoint = V(cq_cpu_step_adjoint),
    .adjoint_norms = V(cq_cpu_adjoint_norms),
    .contacts = V(cq_cpu_contacts),
    .adjoint_end = V(cq_cpu_adjoint_end),
    .failure = cpu_failure,
    .tally = cpu_tally,
};
