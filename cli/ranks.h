/* A solve that several ranks of mpirun or srun share: rank 0 runs it, and deals out what goes side
 * by side; the others come to it, by an address in the run folder, and make runs for it. */
#ifndef CQ_CLI_RANKS_H
#define CQ_CLI_RANKS_H

#include "session.h"
#include "share.h"

typedef struct cli_ranks cli_ranks;

/* Before rank 0 makes a folder: CQ_USAGE where the problem has nothing to share. */
cq_status cli_ranks_check(cq_ctx *ctx, const cli_options *options, const cli_share *share);
/* The same of a problem that is loaded. */
cq_status cli_ranks_want(const cli_session *session, const cli_share *share);

/* Of rank 0: opens the door for the others, when problem.cfg is in the folder; to evaluate they are
 * helpers of the scene. Alone *out is NULL. CQ_IO; *out is to be ended then, too. */
cq_status cli_ranks_begin(cli_session *session, const cli_share *share, bool evaluate,
                          cli_ranks **out);
/* Says in the log who is gone; NULL is allowed. */
void cli_ranks_look(cli_ranks *ranks);
/* Sends them home; NULL is allowed. */
void cli_ranks_end(cli_ranks *ranks);

/* Of another rank: a 'cqopt solve' from its command line to its end. */
cq_status cli_rank_solve(cq_ctx *ctx, const cli_options *options, cli_share *share);

#endif
