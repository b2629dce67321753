/* What terms see of single particles, each spread evenly over its width 2r, so that one that goes
 * from a place to the next does not jump. */
#ifndef CQ_TERMS_SPREAD_H
#define CQ_TERMS_SPREAD_H

#include "term.h"

/* The share of what is spread about x by r on each side that is between low and high. */
CQ_FN wide cq_spread_share(wide x, double r, double low, double high) {
  const wide from = x - r > low ? x - r : low + 0.0 * x;
  const wide to = x + r < high ? x + r : high + 0.0 * x;
  return to > from ? (to - from) * (0.5 / r) : 0.0 * x;
}

/* Its slope by x. */
CQ_FN double cq_spread_slope(double x, double r, double low, double high) {
  const int outside = !(x + r > low && x - r < high);
  return outside ? 0.0 : ((x + r < high) - (x - r > low)) * (0.5 / r);
}

#endif
