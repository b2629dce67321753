/* What the engine counted in the last run. */
#ifndef CQ_CLI_COUNTED_H
#define CQ_CLI_COUNTED_H

#include "cqopt/problem.h"

/* Number i of it, from 0; past the last `what` is NULL. */
static inline cq_counted cli_counted(const cq_scene_stats *stats, int i) {
  const cq_counted none = {NULL, 0};
  return i < CQ_MOST_TALLIES       ? stats->tally[i]
         : i < 2 * CQ_MOST_TALLIES ? stats->more[i - CQ_MOST_TALLIES]
                                   : none;
}

#endif
