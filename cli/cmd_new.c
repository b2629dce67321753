/* cqopt new: the text of a built-in problem, comments and all, in a file of the user's. */
#include "cqopt/cqopt.h"

#include "folder.h"
#include "nearest.h"
#include "options.h"
#include "status.h"

#include <errno.h>
#include <string.h>

static cq_status find_text(cq_ctx *ctx, const char *name, const char **text) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    if (strcmp(cq_builtin_name(i), name) == 0) {
      *text = cq_builtin_text(i);
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, cq_builtin_name(i));
  }
  return CQ_FAIL(ctx, CQ_USAGE, "there is no built-in problem \"%s\"; %s", name,
                 cq_nearest_text(&nearest));
}

cq_status cmd_new(cq_ctx *ctx, const cli_options *options) {
  const char *text = NULL;
  char name[CLI_PATH];
  CQ_TRY(find_text(ctx, options->argument, &text));
  snprintf(name, sizeof name, "%s.cfg", options->argument);
  const char *const path = options->second != NULL ? options->second : name;
  FILE *const file = fopen(path, "wx"); /* never over another */
  CQ_CHECK(ctx, file != NULL || errno != EEXIST, CQ_IO,
           "%s is there already; give another name, or remove it first", path);
  CQ_CHECK(ctx, file != NULL, CQ_IO, "cannot write %s: %s", path, strerror(errno));
  const bool written = fputs(text, file) >= 0;
  const bool closed = fclose(file) == 0;
  CQ_CHECK(ctx, written && closed, CQ_IO, "cannot write %s: %s", path, strerror(errno));
  printf("%s: edit it, then: cqopt solve %s\n", path, path);
  return CQ_OK;
}
