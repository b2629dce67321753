/* SIMD levels: the same source compiled for several of them, one chosen when the program runs. */
#ifndef CQ_BASE_SIMD_H
#define CQ_BASE_SIMD_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CQ_SIMD_LEVEL(name), the widest last */
#if defined(__x86_64__)
#  define CQ_SIMD_LIST(CQ_SIMD_LEVEL) CQ_SIMD_LEVEL(sse2) CQ_SIMD_LEVEL(avx2) CQ_SIMD_LEVEL(avx512)
#else
#  define CQ_SIMD_LIST(CQ_SIMD_LEVEL) CQ_SIMD_LEVEL(generic)
#endif

typedef enum cq_simd {
#define CQ_SIMD_ENUM(name) CQ_SIMD_##name,
  CQ_SIMD_LIST(CQ_SIMD_ENUM)
#undef CQ_SIMD_ENUM
      CQ_N_SIMD
} cq_simd;

extern const char *const cq_simd_names[CQ_N_SIMD];

/* The widest level that this machine and this build have; if there is none, the first. */
cq_simd cq_simd_widest(void);
/* How many levels this build has: all, or one (CQ_SIMD of cmake/simd.cmake). */
int cq_simd_count(void);
/* That one, or the one named by the environment variable CQ_SIMD.
 * CQ_CONFIG when that is unknown, CQ_DEVICE when the machine or the build does not have it. */
cq_status cq_simd_choose(cq_ctx *ctx, cq_simd *level);

#ifdef __cplusplus
}
#endif

#endif
