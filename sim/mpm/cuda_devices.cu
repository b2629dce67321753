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
