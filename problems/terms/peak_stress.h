/* A smooth maximum of the von Mises stress over a group of particles: the volume-weighted q-norm
 * (sum V_p s_p^q / sum V_p)^(1/q), q = `exponent`, which grows from the mean (1) to the maximum
 * (infinity). It is below the maximum: by (V_p / sum V_p)^(1/q) where one particle bears it all.
 * The stress is that of the material, without the actuator's. */
#ifndef CQ_TERMS_PEAK_STRESS_H
#define CQ_TERMS_PEAK_STRESS_H

#include "own.h"

#define CQ_TERM_ABOUT_peak_stress "largest von Mises stress, as a smooth maximum"

#define CQ_TERM_KEYS_peak_stress(K)                                                                \
  K(peak_stress, exponent, NUMBER, "", EXPONENT, "8", "", "",                                      \
    "of the norm over particles: 1 is the mean, more is nearer to the maximum")

typedef struct cq_term_peak_stress {
  CQ_TERM_KEYS_peak_stress(CQ_TERM_FIELD)
} cq_term_peak_stress;

CQ_TERM_OF_OWN(peak_stress)

#endif
