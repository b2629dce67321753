/* Reading run.json. */
#ifndef CQ_CLI_RUN_READ_H
#define CQ_CLI_RUN_READ_H

#include "cqopt/base.h"

/* The text of <folder>/run.json, by malloc. CQ_IO with path and reason. */
cq_status cli_run_read(cq_ctx *ctx, const char *folder, char **json);
/* Copies the value of a member without its quotes; "-" without it. */
void cli_run_member(const char *json, const char *name, char *value, size_t size);

#endif
