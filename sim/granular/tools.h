/* What grains touch beside each other: walls and tools, each a union of parts with a contact of its
 * own per part, fixed or driven by velocities. */
#ifndef CQ_GRANULAR_TOOLS_H
#define CQ_GRANULAR_TOOLS_H

#include "map.h"
#include "shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_tool {
  int n_parts;
  const cq_shape *parts; /* where they start */
  double origin[3];      /* what it turns about, where it starts [m] */
  /* what drives it: velocities of its origin [m/s], then about the axes of the world [rad/s], of
   * which 2D has one. Index of a drive, or -1: none */
  int linear[3], angular[3];
} cq_tool;

/* Where a tool is and how it moves. */
typedef struct cq_tool_pose {
  double x[3], turn[4]; /* quaternion, w first */
  double v[3], w[3];
  bool pressed;     /* hard, in the step before */
  double wrench[6]; /* what pushed it in that step: force, and torque about x [N, N m] */
  double work;      /* that it has done on what pushed it [J] */
} cq_tool_pose;

/* Where a part is in a step: a plane in the world, or the ball around a shape there, whose radius
 * may be infinite, and its bounds in the frame of the tool. */
typedef struct cq_tool_place {
  bool is_plane;
  double normal[3], offset; /* plane: points with normal . x = offset */
  double center[3], radius;
  double low[3], high[3];
} cq_tool_place;

/* A point on the surface that faces a grain. */
typedef struct cq_tool_touch {
  double distance;  /* of the point from the surface, negative inside [m] */
  double normal[3]; /* out of the tool, in the world */
} cq_tool_touch;

/* Where a point of the tool is, which stood `arm` [3] from its origin at the start. */
void cq_tool_point(const cq_tool_pose *pose, const double *arm, double *x);
/* How it is turned, an axis times an angle [3]. */
void cq_tool_turned(const cq_tool_pose *pose, double *turned);
cq_tool_pose cq_tool_start(const cq_tool *tool);
CQ_FN void cq_tool_cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* By pose and twist of a rigid body (rigid_pose.h). */
void cq_tool_set(int dim, const double *pose, const double *twist, cq_tool_pose *to);
/* What drives w say of its velocity; then its place a step later. */
void cq_tool_drive(const cq_tool *tool, int dim, const double *w, cq_tool_pose *pose);
void cq_tool_move(int dim, double dt, cq_tool_pose *pose);
cq_tool_place cq_tool_placed(const cq_tool *tool, const cq_shape *part, const cq_tool_pose *pose,
                             int dim);
/* From where the tool starts to where it is. */
void cq_tool_map(const cq_tool *tool, const cq_tool_pose *pose, double *map);
/* Whether the point is within `reach` of the part, and if so where it touches. */
bool cq_tool_touches(const cq_tool *tool, const cq_shape *part, const cq_tool_place *place,
                     const cq_tool_pose *pose, int dim, const double *x, double reach,
                     cq_tool_touch *touch);
/* Velocity of the tool at a point of the world. */
void cq_tool_velocity(const cq_tool_pose *pose, int dim, const double *x, double *v);

#ifdef __cplusplus
}
#endif

#endif
