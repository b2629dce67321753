/* Seconds on a clock that never jumps, for measuring how long something took. */
#ifndef CQ_BASE_TIMER_H
#define CQ_BASE_TIMER_H

#include <time.h>

static inline double cq_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
