/* cqopt report: writes report.html of run folders, with what is missing of their motions. */
#include "cqopt/cqopt.h"

#include "options.h"
#include "report.h"
#include "signals.h"
#include "status.h"

#include <string.h>

static void on_log(void *user, cq_log_level level, const char *line) {
  (void)user;
  if (level != CQ_LOG_INFO) {
    fprintf(stderr, "cqopt: warning: %s\n", line);
  }
}

/* a scene that is loaded again says again what solve has said */
static cq_status write(cq_ctx *ctx, const cli_options *options, const char *path) {
  cli_signals_begin(ctx);
  const bool batch = options->n_arguments == 1 && cli_report_is_batch(options->argument);
  const cq_status status = batch
                               ? cli_report_batch(ctx, options->argument, !options->no_motion, path)
                               : cli_report_write(ctx, options->n_arguments, options->arguments,
                                                  NULL, !options->no_motion, path);
  cli_signals_end();
  return status;
}

cq_status cmd_report(cq_ctx *ctx, const cli_options *options) {
  char beside[CLI_PATH + 16];
  snprintf(beside, sizeof beside, "%s/report.html", options->argument);
  const bool several = options->n_arguments > 1;
  const char *const path = options->file != NULL ? options->file : several ? "report.html" : beside;
  cq_ctx_set_log(ctx, on_log, NULL);
  CQ_TRY(write(ctx, options, path));
  printf("%s\n", path);
  return CQ_OK;
}
