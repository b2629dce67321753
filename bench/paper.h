/* The figures of GranularGym (Millard et al., 2023) that are about speed, on one thread: cases that
 * run only when they are asked for. Speeds are simulated seconds a second of the processor. */
#ifndef CQ_BENCH_PAPER_H
#define CQ_BENCH_PAPER_H

#include "bench.h"

/* Figure 3: its method on a column at rest, by the size of the hash table. */
cq_status cq_bench_paper_table(cq_bench *bench);
/* Figure 6: the same in one loop, in two, and in two over all grains. */
cq_status cq_bench_paper_schedules(cq_bench *bench);
/* Figure 9: the engine in a tower without end with turning gears, by their number, and by that of
 * the grains. */
cq_status cq_bench_paper_bodies(cq_bench *bench);
cq_status cq_bench_paper_particles(cq_bench *bench);

/* Seconds of the processor's clock. */
double cq_bench_cpu_seconds(void);

#endif
