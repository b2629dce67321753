/* The table of a comparison or a study, from its CSV file. */
#ifndef CQ_CLI_SHOW_BATCH_H
#define CQ_CLI_SHOW_BATCH_H

#include "cqopt/base.h"

/* Prints <folder>/compare.csv or study.csv in 80 columns: medians and quartiles, and how many runs
 * reached the target or were verified. CQ_IO when it cannot be read. */
cq_status cli_show_batch(cq_ctx *ctx, const char *folder, const char *name);

#endif
