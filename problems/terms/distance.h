/* Distance of a centre of mass from a target: d = |c - target|, or d^2. */
#ifndef CQ_TERMS_DISTANCE_H
#define CQ_TERMS_DISTANCE_H

#include "residual.h"

#define CQ_TERM_ABOUT_distance "distance from a centre of mass to a point, or its square"

#define CQ_TERM_KEYS_distance(K)                                                                   \
  K(distance, target, POINT, "m", ANY, REQUIRED, "", "", "where the centre of mass should be")     \
  K(distance, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")       \
  CQ_RESIDUAL_KEYS(K, distance, "m")

typedef struct cq_term_distance {
  CQ_TERM_KEYS_distance(CQ_TERM_FIELD)
} cq_term_distance;

CQ_FN int cq_distance_count(const cq_term_in *in) {
  (void)in;
  return 1;
}

CQ_FN int cq_distance_numbers(const cq_term_in *in) {
  return in->dim;
}

CQ_FN double cq_distance_weight(const cq_term_in *in, int k) {
  (void)in;
  (void)k;
  return 1.0;
}

CQ_FN void cq_distance_residual(const cq_term_distance *keys, const cq_term_in *in, int k,
                                wide *d) {
  (void)k;
  for (int a = 0; a < in->dim; a++) {
    d[a] = in->z[a] - keys->target[a];
  }
}

CQ_FN double cq_distance_measured(const cq_term_distance *keys, const cq_term_in *in, int k,
                                  int a) {
  (void)in;
  (void)k;
  return keys->target[a];
}

CQ_FN void cq_distance_residual_adjoint(const cq_term_in *in, int k, wide factor, const wide *v,
                                        wide *dz) {
  (void)k;
  for (int a = 0; a < in->dim; a++) {
    dz[a] = dz[a] + factor * v[a];
  }
}

CQ_TERM_OF_RESIDUALS(distance)

#endif
