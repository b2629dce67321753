/* A sweep of the solvers. */
#ifndef CQ_FLUID_CUDA_SWEEPS_CUH
#define CQ_FLUID_CUDA_SWEEPS_CUH

#include "fluid_cuda_bodies.cuh"

/* Has an earlier sweep found the error small enough? */
static __device__ inline bool is_over(const world &w, int sweep) {
  return sweep > w.found->last_sweep;
}

/* A solver begins, with half the pressures of the step before if it is warm. */
static __global__ void __launch_bounds__(CQ_THREADS) start(world w, bool warm) {
  const int i = thread_of_all();
  if (i == 0) {
    w.found->last_sweep = INT_MAX;
    w.found->done = 0;
    w.found->error = 0.0;
  }
  if (is_particle(w, i)) {
    w.pressure[i] = w.change[i] = warm ? sweep_warm(w.gain[i], w.before[i]) : K(0);
  }
  if (warm) {
    sum_block(w, i, SUM_PUSHES);
  }
}

/* sum over j of V_j (v_i - v_j) . grad W_ij over the fluid, and over what does not move */
static __device__ inline scalar divergence_of(const world &w, int i) {
  quad theirs = quad_zero();
  for (int k = 0; k < w.count[i]; k++) {
    const size_t at = entry(w, k, i);
    theirs = quad_axpy(theirs, w.slope[at], w.v[w.near[at]]);
  }
  const scalar about = moment_about(w.found, w.x[i], theirs);
  return quad_dot(w.v[i], w.all[i]) - (about - theirs.a[CQ_QUAD - 1]);
}

/* What each particle's pressure changes by, from the error of its density (or of the change of it
 * alone); and what that does to bodies. */
static __global__ void __launch_bounds__(CQ_THREADS) measure(world w, int sweep, bool density) {
  const int i = thread_of_all();
  double counted = 0.0;
  if (is_over(w, sweep)) {
    return;
  }
  if (is_particle(w, i)) {
    scalar of_bodies = K(0);
    for (int k = 0; w.n_bodies > 0 && k < w.n_touches[i]; k++) {
      const fluid_touch *touch = &w.touches[entry(w, k, i)];
      of_bodies = touch_divergence(of_bodies, touch, &w.twist[touch->body]);
    }
    const scalar rate = divergence_of(w, i) - of_bodies;
    const scalar error = (density ? w.excess[i] : K(0)) + w.dt * rate;
    const scalar before = w.pressure[i], wanted = sweep_wanted(before, w.gain[i], error);
    const scalar p = wanted > K(0) ? wanted : K(0);
    w.pressure[i] = p;
    w.change[i] = p - before;
    counted = sweep_counted(error, w.light[i]);
  }
  counted = block_sum(counted);
  if (threadIdx.x == 0) {
    w.block_error[blockIdx.x] = counted;
  }
  sum_block(w, i, SUM_PUSHES);
}

/* A block is a body, which is pushed; the last one finds the mean error, and ends the solver.
 * sweep -1: there is no error. */
static __global__ void __launch_bounds__(CQ_THREADS) kick(world w, int sweep, fluid_solve s) {
  const int b = (int)blockIdx.x;
  if (is_over(w, sweep)) {
    return;
  }
  if (b < w.n_bodies) {
    const wrench sum = wrench_of_body(w, b);
    if (threadIdx.x == 0) {
      fluid_kick(&w.bodies[b], sum);
      fluid_show(&w.bodies[b], &w.twist[b], w.center[b]);
    }
  } else if (sweep >= 0) {
    double sum = 0.0;
    for (int i = (int)threadIdx.x; i < w.n_blocks; i += CQ_THREADS) {
      sum += w.block_error[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
      findings *f = w.found;
      f->error = f->n > 0 ? sum / f->n : 0.0;
      f->done++;
      if (s.tolerance > 0.0 && sweep + 1 >= s.least && f->error <= s.tolerance) {
        f->last_sweep = sweep;
      }
    }
  }
}

/* The velocities' part of a sweep. */
static __global__ void __launch_bounds__(CQ_THREADS) push(world w, int sweep) {
  const int i = thread_of_all();
  if (is_over(w, sweep) || !is_particle(w, i)) {
    return;
  }
  const quad x = w.x[i];
  quad sum = quad_zero();
  for (int k = 0; k < w.count[i]; k++) {
    const size_t at = entry(w, k, i);
    const int j = w.near[at];
    sum = quad_axpy(sum, w.slope[at] * w.change[j], quad_sub(x, w.x[j]));
  }
  sum = quad_axpy(sum, w.change[i], w.all[i]);
  w.v[i] = with_moment(w, x, quad_axpy(w.v[i], -(w.dt * w.light[i]), sum));
}

#endif
