#include "cut.h"

#include <stdbool.h>
#include <string.h>

/* how far beyond the plane */
static double beyond(const double *x, const double *normal, const double *point) {
  double sum = 0.0;
  for (int a = 0; a < 3; a++) {
    sum += normal[a] * (x[a] - point[a]);
  }
  return sum;
}

/* Each edge leaves its beginning, if that is kept, and the point where it crosses the plane. The
 * corners that are left are written over those that have been read: an edge may write two, so that
 * the polygon is moved to the end of its room first. */
int cq_cut(double (*points)[3], int n, int room, const double normal[3], const double point[3]) {
  double(*const from)[3] = points + (room - n);
  double first[3], last[3];
  int count = 0;
  if (n == 0) {
    return 0;
  }
  memcpy(first, points[0], sizeof first);
  memcpy(last, points[n - 1], sizeof last);
  memmove(from, points, (size_t)n * sizeof *points);
  for (int i = 0; i < n; i++) {
    double p[3], q[3];
    memcpy(p, i + 1 < n ? from[i] : last, sizeof p);
    memcpy(q, i + 1 < n ? from[i + 1] : first, sizeof q);
    const double at_p = beyond(p, normal, point), at_q = beyond(q, normal, point);
    const int most = i + 1 < n ? room - n + i + 1 : room; /* what is still to be read stays */
    if (at_p >= 0.0 && count < most) {
      memcpy(points[count++], p, sizeof p);
    }
    if ((at_p >= 0.0) != (at_q >= 0.0) && count < most) {
      const double t = at_p / (at_p - at_q);
      for (int a = 0; a < 3; a++) {
        points[count][a] = p[a] + t * (q[a] - p[a]);
      }
      count++;
    }
  }
  return count;
}

int cq_cut_to_box(double (*points)[3], int n, int room, int dim, const double low[3],
                  const double high[3]) {
  for (int face = 0; face < 2 * dim; face++) {
    double inward[3] = {0.0, 0.0, 0.0};
    inward[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
    n = cq_cut(points, n, room, inward, face % 2 == 0 ? low : high);
  }
  return n;
}
