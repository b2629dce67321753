/* Separating contact with Coulomb friction c on grid velocities, section V of the supplement:
 *   l_n = v.n,  v_t = v - l_n n,  l_t = sqrt(|v_t|^2 + epsilon),
 *   v* = max(l_t + c min(l_n, 0), 0) v_t / l_t + max(l_n, 0) n.
 * epsilon smooths the tangential speed, so that the derivative stays finite at rest. */
#ifndef CQ_BOUNDARY_SEPARATE_H
#define CQ_BOUNDARY_SEPARATE_H

#include "kinds.h"
#include "linalg.h"

CQ_FN vec separate_apply(vec v, vec n, real friction, scalar epsilon) {
  const real zero = real_splat(K(0));
  const real normal = vec_dot(v, n);
  const vec vt = vec_axpy(v, -normal, n);
  const real speed = real_sqrt(vec_dot(vt, vt) + epsilon);
  const real left = speed + friction * real_select(normal < K(0), normal, zero);
  const real slid = real_select(left > K(0), left, zero);
  const real away = real_select(normal < K(0), zero, normal);
  return vec_axpy(vec_scale(slid / speed, vt), away, n);
}

/* Equations (100) to (106). The branch at l_n = 0 is the separating one, as in separate_apply. */
CQ_FN vec separate_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv, real *dfriction) {
  const real zero = real_splat(K(0));
  const real normal = vec_dot(v, n);
  const vec vt = vec_axpy(v, -normal, n);
  const real speed = real_sqrt(vec_dot(vt, vt) + epsilon);
  const real pressing = real_select(normal < K(0), normal, zero);
  const real left = speed + friction * pressing;
  const real slid = real_select(left > K(0), left, zero);

  const vec direction = vec_scale(K(1) / speed, vt);
  const vec ddirection = vec_scale(slid, dv);
  const real dleft = real_select(left > K(0), vec_dot(dv, direction), zero);
  const real dspeed = dleft - vec_dot(direction, ddirection) / speed;
  const vec dvt = vec_axpy(vec_scale(K(1) / speed, ddirection), dspeed, direction);
  *dfriction = *dfriction + dleft * pressing;
  const real dnormal =
      real_select(normal < K(0), dleft * friction, vec_dot(dv, n)) - vec_dot(dvt, n);
  return vec_axpy(dvt, dnormal, n);
}

/* n is in l_n = v.n, in v_t = v - l_n n and in what separates along n. With a the adjoint by v,
 * that by v_t has the part slid/speed dv.n along n, and the rest of a.n is that by l_n. */
CQ_FN vec separate_normal_adjoint(vec v, vec n, real friction, scalar epsilon, vec dv) {
  const real zero = real_splat(K(0));
  real unwanted = zero;
  const vec a = separate_adjoint(v, n, friction, epsilon, dv, &unwanted);
  const real normal = vec_dot(v, n);
  const vec vt = vec_axpy(v, -normal, n);
  const real speed = real_sqrt(vec_dot(vt, vt) + epsilon);
  const real left = speed + friction * real_select(normal < K(0), normal, zero);
  const real slid = real_select(left > K(0), left, zero);
  const real away = real_select(normal < K(0), zero, normal);
  const real dnormal = vec_dot(a, n) - slid / speed * vec_dot(dv, n);
  const vec dvt = vec_axpy(a, -dnormal, n);
  return vec_axpy(vec_axpy(vec_scale(away, dv), -normal, dvt), dnormal, v);
}

CQ_FN real separate_state(vec v, vec n, real friction, scalar epsilon) {
  const real normal = vec_dot(v, n);
  const vec vt = vec_axpy(v, -normal, n);
  const real left = real_sqrt(vec_dot(vt, vt) + epsilon) + friction * normal;
  const real presses =
      real_select(left > K(0), real_splat(K(CQ_CONTACT_SLIDES)), real_splat(K(CQ_CONTACT_HOLDS)));
  return real_select(normal < K(0), presses, real_splat(K(CQ_CONTACT_NONE)));
}

#endif
