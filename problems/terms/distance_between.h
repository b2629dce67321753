/* Distance between two centres of mass: d = |c_body - c_to - offset|, or d^2. */
#ifndef CQ_TERMS_DISTANCE_BETWEEN_H
#define CQ_TERMS_DISTANCE_BETWEEN_H

#include "residual.h"

#define CQ_TERM_ABOUT_distance_between "distance between two centres of mass, or its square"

#define CQ_TERM_KEYS_distance_between(K)                                                           \
  K(distance_between, offset, POINT, "m", ANY, "0", "", "",                                        \
    "where the body's centre should be, seen from that of `to`")                                   \
  K(distance_between, squared, FLAG, "", ANY, "true", "", "",                                      \
    "square of the distance, smooth at 0")                                                         \
  CQ_RESIDUAL_KEYS(K, distance_between, "m")

typedef struct cq_term_distance_between {
  CQ_TERM_KEYS_distance_between(CQ_TERM_FIELD)
} cq_term_distance_between;

CQ_FN int cq_distance_between_count(const cq_term_in *in) {
  (void)in;
  return 1;
}

CQ_FN int cq_distance_between_numbers(const cq_term_in *in) {
  return in->dim;
}

CQ_FN double cq_distance_between_weight(const cq_term_in *in, int k) {
  (void)in;
  (void)k;
  return 1.0;
}

CQ_FN void cq_distance_between_residual(const cq_term_distance_between *keys, const cq_term_in *in,
                                        int k, wide *d) {
  (void)k;
  for (int a = 0; a < in->dim; a++) {
    d[a] = in->z[a] - in->z[in->z_size + a] - keys->offset[a];
  }
}

CQ_FN double cq_distance_between_measured(const cq_term_distance_between *keys,
                                          const cq_term_in *in, int k, int a) {
  (void)in;
  (void)k;
  return keys->offset[a];
}

CQ_FN void cq_distance_between_residual_adjoint(const cq_term_in *in, int k, wide factor,
                                                const wide *v, wide *dz) {
  (void)k;
  for (int a = 0; a < in->dim; a++) {
    wide *to = dz + in->z_size + a;
    dz[a] = dz[a] + factor * v[a];
    *to = *to - factor * v[a];
  }
}

CQ_TERM_OF_RESIDUALS(distance_between)

#endif
