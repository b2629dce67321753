/* Torque: turns a body about its centre of mass c by an angular acceleration u [rad/s^2]: its
 * particles are accelerated by u x (x - c), which is a torque of u times the moment of inertia and
 * no force. One control in 2D (anticlockwise), three in 3D. What drives it is u and then c. */
#ifndef CQ_ACTUATION_TORQUE_H
#define CQ_ACTUATION_TORQUE_H

#include "actuation/actuator.h"

CQ_FN void torque_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  (void)a;
  for (int i = 0; i < CQ_SPINS; i++) {
    w[i] = u[i];
  }
  FOR_AXES(i) {
    w[CQ_SPINS + i] = z[i];
  }
}

CQ_FN void torque_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                                wide *du, wide *dz) {
  (void)a;
  (void)u;
  (void)z;
  for (int i = 0; i < CQ_SPINS; i++) {
    du[i] = du[i] + dw[i];
  }
  FOR_AXES(i) {
    dz[i] = dz[i] + dw[CQ_SPINS + i];
  }
}

/* x - c */
CQ_FN vec torque_arm(const real *w, vec x) {
  FOR_AXES(i) {
    x.v[i] = x.v[i] - w[CQ_SPINS + i];
  }
  return x;
}

CQ_FN vec torque_acceleration(const actuator *a, const real *w, vec x) {
  (void)a;
  return vec_turn(w, torque_arm(w, x));
}

CQ_FN vec torque_acceleration_adjoint(const actuator *a, const real *w, vec x, vec d, real *dw) {
  (void)a;
  const vec dx = vec_scale(real_splat(K(-1)), vec_turn(w, d));
  vec_turn_adjoint(torque_arm(w, x), d, dw);
  FOR_AXES(i) {
    dw[CQ_SPINS + i] = dw[CQ_SPINS + i] - dx.v[i];
  }
  return dx;
}

/* It does not stiffen anything. */
CQ_FN real torque_bound(const actuator *a, const real *u) {
  (void)a;
  (void)u;
  return real_splat(K(0));
}

#endif
