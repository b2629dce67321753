/* Elastic energy of a group of particles, sum V_p Psi(F_p), Psi the energy density of their
 * materials. Actuators are not counted. */
#ifndef CQ_TERMS_ELASTIC_ENERGY_H
#define CQ_TERMS_ELASTIC_ENERGY_H

#include "own.h"

#define CQ_TERM_ABOUT_elastic_energy "elastic energy of a body or group"

#define CQ_TERM_KEYS_elastic_energy(K)

typedef struct cq_term_elastic_energy {
  int none; /* C has no empty struct */
} cq_term_elastic_energy;

CQ_TERM_OF_OWN(elastic_energy)

#endif
