/* Algorithm 1 of GranularGym as it is printed: what a contact changes of the velocity of one grain.
 */
#ifndef CQ_GRANULAR_PAPER_H
#define CQ_GRANULAR_PAPER_H

#include "point/neighbours.h"

#define PAPER_ALPHA 0.02

typedef struct paper_step {
  scalar dt, inverse_dt, damping; /* damping: gamma, of a neighbour's velocity */
  scalar gravity[CQ_DIM];
} paper_step;

/* The change of the velocity of i by a contact with a surface of velocity u; `gap` is negative. */
CQ_FN void paper_change(const paper_step *p, const scalar *v, const scalar *u, const scalar *n,
                        scalar gap, scalar friction, scalar *dv) {
  scalar b[CQ_DIM], along = K(0), square = K(0);
  FOR_EACH_CELL_AXIS(a) {
    b[a] = v[a] - p->damping * u[a] + dv[a];
    along += b[a] * n[a];
  }
  const scalar wanted = -along - K(PAPER_ALPHA) * gap * p->inverse_dt;
  const scalar push = wanted > K(0) ? wanted : K(0);
  FOR_EACH_CELL_AXIS(a) {
    b[a] -= along * n[a];
    square += b[a] * b[a];
  }
  const scalar most = friction * push;
  const scalar scale = square > most * most ? most / K(sqrt((double)square)) : K(1);
  FOR_EACH_CELL_AXIS(a) {
    dv[a] += push * n[a] - scale * b[a];
  }
}

/* velocity of a grain before its own forces */
CQ_FN void paper_before(const paper_step *p, const scalar *v, scalar *before) {
  FOR_EACH_CELL_AXIS(a) {
    before[a] = v[a] - p->dt * p->gravity[a];
  }
}

/* Do two grains lie in each other? Then n from the second to the first, and their gap. */
CQ_FN bool paper_meet(const scalar *x, const scalar *y, int cyclic, scalar period, scalar *n,
                      scalar *gap) {
  scalar square = K(0);
  FOR_EACH_CELL_AXIS(a) {
    n[a] = a == cyclic ? list_image(x[a] - y[a], period) : x[a] - y[a];
    square += n[a] * n[a];
  }
  const scalar distance = K(sqrt((double)square));
  *gap = distance - x[3] - y[3];
  if (!(*gap < K(0)) || !(distance > K(0))) {
    return false;
  }
  FOR_EACH_CELL_AXIS(a) {
    n[a] /= distance;
  }
  return true;
}

#endif
