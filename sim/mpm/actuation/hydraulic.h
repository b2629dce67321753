/* Hydraulic: a sealed chamber that is filled until its particles have u times the volume they were
 * made with. The liquid has the pressure k (u - V), V = sum J_p V_p / sum V_p the relative volume
 * of the group at the beginning of the step and k its stiffness [Pa], and acts as a gas of that
 * pressure would: what is pressed out of one place comes back in another. */
#ifndef CQ_ACTUATION_HYDRAULIC_H
#define CQ_ACTUATION_HYDRAULIC_H

#include "actuation/pneumatic.h"

CQ_FN void hydraulic_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  w[0] = (double)a->stiffness * (u[0] - z[0]);
}

CQ_FN void hydraulic_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                                   wide *du, wide *dz) {
  (void)u;
  (void)z;
  du[0] = du[0] + (double)a->stiffness * dw[0];
  dz[0] = dz[0] - (double)a->stiffness * dw[0];
}

CQ_FN mat hydraulic_pk1(const actuator *a, const real *w, mat F) {
  return pneumatic_pk1(a, w, F);
}

CQ_FN mat hydraulic_adjoint(const actuator *a, const real *w, mat F, mat dP, real *dw) {
  return pneumatic_adjoint(a, w, F, dP, dw);
}

/* the pressure, and the stiffness of the liquid itself */
CQ_FN real hydraulic_bound(const actuator *a, const real *u) {
  return a->stiffness * (K(1) + u[0]);
}

#endif
