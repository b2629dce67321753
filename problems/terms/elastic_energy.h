/* Elastic energy of a group of particles, sum V_p Psi(F_p), Psi the energy density of their
 * materials. Actuators are not counted. */
#ifndef CQ_TERMS_ELASTIC_ENERGY_H
#define CQ_TERMS_ELASTIC_ENERGY_H

#include "term.h"

#define CQ_TERM_ABOUT_elastic_energy "elastic energy of a body or group"

#define CQ_TERM_KEYS_elastic_energy(K)

typedef struct cq_term_elastic_energy {
  int none; /* C has no empty struct */
} cq_term_elastic_energy;

CQ_FN wide cq_elastic_energy_value(const cq_term_elastic_energy *keys, const cq_term_in *in) {
  (void)keys;
  return in->z[CQ_Z(in->dim, OWN)];
}

CQ_FN void cq_elastic_energy_adjoint(const cq_term_elastic_energy *keys, const cq_term_in *in,
                                     wide seed, wide *dz, wide *du) {
  (void)keys;
  (void)du;
  const int i = CQ_Z(in->dim, OWN);
  dz[i] = dz[i] + seed;
}

#endif
