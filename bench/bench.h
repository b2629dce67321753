/* cqopt bench: how fast the simulator is, against what a plain loop does on the same machine in the
 * same minute. docs/performance.md says what each number means. */
#ifndef CQ_BENCH_BENCH_H
#define CQ_BENCH_BENCH_H

#include "metrics.h"
#include "simd.h"

typedef struct cq_bench {
  cq_ctx *ctx; /* its threads are "all threads" */
  bool on_cuda;
  bool quick;
  const char *only; /* NULL, or cases whose names begin so */
  cq_simd level;
  cq_metrics metrics;
  /* called when the numbers of a case are there; "machine" is the first */
  void (*done)(void *user, const struct cq_bench *bench, const char *scene);
  void *user;
} cq_bench;

/* CQ_USAGE when `only` names no case. */
cq_status cq_bench_run(cq_bench *bench);

/* Name of case i, or NULL past the end. */
const char *cq_bench_case_name(int i);

#endif
