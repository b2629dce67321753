/* Many solves, each a process of its own in a folder of its own: what 'cqopt compare' and 'cqopt
 * study' run. A batch that is cut off goes on when it is run again: runs that have ended stay as
 * they are, others go on from their records. */
#ifndef CQ_CLI_BATCH_H
#define CQ_CLI_BATCH_H

#include "run_curve.h"
#include "session.h"
#include "share.h"
#include "solve_process.h"
#include "starts.h"
#include "variants.h"

typedef struct cli_batch_run {
  const cli_variant *variant;
  long long seed;
  char folder[CLI_START_FOLDER];  /* below the batch's: "runs/adam-seed-03" */
  char problem[CLI_START_FOLDER]; /* the file it solves, below the batch's folder */
  char start[CLI_START_FOLDER];   /* the table of where it begins, likewise */
  cli_start end;                  /* how it ended, or that it has not */
  bool tried;                     /* by this process */
  double work;                    /* how long it may take, beside the others; 0: not known */
} cli_batch_run;

typedef struct cli_batch {
  cq_ctx *ctx;
  cli_folder *folder;
  const cli_share *share; /* with others; NULL: alone */
  bool quiet;
  bool varied_files;       /* the problem files have the settings of their variants */
  const char *const *sets; /* [n_sets] of every run, after those of its variant */
  int n_sets;
  int workers, threads; /* at a time; of each */
  char memory[CLI_MEMORY_SET];
  double budget; /* of all that have ended: after it no run begins; 0: there is none */
  cli_unit unit; /* it is counted in; simulations are forward runs */
  int count;
  cli_batch_run *runs; /* [count] in the order in which they are run, but by ranks */
  int *order;          /* [count] that of ranks; NULL: there are none */
} cli_batch;

/* The seed of the context, from which so many count up. */
cq_status cli_batch_first_seed(cq_ctx *ctx, int seeds, long long *first);
/* Names the folder of a run, which must not change with what else is in the batch. */
void cli_batch_name(cli_batch_run *run);
/* How many have not. */
int cli_batch_open_runs(const cli_batch *batch);
/* Says for one of several that its part is done, and how many runs are open. */
void cli_batch_say_open(const cli_batch *batch, const char *command);
/* Whether it has ended, however; else it waits or was cut off. */
bool cli_batch_has_ended(const cli_batch_run *run);
/* How many processes at a time and threads for each; wanted 0: one process a thread. */
void cli_batch_share(cli_batch *batch, int wanted);
/* Reads how the runs have ended; the number of those that have. */
int cli_batch_read(cli_batch *batch);
/* Runs what has not ended, as far as the budget goes and none of those that share the batch does;
 * ranks wait for each other. CQ_OK when all of it has ended, however; else why the batch stopped.
 */
cq_status cli_batch_finish(cli_batch *batch);
/* The one line of a quiet batch that is done: of how many runs it is, how many of them are `good`
 * by a word such as "verified", and the least objective (INFINITY: there is none). */
void cli_batch_print_outcome(const cli_batch *batch, const char *name, int good, const char *word,
                             double f);

#endif
