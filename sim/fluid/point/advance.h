/* The end of a step for one particle, and when those of an emitter wake and are let go. */
#ifndef CQ_FLUID_ADVANCE_H
#define CQ_FLUID_ADVANCE_H

#include "kernel.h"
#include "linalg.h"

#ifndef __cplusplus
#  include <stdbool.h>
#endif

/* Is time `when` still to come at time t? Times are sums of steps, so that half a step is a grace.
 */
CQ_FN bool advance_waits(double t, double dt, double when) {
  return t + 0.5 * dt < when;
}

/* A position that a step can go on from. */
CQ_FN bool advance_is_fine(const kernel *k, scalar dt, const scalar *low, const scalar *high,
                           const scalar *x, const scalar *v, bool *outside) {
  scalar sum = K(0), square = K(0);
  *outside = false;
  FOR_AXES(a) {
    sum += x[a] + v[a];
    square += v[a] * v[a];
    *outside = *outside || !(x[a] >= low[a] && x[a] <= high[a]);
  }
  const scalar reach = K(0.5) * k->h / dt;
  return sum - sum == K(0) && (*outside || square <= reach * reach);
}

#endif
