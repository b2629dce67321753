/* The forward step, and what its adjoint has in common with it: mpm_cpu.c. */
#ifndef CQ_MPM_CPU_STEP_H
#define CQ_MPM_CPU_STEP_H

#include "mpm_cpu.h"

/* host_loop.h */
cq_status V(cq_cpu_step)(void *work, int step, void *from, void *to, const double *w, bool count);
/* Controls and box of a step from a state. */
void V(cq_cpu_begin_step)(cpu *c, const cpu_state *in, const double *w);
/* Room for the grid of the box. */
cq_status V(cq_cpu_reserve_grid)(cpu *c, bool adjoint);
/* Zeroes what rows read past the last node of the box. */
void V(cq_cpu_end_nodes)(const cpu *c, scalar *nodes);
/* Counts what the chunks found; the failure of the first particle that is not valid. */
cq_status V(cq_cpu_check_step)(cpu *c, int step, const scalar *out, bool count);

#endif
