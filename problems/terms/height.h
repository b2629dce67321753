/* Height of a centre of mass above a level, along y in 2D and 3D: c_y - above. mean_position with a
 * direction "y" is the same above 0. */
#ifndef CQ_TERMS_HEIGHT_H
#define CQ_TERMS_HEIGHT_H

#include "term.h"

#define CQ_TERM_ABOUT_height "height of a centre of mass above a level, along y"

#define CQ_TERM_KEYS_height(K)                                                                     \
  K(height, above, NUMBER, "m", ANY, "0", "", "", "the level from which y is measured: a floor")

typedef struct cq_term_height {
  CQ_TERM_KEYS_height(CQ_TERM_FIELD)
} cq_term_height;

CQ_FN wide cq_height_value(const cq_term_height *keys, const cq_term_in *in) {
  return in->z[1] - keys->above;
}

CQ_FN void cq_height_adjoint(const cq_term_height *keys, const cq_term_in *in, wide seed, wide *dz,
                             wide *du) {
  (void)keys;
  (void)in;
  (void)du;
  dz[1] = dz[1] + seed;
}

#endif
