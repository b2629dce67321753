/* What the kernels of a variant work on. A state is on the device in the order of the model's
 * particles; a step sorts them by cells, as on the CPU, and puts them back.
 *
 * A step on the device:
 *   bound, fit            the box of cells around the fluid
 *   clear, key_*, scan_*, put, arrange, take_*
 *                         particles, then samples, in the order of cells
 *   meet, touch           neighbours, densities, touches of bodies
 *   weigh, weigh_body, gains
 *                         what touches share of a free body, diagonals
 *   measure, kick, push   a sweep: pressures; bodies and the error; velocities
 *   force, drag, blend_in forces beside the pressures, and those on bodies
 *   advance               the new state
 *
 * A thread is a particle, a sample or a cell; a block is a body where bodies are pushed. Sums over
 * the neighbours of a particle are made by one thread in the order of the sorted list; of a body
 * first by blocks of particles, then over these, as trees whose shape does not change. No atomics
 * add floating-point numbers, and slots that are taken in any order are put in order. So a run has
 * the same bits every time. */
#ifndef CQ_FLUID_CUDA_WORLD_CUH
#define CQ_FLUID_CUDA_WORLD_CUH

#include "cells.h"
#include "cuda_block.cuh"
#include "fluid_device.h"
#include "point/advance.h"
#include "point/pair.h"

#include <limits.h>

enum {
  CQ_QUAD = 4,
  CQ_BOUND_BLOCKS = 64,     /* parts of the particles, for their box */
  CQ_SCAN = 8 * CQ_THREADS, /* cells that a block counts up */
  CQ_MOST_BLOCKS = 4096     /* of kernels over cells */
};

/* a vector in one load, and beside it its moment (x - origin) . v */
typedef struct alignas(CQ_QUAD * sizeof(scalar)) quad {
  scalar a[CQ_QUAD];
} quad;

/* What a step finds out. */
typedef struct findings {
  cells box;
  scalar origin[CQ_DIM];
  int n, n_samples;            /* that are awake; that are near the fluid */
  int most_near, most_touches; /* of a particle, where there is no room for them; else 0 */
  int last_sweep;              /* that is made, of the solver at work */
  int done;
  double error;
  fluid_end end;
} findings;

/* points that are sorted by cells */
typedef struct sorting {
  int n;
  int *key, *slot, *who, *order; /* [n] cell or -1; within it; point in a slot; in order */
  int *start;                    /* [cells + 1] */
  int *sums;                     /* [cells/CQ_SCAN + 1] */
} sorting;

/* By value to every kernel: all arrays are on the device. */
typedef struct world {
  int n_all, n_samples, n_wall_samples, n_bodies, n_blocks; /* blocks: of a thread a particle */
  size_t stride;                                            /* of lists */
  int near_room, touch_room;
  fluid_run run;  /* its arrays are the device's */
  double t;       /* of the step */
  double seconds; /* that it takes; dt is the same in this precision */
  scalar dt;
  int most_cells;
  findings *found;

  scalar *state_x, *state_v, *state_pressure; /* [n_all][CQ_DIM], ... of a state */
  scalar *bounds;                             /* [CQ_BOUND_BLOCKS][2][CQ_DIM] */
  sorting particles, samples;

  /* particles of a step, sorted */
  quad *x, *v, *v_new;
  scalar *volume, *light, *viscosity, *before;
  scalar *excess, *diagonal, *gain, *pressure, *change;
  quad *wall, *all;
  int *count; /* neighbours; number k of particle i is at k * stride + i */
  int *near;
  scalar *slope;
  int *n_touches; /* of bodies, in the same way */
  fluid_touch *touches;

  /* samples */
  scalar *sample_x; /* [n_samples][CQ_DIM] now */
  quad *sorted_x;   /* with their volumes */
  int *sorted_body;
  unsigned char *sorted_sticky;

  fluid_body *bodies;
  fluid_twist *twist;
  scalar (*center)[CQ_DIM];
  int *touched;        /* [n_blocks] does any of a block's particles touch a body? */
  double *body_sums;   /* [n_blocks][n_bodies][CQ_TWIST] */
  double *block_error; /* [n_blocks] */
} world;

static __device__ inline scalar quad_dot(quad a, quad b) {
  scalar sum = a.a[0] * b.a[0];
  for (int i = 1; i < CQ_DIM; i++) {
    sum += a.a[i] * b.a[i];
  }
  return sum;
}

static __device__ inline quad quad_zero(void) {
  quad r;
  for (int a = 0; a < CQ_QUAD; a++) {
    r.a[a] = K(0);
  }
  return r;
}

static __device__ inline quad quad_sub(quad a, quad b) {
  for (int i = 0; i < CQ_QUAD; i++) {
    a.a[i] -= b.a[i];
  }
  return a;
}

/* a + s b */
static __device__ inline quad quad_axpy(quad a, scalar s, quad b) {
  for (int i = 0; i < CQ_QUAD; i++) {
    a.a[i] += s * b.a[i];
  }
  return a;
}

/* (x - origin) . v */
static __device__ inline scalar moment_about(const findings *f, quad x, quad v) {
  scalar about = K(0);
  FOR_AXES(a) {
    about += (x.a[a] - f->origin[a]) * v.a[a];
  }
  return about;
}

static __device__ inline quad with_moment(const world &w, quad x, quad v) {
  v.a[CQ_QUAD - 1] = moment_about(w.found, x, v);
  return v;
}

/* of thread i: is it of a particle? */
static __device__ inline bool is_particle(const world &w, int i) {
  return i < w.found->n;
}

/* neighbour or touch k of particle i */
static __device__ inline size_t entry(const world &w, int k, int i) {
  return (size_t)k * w.stride + (size_t)i;
}

#endif
