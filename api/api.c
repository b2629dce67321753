#include "api.h"

#include "alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cq_status cq_api_begin_ctx(cq_ctx *ctx) {
  if (ctx == NULL) {
    return CQ_USAGE;
  }
  cq_ctx_clear_error(ctx);
  return CQ_OK;
}

cq_status cq_api_begin(const cq_file *file) {
  if (file == NULL) {
    return CQ_USAGE;
  }
  cq_ctx_clear_error(file->ctx);
  CQ_CHECK(file->ctx, !file->destroyed, CQ_USAGE, "the file was destroyed before this call");
  return CQ_OK;
}

void cq_api_leave(cq_file *file) {
  if (file->destroyed && file->n_runs == 0) {
    cq_scene_destroy(file->scene);
    cq_free(file->ctx, file);
  }
}

cq_status cq_api_index(cq_ctx *ctx, const char *what, int i, int count) {
  CQ_CHECK(ctx, i >= 0 && i < count, CQ_USAGE, "there is no %s %d: there are %d", what, i, count);
  return CQ_OK;
}

cq_status cq_api_length(cq_ctx *ctx, const char *what, const void *array, size_t n, size_t wanted) {
  CQ_CHECK(ctx, array != NULL || wanted == 0, CQ_USAGE, "%s: there is no array", what);
  CQ_CHECK(ctx, n == wanted, CQ_USAGE, "%s: %zu numbers were given room for, there are %zu", what,
           n, wanted);
  return CQ_OK;
}

cq_status cq_api_design(const cq_file *file, const double *x, int n, const double **out) {
  const cq_problem *const problem = cq_scene_problem(file->scene);
  *out = x != NULL ? x : problem->start;
  if (x == NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_api_length(file->ctx, "x", x, (size_t)n, (size_t)problem->n));
  for (int i = 0; i < n; i++) {
    CQ_CHECK(file->ctx, isfinite(x[i]), CQ_USAGE, "x[%d] is %g", i, x[i]);
  }
  return CQ_OK;
}

/* Copies what there is room for. */
static cq_status hand_out(cq_ctx *ctx, const char *from, size_t length, char *text, size_t *size) {
  const size_t room = *size;
  *size = length + 1;
  if (text == NULL) {
    return CQ_OK;
  }
  if (room > 0) {
    const size_t n = length < room ? length : room - 1;
    memcpy(text, from, n);
    text[n] = '\0';
  }
  CQ_CHECK(ctx, room > length, CQ_USAGE, "the text needs %zu bytes, there was room for %zu",
           length + 1, room);
  return CQ_OK;
}

cq_status cq_api_text(cq_ctx *ctx, cq_text_fn write, const void *user, char *text, size_t *size) {
  char *all = NULL;
  size_t length = 0;
  CQ_CHECK(ctx, size != NULL, CQ_USAGE, "the size of the text is missing");
  FILE *const out = open_memstream(&all, &length);
  CQ_CHECK(ctx, out != NULL, CQ_MEMORY, "out of memory");
  cq_status status = write(user, out);
  const bool whole = fclose(out) == 0;
  if (status == CQ_OK && !whole) {
    status = CQ_FAIL(ctx, CQ_MEMORY, "out of memory");
  }
  status = status == CQ_OK ? hand_out(ctx, all, length, text, size) : status;
  free(all);
  return status;
}
