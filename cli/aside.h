/* Simulations beside those of the method, which tell more of its result. What goes wrong in one is
 * a warning. */
#ifndef CQ_CLI_ASIDE_H
#define CQ_CLI_ASIDE_H

#include "outcome.h"

/* Why something that does not count failed. Its error is forgotten, unless there was one before. */
void cli_aside_take_error(cq_ctx *ctx, bool was_clean, cq_status status, char text[256]);

/* Two more runs would go beyond optimizer.max_time. */
bool cli_aside_exceeds_time(const cli_outcome *outcome);

#endif
