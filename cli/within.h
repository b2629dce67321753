/* How far the evaluation under way is, and how long it will take. */
#ifndef CQ_CLI_WITHIN_H
#define CQ_CLI_WITHIN_H

#include "cqopt/cqopt.h"

enum { CLI_WITHIN = 128 };

typedef struct cli_within {
  double runs;         /* forward runs that a gradient by differences takes; 0: it is a sweep */
  long long steps;     /* of the forward runs of a value */
  bool gradient;       /* whether one is taken to be wanted: as of the evaluation before */
  long long before[2]; /* steps forward and backward when it began */
  long long made[2];   /* since then */
  double spent[2];     /* [s] on them */
  double ratio;        /* of a step backward to one forward, in time */
  double began, heard, spoke; /* [s] */
} cli_within;

cli_within cli_within_begin(cq_scene *scene);
/* Takes note of all steps so far. True with "forward 37 %, about 12 s left" where it is time for a
 * word. */
bool cli_within_tick(cli_within *within, long long forward, long long backward,
                     char text[CLI_WITHIN]);
/* The next evaluation begins; with_gradient: of the one that is over. */
void cli_within_next(cli_within *within, bool with_gradient);

#endif
