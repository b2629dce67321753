#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "block.h"
#include "cq_shim.h"

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/asan_interface.h>
#endif

typedef std::function<void()> work;

struct CUgraph_st {
  std::vector<work> nodes;
};
struct CUgraphExec_st {
  std::vector<work> nodes;
};
struct CUstream_st {
  bool blocking;
  std::deque<work> queue;
  CUgraph_st *capture; /* null: does not capture */
  bool broken;         /* something forbidden was called */
  cudaStreamCaptureMode mode;
  std::thread::id captures_for;
};
struct CUevent_st {
  CUstream_st *stream; /* where it was recorded last */
  int pending;
  bool recorded;
  std::chrono::steady_clock::time_point time;
};

namespace {

/* One lock for all: kernels of several host threads run one at a time (__shared__ is static). */
std::recursive_mutex lock;
thread_local cudaError_t last_error;
int fails_in; /* calls until one fails; 0: none will */
long launches;
std::map<const char *, size_t> device_memory, pinned_memory; /* bytes by address */
size_t device_bytes, pinned_bytes;
/* The legacy default stream. Streams that are not cudaStreamNonBlocking wait for it and it for
 * them: their work is in this queue too. */
CUstream_st default_stream = {true, {}, nullptr, false, cudaStreamCaptureModeRelaxed, {}};
std::set<CUstream_st *> streams;
int other_handles;

struct description {
  cudaError_t error;
  const char *name, *text;
};
description describe(cudaError_t error) {
#define CQ_SHIM_DESCRIPTION(NAME, NUMBER, TEXT) {NAME, #NAME, TEXT},
  static const description all[] = {CQ_SHIM_ERRORS(CQ_SHIM_DESCRIPTION)};
  for (const description &known : all)
    if (known.error == error)
      return known;
  return {error, "unrecognized error code", "unrecognized error code"};
}

size_t environment(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  return text ? (size_t)strtoull(text, nullptr, 10) : otherwise;
}
size_t memory_limit() {
  return environment("CQ_SHIM_MEMORY", (size_t)8 << 30);
}

/* Device memory is closed to the host: under ASan a host that looks into it is caught. */
void close_memory(bool closed) {
#ifdef __SANITIZE_ADDRESS__
  for (const auto &block : device_memory)
    if (closed)
      __asan_poison_memory_region(block.first, block.second);
    else
      __asan_unpoison_memory_region(block.first, block.second);
#else
  (void)closed;
#endif
}

CUstream_st &queue_of(CUstream_st *stream) {
  return stream && !stream->blocking ? *stream : default_stream;
}

void drain(CUstream_st &stream) {
  if (stream.queue.empty())
    return;
  close_memory(false);
  while (!stream.queue.empty()) {
    stream.queue.front()();
    stream.queue.pop_front();
  }
  close_memory(true);
}
void drain_all() {
  drain(default_stream);
  for (CUstream_st *stream : streams)
    drain(*stream);
}

/* a call fails by order: what was queued is lost, as after a fault on the device */
cudaError_t fault() {
  if (fails_in == 0 || --fails_in > 0)
    return cudaSuccess;
  default_stream.queue.clear();
  for (CUstream_st *stream : streams)
    stream->queue.clear();
  return cudaErrorUnknown;
}

enum { ANY = 0, FREES = 1, NOT_IN_CAPTURE = 2 };

/* Every call of the runtime: the lock, failures by order, what a capture forbids, the last error.
 */
template <class F> cudaError_t call(int kind, F body) {
  std::lock_guard<std::recursive_mutex> held(lock);
  cudaError_t error = environment("CQ_SHIM_DEVICES", 1) ? fault() : cudaErrorNoDevice;
  /* A capture in the default, global mode forbids this to every thread of the program. */
  for (CUstream_st *stream : streams)
    if (!error && kind & NOT_IN_CAPTURE && stream->capture &&
        stream->mode != cudaStreamCaptureModeRelaxed &&
        (stream->mode == cudaStreamCaptureModeGlobal ||
         stream->captures_for == std::this_thread::get_id())) {
      stream->broken = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  if (!error)
    error = body();
  else if (kind & FREES && error == cudaErrorUnknown)
    body();
  if (error)
    last_error = error;
  return error;
}

cudaError_t put(CUstream_st *stream, work item) {
  if (stream && stream->capture) {
    if (stream->broken)
      return cudaErrorStreamCaptureInvalidated;
    stream->capture->nodes.push_back(std::move(item));
    return cudaSuccess;
  }
  CUstream_st &queue = queue_of(stream);
  queue.queue.push_back(std::move(item));
  if (!environment("CQ_SHIM_LAZY", 1))
    drain(queue);
  return cudaSuccess;
}

cudaError_t synchronize(CUstream_st *stream) {
  if (stream && stream->capture) {
    stream->broken = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  drain(queue_of(stream));
  return cudaSuccess;
}

/* whether [p, p + bytes) lies in one block of device memory; *touches: whether p lies in any */
bool on_device(const void *p, size_t bytes, bool *touches) {
  const char *from = (const char *)p;
  auto after = device_memory.upper_bound(from);
  *touches =
      after != device_memory.begin() && from < std::prev(after)->first + std::prev(after)->second;
  return *touches && from + bytes <= std::prev(after)->first + std::prev(after)->second;
}

cudaError_t copy_queued(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                        CUstream_st *stream) {
  if (bytes == 0)
    return cudaSuccess;
  bool to_touches, from_touches;
  const bool to_device = on_device(to, bytes, &to_touches),
             from_device = on_device(from, bytes, &from_touches);
  if (to_device != to_touches || from_device != from_touches)
    return cudaErrorInvalidValue;
  const cudaMemcpyKind real = (cudaMemcpyKind)(2 * from_device + to_device);
  if (kind != cudaMemcpyDefault && kind != real)
    return cudaErrorInvalidMemcpyDirection;
  return put(stream, [=] { memmove(to, from, bytes); });
}

cudaError_t set_queued(void *p, int byte, size_t bytes, CUstream_st *stream) {
  bool touches;
  if (bytes == 0)
    return cudaSuccess;
  if (!on_device(p, bytes, &touches))
    return cudaErrorInvalidValue;
  return put(stream, [=] { memset(p, byte, bytes); });
}

cudaError_t allocate(std::map<const char *, size_t> &memory, size_t &total, void **p,
                     size_t bytes) {
  *p = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  if (posix_memalign(p, 256, bytes) != 0)
    return cudaErrorMemoryAllocation;
  memset(*p, 0xff, bytes);
  memory[(const char *)*p] = bytes;
  total += bytes;
  return cudaSuccess;
}
cudaError_t release(std::map<const char *, size_t> &memory, size_t &total, void *p) {
  if (!p)
    return cudaSuccess;
  const auto block = memory.find((const char *)p);
  if (block == memory.end())
    return cudaErrorInvalidValue;
  total -= block->second;
  memory.erase(block);
  free(p);
  return cudaSuccess;
}

template <class T> cudaError_t create(T **handle, T value) {
  *handle = new T(std::move(value));
  other_handles++;
  return cudaSuccess;
}
template <class T> cudaError_t destroy(T *handle) {
  if (!handle)
    return cudaErrorInvalidResourceHandle;
  other_handles--;
  delete handle;
  return cudaSuccess;
}

} // namespace

int cq_shim_fail_nth(int n) {
  std::lock_guard<std::recursive_mutex> held(lock);
  const int before = fails_in;
  fails_in = n;
  return before;
}
size_t cq_shim_bytes(void) {
  return device_bytes;
}
size_t cq_shim_pinned(void) {
  return pinned_bytes;
}
int cq_shim_handles(void) {
  return (int)streams.size() + other_handles;
}
long cq_shim_launches(void) {
  return launches;
}

const char *cudaGetErrorName(cudaError_t error) {
  return describe(error).name;
}
const char *cudaGetErrorString(cudaError_t error) {
  return describe(error).text;
}
cudaError_t cudaPeekAtLastError() {
  return last_error;
}
cudaError_t cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}

cudaError_t cudaGetDeviceCount(int *n) {
  *n = 0;
  return call(ANY, [=] {
    *n = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int *device) {
  return call(ANY, [=] {
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return call(ANY, [=] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  return call(ANY, [=] {
    if (device != 0)
      return cudaErrorInvalidDevice;
    *properties = {"shim", memory_limit(), 48 << 10, 9, 0, 1, 32, 1024, 65536, 0};
    return cudaSuccess;
  });
}
/* known without a device */
cudaError_t cudaDriverGetVersion(int *version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return call(NOT_IN_CAPTURE, [] {
    drain_all();
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  return call(ANY, [=] {
    *total = memory_limit();
    *free_bytes = *total > device_bytes ? *total - device_bytes : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaMalloc(void **p, size_t bytes) {
  return call(NOT_IN_CAPTURE, [=] {
    if (bytes > memory_limit() || device_bytes > memory_limit() - bytes)
      return cudaErrorMemoryAllocation;
    const cudaError_t error = allocate(device_memory, device_bytes, p, bytes);
    close_memory(true);
    return error;
  });
}
/* waits for the device */
cudaError_t cudaFree(void *p) {
  return call(FREES | NOT_IN_CAPTURE, [=] {
    drain_all();
    close_memory(false);
    const cudaError_t error = release(device_memory, device_bytes, p);
    close_memory(true);
    return error;
  });
}
cudaError_t cudaMallocHost(void **p, size_t bytes) {
  return call(NOT_IN_CAPTURE, [=] { return allocate(pinned_memory, pinned_bytes, p, bytes); });
}
/* does not wait: copies still queued are caught by ASan when they run */
cudaError_t cudaFreeHost(void *p) {
  return call(FREES | NOT_IN_CAPTURE, [=] { return release(pinned_memory, pinned_bytes, p); });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call(ANY, [=] { return copy_queued(to, from, bytes, kind, stream); });
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return call(NOT_IN_CAPTURE, [=] {
    const cudaError_t error = copy_queued(to, from, bytes, kind, nullptr);
    return error ? error : synchronize(nullptr);
  });
}
cudaError_t cudaMemsetAsync(void *p, int byte, size_t bytes, cudaStream_t stream) {
  return call(ANY, [=] { return set_queued(p, byte, bytes, stream); });
}
/* the host does not wait for it, only the default stream does */
cudaError_t cudaMemset(void *p, int byte, size_t bytes) {
  return call(NOT_IN_CAPTURE, [=] { return set_queued(p, byte, bytes, nullptr); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return call(ANY, [=] {
    *stream = new CUstream_st{!(flags & cudaStreamNonBlocking), {}, nullptr, false,
                              cudaStreamCaptureModeRelaxed,     {}};
    streams.insert(*stream);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
/* its work is still done */
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call(FREES, [=] {
    if (!streams.count(stream))
      return cudaErrorInvalidResourceHandle;
    drain(queue_of(stream));
    streams.erase(stream);
    delete stream->capture;
    delete stream;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call(NOT_IN_CAPTURE, [=] { return synchronize(stream); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  return call(ANY, [=] { return create(event, {nullptr, 0, false, {}}); });
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call(FREES, [=] {
    if (event && event->pending)
      drain_all();
    return destroy(event);
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call(ANY, [=] {
    if (stream && stream->capture)
      return cudaErrorNotSupported;
    event->stream = stream;
    event->pending++;
    return put(stream, [=] {
      event->pending--;
      event->recorded = true;
      event->time = std::chrono::steady_clock::now();
    });
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(NOT_IN_CAPTURE,
              [=] { return event->pending ? synchronize(event->stream) : cudaSuccess; });
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return call(ANY, [=] {
    if (from->pending || to->pending)
      return cudaErrorNotReady;
    if (!from->recorded || !to->recorded)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call(ANY, [=] {
    if (!stream)
      return cudaErrorStreamCaptureUnsupported;
    if (stream->capture)
      return cudaErrorInvalidValue;
    stream->capture = new CUgraph_st;
    stream->broken = false;
    stream->mode = mode;
    stream->captures_for = std::this_thread::get_id();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  *graph = nullptr;
  const cudaError_t result = call(FREES, [=] {
    if (!stream || !stream->capture)
      return cudaErrorInvalidValue;
    if (stream->mode != cudaStreamCaptureModeRelaxed &&
        stream->captures_for != std::this_thread::get_id())
      return cudaErrorStreamCaptureWrongThread;
    const std::unique_ptr<CUgraph_st> captured(std::exchange(stream->capture, nullptr));
    return stream->broken ? cudaErrorStreamCaptureInvalidated : create(graph, std::move(*captured));
  });
  if (result && *graph) { /* it failed by order */
    destroy(*graph);
    *graph = nullptr;
  }
  return result;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long) {
  return call(ANY, [=] { return create(exec, {graph->nodes}); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call(ANY, [=] {
    for (const work &node : exec->nodes) {
      const cudaError_t error = put(stream, node);
      if (error)
        return error;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call(FREES, [=] { return destroy(graph); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call(FREES, [=] { return destroy(exec); });
}

cudaError_t cq_shim_launch(cq_shim_kernel kernel, size_t shared, cudaStream_t stream) {
  return call(ANY, [&] {
    const dim3 &g = kernel.grid, &b = kernel.block;
    if (!g.x || !g.y || !g.z || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535 || !b.x || !b.y ||
        !b.z || b.z > 64 || (unsigned long long)b.x * b.y * b.z > 1024)
      return cudaErrorInvalidConfiguration;
    if (shared) /* extern __shared__ has no place in the section */
      return cudaErrorNotSupported;
    return put(stream, [kernel] {
      launches++;
      cq_shim_run(kernel);
    });
  });
}
