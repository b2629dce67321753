/* How many threads a process may use, where nobody says a number. */
#ifndef CQ_BASE_THREADS_H
#define CQ_BASE_THREADS_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* THE RULE. The least of these counts: the cores of the machine, those that the process may run on
 * (its affinity mask), the quota of its control group and of all groups above (cgroup v1 and v2,
 * rounded up to whole cores), OMP_NUM_THREADS, OMP_THREAD_LIMIT and SLURM_CPUS_PER_TASK. Of equal
 * ones the first named decides. Variables that are no number from 1 on do not count. */
typedef struct cq_thread_rule {
  int count;
  char text[160]; /* what decided, in words */
} cq_thread_rule;

typedef struct cq_thread_sources {
  int cores, affinity;                   /* 0: unknown */
  const char *root;                      /* before /proc and /sys; "" */
  const char *(*variable)(const char *); /* getenv */
} cq_thread_sources;

cq_thread_rule cq_threads_by(const cq_thread_sources *sources);
/* of this process */
cq_thread_rule cq_threads_available(void);

#ifdef __cplusplus
}
#endif

#endif
