/* Numbers that files say are whole. */
#ifndef CQ_BASE_WHOLE_H
#define CQ_BASE_WHOLE_H

#include <limits.h>

/* Without its fraction; `otherwise` for NAN and what no int can be. */
static inline int cq_whole(double value, int otherwise) {
  return value >= INT_MIN && value <= INT_MAX ? (int)value : otherwise;
}

#endif
