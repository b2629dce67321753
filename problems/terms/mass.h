/* Mass of a body or group: densities times volumes, which a design may change. */
#ifndef CQ_TERMS_MASS_H
#define CQ_TERMS_MASS_H

#include "term.h"

#define CQ_TERM_ABOUT_mass "mass of a body or group"

#define CQ_TERM_KEYS_mass(K)

typedef struct cq_term_mass {
  int none; /* C has no empty struct */
} cq_term_mass;

CQ_FN wide cq_mass_value(const cq_term_mass *keys, const cq_term_in *in) {
  (void)keys;
  return in->z[CQ_Z(in->dim, MASS)];
}

CQ_FN void cq_mass_adjoint(const cq_term_mass *keys, const cq_term_in *in, wide seed, wide *dz,
                           wide *du) {
  (void)keys;
  (void)du;
  const int mass = CQ_Z(in->dim, MASS);
  dz[mass] = dz[mass] + seed;
}

#endif
