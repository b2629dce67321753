/* A design in several runs that differ in their starts alone. */
#ifndef CQ_PROBLEMS_REPEATS_H
#define CQ_PROBLEMS_REPEATS_H

#include "task.h"

/* CQ_CONFIG where no copy can be made with the settings of optimizer.repeat_with. */
cq_status cq_repeats_check(const cq_repeatable *repeatable);
/* cq_problem.repeat, of a cq_repeatable: each run is one of a copy of its scene, with its scenarios
 * and experiments, whose simulation.start_jitter is jitter, or the file's if that is more, and
 * whose start_repeat is 1, 2, ... */
cq_status cq_repeats_simulate(void *repeatable, int level, const double *x, int count,
                              double jitter, double *f, double *c);

#endif
