/* Push: a given force [N] on the body for a while, shared by its particles by their mass, so that
 * all have the acceleration w = force/mass and the force is that of any motion and time step: a
 * step has the share of it in which the push acts. It has no controls. */
#ifndef CQ_ACTUATION_PUSH_H
#define CQ_ACTUATION_PUSH_H

#include "actuation/thrust.h"

/* A push as it is in a step, any other actuator as it is. */
CQ_FN actuator push_in_step(actuator a, double dt, int step) {
  const double begin = fmax(a.from, step * dt), end = fmin(a.until, (step + 1) * dt);
  a.acts = end > begin ? (end - begin) / dt : 0.0;
  return a;
}

/* z[0] is the mass of the body */
CQ_FN void push_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  (void)u;
  FOR_AXES(i) {
    w[i] = a->acts * a->force[i] / z[0];
  }
}

CQ_FN void push_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                              wide *du, wide *dz) {
  (void)u;
  (void)du;
  FOR_AXES(i) {
    dz[0] = dz[0] - a->acts * a->force[i] / (z[0] * z[0]) * dw[i];
  }
}

CQ_FN vec push_acceleration(const actuator *a, const real *w, vec x) {
  return thrust_acceleration(a, w, x);
}

CQ_FN vec push_acceleration_adjoint(const actuator *a, const real *w, vec x, vec d, real *dw) {
  return thrust_acceleration_adjoint(a, w, x, d, dw);
}

/* It does not stiffen anything. */
CQ_FN real push_bound(const actuator *a, const real *u) {
  return thrust_bound(a, u);
}

#endif
