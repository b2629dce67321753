/* The steps' object, and how the host asks the device for something. Kernels are launched through
 * cudaLaunchKernel alone, so that a C++ compiler takes these files too. */
#ifndef CQ_GRAINS_CUDA_OBJECT_CUH
#define CQ_GRAINS_CUDA_OBJECT_CUH

#include "grains_cuda_list.cuh"
#include "grains_cuda_solve.cuh"
#include "granular_inputs.h"

/* What the host has to know of a state; the first of its parts. */
typedef struct cuda_head {
  int n_pairs, stamp; /* as in state_head */
} cuda_head;

typedef struct cuda {
  cq_ctx *ctx;
  /* The engine's object on the CPU and a state of it: parameters, tools and bodies are worked on
   * there, and a state from the device comes there to be looked at. Its grains are one unit. */
  grains *g;
  void *mirror;
  state s; /* of the mirror */
  cudaStream_t stream;
  buffers memory;
  world w;
  char *slab;   /* the state that w is of */
  size_t bytes; /* of a state */
  cuda_head head;
  int stamp; /* of the list that pairs of grains, and colours in g, are of; -1: of none */
  int n_chunks;
  scalar *share_on_device;
  double *friction_on_device, *speed_on_device;
  cq_tool_place *placed_on_device;
  cq_tool_pose *poses_on_device;
  outcome out; /* of the last step */
  bool waits;  /* for each kernel, to name the one that fails: CQ_CUDA_WAIT=1 */
  /* a step that failed is told by `settle`, which gives the state it led to */
  cq_status failed;
  const void *stopped;
  cq_status trouble; /* of a call that returns none: the next one that can fail does */
} cuda;

static cq_status to_device(cuda *c, void *to, const void *from, size_t bytes, const char *what) {
  if (bytes > 0) {
    CQ_CUDA_TRY(c->ctx, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->stream), what);
  }
  return CQ_OK;
}

static cq_status to_host(cuda *c, void *to, const void *from, size_t bytes, const char *what) {
  if (bytes > 0) {
    CQ_CUDA_TRY(c->ctx, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, c->stream), what);
  }
  return CQ_OK;
}

static cq_status within(cuda *c, void *to, const void *from, size_t bytes, const char *what) {
  if (bytes > 0) {
    CQ_CUDA_TRY(c->ctx, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, c->stream),
                what);
  }
  return CQ_OK;
}

static cq_status clear(cuda *c, void *at, size_t bytes, const char *what) {
  if (bytes > 0) {
    CQ_CUDA_TRY(c->ctx, cudaMemsetAsync(at, 0, bytes, c->stream), what);
  }
  return CQ_OK;
}

/* What kernels did wrong shows here. */
static cq_status wait(cuda *c, const char *what) {
  CQ_CUDA_TRY(c->ctx, cudaStreamSynchronize(c->stream), what);
  return CQ_OK;
}

template <class... rest>
static cq_status launch(cuda *c, const char *name, int blocks, void (*kernel)(world, rest...),
                        rest... more) {
  if (blocks == 0) {
    return CQ_OK;
  }
  void *arguments[] = {&c->w, &more...};
  CQ_CUDA_TRY(
      c->ctx,
      cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3(CQ_THREADS), arguments, 0, c->stream),
      name);
  return c->waits ? wait(c, name) : CQ_OK;
}

/* a kernel and its arguments after the world */
#define CQ_LAUNCH(c, blocks, ...) CQ_TRY(launch((c), "kernel " #__VA_ARGS__, (blocks), __VA_ARGS__))
#define CQ_FOR_GRAINS(c, ...)     CQ_LAUNCH(c, blocks_for((size_t)(c)->w.n), __VA_ARGS__)
#define CQ_FOR_PAIRS(c, ...)      CQ_LAUNCH(c, blocks_for((size_t)(c)->w.n_pairs), __VA_ARGS__)

static int chunks_of(size_t n) {
  return (int)((n + GRAIN_CHUNK - 1) / GRAIN_CHUNK);
}

/* Each of n numbers becomes the sum of those before it. */
static cq_status scan(cuda *c, int *numbers, int n) {
  const int chunks = chunks_of((size_t)n);
  CQ_LAUNCH(c, chunks, scan_chunks, numbers, n);
  CQ_LAUNCH(c, 1, scan_totals, chunks);
  CQ_LAUNCH(c, blocks_for((size_t)n), scan_add, numbers, n);
  return CQ_OK;
}

/* --- states ----------------------------------------------------------------------------------- */

static size_t poses_bytes(const cuda *c) {
  return (size_t)c->w.n_tools * sizeof(cq_tool_pose);
}

static size_t bodies_bytes(const cuda *c) {
  return V(cq_grains_bodies_numbers)(c->g) * sizeof(double);
}

/* The parts of a state at `slab`, in w where it has them; returns its size. */
static size_t lay_out(cuda *c, char *slab, char **poses_at, char **bodies_at) {
  world *w = &c->w;
  const size_t n = (size_t)w->n;
  size_t bytes = 0;
  const auto room = [slab, &bytes](size_t wanted) {
    char *here = (char *)((uintptr_t)slab + bytes);
    bytes += (wanted + 255) / 256 * 256;
    return here;
  };
  room(sizeof(cuda_head));
  *poses_at = room(poses_bytes(c));
  *bodies_at = room(bodies_bytes(c));
  w->place = (scalar *)room(n * GRAIN_PLACE * sizeof(scalar));
  w->rows = (scalar *)room(n * GRAIN_ROW * sizeof(scalar));
  w->listed = (scalar *)room(n * GRAIN_PLACE * sizeof(scalar));
  w->id = (int *)room(n * sizeof(int));
  w->laps = (int *)room(n * sizeof(int));
  w->touches = (int *)room(n * GRAIN_SURFACE * sizeof(int));
  w->touch = (scalar *)room(n * GRAIN_SURFACE * GRAIN_P * sizeof(scalar));
  w->a = (int *)room(w->pair_room * sizeof(int));
  w->b = (int *)room(w->pair_room * sizeof(int));
  w->p = (scalar *)room(GRAIN_P * w->pair_room * sizeof(scalar));
  c->slab = slab;
  return bytes;
}

/* Makes w that of a state, and brings head, poses and bodies of it to the host. */
static cq_status take_state(cuda *c, const void *slab) {
  char *poses_at, *bodies_at;
  lay_out(c, (char *)(uintptr_t)slab, &poses_at, &bodies_at);
  CQ_TRY(to_host(c, &c->head, slab, sizeof c->head, "a state"));
  CQ_TRY(to_host(c, c->s.poses, poses_at, poses_bytes(c), "a state"));
  return to_host(c, c->s.bodies, bodies_at, bodies_bytes(c), "a state");
}

/* And back again. */
static cq_status keep_state(cuda *c) {
  char *poses_at, *bodies_at;
  lay_out(c, c->slab, &poses_at, &bodies_at);
  CQ_TRY(to_device(c, c->slab, &c->head, sizeof c->head, "a state"));
  CQ_TRY(to_device(c, poses_at, c->s.poses, poses_bytes(c), "a state"));
  return to_device(c, bodies_at, c->s.bodies, bodies_bytes(c), "a state");
}

/* Grains and tools of a state in the mirror; the particles' slots with them. */
static cq_status look_at(cuda *c, const void *slab) {
  const size_t n = (size_t)c->w.n;
  CQ_TRY(take_state(c, slab));
  CQ_TRY(to_host(c, c->s.place, c->w.place, n * GRAIN_PLACE * sizeof(scalar), "a state"));
  CQ_TRY(to_host(c, c->s.rows, c->w.rows, n * GRAIN_ROW * sizeof(scalar), "a state"));
  CQ_TRY(to_host(c, c->s.id, c->w.id, n * sizeof(int), "a state"));
  CQ_TRY(to_host(c, c->s.laps, c->w.laps, n * sizeof(int), "a state"));
  CQ_TRY(wait(c, "reading a state"));
  for (int i = 0; i < c->w.n; i++) {
    c->g->slot[c->s.id[i]] = i;
  }
  return CQ_OK;
}

#endif
