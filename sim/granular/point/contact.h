/* One contact between two grains, or between a grain and a surface that nothing moves. `real` is a
 * scalar, or a vector with a contact in each lane.
 *
 * The unknown is an impulse on grain i (its opposite acts on j): pn along the normal n from j to i,
 * pt across it, pr a couple against rolling. With c the velocity of i relative to j where they
 * touch, they are
 *   c_n + bias >= 0,  pn + pull >= 0,  one of them is zero
 *   |pt| <= friction (pn + pull), against c_t;  |pr| <= roll (pn + pull), against w_i - w_j.
 * A step of the solver solves for pn alone, then for pt, then for pr, and clamps what has
 * accumulated, not what is added. */
#ifndef CQ_GRANULAR_CONTACT_H
#define CQ_GRANULAR_CONTACT_H

#include "linalg.h"

#if CQ_DIM == 2
#  define CQ_SPINS 1
#else
#  define CQ_SPINS 3
#endif
#define FOR_SPINS(a) for (int a = 0; a < CQ_SPINS; a++)

typedef struct spin {
  real v[CQ_SPINS];
} spin;

/* velocity and spin of a grain, and the inverses of its mass and of its moment of inertia */
typedef struct mover {
  vec v;
  spin w;
  real im, ii;
} mover;

typedef struct contact {
  vec n;
  real arm;        /* from the centres to where impulses act [m] */
  real kn, kt, kr; /* inverses of what a unit of impulse changes */
  real bias;       /* [m/s] */
  real friction, roll, pull;
} contact;

typedef struct impulse {
  real pn;
  vec pt;
  spin pr;
} impulse;

/* w x n */
CQ_FN vec spin_cross(spin w, vec n) {
  vec r;
#if CQ_DIM == 2
  r.v[0] = -(w.v[0] * n.v[1]);
  r.v[1] = w.v[0] * n.v[0];
#else
  r.v[0] = w.v[1] * n.v[2] - w.v[2] * n.v[1];
  r.v[1] = w.v[2] * n.v[0] - w.v[0] * n.v[2];
  r.v[2] = w.v[0] * n.v[1] - w.v[1] * n.v[0];
#endif
  return r;
}

/* n x t */
CQ_FN spin vec_cross(vec n, vec t) {
  spin r;
#if CQ_DIM == 2
  r.v[0] = n.v[0] * t.v[1] - n.v[1] * t.v[0];
#else
  r.v[0] = n.v[1] * t.v[2] - n.v[2] * t.v[1];
  r.v[1] = n.v[2] * t.v[0] - n.v[0] * t.v[2];
  r.v[2] = n.v[0] * t.v[1] - n.v[1] * t.v[0];
#endif
  return r;
}

/* a + s b */
CQ_FN spin spin_axpy(spin a, real s, spin b) {
  FOR_SPINS(k) {
    a.v[k] = a.v[k] + s * b.v[k];
  }
  return a;
}

CQ_FN spin spin_add(spin a, spin b) {
  FOR_SPINS(k) {
    a.v[k] = a.v[k] + b.v[k];
  }
  return a;
}

CQ_FN spin spin_sub(spin a, spin b) {
  FOR_SPINS(k) {
    a.v[k] = a.v[k] - b.v[k];
  }
  return a;
}

CQ_FN real spin_dot(spin a, spin b) {
  real s = a.v[0] * b.v[0];
  for (int k = 1; k < CQ_SPINS; k++) {
    s = s + a.v[k] * b.v[k];
  }
  return s;
}

/* what brings a vector of this square length down to the limit, or 1 */
CQ_FN real contact_clamp(real square, real limit) {
  return real_select(square > limit * limit, limit / real_sqrt(square), real_splat(K(1)));
}

/* of what a unit of impulse changes; 0: nothing */
CQ_FN real contact_inverse(real a) {
  return real_select(a > K(0), K(1) / a, real_splat(K(0)));
}

/* What of t is across the normal, after this has turned. */
CQ_FN vec contact_across(vec t, vec n) {
  return vec_axpy(t, -vec_dot(t, n), n);
}

/* Adds an impulse at the point of contact, and a couple. A surface (`alone`) has no mover j. */
CQ_FN void contact_push(const contact *c, const impulse *p, mover *i, mover *j, int alone) {
  vec push = p->pt;
  push = vec_axpy(push, p->pn, c->n);
  const spin twist = vec_cross(c->n, p->pt);
  i->v = vec_axpy(i->v, i->im, push);
  i->w = spin_axpy(i->w, -(i->ii * c->arm), twist);
  i->w = spin_axpy(i->w, i->ii, p->pr);
  if (!alone) {
    j->v = vec_axpy(j->v, -j->im, push);
    j->w = spin_axpy(j->w, -(j->ii * c->arm), twist);
    j->w = spin_axpy(j->w, -j->ii, p->pr);
  }
}

/* One step of the solver: p and the velocities change. Where there is no mover j, j->v is the
 * velocity of the surface and j->w its spin. */
CQ_FN void contact_solve(const contact *c, impulse *p, mover *i, mover *j, int alone, int rolls) {
  const spin both = alone ? i->w : spin_add(i->w, j->w);
  vec rate = vec_sub(i->v, j->v);
  const real cn = vec_dot(rate, c->n); /* a spin does not change it */
  rate = vec_axpy(rate, -c->arm, spin_cross(both, c->n));
  rate = vec_axpy(rate, -cn, c->n);
  impulse d;
  const real wanted = p->pn - c->kn * (cn + c->bias);
  const real pn = real_select(wanted > -c->pull, wanted, -c->pull);
  d.pn = pn - p->pn;
  const real strength = pn + c->pull;
  vec pt = vec_axpy(p->pt, -c->kt, rate);
  pt = vec_scale(contact_clamp(vec_dot(pt, pt), c->friction * strength), pt);
  d.pt = vec_sub(pt, p->pt);
  FOR_SPINS(a) {
    d.pr.v[a] = real_splat(K(0));
  }
  contact_push(c, &d, i, j, alone);
  p->pn = pn;
  p->pt = pt;
  if (rolls) {
    spin pr = spin_axpy(p->pr, -c->kr, spin_sub(i->w, j->w));
    const real scale = contact_clamp(spin_dot(pr, pr), c->roll * strength);
    FOR_SPINS(a) {
      pr.v[a] = scale * pr.v[a];
    }
    const spin more = spin_sub(pr, p->pr);
    i->w = spin_axpy(i->w, i->ii, more);
    if (!alone) {
      j->w = spin_axpy(j->w, -j->ii, more);
    }
    p->pr = pr;
  }
}

#endif
