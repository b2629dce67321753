/* What the forward step and its adjoint have in common. */
#ifndef CQ_MPM_CPU_STEP_H
#define CQ_MPM_CPU_STEP_H

#include "mpm_cpu.h"

/* Controls and box of a step from a state. */
void V(cq_cpu_begin_step)(cpu *c, const cpu_state *in, const double *w);
/* Room for the grid of the box. */
cq_status V(cq_cpu_reserve_grid)(cpu *c, bool adjoint);
/* Zeroes what rows read past the last node of the box. */
void V(cq_cpu_end_nodes)(const cpu *c, scalar *nodes);

#endif
