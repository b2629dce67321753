/* Torque: turns a body about its centre of mass c by an angular acceleration u [rad/s^2]: its
 * particles are accelerated by u x (x - c), which is a torque of u times the moment of inertia and
 * no force. One control in 2D (anticlockwise), three in 3D. What drives it is u and then c. */
#ifndef CQ_ACTUATION_TORQUE_H
#define CQ_ACTUATION_TORQUE_H

#include "actuation/actuator.h"

enum { CQ_TORQUE_CONTROLS = CQ_DIM == 2 ? 1 : 3 };

CQ_FN void torque_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  (void)a;
  for (int i = 0; i < CQ_TORQUE_CONTROLS; i++) {
    w[i] = u[i];
  }
  FOR_AXES(i) {
    w[CQ_TORQUE_CONTROLS + i] = z[i];
  }
}

CQ_FN void torque_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                                wide *du, wide *dz) {
  (void)a;
  (void)u;
  (void)z;
  for (int i = 0; i < CQ_TORQUE_CONTROLS; i++) {
    du[i] = du[i] + dw[i];
  }
  FOR_AXES(i) {
    dz[i] = dz[i] + dw[CQ_TORQUE_CONTROLS + i];
  }
}

/* x - c */
CQ_FN vec torque_arm(const real *w, vec x) {
  FOR_AXES(i) {
    x.v[i] = x.v[i] - w[CQ_TORQUE_CONTROLS + i];
  }
  return x;
}

#if CQ_DIM == 2
CQ_FN vec torque_acceleration(const actuator *a, const real *w, vec x) {
  (void)a;
  const vec r = torque_arm(w, x);
  vec out;
  out.v[0] = -(w[0] * r.v[1]);
  out.v[1] = w[0] * r.v[0];
  return out;
}

CQ_FN vec torque_acceleration_adjoint(const actuator *a, const real *w, vec x, vec d, real *dw) {
  (void)a;
  const vec r = torque_arm(w, x);
  vec dx;
  dx.v[0] = w[0] * d.v[1];
  dx.v[1] = -(w[0] * d.v[0]);
  dw[0] = dw[0] + (r.v[0] * d.v[1] - r.v[1] * d.v[0]);
  dw[1] = dw[1] - dx.v[0];
  dw[2] = dw[2] - dx.v[1];
  return dx;
}
#else
CQ_FN vec torque_cross(const real *a, const real *b) {
  vec r;
  FOR_AXES(i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r.v[i] = a[j] * b[k] - a[k] * b[j];
  }
  return r;
}

CQ_FN vec torque_acceleration(const actuator *a, const real *w, vec x) {
  (void)a;
  const vec r = torque_arm(w, x);
  return torque_cross(w, r.v);
}

CQ_FN vec torque_acceleration_adjoint(const actuator *a, const real *w, vec x, vec d, real *dw) {
  (void)a;
  const vec r = torque_arm(w, x), du = torque_cross(r.v, d.v), dx = torque_cross(d.v, w);
  FOR_AXES(i) {
    dw[i] = dw[i] + du.v[i];
    dw[3 + i] = dw[3 + i] - dx.v[i];
  }
  return dx;
}
#endif

/* It does not stiffen anything. */
CQ_FN real torque_bound(const actuator *a, const real *u) {
  (void)a;
  (void)u;
  return real_splat(K(0));
}

#endif
