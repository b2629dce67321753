#include "run_read.h"

#include "json.h"
#include "open.h"
#include "status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole text: readers look for members in it. */
cq_status cli_run_read(cq_ctx *ctx, const char *folder, char **json) {
  enum { LARGEST = 1 << 20 };
  char path[1300];
  snprintf(path, sizeof path, "%s/run.json", folder);
  FILE *const file = cq_open_read(path);
  CQ_CHECK(ctx, file != NULL, CQ_IO, "%s: %s; is it a run folder?", path, cq_open_error(errno));
  *json = calloc(LARGEST, 1);
  const size_t length = *json != NULL ? fread(*json, 1, LARGEST - 1, file) : 0;
  const int error = ferror(file) ? errno : 0;
  fclose(file);
  CQ_CHECK(ctx, *json != NULL, CQ_MEMORY, "out of memory");
  (*json)[length] = '\0';
  if (error != 0) {
    free(*json);
    *json = NULL;
  }
  CQ_CHECK(ctx, error == 0, CQ_IO, "%s: %s", path, strerror(error));
  return CQ_OK;
}

void cli_run_member(const char *json, const char *name, char *value, size_t size) {
  cq_json_member(json, name, value, size);
}

/* Up to the bracket that shuts it; those in texts do not count. */
char *cli_run_object(const char *json, const char *name) {
  char key[64];
  snprintf(key, sizeof key, "\n  \"%s\": {", name);
  const char *const found = strstr(json, key);
  const char *const from = found != NULL ? found + strlen(key) - 1 : "";
  const char *to = from;
  int depth = 0;
  bool quoted = false;
  do {
    quoted = quoted != (*to == '"');
    depth += quoted ? 0 : (*to == '{') - (*to == '}');
    to += *to == '\\' && to[1] != '\0' ? 2 : *to != '\0';
  } while (depth > 0 && *to != '\0');
  return depth == 0 && to > from ? strndup(from, (size_t)(to - from)) : NULL;
}

cq_status cli_run_check_file(cq_ctx *ctx, const char *path) {
  FILE *const file = cq_open_read(path);
  CQ_CHECK(ctx, file != NULL, CQ_IO, "%s: %s; is its folder that of a run?", path,
           cq_open_error(errno));
  fclose(file);
  return CQ_OK;
}

cq_status cli_run_load(cq_ctx *ctx, const char *path, cq_file **file) {
  static const char *const on_cpu[] = {"simulation.device=cpu"};
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  CQ_TRY(cli_run_check_file(ctx, path));
  const cq_status status = cq_file_load(ctx, path, NULL, 0, file);
  if (status != CQ_DEVICE || !was_clean) {
    return status;
  }
  cq_ctx_clear_error(ctx);
  return cq_file_load(ctx, path, on_cpu, 1, file);
}
