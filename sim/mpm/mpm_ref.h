/* The reference loops (simulation.kernels = "reference"): the step and its adjoint written one
 * particle and one node at a time, as in docs/adjoint.md. Slow and plain; the fast engine of
 * mpm_cpu.h is tested against them.
 *
 * Scatter without atomics: particles are sorted (stably) into blocks of CQ_BLOCK planes of base
 * nodes along the first axis. A block writes CQ_BLOCK + 2 planes, so blocks of one parity never
 * touch the same node: the even ones run in parallel, then the odd ones. Who adds what to a node in
 * which order depends on the data alone, never on the number of threads. */
#ifndef CQ_MPM_REF_H
#define CQ_MPM_REF_H

#include "alloc.h"
#include "kernels.h"
#include "mpm_between.h"
#include "mpm_cable.h"
#include "mpm_common.h"
#include "mpm_pressed.h"
#include "mpm_rigid.h"
#include "point/observe.h"
#include "slab.h"
#include "status.h"

enum {
  CQ_BLOCK = 2,
  CQ_CHUNK = 256,         /* particles a partial sum covers: fixed, so that sums are */
  CQ_SERIAL_BELOW = 1024, /* particles under which waking threads costs more than they save */
  CQ_GRID_SUMS = CQ_DIM + 1 + CQ_MAX_BOUNDARIES
};

/* adjoint of one seed */
typedef struct ref_adjoint {
  real *state;               /* slab */
  double *substance;         /* E, nu, density, volume: [4][n] */
  double grid[CQ_GRID_SUMS]; /* gravity, damping, friction */
  pressed *pressed;          /* [n_fields * n_slots] */
} ref_adjoint;

typedef struct ref {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_mpm_model *own;
  const cq_layout *layout;
  int n, threads; /* n: particles of material */
  size_t stride;  /* of a component in a slab */
  transfer t;
  grid_model g;
  grid_inputs in;
  real decay;
  actuator *actuators;
  cables cables;
  bodies *bodies;            /* rigid ones; NULL: there are none */
  between *between;          /* contact between bodies; NULL: there is none */
  int n_fields;              /* grids, one after the other in the arrays of nodes */
  real *substance;           /* E, nu, density, volume: [4][n] */
  real *w;                   /* what drives the step */
  struct group_sums *totals; /* [n_groups] */
  observation *observations; /* of the chunks of a group */

  int low[CQ_DIM], size[CQ_DIM]; /* the active box of nodes */
  size_t stencil[CQ_STENCIL];    /* node k of a stencil relative to its first one */
  int n_blocks, block_capacity;
  int *order, *block_of, *block_start;
  size_t node_capacity;
  node *nodes;   /* mass, momentum */
  vec *mean;     /* p / m, zero where there is no mass */
  vec *velocity; /* after gravity and boundaries */
  vec *ahead;    /* where there are mirrors: of nodes with images, before these act */
  vec *dnodes;   /* dL/d(velocity), then dL/dp */
  pressed_room pressed;
  bool touched; /* a wall asks for the mass of nodes or is a mirror, or fields meet */
  real *dmass;  /* where there are rigid bodies, or touched: dL/dm beside that through p / m */

  double *sums; /* partial sums */
  size_t sums_capacity;
  int n_seeds, n_adjoints; /* in this sweep, allocated */
  ref_adjoint *adjoints;

  cq_failure failure;
  cq_tally tally;
} ref;

/* with its F as a step begins with it */
static inline particle ref_load_settled(const ref *c, const real *slab, int p) {
  particle q = slab_load(slab, c->stride, p);
  q.F = material_settle(c->own->material[p], q.F);
  return q;
}

static inline substance ref_substance(const ref *c, int p) {
  const real *s = c->substance + p;
  const size_t n = (size_t)c->n;
  const substance r = {s[0], s[n], s[2 * n], s[3 * n]};
  return r;
}

static inline driver ref_driver(const ref *c, int p) {
  const double *viscosity = c->own->viscosity;
  driver d = {c->own->material[p], viscosity != NULL ? K(viscosity[p]) : K(0), NULL, NULL};
  const int a = c->model->actuator[p];
  if (a >= 0) {
    d.a = &c->actuators[a];
    d.w = c->w + c->actuators[a].first_drive;
  }
  return d;
}

/* the state of rigid bodies, behind the slab */
static inline double *ref_bodies(const ref *c, const void *state) {
  const size_t slab = c->stride * CQ_STATE_COMPONENTS * sizeof(real);
  return (double *)((char *)(uintptr_t)state + slab);
}

/* numbers of contacts, behind those */
static inline double *ref_contacts(const ref *c, const void *state) {
  return ref_bodies(c, state) + WIDE(cq_bodies_numbers)(c->bodies);
}

/* mean pressures, behind those */
static inline pressed *ref_pressed(const ref *c, const void *state) {
  return (pressed *)(ref_contacts(c, state) + WIDE(cq_between_numbers)(c->between));
}

static inline pressed_part ref_near(const ref *c, int field) {
  return pressed_near(&c->g, field, c->low[0], c->size[0]);
}

/* those of the field that has a plane */
static inline grid_memory ref_memory(const ref *c, int plane, const pressed *seed) {
  return pressed_memory(&c->pressed, ref_near(c, plane / c->size[0]), seed);
}

/* base node of a particle whose position is known to be valid */
static inline void ref_base(const ref *c, vec x, int *base) {
  FOR_AXES(a) {
    base[a] = spline_base(x.v[a], c->t.inv_dx);
  }
}

/* index in the box; node k of a stencil is at ref_node(base) + c->stencil[k] */
static inline size_t ref_node(const ref *c, const int *index) {
  size_t i = 0;
  FOR_AXES(a) {
    i = i * (size_t)c->size[a] + (size_t)(index[a] - c->low[a]);
  }
  return i;
}

/* nodes of one plane of the box along the first axis */
static inline size_t ref_plane(const ref *c) {
  size_t n = 1;
  for (int a = 1; a < CQ_DIM; a++) {
    n *= (size_t)c->size[a];
  }
  return n;
}

/* planes of all grids */
static inline int ref_planes(const ref *c) {
  return c->n_fields * c->size[0];
}

/* first node of the stencil of a particle */
static inline size_t ref_first(const ref *c, int p, const int *base) {
  const int field = c->between != NULL ? c->own->field[p] : 0;
  return ref_node(c, base) + (size_t)field * (size_t)c->size[0] * ref_plane(c);
}

/* index in the whole grid of node i of plane `plane`, counted through all grids */
static inline void ref_node_index(const ref *c, int plane, size_t i, int *index) {
  for (int a = CQ_DIM - 1; a > 0; a--) {
    index[a] = c->low[a] + (int)(i % (size_t)c->size[a]);
    i /= (size_t)c->size[a];
  }
  index[0] = c->low[0] + plane % c->size[0];
}

/* mpm_ref.c: sort, box, P2G and grid velocities of a state. Forward steps and the rebuild in the
 * adjoint call this same code. */
cq_status V(cq_ref_fill_grid)(ref *c, int step, const real *state, const double *w);
cq_status V(cq_ref_step)(void *work, int step, void *in, void *out, const double *w, bool count);
/* Room for n doubles in c->sums. */
cq_status V(cq_ref_reserve_sums)(ref *c, size_t n);

/* mpm_ref_cable.c: momentum from cables to c->nodes; its adjoint, with dL/dp in c->dnodes, adds to
 * the positions' gradient and to dw */
void V(cq_ref_pull)(ref *c, const real *state);
void V(cq_ref_pull_adjoint)(ref *c, ref_adjoint *adjoint, const real *state, double *dw);

/* mpm_ref_rigid.c: nodes that have their velocities meet rigid bodies; its adjoint takes
 * dL/d(velocity) in c->dnodes back to before that, and adds to c->dmass. */
cq_status V(cq_ref_meet)(ref *c);
cq_status V(cq_ref_meet_adjoint)(ref *c, int seed, int step);

/* mpm_ref_between.c: fields meet, before nodes have velocities; and backwards, with dL/dp in
 * c->dnodes and what is due to masses beside in c->dmass */
cq_status V(cq_ref_between)(ref *c, const double *state);
void V(cq_ref_between_adjoint)(ref *c, int seed);

/* mpm_ref_mirror.c: velocities of nodes and of their images, after all else; its adjoint takes
 * dL/d(velocity) in c->dnodes back to before that, and adds to c->dmass. */
void V(cq_ref_mirror)(ref *c);
void V(cq_ref_mirror_adjoint)(ref *c);

/* mpm_ref_io.c */
size_t V(cq_ref_state_bytes)(const void *work);
cq_status V(cq_ref_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                           void **work);
void V(cq_ref_destroy)(void *work);
void V(cq_ref_free_adjoints)(ref *c);
cq_status V(cq_ref_upload)(void *work, const double *inputs, void *state);
void V(cq_ref_download)(const void *work, const void *state, double *out);
void V(cq_ref_walls)(const void *work, const void *state, double *maps);
void V(cq_ref_means)(const void *work, const void *state, const double *host, cq_means *out);

/* mpm_ref_observe.c */
void V(cq_ref_observe)(void *work, int k, const void *state, double *z);
void V(cq_ref_observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                               const double *dz);

/* mpm_ref_adjoint.c */
void V(cq_ref_adjoint_forget)(void *work);
cq_status V(cq_ref_adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds, const void *last);
cq_status V(cq_ref_step_adjoint)(void *work, int step, const void *state, const double *w,
                                 double *dw);
void V(cq_ref_adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms);
cq_status V(cq_ref_contacts)(const void *work, cq_contacts *contacts);
void V(cq_ref_adjoint_end)(void *work, int seed, double *gradient);

#endif
