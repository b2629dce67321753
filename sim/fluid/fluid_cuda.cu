/* The fluid engine's part of a step on a CUDA device, one variant. Kernels are launched through
 * cudaLaunchKernel alone, so that a C++ compiler takes this file too and a test can run it on a
 * machine without a device. */
#include "cuda_memory.cuh"
#include "fluid_cuda_forces.cuh"
#include "fluid_cuda_lists.cuh"
#include "fluid_cuda_sort.cuh"
#include "fluid_cuda_sweeps.cuh"

#include <stdint.h>

typedef struct cuda {
  cq_ctx *ctx;
  cudaStream_t stream;
  buffers memory;
  world w;
  findings found; /* on the host */
  int sweeps[2];  /* that the solvers have made in the step before */
  bool waits;     /* for each kernel, to name the one that fails: CQ_CUDA_WAIT=1 */
} cuda;

static cuda *of_device(void *device) {
  return (cuda *)device;
}

static int blocks_for(int threads) {
  return (threads + CQ_THREADS - 1) / CQ_THREADS;
}

static int blocks_over_cells(const cuda *c, int each) {
  const int blocks = c->w.most_cells / each + 1;
  return blocks < CQ_MOST_BLOCKS ? blocks : CQ_MOST_BLOCKS;
}

template <class... values>
static cq_status launch(cuda *c, const char *name, void (*does)(values...), int blocks,
                        values... given) {
  void *arguments[] = {&given...};
  if (blocks == 0) {
    return CQ_OK;
  }
  CQ_CUDA_TRY(
      c->ctx,
      cudaLaunchKernel(does, dim3((unsigned)blocks), dim3(CQ_THREADS), arguments, 0, c->stream),
      name);
  return c->waits ? wait_for(&c->memory, name) : CQ_OK;
}

#define CQ_LAUNCH(c, kernel, blocks, ...)                                                          \
  CQ_TRY(launch((c), "kernel " #kernel, kernel, (blocks), __VA_ARGS__))
#define CQ_FOR_PARTICLES(c, kernel, ...) CQ_LAUNCH(c, kernel, (c)->w.n_blocks, __VA_ARGS__)

/* --- life ------------------------------------------------------------------------------------ */

static cq_status make_sorting(cuda *c, sorting *s, int n) {
  buffers *b = &c->memory;
  s->n = n;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, s->key, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, s->slot, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, s->who, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, s->order, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, s->start, c->w.most_cells + 1));
  return CQ_TAKE(b, OF_ENGINE, s->sums, c->w.most_cells / CQ_SCAN + 1);
}

static cq_status make_particles(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  const int n = w->n_all;
  quad **const quads[] = {&w->x, &w->v, &w->v_new, &w->wall, &w->all};
  scalar **const scalars[] = {&w->volume, &w->light,         &w->viscosity, &w->before,
                              &w->excess, &w->diagonal,      &w->gain,      &w->pressure,
                              &w->change, &w->state_pressure};
  for (quad **q : quads) {
    CQ_TRY(take(b, OF_ENGINE, (void **)q, (size_t)n, sizeof **q, "particles"));
  }
  for (scalar **s : scalars) {
    CQ_TRY(take(b, OF_ENGINE, (void **)s, (size_t)n, sizeof **s, "particles"));
  }
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->state_x, n * CQ_DIM));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->state_v, n * CQ_DIM));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->count, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->n_touches, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->bounds, CQ_BOUND_BLOCKS * 2 * CQ_DIM));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->found, 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->block_error, w->n_blocks));
  return make_sorting(c, &w->particles, n);
}

static cq_status make_bodies(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->sample_x, w->n_samples * CQ_DIM));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->sorted_x, w->n_samples));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->sorted_body, w->n_samples));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->sorted_sticky, w->n_samples));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->bodies, w->n_bodies));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->twist, w->n_bodies));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->center, w->n_bodies));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->touched, w->n_blocks));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->body_sums, (size_t)w->n_blocks * (size_t)w->n_bodies * CQ_TWIST));
  return make_sorting(c, &w->samples, w->n_samples);
}

/* Room for so many neighbours and touched bodies of each particle. */
static cq_status make_lists(cuda *c, int near, int touches) {
  world *w = &c->w;
  buffers *b = &c->memory;
  free_all(b, OF_LISTS);
  w->near_room = w->touch_room = 0; /* there are none if this fails */
  CQ_TRY(CQ_TAKE(b, OF_LISTS, w->near, w->stride * (size_t)near));
  CQ_TRY(CQ_TAKE(b, OF_LISTS, w->slope, w->stride * (size_t)near));
  CQ_TRY(CQ_TAKE(b, OF_LISTS, w->touches, w->stride * (size_t)(w->n_bodies > 0 ? touches : 1)));
  w->near_room = near;
  w->touch_room = touches;
  return CQ_OK;
}

/* Waits for what is queued: it reads the memory that goes. */
static void destroy(void *device) {
  cuda *c = of_device(device);
  if (c->stream != NULL) {
    (void)cudaStreamSynchronize(c->stream);
  }
  free_all(&c->memory, OF_RUN);
  free_all(&c->memory, OF_LISTS);
  free_all(&c->memory, OF_ENGINE);
  if (c->stream != NULL) {
    (void)cudaStreamDestroy(c->stream);
  }
  cq_free(c->ctx, c);
}

static cq_status set_up(cuda *c, const fluid_sizes *sizes) {
  const char *value = getenv("CQ_CUDA_WAIT");
  world *w = &c->w;
  CQ_CHECK(c->ctx, sizes->n < 1 << 26, CQ_CONFIG, "%d particles are too many for a device",
           sizes->n);
  CQ_CUDA_TRY(c->ctx, cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking),
              "creating a stream");
  c->memory.stream = c->stream;
  c->waits = value != NULL && strcmp(value, "1") == 0;
  w->n_all = sizes->n;
  w->n_samples = sizes->n_samples;
  w->n_wall_samples = sizes->n_wall_samples;
  w->n_bodies = sizes->n_bodies;
  w->n_blocks = w->n_all > 0 ? blocks_for(w->n_all) : 1;
  w->stride = (size_t)w->n_blocks * CQ_THREADS;
  w->most_cells = 16 * w->n_all + 4096;
  CQ_TRY(make_particles(c));
  CQ_TRY(make_bodies(c));
  return make_lists(c, CQ_DIM == 2 ? 16 : 40, 1);
}

/* What fails halfway is given back here, and *device stays NULL. */
static cq_status create(cq_ctx *ctx, const fluid_sizes *sizes, void **device) {
  cuda *c = NULL;
  *device = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = c->memory.ctx = ctx;
  const cq_status status = set_up(c, sizes);
  if (status != CQ_OK) {
    destroy(c);
    return status;
  }
  *device = c;
  return CQ_OK;
}

/* --- from the host and back ------------------------------------------------------------------ */

/* The arrays of a run are kept until the next one. */
static cq_status begin(void *device, const fluid_run *run) {
  cuda *c = of_device(device);
  world *w = &c->w;
  buffers *b = &c->memory;
  const size_t n = (size_t)w->n_all, samples = (size_t)w->n_samples;
  free_all(b, OF_RUN);
  w->run = *run;
  CQ_TRY(give(b, OF_RUN, &w->run.volume, run->volume, n, "volumes"));
  CQ_TRY(give(b, OF_RUN, &w->run.density, run->density, n, "densities"));
  CQ_TRY(give(b, OF_RUN, &w->run.viscosity, run->viscosity, n, "viscosities"));
  if (run->wakes != NULL) {
    CQ_TRY(give(b, OF_RUN, &w->run.wakes, run->wakes, n, "emitters"));
    CQ_TRY(give(b, OF_RUN, &w->run.freed, run->freed, n, "emitters"));
  }
  CQ_TRY(give(b, OF_RUN, &w->run.sample_x0, run->sample_x0, samples * CQ_DIM, "samples"));
  CQ_TRY(give(b, OF_RUN, &w->run.sample_volume, run->sample_volume, samples, "samples"));
  CQ_TRY(give(b, OF_RUN, &w->run.sample_body, run->sample_body, samples, "samples"));
  if (run->sticky_samples != NULL) {
    CQ_TRY(give(b, OF_RUN, &w->run.sticky_samples, run->sticky_samples, samples, "samples"));
  }
  CQ_TRY(copy_in(b, w->sample_x, run->sample_x, samples * CQ_DIM * sizeof(scalar), "samples"));
  return wait_for(b, "samples");
}

static cq_status take_state(void *device, const scalar *x, const scalar *v,
                            const scalar *pressure) {
  cuda *c = of_device(device);
  const size_t n = (size_t)c->w.n_all, bytes = n * sizeof(scalar);
  CQ_TRY(copy_in(&c->memory, c->w.state_x, x, CQ_DIM * bytes, "a state"));
  CQ_TRY(copy_in(&c->memory, c->w.state_v, v, CQ_DIM * bytes, "a state"));
  CQ_TRY(copy_in(&c->memory, c->w.state_pressure, pressure, bytes, "a state"));
  return wait_for(&c->memory, "a state");
}

static cq_status send_bodies(cuda *c, const fluid_body *bodies) {
  const size_t bytes = (size_t)c->w.n_bodies * sizeof *bodies;
  CQ_TRY(copy_in(&c->memory, c->w.bodies, bodies, bytes, "bodies"));
  CQ_LAUNCH(c, show, blocks_for(c->w.n_bodies), c->w);
  return CQ_OK;
}

static cq_status fetch_bodies(cuda *c, fluid_body *bodies) {
  return copy_out(&c->memory, bodies, c->w.bodies, (size_t)c->w.n_bodies * sizeof *bodies,
                  "bodies");
}

/* what the step has found out so far; waits for it (CQ_CUDA_WAIT=1 names a kernel that fails) */
static cq_status fetch_findings(cuda *c) {
  CQ_TRY(copy_out(&c->memory, &c->found, c->w.found, sizeof c->found, "a step"));
  return wait_for(&c->memory, "a step (CQ_CUDA_WAIT=1 names the kernel)");
}

/* --- a step ---------------------------------------------------------------------------------- */

static cq_status queue_scan(cuda *c, const sorting *s, int *n) {
  CQ_LAUNCH(c, scan_parts, blocks_over_cells(c, CQ_SCAN), c->w, *s);
  CQ_LAUNCH(c, scan_all, 1, c->w, *s, n);
  CQ_LAUNCH(c, scan_cells, blocks_over_cells(c, CQ_SCAN), c->w, *s);
  CQ_LAUNCH(c, put, blocks_for(s->n), *s);
  CQ_LAUNCH(c, arrange, blocks_for(s->n), *s, (const int *)n);
  return CQ_OK;
}

static cq_status queue_sort(cuda *c) {
  const world *w = &c->w;
  const int parts = w->n_blocks < CQ_BOUND_BLOCKS ? w->n_blocks : CQ_BOUND_BLOCKS;
  CQ_LAUNCH(c, bound, parts, *w);
  CQ_LAUNCH(c, fit, 1, *w, parts);
  CQ_LAUNCH(c, clear, blocks_over_cells(c, CQ_THREADS), *w, w->particles);
  CQ_FOR_PARTICLES(c, key_particles, *w);
  CQ_TRY(queue_scan(c, &w->particles, &w->found->n));
  CQ_FOR_PARTICLES(c, take_particles, *w);
  if (w->n_samples > 0) {
    CQ_LAUNCH(c, clear, blocks_over_cells(c, CQ_THREADS), *w, w->samples);
    CQ_LAUNCH(c, key_samples, blocks_for(w->n_samples), *w);
    CQ_TRY(queue_scan(c, &w->samples, &w->found->n_samples));
    CQ_LAUNCH(c, take_samples, blocks_for(w->n_samples), *w);
  }
  return CQ_OK;
}

/* Lists, in rooms that grow until they hold them. */
static cq_status find_lists(cuda *c) {
  for (;;) {
    CQ_FOR_PARTICLES(c, meet, c->w);
    CQ_FOR_PARTICLES(c, touch, c->w);
    CQ_TRY(fetch_findings(c));
    const int near = c->found.most_near, touches = c->found.most_touches;
    if (near == 0 && touches == 0) {
      return CQ_OK;
    }
    CQ_TRY(make_lists(c, near > 0 ? near + near / 4 : c->w.near_room,
                      touches > 0 ? touches : c->w.touch_room));
    c->found.most_near = c->found.most_touches = 0;
    CQ_TRY(copy_in(&c->memory, c->w.found, &c->found, sizeof c->found, "a step"));
  }
}

static cq_status prepare(void *device, double t, double dt, const fluid_body *bodies) {
  cuda *c = of_device(device);
  c->w.t = t;
  c->w.seconds = dt;
  c->w.dt = K(dt);
  CQ_TRY(send_bodies(c, bodies));
  CQ_TRY(queue_sort(c));
  CQ_TRY(find_lists(c));
  if (c->w.n_bodies > 0) {
    CQ_FOR_PARTICLES(c, weigh, c->w);
    CQ_LAUNCH(c, weigh_body, c->w.n_bodies, c->w);
  }
  CQ_FOR_PARTICLES(c, gains, c->w);
  return CQ_OK;
}

static cq_status queue_sweep(cuda *c, int sweep, bool density, const fluid_solve *s) {
  CQ_FOR_PARTICLES(c, measure, c->w, sweep, density);
  CQ_LAUNCH(c, kick, c->w.n_bodies + 1, c->w, sweep, *s);
  CQ_FOR_PARTICLES(c, push, c->w, sweep);
  return CQ_OK;
}

/* With a tolerance first about as many sweeps as in the step before are queued, then a few at a
 * time; those after the last one do nothing. */
static cq_status solve(void *device, bool density, fluid_solve *s) {
  enum { FEW = 4 };
  cuda *c = of_device(device);
  const bool warm = density && c->w.run.warm_start;
  int queued = 0, now = s->tolerance > 0.0 ? c->sweeps[density] : s->sweeps;
  CQ_FOR_PARTICLES(c, start, c->w, warm);
  if (warm) {
    CQ_LAUNCH(c, kick, c->w.n_bodies + 1, c->w, -1, *s);
    CQ_FOR_PARTICLES(c, push, c->w, -1);
  }
  do {
    now = now < s->least ? s->least : now;
    for (const int last = queued + now; queued < last && queued < s->sweeps; queued++) {
      CQ_TRY(queue_sweep(c, queued, density, s));
    }
    CQ_TRY(fetch_findings(c));
    now = FEW;
  } while (queued < s->sweeps && c->found.last_sweep == INT_MAX);
  s->done = c->sweeps[density] = c->found.done;
  s->error = c->found.error;
  return CQ_OK;
}

static cq_status make_forces(void *device, fluid_body *bodies) {
  cuda *c = of_device(device);
  CQ_FOR_PARTICLES(c, force, c->w);
  if (c->w.run.surface_tension > K(0) || c->w.run.xsph > K(0)) {
    CQ_FOR_PARTICLES(c, blend_in, c->w);
  }
  if (c->w.run.viscous && c->w.run.sticky) {
    CQ_LAUNCH(c, drag, c->w.n_bodies, c->w);
  }
  quad *const v = c->w.v;
  c->w.v = c->w.v_new;
  c->w.v_new = v;
  CQ_TRY(fetch_bodies(c, bodies));
  return wait_for(&c->memory, "forces (CQ_CUDA_WAIT=1 names the kernel)");
}

static cq_status release_bodies(void *device, const fluid_body *bodies) {
  return send_bodies(of_device(device), bodies);
}

static cq_status end_step(void *device, fluid_body *bodies, scalar *x, scalar *v, scalar *pressure,
                          fluid_end *end) {
  cuda *c = of_device(device);
  const size_t n = (size_t)c->w.n_all, bytes = n * sizeof(scalar);
  CQ_FOR_PARTICLES(c, advance, c->w);
  CQ_TRY(copy_out(&c->memory, x, c->w.state_x, CQ_DIM * bytes, "a state"));
  CQ_TRY(copy_out(&c->memory, v, c->w.state_v, CQ_DIM * bytes, "a state"));
  CQ_TRY(copy_out(&c->memory, pressure, c->w.state_pressure, bytes, "a state"));
  CQ_TRY(fetch_bodies(c, bodies));
  CQ_TRY(fetch_findings(c));
  *end = c->found.end;
  return CQ_OK;
}

extern "C" const fluid_device V(cq_fluid_device) = {
    create, destroy, begin, take_state, prepare, solve, make_forces, release_bodies, end_step,
};
