/* What the screen shows during a solve: a live line on a terminal, a plain line an evaluation
 * elsewhere. */
#ifndef CQ_CLI_PROGRESS_H
#define CQ_CLI_PROGRESS_H

#include "cqopt/optimizer.h"

#include <stdio.h>

typedef struct cli_progress {
  FILE *out; /* NULL: silent */
  bool live;
  bool shown;   /* a live line is on the screen */
  int replayed; /* not shown yet */
  int max_evaluations;
  double max_time;
} cli_progress;

cli_progress cli_progress_begin(FILE *out, const cq_optimizer_def *def);
void cli_progress_show(cli_progress *progress, const cq_evaluation *evaluation, double norm);
/* Leaves the live line standing. */
void cli_progress_end(cli_progress *progress);

#endif
