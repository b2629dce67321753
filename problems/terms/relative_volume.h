/* Volume of a group of particles over its volume at rest. */
#ifndef CQ_TERMS_RELATIVE_VOLUME_H
#define CQ_TERMS_RELATIVE_VOLUME_H

#include "own.h"

#define CQ_TERM_ABOUT_relative_volume "volume of a body or group over that at rest"

#define CQ_TERM_KEYS_relative_volume(K)

typedef struct cq_term_relative_volume {
  int none; /* C has no empty struct */
} cq_term_relative_volume;

CQ_TERM_OF_OWN(relative_volume)

#endif
