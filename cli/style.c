#include "style.h"

#include "status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_style plain = {"", "", "", "", "", ""};
static const cli_style coloured = {"\033[1m",  "\033[2m",  "\033[32m",
                                   "\033[33m", "\033[31m", "\033[0m"};

bool cli_style_is_terminal(FILE *out) {
  const char *const term = getenv("TERM");
  return isatty(fileno(out)) && term != NULL && strcmp(term, "dumb") != 0;
}

static const cli_style *style_for(FILE *out) {
  const char *const refused = getenv("NO_COLOR");
  const bool wanted = refused == NULL || refused[0] == '\0';
  return wanted && cli_style_is_terminal(out) ? &coloured : &plain;
}

cq_status cli_style_report(cq_ctx *ctx, cli_folder *folder, bool quiet, cli_report_fn fn,
                           void *user) {
  if (!quiet) {
    fn(stdout, style_for(stdout), user);
    fflush(stdout);
  }
  if (folder == NULL) {
    return CQ_OK;
  }
  char *text = NULL;
  size_t size = 0;
  FILE *const memory = open_memstream(&text, &size);
  CQ_CHECK(ctx, memory != NULL, CQ_MEMORY, "out of memory");
  fn(memory, &plain, user);
  const bool complete = fclose(memory) == 0;
  if (complete) {
    cli_folder_log(folder, text);
  }
  free(text);
  CQ_CHECK(ctx, complete, CQ_MEMORY, "out of memory");
  return CQ_OK;
}

const char *cli_style_of(const cli_style *style, cq_status status) {
  if (status == CQ_OK) {
    return style->good;
  }
  return status == CQ_BUDGET ? style->fair : style->bad;
}
