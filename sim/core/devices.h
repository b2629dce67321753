/* What this program and this machine have to run simulations on. */
#ifndef CQ_CORE_DEVICES_H
#define CQ_CORE_DEVICES_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_backend { CQ_ON_CPU, CQ_ON_CUDA } cq_backend;

/* What is free now in the machine, or on the first CUDA device [bytes]; never 0. */
size_t cq_free_memory(cq_backend device);

typedef struct cq_cuda_device {
  char name[256];
  int major, minor;           /* compute capability */
  size_t memory, free_memory; /* [bytes] */
  int multiprocessors;
} cq_cuda_device;

typedef struct cq_cuda {
  bool built;          /* CUDA was compiled into this program */
  int driver, runtime; /* versions as CUDA counts them (13000); 0 where there is none */
  int n_devices;
  const char *problem; /* NULL, or why none can be used and what to do; static */
} cq_cuda;

/* Asked of the driver at every call. */
cq_cuda cq_cuda_look(void);
/* CQ_DEVICE with the problem, where there is one. */
cq_status cq_cuda_check(cq_ctx *ctx);
/* false where there is no device i, or it does not answer. */
bool cq_cuda_device_at(int i, cq_cuda_device *device);
/* Of copies of so many bytes within the memory of the first device, which is read and written
 * [bytes/s]; 0 where it has no room for two of them. */
double cq_cuda_copy_speed(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
