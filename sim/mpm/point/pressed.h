/* Friction by the mean pressure of a while, in the place of that of the moment.
 *
 * Coulomb's bound follows the pressure, and what swings on its contact, as an elastic body without
 * damping does for ever, slips whenever the pressure is low: it creeps down a slope on which it
 * should stand. The continuum has this defect, too, and the remedy there is that the bound follows
 * a pressure that lags by a time and by a distance slid (Prakash and Clifton 1993; Cochard and Rice
 * 2000; Ranjith and Rice 2001):
 *   d sigma/dt = (1/time + |v_t|/slip) (pressure - sigma).
 * So it is here, for each node that a wall holds, with impulses of a step, and with two changes.
 * The mean begins with the contact, as what it has seen of it so far: `sum` over `weight`. And what
 * it lacks of the impulses so far is `owed`, and added at the same rate, but never more than there
 * is: the impulse of friction lags behind the coefficient times that of pressure, and is not ahead
 * of it where a body leaves a node. A node that is free forgets, CQ_FORGETS times as fast. */
#ifndef CQ_POINT_PRESSED_H
#define CQ_POINT_PRESSED_H

#include "kinds.h"
#include "linalg.h"

enum { CQ_FORGETS = 2 };

/* of a node: normal impulses of a step [kg m/s], and the share of the mean that is contact */
typedef struct pressed {
  real sum, weight, owed;
} pressed;

/* what a step adds to a mean: share, and slip times the tangential speed, at most all of it */
typedef struct pressing {
  scalar share, slip;
} pressing;

/* a node before its wall acts, and what its bound is made of */
typedef struct pressed_node {
  vec along;       /* tangential velocity */
  real normal;     /* velocity away from the wall */
  real speed;      /* tangential, smoothed */
  real impulse;    /* of the step, by which the wall holds it */
  real rate, mean; /* of the sum; the sum by its weight */
  real due;        /* the mean and a part of what is owed */
  real all;        /* the impulse and all that is owed; the bound is the lesser of the two */
  real left;       /* of the speed */
} pressed_node;

CQ_FN real pressed_rate(pressing law, real speed) {
  const real all = real_splat(K(1)), rate = law.share + law.slip * speed;
  return real_select(rate < K(1), rate, all);
}

/* what a free node keeps */
CQ_FN scalar pressed_kept(pressing law) {
  const scalar lost = (scalar)CQ_FORGETS * law.share;
  return lost < K(1) ? K(1) - lost : K(0);
}

CQ_FN real pressed_bound(const pressed_node *at) {
  return real_select(at->due < at->all, at->due, at->all);
}

/* The sums of a node that presses, and all that follows from them; those of one that does not are
 * not used. */
CQ_FN pressed_node pressed_look(pressing law, vec v, vec n, real friction, scalar epsilon,
                                real mass, const pressed *from, pressed *to) {
  pressed_node at;
  at.normal = vec_dot(v, n);
  at.along = vec_axpy(v, -at.normal, n);
  at.speed = real_sqrt(vec_dot(at.along, at.along) + epsilon);
  at.impulse = -(at.normal * mass);
  at.rate = pressed_rate(law, at.speed);
  to->sum = from->sum + at.rate * (at.impulse - from->sum);
  to->weight = from->weight + at.rate * (K(1) - from->weight);
  at.mean = to->sum / to->weight;
  at.due = at.mean + at.rate * from->owed;
  at.all = at.impulse + from->owed;
  to->owed = at.all - pressed_bound(&at);
  at.left = at.speed - friction * pressed_bound(&at) / mass;
  return at;
}

/* The condition `separate` with such a bound: the velocity afterwards, and the sums. */
CQ_FN vec pressed_apply(pressing law, vec v, vec n, real friction, scalar epsilon, real mass,
                        const pressed *from, pressed *to) {
  const real zero = real_splat(K(0));
  const scalar kept = pressed_kept(law);
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, to);
  const real slid = real_select(at.left > K(0), at.left, zero);
  const vec held = vec_scale(slid / at.speed, at.along);
  to->sum = real_select(at.normal < K(0), to->sum, kept * from->sum);
  to->weight = real_select(at.normal < K(0), to->weight, kept * from->weight);
  to->owed = real_select(at.normal < K(0), to->owed, kept * from->owed);
  FOR_AXES(a) {
    v.v[a] = real_select(at.normal < K(0), held.v[a], v.v[a]);
  }
  return v;
}

CQ_FN real pressed_state(pressing law, vec v, vec n, real friction, scalar epsilon, real mass,
                         const pressed *from) {
  pressed to;
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, &to);
  const real presses = real_select(at.left > K(0), real_splat(K(CQ_CONTACT_SLIDES)),
                                   real_splat(K(CQ_CONTACT_HOLDS)));
  return real_select(at.normal < K(0), presses, real_splat(K(CQ_CONTACT_NONE)));
}

/* Its adjoint by v, where it presses; dto is by the sums afterwards. */
CQ_FN vec pressed_held_adjoint(pressing law, const pressed_node *at, vec n, real friction,
                               real mass, const pressed *from, const pressed *to, vec dv,
                               const pressed *dto, pressed *dfrom, real *dfriction, real *dmass) {
  const real zero = real_splat(K(0)), bound = pressed_bound(at);
  const vec direction = vec_scale(K(1) / at->speed, at->along);
  const real slid = real_select(at->left > K(0), at->left, zero);
  const real dslid = vec_dot(dv, direction);
  const real dleft = real_select(at->left > K(0), dslid, zero);
  const real dbound = -(friction * dleft) / mass - dto->owed;
  const real ddue = real_select(at->due < at->all, dbound, zero);
  const real dall = dto->owed + (dbound - ddue);
  const real dsum = dto->sum + ddue / to->weight;
  const real dweight = dto->weight - ddue * at->mean / to->weight;
  const real drate =
      ddue * from->owed + dsum * (at->impulse - from->sum) + dweight * (K(1) - from->weight);
  const real dimpulse = dall + at->rate * dsum;
  const real dspeed =
      dleft - slid * dslid / at->speed + real_select(at->rate < K(1), law.slip * drate, zero);
  dfrom->sum = (K(1) - at->rate) * dsum;
  dfrom->weight = (K(1) - at->rate) * dweight;
  dfrom->owed = dall + at->rate * ddue;
  *dfriction = *dfriction - dleft * bound / mass;
  *dmass = *dmass + dleft * friction * (bound / mass) / mass - at->normal * dimpulse;
  const vec dalong = vec_axpy(vec_scale(slid / at->speed, dv), dspeed, direction);
  return vec_axpy(dalong, -(mass * dimpulse) - vec_dot(dalong, n), n);
}

/* The adjoint by v; sets *dfrom, and adds what friction and mass get. */
CQ_FN vec pressed_adjoint(pressing law, vec v, vec n, real friction, scalar epsilon, real mass,
                          const pressed *from, vec dv, const pressed *dto, pressed *dfrom,
                          real *dfriction, real *dmass) {
  const scalar kept = pressed_kept(law);
  real held_friction = real_splat(K(0)), held_mass = real_splat(K(0));
  pressed to, held;
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, &to);
  const vec dheld = pressed_held_adjoint(law, &at, n, friction, mass, from, &to, dv, dto, &held,
                                         &held_friction, &held_mass);
  const real zero = real_splat(K(0));
  dfrom->sum = real_select(at.normal < K(0), held.sum, kept * dto->sum);
  dfrom->weight = real_select(at.normal < K(0), held.weight, kept * dto->weight);
  dfrom->owed = real_select(at.normal < K(0), held.owed, kept * dto->owed);
  *dfriction = *dfriction + real_select(at.normal < K(0), held_friction, zero);
  *dmass = *dmass + real_select(at.normal < K(0), held_mass, zero);
  FOR_AXES(a) {
    dv.v[a] = real_select(at.normal < K(0), dheld.v[a], dv.v[a]);
  }
  return dv;
}

#endif
