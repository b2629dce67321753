/* Where something is that keeps its shape: a point X of it, as it was drawn, is at M X + t. The
 * twelve numbers are the rows [3][4] of M and, behind it, t [m]. */
#ifndef CQ_BASE_MAP_H
#define CQ_BASE_MAP_H

#include <string.h>

enum { CQ_MAP = 12 };

/* of what has not moved */
static inline void cq_map_stay(double *map) {
  static const double stay[CQ_MAP] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  memcpy(map, stay, sizeof stay);
}

/* x and out may be the same */
static inline void cq_map_point(const double *map, const double x[3], double out[3]) {
  double at[3];
  for (int i = 0; i < 3; i++) {
    const double *const row = map + 4 * i;
    at[i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3];
  }
  memcpy(out, at, sizeof at);
}

/* t such that the point `from` comes to `to` */
static inline void cq_map_bring(double *map, const double from[3], const double to[3]) {
  for (int i = 0; i < 3; i++) {
    const double *const row = map + 4 * i;
    map[4 * i + 3] = to[i] - (row[0] * from[0] + row[1] * from[1] + row[2] * from[2]);
  }
}

#endif
