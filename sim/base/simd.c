#include "simd.h"

#include "nearest.h"
#include "simd_built.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

const char *const cq_simd_names[CQ_N_SIMD] = {
#define CQ_SIMD_NAME(name) #name,
    CQ_SIMD_LIST(CQ_SIMD_NAME)
#undef CQ_SIMD_NAME
};

static const bool built[CQ_N_SIMD] = {
#define CQ_SIMD_IS_BUILT(name) [CQ_SIMD_##name] = true,
    CQ_SIMD_BUILT(CQ_SIMD_IS_BUILT)
#undef CQ_SIMD_IS_BUILT
};

/* what the hot files of a level are compiled for, see cmake/simd.cmake */
static bool machine_has(cq_simd level) {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  switch (level) {
  case CQ_SIMD_avx512:
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  case CQ_SIMD_avx2:
    return avx2;
  default:
    return true;
  }
#else
  (void)level;
  return true;
#endif
}

static bool can_run(cq_simd level) {
  return built[level] && machine_has(level);
}

static int find_name(const char *wanted) {
  for (int i = 0; i < CQ_N_SIMD; i++) {
    if (strcmp(cq_simd_names[i], wanted) == 0) {
      return i;
    }
  }
  return -1;
}

cq_simd cq_simd_widest(void) {
  int level = CQ_N_SIMD - 1;
  while (level > 0 && !can_run((cq_simd)level)) {
    level--;
  }
  return (cq_simd)level;
}

static const char *asked_for(void) {
  const char *name = getenv("CQ_SIMD");
  return name != NULL && name[0] != '\0' ? name : NULL;
}

int cq_simd_count(void) {
  int count = 0;
  for (int i = 0; i < CQ_N_SIMD; i++) {
    count += built[i];
  }
  return count;
}

/* The widest level, or the one of the environment, if there is code for it and the machine has it.
 */
cq_status cq_simd_choose(cq_ctx *ctx, cq_simd *level) {
  const char *name = asked_for();
  *level = cq_simd_widest();
  CQ_CHECK(
      ctx, can_run(*level), CQ_DEVICE,
      "this cqopt was built for another machine alone, by ./bootstrap solve; ./bootstrap build "
      "makes one for any");
  if (name == NULL) {
    return CQ_OK;
  }
  const int found = find_name(name);
  if (found < 0) {
    cq_nearest nearest = cq_nearest_begin(name);
    for (int i = 0; i < CQ_N_SIMD; i++) {
      cq_nearest_offer(&nearest, cq_simd_names[i]);
    }
    return CQ_FAIL(ctx, CQ_CONFIG, "CQ_SIMD is set to an unknown level \"%s\"; %s", name,
                   cq_nearest_text(&nearest));
  }
  CQ_CHECK(ctx, machine_has((cq_simd)found), CQ_DEVICE,
           "CQ_SIMD asks for %s, which this machine does not have; the widest here is %s", name,
           cq_simd_names[cq_simd_widest()]);
  CQ_CHECK(
      ctx, built[found], CQ_DEVICE,
      "CQ_SIMD asks for %s, which this build does not have (it has %s); ./bootstrap build makes "
      "one with all levels",
      name, cq_simd_names[cq_simd_widest()]);
  *level = (cq_simd)found;
  return CQ_OK;
}

const char *cq_simd_level(void) {
  const char *name = asked_for();
  const int found = name != NULL ? find_name(name) : (int)cq_simd_widest();
  return found >= 0 && can_run((cq_simd)found) ? cq_simd_names[found] : NULL;
}
