/* Memory: zeroed, 64-byte aligned, counted in the context, with a fail-nth switch for tests. Large
 * blocks ask for large pages. */
#ifndef CQ_BASE_ALLOC_H
#define CQ_BASE_ALLOC_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates count * size zeroed bytes into *out. CQ_MEMORY with the size in the message when the
 * product overflows or memory is short; *out is NULL then. count 0 gives a valid pointer. */
cq_status cq_alloc(cq_ctx *ctx, void **out, size_t count, size_t size);
/* Frees and accounts; NULL is allowed. */
void cq_free(cq_ctx *ctx, void *pointer);
/* Makes the n-th allocation from now on fail (1 = the next one); 0 turns it off. */
void cq_alloc_fail_nth(cq_ctx *ctx, int n);

/* Address space that is memory, zeroed, in large pages if the system has them, only where and when
 * it is touched. Give it back with cq_unmap and the same size. */
cq_status cq_map(cq_ctx *ctx, void **out, size_t bytes);
void cq_unmap(void *pointer, size_t bytes);
/* Counts bytes of a mapping that are about to be used; fails when cq_alloc would be made to. */
cq_status cq_map_use(cq_ctx *ctx, size_t bytes);
void cq_map_return(cq_ctx *ctx, size_t bytes);

#define CQ_ALLOC(ctx, pointer, count)                                                              \
  cq_alloc((ctx), (void **)&(pointer), (size_t)(count), sizeof *(pointer))

#ifdef __cplusplus
}
#endif

#endif
