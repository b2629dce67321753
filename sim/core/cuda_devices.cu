/* What the CUDA runtime says of this machine. */
#include "devices.h"

#include <cuda_runtime.h>
#include <stdio.h>

enum { OLDEST = 8 }; /* least major compute capability that kernels are compiled for */

/* Why no device can be used, after the runtime was asked for their number. */
static const char *explain(cudaError_t error, int driver) {
  static thread_local char text[256];
  switch (error) {
  case cudaSuccess:
    return NULL;
  case cudaErrorNoDevice:
    return "there is no CUDA device: the driver shows no GPU (nvidia-smi lists them, "
           "CUDA_VISIBLE_DEVICES may hide them); use --device cpu";
  case cudaErrorInsufficientDriver:
    return driver == 0 ? "there is no NVIDIA driver; use --device cpu, or install "
                         "the driver where there is a GPU"
                       : "the NVIDIA driver is older than the CUDA runtime of this cqopt ('cqopt "
                         "doctor' names both); update it, or use --device cpu";
  default:
    snprintf(text, sizeof text, "CUDA does not start: %s; use --device cpu",
             cudaGetErrorString(error));
    return text;
  }
}

/* The engine runs on the first device. */
static const char *check_first(void) {
  cudaDeviceProp card;
  const cudaError_t error = cudaGetDeviceProperties(&card, 0);
  if (error != cudaSuccess) {
    return explain(error, 0);
  }
  return card.major >= OLDEST ? NULL
                              : "the first GPU is too old: compute capability 8.0 or higher is "
                                "wanted; name another one in CUDA_VISIBLE_DEVICES, or use "
                                "--device cpu";
}

extern "C" cq_cuda cq_cuda_look(void) {
  cq_cuda look = {};
  look.built = true;
  if (cudaDriverGetVersion(&look.driver) != cudaSuccess) {
    look.driver = 0;
  }
  if (cudaRuntimeGetVersion(&look.runtime) != cudaSuccess) {
    look.runtime = 0;
  }
  cudaError_t error = cudaGetDeviceCount(&look.n_devices);
  look.n_devices = error == cudaSuccess ? look.n_devices : 0;
  error = error == cudaSuccess && look.n_devices == 0 ? cudaErrorNoDevice : error;
  look.problem = error == cudaSuccess ? check_first() : explain(error, look.driver);
  (void)cudaGetLastError(); /* nobody else is to find what was reported here */
  return look;
}

extern "C" bool cq_cuda_device_at(int i, cq_cuda_device *device) {
  cudaDeviceProp card;
  size_t there = 0, all = 0;
  bool answers =
      cudaGetDeviceProperties(&card, i) == cudaSuccess && cudaSetDevice(i) == cudaSuccess;
  answers = answers && cudaMemGetInfo(&there, &all) == cudaSuccess;
  (void)cudaSetDevice(0); /* what simulations run on */
  (void)cudaGetLastError();
  if (!answers) {
    return false;
  }
  snprintf(device->name, sizeof device->name, "%s", card.name);
  device->major = card.major;
  device->minor = card.minor;
  device->memory = all;
  device->free_memory = there;
  device->multiprocessors = card.multiProcessorCount;
  return true;
}

/* Best of a few tries, of some milliseconds on a fast card; after one that is not counted. */
static bool time_copies(void *to, const void *from, size_t bytes, cudaEvent_t begin,
                        cudaEvent_t end, double *speed) {
  enum { COPIES = 8, TRIES = 5 };
  bool works = true;
  for (int i = 0; i <= TRIES && works; i++) {
    float ms = 0.0f;
    works = cudaEventRecord(begin) == cudaSuccess;
    for (int k = 0; k < COPIES && works; k++) {
      works = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
    }
    works = works && cudaEventRecord(end) == cudaSuccess &&
            cudaEventSynchronize(end) == cudaSuccess &&
            cudaEventElapsedTime(&ms, begin, end) == cudaSuccess;
    const double now = ms > 0.0f ? 2.0 * COPIES * (double)bytes / (1e-3 * (double)ms) : 0.0;
    *speed = i > 0 && now > *speed ? now : *speed;
  }
  return works;
}

extern "C" double cq_cuda_copy_speed(size_t bytes) {
  void *to = NULL, *from = NULL;
  cudaEvent_t begin = NULL, end = NULL;
  double speed = 0.0;
  const bool works =
      cudaMalloc(&to, bytes) == cudaSuccess && cudaMalloc(&from, bytes) == cudaSuccess &&
      cudaMemset(from, 0, bytes) == cudaSuccess && cudaEventCreate(&begin) == cudaSuccess &&
      cudaEventCreate(&end) == cudaSuccess && time_copies(to, from, bytes, begin, end, &speed);
  if (begin != NULL) {
    (void)cudaEventDestroy(begin);
  }
  if (end != NULL) {
    (void)cudaEventDestroy(end);
  }
  (void)cudaFree(to);
  (void)cudaFree(from);
  (void)cudaGetLastError();
  return works ? speed : 0.0;
}
