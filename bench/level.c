#include "level.h"

#include "nearest.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

const char *const cq_level_names[CQ_N_LEVELS] = {
#define CQ_BENCH_LEVEL(name) #name,
#include "level_list.h"
#undef CQ_BENCH_LEVEL
};

cq_level cq_level_best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    return CQ_LEVEL_avx512;
  }
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return avx2 ? CQ_LEVEL_avx2 : CQ_LEVEL_sse2;
#else
  return CQ_LEVEL_generic;
#endif
}

cq_status cq_level_in_use(cq_ctx *ctx, cq_level *out) {
  const char *const wanted = getenv("CQ_SIMD");
  *out = cq_level_best();
  if (wanted == NULL || wanted[0] == '\0') {
    return CQ_OK;
  }
  cq_nearest nearest = cq_nearest_begin(wanted);
  for (int i = 0; i <= (int)*out; i++) {
    if (strcmp(wanted, cq_level_names[i]) == 0) {
      *out = (cq_level)i;
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, cq_level_names[i]);
  }
  return CQ_FAIL(ctx, CQ_USAGE, "CQ_SIMD=%s is no level of this machine; %s", wanted,
                 cq_nearest_text(&nearest));
}
