/* What the tangents of a run take. */
#ifndef CQ_FLUID_FORWARD_H
#define CQ_FLUID_FORWARD_H

#include "fluid_linear.h"

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

/* Of touches alone, whose rooms grow. */
void V(cq_fluid_forward_free_touches)(fluid *c);

#endif
