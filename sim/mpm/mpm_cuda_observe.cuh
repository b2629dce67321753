/* Observations, controllers and what drives the actuators, between the steps; and their adjoints.
 */
#ifndef CQ_MPM_CUDA_OBSERVE_CUH
#define CQ_MPM_CUDA_OBSERVE_CUH

#include "mpm_cuda_gather.cuh"

/* the state that step i of a segment leads to; i = -1: its first one */
static __device__ inline int observed_state(const world &w, job j) {
  return w.at->first + j.i + 1;
}

/* What is wanted of a group at a state; false: nothing. */
static __device__ inline bool request_at(const world &w, int state, int group, request *r) {
  const int first = w.first_view[w.class_of[state]], last = w.first_view[w.class_of[state] + 1];
  const cq_view *view = cq_view_find(w.views + first, last - first, group);
  if (view == NULL) {
    return false;
  }
  r->at = *view;
  r->exponent = w.parameters[group];
  return true;
}

static __device__ inline bool observes(const world &w, job j, int group, request *r) {
  return w.at->record && !stopped(w, j) && request_at(w, observed_state(w, j), group, r);
}

static __device__ inline subject subject_of(const world &w, const real *state, int i) {
  const subject one = {slab_load(state, w.stride, i), substance_of(w, i), w.material[i]};
  return one;
}

/* The sum of every thread's observation, in the first one: a tree. */
static __device__ inline observation merge_all(observation mine, const request *r) {
  __shared__ observation of[CQ_THREADS];
  __syncthreads(); /* of an earlier call */
  of[threadIdx.x] = mine;
  for (int far = CQ_THREADS / 2; far > 0; far /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < far) {
      observe_merge(&of[threadIdx.x], r, &of[(int)threadIdx.x + far]);
    }
  }
  return of[0];
}

/* a block a chunk of a group */
static __global__ void __launch_bounds__(CQ_THREADS, 1) observe_chunks(world w, job j) {
  const chunk c = w.chunks[blockIdx.x];
  request r;
  if (!observes(w, j, c.group, &r)) {
    return;
  }
  const real *state = state_at(w, j.i + 1);
  observation mine = observe_nothing();
  for (int k = c.first + (int)threadIdx.x; k < c.last; k += CQ_THREADS) {
    const subject one = subject_of(w, state, w.place[w.group_particles[k]]);
    observe_add(&mine, &r, &one);
  }
  mine = merge_all(mine, &r);
  if (threadIdx.x == 0) {
    w.sums[blockIdx.x] = mine;
  }
}

/* a block a group */
static __global__ void __launch_bounds__(CQ_THREADS, 1) observe_groups(world w, job j) {
  const int group = (int)blockIdx.x;
  request r;
  if (!observes(w, j, group, &r)) {
    return;
  }
  observation mine = observe_nothing();
  for (int k = w.chunk_start[group] + (int)threadIdx.x; k < w.chunk_start[group + 1];
       k += CQ_THREADS) {
    observe_merge(&mine, &r, &w.sums[k]);
  }
  mine = merge_all(mine, &r);
  if (threadIdx.x == 0) {
    w.group_totals[group] = mine.total;
    observe_result(&mine, &r, w.z + w.row[observed_state(w, j)]);
  }
}

/* One block. Controls of a step, or those that the first run has left, and what they drive. */
static __global__ void __launch_bounds__(CQ_THREADS) control(world w, job j) {
  if (stopped(w, j)) {
    return;
  }
  const int step = step_of(w, j);
  double *u = w.u + (size_t)step * (size_t)w.n_controls;
  const double *z = w.z + w.row[step];
  if (w.at->record) {
    control_eval(w.controller, w.theta, z, step, u, w.room);
    __syncthreads();
  }
  FOR_TEAM(i, w.n_actuators) {
    const actuator a = push_in_step(w.actuators[i], w.dt, step);
    actuation_drive(&a, u, z, w.drives);
  }
  __syncthreads();
  FOR_TEAM(i, w.n_drives) {
    w.w[i] = K(w.drives[i]);
  }
}

/* --- adjoints -------------------------------------------------------------------------------- */

/* a block an actuator: sums over its particles, in their order in the model */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_drives(world w, job j) {
  (void)j;
  const int a = (int)blockIdx.x;
  for (int k = 0; k < w.actuators[a].n_drives; k++) {
    const real *from = w.dw_of + (size_t)k * w.stride;
    double mine = 0.0;
    for (int i = w.driven_start[a] + (int)threadIdx.x; i < w.driven_start[a + 1]; i += CQ_THREADS) {
      mine += (double)from[w.place[w.driven_particles[i]]];
    }
    const double sum = block_sum(mine);
    if (threadIdx.x == 0) {
      w.dw[w.actuators[a].first_drive + k] = sum;
    }
  }
}

/* where the first gradient that is not finite belongs to */
static __device__ inline void place_bad(const world &w, job j, int step) {
  const unsigned long long bad = w.end->bad;
  if (bad >> 32 == (unsigned long long)(w.steps - step)) {
    const int p = (int)(bad >> 4 & 0xfffffffull);
    const vec x = slab_position(state_at(w, j.i), w.stride, w.place[p]);
    FOR_AXES(a) {
      w.end->bad_x[a] = (double)x.v[a];
    }
  }
}

/* What the blocks of `adjoint_nodes` left of gravity, damping and friction: a warp a number. */
static __device__ inline void sum_grid(const world &w, job j) {
  const int lane = (int)threadIdx.x % CQ_WARP, warp = (int)threadIdx.x / CQ_WARP;
  for (int k = warp; k < CQ_DIM + 1 + w.n_walls; k += CQ_WARPS) {
    double mine = 0.0;
    for (int i = lane; i < w.node_blocks; i += CQ_WARP) {
      mine += w.block_sums[(size_t)i * CQ_GRID_SUMS + (size_t)k];
    }
    mine = warp_sum(mine);
    if (lane == 0) {
      w.dgrid[(size_t)j.seed * CQ_GRID_SUMS + (size_t)k] += mine;
    }
  }
}

/* The adjoint of `control`, after the sums over nodes; and what the seed adds at the state. At the
 * last state there is no step. One block. */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_control(world w, job j) {
  const int step = step_of(w, j);
  const bool is_step = step < w.steps;
  if (is_step) {
    sum_grid(w, j);
  }
  const size_t n_u = (size_t)w.n_controls, seed = (size_t)j.seed, row = w.row[step];
  const size_t length = w.row[step + 1] - row;
  for (size_t i = threadIdx.x; i < length; i += CQ_THREADS) {
    w.dz_now[i] = w.dz[seed * w.row[w.steps + 1] + row + i];
  }
  for (int i = (int)threadIdx.x; is_step && i < w.n_controls; i += CQ_THREADS) {
    w.du_now[i] = w.du[(seed * (size_t)w.steps + (size_t)step) * n_u + (size_t)i];
  }
  __syncthreads();
  if (is_step) {
    const double *u = w.u + (size_t)step * n_u, *z = w.z + row;
    for (int i = 0; threadIdx.x == 0 && i < w.n_actuators; i++) { /* some share a control */
      const actuator a = push_in_step(w.actuators[i], w.dt, step);
      actuation_drive_adjoint(&a, u, z, w.dw, w.du_now, w.dz_now);
    }
    __syncthreads();
    control_adjoint(w.controller, w.theta, z, step, w.du_now, w.dtheta + seed * (size_t)w.n_theta,
                    w.dz_now, w.room);
    if (threadIdx.x == 0) {
      place_bad(w, j, step);
    }
  }
  __syncthreads();
  for (int k = (int)threadIdx.x; k < w.n_groups; k += CQ_THREADS) {
    request r;
    w.moved[k] = request_at(w, step, k, &r) && observe_moves(&r, w.dz_now);
  }
}

/* A thread a particle: the pull-back of dz of the groups it is in, in their order. */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_observe(world w, job j) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const int p = w.id[i], first = w.member_start[p], last = w.member_start[p + 1];
  const int step = step_of(w, j);
  for (int m = first; m < last; m++) {
    const int k = w.member_group[m];
    request r;
    if (!w.moved[k] || !request_at(w, step, k, &r)) {
      continue;
    }
    const subject one = subject_of(w, state_at(w, j.i), i);
    const subject_adjoint d =
        observe_adjoint(&r, &one, w.group_totals[k], w.z + w.row[step], w.dz_now);
    real *slab = adjoint_slab(w, j);
    particle to = slab_load(slab, w.stride, i);
    FOR_AXES(a) {
      to.x.v[a] += K(d.x[a]);
      to.v.v[a] += K(d.v[a]);
    }
    to.F = mat_add(to.F, d.F);
    slab_store(slab, w.stride, i, to);
    add_substance(w, j, i, d.E, d.nu, d.density, d.volume);
  }
}

/* Euclidean norms of a seed's adjoint: x, v, F, C. One block. */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_norms(world w, job j) {
  const real *slab = adjoint_slab(w, j);
  const int starts[] = {CQ_STATE_x, CQ_STATE_v, CQ_STATE_F, CQ_STATE_C, CQ_STATE_COMPONENTS};
  for (int f = 0; f < 4; f++) {
    double mine = 0.0;
    for (int c = starts[f]; c < starts[f + 1]; c++) {
      for (int i = (int)threadIdx.x; i < w.n; i += CQ_THREADS) {
        const double d = (double)slab[(size_t)c * w.stride + (size_t)i];
        mine += d * d;
      }
    }
    const double sum = block_sum(mine);
    if (threadIdx.x == 0) {
      w.norms[f] = sqrt(sum);
    }
  }
}

#endif
