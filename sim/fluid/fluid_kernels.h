/* The steps of one variant (dimension x precision). */
#ifndef CQ_FLUID_TABLES_H
#define CQ_FLUID_TABLES_H

#include "host_loop.h"

extern const cq_host_steps cq_fluid_cpu_2d_f32, cq_fluid_cpu_2d_f64;
extern const cq_host_steps cq_fluid_cpu_3d_f32, cq_fluid_cpu_3d_f64;
/* those of which a device makes the particles' part */
extern const cq_host_steps cq_fluid_there_2d_f32, cq_fluid_there_2d_f64;
extern const cq_host_steps cq_fluid_there_3d_f32, cq_fluid_there_3d_f64;

/* what is the same wherever a step is made */
#define CQ_FLUID_STEPS                                                                             \
  .state_bytes = V(cq_fluid_state_bytes), .drive = V(cq_fluid_drive),                              \
  .drive_adjoint = V(cq_fluid_drive_adjoint), .observe = V(cq_fluid_observe),                      \
  .download = V(cq_fluid_download), .walls = V(cq_fluid_walls), .field = V(cq_fluid_field),        \
  .tangent_begin = V(cq_fluid_tangent_begin), .observe_tangent = V(cq_fluid_observe_tangent),      \
  .step_tangent = V(cq_fluid_tangent_step), .cut_tangents = V(cq_fluid_cut_tangents),              \
  .failure = V(cq_fluid_failure), .tally = V(cq_fluid_tally),                                      \
  .adjoint_begin = V(cq_fluid_adjoint_begin), .observe_adjoint = V(cq_fluid_observe_adjoint),      \
  .step_adjoint = V(cq_fluid_step_adjoint), .adjoint_norms = V(cq_fluid_adjoint_norms),            \
  .contacts = V(cq_fluid_contacts), .adjoint_end = V(cq_fluid_adjoint_end)

#endif
