/* Position of a centre of mass along a direction: n . c. */
#ifndef CQ_TERMS_MEAN_POSITION_H
#define CQ_TERMS_MEAN_POSITION_H

#include "term.h"

#define CQ_TERM_ABOUT_mean_position "position of a centre of mass along a direction"

#define CQ_TERM_KEYS_mean_position(K)                                                              \
  K(mean_position, direction, POINT, "", ANY, "x", "", "axis",                                     \
    "numbers, used as they are, or an axis, \"x\"")

typedef struct cq_term_mean_position {
  CQ_TERM_KEYS_mean_position(CQ_TERM_FIELD)
} cq_term_mean_position;

CQ_FN wide cq_mean_position_value(const cq_term_mean_position *keys, const cq_term_in *in) {
  wide sum = 0.0;
  for (int a = 0; a < in->dim; a++) {
    sum = sum + in->z[a] * keys->direction[a];
  }
  return sum;
}

CQ_FN void cq_mean_position_adjoint(const cq_term_mean_position *keys, const cq_term_in *in,
                                    wide seed, wide *dz, wide *du) {
  (void)du;
  for (int a = 0; a < in->dim; a++) {
    dz[a] = dz[a] + seed * keys->direction[a];
  }
}

#endif
