/* Shapes put together, one after the other: each is added to what is there or taken from it. The
 * normal is that of the part whose surface the distance is from; of parts as near, the first. */
#ifndef CQ_SHAPES_COMPOSITE_H
#define CQ_SHAPES_COMPOSITE_H

#include "shapes.h"

/* The sign is right; the magnitude is a lower bound of the distance where parts meet. */
static inline double composite_nearest(const cq_shape *s, const double *x, int *part) {
  double distance = INFINITY;
  *part = 0;
  for (int i = 0; i < s->n_parts; i++) {
    const double d = cq_shape_distance(&s->parts[i].shape, x);
    if (s->parts[i].subtract ? -d > distance : d < distance) {
      distance = s->parts[i].subtract ? -d : d;
      *part = i;
    }
  }
  return distance;
}

static inline double composite_distance(const cq_shape *s, const double *x) {
  int part;
  return composite_nearest(s, x, &part);
}

static inline void composite_normal(const cq_shape *s, const double *x, double *normal) {
  int part;
  composite_nearest(s, x, &part);
  cq_shape_normal(&s->parts[part].shape, x, normal);
  for (int a = 0; a < s->dim && s->parts[part].subtract; a++) {
    normal[a] = -normal[a];
  }
}

/* Not known. */
static inline double composite_volume(const cq_shape *s) {
  (void)s;
  return NAN;
}

/* Of what is added. */
static inline void composite_bounds(const cq_shape *s, double *low, double *size) {
  bool first = true;
  for (int i = 0; i < s->n_parts; i++) {
    double part_low[3], part_size[3];
    if (s->parts[i].subtract) {
      continue;
    }
    cq_shape_bounds(&s->parts[i].shape, part_low, part_size);
    for (int a = 0; a < s->dim; a++) {
      const double high = part_low[a] + part_size[a];
      const double old_high = first ? high : low[a] + size[a];
      low[a] = first ? part_low[a] : fmin(low[a], part_low[a]);
      size[a] = fmax(high, old_high) - low[a];
    }
    first = false;
  }
  cq_shape_turn_bounds(s, low, size);
}

static inline void composite_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
