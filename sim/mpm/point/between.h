/* A grid node that two bodies share, each with mass and momentum of its own. With u_i = p_i / m_i,
 * w = u_0 - u_1 and the reduced mass mu = m_0 m_1 / (m_0 + m_1), the first gives the second
 *   I = s mu (w - cond(w, n)),
 * cond being the condition of a wall (boundary/) whose normal n points from the second body to the
 * first: with theta_i = m_i/(density_i cell^dim), how full of a body the node is, along
 *   a_0 theta_0 grad theta_0 - a_1 theta_1 grad theta_1.
 * A block that slides on a larger body would plough with normals of its own, which lean at its end.
 *
 * Nodes know of bodies up to three cells apart; the share s says whether these have met, by
 * theta_0 + theta_1 and by each of them (share.h).
 *
 * Friction may go by the mean of the pressure at the node, which is that of the impulses mu w.n: a
 * share takes part of what comes of it.
 *
 * Bodies that no contact is asked for are one: they take the velocity of both, as on one grid. */
#ifndef CQ_POINT_BETWEEN_H
#define CQ_POINT_BETWEEN_H

#include "point/grip.h"
#include "point/share.h"

typedef struct between_node {
  real mass[2];
  vec momentum[2], slope[2]; /* slope: grad m_i */
  pressed before;            /* mean pressure */
} between_node;

typedef struct between_law {
  int fused; /* the two are one */
  grip held;
  real friction;
  scalar weight[2]; /* of their surfaces in the normal */
  real full[2];     /* 1/(density cell^dim) of each body */
} between_law;

/* dL by what a node has but for the momenta, by w, and by the law */
typedef struct between_due {
  vec relative; /* by w = u_0 - u_1 */
  real mass[2]; /* at fixed w */
  vec slope[2];
  real friction, full[2];
  pressed before;
} between_due;

CQ_FN vec between_velocity(const between_node *n, int i) {
  return vec_scale(K(1) / n->mass[i], n->momentum[i]);
}

CQ_FN real between_reduced(const between_node *n) {
  return n->mass[0] * n->mass[1] / (n->mass[0] + n->mass[1]);
}

/* the three factors of s: of the sum, and of each theta */
CQ_FN void between_shares(const between_law *l, const between_node *n, real *shares) {
  const real a = n->mass[0] * l->full[0], b = n->mass[1] * l->full[1];
  shares[0] = share_met(a + b);
  shares[1] = share_there(a);
  shares[2] = share_there(b);
}

/* n times its length; 0 where it is not known */
CQ_FN vec between_normal(const between_law *l, const between_node *n) {
  return vec_axpy(vec_scale(l->weight[0] * n->mass[0] * l->full[0] * l->full[0], n->slope[0]),
                  -(l->weight[1] * n->mass[1] * l->full[1] * l->full[1]), n->slope[1]);
}

/* Does anything happen at the node, if the bodies move so? */
CQ_FN truth between_acts(const between_law *l, const between_node *n) {
  const vec normal = between_normal(l, n);
  real s[3];
  between_shares(l, n, s);
  return (s[0] * s[1] * s[2] > K(0)) & (vec_dot(normal, normal) > K(0));
}

/* what the condition is about, at a node whose normal is known; *length is that of the normal */
CQ_FN gripped between_grip(const between_law *l, const between_node *n, real *length) {
  const vec along = between_normal(l, n);
  *length = real_sqrt(vec_dot(along, along));
  gripped at;
  at.v = vec_sub(between_velocity(n, 0), between_velocity(n, 1));
  at.n = vec_scale(K(1) / *length, along);
  at.friction = l->friction;
  at.mass = between_reduced(n);
  at.before = n->before;
  return at;
}

/* I, and the mean pressure after it; the law must act, or fuse */
CQ_FN vec between_impulse(const between_law *l, const between_node *n, pressed *after) {
  const vec w = vec_sub(between_velocity(n, 0), between_velocity(n, 1));
  const real mu = between_reduced(n);
  *after = n->before;
  if (l->fused) {
    return vec_scale(mu, w);
  }
  real s[3], length;
  between_shares(l, n, s);
  const gripped at = between_grip(l, n, &length);
  return vec_scale(s[0] * s[1] * s[2] * mu, vec_sub(w, grip_apply(&l->held, &at, after)));
}

CQ_FN between_due between_nothing_due(void) {
  between_due d;
  d.relative = d.slope[0] = d.slope[1] = vec_zero();
  d.mass[0] = d.mass[1] = d.friction = d.full[0] = d.full[1] = real_splat(K(0));
  d.before = pressed_none();
  return d;
}

/* What the share means, whose three factors are s. */
CQ_FN void between_share_due(const between_law *l, const between_node *n, const real *s, real ds,
                             between_due *d) {
  const real theta[2] = {n->mass[0] * l->full[0], n->mass[1] * l->full[1]};
  const real dsum = ds * s[1] * s[2] * share_met_slope(theta[0] + theta[1]);
  for (int i = 0; i < 2; i++) {
    const real dtheta = dsum + ds * s[0] * s[2 - i] * share_there_slope(theta[i]);
    d->mass[i] = d->mass[i] + dtheta * l->full[i];
    d->full[i] = d->full[i] + dtheta * n->mass[i];
  }
}

/* From dnormal = dL/dn to masses, slopes and densities. */
CQ_FN void between_normal_due(const between_law *l, const between_node *n, real length, vec normal,
                              vec dnormal, between_due *d) {
  vec dalong = vec_unit_adjoint(normal, length, dnormal);
  for (int i = 0; i < 2; i++) {
    const real full = l->full[i], slope = l->weight[i] * full * vec_dot(dalong, n->slope[i]);
    d->slope[i] = vec_axpy(d->slope[i], l->weight[i] * full * full * n->mass[i], dalong);
    d->mass[i] = d->mass[i] + full * slope;
    d->full[i] = d->full[i] + K(2) * n->mass[i] * slope;
    dalong = vec_scale(real_splat(K(-1)), dalong);
  }
}

/* The same of a contact, without what mu means; returns dL/dmu. */
CQ_FN real between_grip_adjoint(const between_law *l, const between_node *n, vec di,
                                const pressed *dafter, between_due *d) {
  real s[3], length;
  pressed after;
  between_shares(l, n, s);
  const gripped at = between_grip(l, n, &length);
  const real share = s[0] * s[1] * s[2];
  const vec lost = vec_sub(at.v, grip_apply(&l->held, &at, &after));
  const vec dlost = vec_scale(share * at.mass, di);
  const gripped g = grip_adjoint(&l->held, &at, vec_scale(real_splat(K(-1)), dlost), dafter);
  between_share_due(l, n, s, at.mass * vec_dot(di, lost), d);
  between_normal_due(l, n, length, at.n, g.n, d);
  d->relative = vec_add(dlost, g.v);
  d->friction = g.friction;
  d->before = g.before;
  return share * vec_dot(di, lost) + g.mass;
}

/* From di = dL/dI and what is due to the mean pressure afterwards. */
CQ_FN between_due between_adjoint(const between_law *l, const between_node *n, vec di,
                                  const pressed *dafter) {
  between_due d = between_nothing_due();
  const vec w = vec_sub(between_velocity(n, 0), between_velocity(n, 1));
  const real all = n->mass[0] + n->mass[1];
  real dmu = vec_dot(di, w);
  if (l->fused) {
    d.relative = vec_scale(between_reduced(n), di);
    d.before = *dafter;
  } else {
    dmu = between_grip_adjoint(l, n, di, dafter, &d);
  }
  for (int i = 0; i < 2; i++) {
    const real other = n->mass[1 - i] / all;
    d.mass[i] = d.mass[i] + dmu * other * other;
  }
  return d;
}

#endif
