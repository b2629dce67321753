/* A text in memory that is written like a file. Unlike open_memstream it says when memory was
 * short: that one ends without an error and without a text. */
#ifndef CQ_BASE_TEXT_FILE_H
#define CQ_BASE_TEXT_FILE_H

#include "cqopt/base.h"

#include <stdio.h>

/* Must stay where it is while it is open. */
typedef struct cq_text_file {
  FILE *out;
  char *text; /* [size] and a 0 behind it; by malloc */
  size_t size, room;
} cq_text_file;

/* CQ_MEMORY, with words in ctx unless that is NULL. */
cq_status cq_text_begin(cq_ctx *ctx, cq_text_file *file);
/* What was written since then, or since the call before, is in file->text; the next is written
 * over it. CQ_MEMORY when some of it is lost. */
cq_status cq_text_take(cq_ctx *ctx, cq_text_file *file);
/* The same at the end. The caller frees file->text, which is NULL on failure. */
cq_status cq_text_end(cq_ctx *ctx, cq_text_file *file);

#endif
