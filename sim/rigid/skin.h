/* The points of a body that may touch others, each with a radius: where a small ball around it
 * sticks out of nothing but the surface. Edges and corners are rounded by that radius. So a body
 * that rests on another has its points outside of it, where distances and normals are exact and do
 * not jump from one face to the next; and a ball, or the ends of a capsule, is one point and rolls
 * as what it is. */
#ifndef CQ_RIGID_SKIN_H
#define CQ_RIGID_SKIN_H

#include "shapes.h"

typedef struct cq_skin {
  int n;
  double *x;      /* [n][dim], about the centre of mass [m] */
  double *radius; /* [n] */
} cq_skin;

/* Of a bounded shape with its centre of mass at `center`. Points are at most `pitch` apart;
 * `rounding` is the radius at flat faces, edges and corners, at most a quarter of a box's shortest
 * edge. A ball has one point, a capsule a row. Of a composite those points are kept that lie on the
 * surface of the whole; subtracted balls and capsules have none (another body's points touch them).
 * A mesh has points on corners and edges, and on its faces about a pitch apart; where its faces are
 * small they are twice as close, and at least sixteen along it, so that it rolls if it is round.
 * They are those of the mesh itself, whatever grid its distances are from. */
cq_status cq_skin_make(cq_ctx *ctx, const cq_shape *shape, const double *center, double pitch,
                       double rounding, cq_skin *skin);
void cq_skin_free(cq_ctx *ctx, cq_skin *skin);

#endif
