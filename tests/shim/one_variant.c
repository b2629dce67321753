/* For programs with the kernels of one variant of one engine: there is a device, and for all other
 * variants and engines nothing runs on it. The program's own functions take the place of these. */
#include "cuda_pick.h"
#include "device_pick.h"
#include "devices.h"
#include "grains_cuda_pick.h"

__attribute__((weak)) const cq_engine *cq_mpm_cuda(int dim, int bits) {
  (void)dim, (void)bits;
  return NULL;
}

__attribute__((weak)) const cq_engine *cq_grains_cuda(int dim, int bits) {
  (void)dim, (void)bits;
  return NULL;
}

__attribute__((weak)) const struct fluid_device *cq_fluid_cuda(int dim, int bits) {
  (void)dim, (void)bits;
  return NULL;
}

cq_cuda cq_cuda_look(void) {
  return (cq_cuda){.built = true, .n_devices = 1};
}

bool cq_cuda_device_at(int i, cq_cuda_device *device) {
  (void)device;
  return i == 0;
}
