/* Which particles share a cell. */
#ifndef CQ_MPM_CUDA_CELLS_CUH
#define CQ_MPM_CUDA_CELLS_CUH

#include "mpm_cuda_world.cuh"

/* Before a segment: where it is, and an empty box. */
static __global__ void begin(world w, cursor c) {
  *w.at = c;
  w.boxes[0] = box_empty(w);
}

/* After a graph of `steps` steps, an even number: the next one begins where it ended. */
static __global__ void advance(world w, job steps) {
  cursor c = *w.at;
  c.in = state_at(w, steps.i);
  c.out += (ptrdiff_t)steps.i * c.apart;
  c.first += steps.i * c.turn;
  *w.at = c;
}

/* Makes a box hold the cells of a warp's valid particles. Most warps find that it does. */
static __device__ inline void grow_box(const world &w, box *b, const int *base, bool valid) {
  FOR_AXES(a) {
    const int low = __reduce_min_sync(whole_warp, valid ? base[a] : w.grid[a]);
    const int high = __reduce_max_sync(whole_warp, valid ? base[a] : -1);
    if (threadIdx.x % CQ_WARP == 0 && low < *(volatile int *)&b->low[a]) {
      atomicMin(&b->low[a], low);
    }
    if (threadIdx.x % CQ_WARP == 0 && high > *(volatile int *)&b->high[a]) {
      atomicMax(&b->high[a], high);
    }
  }
}

/* Counts record i, at x, as a particle of its cell in the segment's state k. All threads call it.
 */
static __device__ inline void count_in_cell(const world &w, int k, int i, vec x, bool valid) {
  int base[CQ_DIM] = {0};
  if (valid) {
    base_of(w, x, base);
    w.key[i] = node_at(w, base);
    if (!w.naive) {
      atomicAdd(&w.count[w.key[i]], 1);
    }
  }
  grow_box(w, &w.boxes[k & 1], base, valid);
}

/* Cells get their numbers after this. */
static __device__ inline void clear_totals(const world &w, int i) {
  if (i == 0) {
    w.totals[0] = w.totals[1] = 0;
  }
}

/* The cells of state i of a segment, where no step before it has counted them. */
static __global__ void __launch_bounds__(CQ_THREADS) count(world w, job j) {
  const int i = thread_of_all();
  const bool valid = i < w.n && !stopped(w, j);
  clear_totals(w, i);
  const vec x = valid ? slab_position(state_at(w, j.i), w.stride, i) : vec_zero();
  count_in_cell(w, j.i, i, x, valid);
}

/* Numbers, and slots, for the cells of a box that have particles; in no order that matters. What
 * was counted is cleared. */
static __global__ void __launch_bounds__(CQ_THREADS) number(world w, job j) {
  __shared__ int cells[CQ_WARPS + 1], slots[CQ_WARPS + 1];
  if (stopped(w, j)) {
    return;
  }
  const int lane = (int)threadIdx.x % CQ_WARP, warp = (int)threadIdx.x / CQ_WARP;
  const box b = w.boxes[j.i & 1];
  const int n = box_count(&b, 0);
  for (int first = (int)(blockIdx.x * blockDim.x); first < n; first += threads_of_all()) {
    const int k = first + (int)threadIdx.x;
    int cell = 0, here = 0, index[CQ_DIM];
    if (k < n) {
      box_index(&b, 0, k, index);
      cell = node_at(w, index);
      here = w.count[cell];
    }
    const unsigned taken = __ballot_sync(whole_warp, here > 0);
    int sum = here; /* of this lane and those before it */
    for (int far = 1; far < CQ_WARP; far *= 2) {
      const int before = __shfl_up_sync(whole_warp, sum, far);
      sum += lane >= far ? before : 0;
    }
    if (lane == CQ_WARP - 1) {
      cells[warp] = __popc(taken);
      slots[warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int all_cells = 0, all_slots = 0;
      for (int i = 0; i < CQ_WARPS; i++) {
        const int these = cells[i], those = slots[i];
        cells[i] = all_cells;
        slots[i] = all_slots;
        all_cells += these;
        all_slots += those;
      }
      cells[CQ_WARPS] = atomicAdd(&w.totals[0], all_cells);
      slots[CQ_WARPS] = atomicAdd(&w.totals[1], all_slots);
    }
    __syncthreads();
    if (k < n && here > 0) {
      const int before = __popc(taken & ((1u << lane) - 1u));
      const int m = cells[CQ_WARPS] + cells[warp] + before;
      w.first[m] = w.filled[m] = slots[CQ_WARPS] + slots[warp] + sum - here;
      w.number[cell] = m;
      w.count[cell] = 0;
    } else if (k < n) {
      w.number[cell] = -1;
    }
    __syncthreads();
  }
}

#endif
