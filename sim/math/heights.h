/* A smooth surface y(x, z) through heights on a grid: cubic convolution, which is once continuously
 * differentiable and, between heights on a plane, that plane; planes through the last two rows
 * continue it. (Keys, Cubic convolution interpolation for digital image processing, 1981.) */
#ifndef CQ_MATH_HEIGHTS_H
#define CQ_MATH_HEIGHTS_H

#include "wide.h"

#include <math.h>

/* Points of a grid of one spacing, in rows along x, one behind the other along z: two or more of
 * two or more. */
typedef struct cq_heights {
  int n[2];             /* along x and along z */
  double spacing;       /* [m] */
  const double *points; /* [n[1]][n[0]][3] [m], not owned */
} cq_heights;

CQ_FN cq_heights cq_heights_make(int n_points, const double *points) {
  const double spacing = points[3] - points[0], length = points[3 * n_points - 3] - points[0];
  const int across = 1 + (int)floor(length / spacing + 0.5);
  const cq_heights h = {{across, n_points / across}, spacing, points};
  return h;
}

/* y(x, z), its slopes along x and z, and second derivatives: xx, xz, zz */
typedef struct cq_heights_point {
  double y, slope[2], bend[3];
} cq_heights_point;

/* The first of the two of n rows on whose line row i is, and how far along it that is: 0 or 1
 * between the ends. */
CQ_FN int cq_heights_pair(int n, int i, int *along) {
  const int low = i < 0 ? 0 : (i < n - 1 ? i : n - 2);
  *along = i - low;
  return low;
}

/* The height of column i in row j, wherever they are. */
CQ_FN double cq_heights_of(const cq_heights *h, int i, int j) {
  int s, t;
  const int column = cq_heights_pair(h->n[0], i, &s), row = cq_heights_pair(h->n[1], j, &t);
  const int next = 3 * h->n[0];
  const double *y = h->points + row * next + 3 * column + 1;
  const double here = (1 - s) * y[0] + s * y[3];
  return (1 - t) * here + t * ((1 - s) * y[next] + s * y[next + 3]);
}

/* The weights of four heights in a row, t of a spacing behind the second, and their first two
 * derivatives by t. */
CQ_FN void cq_heights_weights(double t, double w[3][4]) {
  const double c[4][4] = {/* of 1, t, t^2, t^3 */
                          {0.0, -0.5, 1.0, -0.5},
                          {1.0, 0.0, -2.5, 1.5},
                          {0.0, 0.5, 2.0, -1.5},
                          {0.0, 0.0, -0.5, 0.5}};
  for (int k = 0; k < 4; k++) {
    w[0][k] = c[k][0] + t * (c[k][1] + t * (c[k][2] + t * c[k][3]));
    w[1][k] = c[k][1] + t * (2.0 * c[k][2] + t * 3.0 * c[k][3]);
    w[2][k] = 2.0 * c[k][2] + t * 6.0 * c[k][3];
  }
}

CQ_FN cq_heights_point cq_heights_at(const cq_heights *h, double x, double z) {
  const double u[2] = {(x - h->points[0]) / h->spacing, (z - h->points[2]) / h->spacing};
  const int i[2] = {(int)floor(u[0]), (int)floor(u[1])};
  double w[2][3][4], sum[3][3] = {{0.0}}; /* sum[a][b]: derived a times by x and b times by z */
  for (int axis = 0; axis < 2; axis++) {
    cq_heights_weights(u[axis] - i[axis], w[axis]);
  }
  for (int k = 0; k < 16; k++) {
    const double y = cq_heights_of(h, i[0] + k % 4 - 1, i[1] + k / 4 - 1);
    for (int d = 0; d < 9; d++) {
      sum[d / 3][d % 3] += w[0][d / 3][k % 4] * w[1][d % 3][k / 4] * y;
    }
  }
  const double s = h->spacing, ss = s * s;
  const cq_heights_point at = {
      sum[0][0], {sum[1][0] / s, sum[0][1] / s}, {sum[2][0] / ss, sum[1][1] / ss, sum[0][2] / ss}};
  return at;
}

#endif
