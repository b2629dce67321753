/* The fluid on a CUDA device. */
#ifndef CQ_FLUID_DEVICE_PICK_H
#define CQ_FLUID_DEVICE_PICK_H

#ifdef __cplusplus
extern "C" {
#endif

/* One variant's table (fluid_device.h); NULL in a program without CUDA. Ask cq_cuda_check first. */
const struct fluid_device *cq_fluid_cuda(int dim, int bits);

#ifdef __cplusplus
}
#endif

#endif
