/* Mass-weighted mean of |v|^2 over the particles of a body. */
#ifndef CQ_TERMS_MEAN_SQUARE_VELOCITY_H
#define CQ_TERMS_MEAN_SQUARE_VELOCITY_H

#include "term.h"

#define CQ_TERM_ABOUT_mean_square_velocity "mean square velocity of the particles"

#define CQ_TERM_KEYS_mean_square_velocity(K)                                                       \
  K(mean_square_velocity, per_component, FLAG, "", ANY, "false", "", "",                           \
    "divide by the dimension: the mean over components, too")

typedef struct cq_term_mean_square_velocity {
  CQ_TERM_KEYS_mean_square_velocity(CQ_TERM_FIELD)
} cq_term_mean_square_velocity;

CQ_FN double cq_mean_square_velocity_factor(const cq_term_mean_square_velocity *keys, int dim) {
  return keys->per_component ? 1.0 / dim : 1.0;
}

CQ_FN wide cq_mean_square_velocity_value(const cq_term_mean_square_velocity *keys,
                                         const cq_term_in *in) {
  return in->z[CQ_Z(in->dim, SQUARE)] * cq_mean_square_velocity_factor(keys, in->dim);
}

CQ_FN void cq_mean_square_velocity_adjoint(const cq_term_mean_square_velocity *keys,
                                           const cq_term_in *in, wide seed, wide *dz, wide *du) {
  (void)du;
  const int i = CQ_Z(in->dim, SQUARE);
  dz[i] = dz[i] + seed * cq_mean_square_velocity_factor(keys, in->dim);
}

#endif
