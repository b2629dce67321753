/* The part that one of several processes takes in a batch whose folder they share: an element of a
 * job array, which does what is its own, or a rank of mpirun or srun, which does whatever is open.
 * Who works on a run holds a lock, which the system takes back however the process ends. */
#ifndef CQ_CLI_SHARE_H
#define CQ_CLI_SHARE_H

#include "options.h"

typedef struct cli_share {
  int place, of; /* 0 ... of - 1; of 0: there are no others */
  bool ranks;    /* not --shard: runs of the others, too */
  bool collects; /* runs nothing, and makes tables of what there is */
  int claims;    /* the open file whose bytes are locked; -1: none */
} cli_share;

/* The ranks that this process was started among by mpirun, mpiexec or srun; false: alone. */
bool cli_share_ranks(int *rank, int *size);
/* How many of them are on this machine; at least 1. */
int cli_share_ranks_here(void);
/* Threads of a rank that was not told how many: of cores that nobody has dealt out its part; 0: as
 * many as it may have. */
int cli_share_threads(void);
/* How long the others wait for rank 0 to begin [s]: CQ_RANK_SECONDS, or a minute. */
int cli_share_patience(void);
/* In a child: it is no rank. */
void cli_share_forget_ranks(void);

/* By --shard and --collect, or as a rank. CQ_USAGE says what is wrong, also when there is no
 * --output, by which the processes find each other. Close it with cli_share_close. */
cq_status cli_share_read(cq_ctx *ctx, const cli_options *options, cli_share *share);
/* Of a solve, whose ranks meet in the folder of --output or --resume. */
cq_status cli_share_read_solve(cq_ctx *ctx, const cli_options *options, cli_share *share);
/* Opens the locks of the folder, unless they are open. CQ_IO; CQ_CONFIG where another build or SIMD
 * level works there. */
cq_status cli_share_open(cq_ctx *ctx, const char *folder, cli_share *share);
void cli_share_close(cli_share *share);
/* Whether any process shares the folder now; takes no lock. */
bool cli_share_is_used(const char *folder);
/* The order in which ranks look for work: the longest runs first, so that none of them is begun
 * when the others are nearly done; those of one length as they come. order [n]. */
void cli_share_longest_first(const double *work, int n, int *order);
/* Whether run i of a batch, with this name, is for this process. */
bool cli_share_wants(const cli_share *share, int i);
/* Takes a run; false: another process has it. Alone it always has. */
bool cli_share_claim(const cli_share *share, const char *name);
/* Whether the tables are for this process to make: it is alone, or no other has made them since the
 * last run began, by the status in the folder. */
bool cli_share_makes_tables(const cli_share *share, const char *status);
void cli_share_release(const cli_share *share, const char *name);
/* "shard 3/20", "rank 2 of 4"; "" alone. */
void cli_share_name(const cli_share *share, char text[32]);

#endif
