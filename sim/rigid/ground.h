/* Friction of the ground in a plane seen from above: gravity points into the plane, and a body that
 * slides is slowed by mu g, whatever its mass:
 *   dv/dt = -a v/sqrt(v^2 + e^2),  I dw/dt = -m a r (r w)/sqrt((r w)^2 + e^2),
 * r the mean distance of its points from its centre of mass. Sliding and turning do not know of
 * each other, as if the ground pressed on a ring of that radius while it turns. The step is
 * implicit, so that a body comes to rest in steps of any length, and creeps where it is pushed by
 * less than m a. */
#ifndef CQ_RIGID_GROUND_H
#define CQ_RIGID_GROUND_H

#include "rigid_pose.h"

typedef struct ground {
  scalar slide; /* what a step takes of a speed: a h [m/s] */
  scalar turn;  /* and of the speed r w: a h m r^2/I [m/s] */
  scalar arm;   /* r [m] */
  scalar rest;  /* e, > 0 [m/s] */
} ground;

enum { GROUND_NEWTON = 40 };

/* What is left of 1 when a speed u loses a s/sqrt(s^2 + e^2), s what becomes of it. s follows by
 * Newton's method from below, where it rises to the root. */
CQ_FN real ground_left(real u, scalar a, scalar e) {
  const real before = u - a, creeping = u * (e / (e + a));
  real s = real_select(before > creeping, before, creeping);
  for (int i = 0; i < GROUND_NEWTON; i++) {
    const real root = real_sqrt(s * s + e * e);
    const real lack = u - s - a * s / root;
    s = s + lack / (K(1) + a * e * e / (root * root * root));
  }
  return K(1) / (K(1) + a / real_sqrt(s * s + e * e));
}

/* twice the derivative of `left` by u^2 */
CQ_FN real ground_bend(real left, real u, scalar a, scalar e) {
  const real s = left * u, square = s * s + e * e;
  return a * left * left * left / (square * real_sqrt(square) + a * e * e);
}

CQ_FN twist ground_slow(const ground *g, twist t) {
  const real u = real_sqrt(vec_dot(t.v, t.v)), turns = real_sqrt(spin_dot(t.w, t.w));
  t.v = vec_scale(ground_left(u, g->slide, g->rest), t.v);
  t.w = spin_scale(ground_left(g->arm * turns, g->turn, g->rest), t.w);
  return t;
}

/* The derivative of ground_slow in the direction d, and, as it is symmetric, its adjoint. */
CQ_FN twist ground_slow_tangent(const ground *g, twist t, twist d) {
  const real u = real_sqrt(vec_dot(t.v, t.v)), z = g->arm * real_sqrt(spin_dot(t.w, t.w));
  const real slides = ground_left(u, g->slide, g->rest), turns = ground_left(z, g->turn, g->rest);
  const real along = ground_bend(slides, u, g->slide, g->rest) * vec_dot(t.v, d.v);
  const real about = ground_bend(turns, z, g->turn, g->rest) * g->arm * g->arm * spin_dot(t.w, d.w);
  d.v = vec_axpy(vec_scale(slides, d.v), along, t.v);
  d.w = spin_axpy(spin_scale(turns, d.w), about, t.w);
  return d;
}

#endif
