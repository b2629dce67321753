/* Memory of a scene: taken piece by piece, given back all at once. */
#ifndef CQ_PROBLEMS_ARENA_H
#define CQ_PROBLEMS_ARENA_H

#include "cqopt/base.h"

typedef struct cq_arena_block cq_arena_block;

typedef struct cq_arena {
  cq_ctx *ctx;
  cq_arena_block *blocks;
} cq_arena;

/* count * size zeroed bytes, aligned to 16. */
cq_status cq_arena_alloc(cq_arena *arena, void **out, size_t count, size_t size);
/* Formatted text owned by the arena. */
cq_status cq_arena_text(cq_arena *arena, const char **out, const char *fmt, ...) CQ_PRINTF(3, 4);
void cq_arena_release(cq_arena *arena);

#define CQ_ARENA(arena, pointer, count)                                                            \
  cq_arena_alloc((arena), (void **)&(pointer), (size_t)(count), sizeof *(pointer))

#endif
