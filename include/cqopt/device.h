/* cqopt/device.h: what this machine has to run simulations on.
 *
 * ctx may be NULL: a failure has no sentence then. An earlier failure that is pending in it stays.
 */
#ifndef CQOPT_DEVICE_H
#define CQOPT_DEVICE_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A machine, as it is now. */
typedef struct cq_about_machine {
  size_t struct_size;
  size_t free_memory;  /* [bytes] of the host, never 0 */
  bool has_cuda;       /* CUDA was compiled into this library */
  int driver, runtime; /* versions as CUDA counts them (13000); 0 where there is none */
  int devices;         /* of CUDA */
  const char *no_cuda; /* NULL, or why none of them can be used and what to do; static */
} cq_about_machine;
/* Asked of the driver at every call. */
CQ_API cq_status cq_machine_info(cq_ctx *ctx, cq_about_machine *out);

/* A CUDA device. */
typedef struct cq_about_device {
  size_t struct_size;
  char name[256];
  int major, minor;           /* compute capability */
  size_t memory, free_memory; /* [bytes] */
  int multiprocessors;
} cq_about_device;
/* Device i; CQ_DEVICE where there is none, or it does not answer. */
CQ_API cq_status cq_device_info(cq_ctx *ctx, int i, cq_about_device *out);

#ifdef __cplusplus
}
#endif
#endif
