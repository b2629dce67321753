/* Thrust: an acceleration w [m/s^2] of every particle of the body, before the step: the grid sees
 * velocities v + dt w. The controls are its components; with a direction there is one control, the
 * length along it. The slope of the ground y = h(x) is the direction (1, h')/sqrt(1 + h'^2) at the
 * x of the body's centre of mass. */
#ifndef CQ_ACTUATION_THRUST_H
#define CQ_ACTUATION_THRUST_H

#include "actuation/actuator.h"
#include "kinds.h"

/* w is u along e, de is its derivative with respect to z[0], where the ground's slope matters */
CQ_FN void thrust_direction(const actuator *a, const wide *z, wide *e, wide *de) {
  FOR_AXES(i) {
    e[i] = (wide)a->direction[0][i];
    de[i] = (wide)0.0;
  }
  if (a->along == CQ_ALONG_SLOPE) {
    const cq_curve_point at = cq_curve_at(a->ground, z[0]);
    const wide square = 1.0 + at.slope * at.slope, length = cq_wide_sqrt(square);
    e[0] = 1.0 / length;
    e[1] = at.slope / length;
    de[0] = -at.slope * at.bend / (square * length);
    de[1] = at.bend / (square * length);
  }
}

CQ_FN void thrust_drive(const actuator *a, const wide *u, const wide *z, wide *w) {
  wide e[CQ_DIM], de[CQ_DIM];
  if (a->along != CQ_ALONG_AXES) {
    thrust_direction(a, z, e, de);
  }
  FOR_AXES(i) {
    w[i] = a->along == CQ_ALONG_AXES ? u[i] : u[0] * e[i];
  }
}

/* Along the slope the direction changes with the place along x, z[0]. */
CQ_FN void thrust_drive_adjoint(const actuator *a, const wide *u, const wide *z, const wide *dw,
                                wide *du, wide *dz) {
  wide e[CQ_DIM], de[CQ_DIM];
  if (a->along == CQ_ALONG_AXES) {
    FOR_AXES(i) {
      du[i] = du[i] + dw[i];
    }
    return;
  }
  thrust_direction(a, z, e, de);
  FOR_AXES(i) {
    du[0] = du[0] + dw[i] * e[i];
    if (a->along == CQ_ALONG_SLOPE) {
      dz[0] = dz[0] + u[0] * dw[i] * de[i];
    }
  }
}

CQ_FN vec thrust_acceleration(const actuator *a, const real *w, vec x) {
  (void)a;
  (void)x;
  vec r;
  FOR_AXES(i) {
    r.v[i] = w[i];
  }
  return r;
}

CQ_FN vec thrust_acceleration_adjoint(const actuator *a, const real *w, vec x, vec d, real *dw) {
  (void)a;
  (void)w;
  (void)x;
  FOR_AXES(i) {
    dw[i] = dw[i] + d.v[i];
  }
  return vec_zero();
}

/* It does not stiffen anything. */
CQ_FN real thrust_bound(const actuator *a, const real *u) {
  (void)a;
  (void)u;
  return real_splat(K(0));
}

#endif
