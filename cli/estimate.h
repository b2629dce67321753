/* What a solve will take, said before it. */
#ifndef CQ_CLI_ESTIMATE_H
#define CQ_CLI_ESTIMATE_H

#include "session.h"

/* Times some steps, and says what an evaluation and the budget take, where that is more than a
 * minute; on the screen and in the log. */
cq_status cli_estimate_say(cli_session *session);

#endif
