/* The devices of a program without CUDA. */
#include "devices.h"

cq_cuda cq_cuda_look(void) {
  return (cq_cuda){.problem = "this cqopt was built without CUDA (nvcc was not found when it was "
                              "configured, or CQ_CUDA was OFF); use --device cpu, or install the "
                              "CUDA toolkit and build again"};
}

bool cq_cuda_device_at(int i, cq_cuda_device *device) {
  (void)i;
  (void)device;
  return false;
}

double cq_cuda_copy_speed(size_t bytes) {
  (void)bytes;
  return 0.0;
}
