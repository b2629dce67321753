/* A second object file of test_shim with a struct and a kernel named as in the first, as the
 * variants of one source file have them. */
#include "cuda_runtime.h"

struct job {
  double x[40];
  double *sum;
};

static __global__ void count_up(job j) {
  for (double x : j.x)
    *j.sum += x;
}

double other_job(void);
double other_job(void) {
  job j = {};
  j.x[0] = 0.25;
  j.x[39] = 2;
  double sum = 0, *device;
  cudaMalloc(&device, sizeof sum);
  j.sum = device;
  cudaMemset(device, 0, sizeof sum);
  void *args[] = {&j};
  cudaLaunchKernel(count_up, dim3(1), dim3(1), args);
  cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return sum;
}
