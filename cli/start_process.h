/* The command line of one start's process. */
#ifndef CQ_CLI_START_PROCESS_H
#define CQ_CLI_START_PROCESS_H

#include "session.h"
#include "starts.h"

#include <sys/types.h>

typedef struct cli_start_plan {
  cli_session *session;
  int workers, threads; /* at a time; of each */
  const double *x;      /* [starts][n] where they begin */
} cli_start_plan;

/* Starts the process of a start: anew, or going on in its folder. */
cq_status cli_start_run(const cli_start_plan *plan, const cli_start *start, pid_t *pid);
/* The file with the errors of the process. */
void cli_start_errors(const cli_session *session, const cli_start *start, char *path, size_t size);

#endif
