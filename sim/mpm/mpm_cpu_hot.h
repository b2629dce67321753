/* The functions of the hot files, at the SIMD level this file is compiled for. */
#ifndef CQ_MPM_CPU_HOT_H
#define CQ_MPM_CPU_HOT_H

#include "mpm_cpu.h"

/* a symbol of one variant at one SIMD level */
#define H(name) CQ_PASTE_LEVEL(V(name), CQ_LEVEL)

void H(cq_cpu_scatter)(const cpu *c, const cpu_state *in, int block);
void H(cq_cpu_scatter_adjoint)(const cpu *c, const cpu_state *in, const scalar *adjoint, int block);
void H(cq_cpu_grid)(const cpu *c, int plane, bool merge);
void H(cq_cpu_grid_adjoint)(const cpu *c, int plane, bool build, bool merge, double *sums);
void H(cq_cpu_gather)(const cpu *c, const cpu_state *in, scalar *out, int chunk, cpu_found *found);
int H(cq_cpu_gather_adjoint)(const cpu *c, const cpu_state *in, cpu_adjoint *adjoint, int chunk,
                             double *dw);

#endif
