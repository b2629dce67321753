/* Runs kernels: the grid's blocks one after the other, a block's threads as fibers. */
#ifndef CQ_SHIM_BLOCK_H
#define CQ_SHIM_BLOCK_H

#include "cuda_runtime.h"

/* On the calling thread; one at a time. A deadlock or a misused barrier is reported and aborts. */
void cq_shim_run(const cq_shim_kernel &kernel);

#endif
