/* What a contact does where it has to be differentiable: a spring that begins softly, with damping,
 * friction and rolling friction that are smooth in the speed.
 *
 *   f_n = k phi(-gap) max(0, 1 - c v_n),  phi(s) = 0, s^2/(2 d), s - d/2  for s < 0, s < d, beyond;
 *   f   = f_n n - mu f_n v_t / sqrt(v_t^2 + e^2),
 *   t   = -mu_r f_n w_t / sqrt(w_t^2 + e_r^2).
 * The damping is that of Hunt and Crossley (J. Appl. Mech. 42 (1975) 440): it pulls at nothing and
 * grows with the force. n points to the body that f and t act on, v and w are its velocity and spin
 * relative to the other, _t is what is across n. At rest on a slope a body creeps at speeds of e.
 */
#ifndef CQ_RIGID_CONTACT_LAW_H
#define CQ_RIGID_CONTACT_LAW_H

#include "rigid.h"

typedef struct contact_law {
  scalar stiffness; /* k [N/m] */
  scalar depth;     /* d [m], > 0 */
  scalar damping;   /* c [s/m] */
  scalar slip;      /* e [m/s], > 0 */
  scalar roll;      /* e_r [rad/s], > 0 */
} contact_law;

typedef struct contact {
  real gap; /* negative where the bodies overlap [m] */
  vec n, v;
  spin w;
  real friction; /* mu */
  real rolling;  /* mu_r [m] */
} contact;

CQ_FN contact contact_zero(void) {
  contact r;
  r.gap = r.friction = r.rolling = real_splat(K(0));
  r.n = r.v = vec_zero();
  r.w = spin_zero();
  return r;
}

/* what of w is across n; in 2D all of it */
CQ_FN spin spin_across(vec n, spin w) {
#if CQ_DIM == 2
  (void)n;
  return w;
#else
  real along = n.v[0] * w.w[0] + n.v[1] * w.w[1] + n.v[2] * w.w[2];
  FOR_SPINS(i) {
    w.w[i] = w.w[i] - along * n.v[i];
  }
  return w;
#endif
}

/* adds to dn and dw */
CQ_FN void spin_across_adjoint(vec n, spin w, spin d, vec *dn, spin *dw) {
#if CQ_DIM == 3
  real along = real_splat(K(0)), d_along = real_splat(K(0));
  FOR_SPINS(i) {
    along = along + n.v[i] * w.w[i];
    d_along = d_along + n.v[i] * d.w[i];
  }
  FOR_SPINS(i) {
    dn->v[i] = dn->v[i] - along * d.w[i] - d_along * w.w[i];
  }
#else
  (void)w;
  (void)dn;
#endif
  *dw = spin_add(*dw, spin_across(n, d));
}

CQ_FN spin spin_across_tangent(vec n, vec dn, spin w, spin dw) {
#if CQ_DIM == 3
  real along = real_splat(K(0)), d_along = real_splat(K(0));
  FOR_SPINS(i) {
    along = along + n.v[i] * w.w[i];
    d_along = d_along + dn.v[i] * w.w[i];
  }
  dw = spin_across(n, dw);
  FOR_SPINS(i) {
    dw.w[i] = dw.w[i] - along * dn.v[i] - d_along * n.v[i];
  }
#else
  (void)n;
  (void)dn;
  (void)w;
#endif
  return dw;
}

CQ_FN vec vec_across(vec n, vec v) {
  return vec_axpy(v, -vec_dot(n, v), n);
}

/* phi and its slope at s = -gap */
CQ_FN real contact_phi(const contact_law *l, real s, real *slope) {
  const real zero = real_splat(K(0)), part = s * (K(1) / l->depth);
  *slope =
      real_select(s > zero, real_select(s < real_splat(l->depth), part, real_splat(K(1))), zero);
  const real soft = K(0.5) * s * part, straight = s - K(0.5) * l->depth;
  return real_select(s > zero, real_select(s < real_splat(l->depth), soft, straight), zero);
}

/* the force and the torque of this contact, not about the centre of mass yet */
CQ_FN wrench contact_wrench(const contact_law *l, const contact *c) {
  real slope;
  const real bounce = K(1) - l->damping * vec_dot(c->n, c->v);
  const real damped = real_select(bounce > real_splat(K(0)), bounce, real_splat(K(0)));
  const real fn = l->stiffness * contact_phi(l, -c->gap, &slope) * damped;
  const vec across = vec_across(c->n, c->v);
  const spin rolls = spin_across(c->n, c->w);
  const real slides = real_sqrt(vec_dot(across, across) + l->slip * l->slip);
  const real spins = real_sqrt(spin_dot(rolls, rolls) + l->roll * l->roll);
  wrench r;
  r.f = vec_axpy(vec_scale(fn, c->n), -(c->friction * fn / slides), across);
  r.t = spin_scale(-(c->rolling * fn / spins), rolls);
  return r;
}

/* in the direction dc */
CQ_FN wrench contact_wrench_tangent(const contact_law *l, const contact *c, const contact *dc) {
  real slope;
  const real zero = real_splat(K(0));
  const real vn = vec_dot(c->n, c->v), dvn = vec_dot(dc->n, c->v) + vec_dot(c->n, dc->v);
  const real bounce = K(1) - l->damping * vn, phi = contact_phi(l, -c->gap, &slope);
  const real damped = real_select(bounce > zero, bounce, zero);
  const real fn = l->stiffness * phi * damped;
  const real less = real_select(bounce > zero, l->damping * dvn, zero);
  const real dfn = -(l->stiffness * (slope * dc->gap * damped + phi * less));

  const vec across = vec_across(c->n, c->v);
  vec dacross = vec_axpy(vec_axpy(dc->v, -dvn, c->n), -vn, dc->n);
  const real slides = real_sqrt(vec_dot(across, across) + l->slip * l->slip);
  const real rub = c->friction * fn / slides;
  const real drub =
      (dc->friction * fn + c->friction * dfn - rub * vec_dot(across, dacross) / slides) / slides;
  const spin rolls = spin_across(c->n, c->w);
  const spin drolls = spin_across_tangent(c->n, dc->n, c->w, dc->w);
  const real spins = real_sqrt(spin_dot(rolls, rolls) + l->roll * l->roll);
  const real hold = c->rolling * fn / spins;
  const real dhold =
      (dc->rolling * fn + c->rolling * dfn - hold * spin_dot(rolls, drolls) / spins) / spins;
  wrench d;
  d.f = vec_axpy(vec_scale(dfn, c->n), fn, dc->n);
  d.f = vec_axpy(vec_axpy(d.f, -drub, across), -rub, dacross);
  d.t = spin_axpy(spin_scale(-dhold, rolls), -hold, drolls);
  return d;
}

/* adds to dc */
CQ_FN void contact_wrench_adjoint(const contact_law *l, const contact *c, wrench d, contact *dc) {
  real slope;
  const real zero = real_splat(K(0)), one = real_splat(K(1));
  const real vn = vec_dot(c->n, c->v), bounce = K(1) - l->damping * vn;
  const real damped = real_select(bounce > zero, bounce, zero);
  const real phi = contact_phi(l, -c->gap, &slope), fn = l->stiffness * phi * damped;
  const vec across = vec_across(c->n, c->v);
  const spin rolls = spin_across(c->n, c->w);
  const real slides = real_sqrt(vec_dot(across, across) + l->slip * l->slip);
  const real spins = real_sqrt(spin_dot(rolls, rolls) + l->roll * l->roll);
  const real along = vec_dot(d.f, across) / slides, about = spin_dot(d.t, rolls) / spins;

  const real dfn = vec_dot(d.f, c->n) - c->friction * along - c->rolling * about;
  dc->friction = dc->friction - fn * along;
  dc->rolling = dc->rolling - fn * about;
  dc->n = vec_axpy(dc->n, fn, d.f);
  const real by_slip = c->friction * fn / slides;
  const vec dt = vec_axpy(vec_scale(-by_slip, d.f), by_slip * along / slides, across);
  dc->v = vec_add(dc->v, vec_across(c->n, dt));
  dc->n = vec_axpy(vec_axpy(dc->n, -vn, dt), -vec_dot(c->n, dt), c->v);
  const real by_spin = c->rolling * fn / spins;
  const spin dr = spin_axpy(spin_scale(-by_spin, d.t), by_spin * about / spins, rolls);
  spin_across_adjoint(c->n, c->w, dr, &dc->n, &dc->w);

  const real dvn = -(l->damping * l->stiffness * phi * dfn * real_select(bounce > zero, one, zero));
  dc->v = vec_axpy(dc->v, dvn, c->n);
  dc->n = vec_axpy(dc->n, dvn, c->v);
  dc->gap = dc->gap - l->stiffness * damped * dfn * slope;
}

#endif
