/* From the controls u of a step, and the observation z at its beginning, to what drives the
 * actuators, w: the controls themselves, but for models that say otherwise. In double. */
#ifndef CQ_ACTUATION_DRIVE_H
#define CQ_ACTUATION_DRIVE_H

#include "actuation/actuation.h"

/* What drives an actuator: its controls, unless its model makes something else of them. */
CQ_FN void actuation_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  u = u + a->first_control;
  w = w + a->first_drive;
  switch (a->kind) {
#define CQ_CALL_SAME(name)
#define CQ_CALL_OWN(name)                                                                          \
case CQ_ACTUATION_##name:                                                                          \
  name##_drive(a, u, z + a->first_z, w);                                                           \
  break;
#define CQ_CALL_PLACED(name)                 CQ_CALL_OWN(name)
#define CQ_CALL_SEEN(name)                   CQ_CALL_OWN(name)
#define CQ_CALL_WEIGHED(name)                CQ_CALL_OWN(name)
#define CQ_ACTUATION(name, acts, drive, ...) CQ_CALL_##drive(name)
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    for (int i = 0; i < a->n_drives; i++) {
      w[i] = u[i];
    }
  }
}

/* adds to du and dz */
CQ_FN void actuation_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                                   wide *du, wide *dz) {
  u = u + a->first_control;
  du = du + a->first_control;
  dw = dw + a->first_drive;
  switch (a->kind) {
#define CQ_CALL_ADJOINT_SAME(name)
#define CQ_CALL_ADJOINT_OWN(name)                                                                  \
case CQ_ACTUATION_##name:                                                                          \
  name##_drive_adjoint(a, u, z + a->first_z, dw, du, dz + a->first_z);                             \
  break;
#define CQ_CALL_ADJOINT_PLACED(name)         CQ_CALL_ADJOINT_OWN(name)
#define CQ_CALL_ADJOINT_SEEN(name)           CQ_CALL_ADJOINT_OWN(name)
#define CQ_CALL_ADJOINT_WEIGHED(name)        CQ_CALL_ADJOINT_OWN(name)
#define CQ_ACTUATION(name, acts, drive, ...) CQ_CALL_ADJOINT_##drive(name)
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    for (int i = 0; i < a->n_drives; i++) {
      du[i] = du[i] + dw[i];
    }
  }
}

#endif
