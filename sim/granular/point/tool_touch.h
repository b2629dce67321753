/* A grain and a part of a tool: where it touches, and what the contact is in a step. Positions in
 * double: a tool may be far from the origin. */
#ifndef CQ_GRANULAR_TOUCH_H
#define CQ_GRANULAR_TOUCH_H

#include "point/contact.h"
#include "point/gap.h"
#include "point/tool.h"

/* What counts as near: twice the margin, or as far as grain and tool may go in a step. */
CQ_FN double touch_reach(double r, double speed, double dt) {
  const double fast = speed * dt;
  return r + (fast > 2.0 * GAP_MARGIN * r ? fast : 2.0 * GAP_MARGIN * r);
}

CQ_FN bool touch_near(double gap, double rate, double r, double dt) {
  return gap < 2.0 * GAP_MARGIN * r || gap + rate * dt < 0.0;
}

/* Where a contact goes among the n of a grain: in place of the one with the widest gap if they are
 * `most`; -1: nowhere. */
CQ_FN int touch_enters(const scalar *gaps, int n, int most, scalar gap) {
  int at = n;
  if (n == most) {
    at = 0;
    for (int k = 1; k < n; k++) {
      at = gaps[k] > gaps[at] ? k : at;
    }
    at = gap < gaps[at] ? at : -1;
  }
  return at;
}

/* The contact of a grain, of this radius and these inverses of mass and moment of inertia, with its
 * own shares of rolling friction, bounce and pull (share[1..3]), and a surface's friction. */
CQ_FN contact touch_contact(vec n, scalar gap, scalar rate, scalar r, scalar im, scalar ii,
                            const scalar *share, scalar friction, scalar dt, scalar inverse_dt,
                            scalar above) {
  const scalar slop = K(GAP_SLOP) * r;
  contact c;
  c.n = n;
  c.arm = r;
  c.kn = K(1) / im;
  c.kt = K(1) / (im + r * r * ii);
  c.kr = ii > K(0) ? K(1) / ii : K(0);
  c.bias = gap_bias(gap, slop, rate, share[2] * share[2], dt, inverse_dt, above);
  c.friction = friction;
  c.roll = share[1] * share[1] * r;
  c.pull = gap < slop ? share[3] * share[3] * dt : K(0);
  return c;
}

#endif
