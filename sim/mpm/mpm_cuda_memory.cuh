/* Memory of a device, and what is said when a call fails. */
#ifndef CQ_MPM_CUDA_MEMORY_CUH
#define CQ_MPM_CUDA_MEMORY_CUH

#include "alloc.h"
#include "mpm_cuda_world.cuh"
#include "status.h"

#include <stdio.h>
#include <string.h>

enum { CQ_MOST_BUFFERS = 256 };

typedef struct buffer {
  void *at;
  size_t bytes;
  const char *what;
} buffer;

/* What is allocated: the plan that a failure prints, and what is freed at the end. */
typedef struct buffers {
  cq_ctx *ctx;
  int n;
  buffer of[CQ_MOST_BUFFERS];
} buffers;

static cq_status cuda_failed(cq_ctx *ctx, cudaError_t error, const char *what) {
  return cq_fail(ctx, CQ_DEVICE, "CUDA: %s: %s (%s)", what, cudaGetErrorString(error),
                 cudaGetErrorName(error));
}

#define CQ_CUDA_TRY(ctx, call, what)                                                               \
  do {                                                                                             \
    const cudaError_t cq_error_ = (call);                                                          \
    if (cq_error_ != cudaSuccess) {                                                                \
      return cuda_failed(ctx, cq_error_, what);                                                    \
    }                                                                                              \
  } while (0)

static double mebibytes(size_t bytes) {
  return (double)bytes / (1 << 20);
}

/* The largest buffers, and what is free. */
static cq_status no_room(const buffers *b, size_t bytes, const char *what) {
  char plan[600] = "";
  size_t used = 0, total = 0, free_bytes = 0, all = 0;
  bool told[CQ_MOST_BUFFERS] = {false};
  for (int i = 0; i < b->n; i++) {
    total += b->of[i].bytes;
  }
  for (int k = 0; k < 6; k++) {
    int largest = -1;
    for (int i = 0; i < b->n; i++) {
      if (!told[i] && (largest < 0 || b->of[i].bytes > b->of[largest].bytes)) {
        largest = i;
      }
    }
    if (largest >= 0 && used < sizeof plan) {
      told[largest] = true;
      used += (size_t)snprintf(plan + used, sizeof plan - used, ", %s %.1f", b->of[largest].what,
                               mebibytes(b->of[largest].bytes));
    }
  }
  if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess) {
    free_bytes = all = 0;
  }
  return cq_fail(
      b->ctx, CQ_MEMORY,
      "out of device memory: %s takes %.1f MiB, %.1f of %.1f MiB are free; in use before "
      "it: %.1f MiB (the largest%s); set simulation.memory lower, use fewer particles "
      "or a smaller grid, or --device cpu",
      what, mebibytes(bytes), mebibytes(free_bytes), mebibytes(all), mebibytes(total), plan);
}

/* Room for count things of `size` bytes, not cleared. */
static cq_status take(buffers *b, void **out, size_t count, size_t size, const char *what) {
  const size_t bytes = count > 0 ? count * size : size;
  void *at = NULL;
  CQ_CHECK(b->ctx, b->n < CQ_MOST_BUFFERS, CQ_DEVICE, "too many device buffers");
  const cudaError_t error = cudaMalloc(&at, bytes);
  if (error == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError(); /* it does not spoil later calls */
    return no_room(b, bytes, what);
  }
  CQ_CUDA_TRY(b->ctx, error, what);
  b->of[b->n].at = at;
  b->of[b->n].bytes = bytes;
  b->of[b->n].what = what;
  b->n++;
  *out = at;
  return CQ_OK;
}

#define CQ_TAKE(b, pointer, count)                                                                 \
  take((b), (void **)&(pointer), (size_t)(count), sizeof *(pointer), #pointer)

/* A copy of n things of the host. */
template <class thing>
static cq_status give(buffers *b, const thing **out, const thing *from, size_t n,
                      const char *what) {
  void *at = NULL;
  CQ_TRY(take(b, &at, n, sizeof *from, what));
  if (n > 0) {
    CQ_CUDA_TRY(b->ctx, cudaMemcpy(at, from, n * sizeof *from, cudaMemcpyHostToDevice), what);
  }
  *out = (const thing *)at;
  return CQ_OK;
}

/* Frees buffers from number `first` on. */
static void free_from(buffers *b, int first) {
  while (b->n > first) {
    (void)cudaFree(b->of[--b->n].at);
  }
}

#endif
