#include "arena.h"

#include "alloc.h"
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

enum { ALIGN = 16, HEADER = 64, SMALL = 4096, BLOCK = 65536 };

struct cq_arena_block {
  cq_arena_block *next;
  size_t used, size; /* of the bytes after the header */
};

static cq_status add_block(cq_arena *arena, size_t size) {
  char *memory = NULL;
  CQ_TRY(CQ_ALLOC(arena->ctx, memory, HEADER + size));
  cq_arena_block *block = (cq_arena_block *)(void *)memory;
  block->size = size;
  block->next = arena->blocks;
  arena->blocks = block;
  return CQ_OK;
}

/* From the block on top; a larger piece than a block gets one of its own. */
cq_status cq_arena_alloc(cq_arena *arena, void **out, size_t count, size_t size) {
  *out = NULL;
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
    return CQ_FAIL(arena->ctx, CQ_MEMORY, "out of memory (%zu x %zu bytes)", count, size);
  }
  bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  const cq_arena_block *top = arena->blocks;
  if (top == NULL || top->size - top->used < bytes) {
    CQ_TRY(add_block(arena, bytes > SMALL ? bytes : BLOCK));
  }
  cq_arena_block *block = arena->blocks;
  *out = (char *)block + HEADER + block->used;
  block->used += bytes;
  return CQ_OK;
}

cq_status cq_arena_text(cq_arena *arena, const char **out, const char *fmt, ...) {
  *out = NULL;
  va_list args;
  va_start(args, fmt);
  const int length = vsnprintf(NULL, 0, fmt, args);
  va_end(args);
  char *text = NULL;
  CQ_TRY(CQ_ARENA(arena, text, (size_t)length + 1));
  va_start(args, fmt);
  vsnprintf(text, (size_t)length + 1, fmt, args);
  va_end(args);
  *out = text;
  return CQ_OK;
}

void cq_arena_release(cq_arena *arena) {
  while (arena->blocks != NULL) {
    cq_arena_block *block = arena->blocks;
    arena->blocks = block->next;
    cq_free(arena->ctx, block);
  }
}
