/* The cases of bench.h from the inside. */
#ifndef CQ_BENCH_CASES_H
#define CQ_BENCH_CASES_H

#include "bench.h"

enum { CQ_FORWARD, CQ_BACKWARD, CQ_N_PASSES };

typedef struct cq_bench_case {
  const char *name;
  int dim, bits;
  int edge[3], grid[3];
  int steps[2]; /* long and short run */
  bool quick;
  double ratio[CQ_N_PASSES], naive_ns[CQ_N_PASSES], step_us[CQ_N_PASSES]; /* 0: no bar */
} cq_bench_case;

extern const char *const cq_pass_names[CQ_N_PASSES];

/* Nominal operations a particle-step. */
double cq_bench_operations(int dim, int pass);

/* Least traffic a particle-step [bytes]: forward one state in and one out, back a state in and the
 * adjoint in and out. */
double cq_bench_bytes(int dim, int bits, int pass);

/* Measures a case and adds its numbers. */
cq_status cq_bench_falling(cq_bench *bench, const cq_bench_case *c);
/* The same on a CUDA device, after what the device can do. CQ_DEVICE where there is none. */
cq_status cq_bench_device_machine(cq_bench *bench);
cq_status cq_bench_device_case(cq_bench *bench, const cq_bench_case *c);
/* The gradient of a long run within so much memory. */
typedef struct cq_bench_long {
  const char *name;
  int edge[3], grid[3];
  int memory[2]; /* [MiB] for states: of 1000 steps; with --quick, of 20 */
  double limit;  /* [GiB] of the process */
  bool named;    /* runs only when it is asked for by name */
} cq_bench_long;

cq_status cq_bench_gradient(cq_bench *bench, const cq_bench_long *c);

#endif
