/* Particles and samples in the order of their cells. */
#ifndef CQ_FLUID_CUDA_SORT_CUH
#define CQ_FLUID_CUDA_SORT_CUH

#include "fluid_cuda_world.cuh"

/* --- the box of cells ------------------------------------------------------------------------ */

/* The least value of all threads, for all of them. */
static __device__ inline scalar block_least(scalar value) {
  __shared__ scalar least[CQ_WARPS];
  for (int far = CQ_WARP / 2; far > 0; far /= 2) {
    const scalar other = __shfl_xor_sync(whole_warp, value, far);
    value = other < value ? other : value;
  }
  __syncthreads(); /* of an earlier call */
  if (threadIdx.x % CQ_WARP == 0) {
    least[threadIdx.x / CQ_WARP] = value;
  }
  __syncthreads();
  for (int i = 0; i < CQ_WARPS; i++) {
    value = least[i] < value ? least[i] : value;
  }
  return value;
}

/* What a box can begin and end at: what has gone astray does not count. */
static __device__ inline void room_of(const world &w, int a, scalar *least, scalar *most) {
  *least = w.run.room_low[a] - K(8) * w.run.spline.h;
  *most = w.run.room_high[a] + K(8) * w.run.spline.h;
}

/* The box of a block's part of the particles. */
static __global__ void __launch_bounds__(CQ_THREADS) bound(world w) {
  FOR_AXES(a) {
    scalar least, most;
    room_of(w, a, &least, &most);
    scalar low = most, high = least;
    for (int i = thread_of_all(); i < w.n_all; i += threads_of_all()) {
      const scalar x = w.state_x[(size_t)i * CQ_DIM + (size_t)a];
      low = x < low && x >= least ? x : low;
      high = x > high && x <= most ? x : high;
    }
    low = block_least(low);
    high = -block_least(-high);
    if (threadIdx.x == 0) {
      scalar *to = w.bounds + (size_t)blockIdx.x * 2 * CQ_DIM;
      to[a] = low;
      to[CQ_DIM + a] = high;
    }
  }
}

/* The cells, a cell wider on each side than the particles; a step begins. One block. */
static __global__ void __launch_bounds__(CQ_THREADS) fit(world w, int parts) {
  scalar low[CQ_DIM], high[CQ_DIM];
  const scalar edge = w.run.spline.h * K(1.0001);
  FOR_AXES(a) {
    scalar least, most;
    room_of(w, a, &least, &most);
    low[a] = most;
    high[a] = least;
    for (int i = (int)threadIdx.x; i < parts; i += CQ_THREADS) {
      const scalar *of = w.bounds + (size_t)i * 2 * CQ_DIM;
      low[a] = of[a] < low[a] ? of[a] : low[a];
      high[a] = of[CQ_DIM + a] > high[a] ? of[CQ_DIM + a] : high[a];
    }
    low[a] = block_least(low[a]);
    high[a] = -block_least(-high[a]);
    if (!(low[a] <= high[a])) {
      low[a] = high[a] = least;
    }
    low[a] -= edge;
    high[a] += edge;
  }
  if (threadIdx.x == 0) {
    findings *f = w.found;
    f->box = cells_fit(low, high, edge, w.most_cells);
    FOR_AXES(a) {
      f->origin[a] = f->box.low[a] + K(0.5) * (scalar)f->box.count[a] / f->box.inverse;
    }
    f->most_near = f->most_touches = 0;
    f->end.first_bad = INT_MAX;
    f->end.outside = 0;
  }
}

/* --- counting sort --------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(CQ_THREADS) clear(world w, sorting s) {
  for (int k = thread_of_all(); k <= w.found->box.total; k += threads_of_all()) {
    s.start[k] = 0;
  }
}

static __device__ inline void count_in_cell(const sorting &s, int i, int key) {
  s.key[i] = key;
  if (key >= 0) {
    s.slot[i] = atomicAdd(&s.start[key], 1);
  }
}

static __device__ inline bool sleeps(const world &w, int i) {
  return w.run.wakes != NULL && advance_waits(w.t, w.seconds, w.run.wakes[i]);
}

static __global__ void __launch_bounds__(CQ_THREADS) key_particles(world w) {
  const int i = thread_of_all();
  if (i < w.n_all) {
    const scalar *x = w.state_x + (size_t)i * CQ_DIM;
    count_in_cell(w.particles, i, sleeps(w, i) ? -1 : cells_of(&w.found->box, x, false));
  }
}

/* Samples of bodies move with them; those far from the fluid do not count. */
static __global__ void __launch_bounds__(CQ_THREADS) key_samples(world w) {
  const int s = thread_of_all();
  if (s >= w.n_samples) {
    return;
  }
  scalar *x = w.sample_x + (size_t)s * CQ_DIM;
  if (s >= w.n_wall_samples) {
    const pose p = w.bodies[w.run.sample_body[s]].now.p;
    vec r;
    FOR_AXES(a) {
      r.v[a] = w.run.sample_x0[(size_t)s * CQ_DIM + (size_t)a];
    }
    r = vec_add(p.x, mat_vec(turn_matrix(p.q), r));
    FOR_AXES(a) {
      x[a] = r.v[a];
    }
  }
  count_in_cell(w.samples, s, cells_of(&w.found->box, x, true));
}

/* The particles in each CQ_SCAN cells. */
static __global__ void __launch_bounds__(CQ_THREADS) scan_parts(world w, sorting s) {
  const int total = w.found->box.total;
  for (int part = (int)blockIdx.x; part * CQ_SCAN < total; part += (int)gridDim.x) {
    int here = 0, all;
    for (int k = (int)threadIdx.x; k < CQ_SCAN; k += CQ_THREADS) {
      const int cell = part * CQ_SCAN + k;
      here += cell < total ? s.start[cell] : 0;
    }
    (void)block_before(here, &all);
    if (threadIdx.x == 0) {
      s.sums[part] = all;
    }
  }
}

/* and in all before those; one block. *n gets how many there are in all. */
static __global__ void __launch_bounds__(CQ_THREADS) scan_all(world w, sorting s, int *n) {
  const int parts = (w.found->box.total + CQ_SCAN - 1) / CQ_SCAN;
  int done = 0;
  for (int first = 0; first < parts; first += CQ_THREADS) {
    const int part = first + (int)threadIdx.x;
    int all;
    const int before = block_before(part < parts ? s.sums[part] : 0, &all);
    if (part < parts) {
      s.sums[part] = done + before;
    }
    done += all;
  }
  if (threadIdx.x == 0) {
    *n = done;
    s.start[w.found->box.total] = done;
  }
}

/* Where each cell begins. */
static __global__ void __launch_bounds__(CQ_THREADS) scan_cells(world w, sorting s) {
  enum { EACH = CQ_SCAN / CQ_THREADS };
  const int total = w.found->box.total;
  for (int part = (int)blockIdx.x; part * CQ_SCAN < total; part += (int)gridDim.x) {
    const int first = part * CQ_SCAN + (int)threadIdx.x * EACH;
    int counts[EACH], here = 0, all;
    for (int k = 0; k < EACH; k++) {
      counts[k] = first + k < total ? s.start[first + k] : 0;
      here += counts[k];
    }
    int at = s.sums[part] + block_before(here, &all);
    for (int k = 0; k < EACH && first + k < total; k++) {
      s.start[first + k] = at;
      at += counts[k];
    }
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) put(sorting s) {
  const int i = thread_of_all();
  if (i < s.n && s.key[i] >= 0) {
    s.who[s.start[s.key[i]] + s.slot[i]] = i;
  }
}

/* Points of a cell by their numbers. */
static __global__ void __launch_bounds__(CQ_THREADS) arrange(sorting s, const int *n) {
  const int at = thread_of_all();
  if (at >= *n) {
    return;
  }
  const int i = s.who[at], first = s.start[s.key[i]], last = s.start[s.key[i] + 1];
  int before = 0;
  for (int k = first; k < last; k++) {
    before += s.who[k] < i;
  }
  s.order[first + before] = i;
}

/* --- what a step reads ----------------------------------------------------------------------- */

static __global__ void __launch_bounds__(CQ_THREADS) take_particles(world w) {
  const int i = thread_of_all();
  if (!is_particle(w, i)) {
    return;
  }
  const int from = w.particles.order[i];
  const bool glides = w.run.freed != NULL && advance_waits(w.t, w.seconds, w.run.freed[from]);
  quad x = quad_zero(), v = quad_zero();
  FOR_AXES(a) {
    x.a[a] = w.state_x[(size_t)from * CQ_DIM + (size_t)a];
    v.a[a] = w.state_v[(size_t)from * CQ_DIM + (size_t)a];
  }
  w.x[i] = x;
  w.v[i] = with_moment(w, x, v);
  w.volume[i] = w.run.volume[from];
  w.light[i] = glides ? K(0) : K(1) / w.run.density[from];
  w.viscosity[i] = w.run.viscosity[from];
  w.before[i] = w.state_pressure[from];
}

static __global__ void __launch_bounds__(CQ_THREADS) take_samples(world w) {
  const int i = thread_of_all();
  if (i >= w.found->n_samples) {
    return;
  }
  const int from = w.samples.order[i];
  quad x = quad_zero();
  FOR_AXES(a) {
    x.a[a] = w.sample_x[(size_t)from * CQ_DIM + (size_t)a];
  }
  x.a[CQ_QUAD - 1] = w.run.sample_volume[from];
  w.sorted_x[i] = x;
  w.sorted_body[i] = w.run.sample_body[from];
  w.sorted_sticky[i] = w.run.sticky_samples != NULL && w.run.sticky_samples[from] != 0;
}

#endif
