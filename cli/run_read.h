/* Reading run.json. */
#ifndef CQ_CLI_RUN_READ_H
#define CQ_CLI_RUN_READ_H

#include "cqopt/file.h"

/* The text of <folder>/run.json, by malloc. CQ_IO with path and reason. */
cq_status cli_run_read(cq_ctx *ctx, const char *folder, char **json);
/* Copies the value of a member without its quotes; "-" without it. */
void cli_run_member(const char *json, const char *name, char *value, size_t size);
/* A member that is an object, as text by malloc; NULL without it or without memory. */
char *cli_run_object(const char *json, const char *name);
/* CQ_IO unless it is a file that can be read: a pipe would keep its reader for ever. */
cq_status cli_run_check_file(cq_ctx *ctx, const char *path);
/* Loads a run folder's problem.cfg, to look at it: on the CPU if the device of the run is
 * not in this machine. */
cq_status cli_run_load(cq_ctx *ctx, const char *path, cq_file **file);

#endif
