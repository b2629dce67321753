/* What the files of the fast engine share: its workspace, in plain scalars.
 *
 * mpm_cpu.c, _table.c, _create.c, _io.c, _upload.c, _sort.c, _walls.c, _observe.c, _cable.c,
 * _adjoint.c are scalar files, compiled once a variant; mpm_cpu_scatter.c, _grid.c, _gather.c,
 * _gather_adjoint.c are hot files, compiled once a variant and SIMD level, with a particle (or
 * node) in each lane of a `real`. None holds a formula: those are in point/, material/, boundary/
 * and actuation/.
 *
 * Order. A state keeps its particles in one order for ever (by cell where they started), and with
 * them a list of their indices by the cell where they are now. Particles of a cell follow each
 * other in that list: their sums are collected in registers and added to the grid once a cell.
 *
 * Scatter without atomics. The list is cut into blocks of CQ_BLOCK planes of base nodes along the
 * first axis. A block adds into planes of its own, CQ_BLOCK + 2 of them; then each plane of the
 * grid is the sum of the two blocks that have a part of it, always in the same order. Who adds what
 * in which order depends on the data alone, never on the number of threads. */
#ifndef CQ_MPM_CPU_H
#define CQ_MPM_CPU_H

#include "kernels.h"
#include "mpm_between.h"
#include "mpm_cable.h"
#include "mpm_common.h"
#include "mpm_pressed.h"
#include "mpm_rigid.h"
#include "simd.h"

enum {
  CQ_BLOCK = 2,
  CQ_TILE = 64,                /* particles whose records stay in the first cache together */
  CQ_CHUNK = 256,              /* particles a partial sum covers: fixed, so that sums are */
  CQ_SERIAL_BELOW = 512,       /* particles under which waking threads costs more than they save */
  CQ_SORT_SERIAL_BELOW = 8192, /* the same of the sort alone */
  CQ_STREAM_ABOVE = 4 << 20, /* bytes of a state that the caches will not keep for the next step */
  CQ_QUAD = 4,               /* scalars of a node: a vector, and the mass or a zero */
  CQ_RECORD = 2 * CQ_DIM + 2 * CQ_DIM * CQ_DIM, /* scalars of a particle: x, v, F, C */
  CQ_ROWS = CQ_STENCIL / 3,                     /* rows of 3 nodes along the last axis */
  CQ_GRID_SUMS = CQ_DIM + 1 + CQ_MAX_BOUNDARIES /* gravity, damping, friction */
};

/* The nodes that particles of a state touch. Node (i, j, k) of the box is quad number
 * (i * size[1] + j) * size[2] + k of an array. */
typedef struct cpu_box {
  int low[CQ_DIM], size[CQ_DIM];
  int n_blocks;
} cpu_box;

/* What precedes the particles in the memory of a state. */
typedef struct cpu_head {
  cpu_box box;
  int has_nodes; /* the masses and momenta of its grid are kept */
} cpu_head;

/* where the parts of a state are */
typedef struct cpu_state {
  cpu_head *head;
  int *start;       /* [n_blocks + 1] into order */
  int *order;       /* [n] particles by cell */
  scalar *records;  /* [n][CQ_RECORD] */
  scalar *nodes;    /* [node_room][CQ_QUAD] momentum and mass, where head->has_nodes */
  double *bodies;   /* the state of rigid bodies */
  double *contacts; /* of contacts between bodies (mpm_between.h) */
  pressed *pressed; /* mean pressures at walls */
} cpu_state;

/* adjoint of one seed */
typedef struct cpu_adjoint {
  scalar *records;           /* [n][CQ_RECORD] */
  double *substance;         /* [n][4]: E, nu, density, volume */
  double grid[CQ_GRID_SUMS]; /* gravity, damping, friction */
  pressed *pressed;          /* [pressed.n] */
} cpu_adjoint;

/* what a chunk of particles found at the end of a step */
typedef struct cpu_found {
  int first_bad; /* lowest number of an invalid particle, or INT_MAX */
  long long inverted, clamped;
  int low[CQ_DIM], high[CQ_DIM]; /* of base nodes */
} cpu_found;

/* nodes first .. end-1 of a line along the last axis, held by no wall */
typedef struct cpu_run {
  int first, end;
} cpu_run;

/* a material with a viscosity, and an actuator or none (-1) */
typedef struct cpu_driver {
  int material, actuator;
  scalar viscosity;
} cpu_driver;

typedef struct cpu cpu;

/* what threads of a team take one after the other */
enum { CQ_TAKE_BLOCKS, CQ_TAKE_BLOCKS_BACK, CQ_TAKE_CHUNKS, CQ_N_TAKEN };

/* how many are taken of each, of those that a thread takes first; a line of a cache for each */
typedef struct cpu_share {
  int taken[CQ_N_TAKEN];
  char apart[64 - CQ_N_TAKEN * sizeof(int)];
} cpu_share;

/* The hot functions of one SIMD level. */
typedef struct cpu_hot {
  /* one block's particles to its own planes */
  void (*scatter)(const cpu *c, const cpu_state *in, int block);
  void (*scatter_adjoint)(const cpu *c, const cpu_state *in, const scalar *adjoint, int block);
  /* one plane of the grid; merge: add up the blocks' parts first */
  void (*grid)(const cpu *c, int plane, bool merge);
  /* build: the velocities are not there yet; merge: nor are the nodes. sums [CQ_GRID_SUMS] is
   * overwritten with the plane's part of the gradient. */
  void (*grid_adjoint)(const cpu *c, int plane, bool build, bool merge, double *sums);
  /* one chunk of particles */
  void (*gather)(const cpu *c, const cpu_state *in, scalar *out, int chunk, cpu_found *found);
  /* adds to dw [n_drives]; returns the lowest number of a particle whose gradient is not finite,
   * or INT_MAX */
  int (*gather_adjoint)(const cpu *c, const cpu_state *in, cpu_adjoint *adjoint, int chunk,
                        double *dw);
} cpu_hot;

#define CQ_PASTE_LEVEL_(name, level) name##_##level
#define CQ_PASTE_LEVEL(name, level)  CQ_PASTE_LEVEL_(name, level)
/* the table of a level of simd.h */
#define CQ_HOT(level)        CQ_PASTE_LEVEL(V(cq_cpu_hot), level)
#define CQ_HOT_EXTERN(level) extern const cpu_hot CQ_HOT(level);
CQ_SIMD_LIST(CQ_HOT_EXTERN)
#undef CQ_HOT_EXTERN

struct cpu {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_mpm_model *own;
  const cq_layout *layout;
  const cpu_hot *hot;
  int n, threads, n_chunks; /* n: particles of material */
  cpu_share *shares;        /* [threads] */
  transfer t;
  grid_model g;
  scalar gravity[CQ_DIM], damping, friction[CQ_MAX_BOUNDARIES], decay;

  int n_drivers;
  bool settles; /* some material settles F */
  bool plain;   /* one material for all, without viscosity and actuators */
  cpu_driver *drivers;
  actuator *actuators;
  cables cables;
  bodies *bodies;      /* rigid ones; NULL: there are none */
  cq_status met;       /* how the meeting of nodes and bodies in this step went */
  const double *dmass; /* of the nodes that met, in a sweep */
  bool pushes;         /* there are actuators that accelerate particles */
  int *driver_of;      /* [n], in the order of the state, as is what follows */
  scalar *substance;   /* [n][4]: E, nu, density, volume */
  int *id;             /* [n] the number of a particle outside */
  int *slot;           /* [n] where particle p is: the inverse of id */
  scalar *w;           /* what drives the step */
  int *line_start;     /* into runs, of each line of nodes along the last axis, and the end */
  cpu_run *runs;
  struct group_sums *totals;        /* [n_groups] */
  struct observation *observations; /* of the chunks of a group */

  size_t block_room, node_room;               /* room for blocks and for kept nodes in a state */
  const int *start;                           /* of the state the step begins at */
  bool streams;                               /* the new state goes around the caches */
  cpu_box box;                                /* of the step */
  size_t plane;                               /* quads of a plane of the box */
  size_t block_stride;                        /* scalars of a block */
  int row[CQ_ROWS];                           /* where the rows of a stencil begin, in scalars */
  size_t node_capacity[5], block_capacity[2]; /* scalars: own_nodes, velocity, dnodes, ahead,
                                                 mirror_mass; blocks */
  scalar *blocks;    /* [n_blocks][block_stride] mass and momentum, block by block */
  scalar *dblocks;   /* the same of dL/d(velocity) */
  scalar *own_nodes; /* momentum and mass of the box, where the state has no room */
  scalar *nodes;     /* own_nodes, or those of the state */
  scalar *velocity;  /* after gravity and walls */
  scalar *dnodes;    /* dL/d(momentum) and its product with what gravity and walls changed */

  pressed_room pressed;
  pressed_part near; /* of it, what this step may touch */
  grid_memory memory;
  scalar *ahead;       /* of nodes with images: velocity before these act, in quads */
  scalar *mirror_mass; /* of nodes with images: dL/dm beside that through p / m */

  int key_low[CQ_DIM], key_size[CQ_DIM]; /* the box keys are counted in */
  int *key;                              /* [n] cell of a particle at the end of the step */
  int *counts;
  size_t counts_capacity;
  cpu_found *found; /* [n_chunks] */

  double *sums; /* partial sums */
  size_t sums_capacity;
  int *bad;                /* [n_chunks] */
  int n_seeds, n_adjoints; /* in this sweep, allocated */
  cpu_adjoint *adjoints;

  cq_failure failure;
  cq_tally tally;

  /* Where there are contacts between bodies, mpm_cpu_fields.c: */
  between *between;       /* NULL: there are none */
  cpu *fields;            /* [n_fields] views, each with its own particles and grid */
  cpu_state *parts;       /* [n_fields] of the state that the step begins at */
  int first, first_chunk; /* of a view: where its particles and its chunks begin */
};

/* blocks without particles are neither cleared nor added */
static inline bool cpu_block_empty(const cpu *c, int block) {
  return block < 0 || block >= c->box.n_blocks || c->start[block] == c->start[block + 1];
}

/* nothing is in the nodes of such a plane */
static inline bool cpu_plane_empty(const cpu *c, int plane) {
  return cpu_block_empty(c, plane / CQ_BLOCK) && cpu_block_empty(c, plane / CQ_BLOCK - 1);
}

/* the lines of a plane: in 3D along the second axis, in 2D the plane is one */
static inline int cpu_lines(const cpu *c) {
  return CQ_DIM == 2 ? 1 : c->box.size[1];
}

/* where a line of the box begins, in the whole grid */
static inline void cpu_index_line(const cpu *c, int plane, int line, int *index) {
  index[0] = c->box.low[0] + plane;
  index[1] = c->box.low[1] + line;
  index[CQ_LAST] = c->box.low[CQ_LAST];
}

/* mpm_cpu_sort.c */
/* Box of the step, rows of a stencil and room for the grid. */
cq_status V(cq_cpu_take_box)(cpu *c, const cpu_box *box);
/* The box in which keys of states near `box` are counted. */
void V(cq_cpu_key_box)(cpu *c, const cpu_box *box);
/* From keys and found: box, order and start of a state. */
cq_status V(cq_cpu_sort)(cpu *c, const cpu_state *state);

/* mpm_cpu_walls.c */
/* Finds the runs of free nodes of every line of the grid: walls do not move. */
cq_status V(cq_cpu_find_free)(cpu *c);
/* Of nodes first .. end-1 of the box in the line at `index`: shrinks that to the first run that no
 * wall holds; both are `end` where there is none. end is that of the box. */
void V(cq_cpu_free_nodes)(const cpu *c, const int *index, int *first, int *end);
/* Grid velocity of a node that walls may hold. */
void V(cq_cpu_walled_node)(const cpu *c, const int *index, const scalar *at, scalar *velocity);
/* Its adjoint: dnode holds dL/d(velocity), then what dnodes holds; adds to sums. */
void V(cq_cpu_walled_node_adjoint)(const cpu *c, const int *index, const scalar *at,
                                   const scalar *velocity, scalar *dnode, double *sums);
/* host_loop.h */
cq_status V(cq_cpu_contacts)(const void *work, cq_contacts *contacts);
/* What is wrong with a particle, if anything, and what the tally counts. */
void V(cq_cpu_inspect)(const cpu *c, int slot, const scalar *record, cpu_found *found);

/* mpm_cpu_cable.c: momentum from cables to the blocks, once these are filled; its adjoint, with
 * dL/d(momentum) in dnodes, adds to the positions' gradient and to dw */
void V(cq_cpu_pull)(cpu *c, const cpu_state *in);
void V(cq_cpu_pull_adjoint)(cpu *c, const cpu_state *in, cpu_adjoint *adjoint, double *dw);

/* mpm_cpu_views.c: the views, if the model has fields; else nothing. Refreshed, they share what the
 * workspace has now. */
cq_status V(cq_cpu_fields_create)(cpu *c);
void V(cq_cpu_fields_destroy)(cpu *c);
void V(cq_cpu_fields_refresh)(cpu *c);
/* The view that has the particle in a slot; c itself where it has no fields. */
cpu *V(cq_cpu_view_of)(cpu *c, int slot);

/* mpm_cpu_fields.c: a step of fields, and its adjoint (host_loop.h) */
cq_status V(cq_cpu_fields_step)(cpu *c, int step, void *from, void *to, const double *w,
                                bool count);
cq_status V(cq_cpu_fields_adjoint)(cpu *c, int step, const void *state, const double *w,
                                   double *dw);

/* mpm_cpu_more.c: what acts on nodes of all grids once they have their velocities, on one thread:
 * rigid bodies, then mirrors. Backwards before the adjoint of the grid, and what is left to do at
 * these nodes after it. */
static inline bool cpu_has_more(const cpu *c) {
  return c->bodies != NULL || c->g.mirrors;
}
void V(cq_cpu_more)(cpu *c);
void V(cq_cpu_more_adjoint)(cpu *c, int seed, int step);
void V(cq_cpu_more_masses)(cpu *c);

/* mpm_cpu_rigid.c: bodies. _changed and then _masses come after the adjoint of the grid. */
void V(cq_cpu_meet)(cpu *c);
void V(cq_cpu_meet_adjoint)(cpu *c, int seed, int step);
void V(cq_cpu_meet_changed)(cpu *c);
void V(cq_cpu_meet_masses)(cpu *c);

/* mpm_cpu_mirror.c: the same of nodes and their images */
void V(cq_cpu_mirror)(cpu *c);
void V(cq_cpu_mirror_adjoint)(cpu *c);
void V(cq_cpu_mirror_changed)(cpu *c);
void V(cq_cpu_mirror_masses)(cpu *c);

/* mpm_cpu_create.c */
cq_status V(cq_cpu_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                           void **work);
void V(cq_cpu_destroy)(void *work);
int V(cq_cpu_driver)(cpu *c, int p);
/* Makes room for `needed` elements of `size` bytes, and some to grow; what was there is lost. */
cq_status V(cq_cpu_reserve)(cpu *c, void **pointer, size_t *capacity, size_t needed, size_t size);

/* mpm_cpu_io.c */
size_t V(cq_cpu_state_bytes)(const void *work);
cpu_state V(cq_cpu_view)(const cpu *c, const void *slab);
/* The particles of a field in it, and its lists. */
cpu_state V(cq_cpu_field_part)(const cpu *c, int field, const void *slab);
void V(cq_cpu_download)(const void *work, const void *state, double *out);
void V(cq_cpu_walls)(const void *work, const void *state, double *maps);
void V(cq_cpu_means)(const void *work, const void *state, const double *host, cq_means *out);
void V(cq_cpu_to_host)(const cpu *c, const scalar *records, double *out);
void V(cq_cpu_to_records)(const cpu *c, const double *in, scalar *records);

/* mpm_cpu_upload.c (host_loop.h) */
cq_status V(cq_cpu_upload)(void *work, const double *inputs, void *state);

/* mpm_cpu_observe.c */
void V(cq_cpu_observe)(void *work, int k, const void *state, double *z);
void V(cq_cpu_observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                               const double *dz);

/* mpm_cpu_adjoint.c; the last one is in mpm_cpu_create.c */
void V(cq_cpu_adjoint_forget)(void *work);
cq_status V(cq_cpu_adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds, const void *last);
cq_status V(cq_cpu_step_adjoint)(void *work, int step, const void *state, const double *w,
                                 double *dw);
/* Room for partial sums of a seed: a row a plane, then a row a chunk. */
cq_status V(cq_cpu_reserve_sums)(cpu *c, size_t planes);
/* Adds them up, once a seed is swept. */
cq_status V(cq_cpu_seed_done)(cpu *c, const cpu_state *in, int step, int seed, size_t planes,
                              double *dw);
void V(cq_cpu_adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms);
void V(cq_cpu_adjoint_end)(void *work, int seed, double *gradient);
void V(cq_cpu_free_adjoints)(cpu *c);

#endif
