/* What a test can ask of the host implementation of CUDA in this folder (see cuda_runtime.h).
 *
 * Environment, read when it is needed, so that a test may set it:
 *   CQ_SHIM_SEED      the order of blocks and threads; 0: in order (default 1)
 *   CQ_SHIM_LAZY      0: work on a stream runs at once instead of at the next wait (default 1)
 *   CQ_SHIM_MEMORY    bytes of device memory (default 8 GiB)
 *   CQ_SHIM_DEVICES   0: no device (default 1) */
#ifndef CQ_SHIM_H
#define CQ_SHIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on in place of CQ_SHIM_SEED. */
void cq_shim_set_seed(unsigned seed);
/* The n-th runtime call from now (1: the next) fails with cudaErrorUnknown and queued work is lost,
 * as after a fault on the device; calls that free still free. 0: none. Returns how many calls were
 * to go until the last order's failure: 0 if it has happened. */
int cq_shim_fail_nth(int n);
/* Bytes of device memory, and of pinned host memory, not yet freed */
size_t cq_shim_bytes(void);
size_t cq_shim_pinned(void);
/* Streams, events, graphs and executable graphs not yet destroyed */
int cq_shim_handles(void);
/* Kernels run so far */
long cq_shim_launches(void);

#ifdef __cplusplus
}
#endif

#endif
