/* What an actuation header knows of its actuator. */
#ifndef CQ_ACTUATION_ACTUATOR_H
#define CQ_ACTUATION_ACTUATOR_H

#include "linalg.h"

enum { CQ_ACTUATOR_MAX_CONTROLS = 6 };

typedef struct actuator {
  int kind;          /* cq_actuation_kind */
  int first_control; /* into the control vector */
  int n_controls;
  scalar direction[CQ_DIM][CQ_DIM];
} actuator;

#endif
