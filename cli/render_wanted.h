/* What a 'cqopt render' is asked for. */
#ifndef CQ_CLI_RENDER_WANTED_H
#define CQ_CLI_RENDER_WANTED_H

#include "options.h"
#include "render.h"

typedef enum cli_render_what {
  CLI_RENDER_STILL,
  CLI_RENDER_SHEET,
  CLI_RENDER_FILM,
  CLI_RENDER_FOLDER
} cli_render_what;

typedef struct cli_render_wanted {
  bool of_run; /* the argument is a run folder */
  cli_render_what what;
  const char *take;  /* "best" */
  cq_render_def def; /* without a motion */
} cli_render_wanted;

/* By the options. CQ_USAGE when they contradict each other, or name what there is not. */
cq_status cli_render_choose(cq_ctx *ctx, const cli_options *options, cli_render_wanted *wanted);

/* Draws it, and prints where it is. */
cq_status cli_render(cq_ctx *ctx, const cli_options *options);

#endif
