#include "text.h"

#include "status.h"

#include <stdlib.h>

cq_status cli_text_print(cq_ctx *ctx, cli_text_fn fn, const void *of, FILE *out) {
  size_t size = 0;
  CQ_TRY(fn(of, NULL, &size));
  char *const text = malloc(size);
  CQ_CHECK(ctx, text != NULL, CQ_MEMORY, "out of memory");
  const cq_status status = fn(of, text, &size);
  if (status == CQ_OK) {
    fputs(text, out);
  }
  free(text);
  return status;
}

static cq_status resolved(const void *file, char *text, size_t *size) {
  return cq_file_resolved(file, text, size);
}

static cq_status described(const void *file, char *text, size_t *size) {
  return cq_file_describe(file, text, size);
}

cq_status cli_text_resolved(void *file, FILE *out) {
  return cli_text_print(NULL, resolved, file, out);
}

cq_status cli_text_describe(const cq_file *file, FILE *out) {
  return cli_text_print(NULL, described, file, out);
}
