/* Going on with a run in its folder. */
#ifndef CQ_CLI_RESUME_H
#define CQ_CLI_RESUME_H

#include "run_json.h"

/* Loads problem.cfg of --resume with the --set options, which may change stop rules alone (with
 * --allow-diverge the optimizer too). */
cq_status cli_resume_load(cq_ctx *ctx, const cli_options *options, cq_file **out);
/* CQ_CONFIG unless the run in the folder is of the same problem, build and instructions; its
 * beginning goes on in run. */
cq_status cli_resume_check(cq_ctx *ctx, const cli_options *options, cq_file *file, cli_run *run);

#endif
