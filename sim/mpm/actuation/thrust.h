/* Thrust: an acceleration w [m/s^2] of every particle of the body, before the step: the grid sees
 * velocities v + dt w. The controls are its components; with a direction there is one control, the
 * length along it. */
#ifndef CQ_ACTUATION_THRUST_H
#define CQ_ACTUATION_THRUST_H

#include "actuation/actuator.h"
#include "kinds.h"

CQ_FN void thrust_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  (void)z;
  FOR_AXES(i) {
    w[i] = a->along == CQ_ALONG_AXES ? u[i] : u[0] * (double)a->direction[0][i];
  }
}

CQ_FN void thrust_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                                wide *du, wide *dz) {
  (void)u;
  (void)z;
  (void)dz;
  FOR_AXES(i) {
    if (a->along == CQ_ALONG_AXES) {
      du[i] = du[i] + dw[i];
    } else {
      du[0] = du[0] + dw[i] * (double)a->direction[0][i];
    }
  }
}

CQ_FN vec thrust_acceleration(const actuator *a, const real *w) {
  (void)a;
  vec r;
  FOR_AXES(i) {
    r.v[i] = w[i];
  }
  return r;
}

CQ_FN void thrust_acceleration_adjoint(const actuator *a, vec d, real *dw) {
  (void)a;
  FOR_AXES(i) {
    dw[i] = dw[i] + d.v[i];
  }
}

/* It does not stiffen anything. */
CQ_FN real thrust_bound(const actuator *a, const real *u) {
  (void)a;
  (void)u;
  return real_splat(K(0));
}

#endif
