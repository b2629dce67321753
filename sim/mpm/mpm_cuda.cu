/* The MPM engine on a CUDA device, one variant. The host queues kernels and waits for them at the
 * end of a run and of a sweep; in between nothing travels. docs/cuda.md is the map. */
#include "mpm_cuda_run.cuh"
#include "mpm_cuda_sweep.cuh"

#include <stdlib.h>

/* --- ends ------------------------------------------------------------------------------------ */

static cq_status report_failure(cuda *c, const fate *end, void *stopped_at) {
  cq_failure *f = &c->failure;
  if (stopped_at != end->stopped) {
    CQ_CUDA_TRY(c->ctx,
                cudaMemcpyAsync(stopped_at, end->stopped, slab_bytes(c), cudaMemcpyDeviceToDevice,
                                c->stream),
                "keeping a state");
  }
  CQ_TRY(slab_to_host(c, end->stopped));
  memset(f, 0, sizeof *f);
  f->step = (int)(end->failed >> 32);
  f->particle = (int)(end->failed >> 4 & 0xfffffffull);
  const int material = c->own->material[f->particle];
  const particle q = slab_load(c->slab, c->w.stride, c->place[f->particle]);
  /* its value; the device's word counts, where a rounding makes them differ */
  (void)V(cq_mpm_check)(c->model, &c->w.t, material, q, &f->value);
  f->status = (cq_status)(end->failed & 15);
  return V(cq_mpm_word_failure)(c->ctx, &c->w.t, material, q.x, f);
}

/* Waits for the steps, brings home what they observed, and says how they ended. */
static cq_status settle(void *engine, int first, int last, cq_history *history, void *stopped_at) {
  cuda *c = of_engine(engine);
  const world *w = &c->w;
  const size_t n_u = (size_t)w->n_controls, *row = c->layout->rows->begin;
  const size_t from = row[first == 0 ? 0 : first + 1];
  fate end;
  CQ_TRY(c->trouble);
  CQ_TRY(to_host(c, &end, w->end, sizeof end, "the end of a run"));
  CQ_TRY(to_host(c, history->z + from, w->z + from, (row[last + 1] - from) * sizeof(double),
                 "observations"));
  CQ_TRY(to_host(c, history->u + (size_t)first * n_u, w->u + (size_t)first * n_u,
                 (size_t)(last - first) * n_u * sizeof(double), "controls"));
  CQ_TRY(wait(c, "a run (CQ_CUDA_WAIT=1 names the kernel)"));
  c->tally.of[CQ_TALLY_INVERTED] = (long long)end.inverted;
  c->tally.of[CQ_TALLY_CLAMPED] = (long long)end.clamped;
  return end.failed != ~0ull ? report_failure(c, &end, stopped_at) : CQ_OK;
}

static cq_status backward_begin(void *engine, int n_seeds, const cq_seed *seeds,
                                const cq_history *history, const void *last) {
  (void)history; /* the device has its own */
  cuda *c = of_engine(engine);
  const bool observing = any_observed(c, c->w.steps, c->w.steps);
  if (n_seeds > c->n_adjoints || n_seeds != c->n_seeds) {
    drop_graphs(c, true);
  }
  CQ_TRY(open_sweep(c, n_seeds));
  c->n_seeds = n_seeds;
  CQ_TRY(upload_seeds(c, seeds));
  CQ_TRY(begin_at(c, c->w.steps, c->w.steps, -1, false, last, last, 0));
  for (int s = 0; s < n_seeds && observing; s++) {
    const job j = {0, s};
    CQ_TRY(queue_seed_at_state(c, j, observing));
  }
  return CQ_OK;
}

/* Waits for the sweep; a gradient that is not finite is told with its step and its particle. */
static cq_status backward_end(void *engine, double *gradient) {
  cuda *c = of_engine(engine);
  fate end;
  CQ_TRY(c->trouble);
  CQ_TRY(to_host(c, &end, c->w.end, sizeof end, "the end of a sweep"));
  CQ_TRY(wait(c, "a sweep (CQ_CUDA_WAIT=1 names the kernel)"));
  if (end.bad != ~0ull) {
    vec x;
    FOR_AXES(a) {
      x.v[a] = K(end.bad_x[a]);
    }
    const int step = c->w.steps - (int)(end.bad >> 32), p = (int)(end.bad >> 4 & 0xfffffffull);
    return V(cq_mpm_fail_backward)(c->ctx, step, p, x, &c->failure);
  }
  return download_seeds(c, gradient);
}

static cq_status find_norms(cuda *c, int seed, double *norms) {
  const job j = {0, seed};
  CQ_LAUNCH(c, adjoint_norms, 1, CQ_THREADS, j);
  CQ_TRY(to_host(c, norms, c->w.norms, 4 * sizeof *norms, "norms"));
  return wait(c, "norms");
}

static void norms_of(const void *engine, int seed, cq_adjoint_norms *norms) {
  cuda *c = of_engine(engine);
  memset(norms, 0, sizeof *norms);
  const cq_status status = find_norms(c, seed, norms->of);
  c->trouble = status != CQ_OK ? status : c->trouble;
}

/* All nodes that particles in the box reach, with their velocities from before the walls. */
static cq_status touch_all(cuda *c, const box *b, const quad *mean, grid_memory memory,
                           cq_contacts *found) {
  int index[CQ_DIM], n = 1;
  FOR_AXES(a) {
    n *= b->high[a] - b->low[a] + 3;
  }
  for (int k = 0; k < n; k++) {
    size_t i = 0;
    for (int a = CQ_DIM - 1, rest = k; a >= 0; a--) {
      index[a] = b->low[a] + rest % (b->high[a] - b->low[a] + 3);
      rest /= b->high[a] - b->low[a] + 3;
    }
    FOR_AXES(a) {
      i = i * (size_t)c->w.grid[a] + (size_t)index[a];
    }
    vec u;
    FOR_AXES(a) {
      u.v[a] = mean[i].a[a];
    }
    if (mean[i].a[CQ_QUAD - 1] > K(0)) {
      CQ_TRY(V(cq_mpm_touch)(&c->g, &c->in.in, c->in.decay, index, u, mean[i].a[CQ_QUAD - 1],
                             memory, found));
    }
  }
  return CQ_OK;
}

static cq_status contacts(void *engine, cq_contacts *found) {
  cuda *c = of_engine(engine);
  box b;
  quad *mean = NULL;
  pressed *means = NULL; /* before the step, and after it */
  const size_t n = (size_t)c->w.n_nodes, slots = (size_t)c->w.n_slots;
  cq_status status = CQ_ALLOC(c->ctx, mean, n);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, means, 2 * slots);
  status = status != CQ_OK
               ? status
               : to_host(c, &b, &c->w.boxes[(c->sweep_steps - 1) & 1], sizeof b, "contacts");
  status = status != CQ_OK ? status : to_host(c, mean, c->w.mean, n * sizeof *mean, "contacts");
  status = status != CQ_OK ? status
                           : to_host(c, means, c->swept + c->w.stride * CQ_STATE_COMPONENTS,
                                     means_bytes(c), "contacts");
  status = status != CQ_OK ? status : wait(c, "contacts");
  const grid_memory memory = {slots > 0 ? means : NULL, means + slots, NULL, NULL};
  status = status != CQ_OK ? status : touch_all(c, &b, mean, memory, found);
  cq_free(c->ctx, mean);
  cq_free(c->ctx, means);
  return status;
}

static const cq_failure *failure(const void *engine) {
  return &of_engine(engine)->failure;
}

static cq_tally tally(const void *engine) {
  return of_engine(engine)->tally;
}

/* --- life ------------------------------------------------------------------------------------ */

static size_t state_bytes(const void *engine) {
  return state_size(of_engine(engine));
}

static cq_status states_open(void *engine, int n, void **states) {
  cuda *c = of_engine(engine);
  real *at = NULL;
  CQ_TRY(take(&c->memory, OF_STATES, (void **)&at, (size_t)n, state_size(c), "states"));
  *states = at;
  return CQ_OK;
}

static void states_close(void *engine, void *states) {
  (void)states;
  free_all(&of_engine(engine)->memory, OF_STATES);
}

/* Waits for what is queued: it reads the memory that goes. */
static void destroy(void *engine) {
  cuda *c = of_engine(engine);
  cq_ctx *ctx = c->ctx;
  if (c->stream != NULL) {
    (void)cudaStreamSynchronize(c->stream);
  }
  drop_graphs(c, false);
  drop_graphs(c, true);
  free_all(&c->memory, OF_STATES);
  free_all(&c->memory, OF_SWEEP);
  free_all(&c->memory, OF_ENGINE);
  if (c->stream != NULL) {
    (void)cudaStreamDestroy(c->stream);
  }
  void *const owned[] = {c->id, c->place, c->slab};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
  V(cq_mpm_grid_free)(ctx, &c->g);
  cq_free(ctx, c);
}

static cq_status set_up(cuda *c) {
  CQ_CUDA_TRY(c->ctx, cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking),
              "creating a stream");
  c->memory.stream = c->stream;
  const char *value = getenv("CQ_CUDA_WAIT");
  c->waits = value != NULL && strcmp(value, "1") == 0;
  CQ_TRY(size_world(c));
  CQ_TRY(make_tables(c));
  unsigned char *held = NULL;
  CQ_TRY(take(&c->memory, OF_ENGINE, (void **)&held, (size_t)c->w.n_nodes, 1, "held"));
  CQ_LAUNCH(c, find_held, c->w.node_blocks, CQ_THREADS, held);
  c->w.held = held;
  return wait(c, "finding walls");
}

/* What fails halfway is given back here, and *engine stays NULL. */
static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                        void **engine) {
  *engine = NULL;
  cuda *c = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = c->memory.ctx = ctx;
  c->model = model;
  c->own = cq_mpm_of(model);
  c->layout = layout;
  const cq_status status = set_up(c);
  if (status != CQ_OK) {
    destroy(c);
    return status;
  }
  *engine = c;
  return CQ_OK;
}

extern "C" const cq_engine V(cq_mpm_cuda);
const cq_engine V(cq_mpm_cuda) = {
    "mpm",   create,      destroy,  state_bytes,    states_open,      states_close,
    upload,  run_segment, settle,   backward_begin, backward_segment, backward_end,
    nullptr, norms_of,    contacts, download,       field_of,         failure,
    tally,   nullptr,     nullptr,  nullptr,
};
