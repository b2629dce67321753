/* The share of a condition that a node takes: from 1 to 0 by a distance, or by what it lacks of a
 * mass. */
#ifndef CQ_POINT_SHARE_H
#define CQ_POINT_SHARE_H

#include "kinds.h"

/* s: 1 within the body, 0 a cell away from it and farther, between them t^3 (10 - 15 t + 6 t^2), t
 * = 1 - d/cell, whose second derivative is continuous. A node with a share alone gives way in every
 * step by what it does not share; if that began within the body, what rests on it or is gripped by
 * it would creep. */
CQ_FN real meet_share(real d, scalar cell) {
  const real zero = real_splat(K(0)), one = real_splat(K(1));
  const real free = K(1) - d / cell;
  const real above = real_select(free > K(0), free, zero);
  const real t = real_select(above < K(1), above, one);
  return t * t * t * (K(10) - t * (K(15) - K(6) * t));
}

/* ds/dd */
CQ_FN real meet_share_slope(real d, scalar cell) {
  const real zero = real_splat(K(0)), one = real_splat(K(1));
  const real free = K(1) - d / cell;
  const real above = real_select(free > K(0), free, zero);
  const real t = real_select(above < K(1), above, one);
  return -(K(30) / cell) * t * t * (one - t) * (one - t);
}

/* Mass of a node so many cells below the flat face of a body, as a part of that of a node within
 * it: what is left of the weight of the transfer, a quadratic B-spline. */
static inline double share_at_depth(double cells) {
  const double rest = 1.5 - cells;
  if (cells < 0.5) {
    return 0.5 - cells * (0.75 - cells * cells / 3.0);
  }
  return rest > 0.0 ? rest * rest * rest / 6.0 : 0.0;
}

/* Of how full of material a node is, theta = m/(density cell^dim): two plane surfaces that touch
 * have theta_0 + theta_1 = 1 at every node, and a gap lacks of that; a node with next to nothing of
 * one body says little about the gap. */
static const scalar share_sum = K(0.95), share_gap = K(0.03);    /* of theta_0 + theta_1 */
static const scalar share_least = K(0.1), share_trace = K(0.08); /* of each theta */

/* what of a condition is there by the sum, and by each theta; and the slopes */
CQ_FN real share_met(real sum) {
  return meet_share(share_sum - sum, share_gap);
}

CQ_FN real share_met_slope(real sum) {
  return -meet_share_slope(share_sum - sum, share_gap);
}

CQ_FN real share_there(real theta) {
  return meet_share(share_least - theta, share_trace);
}

CQ_FN real share_there_slope(real theta) {
  return -meet_share_slope(share_least - theta, share_trace);
}

#endif
