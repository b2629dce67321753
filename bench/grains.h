/* Beds of grains: the granular engine against a plain loop over contacts. */
#ifndef CQ_BENCH_GRAINS_H
#define CQ_BENCH_GRAINS_H

#include "bench.h"

typedef struct cq_bench_bed {
  const char *name;
  int n, bits;
  int steps, turns; /* that are measured, after those in which the bed settles; how often */
  bool quick;
  double ratio, speedup; /* to the plain loop, and of two threads, to reach; 0: no bar */
} cq_bench_bed;

/* Bed i, or NULL past the end. */
const cq_bench_bed *cq_bench_bed_at(int i);
/* Measures a bed and adds its numbers. */
cq_status cq_bench_grains(cq_bench *bench, const cq_bench_bed *bed);

#endif
