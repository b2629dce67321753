/* What acts on particles beside pressure, and the end of a step. */
#ifndef CQ_FLUID_CUDA_FORCES_CUH
#define CQ_FLUID_CUDA_FORCES_CUH

#include "fluid_cuda_bodies.cuh"

/* force per volume that the viscosity of its neighbours is for particle i */
static __device__ inline quad drag_of_fluid(const world &w, int i) {
  const quad x = w.x[i], v = w.v[i];
  quad sum = quad_zero();
  for (int k = 0; k < w.count[i]; k++) {
    const int j = w.near[entry(w, k, i)];
    const quad d = quad_sub(x, w.x[j]);
    const scalar viscosity = K(0.5) * (w.viscosity[i] + w.viscosity[j]) / (K(1) + w.excess[j]);
    const scalar factor = quad_dot(d, quad_sub(v, w.v[j])) *
                          pair_viscosity(&w.run.spline, viscosity, w.volume[j], quad_dot(d, d));
    sum = quad_axpy(sum, factor, d);
  }
  const scalar share = K(1) + w.excess[i];
  FOR_AXES(a) {
    sum.a[a] = sum.a[a] / share;
  }
  return sum;
}

/* the same at sample b, if it drags; its body takes the impulse */
static __device__ inline void drag_of_sample(const world &w, int i, scalar drag, int b, quad *sum) {
  const quad x = w.x[i], v = w.v[i], xb = w.sorted_x[b], d = quad_sub(x, xb);
  const scalar square = quad_dot(d, d), h = w.run.spline.h;
  const int body = w.sorted_body[b];
  if (!w.sorted_sticky[b] || !(square < h * h)) {
    return;
  }
  const vec vb = touch_velocity(body, w.twist, w.center, x.a);
  const scalar slope =
      xb.a[CQ_QUAD - 1] * kernel_slope(&w.run.spline, real_sqrt(square) * w.run.spline.inverse);
  const scalar factor = pair_drag(&w.run.spline, drag, slope, square);
  scalar impulse[CQ_DIM];
  FOR_AXES(a) {
    const scalar force = factor * (v.a[a] - vb.v[a]);
    sum->a[a] += force;
    impulse[a] = w.dt * w.volume[i] * force;
  }
  for (int k = 0; body >= 0 && k < w.n_touches[i]; k++) {
    fluid_touch *touch = &w.touches[entry(w, k, i)];
    if (touch->body == body) {
      touch_react(touch, x.a, w.center, impulse);
    }
  }
}

static __device__ inline quad drag_of_samples(const world &w, int i) {
  const scalar drag = CQ_FLUID_WALL_DRAG * w.viscosity[i] / (K(1) + w.excess[i]);
  cells_run runs[CQ_CELL_RUNS];
  quad sum = quad_zero();
  const int n = cells_around(&w.found->box, w.samples.start, w.x[i].a, runs);
  for (int r = 0; r < n; r++) {
    for (int b = runs[r].first; b < runs[r].last; b++) {
      drag_of_sample(w, i, drag, b, &sum);
    }
  }
  return sum;
}

/* part of the mean of velocities nearby beside its own */
static __device__ inline quad blend(const world &w, int i) {
  const quad x = w.x[i], v = w.v[i];
  quad sum = quad_zero();
  for (int k = 0; k < w.count[i]; k++) {
    const int j = w.near[entry(w, k, i)];
    const quad d = quad_sub(x, w.x[j]);
    const scalar q = real_sqrt(quad_dot(d, d)) * w.run.spline.inverse;
    sum = quad_axpy(sum, w.volume[j] * kernel_value(&w.run.spline, q), quad_sub(w.v[j], v));
  }
  return sum;
}

/* what surface tension accelerates by, but for its coefficient */
static __device__ inline quad tension_of(const world &w, int i) {
  const quad x = w.x[i], normal = quad_sub(w.all[i], w.wall[i]);
  quad sum = quad_zero();
  for (int k = 0; k < w.count[i]; k++) {
    const int j = w.near[entry(w, k, i)];
    const quad d = quad_sub(x, w.x[j]);
    const scalar square = quad_dot(d, d);
    if (square > K(0) && w.light[j] > K(0)) { /* what glides has no mass here */
      const scalar r = real_sqrt(square);
      const scalar pull = w.volume[j] / w.light[j] * pair_cohesion(&w.run.spline, r) / r;
      const scalar share = K(2) / (K(2) + w.excess[i] + w.excess[j]);
      const quad other = quad_sub(w.all[j], w.wall[j]);
      FOR_AXES(a) {
        sum.a[a] += share * (pull * d.a[a] + w.run.spline.h * (normal.a[a] - other.a[a]));
      }
    }
  }
  return sum;
}

/* by gravity and viscosity */
static __device__ inline quad change_of(const world &w, int i) {
  quad change = quad_zero();
  FOR_AXES(a) {
    change.a[a] = w.dt * w.run.gravity[a];
  }
  if (w.run.viscous) {
    quad force = drag_of_fluid(w, i);
    if (w.run.sticky) {
      force = quad_axpy(force, K(1), drag_of_samples(w, i));
    }
    change = quad_axpy(change, w.dt * w.light[i], force);
  }
  return change;
}

/* Velocities after a step without pressure; those of neighbours are still the old ones. */
static __global__ void __launch_bounds__(CQ_THREADS) force(world w) {
  const int i = thread_of_all();
  if (is_particle(w, i)) {
    const bool glides = !(w.light[i] > K(0));
    w.v_new[i] = glides ? w.v[i] : with_moment(w, w.x[i], quad_axpy(w.v[i], K(1), change_of(w, i)));
  }
  if (w.run.viscous && w.run.sticky) {
    sum_block(w, i, SUM_DRAGS);
  }
}

/* What surface tension and XSPH add; a kernel of its own, for registers. */
static __global__ void __launch_bounds__(CQ_THREADS) blend_in(world w) {
  const int i = thread_of_all();
  if (!is_particle(w, i) || !(w.light[i] > K(0))) {
    return;
  }
  quad v = w.v_new[i];
  if (w.run.surface_tension > K(0)) {
    v = quad_axpy(v, -(w.dt * w.run.surface_tension), tension_of(w, i));
  }
  if (w.run.xsph > K(0)) {
    v = quad_axpy(v, w.run.xsph, blend(w, i));
  }
  w.v_new[i] = with_moment(w, w.x[i], v);
}

/* A block is a body. */
static __global__ void __launch_bounds__(CQ_THREADS) drag(world w) {
  const int b = (int)blockIdx.x;
  const wrench sum = wrench_of_body(w, b);
  if (threadIdx.x == 0) {
    w.bodies[b].sum = sum;
  }
}

/* --- the end --------------------------------------------------------------------------------- */

/* A particle of the step goes to where it ends. */
static __device__ inline void move_particle(const world &w, int i) {
  const int to = w.particles.order[i];
  scalar *x = w.state_x + (size_t)to * CQ_DIM, *v = w.state_v + (size_t)to * CQ_DIM;
  bool outside;
  FOR_AXES(a) {
    v[a] = w.v[i].a[a];
    x[a] = w.x[i].a[a] + w.dt * v[a];
  }
  w.state_pressure[to] = w.pressure[i];
  if (!advance_is_fine(&w.run.spline, w.dt, w.run.room_low, w.run.room_high, x, v, &outside)) {
    atomicMin(&w.found->end.first_bad, to);
  }
  if (outside) {
    atomicAdd(&w.found->end.outside, 1);
  }
}

/* What sleeps goes on as it does. */
static __global__ void __launch_bounds__(CQ_THREADS) advance(world w) {
  const int i = thread_of_all();
  if (is_particle(w, i)) {
    move_particle(w, i);
  }
  if (i < w.n_all && w.particles.key[i] < 0) {
    FOR_AXES(a) {
      const size_t at = (size_t)i * CQ_DIM + (size_t)a;
      w.state_x[at] = w.state_x[at] + w.dt * w.state_v[at];
    }
    w.state_pressure[i] = K(0);
  }
}

#endif
