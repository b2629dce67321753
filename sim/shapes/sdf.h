/* Signed distances of a shape on a grid, and between its nodes by (bi- or tri)linear interpolation:
 * for shapes whose own distance takes long. The error falls as the square of the spacing where the
 * distance is smooth, as the spacing itself at edges and where the nearest point jumps. The
 * gradient is that of the interpolant, exactly; it jumps at the faces of cells. */
#ifndef CQ_SHAPES_SDF_H
#define CQ_SHAPES_SDF_H

#include "shapes.h"

struct cq_sdf {
  int dim, count[3]; /* nodes of an axis, 1 of one that is not there */
  double low[3], spacing;
  const double *values; /* [count[0]][count[1]][count[2]] [m] */
};

/* The distance, and its gradient unless that is NULL. Outside of the grid the distance is that of
 * the nearest point of the grid plus the way there, which is not below the true one. */
CQ_FN double cq_sdf_at(const cq_sdf *g, const double *x, double *gradient) {
  double t[3] = {0.0, 0.0, 0.0}, way[3] = {0.0, 0.0, 0.0}, slope[3] = {0.0, 0.0, 0.0};
  double value = 0.0, far = 0.0;
  int first[3] = {0, 0, 0};
  for (int a = 0; a < g->dim; a++) {
    const double last = g->count[a] - 1, at = (x[a] - g->low[a]) / g->spacing;
    const double within = fmin(fmax(at, 0.0), last);
    first[a] = (int)fmin(within, last - 1.0);
    t[a] = within - first[a];
    way[a] = (at - within) * g->spacing;
    far += way[a] * way[a];
  }
  far = sqrt(far);
  for (int corner = 0; corner < 1 << g->dim; corner++) {
    long node = 0;
    double weight[3] = {1.0, 1.0, 1.0}, change[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; a++) {
      const int up = a < g->dim ? corner >> a & 1 : 0;
      node = node * g->count[a] + first[a] + up;
      if (a < g->dim) {
        weight[a] = up ? t[a] : 1.0 - t[a];
        change[a] = (up ? 1.0 : -1.0) / g->spacing;
      }
    }
    const double v = g->values[node];
    value += v * weight[0] * weight[1] * weight[2];
    for (int a = 0; a < 3; a++) {
      slope[a] += v * change[a] * weight[(a + 1) % 3] * weight[(a + 2) % 3];
    }
  }
  for (int a = 0; a < g->dim && gradient != NULL; a++) {
    gradient[a] = way[a] != 0.0 ? way[a] / far : slope[a];
  }
  return value + far;
}

#endif
