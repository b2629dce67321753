/* What the loop around a step calls of the reference loops. */
#include "mpm_ref.h"

static const cq_failure *ref_failure(const void *work) {
  return &((const ref *)work)->failure;
}

static cq_tally *ref_tally(void *work) {
  return &((ref *)work)->tally;
}

/* The same functions as the fast engine has, so that each can be held against the other. */
const cq_host_steps V(cq_mpm_ref) = {
    .state_bytes = V(cq_ref_state_bytes),
    .create = V(cq_ref_create),
    .destroy = V(cq_ref_destroy),
    .upload = V(cq_ref_upload),
    .drive = V(cq_mpm_drive),
    .drive_adjoint = V(cq_mpm_drive_adjoint),
    .step = V(cq_ref_step),
    .observe = V(cq_ref_observe),
    .download = V(cq_ref_download),
    .field = V(cq_mpm_field),
    .walls = V(cq_ref_walls),
    .means = V(cq_ref_means),
    .adjoint_begin = V(cq_ref_adjoint_begin),
    .observe_adjoint = V(cq_ref_observe_adjoint),
    .step_adjoint = V(cq_ref_step_adjoint),
    .adjoint_forget = V(cq_ref_adjoint_forget),
    .adjoint_norms = V(cq_ref_adjoint_norms),
    .contacts = V(cq_ref_contacts),
    .adjoint_end = V(cq_ref_adjoint_end),
    .failure = ref_failure,
    .tally = ref_tally,
};
