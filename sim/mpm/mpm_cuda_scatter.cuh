/* Particles to nodes: what each brings, and the sums of a cell; of a step and of its adjoint. */
#ifndef CQ_MPM_CUDA_SCATTER_CUH
#define CQ_MPM_CUDA_SCATTER_CUH

#include "mpm_cuda_cells.cuh"

/* A packet in memory: where its particle is in its stencil, in cells, and what it carries. */
template <class carried> struct alignas(CQ_QUAD * sizeof(real)) parcel {
  vec place;
  carried what;
};

/* P2G of one node: momentum and mass */
static __device__ inline void add_to_node(quad *sum, const packet *r, real weight, vec dpos) {
  const node one = p2g_node(r, weight, dpos);
  FOR_AXES(a) {
    sum->a[a] += one.momentum.v[a];
  }
  sum->a[CQ_QUAD - 1] += one.mass;
}

/* (C): gradient of one node's velocity */
static __device__ inline void add_to_node(quad *sum, const gathered *g, real weight, vec dpos) {
  const vec one = g2p_node_velocity_adjoint(g, weight, dpos);
  FOR_AXES(a) {
    sum->a[a] += one.v[a];
  }
}

static __device__ inline vec place_of(const world &w, vec x) {
  int base[CQ_DIM];
  base_of(w, x, base);
  return spline_place(x, base, w.t.inv_dx);
}

template <class carried> static __device__ inline parcel<carried> *parcel_at(real *at, int slot) {
  static_assert(sizeof(parcel<carried>) <= CQ_PACKET * sizeof(real), "CQ_PACKET is too small");
  return (parcel<carried> *)(at + (size_t)slot * CQ_PACKET);
}

template <class carried>
static __device__ inline void put(real *at, int slot, vec place, carried what) {
  const parcel<carried> one = {place, what};
  *parcel_at<carried>(at, slot) = one;
}

/* Slots of one cell in the order of their records, which the warp has after a barrier. */
static __device__ inline void order_slots(const world &w, int first, int last, int lane) {
  for (int s = first + lane; s < last; s += CQ_WARP) {
    const int mine = w.who[s];
    int before = 0;
    for (int k = first; k < last; k++) {
      before += w.who[k] < mine;
    }
    w.order[first + before] = s;
  }
}

/* Parcels that a warp loads at once, a quad a lane, and the weights of their stencils. */
enum { CQ_QUADS = CQ_PACKET / CQ_QUAD, CQ_PARCELS = CQ_WARP / CQ_QUADS };
typedef struct tile {
  quad of[CQ_WARP];
  real weight[CQ_PARCELS][CQ_DIM][3];
} tile;
static_assert(CQ_PARCELS * CQ_DIM <= CQ_WARP, "a lane has an axis of one parcel");

/* n parcels of a cell, in order from slot `begin`. */
static __device__ inline void load_tile(const world &w, const real *from, int begin, int n,
                                        tile *t) {
  const int lane = (int)threadIdx.x % CQ_WARP, parcel = lane / CQ_QUADS;
  __syncwarp(whole_warp); /* the order is there, and the tile before has been read */
  if (parcel < n) {
    const size_t slot = (size_t)w.order[begin + parcel];
    t->of[lane] = ((const quad *)from)[slot * CQ_QUADS + (size_t)(lane % CQ_QUADS)];
  }
  __syncwarp(whole_warp);
  if (lane < n * CQ_DIM) {
    const vec *place = (const vec *)&t->of[lane / CQ_DIM * CQ_QUADS]; /* where a parcel begins */
    spline_weights(place->v[lane % CQ_DIM], t->weight[lane / CQ_DIM][lane % CQ_DIM]);
  }
  __syncwarp(whole_warp);
}

/* A warp sums over the particles of a cell, a lane for each node of the stencil. */
template <class carried>
static __device__ inline void sum_cells(const world &w, const real *from, bool ordered, tile *t) {
  const int lane = (int)threadIdx.x % CQ_WARP, cells = w.totals[0];
  int offset[CQ_DIM];
  spline_offset(lane < CQ_STENCIL ? lane : 0, offset);
  for (int m = thread_of_all() / CQ_WARP; m < cells; m += threads_of_all() / CQ_WARP) {
    const int first = w.first[m], last = w.filled[m];
    if (!ordered) {
      order_slots(w, first, last, lane);
    }
    quad sum = quad_make(vec_zero(), K(0));
    for (int begin = first; begin < last; begin += CQ_PARCELS) {
      const int n = last - begin < CQ_PARCELS ? last - begin : CQ_PARCELS;
      load_tile(w, from, begin, n, t);
      for (int i = 0; i < n; i++) {
        const parcel<carried> *one = (const parcel<carried> *)&t->of[i * CQ_QUADS];
        real weight = K(1);
        FOR_AXES(a) {
          weight = weight * t->weight[i][a][offset[a]];
        }
        add_to_node(&sum, &one->what, weight, spline_node_dpos(one->place, offset, w.t.dx));
      }
    }
    if (lane < CQ_STENCIL) {
      w.partial[(size_t)m * CQ_STENCIL + (size_t)lane] = sum;
    }
  }
}

/* What the cells around a node brought to it, in the order of the stencil. */
static __device__ inline quad sum_node(const world &w, const box *b, const int *index) {
  quad sum = quad_make(vec_zero(), K(0));
  FOR_STENCIL(k) {
    int offset[CQ_DIM], cell[CQ_DIM];
    bool inside = true;
    spline_offset(k, offset);
    FOR_AXES(a) {
      cell[a] = index[a] - offset[a];
      inside = inside && cell[a] >= b->low[a] && cell[a] <= b->high[a];
    }
    const int m = inside ? w.number[node_at(w, cell)] : -1;
    if (m >= 0) {
      const quad one = w.partial[(size_t)m * CQ_STENCIL + (size_t)k];
      for (int a = 0; a < CQ_QUAD; a++) {
        sum.a[a] += one.a[a];
      }
    }
  }
  return sum;
}

/* The yardstick: a thread a particle, every node of its stencil by atomics. */
template <class carried>
static __device__ inline void add_to_nodes(const world &w, int i, vec place, carried what) {
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    vec dpos;
    spline_offset(k, offset);
    const real weight = spline_node(place, offset, w.t.dx, &dpos);
    quad one = quad_make(vec_zero(), K(0));
    add_to_node(&one, &what, weight, dpos);
    real *to = w.sum[w.key[i] + node_apart(w, k)].a;
    FOR_AXES(a) {
      atomicAdd(&to[a], one.a[a]);
    }
    atomicAdd(&to[CQ_QUAD - 1], one.a[CQ_QUAD - 1]);
  }
}

static __device__ inline quad take_sum(const world &w, int i) {
  const quad sum = w.sum[i];
  w.sum[i] = quad_make(vec_zero(), K(0));
  return sum;
}

/* --- a step ---------------------------------------------------------------------------------- */

static __device__ inline packet packet_of(const world &w, const real *state, int i, vec *place) {
  const driver d = driver_of(w, i);
  particle q = settled(w, state, i);
  q.v = p2g_pushed(&w.t, d, q.x, q.v);
  *place = place_of(w, q.x);
  return p2g_packet(&w.t, d, substance_of(w, i), q);
}

static __global__ void __launch_bounds__(CQ_THREADS) packets(world w, job j) {
  const int i = thread_of_all();
  if (i >= w.n || stopped(w, j)) {
    return;
  }
  vec place;
  const packet r = packet_of(w, state_at(w, j.i), i, &place);
  const int slot = atomicAdd(&w.filled[w.number[w.key[i]]], 1);
  w.who[slot] = i;
  w.slot[i] = slot;
  put(w.packets, slot, place, r);
}

static __global__ void __launch_bounds__(CQ_THREADS) scatter(world w, job j) {
  __shared__ tile tiles[CQ_WARPS];
  if (!stopped(w, j)) {
    sum_cells<packet>(w, w.packets, false, &tiles[threadIdx.x / CQ_WARP]);
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) naive_scatter(world w, job j) {
  const int i = thread_of_all();
  if (i >= w.n || stopped(w, j)) {
    return;
  }
  vec place;
  const packet r = packet_of(w, state_at(w, j.i), i, &place);
  add_to_nodes(w, i, place, r);
  if (w.at->turn < 0) { /* a sweep wants it again */
    w.slot[i] = i;
    put(w.packets, i, place, r);
  }
}

/* --- its adjoint ----------------------------------------------------------------------------- */

static __device__ inline real *adjoint_slab(const world &w, job j) {
  return w.adjoint + (size_t)j.seed * w.stride * CQ_STATE_COMPONENTS;
}

static __device__ inline gathered gathered_adjoint_of(const world &w, job j, int i, vec *place) {
  const particle q = settled(w, state_at(w, j.i), i);
  const particle d = slab_load(adjoint_slab(w, j), w.stride, i);
  *place = place_of(w, q.x);
  return g2p_gathered_adjoint(&w.t, q.F, &d);
}

static __global__ void __launch_bounds__(CQ_THREADS) adjoint_packets(world w, job j) {
  const int i = thread_of_all();
  if (i < w.n) {
    vec place;
    const gathered g = gathered_adjoint_of(w, j, i, &place);
    put(w.dpackets, w.slot[i], place, g);
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) adjoint_scatter(world w, job j) {
  __shared__ tile tiles[CQ_WARPS];
  (void)j;
  sum_cells<gathered>(w, w.dpackets, true, &tiles[threadIdx.x / CQ_WARP]);
}

static __global__ void __launch_bounds__(CQ_THREADS) adjoint_naive_scatter(world w, job j) {
  const int i = thread_of_all();
  if (i < w.n) {
    vec place;
    const gathered g = gathered_adjoint_of(w, j, i, &place);
    add_to_nodes(w, i, place, g);
    put(w.dpackets, i, place, g);
  }
}

#endif
