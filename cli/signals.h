/* SIGINT and SIGTERM ask the run to stop; the third one ends the program at once. */
#ifndef CQ_CLI_SIGNALS_H
#define CQ_CLI_SIGNALS_H

#include "cqopt/base.h"

void cli_signals_begin(cq_ctx *ctx);
void cli_signals_end(void);

#endif
