/* Polygon in 2D, its corners in order either way round; inside by the even-odd rule. Its normal is
 * that of the nearest edge, or away from the nearest corner; of edges as near, the first. */
#ifndef CQ_SHAPES_POLYGON_H
#define CQ_SHAPES_POLYGON_H

#include "shapes.h"

/* Square of the distance from the segment a b, and x less the nearest point of it; returns where
 * that is: 0 at a, 1 at b. */
CQ_FN double polygon_segment(const double *a, const double *b, const double *x, int dim, double *d,
                             double *square) {
  double along = 0.0, length = 0.0;
  for (int i = 0; i < dim; i++) {
    along += (x[i] - a[i]) * (b[i] - a[i]);
    length += (b[i] - a[i]) * (b[i] - a[i]);
  }
  const double t = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
  *square = 0.0;
  for (int i = 0; i < dim; i++) {
    d[i] = x[i] - a[i] - t * (b[i] - a[i]);
    *square += d[i] * d[i];
  }
  return t;
}

CQ_FN double polygon_distance(const cq_shape *s, const double *x) {
  bool inside = false;
  double least = INFINITY;
  for (int i = 0, j = s->n_points - 1; i < s->n_points; j = i++) {
    const double *a = s->points + 2 * i, *b = s->points + 2 * j;
    double d[2], square;
    polygon_segment(a, b, x, 2, d, &square);
    least = fmin(least, square);
    if ((a[1] > x[1]) != (b[1] > x[1]) &&
        x[0] < a[0] + (x[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])) {
      inside = !inside;
    }
  }
  return inside ? -sqrt(least) : sqrt(least);
}

/* Twice the area, negative for corners that go round clockwise: the shoelace formula, about a
 * corner for the sake of rounding. */
CQ_FN double polygon_twice(const cq_shape *s) {
  const double *o = s->points;
  double twice = 0.0;
  for (int i = 0, j = s->n_points - 1; i < s->n_points; j = i++) {
    const double *a = s->points + 2 * j, *b = s->points + 2 * i;
    twice += (a[0] - o[0]) * (b[1] - o[1]) - (b[0] - o[0]) * (a[1] - o[1]);
  }
  return twice;
}

/* That of an edge comes from the edge, so that rounding does no harm near it. */
CQ_FN void polygon_normal(const cq_shape *s, const double *x, double *normal) {
  const double round = polygon_twice(s) > 0.0 ? 1.0 : -1.0;
  double least = INFINITY;
  bool corner = false;
  for (int i = 0, j = s->n_points - 1; i < s->n_points; j = i++) {
    const double *a = s->points + 2 * j, *b = s->points + 2 * i;
    double d[2], square;
    const double t = polygon_segment(a, b, x, 2, d, &square);
    if (square < least && (a[0] != b[0] || a[1] != b[1])) {
      least = square;
      corner = (t == 0.0 || t == 1.0) && square > 0.0;
      normal[0] = corner ? d[0] : round * (b[1] - a[1]);
      normal[1] = corner ? d[1] : round * (a[0] - b[0]);
    }
  }
  const double sign = corner && polygon_distance(s, x) < 0.0 ? -1.0 : 1.0;
  const double length = sign * sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  normal[0] /= length;
  normal[1] /= length;
}

static inline double polygon_volume(const cq_shape *s) {
  return 0.5 * fabs(polygon_twice(s));
}

static inline void polygon_bounds(const cq_shape *s, double *low, double *size) {
  cq_shape_bound_points(s, s->points, s->n_points, s->dim, low, size);
}

static inline void polygon_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
