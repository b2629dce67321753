/* Distance of a centre of mass from a target: d = |c - target|, or d^2. */
#ifndef CQ_TERMS_DISTANCE_H
#define CQ_TERMS_DISTANCE_H

#include "length.h"

#define CQ_TERM_ABOUT_distance "distance from a centre of mass to a point, or its square"

#define CQ_TERM_KEYS_distance(K)                                                                   \
  K(distance, target, POINT, "m", ANY, REQUIRED, "", "", "where the centre of mass should be")     \
  K(distance, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_distance {
  CQ_TERM_KEYS_distance(CQ_TERM_FIELD)
} cq_term_distance;

CQ_FN void cq_distance_vector(const cq_term_distance *keys, const cq_term_in *in, wide *d) {
  for (int a = 0; a < in->dim; a++) {
    d[a] = in->z[a] - keys->target[a];
  }
}

CQ_FN wide cq_distance_value(const cq_term_distance *keys, const cq_term_in *in) {
  wide d[3];
  cq_distance_vector(keys, in, d);
  return cq_length_value(d, in->dim, keys->squared);
}

CQ_FN void cq_distance_adjoint(const cq_term_distance *keys, const cq_term_in *in, wide seed,
                               wide *dz, wide *du) {
  wide d[3];
  (void)du;
  cq_distance_vector(keys, in, d);
  const wide factor = seed * cq_length_factor(d, in->dim, keys->squared);
  for (int a = 0; a < in->dim; a++) {
    dz[a] = dz[a] + factor * d[a];
  }
}

#endif
