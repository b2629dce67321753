/* What the kernels of a variant work on. Grains stand in the order of the last list, as on the CPU,
 * and its pairs by colour: two pairs of a colour share no grain. What is summed for a grain is
 * summed by its own thread, over its pairs in their order, then over its touches; so a run has the
 * same bits whatever the order of threads is. Atomics are of integers alone.
 *
 * A step on the device:
 *   sum_motion, mean_motion, check_list  does the list still hold?         a thread a grain
 *   meet_tools    gravity; contacts of grains with walls and tools         a thread a grain
 *   meet_grains   contacts of pairs                                        a thread a pair
 *   push          the impulses that contacts begin with                    a thread a grain
 *   solve_pairs   ncp: pairs of one colour; solve_touches after the last   a thread a pair
 *   split_pairs, split_grains   jacobi                                     a pair; a grain
 *   paper, add_paper            Algorithm 1, all iterations                a thread a grain
 *   move          positions; who has left                                  a thread a grain
 *   wrench_chunks, wrench_tools what pushed the tools                      a block a chunk, a tool
 */
#ifndef CQ_GRAINS_CUDA_WORLD_CUH
#define CQ_GRAINS_CUDA_WORLD_CUH

#include "cuda_block.cuh"
#include "cuda_memory.cuh"
#include "grains_bodies.h"
#include "point/meeting.h"
#include "point/neighbours.h"
#include "point/paper.h"
#include "point/tool_touch.h"

enum {
  GRAIN_P = 1 + CQ_DIM + GRAIN_SPINS,  /* numbers of an impulse: pn, pt, pr */
  GRAIN_CHANGE = CQ_DIM + GRAIN_SPINS, /* of a change of velocity and spin */
  GRAIN_CONTACT = CQ_DIM + 8,          /* of a contact */
  GRAIN_CHUNK = 4 * CQ_THREADS         /* grains that a block sums over, numbers that it scans */
};

/* A part of a tool that does not change; its shape is beside it. */
typedef struct part {
  int tool;
  double origin[3]; /* of the tool at the start */
} part;

/* A contact of a grain with a part of a tool in this step. */
typedef struct met {
  contact c;
  vec v, at; /* of the surface; where it touches, from the origin of the tool */
  spin w;    /* of the tool */
  scalar gap;
} met;

/* What a step has found out, for the host. */
typedef struct outcome {
  unsigned long long contacts, touches;
  unsigned long long deepest; /* penetration, in millionths of a radius */
  int bad;                    /* n - the lowest particle that has left the room; 0: none */
  int ends;                   /* 1: the list does not hold */
  int fast;                   /* grains with a wide slack */
} outcome;

/* By value to every kernel; all arrays are on the device. */
typedef struct world {
  int n, n_pairs, n_parts, n_tools, n_materials, cyclic, iterations;
  size_t pair_room; /* distance of two numbers of a pair */
  bool warm, rolls;
  scalar dt, inverse_dt, smallest, bounce_above, period;
  scalar gravity[CQ_DIM], low[CQ_DIM], high[CQ_DIM];
  double time_step;
  paper_step paper;

  /* a state */
  scalar *place, *rows, *listed; /* as state of grains.h */
  int *id, *laps;
  int *a, *b;    /* [n_pairs] */
  scalar *p;     /* [GRAIN_P][pair_room] */
  int *touches;  /* [n][GRAIN_SURFACE] parts that a grain touches; -1: none */
  scalar *touch; /* [n][GRAIN_SURFACE][GRAIN_P] */

  /* of particles, and of grains in the order of the list */
  const scalar *share; /* [n][4] */
  const unsigned char *kind_of;
  scalar *grain_share;
  unsigned char *kind;
  const cq_granular_pair *pairs; /* [n_materials][n_materials]; NULL: all mean */

  /* tools */
  const part *parts;
  const cq_shape *shapes;      /* [n_parts] */
  const cq_tool_place *placed; /* [n_parts] */
  const cq_tool_pose *poses;   /* [n_tools] as in this step */
  const double *speed, *wall_friction;

  /* contacts of a step */
  scalar *contacts; /* [GRAIN_CONTACT][pair_room] */
  scalar *change;   /* jacobi: [2 GRAIN_CHANGE][pair_room] of both grains */
  met *meets;       /* [n][GRAIN_SURFACE] */
  scalar *dv;       /* paper: [n][CQ_DIM] */
  double *sums;     /* [chunks][max of CQ_DIM, 6 a tool, numbers of an extent] */
  double *mean;     /* [CQ_DIM] */
  double *wrench;   /* [n_tools][6] */
  outcome *out;

  /* pairs of grains: around[first[i] .. first[i + 1]) are those of grain i, in their order */
  int *first, *around;

  /* of list-making */
  int *key, *start;  /* [n] cells; [cells + 1] */
  int *cursor, *who; /* [cells]; [n] by cell, in any order */
  int *order, *was;  /* [n] the grain that one is from the last sorting, from the last list */
  int *count;        /* [n + 1] pairs that a grain finds, then where they begin */
  int *found_a, *found_b;
  scalar *carried; /* [GRAIN_P][pair_room] */
  unsigned *scratch;
  extent *extents; /* [chunks + 1] of chunks, then of all */
  int *totals;     /* of a scan */
} world;

/* --- numbers of a pair ------------------------------------------------------------------------ */

/* Of pair k, from its column. */
static __device__ inline contact contact_at(const world &w, int k) {
  const scalar *from = w.contacts + k;
  const size_t apart = w.pair_room;
  contact c;
  FOR_AXES(a) {
    c.n.v[a] = from[(size_t)a * apart];
  }
  from += CQ_DIM * apart;
  c.arm = from[0];
  c.kn = from[apart];
  c.kt = from[2 * apart];
  c.kr = from[3 * apart];
  c.bias = from[4 * apart];
  c.friction = from[5 * apart];
  c.roll = from[6 * apart];
  c.pull = from[7 * apart];
  return c;
}

/* And into it. */
static __device__ inline void put_contact(const world &w, int k, const contact &c) {
  scalar *to = w.contacts + k;
  const size_t apart = w.pair_room;
  FOR_AXES(a) {
    to[(size_t)a * apart] = c.n.v[a];
  }
  to += CQ_DIM * apart;
  to[0] = c.arm;
  to[apart] = c.kn;
  to[2 * apart] = c.kt;
  to[3 * apart] = c.kr;
  to[4 * apart] = c.bias;
  to[5 * apart] = c.friction;
  to[6 * apart] = c.roll;
  to[7 * apart] = c.pull;
}

/* Pairs that are not near have kn = 0, and are no contact. */
static __device__ inline bool is_contact(const world &w, int k) {
  return w.contacts[(size_t)(CQ_DIM + 1) * w.pair_room + (size_t)k] > K(0);
}

static __device__ inline void put_none(const world &w, int k) {
  w.contacts[(size_t)(CQ_DIM + 1) * w.pair_room + (size_t)k] = K(0);
}

/* An impulse whose numbers are `apart` from each other. */
static __device__ inline impulse impulse_at(const scalar *from, size_t apart) {
  impulse p;
  p.pn = from[0];
  FOR_AXES(a) {
    p.pt.v[a] = from[(size_t)(1 + a) * apart];
  }
  FOR_SPINS(k) {
    p.pr.v[k] = from[(size_t)(1 + CQ_DIM + k) * apart];
  }
  return p;
}

static __device__ inline void put_impulse(scalar *to, size_t apart, const impulse &p) {
  to[0] = p.pn;
  FOR_AXES(a) {
    to[(size_t)(1 + a) * apart] = p.pt.v[a];
  }
  FOR_SPINS(k) {
    to[(size_t)(1 + CQ_DIM + k) * apart] = p.pr.v[k];
  }
}

static __device__ inline impulse no_impulse(void) {
  impulse p;
  p.pn = K(0);
  p.pt = vec_zero();
  FOR_SPINS(k) {
    p.pr.v[k] = K(0);
  }
  return p;
}

/* --- numbers of a grain ----------------------------------------------------------------------- */

static __device__ inline mover mover_at(const world &w, int i) {
  const scalar *row = w.rows + (size_t)i * GRAIN_ROW;
  mover m;
  FOR_AXES(a) {
    m.v.v[a] = row[ROW_V + a];
  }
  FOR_SPINS(k) {
    m.w.v[k] = row[ROW_W + k];
  }
  m.im = row[ROW_IM];
  m.ii = row[ROW_II];
  return m;
}

static __device__ inline void put_mover(const world &w, int i, const mover &m) {
  scalar *row = w.rows + (size_t)i * GRAIN_ROW;
  FOR_AXES(a) {
    row[ROW_V + a] = m.v.v[a];
  }
  FOR_SPINS(k) {
    row[ROW_W + k] = m.w.v[k];
  }
}

static __device__ inline scalar *touch_at(const world &w, int i, int k) {
  return w.touch + ((size_t)i * GRAIN_SURFACE + (size_t)k) * GRAIN_P;
}

static __device__ inline int part_at(const world &w, int i, int k) {
  return w.touches[(size_t)i * GRAIN_SURFACE + (size_t)k];
}

/* --- a block together ------------------------------------------------------------------------- */

/* The least of every thread's values, for all of them. */
static __device__ inline double block_least(double value) {
  __shared__ double least[CQ_WARPS];
  const int lane = (int)threadIdx.x % CQ_WARP, warp = (int)threadIdx.x / CQ_WARP;
  for (int far = CQ_WARP / 2; far > 0; far /= 2) {
    value = fmin(value, __shfl_xor_sync(whole_warp, value, far));
  }
  __syncthreads(); /* of an earlier call */
  if (lane == 0) {
    least[warp] = value;
  }
  __syncthreads();
  double all = least[0];
  for (int i = 1; i < CQ_WARPS; i++) {
    all = fmin(all, least[i]);
  }
  return all;
}

#endif
