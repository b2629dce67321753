/* This program run by itself: some processes at a time, each of which ends with this one, however
 * this one ends. */
#ifndef CQ_CLI_CHILDREN_H
#define CQ_CLI_CHILDREN_H

#include "cqopt/base.h"

#include <sys/types.h>

/* Starts the program with argv (NULL-terminated), silent but for errors, which are appended to the
 * file `errors`. CQ_MEMORY when no process can be made. */
cq_status cli_child_start(cq_ctx *ctx, const char *const *argv, const char *errors, pid_t *pid);

typedef struct cli_jobs {
  int count, workers;
  /* Starts job i; leaves *pid 0 when there is nothing to do. */
  cq_status (*start)(void *user, int i, pid_t *pid);
  /* Job i has ended, with a status of waitpid. */
  cq_status (*ended)(void *user, int i, int wait_status);
  void *user;
} cli_jobs;

/* Runs the jobs in order, `workers` at a time, and returns when all have ended. A stop that is
 * requested of the context goes to those that run as the signal it came from, and no more are
 * started; nor are they after a status other than CQ_OK, which is returned. */
cq_status cli_children_run(cq_ctx *ctx, const cli_jobs *jobs);

#endif
