/* The SIMD levels that code is compiled at and picked from when the program runs. */
#ifndef CQ_BENCH_LEVEL_H
#define CQ_BENCH_LEVEL_H

#include "cqopt/base.h"

typedef enum cq_level {
#define CQ_BENCH_LEVEL(name) CQ_LEVEL_##name,
#include "level_list.h"
#undef CQ_BENCH_LEVEL
  CQ_N_LEVELS
} cq_level;

extern const char *const cq_level_names[CQ_N_LEVELS];

/* The best level of this machine. */
cq_level cq_level_best(void);
/* The level that CQ_SIMD names, or the best one. CQ_USAGE when CQ_SIMD is no level of this
 * machine. */
cq_status cq_level_in_use(cq_ctx *ctx, cq_level *out);

#endif
