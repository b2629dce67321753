/* Memory of a device, and what is said when a call fails. */
#ifndef CQ_CORE_CUDA_MEMORY_CUH
#define CQ_CORE_CUDA_MEMORY_CUH

#include "alloc.h"
#include "status.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

enum { CQ_MOST_BUFFERS = 256 };

/* how long a buffer lives */
typedef enum life { OF_ENGINE, OF_SWEEP, OF_STATES, OF_RUN, OF_LISTS } life;

typedef struct buffer {
  void *at;
  size_t bytes;
  const char *what;
  life of;
} buffer;

/* What is allocated: the plan that a failure prints, and what is freed in the end. */
typedef struct buffers {
  cq_ctx *ctx;
  cudaStream_t stream; /* of all copies: the default one would not wait for it, nor it for that */
  int n;
  buffer list[CQ_MOST_BUFFERS];
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

/* of "w->packets" what comes last */
static const char *short_name(const char *what) {
  const char *last = strrchr(what, '>');
  return last != NULL ? last + 1 : what;
}

static double mebibytes(size_t bytes) {
  return (double)bytes / (1 << 20);
}

/* The largest buffers there are, "a 12.3, b 4.5" in MiB. */
static void plan_of(const buffers *b, char *text, size_t size) {
  enum { TOLD = 6 };
  bool told[CQ_MOST_BUFFERS] = {false};
  size_t used = 0;
  for (int k = 0; k < TOLD && k < b->n && used < size; k++) {
    int largest = -1;
    for (int i = 0; i < b->n; i++) {
      if (!told[i] && (largest < 0 || b->list[i].bytes > b->list[largest].bytes)) {
        largest = i;
      }
    }
    told[largest] = true;
    used += (size_t)snprintf(text + used, size - used, "%s%s %.1f", k > 0 ? ", " : "",
                             b->list[largest].what, mebibytes(b->list[largest].bytes));
  }
}

/* CQ_MEMORY, with what is free, what the scene has, and what could be smaller. */
static cq_status no_room(const buffers *b, size_t bytes, const char *what) {
  char plan[600] = "";
  size_t total = 0, free_bytes = 0, all = 0;
  for (int i = 0; i < b->n; i++) {
    total += b->list[i].bytes;
  }
  plan_of(b, plan, sizeof plan);
  if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess) {
    free_bytes = all = 0;
  }
  return cq_fail(b->ctx, CQ_MEMORY,
                 "out of device memory: %s takes %.1f MiB, %.1f of %.1f MiB are free; this scene "
                 "has %.1f MiB already (largest: %s); set simulation.memory lower, use fewer "
                 "particles or a smaller grid, or --device cpu",
                 what, mebibytes(bytes), mebibytes(free_bytes), mebibytes(all), mebibytes(total),
                 plan);
}

/* Room for count things of `size` bytes, not cleared. */
static cq_status take(buffers *b, life of, void **out, size_t count, size_t size,
                      const char *name) {
  const size_t bytes = count > 0 ? count * size : size;
  const char *what = short_name(name);
  void *at = NULL;
  CQ_CHECK(b->ctx, b->n < CQ_MOST_BUFFERS, CQ_DEVICE, "too many device buffers");
  const cudaError_t error = cudaMalloc(&at, bytes);
  if (error == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError(); /* it does not spoil later calls */
    return no_room(b, bytes, what);
  }
  CQ_CUDA_TRY(b->ctx, error, what);
  const buffer taken = {at, bytes, what, of};
  b->list[b->n++] = taken;
  *out = at;
  return CQ_OK;
}

#define CQ_TAKE(b, life, pointer, count)                                                           \
  take((b), (life), (void **)&(pointer), (size_t)(count), sizeof *(pointer), #pointer)

/* What is queued here is done when wait() has returned; until then the host's memory stays. */
static inline cq_status copy_in(buffers *b, void *to, const void *from, size_t bytes,
                                const char *what) {
  if (bytes > 0) {
    CQ_CUDA_TRY(b->ctx, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, b->stream), what);
  }
  return CQ_OK;
}

static inline cq_status copy_out(buffers *b, void *to, const void *from, size_t bytes,
                                 const char *what) {
  if (bytes > 0) {
    CQ_CUDA_TRY(b->ctx, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, b->stream), what);
  }
  return CQ_OK;
}

/* What kernels did wrong shows here. */
static inline cq_status wait_for(buffers *b, const char *what) {
  CQ_CUDA_TRY(b->ctx, cudaStreamSynchronize(b->stream), what);
  return CQ_OK;
}

/* A copy of n things of the host. */
template <class thing>
static cq_status give(buffers *b, life of, const thing **out, const thing *from, size_t n,
                      const char *what) {
  void *at = NULL;
  CQ_TRY(take(b, of, &at, n, sizeof *from, what));
  CQ_TRY(copy_in(b, at, from, n * sizeof *from, what));
  CQ_TRY(wait_for(b, what));
  *out = (const thing *)at;
  return CQ_OK;
}

static void free_all(buffers *b, life of) {
  int kept = 0;
  for (int i = 0; i < b->n; i++) {
    if (b->list[i].of == of) {
      (void)cudaFree(b->list[i].at);
    } else {
      b->list[kept++] = b->list[i];
    }
  }
  b->n = kept;
}

#endif
