/* What the screen shows during a solve: a row an evaluation, or one that is rewritten, with a bar
 * below it when there is a budget, and how far an evaluation is that takes its time. */
#ifndef CQ_CLI_PROGRESS_H
#define CQ_CLI_PROGRESS_H

#include "options.h"
#include "outcome.h"
#include "within.h"

typedef struct cli_progress {
  FILE *out; /* NULL: silent */
  const cq_scene *scene;
  bool live;
  int shown;    /* rows of the terminal that the next evaluation rewrites */
  int terms;    /* those of the objective that have a column */
  int replayed; /* not shown yet */
  int index;    /* of the evaluation before */
  double simulations, cost;
  cli_within within;
  bool shows_within; /* in the last of the rows that are shown */
} cli_progress;

/* Prints the heading, of 80 columns; the terms of the objective where the terminal (else the
 * variable COLUMNS) has room for more. */
cli_progress cli_progress_begin(FILE *out, cli_progress_mode mode, cq_scene *scene);
/* A cq_pace_fn; progress: a cli_progress. */
void cli_progress_tick(void *progress, long long forward, long long backward);
/* The evaluation that the outcome has just taken note of; terms [n_terms]. */
void cli_progress_show(cli_progress *progress, const cq_evaluation *evaluation,
                       const cli_outcome *outcome, const double *terms);
/* Leaves what is shown standing: something else wants to be printed. Takes a cli_progress. */
void cli_progress_end(void *progress);

#endif
