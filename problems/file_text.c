/* Files that a problem names: where they are, and their text. */
#include "csv_read.h"
#include "file_kind.h"
#include "status.h"
#include "tree.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static cq_status check(cq_ctx *ctx, const char *path, const char *where, size_t most) {
  struct stat info;
  const char *const kind = cq_no_file(path);
  CQ_CHECK(ctx, kind == NULL, CQ_IO, "%scannot read %s: it is %s, not a file", where, path, kind);
  CQ_CHECK(ctx, stat(path, &info) == 0, CQ_IO, "%scannot read %s: %s", where, path,
           strerror(errno));
  CQ_CHECK(ctx, (uintmax_t)info.st_size <= most, CQ_CONFIG,
           "%s%s has %.4g MiB; at most %.4g MiB are read", where, path,
           (double)info.st_size / 0x1p20, (double)most / 0x1p20);
  return CQ_OK;
}

/* Reads to the end; a byte 0 says at once that it is no text. */
static cq_status read_all(cq_arena *arena, FILE *file, const char *path, const char *where,
                          size_t most, char **out) {
  char *text = NULL;
  size_t used = 0, size = 0, n = 1;
  while (n > 0) {
    if (used + 1 >= size) { /* the arena frees the shorter ones with the rest */
      char *longer = NULL;
      const size_t wanted = size == 0 ? 16384 : 2 * size;
      CQ_TRY(CQ_ARENA(arena, longer, wanted));
      memcpy(longer, text != NULL ? text : "", used);
      text = longer;
      size = wanted;
    }
    n = fread(text + used, 1, size - used - 1, file);
    CQ_CHECK(arena->ctx, memchr(text + used, '\0', n) == NULL, CQ_CONFIG, "%s%s: not a text file",
             where, path);
    used += n;
    CQ_CHECK(arena->ctx, used <= most, CQ_CONFIG, "%s%s: at most %.4g MiB are read", where, path,
             (double)most / 0x1p20);
  }
  CQ_CHECK(arena->ctx, !ferror(file), CQ_IO, "%scannot read %s: %s", where, path, strerror(errno));
  *out = cq_skip_mark(text);
  return CQ_OK;
}

cq_status cq_file_text(cq_arena *arena, const char *path, const char *where, size_t most,
                       char **out) {
  CQ_TRY(check(arena->ctx, path, where, most));
  FILE *file = fopen(path, "r");
  CQ_CHECK(arena->ctx, file != NULL, CQ_IO, "%scannot read %s: %s", where, path, strerror(errno));
  const cq_status status = read_all(arena, file, path, where, most, out);
  fclose(file);
  return status;
}

cq_status cq_node_file(cq_arena *arena, const cq_node *node, const char *folder,
                       const char **path) {
  const char *slash = strrchr(node->origin, '/');
  if (strncmp(node->origin, "--set ", strlen("--set ")) != 0) {
    folder = ".";
    if (slash != NULL) {
      CQ_TRY(cq_arena_text(arena, &folder, "%.*s", (int)(slash - node->origin), node->origin));
    }
  }
  const bool as_it_is = node->text[0] == '/' || strcmp(folder, ".") == 0;
  return cq_arena_text(arena, path, "%s%s%s", as_it_is ? "" : folder, as_it_is ? "" : "/",
                       node->text);
}
