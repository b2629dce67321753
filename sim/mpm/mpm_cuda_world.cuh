/* What the kernels of a variant work on. Particles are records in an order of their own, by cell
 * where they started, which an upload chooses; `id` and `place` lead from records to particles of
 * the model and back. States are slabs (slab.h).
 *
 * A step on the device:
 *   control   controls and what drives the actuators                      one block
 *   number    cells with particles get numbers, and slots for them        a thread a cell
 *   packets   what a particle brings to the nodes, into a slot            a thread a particle
 *   scatter   sums over the particles of a cell, in the order of records  a warp a cell
 *   nodes     sums over the 3^dim cells of a node, gravity, walls         a thread a node
 *   gather    the new state, its cells                                    a thread a particle
 *   observe   sums over groups                                            two kernels
 * No sum of floating-point numbers is made by atomics, so that a run has the same bits whatever the
 * order of threads is. Integers are: how slots of a cell are taken varies, but they are put in
 * order before they are summed. */
#ifndef CQ_MPM_CUDA_WORLD_CUH
#define CQ_MPM_CUDA_WORLD_CUH

#include "cuda_block.cuh" /* first: team.h asks what it is compiled for */

#include "actuation/drive.h"
#include "control.h"
#include "engine.h"
#include "point/cables.h"
#include "point/check.h"
#include "point/g2p.h"
#include "point/observe.h"
#include "slab.h"

enum {
  CQ_QUAD = 4,
  CQ_PACKET = CQ_DIM == 2 ? 12 : 16, /* reals of a packet with its place, and of its adjoint */
  CQ_CHUNK = 4 * CQ_THREADS,         /* particles that a block sums an observation over */
  CQ_GRID_SUMS = CQ_DIM + 1 + CQ_MAX_BOUNDARIES,
  CQ_MOST_BLOCKS = 1024 /* of kernels whose blocks leave sums behind */
};

/* a node's numbers: momentum or velocity, and mass; one load */
typedef struct alignas(CQ_QUAD * sizeof(real)) quad {
  real a[CQ_QUAD];
} quad;

/* Which states a segment goes through: state k is at k == 0 ? in : out + (k - 1) * apart, and a
 * step from it is number first + k * turn; turn is -1 in a sweep. `last` is the last state's
 * number. */
typedef struct cursor {
  int first, last, turn;
  bool record;
  real *in, *out;
  ptrdiff_t apart;
} cursor;

/* What went wrong, or is counted, in a run. */
typedef struct fate {
  unsigned long long failed; /* step, particle, status of the first failure: fate_word() */
  real *stopped;             /* the state it led to */
  unsigned long long bad;    /* steps from the end of the run, particle, of a gradient */
  double bad_x[CQ_DIM];
  unsigned long long inverted, clamped;
} fate;

/* cells of particles: base nodes */
typedef struct box {
  int low[CQ_DIM], high[CQ_DIM];
} box;

/* what a design may change, but for particles */
typedef struct settings {
  grid_inputs in;
  real decay;
} settings;

/* particles first ... last - 1 of a group's list */
typedef struct chunk {
  int group, first, last;
} chunk;

/* By value to every kernel: all arrays are on the device and stay where they are while a graph
 * lives. [s]: of every seed. */
typedef struct world {
  int n, steps, n_nodes, n_groups, longest, n_controls, n_drives, n_actuators, n_theta, n_walls;
  int node_blocks; /* of the kernels over nodes */
  int grid[CQ_DIM];
  size_t stride; /* of components */
  double dt;     /* [s] */
  bool inversion_fails, naive;
  transfer t;

  /* the model */
  const grid_model *g;
  const unsigned char *held; /* [n_nodes] does any wall hold the node? */
  int n_slots;               /* mean pressures, which follow the slab in a state; 0: none */
  const int *slot_node;      /* [n_slots] whose they are */
  const actuator *actuators;
  const cq_controller *controller;
  cables cable;
  const double *parameters;   /* [n_groups] */
  const chunk *chunks;        /* of all groups, one after the other */
  const int *chunk_start;     /* [n_groups + 1] */
  const int *group_particles; /* of all groups, particles of the model */
  const int *member_start;    /* [n + 1] groups of a particle of the model, ascending */
  const int *member_group;
  const int *driven_start; /* [n_actuators + 1] particles of an actuator */
  const int *driven_particles;
  const int *class_of; /* of a state: channels.h */
  const size_t *row;   /* where a row of z begins */
  const int *first_view;
  const cq_view *views;

  /* an upload's */
  int *id, *place;
  int *material, *actuator_of; /* [n] of records */
  scalar *viscosity;           /* [n], or NULL */
  real *substance;             /* E, nu, density, volume: [4][stride] */
  settings *inputs;
  double *theta;

  /* of a step */
  cursor *at;
  fate *end;
  box *boxes;          /* [2] of a segment's states with even and odd numbers */
  int *totals;         /* cells with particles, slots taken */
  int *key;            /* [n] cell of a record */
  int *slot;           /* [n] of a record */
  int *who, *order;    /* [n] record in a slot; slots of a cell by their records */
  int *count, *number; /* [n_nodes] particles of a cell; its number or -1 */
  int *first, *filled; /* [n] slots of a numbered cell: first one, and the one after the last */
  real *packets;       /* [n][CQ_PACKET] by slots */
  quad *partial;       /* [numbered cells][CQ_STENCIL] */
  quad *sum;           /* [n_nodes] naive: zero between steps */
  quad *velocity;      /* [n_nodes] after gravity and walls */
  vec *pull;           /* [n_nodes] momentum from cables, zero between steps; NULL without */
  double *drives;      /* [n_drives] */
  real *w;             /* the same */
  double *room;        /* of a controller */
  observation *sums;   /* of chunks */
  group_sums *group_totals; /* [n_groups] */
  double *z, *u;            /* history */

  /* of a sweep */
  quad *mean;         /* [n_nodes] momentum/mass, mass */
  quad *dnode;        /* [n_nodes] dL/dp */
  pressed *means;     /* [n_slots] after the step that is done once more: nobody reads them */
  pressed *dmeans;    /* [s][n_slots] */
  real *dpackets;     /* [n][CQ_PACKET] by slots, of the seed at work */
  real *adjoint;      /* [s][stride components] */
  double *dsubstance; /* [s][4][stride] */
  double *dgrid;      /* [s][CQ_GRID_SUMS] gravity, damping, friction */
  double *dtheta;     /* [s][n_theta] */
  double *dz, *du;    /* [s] rows of every state, of every step */
  double *dw;         /* [n_drives] of the step and seed at work */
  double *dz_now, *du_now;
  int *moved;         /* [n_groups] has the group a gradient? */
  real *dw_of;        /* [CQ_ACTUATOR_MAX_DRIVES][stride] by records */
  double *block_sums; /* [CQ_MOST_BLOCKS][CQ_GRID_SUMS] */
  double *norms;      /* [4] */
} world;

/* step i of a graph, for a seed */
typedef struct job {
  int i, seed;
} job;

static __device__ inline real *state_at(const world &w, int k) {
  const cursor *c = w.at;
  return k == 0 ? c->in : c->out + (ptrdiff_t)(k - 1) * c->apart;
}

static __device__ inline pressed *means_at(const world &w, int k) {
  return (pressed *)(state_at(w, k) + w.stride * CQ_STATE_COMPONENTS);
}

static __device__ inline int step_of(const world &w, job j) {
  return w.at->first + j.i * w.at->turn;
}

static __device__ inline unsigned long long fate_word(int step, int p, cq_status status) {
  return (unsigned long long)step << 32 | (unsigned long long)p << 4 | (unsigned long long)status;
}

/* Has an earlier step failed? What follows leaves its state alone. Kernels of a sweep do not ask.
 */
static __device__ inline bool stopped(const world &w, job j) {
  return w.at->turn > 0 && (long long)(w.end->failed >> 32) < step_of(w, j);
}

static __device__ inline driver driver_of(const world &w, int i) {
  driver d = {w.material[i], w.viscosity != NULL ? w.viscosity[i] : K(0), NULL, NULL};
  const int a = w.actuator_of[i];
  if (a >= 0) {
    d.a = &w.actuators[a];
    d.w = w.w + w.actuators[a].first_drive;
  }
  return d;
}

static __device__ inline substance substance_of(const world &w, int i) {
  const real *s = w.substance + i;
  const substance r = {s[0], s[w.stride], s[2 * w.stride], s[3 * w.stride]};
  return r;
}

static __device__ inline particle settled(const world &w, const real *state, int i) {
  particle q = slab_load(state, w.stride, i);
  q.F = material_settle(w.material[i], q.F);
  return q;
}

static __device__ inline void base_of(const world &w, vec x, int *base) {
  FOR_AXES(a) {
    base[a] = spline_base(x.v[a], w.t.inv_dx);
  }
}

/* nodes, and cells by their base nodes, are numbered with the last axis running fastest */
static __device__ inline int node_at(const world &w, const int *index) {
  int i = 0;
  FOR_AXES(a) {
    i = i * w.grid[a] + index[a];
  }
  return i;
}

/* how far a stencil's node k is from its base node */
static __device__ inline int node_apart(const world &w, int k) {
  int offset[CQ_DIM];
  spline_offset(k, offset);
  return node_at(w, offset);
}

/* cells of a box, or with 2 more an axis its nodes */
static __device__ inline int box_count(const box *b, int more) {
  int n = 1;
  FOR_AXES(a) {
    n *= b->high[a] - b->low[a] + 1 + more;
  }
  return b->high[0] < b->low[0] ? 0 : n;
}

/* Is the node of that number among those? */
static __device__ inline bool box_has(const world &w, const box *b, int number) {
  bool has = true;
  for (int a = CQ_DIM - 1; a >= 0; a--) {
    const int k = number % w.grid[a];
    has = has && k >= b->low[a] && k <= b->high[a] + 2;
    number /= w.grid[a];
  }
  return has;
}

static __device__ inline void box_index(const box *b, int more, int k, int *index) {
  for (int a = CQ_DIM - 1; a >= 0; a--) {
    const int size = b->high[a] - b->low[a] + 1 + more;
    index[a] = b->low[a] + k % size;
    k /= size;
  }
}

/* The box that the next state's begins with: a part of it, since no particle moves by more than a
 * cell (and a rounding) in a step. It saves most warps the atomics that an empty one would need. */
static __device__ inline box box_within(box b) {
  FOR_AXES(a) {
    b.low[a] += 2;
    b.high[a] -= 2;
  }
  return b;
}

static __device__ inline box box_empty(const world &w) {
  box b;
  FOR_AXES(a) {
    b.low[a] = w.grid[a];
    b.high[a] = -1;
  }
  return b;
}

static __device__ inline vec quad_vec(quad q) {
  vec v;
  FOR_AXES(a) {
    v.v[a] = q.a[a];
  }
  return v;
}

static __device__ inline quad quad_make(vec v, real last) {
  quad q;
  for (int a = 0; a < CQ_QUAD; a++) {
    q.a[a] = a < CQ_DIM ? v.v[a < CQ_DIM ? a : 0] : K(0);
  }
  q.a[CQ_QUAD - 1] = last;
  return q;
}

#endif
