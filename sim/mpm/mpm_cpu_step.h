/* The forward step, and what its adjoint has in common with it: mpm_cpu.c. */
#ifndef CQ_MPM_CPU_STEP_H
#define CQ_MPM_CPU_STEP_H

#include "mpm_cpu.h"

/* What the loops of a step work on: forward into out, backward for a seed. */
typedef struct cpu_pass {
  const cpu_state *in;
  scalar *out;
  int step, seed;
  bool build; /* the grid has to be built again */
} cpu_pass;

/* The loops by a team. One thread does without: opening a team for it, or asking a team's loop for
 * each number, costs a small scene some percent. */
void V(cq_cpu_team)(cpu *c, void (*loops)(cpu *c, const cpu_pass *p), const cpu_pass *pass);
/* One of n numbers that no thread of the team has taken, or -1. A thread takes those of its share
 * first, which are the same at every step, so that what is there stays in its cache; then it helps
 * others. A barrier has to follow the loop over them. */
int V(cq_cpu_take)(cpu *c, int what, int n);

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
