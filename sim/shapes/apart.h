/* Points that keep apart from each other: which others are near a place. */
#ifndef CQ_SHAPES_APART_H
#define CQ_SHAPES_APART_H

#include "shapes.h"

/* Points in the cells of a grid, each of which is at least as wide as what is asked for. */
typedef struct cq_apart {
  cq_ctx *ctx;
  int dim, count[3];
  double low[3], width;
  int *first; /* 1 + the first point of a cell; 0: none */
  int n, room;
  int *next;      /* [n] 1 + another point of the same cell; 0: none */
  double *points; /* [n][dim] */
} cq_apart;

/* For about n points in a box, asked for within r at most. CQ_MEMORY; cq_apart_end() in any case.
 */
cq_status cq_apart_begin(cq_ctx *ctx, int dim, const double *low, const double *size, double n,
                         double r, cq_apart *apart);
void cq_apart_end(cq_apart *apart);
/* Is there no point within r of x? */
bool cq_apart_is_free(const cq_apart *apart, const double *x, double r);
cq_status cq_apart_add(cq_apart *apart, const double *x);

#endif
