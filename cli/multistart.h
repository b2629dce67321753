/* A solve from several starts: each a solve in a process and a folder of its own, below the run
 * folder, so that one that stalls or crashes takes nothing with it. */
#ifndef CQ_CLI_MULTISTART_H
#define CQ_CLI_MULTISTART_H

#include "session.h"
#include "share.h"

/* Whether this solve is one. CQ_CONFIG when the folder it goes on in is of another kind,
 * or has more starts than are wanted now. */
cq_status cli_multistart_wanted(const cli_session *session, bool *wanted);
/* Runs it, alone or as rank 0 of several, and reports. The status is that of the best start, or why
 * the whole stopped. The session is to be closed with it. */
cq_status cli_multistart(cli_session *session, cli_share *share);
/* The part of a rank other than 0: starts that nobody has, until it is over. */
cq_status cli_multistart_help(cli_session *session, cli_share *share, bool (*is_over)(void *user),
                              void *user);

#endif
