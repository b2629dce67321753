/* The host implementation of CUDA in tests/shim: that right kernels come out right in every order,
 * and that it sees what it is there to see. */
#include "cuda_runtime.h"

#include <algorithm>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "cq_shim.h"
#include "test.h"

#define OK(call)                                                                                   \
  CHECK_MSG((call) == cudaSuccess, "%s: %s", #call, cudaGetErrorString(cudaPeekAtLastError()))
#define GIVES(call, error) CHECK_STR(cudaGetErrorName(call), #error)

/* n values of T on the device, and back */
template <class T> struct device_array {
  T *p = nullptr;
  size_t n;
  explicit device_array(size_t n_) : n(n_) {
    OK(cudaMalloc(&p, n * sizeof(T)));
  }
  explicit device_array(const std::vector<T> &values) : device_array(values.size()) {
    OK(cudaMemcpy(p, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~device_array() {
    OK(cudaFree(p));
  }
  std::vector<T> read() const {
    std::vector<T> values(n);
    OK(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

template <class... A, class... B>
void launch(void (*kernel)(A...), unsigned blocks, dim3 threads, B... values) {
  std::tuple<A...> held(values...);
  std::apply(
      [=](A &...a) {
        void *args[] = {(void *)&a..., nullptr};
        OK(cudaLaunchKernel(kernel, dim3(blocks), threads, args));
      },
      held);
}

/* In a process of its own: whether it dies, having said all of the texts. */
template <class F> bool dies_saying(F run, std::vector<const char *> texts) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    run();
    OK(cudaDeviceSynchronize());
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char text[4096];
  for (ssize_t n; (n = read(ends[0], text, sizeof text)) > 0;)
    said.append(text, (size_t)n);
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  bool good = !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (const char *wanted : texts)
    good = good && said.find(wanted) != std::string::npos;
  if (!good)
    printf("status %d, said: %s\n", status, said.c_str());
  return good;
}

/* a sum over the block by halves, and over blocks by an atomic */
static __global__ void reduce(const double *x, double *sum, bool complete) {
  __shared__ double part[128];
  part[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (complete || half != 32)
      __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, part[0]);
}

/* inclusive sums, within a warp by shuffles, across warps in shared memory */
static __global__ void scan(const int *x, int *out) {
  __shared__ int warp_sum[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = x[threadIdx.x];
  for (unsigned by = 1; by < 32; by *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, by);
    sum += lane >= by ? left : 0;
  }
  if (lane == 31)
    warp_sum[warp] = sum;
  __syncthreads();
  for (unsigned w = 0; w < warp; w++)
    sum += warp_sum[w];
  out[threadIdx.x] = sum;
}

static int wrong_reductions(bool complete) {
  std::vector<double> x(3 * 128);
  double right = 0;
  for (size_t i = 0; i < x.size(); i++)
    right += x[i] = (double)(i * i % 97);
  int wrong = 0;
  for (unsigned seed = 0; seed < 10; seed++) {
    cq_shim_set_seed(seed);
    device_array<double> on(x), sum(std::vector<double>{0});
    launch(reduce, 3, 128, on.p, sum.p, complete);
    wrong += !(sum.read()[0] == right);
  }
  return wrong;
}

static void a_block_adds_up() {
  CHECK(wrong_reductions(true) == 0);
}

static void a_missing_barrier_shows() {
  const int wrong = wrong_reductions(false);
  printf("one __syncthreads removed: wrong for %d of 10 seeds\n", wrong);
  CHECK(wrong > 0);
}

static void a_scan_with_shuffles() {
  std::vector<int> x(256), right(256);
  int sum = 0;
  for (int i = 0; i < 256; i++)
    right[(size_t)i] = sum += x[(size_t)i] = i * 7 % 11 - 5;
  for (unsigned seed = 0; seed < 10; seed++) {
    cq_shim_set_seed(seed);
    device_array<int> on(x), out(256);
    launch(scan, 1, 256, on.p, out.p);
    CHECK(out.read() == right);
  }
}

struct lane_results {
  double from_3, up, down, swapped, piece;
  float beyond;
  unsigned ballot;
  int any, none, all, sum;
};
static __global__ void warp_calls(lane_results *out) {
  const unsigned full = 0xffffffffu;
  const int lane = (int)(threadIdx.x % 32);
  const double mine = 100.5 * (threadIdx.x / 32) + lane;
  lane_results &r = out[threadIdx.x];
  r.from_3 = __shfl_sync(full, mine, 3);
  r.up = __shfl_up_sync(full, mine, 2);
  r.down = __shfl_down_sync(full, mine, 2, 8);
  r.swapped = __shfl_xor_sync(full, mine, 1);
  r.piece = __shfl_sync(full, mine, 1, 8);
  r.beyond = __shfl_down_sync(full, (float)lane, 4);
  r.ballot = __ballot_sync(full, lane % 3 == 0);
  r.any = __any_sync(full, lane == 5);
  r.none = __any_sync(full, lane == 77);
  r.all = __all_sync(full, lane < 32);
  r.sum = __reduce_add_sync(full, -lane);
}

static void shuffles_and_votes() {
  for (unsigned seed = 0; seed < 4; seed++) {
    cq_shim_set_seed(seed);
    device_array<lane_results> out(40); /* the second warp has 8 lanes */
    launch(warp_calls, 1, 40, out.p);
    const std::vector<lane_results> all = out.read();
    for (int i = 0; i < 40; i++) {
      const lane_results &r = all[(size_t)i];
      const int lane = i % 32, lanes = i < 32 ? 32 : 8;
      const double base = 100.5 * (i / 32);
      CHECK(r.from_3 == base + 3);
      CHECK(r.up == base + (lane < 2 ? lane : lane - 2));
      CHECK(r.down == base + (lane % 8 > 5 ? lane : lane + 2));
      CHECK(r.swapped == base + (lane ^ 1));
      CHECK(r.piece == base + lane / 8 * 8 + 1);
      if (lane + 4 < lanes || lanes == 32)
        CHECK(r.beyond == (float)(lane + 4 < 32 ? lane + 4 : lane));
      else /* a lane that does not exist */
        CHECK(std::isnan(r.beyond));
      CHECK(r.ballot == (lanes == 32 ? 0x49249249u : 0x49u));
      CHECK(r.any == 1 && r.none == 0 && r.all == 1);
      CHECK(r.sum == -(lanes * (lanes - 1)) / 2);
    }
  }
}

struct atomic_results {
  int sum, least, most, bits;
  unsigned long long count;
  float f;
  unsigned claimed, winners;
};
static __global__ void atomics(atomic_results *r) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&r->sum, i);
  atomicMin(&r->least, i);
  atomicMax(&r->most, i);
  atomicOr(&r->bits, 1 << (i % 8));
  atomicAdd(&r->count, 1ull);
  atomicAdd(&r->f, 0.5f);
  if (atomicCAS(&r->claimed, 0u, (unsigned)i + 1) == 0u)
    atomicAdd(&r->winners, 1u);
  atomicSub(&r->sum, 1);
}

static void atomics_count() {
  device_array<atomic_results> r(std::vector<atomic_results>{{0, 1000, -1000, 0, 0, 0, 0, 0}});
  launch(atomics, 4, 64, r.p);
  const atomic_results a = r.read()[0];
  CHECK(a.sum == 255 * 256 / 2 - 256 && a.least == 0 && a.most == 255 && a.bits == 255);
  CHECK(a.count == 256 && a.f == 128 && a.winners == 1 && a.claimed > 0);
}

static __global__ void bit_calls(int *out) {
  const int values[] = {__popc(0xf0u), __popcll(1ull << 40), __ffs(8), __ffs(0), __clz(1), __clz(0),
                        __ldg(out)};
  for (int i = 0; i < 7; i++)
    out[i] = values[i];
}

static void bits_are_counted() {
  device_array<int> out(std::vector<int>{42, 0, 0, 0, 0, 0, 0});
  launch(bit_calls, 1, 1, out.p);
  CHECK((out.read() == std::vector<int>{4, 1, 4, 0, 31, 32, 42}));
}

static __global__ void indices(unsigned *out) {
  const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  out[block * 24 + in_block] += block * 24 + in_block + 1;
}

static void each_thread_runs_once() {
  for (unsigned seed = 0; seed < 3; seed++) {
    cq_shim_set_seed(seed);
    device_array<unsigned> out(std::vector<unsigned>(12 * 24, 0));
    void *args[] = {&out.p};
    const long before = cq_shim_launches();
    OK(cudaLaunchKernel(indices, dim3(2, 3, 2), dim3(4, 3, 2), args));
    const std::vector<unsigned> seen = out.read();
    CHECK(cq_shim_launches() == before + 1);
    for (unsigned i = 0; i < seen.size(); i++)
      CHECK(seen[i] == i + 1);
  }
}

static __global__ void leave_order(unsigned *next, unsigned *order) {
  order[atomicAdd(next, 1u)] = blockIdx.x * blockDim.x + threadIdx.x;
}

static __global__ void leave_order_after_a_barrier(unsigned *next, unsigned *order) {
  __syncthreads();
  order[atomicAdd(next, 1u)] = threadIdx.x;
}
/* two warps, 32 rounds */
static __global__ void race(unsigned *next, unsigned *order) {
  for (int round = 0; round < 32; round++) {
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      order[atomicAdd(next, 1u)] = threadIdx.x / 32;
  }
}

static std::vector<unsigned> order_of(void (*kernel)(unsigned *, unsigned *), unsigned blocks,
                                      unsigned threads, unsigned seed) {
  cq_shim_set_seed(seed);
  device_array<unsigned> next(std::vector<unsigned>{0}), order(64);
  launch(kernel, blocks, threads, next.p, order.p);
  return order.read();
}
static std::vector<unsigned> order_of(unsigned seed) {
  return order_of(leave_order, 4, 16, seed);
}

static void seeds_draw_the_order() {
  std::vector<unsigned> in_order(64);
  for (unsigned i = 0; i < 64; i++)
    in_order[i] = i;
  CHECK(order_of(0) == in_order);
  CHECK(order_of(1) != in_order);
  CHECK(order_of(1) == order_of(1));
  CHECK(order_of(1) != order_of(2));
  CHECK(order_of(leave_order_after_a_barrier, 1, 64, 0) == in_order);
  int runs_ahead = 0;
  for (unsigned seed = 1; seed <= 10; seed++) {
    CHECK(order_of(leave_order_after_a_barrier, 1, 64, seed) != in_order);
    const std::vector<unsigned> winners = order_of(race, 1, 64, seed);
    runs_ahead += std::count(winners.begin(), winners.begin() + 32, winners[0]) == 32;
  }
  CHECK_MSG(runs_ahead > 0 && runs_ahead < 10, "a warp ran far ahead with %d of 10 seeds",
            runs_ahead);
}

static __global__ void look_at_shared(float *seen) {
  __shared__ float x[8];
  seen[blockIdx.x * 8 + threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = 1;
}

static void memory_begins_as_nan() {
  device_array<float> seen(4 * 8), fresh(3);
  launch(look_at_shared, 4, 8, seen.p);
  for (float x : seen.read())
    CHECK(std::isnan(x));
  for (float x : fresh.read())
    CHECK(std::isnan(x));
}

/* barriers that do not meet */
static __global__ void half_waits() {
  if (threadIdx.x < 40)
    __syncthreads();
}
static __global__ void two_places() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}
static __global__ void warp_and_block() {
  if (threadIdx.x % 2)
    __syncthreads();
  else
    __syncwarp();
}
static __global__ void half_shuffles(int *out) {
  if (threadIdx.x < 16)
    *out = __shfl_xor_sync(0xffffffffu, 1, 1);
}
static __global__ void half_mask(int *out) {
  *out = __shfl_xor_sync(0xffffu, 1, 1);
}

static void barriers_that_do_not_meet() {
  for (unsigned seed = 0; seed < 3; seed++) {
    cq_shim_set_seed(seed);
    CHECK(dies_saying([] { launch(half_waits, 2, 64); },
                      {"deadlock", "test_shim.cpp", "(half_waits)",
                       "threads 0-39: wait in __syncthreads", "threads 40-63: ended",
                       "kernel launched at"}));
    CHECK(dies_saying([] { launch(two_places, 1, 64); }, {"different barriers", "(two_places)"}));
    CHECK(dies_saying([] { launch(warp_and_block, 1, 32); },
                      {"deadlock", "__syncwarp", "__syncthreads"}));
    CHECK(dies_saying([] { launch(half_shuffles, 1, 32, (int *)nullptr); },
                      {"deadlock", "threads 16-31: ended", "__shfl_xor_sync"}));
    CHECK(dies_saying([] { launch(half_mask, 1, 32, (int *)nullptr); },
                      {"mask 0xffff:", "whole warps"}));
  }
}

#ifdef __SANITIZE_ADDRESS__
static __global__ void write_at(float *p, int i) {
  p[i] = 1;
}
static __global__ void write_shared_at(int i, float *out) {
  __shared__ float first[16];
  __shared__ float second[16];
  float *volatile p = threadIdx.x ? second : first; /* UBSan would know its size */
  p[i] = 1;
  *out = first[0] + second[0];
}

static void asan_sees_overruns() {
  float *p, host[8] = {0};
  OK(cudaMalloc(&p, 10 * sizeof(float)));
  launch(write_at, 1, 1, p, 9);
  OK(cudaDeviceSynchronize());
  CHECK(dies_saying([=] { launch(write_at, 1, 1, p, 10); }, {"heap-buffer-overflow", "write_at"}));
  launch(write_shared_at, 1, 2, 15, p);
  OK(cudaDeviceSynchronize());
  CHECK(dies_saying([=] { launch(write_shared_at, 1, 2, 16, p); }, {"global-buffer-overflow"}));
  CHECK(dies_saying([=] { p[3] = 1; }, {"use-after-poison"}));
  CHECK(dies_saying(
      [=] {
        float *short_lived = new float[8]();
        OK(cudaMemcpyAsync(p, short_lived, sizeof host, cudaMemcpyHostToDevice));
        delete[] short_lived;
      },
      {"heap-use-after-free"}));
  OK(cudaFree(p));
}
#endif

struct job {
  int *counter, *log;
  int add;
};
static __global__ void count_up(job j) {
  j.log[*j.counter] = *j.counter;
  *j.counter += j.add;
}

static void streams_wait_to_be_waited_for() {
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *device, host = -1;
  OK(cudaMalloc(&device, 2 * sizeof *device));
  OK(cudaMemsetAsync(device, 0, 2 * sizeof *device, stream));
  job j = {device, device + 1, 5};
  void *args[] = {&j};
  j.log = device; /* counter 0 is logged at device[0], then 5 is added */
  OK(cudaLaunchKernel(count_up, dim3(1), dim3(1), args, 0, stream));
  j.add = 1000; /* the launch has its copy */
  OK(cudaMemcpyAsync(&host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(host == -1);
  int unsynchronized;
  OK(cudaMemcpy(&unsynchronized, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(unsynchronized == -1); /* another stream: the memset has not been waited for */
  OK(cudaStreamSynchronize(stream));
  CHECK(host == 5);

  cudaEvent_t begin, end;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreateWithFlags(&end, cudaEventDefault));
  float milliseconds = -1;
  OK(cudaEventRecord(begin, stream));
  OK(cudaMemsetAsync(device, 0, sizeof *device, stream));
  OK(cudaMemcpyAsync(&host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaEventRecord(end, stream));
  GIVES(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorNotReady);
  OK(cudaEventSynchronize(end));
  CHECK(host == 0);
  OK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0);
  OK(cudaEventDestroy(begin));
  OK(cudaEventDestroy(end));

  setenv("CQ_SHIM_LAZY", "0", 1);
  host = -1;
  OK(cudaMemcpyAsync(&host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(host == 0);
  unsetenv("CQ_SHIM_LAZY");
  OK(cudaFree(device));
  OK(cudaStreamDestroy(stream));
}

static void graphs_replay() {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  int *device, host[4];
  OK(cudaMalloc(&device, 5 * sizeof *device));
  OK(cudaMemset(device, 0xff, 5 * sizeof *device));
  OK(cudaMemsetAsync(device, 0, sizeof *device, stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  job j = {device, device + 1, 1};
  void *args[] = {&j};
  OK(cudaLaunchKernel(count_up, dim3(1), dim3(1), args, 0, stream));
  j.add = 100;
  OK(cudaMemcpyAsync(host, device + 1, sizeof host, cudaMemcpyDeviceToHost, stream));
  /* another host thread works on, unless the capture is global */
  std::thread([] {
    void *p;
    OK(cudaMalloc(&p, 1));
    OK(cudaFree(p));
  }).join();
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph));
  const long before = cq_shim_launches();
  for (int i = 0; i < 3; i++)
    OK(cudaGraphLaunch(exec, stream));
  CHECK(cq_shim_launches() == before);
  OK(cudaStreamSynchronize(stream));
  CHECK(cq_shim_launches() == before + 3);
  CHECK(host[0] == 0 && host[1] == 1 && host[2] == 2 && host[3] == -1);
  OK(cudaGraphExecDestroy(exec));

  /* what cannot be captured */
  void *p = nullptr;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaMalloc(&p, 8), cudaErrorStreamCaptureUnsupported);
  GIVES(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaMalloc(&p, 8));
  GIVES(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  GIVES(cudaLaunchKernel(count_up, dim3(1), dim3(1), args, 0, stream),
        cudaErrorStreamCaptureInvalidated);
  GIVES(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  std::thread([] { GIVES(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported); }).join();
  GIVES(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  GIVES(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
        cudaErrorStreamCaptureUnsupported);
  OK(cudaFree(p));
  OK(cudaFree(device));
  OK(cudaStreamDestroy(stream));
  cudaGetLastError();
}

double other_job(void);

static void variants_do_not_mix() {
  CHECK(other_job() == 2.25);
}

static void bad_calls_are_refused() {
  int host[4] = {0}, *device;
  OK(cudaMalloc(&device, sizeof host));
  void *none[] = {nullptr};
  GIVES(cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost),
        cudaErrorInvalidMemcpyDirection);
  GIVES(cudaMemcpy(device + 1, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemset(device, 0, sizeof host + 1), cudaErrorInvalidValue);
  GIVES(cudaMemset(host, 0, sizeof host), cudaErrorInvalidValue);
  GIVES(cudaFree(device + 1), cudaErrorInvalidValue);
  GIVES(cudaLaunchKernel(half_waits, dim3(1), dim3(1025), none), cudaErrorInvalidConfiguration);
  GIVES(cudaLaunchKernel(half_waits, dim3(0), dim3(32), none), cudaErrorInvalidConfiguration);
  GIVES(cudaLaunchKernel(half_waits, dim3(1), dim3(32), none, 64), cudaErrorNotSupported);
  GIVES(cudaPeekAtLastError(), cudaErrorNotSupported);
  GIVES(cudaGetLastError(), cudaErrorNotSupported);
  GIVES(cudaGetLastError(), cudaSuccess);
  OK(cudaFree(device));
}

static void memory_runs_out() {
  setenv("CQ_SHIM_MEMORY", "1000", 1);
  void *a, *b;
  size_t free_bytes, total;
  OK(cudaMalloc(&a, 600));
  GIVES(cudaMalloc(&b, 401), cudaErrorMemoryAllocation);
  OK(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes == 400 && total == 1000 && cq_shim_bytes() == 600);
  OK(cudaMalloc(&b, 400));
  OK(cudaFree(a));
  OK(cudaFree(b));
  CHECK(cq_shim_bytes() == 0);
  unsetenv("CQ_SHIM_MEMORY");
  OK(cudaMallocHost(&a, 64));
  CHECK(cq_shim_pinned() == 64);
  OK(cudaFreeHost(a));
  CHECK(cq_shim_pinned() == 0);
  cudaGetLastError();
}

static void devices_and_their_absence() {
  int n = -1, version;
  cudaDeviceProp properties;
  OK(cudaGetDeviceCount(&n));
  CHECK(n == 1);
  OK(cudaSetDevice(0));
  GIVES(cudaSetDevice(1), cudaErrorInvalidDevice);
  OK(cudaGetDeviceProperties(&properties, 0));
  CHECK_STR(properties.name, "shim");
  OK(cudaRuntimeGetVersion(&version));
  CHECK(version >= 12000);
  setenv("CQ_SHIM_DEVICES", "0", 1);
  GIVES(cudaGetDeviceCount(&n), cudaErrorNoDevice);
  CHECK(n == 0);
  void *p;
  GIVES(cudaMalloc(&p, 8), cudaErrorNoDevice);
  unsetenv("CQ_SHIM_DEVICES");
  CHECK_STR(cudaGetErrorString(cudaErrorNoDevice), "no CUDA-capable device is detected");
  cudaGetLastError();
}

/* the shape of a caller that must free everything whichever call fails */
static cudaError_t careful(int *result) {
  cudaStream_t stream = nullptr;
  int *device = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  error = error ? error : cudaMalloc(&device, sizeof *device);
  error = error ? error : cudaMemsetAsync(device, 0, sizeof *device, stream);
  error = error ? error
                : cudaMemcpyAsync(result, device, sizeof *result, cudaMemcpyDeviceToHost, stream);
  error = error ? error : cudaStreamSynchronize(stream);
  const cudaError_t freed = device ? cudaFree(device) : cudaSuccess;
  const cudaError_t closed = stream ? cudaStreamDestroy(stream) : cudaSuccess;
  return error ? error : freed ? freed : closed;
}

static void calls_fail_by_order() {
  int n = 1, result;
  for (;; n++) {
    result = -1;
    cq_shim_fail_nth(n);
    const cudaError_t error = careful(&result);
    CHECK(cq_shim_bytes() == 0 && cq_shim_handles() == 0);
    if (cq_shim_fail_nth(0) != 0) {
      CHECK(error == cudaSuccess && result == 0);
      break;
    }
    CHECK(error == cudaErrorUnknown);
    CHECK(result == (n > 5 ? 0 : -1));
  }
  CHECK_MSG(n == 8, "%d calls could fail", n - 1);
  cudaGetLastError();
}

static __global__ void add_warp_by_warp(int *sum, int rounds) {
  __shared__ int part[64];
  part[threadIdx.x] = 0;
  for (int i = 0; i < rounds; i++) {
    __syncthreads();
    part[threadIdx.x ^ 33] += 1;
  }
  __syncthreads();
  atomicAdd(sum, part[threadIdx.x]);
}

static void host_threads_take_turns() {
  std::vector<std::thread> threads;
  int sums[3] = {0};
  for (int &sum : sums)
    threads.emplace_back([&sum] {
      cudaStream_t stream;
      int *device, rounds = 2000;
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      cudaMalloc(&device, sizeof *device);
      cudaMemsetAsync(device, 0, sizeof *device, stream);
      void *args[] = {&device, &rounds};
      cudaLaunchKernel(add_warp_by_warp, dim3(2), dim3(64), args, 0, stream);
      cudaMemcpyAsync(&sum, device, sizeof sum, cudaMemcpyDeviceToHost, stream);
      cudaStreamSynchronize(stream);
      cudaFree(device);
      cudaStreamDestroy(stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int sum : sums)
    CHECK(sum == 2 * 64 * 2000);
}

int main() {
  RUN(a_block_adds_up);
  RUN(a_missing_barrier_shows);
  RUN(a_scan_with_shuffles);
  RUN(shuffles_and_votes);
  RUN(atomics_count);
  RUN(bits_are_counted);
  RUN(each_thread_runs_once);
  RUN(seeds_draw_the_order);
  RUN(memory_begins_as_nan);
  RUN(barriers_that_do_not_meet);
#ifdef __SANITIZE_ADDRESS__
  RUN(asan_sees_overruns);
#endif
  RUN(streams_wait_to_be_waited_for);
  RUN(graphs_replay);
  RUN(variants_do_not_mix);
  RUN(bad_calls_are_refused);
  RUN(memory_runs_out);
  RUN(devices_and_their_absence);
  RUN(calls_fail_by_order);
  RUN(host_threads_take_turns);
  CHECK(cq_shim_bytes() == 0 && cq_shim_pinned() == 0 && cq_shim_handles() == 0);
  return TEST_RESULT();
}
