/* The steps of one variant (dimension x precision). */
#ifndef CQ_GRANULAR_KERNELS_H
#define CQ_GRANULAR_KERNELS_H

#include "host_loop.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cq_host_steps cq_grains_2d_f32, cq_grains_2d_f64, cq_grains_3d_f32, cq_grains_3d_f64;

#ifdef __cplusplus
}
#endif

#endif
