/* Two grains that are near each other: what their contact is in a step. */
#ifndef CQ_GRANULAR_MEETING_H
#define CQ_GRANULAR_MEETING_H

#include "point/contact.h"
#include "point/gap.h"

/* What contacts need to know of a grain. */
typedef struct grain {
  vec x, v;
  real r, im, ii;
  real friction, roll, bounce, pull; /* its shares */
} grain;

/* How two grains lie to each other; n from j to i. */
typedef struct meeting {
  vec n;
  real distance, gap, rate, smaller;
  truth near; /* they may touch in this step */
} meeting;

/* What a pair has of friction, rolling friction, bounce and pull: the geometric mean of its two. */
typedef struct mixture {
  real of[4];
} mixture;

/* Of what is apart along an axis without end, the way to the nearest image. */
CQ_FN real pair_image(real apart, scalar period) {
  const real half = real_splat(K(0.5) * period);
  const real less = real_select(apart > half, apart - period, apart);
  return real_select(apart < -half, apart + period, less);
}

/* cyclic: the axis without end, -1: there is none */
CQ_FN meeting pair_meet(const grain *i, const grain *j, int cyclic, scalar period, scalar dt) {
  meeting m;
  vec apart = vec_sub(i->x, j->x);
  if (cyclic >= 0) {
    FOR_AXES(k) {
      apart.v[k] = k == cyclic ? pair_image(apart.v[k], period) : apart.v[k];
    }
  }
  const real square = vec_dot(apart, apart);
  m.distance = real_sqrt(square);
  const truth split = m.distance > K(0);
  const real inverse = real_select(split, K(1) / m.distance, real_splat(K(0)));
  m.n = vec_scale(inverse, apart);
  m.n.v[CQ_DIM - 1] = real_select(split, m.n.v[CQ_DIM - 1], real_splat(K(1)));
  const real both = i->r + j->r;
  m.smaller = real_select(i->r < j->r, i->r, j->r);
  m.gap = m.distance - both;
  m.rate = vec_dot(vec_sub(i->v, j->v), m.n);
  m.near = truth_not(
      truth_and(truth_not(m.gap < K(GAP_MARGIN) * both), truth_not(m.gap + m.rate * dt < K(0))));
  return m;
}

CQ_FN mixture pair_mix(const grain *i, const grain *j) {
  mixture m;
  m.of[0] = i->friction * j->friction;
  m.of[1] = i->roll * j->roll;
  m.of[2] = i->bounce * j->bounce;
  m.of[3] = i->pull * j->pull;
  return m;
}

/* slower contacts than `above` do not bounce */
CQ_FN contact pair_contact(const grain *i, const grain *j, const meeting *m, const mixture *mix,
                           scalar dt, scalar inverse_dt, scalar above) {
  contact c;
  const real slop = K(GAP_SLOP) * m->smaller;
  const real mass = i->im + j->im, turn = i->ii + j->ii;
  c.n = m->n;
  c.arm = K(0.5) * m->distance;
  c.kn = K(1) / mass;
  c.kt = K(1) / (mass + c.arm * c.arm * turn);
  c.kr = real_select(turn > K(0), K(1) / turn, real_splat(K(0)));
  c.bias = gap_bias(m->gap, slop, m->rate, mix->of[2], dt, inverse_dt, above);
  c.friction = mix->of[0];
  c.roll = mix->of[1] * m->smaller;
  c.pull = real_select(m->gap < slop, mix->of[3] * dt, real_splat(K(0)));
  return c;
}

/* penetration by the smaller radius; 0 where they are not near */
CQ_FN real pair_depth(const meeting *m) {
  return real_select(m->near, -m->gap / m->smaller, real_splat(K(0)));
}

#endif
