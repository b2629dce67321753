/* The workspace of the fluid engine on the host.
 *
 * A step sorts the particles of the fluid by cells into arrays of its own and puts them back where
 * they were at its end, so that a state has them in the order of the model. In between, sums run
 * over the neighbours of a particle, never into them, and in the order of the sorted list: the bits
 * do not depend on the threads. What walls and bodies do to a particle in the sweeps is a few
 * numbers for each body that it touches, found once a step. */
#ifndef CQ_FLUID_CPU_H
#define CQ_FLUID_CPU_H

#include "cells.h"
#include "fluid_inputs.h"
#include "fluid_model.h"
#include "linalg.h"
#include "point/advance.h"
#include "point/kernel.h"
#include "point/sweep.h"
#include "point/touch.h"
#include "simd.h"
#include "turns.h"

enum {
  CQ_AXES = 4,                /* numbers a vector takes in arrays */
  CQ_FLUID_CHUNK = 64,        /* particles a task covers: fixed, so that sums are */
  CQ_FLUID_GROUP = 4,         /* particles whose sums over neighbours are found together */
  CQ_PAD = 16,                /* numbers that a vector may read past the end of an array */
  CQ_FLUID_SERIAL_BELOW = 512 /* particles under which waking threads costs more than it saves */
};

/* What a chunk found. */
typedef struct fluid_found {
  int n_touches;
  int first, last; /* its particles' neighbours are in chunks first .. last - 1, as they are */
  bool full;       /* of neighbours or touches: its lists are not complete */
  double error;    /* sum over its particles */
  int first_bad, outside;
} fluid_found;

/* What the threads of a step share (fluid_team.h). */
typedef struct fluid_team {
  cq_passes sorting;  /* over parts of the particles, one a thread, and the samples */
  cq_passes listing;  /* over chunks: taken, lists */
  cq_passes sweeping; /* over chunks, in shares with as many neighbours each: all after that */
  cq_turns turns;     /* what one thread does for all */
  int lists, sweeps[2], status;           /* how often they are made; of a solver; a cq_status */
  int *weight;                            /* [n_chunks] */
  scalar (*low)[CQ_DIM], (*high)[CQ_DIM]; /* [threads] bounds of the parts */
} fluid_team;

typedef struct fluid fluid;

/* What is compiled for each SIMD level; all work on a chunk. */
typedef struct fluid_hot {
  void (*lists)(fluid *c, int chunk);
  void (*measure)(fluid *c, int chunk, bool density);
  void (*push)(fluid *c, int chunk);
  void (*forces)(fluid *c, int chunk);
} fluid_hot;

#define CQ_PASTE_LEVEL_(name, level) name##_##level
#define CQ_PASTE_LEVEL(name, level)  CQ_PASTE_LEVEL_(name, level)
#define CQ_FLUID_HOT(level)          CQ_PASTE_LEVEL(V(cq_fluid_hot), level)
#define CQ_HOT_EXTERN(level)         extern const fluid_hot CQ_FLUID_HOT(level);
CQ_SIMD_LIST(CQ_HOT_EXTERN)
#undef CQ_HOT_EXTERN

typedef struct fluid_bodies fluid_bodies;
typedef struct fluid_tangents fluid_tangents;
typedef struct fluid_on_device fluid_on_device;
typedef struct fluid_linear fluid_linear;

struct fluid {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_fluid_model *own;
  const cq_layout *layout;
  const fluid_hot *hot;
  int n_all, threads; /* particles of the fluid */
  int n, n_chunks;    /* those of a step, which are awake, and their chunks */
  int *particle;      /* [n_all] their numbers in the model */
  kernel kernel;
  double part;                /* seconds of a step, or of the part of it that is made */
  scalar dt, gravity[CQ_DIM]; /* dt: the same in this precision */
  scalar room_low[CQ_DIM], room_high[CQ_DIM];
  bool viscous, sticky;
  scalar *volume0, *density0, *viscosity0; /* [n_all] as in a state */
  double *wakes,
      *freed;       /* [n_all] when a particle of an emitter does, else 0 [s]; NULL: no emitter */
  scalar *friction; /* [n_boundaries] */
  double *mass, *seen; /* [n_particles]; a state on the host */
  cq_tally tally;
  cq_failure failure;

  /* the particles of a step, sorted; arrays have room for all */
  cells cells;
  size_t cell_room;
  int *key, *order, *start;           /* [n] [n] [cell_room + 1] */
  int *cell_count;                    /* [threads][cell_room] */
  scalar origin[CQ_DIM];              /* what x is relative to */
  scalar *x;                          /* [n][CQ_AXES] */
  scalar *place;                      /* [n][CQ_AXES] x - origin, and -1 as the last number */
  scalar *v, *v_new;                  /* [n][CQ_AXES]; the last number is (x - origin) . v */
  scalar *column[CQ_DIM];             /* [n + LANES] x once more, an axis each */
  scalar *volume, *light, *viscosity; /* [n + LANES] [n] [n]; light: 1/density, 0: it glides */
  scalar *excess;                     /* [n] density/rest density - 1 */
  scalar *gain;                       /* [n] of a solver's pressure, from an error of the density */
  scalar *diagonal;                   /* [n] of the solvers' matrix */
  scalar *pressure, *before, *change; /* [n] now, a step ago, of a sweep */
  scalar *pull;                       /* [n][CQ_AXES] change * place */
  int *steady[2];                     /* [n] sweeps of a solver since it was last clamped */
  scalar *wall;                       /* [n][CQ_AXES] sum of the touches' g */
  scalar *all;                        /* [n][CQ_AXES] and of V_j grad W over the fluid */
  fluid_found *found;                 /* [n_chunks] */
  fluid_team team;

  /* Neighbours: a chunk's lists stand in a part of its own, near_room long. Those of a group take
   * turns, a number of each; shorter ones are filled up with what does nothing. */
  size_t near_room, sample_near_room, touch_room;
  size_t *first, *first_sample; /* [n] */
  int *length;                  /* [n/CQ_FLUID_GROUP] of the longest of a group */
  int *count, *sample_count;    /* [n] */
  unsigned *near;               /* CQ_AXES times a particle */
  int *sample_near;
  scalar *slope, *sample_slope; /* V_j W'/r */
  fluid_touch *touches;         /* [n_chunks][touch_room] */
  int *first_touch, *n_touches; /* [n] within the chunk's */

  /* samples of walls and bodies */
  int n_samples;
  scalar *sample_x0;      /* [n_samples][CQ_DIM] of bodies in their frames */
  scalar *sample_x;       /* [n_samples][CQ_DIM] now */
  scalar *sample_volume0; /* [n_samples] */
  int *sample_body;       /* [n_samples] */
  int *sample_key, *sample_order, *sample_start;
  scalar *sorted_column[CQ_DIM]; /* [n_samples + LANES] */
  scalar *sorted_volume;
  int *sorted_body;
  unsigned char *sorted_sticky;
  fluid_twist *twist;       /* [n_bodies] now */
  scalar (*center)[CQ_DIM]; /* [n_bodies] now */
  fluid_bodies *bodies;
  scalar *part_wrench;      /* [n_bodies][CQ_TWIST] sums over the parts of a step */
  const double *inputs;     /* the caller's, in forward mode alone */
  fluid_tangents *tangents; /* NULL: no forward mode yet */
  fluid_on_device *there;   /* NULL: steps are made here */
  fluid_linear *linear;     /* NULL: no exact derivatives yet */
};

static inline size_t fluid_chunks(int n) {
  return (size_t)((n + CQ_FLUID_CHUNK - 1) / CQ_FLUID_CHUNK);
}

static inline int fluid_chunk_end(const fluid *c, int chunk) {
  const int end = (chunk + 1) * CQ_FLUID_CHUNK;
  return end < c->n ? end : c->n;
}

cq_status V(cq_fluid_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                             void **work);
void V(cq_fluid_destroy)(void *work);

/* Does particle i of a state at time t sleep in an emitter; is it moved by that? */
static inline bool fluid_sleeps(const fluid *c, int i, double t) {
  return c->wakes != NULL && advance_waits(t, c->part, c->wakes[i]);
}

static inline bool fluid_glides(const fluid *c, int i, double t) {
  return c->freed != NULL && advance_waits(t, c->part, c->freed[i]);
}
/* Room for the lists of all chunks, at least as much as is asked for. */
cq_status V(cq_fluid_reserve_lists)(fluid *c, size_t near, size_t sample_near, size_t touches);
cq_status V(cq_fluid_reserve_cells)(fluid *c, size_t n);

/* A state: fluid_head, bodies, then x, v and pressure of the fluid's particles. */
typedef struct fluid_state {
  double *time; /* [s] */
  scalar *bodies, *x, *v, *pressure;
} fluid_state;

fluid_state V(cq_fluid_view)(const fluid *c, const void *state);

/* the solvers of a step, before it */
static inline void fluid_solvers(const fluid *c, fluid_solve *divergence, fluid_solve *density) {
  *divergence = (fluid_solve){c->own->divergence_sweeps, 1, c->own->divergence_tolerance, 0.0, 0};
  *density = (fluid_solve){c->own->sweeps, 2, c->own->tolerance, 0.0, 0};
}

/* Fails where no other step could go on from this one: first_bad is the first such particle of the
 * state, INT_MAX: none. Counts. */
cq_status V(cq_fluid_check_step)(fluid *c, int step, const fluid_state *out, int first_bad,
                                 int outside, const fluid_solve *divergence,
                                 const fluid_solve *density, bool count);
size_t V(cq_fluid_state_bytes)(const void *work);
cq_status V(cq_fluid_upload)(void *work, const double *inputs, void *state);
void V(cq_fluid_download)(const void *work, const void *state, double *out);
void V(cq_fluid_walls)(const void *work, const void *state, double *maps);
/* host_loop.h */
void V(cq_fluid_drive)(const cq_model *model, int step, const double *u, const double *z,
                       double *w);
void V(cq_fluid_drive_adjoint)(const cq_model *model, int step, const double *u, const double *z,
                               const double *dw, double *du, double *dz);
const cq_failure *V(cq_fluid_failure)(const void *work);
cq_tally *V(cq_fluid_tally)(void *work);
/* Mean place, velocity and square of it, and the mass of a group. */
typedef struct fluid_means {
  double x[CQ_DIM], v[CQ_DIM], square, mass;
} fluid_means;

/* of the state in c->seen */
fluid_means V(cq_fluid_find_means)(const fluid *c, const cq_group *g);
/* Adds what is wanted of them to a row of z. */
void V(cq_fluid_add_means)(const cq_view *view, const fluid_means *means, double *z);
void V(cq_fluid_observe)(void *work, int k, const void *state, double *z);
/* The one field of a state on the host, density/rest density: out [n_particles]. */
void V(cq_fluid_field)(const cq_model *model, const cq_layout *layout, int field,
                       const double *inputs, const double *state, double *out);

#endif
