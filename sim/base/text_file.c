#ifndef _GNU_SOURCE
#  define _GNU_SOURCE /* fopencookie */
#endif

#include "text_file.h"

#include "status.h"

#include <stdlib.h>
#include <string.h>

/* Room for so many bytes more and a 0. */
static bool make_room(cq_text_file *file, size_t more) {
  size_t room = file->room > 0 ? file->room : 1024;
  while (room - file->size <= more) {
    if (room > SIZE_MAX / 4) {
      return false;
    }
    room *= 2;
  }
  if (room > file->room) {
    char *const text = realloc(file->text, room);
    if (text == NULL) {
      return false;
    }
    file->text = text;
    file->room = room;
  }
  return true;
}

/* 0 is a failure, which the stream remembers. */
static ssize_t write_text(void *user, const char *from, size_t n) {
  cq_text_file *const file = user;
  if (!make_room(file, n)) {
    return 0;
  }
  memcpy(file->text + file->size, from, n);
  file->size += n;
  file->text[file->size] = '\0';
  return (ssize_t)n;
}

static cq_status fail(cq_ctx *ctx, const cq_text_file *file) {
  return ctx == NULL ? CQ_MEMORY
                     : CQ_FAIL(ctx, CQ_MEMORY, "out of memory (a text of %zu bytes)", file->size);
}

cq_status cq_text_begin(cq_ctx *ctx, cq_text_file *file) {
  *file = (cq_text_file){.out = NULL};
  const cookie_io_functions_t functions = {.write = write_text};
  const bool room = make_room(file, 0);
  if (room) {
    file->text[0] = '\0';
    file->out = fopencookie(file, "w", functions);
  }
  if (file->out == NULL) {
    free(file->text);
    file->text = NULL;
  }
  return file->out != NULL ? CQ_OK : fail(ctx, file);
}

cq_status cq_text_take(cq_ctx *ctx, cq_text_file *file) {
  if (fflush(file->out) != 0 || ferror(file->out)) {
    return fail(ctx, file);
  }
  file->size = 0;
  return CQ_OK;
}

cq_status cq_text_end(cq_ctx *ctx, cq_text_file *file) {
  const bool bad = ferror(file->out) != 0;
  const bool closed = fclose(file->out) == 0;
  file->out = NULL;
  if (bad || !closed) {
    free(file->text);
    file->text = NULL;
  }
  return file->text != NULL ? CQ_OK : fail(ctx, file);
}
