/* Cable: a tendon without friction that runs through the points r_0 ... r_n-1 of its bodies, under
 * a tension T >= 0 [N; 2D: N per metre of depth]. With L = sum |r_j+1 - r_j| its length, the force
 * on a point is -T dL/dr_j: T along both neighbouring segments. The forces add up to nothing, and
 * so do their moments. epsilon [m] rounds off |.| where two points meet: |d| = sqrt(d.d +
 * epsilon^2). */
#ifndef CQ_ACTUATION_CABLE_H
#define CQ_ACTUATION_CABLE_H

#include "actuation/actuator.h"

/* of the segment from r to s: its unit vector; *length takes |s - r| */
CQ_FN vec cable_segment(vec r, vec s, scalar epsilon, real *length) {
  const vec d = vec_sub(s, r);
  *length = real_sqrt(vec_dot(d, d) + epsilon * epsilon);
  return vec_scale(K(1) / *length, d);
}

/* f [n] is overwritten */
CQ_FN void cable_forces(const vec *r, int n, real tension, scalar epsilon, vec *f) {
  real length;
  f[0] = vec_zero();
  for (int j = 0; j + 1 < n; j++) {
    const vec pull = vec_scale(tension, cable_segment(r[j], r[j + 1], epsilon, &length));
    f[j] = vec_add(f[j], pull);
    f[j + 1] = vec_sub(vec_zero(), pull);
  }
}

/* Adds to dr [n] and *dtension. d(e)/d(d) = (I - e e^T)/length. */
CQ_FN void cable_adjoint(const vec *r, int n, real tension, scalar epsilon, const vec *df, vec *dr,
                         real *dtension) {
  real length;
  for (int j = 0; j + 1 < n; j++) {
    const vec e = cable_segment(r[j], r[j + 1], epsilon, &length);
    const vec g = vec_sub(df[j], df[j + 1]);
    const real along = vec_dot(g, e);
    const vec dd = vec_scale(tension / length, vec_axpy(g, -along, e));
    *dtension = *dtension + along;
    dr[j + 1] = vec_add(dr[j + 1], dd);
    dr[j] = vec_sub(dr[j], dd);
  }
}

/* A taut string resists sideways as a stress of tension over the length of a segment (3D: and the
 * side of a cell) would: a->stiffness is one over that. */
CQ_FN real cable_bound(const actuator *a, const real *u) {
  return u[0] * a->stiffness;
}

#endif
