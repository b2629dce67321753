/* Kernels of the list: whether it still holds, slack, cells, pairs, and what goes over from the
 * list before. */
#ifndef CQ_GRAINS_CUDA_LIST_CUH
#define CQ_GRAINS_CUDA_LIST_CUH

#include "grains_cuda_world.cuh"

/* --- sums over all grains --------------------------------------------------------------------- */

enum { MOTION_VELOCITY, MOTION_WAY };

static __device__ inline double motion_of(const world &w, int what, int i, int a) {
  const size_t k = (size_t)i * GRAIN_PLACE + (size_t)a;
  return what == MOTION_VELOCITY ? (double)w.rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a]
                                 : (double)(w.place[k] - w.listed[k]);
}

/* Velocities, or ways since the last list, of a chunk of grains. */
static __global__ void __launch_bounds__(CQ_THREADS) sum_motion(world w, int what) {
  const int begin = (int)blockIdx.x * GRAIN_CHUNK;
  FOR_AXES(a) {
    double sum = 0.0;
    for (int i = begin + (int)threadIdx.x; i < begin + GRAIN_CHUNK && i < w.n; i += CQ_THREADS) {
      sum += motion_of(w, what, i, a);
    }
    const double all = block_sum(sum);
    if (threadIdx.x == 0) {
      w.sums[(size_t)blockIdx.x * CQ_DIM + (size_t)a] = all;
    }
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) mean_motion(world w, int n_chunks) {
  FOR_AXES(a) {
    double sum = 0.0;
    for (int k = (int)threadIdx.x; k < n_chunks; k += CQ_THREADS) {
      sum += w.sums[(size_t)k * CQ_DIM + (size_t)a];
    }
    const double all = block_sum(sum);
    if (threadIdx.x == 0) {
      w.mean[a] = all / w.n;
    }
  }
}

/* Is every grain within its slack of where it was listed, but for what all have gone? */
static __global__ void __launch_bounds__(CQ_THREADS) check_list(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  scalar square = K(0);
  FOR_AXES(a) {
    const size_t k = (size_t)i * GRAIN_PLACE + (size_t)a;
    const scalar d = w.place[k] - w.listed[k] - K(w.mean[a]);
    square += d * d;
  }
  const scalar slack = w.listed[(size_t)i * GRAIN_PLACE + 3];
  if (!(square <= slack * slack)) {
    w.out->ends = 1;
  }
}

/* --- slack and cells -------------------------------------------------------------------------- */

/* Grains that have gone through the end of the room come in at the other. */
static __global__ void __launch_bounds__(CQ_THREADS) wrap(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  scalar *x = w.place + (size_t)i * GRAIN_PLACE + w.cyclic;
  const int laps = (int)floor((double)((*x - w.low[w.cyclic]) / w.period));
  *x -= (scalar)laps * w.period;
  w.laps[i] += laps;
}

/* Where each grain is listed, and the slack that it wants. */
static __global__ void __launch_bounds__(CQ_THREADS) want_slack(world w, double scale) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const double r = (double)w.smallest;
  double square = 0.0;
  FOR_AXES(a) {
    const double v = motion_of(w, MOTION_VELOCITY, i, a) - w.mean[a];
    square += v * v;
    w.listed[(size_t)i * GRAIN_PLACE + (size_t)a] = w.place[(size_t)i * GRAIN_PLACE + (size_t)a];
  }
  const double wanted = list_slack(square, r, w.time_step);
  w.listed[(size_t)i * GRAIN_PLACE + 3] = K(scale * wanted);
  if (wanted > LIST_WIDE_SLACK * r) {
    atomicAdd(&w.out->fast, 1);
  }
}

/* Less slack where many are fast; then the extent of a chunk of grains. */
static __global__ void __launch_bounds__(CQ_THREADS) take_slack(world w, double scale) {
  const scalar most = list_most_slack(w.out->fast, w.n, scale, (double)w.smallest);
  const int begin = (int)blockIdx.x * GRAIN_CHUNK;
  double low[CQ_DIM], high[CQ_DIM], reach = 0.0, narrow = 0.0; /* high, reach: negative */
  FOR_AXES(a) {
    low[a] = high[a] = INFINITY;
  }
  for (int i = begin + (int)threadIdx.x; i < begin + GRAIN_CHUNK && i < w.n; i += CQ_THREADS) {
    const scalar *place = w.place + (size_t)i * GRAIN_PLACE;
    scalar *listed = w.listed + (size_t)i * GRAIN_PLACE;
    listed[3] = listed[3] < most ? listed[3] : most;
    const double far = list_reach(place, listed);
    reach = fmin(reach, -far);
    narrow = list_wide(w.smallest, listed[3]) ? narrow : fmin(narrow, -far);
    FOR_AXES(a) {
      low[a] = fmin(low[a], (double)place[a]);
      high[a] = fmin(high[a], -(double)place[a]);
    }
  }
  extent e;
  FOR_AXES(a) {
    e.low[a] = block_least(low[a]);
    e.high[a] = -block_least(high[a]);
  }
  e.reach = -block_least(reach);
  e.narrow = -block_least(narrow);
  if (threadIdx.x == 0) {
    w.extents[blockIdx.x] = e;
  }
}

/* Of all grains, behind those of the chunks. */
static __global__ void __launch_bounds__(CQ_THREADS) whole_extent(world w, int n_chunks) {
  extent e = w.extents[0];
  for (int k = (int)threadIdx.x; k < n_chunks; k += CQ_THREADS) {
    const extent &of = w.extents[k];
    FOR_AXES(a) {
      e.low[a] = fmin(e.low[a], of.low[a]);
      e.high[a] = fmax(e.high[a], of.high[a]);
    }
    e.reach = fmax(e.reach, of.reach);
    e.narrow = fmax(e.narrow, of.narrow);
  }
  FOR_AXES(a) {
    e.low[a] = block_least(e.low[a]);
    e.high[a] = -block_least(-e.high[a]);
  }
  e.reach = -block_least(-e.reach);
  e.narrow = -block_least(-e.narrow);
  if (threadIdx.x == 0) {
    w.extents[n_chunks] = e;
  }
}

/* --- sums before each number ------------------------------------------------------------------ */

/* Of a chunk of n numbers: each becomes the sum of those before it. */
static __global__ void __launch_bounds__(CQ_THREADS) scan_chunks(world w, int *numbers, int n) {
  const int begin = (int)blockIdx.x * GRAIN_CHUNK + 4 * (int)threadIdx.x;
  int own[4], sum = 0, all = 0;
  for (int k = 0; k < 4; k++) {
    own[k] = begin + k < n ? numbers[begin + k] : 0;
    sum += own[k];
  }
  int before = block_before(sum, &all);
  for (int k = 0; k < 4; k++) {
    if (begin + k < n) {
      numbers[begin + k] = before;
    }
    before += own[k];
  }
  if (threadIdx.x == 0) {
    w.totals[blockIdx.x] = all;
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) scan_totals(world w, int n_chunks) {
  int carried = 0;
  for (int first = 0; first < n_chunks; first += CQ_THREADS) {
    const int k = first + (int)threadIdx.x;
    int all = 0;
    const int before = block_before(k < n_chunks ? w.totals[k] : 0, &all);
    if (k < n_chunks) {
      w.totals[k] = carried + before;
    }
    carried += all;
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) scan_add(world w, int *numbers, int n) {
  const int k = thread_of_all();
  if (k < n) {
    numbers[k] += w.totals[k / GRAIN_CHUNK];
  }
}

/* --- sorting ---------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(CQ_THREADS) count_cells(world w, cells c) {
  const int i = thread_of_all();
  if (i < w.n) {
    w.key[i] = cells_of(&c, w.place + (size_t)i * GRAIN_PLACE);
    atomicAdd(&w.start[w.key[i]], 1);
  }
}

/* Into the places of their cells, in any order. */
static __global__ void __launch_bounds__(CQ_THREADS) fill_cells(world w) {
  const int i = thread_of_all();
  if (i < w.n) {
    w.who[w.start[w.key[i]] + atomicAdd(&w.cursor[w.key[i]], 1)] = i;
  }
}

/* Then in their order: a grain goes behind those of its cell that stood before it. */
static __global__ void __launch_bounds__(CQ_THREADS) order_cells(world w) {
  const int at = thread_of_all();
  if (at >= w.n) {
    return;
  }
  const int i = w.who[at], first = w.start[w.key[i]], last = w.start[w.key[i] + 1];
  int to = first;
  for (int k = first; k < last; k++) {
    to += w.who[k] < i;
  }
  w.order[to] = i;
}

/* Rows of `width` words, in the order of the cells. */
static __global__ void __launch_bounds__(CQ_THREADS)
    reorder(world w, const unsigned *from, int width) {
  const int k = thread_of_all();
  if (k < w.n * width) {
    w.scratch[k] = from[(size_t)w.order[k / width] * (size_t)width + (size_t)(k % width)];
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) stand_still(world w) {
  const int i = thread_of_all();
  if (i < w.n) {
    w.was[i] = i;
  }
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* How many pairs a grain finds; or, with `count` as where they begin, the pairs. One kernel does
 * both, so that they are the same ones. */
static __global__ void __launch_bounds__(CQ_THREADS) find_pairs(world w, cells c, bool write) {
  const int i = thread_of_all();
  if (i > w.n) {
    return;
  }
  search f;
  f.c = c;
  f.place = w.place;
  f.listed = w.listed;
  f.start = w.start;
  f.key = f.head = f.next = NULL;
  f.n_grains = w.n;
  f.cyclic = w.cyclic;
  f.smallest = w.smallest;
  f.period = w.period;
  f.a = w.found_a;
  f.b = w.found_b;
  f.n = write ? (size_t)w.count[i] : 0;
  f.room = write ? w.pair_room : 0;
  if (i < w.n) {
    search_grain(&f, i);
  }
  if (!write) {
    w.count[i] = (int)f.n;
  }
}

/* What the pair of these two has in the list before: its number, or -1. */
static __device__ inline int pair_before(const world &w, int a, int b) {
  for (int at = w.first[a]; at < w.first[a + 1]; at++) {
    const int k = w.around[at];
    if (w.a[k] == b || w.b[k] == b) {
      return k;
    }
  }
  return -1;
}

/* Impulses go on with their pairs; they act on the lower grain, which may be the other one now. */
static __global__ void __launch_bounds__(CQ_THREADS) carry(world w, int n_pairs) {
  const int k = thread_of_all();
  if (k >= n_pairs) {
    return;
  }
  const int a = w.was[w.found_a[k]], b = w.was[w.found_b[k]], old = pair_before(w, a, b);
  impulse p = no_impulse();
  if (old >= 0 && w.p[old] != K(0)) {
    p = impulse_at(w.p + old, w.pair_room);
    const scalar sign = w.a[old] == a ? K(1) : K(-1);
    p.pt = vec_scale(sign, p.pt);
    FOR_SPINS(s) {
      p.pr.v[s] = sign * p.pr.v[s];
    }
  }
  put_impulse(w.carried + k, w.pair_room, p);
}

/* --- pairs of a grain ------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(CQ_THREADS) count_around(world w) {
  const int k = thread_of_all();
  if (k < w.n_pairs) {
    atomicAdd(&w.first[w.a[k]], 1);
    atomicAdd(&w.first[w.b[k]], 1);
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) fill_around(world w) {
  const int k = thread_of_all();
  if (k < w.n_pairs) {
    w.around[w.first[w.a[k]] + atomicAdd(&w.key[w.a[k]], 1)] = k;
    w.around[w.first[w.b[k]] + atomicAdd(&w.key[w.b[k]], 1)] = k;
  }
}

/* A grain puts its pairs in order, and takes what it has as a particle. */
static __global__ void __launch_bounds__(CQ_THREADS) order_around(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const int first = w.first[i], last = w.first[i + 1];
  for (int k = first + 1; k < last; k++) {
    const int pair = w.around[k];
    int at = k;
    for (; at > first && w.around[at - 1] > pair; at--) {
      w.around[at] = w.around[at - 1];
    }
    w.around[at] = pair;
  }
  for (int k = 0; k < 4; k++) {
    w.grain_share[(size_t)i * 4 + (size_t)k] = w.share[(size_t)w.id[i] * 4 + (size_t)k];
  }
  if (w.kind != NULL) {
    w.kind[i] = w.kind_of[w.id[i]];
  }
}

#endif
