/* The machine and its devices. */
#include "cqopt/device.h"

#include "devices.h"
#include "give.h"
#include "status.h"

#include <assert.h>
#include <string.h>

cq_status cq_machine_info(cq_ctx *ctx, cq_about_machine *out) {
  const cq_cuda cuda = cq_cuda_look();
  const cq_about_machine about = {.free_memory = cq_free_memory(CQ_ON_CPU),
                                  .has_cuda = cuda.built,
                                  .driver = cuda.driver,
                                  .runtime = cuda.runtime,
                                  .devices = cuda.n_devices,
                                  .no_cuda = cuda.problem};
  return CQ_GIVE(ctx, out, about);
}

cq_status cq_device_info(cq_ctx *ctx, int i, cq_about_device *out) {
  cq_cuda_device device;
  CQ_CHECK(ctx, out != NULL, CQ_USAGE, "there is no struct to fill");
  CQ_CHECK(ctx, i >= 0 && cq_cuda_device_at(i, &device), CQ_DEVICE,
           "there is no CUDA device %d that answers", i);
  cq_about_device about = {.major = device.major,
                           .minor = device.minor,
                           .memory = device.memory,
                           .free_memory = device.free_memory,
                           .multiprocessors = device.multiprocessors};
  static_assert(sizeof about.name == sizeof device.name, "one name");
  memcpy(about.name, device.name, sizeof about.name);
  return CQ_GIVE(ctx, out, about);
}
