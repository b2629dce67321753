/* The steps of one variant (dimension x precision): two tables each, of the fast engine and of the
 * reference loops. */
#ifndef CQ_MPM_KERNELS_H
#define CQ_MPM_KERNELS_H

#include "host_loop.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cq_host_steps cq_mpm_cpu_2d_f32, cq_mpm_ref_2d_f32;
extern const cq_host_steps cq_mpm_cpu_2d_f64, cq_mpm_ref_2d_f64;
extern const cq_host_steps cq_mpm_cpu_3d_f32, cq_mpm_ref_3d_f32;
extern const cq_host_steps cq_mpm_cpu_3d_f64, cq_mpm_ref_3d_f64;

#ifdef __cplusplus
}
#endif

#endif
