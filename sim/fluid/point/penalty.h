/* Contact of a sample with those of another body, or of walls: what they are to it, and its force.
 * The penalty of DiffFR (Li et al. 2023, eq. 5); see fluid_contact.c. */
#ifndef CQ_FLUID_PENALTY_H
#define CQ_FLUID_PENALTY_H

#include "kernel.h"
#include "linalg.h"

/* what others are to a sample */
typedef struct meeting {
  real weight, density; /* sums of W and V W */
  vec gradient;         /* of the density */
  vec velocity;         /* sum of W v */
  real friction;        /* sum of W times it */
} meeting;

CQ_FN meeting meeting_zero(void) {
  meeting m;
  m.weight = m.density = m.friction = real_splat(K(0));
  m.gradient = m.velocity = vec_zero();
  return m;
}

/* Adds a sample of this volume, whose W and W'/r there are given, d from it to the one that meets
 * it. */
CQ_FN void meeting_add(meeting *m, real W, real slope, real volume, vec d, vec velocity,
                       real friction) {
  m->weight = m->weight + W;
  m->density = m->density + volume * W;
  m->gradient = vec_axpy(m->gradient, volume * slope, d);
  m->velocity = vec_axpy(m->velocity, W, velocity);
  m->friction = m->friction + W * friction;
}

typedef struct contact_law {
  scalar stiffness; /* of a density of 1 [N] */
  scalar soft;      /* square of the speed below which friction fades */
} contact_law;

/* The parts of the force. */
typedef struct contact_parts {
  real steep, push, along, length, rubbed;
  vec n, relative, slip;
} contact_parts;

/* v: velocity of the sample itself */
CQ_FN contact_parts contact_split(const contact_law *law, vec v, const meeting *m) {
  contact_parts p;
  p.steep = real_sqrt(vec_dot(m->gradient, m->gradient));
  p.push = law->stiffness * m->density;
  p.n = vec_scale(K(-1) / p.steep, m->gradient);
  p.relative = vec_axpy(v, K(-1) / m->weight, m->velocity);
  p.along = vec_dot(p.relative, p.n);
  p.slip = vec_axpy(p.relative, -p.along, p.n);
  p.length = real_sqrt(vec_dot(p.slip, p.slip) + law->soft);
  p.rubbed = p.push * m->friction / m->weight / p.length;
  return p;
}

CQ_FN vec contact_force(const contact_law *law, vec v, const meeting *m) {
  const contact_parts p = contact_split(law, v, m);
  return vec_axpy(vec_scale(p.push, p.n), -p.rubbed, p.slip);
}

/* What dv and dm change of the force. */
CQ_FN vec contact_force_tangent(const contact_law *law, vec v, vec dv, const meeting *m,
                                const meeting *dm) {
  const contact_parts p = contact_split(law, v, m);
  const real one = K(1) / m->weight, push = law->stiffness * dm->density;
  const vec g = dm->gradient;
  const vec n = vec_scale(K(-1) / p.steep, vec_axpy(g, -vec_dot(g, p.n), p.n));
  vec relative = vec_axpy(dv, -one, dm->velocity);
  relative = vec_axpy(relative, one * one * dm->weight, m->velocity);
  const real along = vec_dot(relative, p.n) + vec_dot(p.relative, n);
  const vec slip = vec_axpy(vec_axpy(relative, -along, p.n), -p.along, n);
  const real length = vec_dot(p.slip, slip) / p.length;
  const real rate = m->friction * one / p.length;
  const real rubbed = push * rate + p.push * dm->friction * one / p.length -
                      p.rubbed * (dm->weight * one + length / p.length);
  vec f = vec_axpy(vec_scale(push, p.n), p.push, n);
  f = vec_axpy(f, -rubbed, p.slip);
  return vec_axpy(f, -p.rubbed, slip);
}

/* d: dL/df. Adds to dv and dm. */
CQ_FN void contact_force_adjoint(const contact_law *law, vec v, const meeting *m, vec d, vec *dv,
                                 meeting *dm) {
  const contact_parts p = contact_split(law, v, m);
  const real one = K(1) / m->weight, rate = m->friction * one / p.length;
  const real rubbed = -vec_dot(d, p.slip);
  const real push = vec_dot(d, p.n) + rubbed * rate;
  vec slip = vec_scale(-p.rubbed, d), n = vec_scale(p.push, d);
  slip = vec_axpy(slip, -(rubbed * p.rubbed / (p.length * p.length)), p.slip);
  const real along = -vec_dot(slip, p.n);
  const vec relative = vec_axpy(slip, along, p.n);
  n = vec_axpy(vec_axpy(n, -p.along, slip), along, p.relative);
  *dv = vec_add(*dv, relative);
  dm->friction = dm->friction + rubbed * p.push * one / p.length;
  dm->weight = dm->weight - rubbed * p.rubbed * one + one * one * vec_dot(relative, m->velocity);
  dm->velocity = vec_axpy(dm->velocity, -one, relative);
  dm->gradient = vec_axpy(dm->gradient, K(-1) / p.steep, vec_axpy(n, -vec_dot(n, p.n), p.n));
  dm->density = dm->density + law->stiffness * push;
}

#endif
