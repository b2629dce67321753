/* The steps of one variant (dimension x precision). */
#ifndef CQ_FLUID_TABLES_H
#define CQ_FLUID_TABLES_H

#include "host_loop.h"

extern const cq_host_steps cq_fluid_cpu_2d_f32, cq_fluid_cpu_2d_f64;
extern const cq_host_steps cq_fluid_cpu_3d_f32, cq_fluid_cpu_3d_f64;

#endif
