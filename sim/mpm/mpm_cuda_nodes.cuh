/* Nodes: from what cells brought to velocities, and the adjoint; cables, which pull at a few. */
#ifndef CQ_MPM_CUDA_NODES_CUH
#define CQ_MPM_CUDA_NODES_CUH

#include "mpm_cuda_scatter.cuh"

/* Once: which nodes any wall holds. */
static __global__ void __launch_bounds__(CQ_THREADS) find_held(world w, unsigned char *held) {
  for (int i = thread_of_all(); i < w.n_nodes; i += threads_of_all()) {
    int index[CQ_DIM], k = i;
    for (int a = CQ_DIM - 1; a >= 0; a--) {
      index[a] = k % w.grid[a];
      k /= w.grid[a];
    }
    const contact *contacts;
    held[i] = grid_contacts(w.g, index, &contacts) > 0;
  }
}

/* --- cables ---------------------------------------------------------------------------------- */

static __device__ inline int anchor_record(const world &w, int i) {
  return w.place[w.cable.particle[i]];
}

/* Places of the anchors to their impulses; all threads of the one block. */
static __device__ inline void pull_anchors(const world &w, const real *state) {
  for (int i = (int)threadIdx.x; i < w.cable.n_anchors; i += (int)blockDim.x) {
    w.cable.x[i] = slab_position(state, w.stride, anchor_record(w, i));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cables_pull(&w.cable, w.w);
  }
  __syncthreads();
}

/* Momentum from cables to the nodes: one warp, a lane for each node of an anchor's stencil, anchor
 * after anchor. */
static __global__ void __launch_bounds__(CQ_WARP) cables_to_nodes(world w, job j) {
  if (stopped(w, j)) {
    return;
  }
  pull_anchors(w, state_at(w, j.i));
  int offset[CQ_DIM];
  spline_offset((int)threadIdx.x < CQ_STENCIL ? (int)threadIdx.x : 0, offset);
  for (int i = 0; i < w.cable.n_anchors; i++) {
    const vec place = place_of(w, w.cable.x[i]);
    vec dpos;
    const real weight = spline_node(place, offset, w.t.dx, &dpos);
    if ((int)threadIdx.x < CQ_STENCIL) {
      vec *to = &w.pull[w.key[anchor_record(w, i)] + node_at(w, offset)];
      *to = vec_axpy(*to, weight, w.cable.impulse[i]);
    }
    __syncwarp(whole_warp);
  }
}

/* Its adjoint, with dL/dp on the nodes: adds to the gradient of positions and to dw. One block. */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_cables(world w, job j) {
  const cables *c = &w.cable;
  real *to = adjoint_slab(w, j);
  pull_anchors(w, state_at(w, j.i));
  for (int i = (int)threadIdx.x; i < c->n_anchors; i += (int)blockDim.x) {
    const vec x = c->x[i];
    int base[CQ_DIM];
    base_of(w, x, base);
    const stencil s = spline_stencil(x, base, w.t.dx, w.t.inv_dx);
    vec dx = vec_zero(), dimpulse = vec_zero();
    FOR_STENCIL(k) {
      int offset[CQ_DIM];
      spline_offset(k, offset);
      const vec dp = quad_vec(w.dnode[node_at(w, base) + node_apart(w, k)]);
      dimpulse = vec_axpy(dimpulse, spline_weight(&s, offset), dp);
      dx = vec_axpy(dx, vec_dot(dp, c->impulse[i]), spline_weight_gradient(&s, offset));
    }
    c->dimpulse[i] = dimpulse;
    c->impulse[i] = dx; /* it has done its work */
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cables_pull_adjoint(c, w.w, w.dw);
    for (int i = 0; i < c->n_anchors; i++) {
      real *x = to + anchor_record(w, i);
      FOR_AXES(a) {
        x[(size_t)(CQ_STATE_x + a) * w.stride] += c->dx[i].v[a] + c->impulse[i].v[a];
      }
    }
  }
}

/* --- mean pressures -------------------------------------------------------------------------- */

/* What a step begins with, and what it leaves to the next state, which may be in the same place; a
 * sweep changes no state. */
static __device__ inline grid_memory memory_of(const world &w, job j) {
  const bool back = w.at->turn < 0;
  grid_memory m = {NULL, NULL, NULL, NULL};
  if (w.n_slots > 0) {
    m.before = means_at(w, j.i);
    m.after = back ? w.means : means_at(w, j.i + 1);
    m.dafter = m.dbefore = back ? w.dmeans + (size_t)j.seed * (size_t)w.n_slots : NULL;
  }
  return m;
}

static __device__ inline void forget_slot(pressed *mean) {
  mean->sum = mean->weight = mean->owed = K(0);
}

/* Nodes that no particle reaches have none; all threads. */
static __device__ inline void forget_far(const world &w, const box *b, pressed *means) {
  for (int s = thread_of_all(); s < w.n_slots; s += threads_of_all()) {
    if (!box_has(w, b, w.slot_node[s])) {
      forget_slot(&means[s]);
    }
  }
}

/* Nor has a node without mass. */
static __device__ inline void forget_node(const world &w, const int *index, pressed *means) {
  const contact *contacts;
  const int n = w.n_slots > 0 ? grid_contacts(w.g, index, &contacts) : 0;
  for (int i = 0; i < n; i++) {
    if (contacts[i].slot >= 0) {
      forget_slot(&means[contacts[i].slot]);
    }
  }
}

/* --- velocities ------------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(CQ_THREADS) nodes(world w, job j) {
  if (stopped(w, j)) {
    return;
  }
  const box b = w.boxes[j.i & 1];
  const int n = box_count(&b, 2);
  const settings *in = w.inputs;
  const grid_memory memory = memory_of(w, j);
  forget_far(w, &b, memory.after);
  if (thread_of_all() == 0) {
    w.boxes[(j.i + 1) & 1] = box_within(b); /* of the state that the step leads to */
  }
  for (int k = thread_of_all(); k < n; k += threads_of_all()) {
    int index[CQ_DIM];
    box_index(&b, 2, k, index);
    const int i = node_at(w, index);
    const quad sum = w.naive ? take_sum(w, i) : sum_node(w, &b, index);
    node at = {sum.a[CQ_QUAD - 1], quad_vec(sum)};
    if (w.pull != NULL) {
      at.momentum = vec_add(at.momentum, w.pull[i]);
      w.pull[i] = vec_zero();
    }
    vec u = vec_zero(), v = vec_zero();
    if (at.mass > K(0)) {
      u = grid_mean_velocity(at);
      v = w.held[i] ? grid_velocity(w.g, &in->in, in->decay, index, u, at.mass, memory)
                    : grid_free_velocity(w.g, &in->in, in->decay, u);
    } else {
      forget_node(w, index, memory.after);
    }
    w.velocity[i] = quad_make(v, K(0));
    if (w.at->turn < 0) {
      w.mean[i] = quad_make(u, at.mass);
    }
  }
}

/* (D), (E), (L): from dL/dv, which cells bring, to dL/dp; gravity, damping and friction by blocks.
 */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_nodes(world w, job j) {
  const box b = w.boxes[j.i & 1];
  const int n = box_count(&b, 2);
  const settings *in = w.inputs;
  const grid_memory memory = memory_of(w, j);
  forget_far(w, &b, memory.dbefore);
  grid_inputs din;
  din.gravity = vec_zero();
  din.damping = K(0);
  for (int i = 0; i < w.n_walls; i++) {
    din.friction[i] = K(0);
  }
  for (int k = thread_of_all(); k < n; k += threads_of_all()) {
    int index[CQ_DIM];
    box_index(&b, 2, k, index);
    const int i = node_at(w, index);
    const vec dv = quad_vec(w.naive ? take_sum(w, i) : sum_node(w, &b, index));
    const quad mean = w.mean[i];
    const real mass = mean.a[CQ_QUAD - 1];
    vec dp = vec_zero();
    real dmass = K(0);
    if (mass > K(0)) {
      const vec u = quad_vec(mean);
      const vec du =
          w.held[i] ? grid_velocity_adjoint(w.g, &in->in, in->decay, index, u, mass, dv, memory,
                                            &din, &dmass)
                    : grid_free_velocity_adjoint(
                          w.g, in->decay, grid_free_velocity(w.g, &in->in, in->decay, u), dv, &din);
      dp = vec_scale(K(1) / mass, du);
    } else {
      forget_node(w, index, memory.dbefore);
    }
    w.dnode[i] = quad_make(dp, dmass);
  }
  double *sums = w.block_sums + (size_t)blockIdx.x * CQ_GRID_SUMS;
  for (int k = 0; k < CQ_DIM + 1 + w.n_walls; k++) {
    const real mine = k < CQ_DIM    ? din.gravity.v[k]
                      : k == CQ_DIM ? din.damping
                                    : din.friction[k - CQ_DIM - 1];
    const double sum = block_sum((double)mine);
    if (threadIdx.x == 0) {
      sums[k] = sum;
    }
  }
}

#endif
