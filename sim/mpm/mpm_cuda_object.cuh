/* The engine's object. */
#ifndef CQ_MPM_CUDA_OBJECT_CUH
#define CQ_MPM_CUDA_OBJECT_CUH

#include "cuda_memory.cuh"
#include "devices.h"
#include "mpm_cuda_observe.cuh"

enum { CQ_GRAPH_STEPS = 32 };

typedef struct cuda {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_mpm_model *own;
  const cq_layout *layout;
  cudaStream_t stream;
  world w;
  grid_model g; /* on the host */
  settings in;
  buffers memory;
  int n_chunks;
  int *id, *place;             /* [n] */
  real *slab;                  /* [stride components] on its way between host and device */
  int n_seeds, n_adjoints;     /* in this sweep, allocated */
  cudaGraphExec_t graph[2][2]; /* of CQ_GRAPH_STEPS steps: [in a sweep][with observations] */
  bool waits;                  /* for each kernel, to name the one that fails: CQ_CUDA_WAIT=1 */
  int sweep_steps;             /* of the last backward segment */
  const real *swept;           /* the state that it ended with */
  cq_status trouble;           /* of a call that returns none */
  cq_failure failure;
  cq_tally tally;
} cuda;

static cuda *of_engine(const void *engine) {
  return (cuda *)(uintptr_t)engine;
}

#endif
