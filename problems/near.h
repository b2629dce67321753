/* Points near a point: a list of cells. */
#ifndef CQ_PROBLEMS_NEAR_H
#define CQ_PROBLEMS_NEAR_H

#include "cqopt/base.h"

typedef struct cq_near {
  cq_ctx *ctx;
  int dim, cells[3];
  double edge, low[3];
  const double *x;  /* all points, dim numbers each */
  const int *point; /* those that are looked for */
  int *head, *next; /* chains of indices in `point`, a cell each */
} cq_near;

/* Of the points x[point[i]], i < count, ready to find those within up to `most` [m] > 0. In time
 * proportional to count. */
cq_status cq_near_create(cq_ctx *ctx, int dim, const double *x, const int *point, int count,
                         double most, cq_near *out);
void cq_near_destroy(cq_near *near);
/* Writes the indices i of the points nearer to x than radius <= most, in an order that depends on
 * the points alone; found has room for `room`. Returns their number, at most room. */
int cq_near_find(const cq_near *near, const double *x, double radius, int room, int *found);

#endif
