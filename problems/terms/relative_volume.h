/* Volume of a group of particles over its volume at rest. */
#ifndef CQ_TERMS_RELATIVE_VOLUME_H
#define CQ_TERMS_RELATIVE_VOLUME_H

#include "term.h"

#define CQ_TERM_ABOUT_relative_volume "volume of a body or group over that at rest"

#define CQ_TERM_KEYS_relative_volume(K)

typedef struct cq_term_relative_volume {
  int none; /* C has no empty struct */
} cq_term_relative_volume;

CQ_FN wide cq_relative_volume_value(const cq_term_relative_volume *keys, const cq_term_in *in) {
  (void)keys;
  return in->z[CQ_Z(in->dim, OWN)];
}

CQ_FN void cq_relative_volume_adjoint(const cq_term_relative_volume *keys, const cq_term_in *in,
                                      wide seed, wide *dz, wide *du) {
  (void)keys;
  (void)du;
  const int i = CQ_Z(in->dim, OWN);
  dz[i] = dz[i] + seed;
}

#endif
