/* What runs when: kernels of a step and of its adjoint, and segments of them as graphs. Kernels are
 * launched through cudaLaunchKernel alone, so that a C++ compiler takes these files too and a test
 * can run them on a machine without a device. */
#ifndef CQ_MPM_CUDA_RUN_CUH
#define CQ_MPM_CUDA_RUN_CUH

#include "mpm_cuda_io.cuh"

/* --- launches -------------------------------------------------------------------------------- */

template <class... rest>
static cq_status launch(cuda *c, const char *name, void (*kernel)(world, rest...), int blocks,
                        int threads, rest... more) {
  if (blocks == 0) {
    return CQ_OK;
  }
  void *arguments[] = {&c->w, &more...};
  CQ_CUDA_TRY(c->ctx,
              cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3((unsigned)threads), arguments,
                               0, c->stream),
              name);
  return c->waits ? wait(c, name) : CQ_OK;
}

#define CQ_LAUNCH(c, kernel, blocks, threads, ...)                                                 \
  CQ_TRY(launch((c), "kernel " #kernel, kernel, (blocks), (threads), __VA_ARGS__))
#define CQ_FOR_PARTICLES(c, kernel, j)                                                             \
  CQ_LAUNCH(c, kernel, blocks_for((size_t)(c)->w.n), CQ_THREADS, j)
#define CQ_FOR_NODES(c, kernel, j) CQ_LAUNCH(c, kernel, (c)->w.node_blocks, CQ_THREADS, j)

static int cell_blocks(const cuda *c) {
  const size_t cells = (size_t)(c->w.n < c->w.n_nodes ? c->w.n : c->w.n_nodes);
  return at_most((cells + CQ_WARPS - 1) / CQ_WARPS, 4096);
}

static cq_status begin_at(cuda *c, int first, int last, int turn, bool record, const void *in,
                          const void *out, ptrdiff_t apart) {
  const cursor at = {first, last, turn, record, (real *)(uintptr_t)in, (real *)(uintptr_t)out,
                     apart};
  CQ_TRY(c->trouble);
  CQ_LAUNCH(c, begin, 1, 1, at);
  return CQ_OK;
}

/* --- a step ---------------------------------------------------------------------------------- */

static cq_status queue_observation(cuda *c, job j) {
  CQ_LAUNCH(c, observe_chunks, c->n_chunks, CQ_THREADS, j);
  CQ_LAUNCH(c, observe_groups, c->w.n_groups, CQ_THREADS, j);
  return CQ_OK;
}

/* From particles to the velocities of nodes; in a sweep once more. */
static cq_status queue_grid(cuda *c, job j) {
  if (c->w.n_controls > 0 || c->w.n_drives > 0) { /* a push has drives alone */
    CQ_LAUNCH(c, control, 1, CQ_THREADS, j);
  }
  if (c->w.naive) {
    CQ_FOR_PARTICLES(c, naive_scatter, j);
  } else {
    CQ_FOR_NODES(c, number, j);
    CQ_FOR_PARTICLES(c, packets, j);
    CQ_LAUNCH(c, scatter, cell_blocks(c), CQ_THREADS, j);
  }
  if (c->w.pull != NULL) {
    CQ_LAUNCH(c, cables_to_nodes, 1, CQ_WARP, j);
  }
  CQ_FOR_NODES(c, nodes, j);
  return CQ_OK;
}

static cq_status queue_step(cuda *c, job j, bool observing) {
  CQ_TRY(queue_grid(c, j));
  CQ_FOR_PARTICLES(c, gather, j);
  return observing ? queue_observation(c, j) : CQ_OK;
}

/* --- its adjoint ----------------------------------------------------------------------------- */

/* What a seed has to say at state i of a segment, and the adjoint of the controller before. */
static cq_status queue_seed_at_state(cuda *c, job j, bool observing) {
  CQ_LAUNCH(c, adjoint_control, 1, CQ_THREADS, j);
  if (observing) {
    CQ_FOR_PARTICLES(c, adjoint_observe, j);
  }
  return CQ_OK;
}

/* The kernels of one step of the sweep, for one seed. */
static cq_status queue_seed(cuda *c, job j, bool observing) {
  if (c->w.naive) {
    CQ_FOR_PARTICLES(c, adjoint_naive_scatter, j);
  } else {
    CQ_FOR_PARTICLES(c, adjoint_packets, j);
    CQ_LAUNCH(c, adjoint_scatter, cell_blocks(c), CQ_THREADS, j);
  }
  CQ_FOR_NODES(c, adjoint_nodes, j);
  CQ_FOR_PARTICLES(c, adjoint_collect, j);
  CQ_FOR_PARTICLES(c, adjoint_particles, j);
  CQ_LAUNCH(c, adjoint_drives, c->w.n_actuators, CQ_THREADS, j);
  if (c->w.pull != NULL) {
    CQ_LAUNCH(c, adjoint_cables, 1, CQ_THREADS, j);
  }
  return queue_seed_at_state(c, j, observing);
}

static cq_status queue_step_adjoint(cuda *c, job j, bool observing) {
  CQ_FOR_PARTICLES(c, count, j);
  CQ_TRY(queue_grid(c, j));
  for (j.seed = 0; j.seed < c->n_seeds; j.seed++) {
    CQ_TRY(queue_seed(c, j, observing));
  }
  return CQ_OK;
}

/* --- segments -------------------------------------------------------------------------------- */

static cq_status queue_steps(cuda *c, bool back, int n, bool observing) {
  for (int i = 0; i < n; i++) {
    const job j = {i, 0};
    CQ_TRY(back ? queue_step_adjoint(c, j, observing) : queue_step(c, j, observing));
  }
  return CQ_OK;
}

static cq_status capture(cuda *c, bool back, bool observing, cudaGraph_t *graph) {
  const job all = {CQ_GRAPH_STEPS, 0};
  CQ_CUDA_TRY(c->ctx, cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal),
              "capturing a graph");
  cq_status status = queue_steps(c, back, CQ_GRAPH_STEPS, observing);
  status = status != CQ_OK ? status : launch(c, "kernel advance", advance, 1, 1, all);
  const cudaError_t ended = cudaStreamEndCapture(c->stream, graph);
  CQ_TRY(status);
  CQ_CUDA_TRY(c->ctx, ended, "capturing a graph");
  return CQ_OK;
}

static cq_status graph_of(cuda *c, bool back, bool observing, cudaGraphExec_t *out) {
  cudaGraphExec_t *exec = &c->graph[back][observing];
  if (*exec == NULL) {
    cudaGraph_t graph = NULL;
    const cq_status status = capture(c, back, observing, &graph);
    const cudaError_t error = status == CQ_OK ? cudaGraphInstantiate(exec, graph, 0) : cudaSuccess;
    if (graph != NULL) {
      (void)cudaGraphDestroy(graph);
    }
    CQ_TRY(status);
    CQ_CUDA_TRY(c->ctx, error, "making a graph");
  }
  *out = *exec;
  return CQ_OK;
}

static void drop_graphs(cuda *c, bool back) {
  for (int k = 0; k < 2; k++) {
    if (c->graph[back][k] != NULL) {
      (void)cudaGraphExecDestroy(c->graph[back][k]);
      c->graph[back][k] = NULL;
    }
  }
}

/* n steps from where `begin` is: as graphs as long as they fill some. */
static cq_status queue_segment(cuda *c, bool back, int n, bool observing) {
  for (; n >= CQ_GRAPH_STEPS && !c->waits; n -= CQ_GRAPH_STEPS) {
    cudaGraphExec_t graph = NULL;
    CQ_TRY(graph_of(c, back, observing, &graph));
    CQ_CUDA_TRY(c->ctx, cudaGraphLaunch(graph, c->stream), "running a graph");
  }
  return queue_steps(c, back, n, observing);
}

/* Is any of states first .. last observed? */
static bool any_observed(const cuda *c, int first, int last) {
  const size_t *row = c->layout->rows->begin;
  return row[last + 1] > row[first];
}

static cq_status run_segment(void *engine, int first, int last, void *in, void *out, size_t apart,
                             cq_history *history, bool record) {
  (void)history;
  cuda *c = of_engine(engine);
  const job initial = {-1, 0}, j = {0, 0};
  CQ_TRY(begin_at(c, first, last, 1, record, in, out, (ptrdiff_t)(apart / sizeof(real))));
  if (record && first == 0 && any_observed(c, 0, 0)) {
    CQ_TRY(queue_observation(c, initial));
  }
  if (first == last) {
    return CQ_OK;
  }
  CQ_FOR_PARTICLES(c, count, j);
  return queue_segment(c, false, last - first, record && any_observed(c, first + 1, last));
}

static cq_status backward_segment(void *engine, int first, int last, const void *state,
                                  size_t apart) {
  cuda *c = of_engine(engine);
  const real *before = (const real *)state - apart / sizeof(real);
  CQ_TRY(
      begin_at(c, last - 1, first, -1, false, state, before, -(ptrdiff_t)(apart / sizeof(real))));
  c->sweep_steps = last - first;
  c->swept =
      (const real *)state - (ptrdiff_t)(last - first - 1) * (ptrdiff_t)(apart / sizeof(real));
  return queue_segment(c, true, last - first, any_observed(c, first, last - 1));
}

#endif
