/* Distance between two centres of mass: d = |c_body - c_to - offset|, or d^2. */
#ifndef CQ_TERMS_DISTANCE_BETWEEN_H
#define CQ_TERMS_DISTANCE_BETWEEN_H

#include "length.h"

#define CQ_TERM_ABOUT_distance_between "distance between two centres of mass, or its square"

#define CQ_TERM_KEYS_distance_between(K)                                                           \
  K(distance_between, offset, POINT, "m", ANY, "0", "", "",                                        \
    "where the body's centre should be, seen from that of `to`")                                   \
  K(distance_between, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_distance_between {
  CQ_TERM_KEYS_distance_between(CQ_TERM_FIELD)
} cq_term_distance_between;

CQ_FN void cq_distance_between_vector(const cq_term_distance_between *keys, const cq_term_in *in,
                                      wide *d) {
  for (int a = 0; a < in->dim; a++) {
    d[a] = in->z[a] - in->z[in->z_size + a] - keys->offset[a];
  }
}

CQ_FN wide cq_distance_between_value(const cq_term_distance_between *keys, const cq_term_in *in) {
  wide d[3];
  cq_distance_between_vector(keys, in, d);
  return cq_length_value(d, in->dim, keys->squared);
}

CQ_FN void cq_distance_between_adjoint(const cq_term_distance_between *keys, const cq_term_in *in,
                                       wide seed, wide *dz, wide *du) {
  wide d[3];
  (void)du;
  cq_distance_between_vector(keys, in, d);
  const wide factor = seed * cq_length_factor(d, in->dim, keys->squared);
  for (int a = 0; a < in->dim; a++) {
    wide *to = dz + in->z_size + a;
    dz[a] = dz[a] + factor * d[a];
    *to = *to - factor * d[a];
  }
}

#endif
