/* Kinetic energy of a group of particles: half its mass times the mean of |v|^2. */
#ifndef CQ_TERMS_KINETIC_ENERGY_H
#define CQ_TERMS_KINETIC_ENERGY_H

#include "term.h"

#define CQ_TERM_ABOUT_kinetic_energy "kinetic energy of a body or group"

#define CQ_TERM_KEYS_kinetic_energy(K)

typedef struct cq_term_kinetic_energy {
  int none; /* C has no empty struct */
} cq_term_kinetic_energy;

CQ_FN wide cq_kinetic_energy_value(const cq_term_kinetic_energy *keys, const cq_term_in *in) {
  (void)keys;
  return 0.5 * in->z[CQ_Z(in->dim, MASS)] * in->z[CQ_Z(in->dim, SQUARE)];
}

CQ_FN void cq_kinetic_energy_adjoint(const cq_term_kinetic_energy *keys, const cq_term_in *in,
                                     wide seed, wide *dz, wide *du) {
  (void)keys;
  (void)du;
  const int mass = CQ_Z(in->dim, MASS), square = CQ_Z(in->dim, SQUARE);
  dz[mass] = dz[mass] + 0.5 * seed * in->z[square];
  dz[square] = dz[square] + 0.5 * seed * in->z[mass];
}

#endif
