/* A host implementation of the part of the CUDA runtime that our .cu files use: g++ compiles them
 * with this folder first in the include path, and tests run them without a GPU.
 *
 * What it models: blocks, threads, barriers and warps, in an order drawn from a seed; shared memory
 * that begins as NaN; device memory that begins as NaN, ends (under ASan) where it was asked to end
 * and is closed to the host; work on a stream that is done only when somebody waits for it; graphs;
 * what is forbidden while one is captured; running out of memory; calls that fail. cq_shim.h has
 * the switches.
 *
 * What it does not: the memory model (a thread sees every write at once); threads stopped anywhere
 * but at barriers, so that a race may still come out right; warps in lockstep; blocks that wait for
 * each other (they run one after the other); streams that wait for events; registers and limits of
 * a real device.
 *
 * Where it is stricter than CUDA: barriers must be reached by all threads, ended ones included, and
 * at one line; warp calls have the full mask; an asynchronous copy uses pageable host memory as
 * late as pinned memory; cudaFreeHost does not wait. Kernels are launched by cudaLaunchKernel
 * alone, with no dynamic shared memory, and have __shared__ variables in static functions, not in
 * templates. */
#ifndef CQ_SHIM_CUDA_RUNTIME_H
#define CQ_SHIM_CUDA_RUNTIME_H

#define CQ_SHIM 1

#include <cmath>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <utility>

#include "device.h"

#define CQ_SHIM_ERRORS(X)                                                                          \
  X(cudaSuccess, 0, "no error")                                                                    \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                  \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                 \
  X(cudaErrorInitializationError, 3, "initialization error")                                       \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                            \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                      \
  X(cudaErrorInsufficientDriver, 35,                                                               \
    "CUDA driver version is insufficient for CUDA runtime version")                                \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                  \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                         \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                \
  X(cudaErrorNotReady, 600, "device not ready")                                                    \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                      \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                     \
  X(cudaErrorNotSupported, 801, "operation not supported")                                         \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")    \
  X(cudaErrorStreamCaptureInvalidated, 901,                                                        \
    "operation failed due to a previous error during capture")                                     \
  X(cudaErrorStreamCaptureWrongThread, 908,                                                        \
    "attempt to terminate a thread-local capture sequence from another thread")                    \
  X(cudaErrorUnknown, 999, "unknown error")
#define CQ_SHIM_ENUM(NAME, NUMBER, TEXT) NAME = NUMBER,
enum cudaError { CQ_SHIM_ERRORS(CQ_SHIM_ENUM) };
#undef CQ_SHIM_ENUM
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, regsPerBlock, l2CacheSize;
};

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceSynchronize();

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaMallocHost(void **p, size_t bytes);
cudaError_t cudaFreeHost(void *p);
template <class T> static cudaError_t cudaMalloc(T **p, size_t bytes) {
  return cudaMalloc((void **)(void *)p, bytes);
}
template <class T> static cudaError_t cudaMallocHost(T **p, size_t bytes) {
  return cudaMallocHost((void **)(void *)p, bytes);
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void *p, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void *p, int byte, size_t bytes, cudaStream_t stream = nullptr);

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

/* a kernel with its arguments; `from` is the place of the launch */
struct cq_shim_kernel {
  std::function<void()> body;
  dim3 grid, block;
  cq_shim_site from;
};
cudaError_t cq_shim_launch(cq_shim_kernel kernel, size_t shared, cudaStream_t stream);

/* Variants of one source file have structs of the same names: nothing that depends on these may be
 * shared between object files, so that it is static, or made of a type without a name outside. */
namespace {
template <class A> struct cq_shim_argument { A value; };
} // namespace

/* The arguments are copied now, as CUDA does. */
template <class... A, size_t... i>
static std::tuple<cq_shim_argument<A>...> cq_shim_arguments(void **args,
                                                            std::index_sequence<i...>) {
  (void)args;
  return {cq_shim_argument<A>{*static_cast<A *>(args[i])}...};
}
template <class... A>
static cudaError_t cudaLaunchKernel(void (*kernel)(A...), dim3 grid, dim3 block, void **args,
                                    size_t shared = 0, cudaStream_t stream = nullptr,
                                    CQ_SHIM_HERE) {
  static_assert((std::is_trivially_copyable<A>::value && ...), "arguments are copied byte by byte");
  static_assert((sizeof(A) + ... + 0) <= 4096, "arguments of a kernel may take 4 KiB");
  const auto copy = cq_shim_arguments<A...>(args, std::index_sequence_for<A...>());
  const auto body = [kernel, copy] {
    std::apply([kernel](const cq_shim_argument<A> &...a) { kernel(a.value...); }, copy);
  };
  return cq_shim_launch({body, grid, block, at}, shared, stream);
}

#endif
