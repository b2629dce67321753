/* A solve from several starts: each a solve in a process and a folder of its own, below the run
 * folder, so that one that stalls or crashes takes nothing with it. */
#ifndef CQ_CLI_MULTISTART_H
#define CQ_CLI_MULTISTART_H

#include "session.h"

/* Whether this solve is one. CQ_CONFIG when the folder it goes on in is of another kind,
 * or has more starts than are wanted now. */
cq_status cli_multistart_wanted(const cli_session *session, bool *wanted);
/* Runs it and reports. The status is that of the best start, or why the whole stopped. The session
 * is to be closed with it. */
cq_status cli_multistart(cli_session *session);

#endif
