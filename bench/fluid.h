/* Blocks of fluid that fall: the sweeps of the fluid engine's solvers against plain loops. */
#ifndef CQ_BENCH_FLUID_H
#define CQ_BENCH_FLUID_H

#include "bench.h"

typedef struct cq_bench_block {
  const char *name;
  int dim, bits, side; /* particles along an edge */
  bool quick;
  double ratio; /* to the plain loop, to reach; 0: no bar */
} cq_bench_block;

/* Block i, or NULL past the end. */
const cq_bench_block *cq_bench_block_at(int i);
/* Measures a block and adds its numbers; with bench->on_cuda those of the device. */
cq_status cq_bench_fluid(cq_bench *bench, const cq_bench_block *block);

#endif
