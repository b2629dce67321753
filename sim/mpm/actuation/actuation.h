/* Every actuation model of actuation_list.h behind one call. What drives an actuator, w, follows
 * from its controls u (and, for some, from what is observed, z); the physics sees w alone. A model
 * <name> is a header <name>.h with
 *   real <name>_bound(const actuator *, const real *u)
 *                       the stress [Pa] by which controls that far from rest stiffen the body
 * and what the column `acts` of the list asks for:
 *   STRESS  mat <name>_pk1(const actuator *, const real *w, mat F)   adds to P, the first
 *                       Piola-Kirchhoff stress (eq. (1) of the supplement)
 *           mat <name>_adjoint(const actuator *, const real *w, mat F, mat dP, real *dw)
 *                       returns the pull-back to F, adds to dw
 *           or both and the bound from a symmetric sigma(w) by CQ_ACTUATION_OF_SIGMA
 *   PUSH    vec <name>_acceleration(const actuator *, const real *w, vec x)   at the place x
 *           vec <name>_acceleration_adjoint(const actuator *, const real *w, vec x, vec d, real
 * *dw) returns the pull-back to x, adds to dw CABLE   nothing more: cable.h, and the engines know
 * what a cable is and with a drive OWN, PLACED, SEEN or WEIGHED: void <name>_drive(const actuator
 * *, const wide *u, const wide *z, wide *w) void <name>_drive_adjoint(const actuator *, const wide
 * *u, const wide *z, const wide *dw, wide *du, wide *dz)   adds to du and dz; z is of the
 * actuator's group */
#ifndef CQ_ACTUATION_ACTUATION_H
#define CQ_ACTUATION_ACTUATION_H

#include "actuation/cable.h"
#include "actuation/diagonal.h"
#include "actuation/hydraulic.h"
#include "actuation/muscle.h"
#include "actuation/pneumatic.h"
#include "actuation/push.h"
#include "actuation/stress.h"
#include "actuation/thrust.h"
#include "actuation/torque.h"
#include "kinds.h"

CQ_FN mat actuation_pk1(const actuator *a, const real *w, mat F) {
  switch (a->kind) {
#define CQ_PK1_STRESS(name)                                                                        \
case CQ_ACTUATION_##name:                                                                          \
  return name##_pk1(a, w, F);
#define CQ_PK1_PUSH(name)
#define CQ_PK1_CABLE(name)
#define CQ_ACTUATION(name, acts, ...) CQ_PK1_##acts(name)
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    return mat_zero();
  }
}

/* Given dP: returns the pull-back to F and adds to dw. */
CQ_FN mat actuation_adjoint(const actuator *a, const real *w, mat F, mat dP, real *dw) {
  switch (a->kind) {
#define CQ_PK1_ADJOINT_STRESS(name)                                                                \
case CQ_ACTUATION_##name:                                                                          \
  return name##_adjoint(a, w, F, dP, dw);
#define CQ_PK1_ADJOINT_PUSH(name)
#define CQ_PK1_ADJOINT_CABLE(name)
#define CQ_ACTUATION(name, acts, ...) CQ_PK1_ADJOINT_##acts(name)
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    return mat_zero();
  }
}

CQ_FN vec actuation_acceleration(const actuator *a, const real *w, vec x) {
  switch (a->kind) {
#define CQ_ACCELERATION_STRESS(name)
#define CQ_ACCELERATION_PUSH(name)                                                                 \
case CQ_ACTUATION_##name:                                                                          \
  return name##_acceleration(a, w, x);
#define CQ_ACCELERATION_CABLE(name)
#define CQ_ACTUATION(name, acts, ...) CQ_ACCELERATION_##acts(name)
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    return vec_zero();
  }
}

/* d is dL/d(acceleration); returns the pull-back to x and adds to dw. */
CQ_FN vec actuation_acceleration_adjoint(const actuator *a, const real *w, vec x, vec d, real *dw) {
  switch (a->kind) {
#define CQ_ACCELERATION_ADJOINT_STRESS(name)
#define CQ_ACCELERATION_ADJOINT_PUSH(name)                                                         \
case CQ_ACTUATION_##name:                                                                          \
  return name##_acceleration_adjoint(a, w, x, d, dw);
#define CQ_ACCELERATION_ADJOINT_CABLE(name)
#define CQ_ACTUATION(name, acts, ...) CQ_ACCELERATION_ADJOINT_##acts(name)
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    return vec_zero();
  }
}

CQ_FN real actuation_bound(const actuator *a, const real *u) {
  switch (a->kind) {
#define CQ_ACTUATION(name, ...)                                                                    \
case CQ_ACTUATION_##name:                                                                          \
  return name##_bound(a, u);
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  default:
    return real_splat(K(0));
  }
}

#endif
