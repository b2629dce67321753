/* The stages of a problem file, each a solve of its own in a folder of the run's. */
#ifndef CQ_CLI_STAGES_H
#define CQ_CLI_STAGES_H

#include "session.h"
#include "share.h"

typedef cq_status (*cli_solve_fn)(cq_ctx *ctx, const cli_options *options);

/* Solves them in stage-1, stage-2, ..., each from the best design of the one before, and goes on
 * where a run was cut off; then the file without stages is loaded, which starts from that of the
 * last. Nothing without stages. CQ_CONFIG, before the first one, where one of them cannot be
 * loaded; else the status of a stage that left no result. */
cq_status cli_stages_run(cli_session *session, const cli_share *share, cli_solve_fn solve);

#endif
