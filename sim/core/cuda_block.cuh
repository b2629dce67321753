/* Threads of a block, and sums over them. */
#ifndef CQ_CORE_CUDA_BLOCK_CUH
#define CQ_CORE_CUDA_BLOCK_CUH

#include <cuda_runtime.h>

enum { CQ_WARP = 32, CQ_THREADS = 128, CQ_WARPS = CQ_THREADS / CQ_WARP };

static const unsigned whole_warp = 0xffffffffu;

static __device__ inline int thread_of_all(void) {
  return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

static __device__ inline int threads_of_all(void) {
  return (int)(gridDim.x * blockDim.x);
}

/* blocks with a thread for each of so many things */
static inline int blocks_for(size_t threads) {
  return (int)((threads + CQ_THREADS - 1) / CQ_THREADS);
}

/* The sum of a warp's values, for all of its lanes: a tree, whose shape does not change. */
static __device__ inline double warp_sum(double value) {
  for (int far = CQ_WARP / 2; far > 0; far /= 2) {
    value += __shfl_xor_sync(whole_warp, value, far);
  }
  return value;
}

/* the same of a block */
static __device__ inline double block_sum(double value) {
  __shared__ double sums[CQ_WARPS];
  const int lane = (int)threadIdx.x % CQ_WARP, warp = (int)threadIdx.x / CQ_WARP;
  value = warp_sum(value);
  __syncthreads(); /* of an earlier call */
  if (lane == 0) {
    sums[warp] = value;
  }
  __syncthreads();
  double total = sums[0];
  for (int i = 1; i < CQ_WARPS; i++) {
    total += sums[i];
  }
  return total;
}

/* What stands before the caller's value in its block; *total gets the sum. All threads call it. */
static __device__ inline int block_before(int value, int *total) {
  __shared__ int sums[CQ_WARPS];
  const int lane = (int)threadIdx.x % CQ_WARP, warp = (int)threadIdx.x / CQ_WARP;
  int sum = value; /* of this lane and those before it */
  for (int far = 1; far < CQ_WARP; far *= 2) {
    const int before = __shfl_up_sync(whole_warp, sum, far);
    sum += lane >= far ? before : 0;
  }
  __syncthreads(); /* of an earlier call */
  if (lane == CQ_WARP - 1) {
    sums[warp] = sum;
  }
  __syncthreads();
  int before = sum - value;
  *total = 0;
  for (int i = 0; i < CQ_WARPS; i++) {
    before += i < warp ? sums[i] : 0;
    *total += sums[i];
  }
  return before;
}

#endif
