/* Where points are beside a tool that has moved. Tools are in three axes in 2D, too. */
#ifndef CQ_GRANULAR_TOOL_H
#define CQ_GRANULAR_TOOL_H

#include "tools.h"

/* v turned by a unit quaternion (sign = 1), or back (-1): v + 2 u x (u x v + s v) */
CQ_FN void tool_turn(const double *q, double sign, const double *v, double *out) {
  const double u[3] = {sign * q[1], sign * q[2], sign * q[3]};
  double t[3], s[3];
  cq_tool_cross(u, v, t);
  for (int a = 0; a < 3; a++) {
    t[a] += q[0] * v[a];
  }
  cq_tool_cross(u, t, s);
  for (int a = 0; a < 3; a++) {
    out[a] = v[a] + 2.0 * s[a];
  }
}

/* Velocity of the tool at a point of the world. */
CQ_FN void tool_velocity(const cq_tool_pose *pose, int dim, const double *x, double *v) {
  double apart[3] = {0.0, 0.0, 0.0}, turning[3];
  for (int a = 0; a < dim; a++) {
    apart[a] = x[a] - pose->x[a];
  }
  cq_tool_cross(pose->w, apart, turning);
  for (int a = 0; a < dim; a++) {
    v[a] = pose->v[a] + turning[a];
  }
}

/* Whether the point is within `reach` of a plane, and if so where it touches. */
CQ_FN bool tool_meets_plane(const cq_tool_place *place, int dim, const double *x, double reach,
                            cq_tool_touch *at) {
  at->distance = -place->offset;
  for (int a = 0; a < dim; a++) {
    at->distance += x[a] * place->normal[a];
  }
  if (!(at->distance < reach)) {
    return false;
  }
  for (int a = 0; a < 3; a++) {
    at->normal[a] = place->normal[a];
  }
  return true;
}

/* Whether the point may be within `reach` of another shape, by its bounds, and where it is in the
 * frame of the tool, whose origin was at `origin`. */
CQ_FN bool tool_nears_bounds(const cq_tool_place *place, const cq_tool_pose *pose,
                             const double *origin, int dim, const double *x, double reach,
                             double *local) {
  double apart[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int a = 0; a < dim; a++) {
    square += (x[a] - place->center[a]) * (x[a] - place->center[a]);
    apart[a] = x[a] - pose->x[a];
  }
  if (square > (place->radius + reach) * (place->radius + reach)) {
    return false;
  }
  tool_turn(pose->turn, -1.0, apart, local);
  for (int a = 0; a < dim; a++) {
    local[a] += origin[a];
    if (local[a] < place->low[a] - reach || local[a] > place->high[a] + reach) {
      return false;
    }
  }
  return true;
}

/* The image of a place, along the axis without end, that is nearest to a part; of one without
 * bounds the one in the room, which begins at `low`. */
CQ_FN double tool_image(const cq_tool_place *part, int axis, double low, double period, double x) {
  const bool bounded = !part->is_plane && part->radius < INFINITY;
  const double middle = bounded ? part->center[axis] : low + 0.5 * period;
  return x + period * floor((middle - x) / period + 0.5);
}

#endif
