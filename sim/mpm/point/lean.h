/* A node that meets a free rigid body much smaller than the body of material that the node is of.
 * As where two bodies of material meet (point/between.h), the normal is that of the larger one,
 *   n = grad m / |grad m|,
 * out of the rigid body. By the normals of its own surface a block would plough with its ends.
 *
 * And of the share s(d) by the distance d to the surface (point/meet.h) a node has
 *   s_there(theta) s_met(theta + theta_b(d)),
 * theta being how full it is of material, and theta_b how full it would be of the body, were that a
 * plane at the distance d: none where there is a gap (share.h). So nodes ahead do not hold what
 * rolls. */
#ifndef CQ_POINT_LEAN_H
#define CQ_POINT_LEAN_H

#include "linalg.h"
#include "point/share.h"

typedef struct leaning {
  real gap;  /* d [m] */
  real mass; /* of the node */
  real full; /* 1/(density cell^dim) of the material */
} leaning;

/* theta_b is within 0.02 of that of quadratic B-splines when it ends so many cells from the
 * surface, on both sides */
static const scalar lean_ends = K(1.25);

CQ_FN real lean_theta(real gap, scalar cell) {
  return meet_share(gap + lean_ends * cell, K(2) * lean_ends * cell);
}

CQ_FN real lean_share(const leaning *l, scalar cell) {
  const real theta = l->mass * l->full;
  return meet_share(l->gap, cell) * share_there(theta) *
         share_met(theta + lean_theta(l->gap, cell));
}

/* From ds = dL/d(share). */
CQ_FN leaning lean_share_adjoint(const leaning *l, scalar cell, real ds) {
  const real theta = l->mass * l->full, sum = theta + lean_theta(l->gap, cell);
  const real near = meet_share(l->gap, cell), there = share_there(theta), met = share_met(sum);
  const real dsum = ds * near * there * share_met_slope(sum);
  const real dtheta = dsum + ds * near * met * share_there_slope(theta);
  leaning d;
  d.gap = ds * there * met * meet_share_slope(l->gap, cell) +
          dsum * meet_share_slope(l->gap + lean_ends * cell, K(2) * lean_ends * cell);
  d.mass = dtheta * l->full;
  d.full = dtheta * l->mass;
  return d;
}

#endif
