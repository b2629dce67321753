/* Where a body is, how large, and how it moves at the beginning:
 *
 *   r_p = Q(rotation) T (size/size_0 * T^t r0_p)      r0_p = x0_p - center_0, as sampled
 *   x_p = center + r_p,  V_p = V0_p prod(size/size_0),  F_p = Q
 *   v_p = velocity + spin x r_p
 *
 * F_p = Q has the material turn with the body: it is free of stress, and actuators keep their
 * direction in it. T is how the file has turned the shape, whose material is not turned with it.
 * size/size_0 acts along the axes of the unturned body, whose size is a change of its rest shape.
 * In 2D a rotation is about z. */
#ifndef CQ_PROBLEMS_POSE_H
#define CQ_PROBLEMS_POSE_H

#include "cqopt/base.h"

typedef struct cq_body cq_body;

/* The slots of a pose: three numbers each, unused axes 0 (size: 1). */
enum {
  CQ_POSE_CENTER = 0,
  CQ_POSE_SIZE = 3,
  CQ_POSE_ROTATION = 6, /* axis times angle [rad] */
  CQ_POSE_VELOCITY = 9,
  CQ_POSE_SPIN = 12,
  CQ_POSE_SLOTS = 15
};

typedef struct cq_pose {
  const cq_body *body;
  double rest[CQ_POSE_SLOTS];         /* without a design */
  bool places, turns, resizes, moves; /* what of x, F, V, v the design changes */
} cq_pose;

typedef struct cq_poses {
  int count, dim;         /* one a body */
  size_t x, v, F, volume; /* where they begin in the inputs; CQ_NO_INPUT: an engine without F */
  cq_pose *poses;
  double *slots, *d_slots; /* [count][CQ_POSE_SLOTS] work */
} cq_poses;

/* The pose of a body as the file has it. */
void cq_pose_rest(const cq_body *body, double *slots);
/* v [dim] of a particle at center + arm [3]. */
void cq_pose_velocity(const double *slots, const double *arm, int dim, double *v);
/* x, F, V, v of the particles, as far as they are designed, from the slots. */
void cq_poses_apply(const cq_poses *poses, double *inputs);
/* d_slots = J^T d(inputs) at the slots. */
void cq_poses_pull(const cq_poses *poses, const double *d_inputs);
/* Writes what d_slots changes of x, F, V, v at the slots. */
void cq_poses_push(const cq_poses *poses, double *d_inputs);
/* Bounds of x and V from bounds of the slots [count][CQ_POSE_SLOTS]. */
void cq_poses_range(const cq_poses *poses, const double *low, const double *high, double *least,
                    double *largest);

#endif
