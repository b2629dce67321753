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
 * of it where a body leaves a node.
 *
 * A node that does not press for a moment is one whose impulse is zero, and its friction goes on:
 * if it ended there and began again, a node that comes and goes would hold as the moment says. */
#ifndef CQ_POINT_PRESSED_H
#define CQ_POINT_PRESSED_H

#include "kinds.h"
#include "linalg.h"

/* of a node: normal impulses of a step [kg m/s], and what of the mean there is since it touched */
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

CQ_FN real pressed_bound(const pressed_node *at) {
  return real_select(at->due < at->all, at->due, at->all);
}

/* Has it ever pressed, at more than a thousandth of the speed by which friction is smoothed? Bodies
 * that begin at each other would by rounding alone. */
CQ_FN truth pressed_touched(const pressed_node *at, const pressed *from, scalar epsilon) {
  const truth comes = (at->normal < K(0)) & (at->normal * at->normal > K(1e-6) * epsilon);
  return comes | (from->weight > K(0));
}

/* a / b of a node that has */
CQ_FN real pressed_quotient(truth touched, real a, real b) {
  return real_select(touched, a / b, real_splat(K(0)));
}

/* The sums of a node, and all that follows from them. */
CQ_FN pressed_node pressed_look(pressing law, vec v, vec n, real friction, scalar epsilon,
                                real mass, const pressed *from, pressed *to) {
  pressed_node at;
  at.normal = vec_dot(v, n);
  at.along = vec_axpy(v, -at.normal, n);
  at.speed = real_sqrt(vec_dot(at.along, at.along) + epsilon);
  at.impulse = real_select(at.normal < K(0), -(at.normal * mass), real_splat(K(0)));
  at.rate = pressed_rate(law, at.speed);
  const truth touched = pressed_touched(&at, from, epsilon);
  to->sum = from->sum + at.rate * (at.impulse - from->sum);
  to->weight =
      from->weight + real_select(touched, at.rate * (K(1) - from->weight), real_splat(K(0)));
  at.mean = pressed_quotient(touched, to->sum, to->weight);
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
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, to);
  const real slid = real_select(at.left > K(0), at.left, zero);
  const real away = real_select(at.normal < K(0), zero, at.normal);
  return vec_axpy(vec_scale(slid / at.speed, at.along), away, n);
}

CQ_FN real pressed_state(pressing law, vec v, vec n, real friction, scalar epsilon, real mass,
                         const pressed *from) {
  pressed to;
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, &to);
  const real presses = real_select(at.left > K(0), real_splat(K(CQ_CONTACT_SLIDES)),
                                   real_splat(K(CQ_CONTACT_HOLDS)));
  return real_select(at.normal < K(0), presses, real_splat(K(CQ_CONTACT_NONE)));
}

/* The adjoint by v; dto is by the sums afterwards. Sets *dfrom, and adds what friction and mass
 * get. */
CQ_FN vec pressed_adjoint(pressing law, vec v, vec n, real friction, scalar epsilon, real mass,
                          const pressed *from, vec dv, const pressed *dto, pressed *dfrom,
                          real *dfriction, real *dmass) {
  const real zero = real_splat(K(0));
  pressed to;
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, &to);
  const truth touched = pressed_touched(&at, from, epsilon);
  const real bound = pressed_bound(&at);
  const vec direction = vec_scale(K(1) / at.speed, at.along);
  const real slid = real_select(at.left > K(0), at.left, zero);
  const real dslid = vec_dot(dv, direction);
  const real dleft = real_select(at.left > K(0), dslid, zero);

  /* the bound, and the sums */
  const real dbound = -(friction * dleft) / mass - dto->owed;
  const real ddue = real_select(at.due < at.all, dbound, zero);
  const real dall = dto->owed + (dbound - ddue);
  const real dmean = pressed_quotient(touched, ddue, to.weight);
  const real dsum = dto->sum + dmean, dweight = dto->weight - dmean * at.mean;
  const real dgained = real_select(touched, dweight, zero);
  const real drate =
      ddue * from->owed + dsum * (at.impulse - from->sum) + dgained * (K(1) - from->weight);
  dfrom->sum = (K(1) - at.rate) * dsum;
  dfrom->weight = dweight - at.rate * dgained;
  dfrom->owed = dall + at.rate * ddue;

  /* the node */
  const real dimpulse = real_select(at.normal < K(0), dall + at.rate * dsum, zero);
  const real dspeed =
      dleft - slid * dslid / at.speed + real_select(at.rate < K(1), law.slip * drate, zero);
  *dfriction = *dfriction - dleft * bound / mass;
  *dmass = *dmass + dleft * friction * (bound / mass) / mass - at.normal * dimpulse;
  const vec dalong = vec_axpy(vec_scale(slid / at.speed, dv), dspeed, direction);
  const real daway = real_select(at.normal < K(0), zero, vec_dot(dv, n));
  return vec_axpy(dalong, daway - mass * dimpulse - vec_dot(dalong, n), n);
}

/* The adjoint by n, which is in v.n, in what is left of v and in what goes away; dheld is the one
 * by v, of which slid/speed dv.n is along n by the second. */
CQ_FN vec pressed_normal_adjoint(pressing law, vec v, vec n, real friction, scalar epsilon,
                                 real mass, const pressed *from, vec dv, vec dheld) {
  const real zero = real_splat(K(0));
  pressed to;
  const pressed_node at = pressed_look(law, v, n, friction, epsilon, mass, from, &to);
  const real slid = real_select(at.left > K(0), at.left, zero);
  const real away = real_select(at.normal < K(0), zero, at.normal);
  const real dnormal = vec_dot(dheld, n) - slid / at.speed * vec_dot(dv, n);
  const vec dalong = vec_axpy(dheld, -dnormal, n);
  return vec_axpy(vec_axpy(vec_scale(dnormal, v), -at.normal, dalong), away, dv);
}

#endif
