#include "devices.h"

#include "status.h"

#include <stdio.h>
#include <unistd.h>

/* What Linux calls available; half of all memory where it does not say. */
static size_t free_on_host(void) {
  enum { KIB = 1024 };
  char line[128];
  size_t kib = 0;
  FILE *file = fopen("/proc/meminfo", "r");
  while (file != NULL && kib == 0 && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "MemAvailable: %zu kB", &kib) != 1) {
      kib = 0;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  if (kib == 0) {
    kib = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / KIB / 2;
  }
  return kib * KIB;
}

size_t cq_free_memory(cq_backend device) {
  enum { LITTLE = 4096 }; /* a budget of 0 would be none */
  cq_cuda_device card = {.free_memory = 0};
  if (device == CQ_ON_CPU) {
    return free_on_host();
  }
  return cq_cuda_device_at(0, &card) && card.free_memory > LITTLE ? card.free_memory : LITTLE;
}

cq_status cq_cuda_check(cq_ctx *ctx) {
  const char *problem = cq_cuda_look().problem;
  CQ_CHECK(ctx, problem == NULL, CQ_DEVICE, "no CUDA device: %s", problem);
  return CQ_OK;
}
