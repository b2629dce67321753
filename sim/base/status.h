/* Error and log helpers of the library's own code. */
#ifndef CQ_BASE_STATUS_H
#define CQ_BASE_STATUS_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records the error unless an earlier one is pending (ctx NULL: nowhere), and returns code. */
cq_status cq_fail(cq_ctx *ctx, cq_status code, const char *fmt, ...) CQ_PRINTF(3, 4);
void cq_log(cq_ctx *ctx, cq_log_level level, const char *fmt, ...) CQ_PRINTF(3, 4);

#define CQ_FAIL(ctx, code, ...) cq_fail((ctx), (code), __VA_ARGS__)
#define CQ_CHECK(ctx, cond, code, ...)                                                             \
  do {                                                                                             \
    if (!(cond)) {                                                                                 \
      return CQ_FAIL(ctx, code, __VA_ARGS__);                                                      \
    }                                                                                              \
  } while (0)
#define CQ_TRY(expr)                                                                               \
  do {                                                                                             \
    const cq_status cq_try_status_ = (expr);                                                       \
    if (cq_try_status_ != CQ_OK) {                                                                 \
      return cq_try_status_;                                                                       \
    }                                                                                              \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif
