/* The engine on a CUDA device. */
#ifndef CQ_GRAINS_CUDA_PICK_H
#define CQ_GRAINS_CUDA_PICK_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One variant's; NULL in a program without CUDA. Ask cq_cuda_check first. */
const cq_engine *cq_grains_cuda(int dim, int bits);

#ifdef __cplusplus
}
#endif

#endif
