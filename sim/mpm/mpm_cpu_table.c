/* What the loop around a step calls of the fast engine. */
#include "mpm_cpu_step.h"

static const cq_failure *cpu_failure(const void *work) {
  return &((const cpu *)work)->failure;
}

static cq_tally *cpu_tally(void *work) {
  return &((cpu *)work)->tally;
}

/* Where bodies meet with friction a step is one of fields (mpm_cpu_fields.c). */
static cq_status cpu_step(void *work, int step, void *from, void *to, const double *w, bool count) {
  cpu *c = work;
  return c->fields != NULL ? V(cq_cpu_fields_step)(c, step, from, to, w, count)
                           : V(cq_cpu_step)(c, step, from, to, w, count);
}

static cq_status cpu_step_adjoint(void *work, int step, const void *state, const double *w,
                                  double *dw) {
  cpu *c = work;
  return c->fields != NULL ? V(cq_cpu_fields_adjoint)(c, step, state, w, dw)
                           : V(cq_cpu_step_adjoint)(c, step, state, w, dw);
}

/* One table a variant; the loop knows the engine by these functions alone. */
const cq_host_steps V(cq_mpm_cpu) = {
    .state_bytes = V(cq_cpu_state_bytes),
    .create = V(cq_cpu_create),
    .destroy = V(cq_cpu_destroy),
    .upload = V(cq_cpu_upload),
    .drive = V(cq_mpm_drive),
    .drive_adjoint = V(cq_mpm_drive_adjoint),
    .step = cpu_step,
    .observe = V(cq_cpu_observe),
    .download = V(cq_cpu_download),
    .field = V(cq_mpm_field),
    .walls = V(cq_cpu_walls),
    .means = V(cq_cpu_means),
    .adjoint_begin = V(cq_cpu_adjoint_begin),
    .observe_adjoint = V(cq_cpu_observe_adjoint),
    .step_adjoint = cpu_step_adjoint,
    .adjoint_forget = V(cq_cpu_adjoint_forget),
    .adjoint_norms = V(cq_cpu_adjoint_norms),
    .contacts = V(cq_cpu_contacts),
    .adjoint_end = V(cq_cpu_adjoint_end),
    .failure = cpu_failure,
    .tally = cpu_tally,
};
