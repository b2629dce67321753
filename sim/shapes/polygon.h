/* Polygon in 2D, its corners in order either way round; inside by the even-odd rule. */
#ifndef CQ_SHAPES_POLYGON_H
#define CQ_SHAPES_POLYGON_H

#include "shapes.h"

/* Square of the distance from the segment a b. */
static inline double polygon_segment_square(const double *a, const double *b, const double *x,
                                            int dim) {
  double along = 0.0, length = 0.0, square = 0.0;
  for (int i = 0; i < dim; i++) {
    along += (x[i] - a[i]) * (b[i] - a[i]);
    length += (b[i] - a[i]) * (b[i] - a[i]);
  }
  const double t = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
  for (int i = 0; i < dim; i++) {
    const double d = x[i] - a[i] - t * (b[i] - a[i]);
    square += d * d;
  }
  return square;
}

static inline double polygon_distance(const cq_shape *s, const double *x) {
  bool inside = false;
  double square = INFINITY;
  for (int i = 0, j = s->n_points - 1; i < s->n_points; j = i++) {
    const double *a = s->points + 2 * i, *b = s->points + 2 * j;
    square = fmin(square, polygon_segment_square(a, b, x, 2));
    if ((a[1] > x[1]) != (b[1] > x[1]) &&
        x[0] < a[0] + (x[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])) {
      inside = !inside;
    }
  }
  return inside ? -sqrt(square) : sqrt(square);
}

/* The shoelace formula, about a corner for the sake of rounding. */
static inline double polygon_volume(const cq_shape *s) {
  const double *o = s->points;
  double twice = 0.0;
  for (int i = 0, j = s->n_points - 1; i < s->n_points; j = i++) {
    const double *a = s->points + 2 * j, *b = s->points + 2 * i;
    twice += (a[0] - o[0]) * (b[1] - o[1]) - (b[0] - o[0]) * (a[1] - o[1]);
  }
  return 0.5 * fabs(twice);
}

static inline void polygon_bounds(const cq_shape *s, double *low, double *size) {
  for (int a = 0; a < 2; a++) {
    double high = s->points[a];
    low[a] = s->points[a];
    for (int i = 1; i < s->n_points; i++) {
      low[a] = fmin(low[a], s->points[2 * i + a]);
      high = fmax(high, s->points[2 * i + a]);
    }
    size[a] = high - low[a];
  }
}

static inline void polygon_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
