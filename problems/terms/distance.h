/* Distance of a centre of mass from a target: d = |c - target|, or d^2. The gradient of d at d = 0
 * does not exist; zero, an element of the subdifferential, is taken. */
#ifndef CQ_TERMS_DISTANCE_H
#define CQ_TERMS_DISTANCE_H

#include "term.h"

#define CQ_TERM_KEYS_distance(K)                                                                   \
  K(distance, target, POINT, "m", ANY, REQUIRED, "", "", "where the centre of mass should be")     \
  K(distance, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

typedef struct cq_term_distance {
  CQ_TERM_KEYS_distance(CQ_TERM_FIELD)
} cq_term_distance;

CQ_FN wide cq_distance_square(const cq_term_distance *keys, const cq_term_in *in) {
  wide sum = 0.0;
  for (int a = 0; a < in->dim; a++) {
    const wide d = in->z[a] - keys->target[a];
    sum = sum + d * d;
  }
  return sum;
}

CQ_FN wide cq_distance_value(const cq_term_distance *keys, const cq_term_in *in) {
  const wide square = cq_distance_square(keys, in);
  if (keys->squared || !(square > 0.0)) {
    return square;
  }
  return cq_wide_sqrt(square);
}

CQ_FN void cq_distance_adjoint(const cq_term_distance *keys, const cq_term_in *in, wide seed,
                               wide *dz, wide *du) {
  (void)du;
  wide factor = 2.0 * seed;
  if (!keys->squared) {
    const wide square = cq_distance_square(keys, in);
    if (!(square > 0.0)) {
      return;
    }
    factor = seed / cq_wide_sqrt(square);
  }
  for (int a = 0; a < in->dim; a++) {
    dz[a] = dz[a] + factor * (in->z[a] - keys->target[a]);
  }
}

#endif
