/* One scene, made ready to be run again and again: by the engine, and by the naive loops. Each call
 * returns what it took. */
#ifndef CQ_BENCH_RUNS_H
#define CQ_BENCH_RUNS_H

#include "scene.h"

typedef struct cq_engine_run {
  cq_bench_scene scene;
  cq_sim *sim;
  double *gradient; /* [layout.total] */
} cq_engine_run;

cq_status cq_engine_run_open(cq_ctx *ctx, const cq_bench_scene_def *def, cq_engine_run *run);
void cq_engine_run_close(cq_engine_run *run);
/* all steps, then the gradient of the run just made */
cq_status cq_engine_run_forward(cq_engine_run *run, double *seconds);
cq_status cq_engine_run_backward(cq_engine_run *run, double *seconds);

typedef struct cq_naive_run {
  cq_ctx *ctx;
  const cq_naive_loops *loops;
  cq_naive_config config;
  int steps;
  unsigned char *states; /* [steps + 1] */
  unsigned char *adjoint, *grid, *dgrid;
  double *host; /* x, v, F, C: the gradient after a backward run */
  const cq_bench_scene *scene;
} cq_naive_run;

/* Borrows the scene. CQ_USAGE when this build has no loops for the level. */
cq_status cq_naive_run_open(cq_ctx *ctx, const cq_bench_scene *scene, cq_simd level,
                            cq_naive_run *run);
void cq_naive_run_close(cq_naive_run *run);
void cq_naive_run_forward(cq_naive_run *run, double *seconds);
void cq_naive_run_backward(cq_naive_run *run, double *seconds);

#endif
