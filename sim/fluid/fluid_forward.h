/* What the tangents of a run take. */
#ifndef CQ_FLUID_FORWARD_H
#define CQ_FLUID_FORWARD_H

#include "fluid_linear.h"
#include "fluid_tangent.h"

enum { WAYS = CQ_AXES }; /* directions of a block */

struct fluid_forward {
  int n, n_blocks;
  const double *directions; /* [n][layout.total], the caller's */
  size_t touch_room;
  scalar *x, *v;                        /* [n_blocks][n_all][CQ_DIM][WAYS], as in a state */
  scalar *volume, *density, *viscosity; /* [n_blocks][n_all][WAYS] */
  scalar *sample_x0, *sample_volume;    /* [n_blocks][n_samples][CQ_DIM][WAYS], without axes */
  scalar *touching;                     /* [n_bodies][WAYS] */
  mat *dR;                              /* [n_bodies][WAYS] */
};

/* a block of `each` numbers of `many` things */
static inline scalar *block_of(scalar *a, int block, int many, int each) {
  return a + (size_t)block * (size_t)many * (size_t)each * WAYS;
}

static inline fluid_direction *direction_of(const fluid *c, int block, int way, int body) {
  const int k = block * WAYS + way;
  return &c->tangents->of[k * c->own->n_bodies + body];
}

/* directions of a block; fewer in the last one */
static inline int ways_of(const fluid_forward *f, int block) {
  const int left = f->n - block * WAYS;
  return left < WAYS ? left : WAYS;
}

static inline double input_of(const fluid *c, const double *of, cq_fluid_input input, size_t i) {
  return of[c->layout->offset[input] + i];
}

/* Bodies of a block (fluid_forward_bodies.c): hands and places of samples at time t; impulses of a
 * sweep; gravity, drags and contacts between the solvers; the end of the step. */
void V(cq_fluid_forward_begin_bodies)(fluid *c, fluid_forward *f, int block, double t);
void V(cq_fluid_forward_push)(fluid *c, int block, int sweep);
cq_status V(cq_fluid_forward_load)(fluid *c, fluid_forward *f, int block);
void V(cq_fluid_forward_move)(fluid *c, int block);
/* Of touches alone, whose rooms grow. */
void V(cq_fluid_forward_free_touches)(fluid *c);

#endif
