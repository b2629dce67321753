/* A body as an engine meets it in a step, in plain doubles: `placed` of rigid.h for 2D and 3D
 * alike, and for kernels of any precision or width (placed_read). */
#ifndef CQ_RIGID_PLACEMENT_H
#define CQ_RIGID_PLACEMENT_H

typedef struct cq_placed {
  double x[3];    /* centre of mass [m] */
  double R[3][3]; /* from the body's frame to the world's */
  double v[3];    /* its velocity [m/s] */
  double w[3];    /* spin [rad/s]; 2D: the first */
  double belt[3]; /* what the surface moves beside the body, in the world's frame [m/s] */
} cq_placed;

#endif
