/* Shapes put together, one after the other: each is added to what is there or taken from it. The
 * normal is that of the part whose surface the distance is from; of parts as near, the first.
 * Distances and normals of the parts are those of CQ_PART, by default of any shape. */
#ifndef CQ_SHAPES_COMPOSITE_H
#define CQ_SHAPES_COMPOSITE_H

#include "shapes.h"

#ifndef CQ_PART
#  define CQ_PART(what) cq_shape_##what
#endif

/* The sign is right; the magnitude is a lower bound of the distance where parts meet. */
CQ_FN double composite_nearest(const cq_shape *s, const double *x, int *which) {
  double distance = INFINITY;
  *which = 0;
  for (int i = 0; i < s->n_parts; i++) {
    const double d = CQ_PART(distance)(&s->parts[i].shape, x);
    if (s->parts[i].subtract ? -d > distance : d < distance) {
      distance = s->parts[i].subtract ? -d : d;
      *which = i;
    }
  }
  return distance;
}

CQ_FN double composite_distance(const cq_shape *s, const double *x) {
  int which;
  return composite_nearest(s, x, &which);
}

CQ_FN void composite_normal(const cq_shape *s, const double *x, double *normal) {
  int which;
  composite_nearest(s, x, &which);
  CQ_PART(normal)(&s->parts[which].shape, x, normal);
  for (int a = 0; a < s->dim && s->parts[which].subtract; a++) {
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
