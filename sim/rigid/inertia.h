/* Volume, centre of mass and moment of inertia of shapes, of unit density. */
#ifndef CQ_RIGID_INERTIA_H
#define CQ_RIGID_INERTIA_H

#include "shapes.h"

typedef struct cq_inertia {
  double volume;    /* 2D: the area [m^dim] */
  double center[3]; /* of mass [m] */
  /* About the centre of mass, along the axes of the world [m^(dim + 2)]: Ixx, Iyy, Izz, Ixy, Ixz,
   * Iyz, entries of the matrix, so that Ixy = - sum of x y. 2D: the first is about the axis out of
   * the plane, the rest 0. */
  double moment[6];
  /* What volume may be off by, relatively; 0: closed forms, right to rounding. The moment and, in
   * sizes of the shape, the centre of mass are off by as much. */
  double error;
} cq_inertia;

/* Of a bounded shape, as it is turned. Closed forms for all shapes but composites. A composite is
 * the sum of its parts where no two parts' bounds overlap; else it is cut into cells, those on its
 * surface down to 1/1024 of its size in 2D and 1/128 in 3D, and `error` is an estimate. An empty
 * composite has volume 0. */
cq_inertia cq_inertia_of(const cq_shape *shape);

#endif
