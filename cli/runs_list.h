/* The runs below a folder, as a table. */
#ifndef CQ_CLI_RUNS_LIST_H
#define CQ_CLI_RUNS_LIST_H

#include "cqopt/base.h"

#include <stdio.h>

/* Prints the runs below a folder, the newest first; those inside of another run (its starts, the
 * runs of a comparison) are not listed. Folders of runs that cannot be read are named below them.
 * CQ_IO when the folder itself cannot be read. */
cq_status cli_runs_print(cq_ctx *ctx, const char *folder, FILE *out);

#endif
