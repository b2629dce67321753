/* An optimization in a thread of its own, watched from this one: NLopt's methods cannot be
 * interrupted between two evaluations, where some think for hours or for ever. */
#ifndef CQ_CLI_WATCH_H
#define CQ_CLI_WATCH_H

#include "cqopt/base.h"

#include <pthread.h>

typedef enum cli_watch_end {
  CLI_WATCH_DONE,    /* run has returned */
  CLI_WATCH_STALLED, /* the method was silent for stall_time */
  CLI_WATCH_STOPPED  /* a stop was requested and the method did not hear of it */
} cli_watch_end;

/* Runs run(user) until it returns or its method is silent for stall_time [s] (0: for ever). But for
 * CLI_WATCH_DONE the thread lives on: the lock, which run holds while it changes what the caller
 * reads, is held then and never released, nothing that run uses may be freed, and the program must
 * end. CQ_MEMORY when no thread can be made. */
cq_status cli_watch(cq_ctx *ctx, double stall_time, pthread_mutex_t *lock, void (*run)(void *user),
                    void *user, cli_watch_end *end);
/* True when some thread lives on. */
bool cli_watch_abandoned(void);

#endif
