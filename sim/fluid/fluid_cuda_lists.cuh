/* Neighbours of particles, and what follows from where they are: densities, the diagonal of the
 * solvers, what walls and bodies are to them. */
#ifndef CQ_FLUID_CUDA_LISTS_CUH
#define CQ_FLUID_CUDA_LISTS_CUH

#include "fluid_cuda_world.cuh"

/* what a particle has found so far */
typedef struct surroundings {
  scalar density, spread; /* sum V W; sum V^2 (W'/r)^2 r^2 over the fluid */
  quad all, wall;
  int near, touches;
} surroundings;

static __device__ inline surroundings nothing_around(void) {
  const surroundings s = {K(0), K(0), quad_zero(), quad_zero(), 0, 0};
  return s;
}

/* V W'/r of a point, whose V W is added */
static __device__ inline scalar weigh_point(const world &w, scalar square, scalar volume,
                                            surroundings *s) {
  const scalar q = real_sqrt(square) * w.run.spline.inverse;
  const scalar slope = volume * kernel_slope(&w.run.spline, q);
  s->density += volume * kernel_value(&w.run.spline, q);
  return slope;
}

static __device__ inline void meet_particle(const world &w, int i, quad x, int j, surroundings *s) {
  const quad d = quad_sub(x, w.x[j]);
  const scalar square = quad_dot(d, d), h = w.run.spline.h;
  if (j == i || !(square < h * h)) {
    return;
  }
  const scalar slope = weigh_point(w, square, w.volume[j], s);
  s->all = quad_axpy(s->all, slope, d);
  s->spread += slope * slope * square;
  if (s->near < w.near_room) {
    w.near[entry(w, s->near, i)] = j;
    w.slope[entry(w, s->near, i)] = slope;
  }
  s->near++;
}

/* The particle's touch of a body, entered if it is new; NULL where there is no room. */
static __device__ inline fluid_touch *touch_of(const world &w, int i, int body, surroundings *s) {
  for (int k = 0; k < s->touches && k < w.touch_room; k++) {
    if (w.touches[entry(w, k, i)].body == body) {
      return &w.touches[entry(w, k, i)];
    }
  }
  const int k = s->touches++;
  if (k >= w.touch_room) {
    return NULL;
  }
  fluid_touch fresh;
  memset(&fresh, 0, sizeof fresh);
  fresh.particle = i;
  fresh.body = body;
  w.touches[entry(w, k, i)] = fresh;
  return &w.touches[entry(w, k, i)];
}

static __device__ inline void meet_sample(const world &w, int i, quad x, int b, surroundings *s) {
  const quad xb = w.sorted_x[b];
  quad d = quad_sub(x, xb);
  const scalar square = quad_dot(d, d), h = w.run.spline.h;
  const int body = w.sorted_body[b];
  if (!(square < h * h)) {
    return;
  }
  const scalar slope = weigh_point(w, square, xb.a[CQ_QUAD - 1], s);
  scalar g[CQ_DIM], arm[CQ_DIM];
  FOR_AXES(a) {
    g[a] = slope * d.a[a];
    s->wall.a[a] += g[a];
    arm[a] = body >= 0 ? xb.a[a] - w.center[body][a] : K(0);
  }
  fluid_touch *touch = body >= 0 ? touch_of(w, i, body, s) : NULL; /* walls stand still */
  if (touch != NULL) {
    touch_add(touch, arm, g);
  }
}

/* Does it hold for any thread of the block? All call it. */
static __device__ inline bool block_any(bool holds) {
  __shared__ int any[CQ_WARPS];
  const int here = __any_sync(whole_warp, holds);
  __syncthreads(); /* of an earlier call */
  if (threadIdx.x % CQ_WARP == 0) {
    any[threadIdx.x / CQ_WARP] = here;
  }
  __syncthreads();
  int all = 0;
  for (int i = 0; i < CQ_WARPS; i++) {
    all |= any[i];
  }
  return all != 0;
}

/* Neighbours, and their part of what touch() completes. */
static __global__ void __launch_bounds__(CQ_THREADS) meet(world w) {
  const int i = thread_of_all();
  if (!is_particle(w, i)) {
    return;
  }
  surroundings s = nothing_around();
  const quad x = w.x[i];
  cells_run runs[CQ_CELL_RUNS];
  const int n = cells_around(&w.found->box, w.particles.start, x.a, runs);
  for (int r = 0; r < n; r++) {
    for (int j = runs[r].first; j < runs[r].last; j++) {
      meet_particle(w, i, x, j, &s);
    }
  }
  w.count[i] = s.near < w.near_room ? s.near : w.near_room;
  w.all[i] = s.all;
  w.excess[i] = s.density;
  w.diagonal[i] = s.spread;
  if (s.near > w.near_room) {
    atomicMax(&w.found->most_near, s.near);
  }
}

/* What walls and bodies are to a particle. Returns whether it touches a body. */
static __device__ inline bool touch_particle(const world &w, int i) {
  surroundings s = nothing_around();
  const quad x = w.x[i];
  if (w.n_samples > 0) {
    cells_run runs[CQ_CELL_RUNS];
    const int n = cells_around(&w.found->box, w.samples.start, x.a, runs);
    for (int r = 0; r < n; r++) {
      for (int b = runs[r].first; b < runs[r].last; b++) {
        meet_sample(w, i, x, b, &s);
      }
    }
  }
  const quad all = quad_axpy(w.all[i], K(1), s.wall);
  w.n_touches[i] = s.touches < w.touch_room ? s.touches : w.touch_room;
  w.wall[i] = s.wall;
  w.all[i] = all;
  w.excess[i] = (w.excess[i] + s.density) + w.volume[i] * w.run.spline.peak - K(1);
  w.diagonal[i] = w.light[i] * (quad_dot(all, all) + w.diagonal[i]);
  if (s.touches > w.touch_room) {
    atomicMax(&w.found->most_touches, s.touches);
  }
  return s.touches > 0;
}

static __global__ void __launch_bounds__(CQ_THREADS) touch(world w) {
  const int i = thread_of_all();
  const bool touches = is_particle(w, i) && touch_particle(w, i);
  if (w.n_bodies > 0) {
    const bool any = block_any(touches);
    if (threadIdx.x == 0) {
      w.touched[blockIdx.x] = any;
    }
  }
}

#endif
