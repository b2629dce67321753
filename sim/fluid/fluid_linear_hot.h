/* What the sums over neighbours of exact derivatives read and write; in the order of the sorted
 * list but where it is said. Without bodies, so that it means the same at each SIMD level. */
#ifndef CQ_FLUID_LINEAR_HOT_H
#define CQ_FLUID_LINEAR_HOT_H

#include "fluid_cpu.h"

/* Of a recorded step. Sweeps of the divergence solver come first. */
typedef struct linear_step {
  int split, n_sweeps;
  size_t near_room, sample_near_room, touch_room;
  scalar *flow;         /* [n][n_sweeps][CQ_AXES] velocity before a sweep, change of the pressure */
  scalar *middle;       /* [n][CQ_AXES] velocity between the solvers, before forces */
  unsigned char *open;  /* [n][n_sweeps] whether the pressure is not clamped */
  scalar *base;         /* [n] diagonal per `light`, without bodies */
  scalar *bend, *value; /* V_j (W'/r)'/r and W, as the slopes of the workspace */
  scalar *sample_bend, *sample_value;
  scalar *stick;      /* of a touch: force by a velocity past it, per volume */
  fluid_twist *twist; /* [n_sweeps + 1][n_bodies] before a sweep; at last, before forces */
} linear_step;

/* What CQ_AXES directions change, a lane each: a number more in each array, the last one. */
typedef struct linear_lanes {
  scalar *x, *v, *v_new;              /* [n][CQ_DIM] */
  scalar *volume, *light, *viscosity; /* [n] */
  scalar *all, *wall;                 /* [n][CQ_DIM] */
  scalar *excess, *diagonal, *gain;   /* [n] */
  scalar *pressure, *change;          /* [n] */
  scalar *sample_x, *sample_volume;   /* [n_samples][CQ_DIM] [n_samples], not sorted */
  scalar *touch_g, *touch_t;          /* [touches][CQ_DIM] [touches][CQ_SPINS] */
  scalar *touch_weight, *touch_stick; /* [touches] */
  scalar *touch_force;                /* [touches][CQ_DIM] of drags */
  scalar *twist, *center;             /* [n_bodies][CQ_DIM + CQ_SPINS] [n_bodies][CQ_DIM] */
  scalar *wrench;                     /* [n_bodies][CQ_DIM + CQ_SPINS] of a sweep */
  scalar gravity[CQ_DIM * CQ_AXES];
} linear_lanes;

/* Adjoints of one seed in a step. */
typedef struct linear_back {
  scalar *flow;  /* [n][n_sweeps][CQ_AXES] dL/dv after a sweep per mass, dL/derror per volume */
  scalar *v, *x; /* [n][CQ_AXES] */
  scalar *u;     /* [n][CQ_AXES] dL/dv per mass, and its moment */
  scalar *pull;  /* [n][CQ_AXES] */
  scalar *error; /* [n + CQ_PAD] dL/derror per volume */
  scalar *change, *pressure, *gain, *excess, *spread; /* [n] */
  scalar *all, *wall;                                 /* [n][CQ_AXES] */
  scalar *volume, *light, *viscosity;                 /* [n] */
} linear_back;

typedef struct linear_hot {
  void (*geometry)(fluid *c, int chunk);
  void (*measure)(fluid *c, int chunk, int sweep);
  void (*push)(fluid *c, int chunk, int sweep);
  void (*forces)(fluid *c, int chunk);
  void (*back_push)(fluid *c, int chunk);
  void (*back_measure)(fluid *c, int chunk);
  void (*back_forces)(fluid *c, int chunk);
  void (*back_geometry)(fluid *c, int chunk);
} linear_hot;

/* of the level of the file that includes this (fluid_hot.h) */
#define CQ_LINEAR_HOT(level)    CQ_PASTE_LEVEL(V(cq_fluid_linear_hot), level)
#define CQ_LINEAR_EXTERN(level) extern const linear_hot CQ_LINEAR_HOT(level);
CQ_SIMD_LIST(CQ_LINEAR_EXTERN)
#undef CQ_LINEAR_EXTERN

typedef struct linear_bodies linear_bodies;
typedef struct fluid_forward fluid_forward;
typedef struct fluid_backward fluid_backward;

/* NULL in a workspace until something exact is asked for. */
struct fluid_linear {
  const linear_hot *hot;
  linear_step step;
  linear_lanes lanes; /* of the block that is in work */
  linear_back back;   /* of the seed that is in work */
  linear_bodies *bodies;
  fluid_forward *forward;
  fluid_backward *backward;
};

/* the flow of particle i at sweep k */
static inline const scalar *linear_flow(const linear_step *r, size_t i, int k) {
  return r->flow + (i * (size_t)r->n_sweeps + (size_t)k) * CQ_AXES;
}

/* the velocity that sweep k leaves */
static inline const scalar *linear_after(const fluid *c, size_t i, int k) {
  const linear_step *r = &c->linear->step;
  return k + 1 == r->split      ? r->middle + i * CQ_AXES
         : k + 1 == r->n_sweeps ? c->v + i * CQ_AXES
                                : linear_flow(r, i, k + 1);
}

/* touch t of particle i */
static inline size_t linear_touch(const fluid *c, int i, int t) {
  return (size_t)(i / CQ_FLUID_CHUNK) * c->touch_room + (size_t)(c->first_touch[i] + t);
}

#ifdef CQ_LEVEL
void H(cq_linear_geometry)(fluid *c, int chunk);
void H(cq_linear_measure)(fluid *c, int chunk, int sweep);
void H(cq_linear_push)(fluid *c, int chunk, int sweep);
void H(cq_linear_forces)(fluid *c, int chunk);
void H(cq_linear_back_push)(fluid *c, int chunk);
void H(cq_linear_back_measure)(fluid *c, int chunk);
void H(cq_linear_back_forces)(fluid *c, int chunk);
void H(cq_linear_back_geometry)(fluid *c, int chunk);
#endif

#endif
