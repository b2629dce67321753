/* Sums over what touches a body, and what they do to it. */
#ifndef CQ_FLUID_CUDA_BODIES_CUH
#define CQ_FLUID_CUDA_BODIES_CUH

#include "fluid_cuda_world.cuh"

/* of what */
typedef enum touch_sum {
  SUM_WEIGHTS, /* V weight, the first of the numbers alone */
  SUM_PUSHES,  /* impulses by what pressures change */
  SUM_DRAGS    /* impulses of the viscosity */
} touch_sum;

static __device__ inline void add_touch(const world &w, int i, const fluid_touch *touch,
                                        touch_sum what, double *sum) {
  if (what == SUM_WEIGHTS) {
    sum[0] += (double)(w.volume[i] * touch->weight);
    return;
  }
  const scalar factor = what == SUM_PUSHES ? w.dt * w.volume[i] * w.change[i] : K(1);
  const scalar *f = what == SUM_PUSHES ? touch->g : touch->drag;
  const scalar *t = what == SUM_PUSHES ? touch->t : touch->drag_t;
  FOR_AXES(a) {
    sum[a] += (double)(factor * f[a]);
  }
  for (int s = 0; s < CQ_SPINS; s++) {
    sum[CQ_DIM + s] += (double)(factor * t[s]);
  }
}

/* Of particle i, which is the thread's, and all others of the block: its part of the sums of each
 * body. All threads call it, after meet() has said whether there is anything. */
static __device__ inline void sum_block(const world &w, int i, touch_sum what) {
  const int numbers = what == SUM_WEIGHTS ? 1 : CQ_TWIST;
  if (w.n_bodies == 0 || !w.touched[blockIdx.x]) {
    return;
  }
  for (int b = 0; b < w.n_bodies; b++) {
    double sum[CQ_TWIST] = {0.0};
    for (int k = 0; is_particle(w, i) && k < w.n_touches[i]; k++) {
      const fluid_touch *touch = &w.touches[entry(w, k, i)];
      if (touch->body == b) {
        add_touch(w, i, touch, what, sum);
      }
    }
    for (int k = 0; k < numbers; k++) {
      const double all = block_sum(sum[k]);
      if (threadIdx.x == 0) {
        w.body_sums[((size_t)blockIdx.x * (size_t)w.n_bodies + (size_t)b) * CQ_TWIST + k] = all;
      }
    }
  }
}

/* The sum of number k of body b over all blocks, for all threads. */
static __device__ inline double sum_blocks(const world &w, int b, int k) {
  double sum = 0.0;
  for (int i = (int)threadIdx.x; i < w.n_blocks; i += CQ_THREADS) {
    const size_t at = ((size_t)i * (size_t)w.n_bodies + (size_t)b) * CQ_TWIST;
    sum += w.touched[i] ? w.body_sums[at + (size_t)k] : 0.0;
  }
  return block_sum(sum);
}

/* What SUM_PUSHES or SUM_DRAGS adds up to for the block's body. */
static __device__ inline wrench wrench_of_body(const world &w, int b) {
  scalar numbers[CQ_TWIST];
  for (int k = 0; k < CQ_TWIST; k++) {
    numbers[k] = (scalar)sum_blocks(w, b, k);
  }
  return fluid_wrench(numbers, numbers + CQ_DIM);
}

/* What particles meet of bodies. */
static __global__ void show(world w) {
  const int b = thread_of_all();
  if (b < w.n_bodies) {
    fluid_show(&w.bodies[b], &w.twist[b], w.center[b]);
  }
}

/* --- weights --------------------------------------------------------------------------------- */

/* Weights of touches of free bodies. */
static __global__ void __launch_bounds__(CQ_THREADS) weigh(world w) {
  const int i = thread_of_all();
  for (int k = 0; is_particle(w, i) && k < w.n_touches[i]; k++) {
    fluid_touch *touch = &w.touches[entry(w, k, i)];
    const fluid_body *b = &w.bodies[touch->body];
    touch->weight = b->free ? fluid_weight(b, touch) : K(0);
  }
  sum_block(w, i, SUM_WEIGHTS);
}

/* A block is a body. */
static __global__ void __launch_bounds__(CQ_THREADS) weigh_body(world w) {
  const double sum = sum_blocks(w, (int)blockIdx.x, 0);
  if (threadIdx.x == 0) {
    w.bodies[blockIdx.x].touching = sum;
  }
}

/* The part of touches in the diagonal, and what follows from that. */
static __global__ void __launch_bounds__(CQ_THREADS) gains(world w) {
  const int i = thread_of_all();
  if (!is_particle(w, i)) {
    return;
  }
  scalar diagonal = w.diagonal[i];
  for (int k = 0; w.n_bodies > 0 && k < w.n_touches[i]; k++) {
    const fluid_touch *touch = &w.touches[entry(w, k, i)];
    if (touch->weight > K(0)) {
      diagonal += touch->weight * (scalar)w.bodies[touch->body].touching;
    }
  }
  w.gain[i] = sweep_gain(&w.run.spline, w.dt, w.light[i], diagonal);
}

#endif
