/* The condition at a surface that moves: one of a wall's (boundary/), or that of a wall which
 * separates with friction by a mean pressure (point/pressed.h). */
#ifndef CQ_POINT_GRIP_H
#define CQ_POINT_GRIP_H

#include "boundary/boundary.h"
#include "point/pressed.h"

typedef struct grip {
  int kind; /* cq_boundary_kind */
  scalar epsilon;
  int remembers; /* kind is separate, and friction is by the mean */
  pressing press;
} grip;

/* what meets there */
typedef struct gripped {
  vec v;         /* relative to the surface, before */
  vec n;         /* unit normal */
  real friction; /* coefficient */
  real mass;     /* whose impulse the pressure is */
  pressed before;
} gripped;

CQ_FN pressed pressed_none(void) {
  pressed p;
  p.sum = p.weight = p.owed = real_splat(K(0));
  return p;
}

/* The velocity afterwards, and the mean; which stays where nothing remembers. */
CQ_FN vec grip_apply(const grip *g, const gripped *at, pressed *after) {
  *after = at->before;
  return g->remembers ? pressed_apply(g->press, at->v, at->n, at->friction, g->epsilon, at->mass,
                                      &at->before, after)
                      : boundary_apply(g->kind, at->v, at->n, at->friction, g->epsilon);
}

/* Its adjoint, from that by the velocity afterwards and by the mean. */
CQ_FN gripped grip_adjoint(const grip *g, const gripped *at, vec dv, const pressed *dafter) {
  gripped d;
  d.friction = d.mass = real_splat(K(0));
  d.before = pressed_none();
  if (g->remembers) {
    d.v = pressed_adjoint(g->press, at->v, at->n, at->friction, g->epsilon, at->mass, &at->before,
                          dv, dafter, &d.before, &d.friction, &d.mass);
    d.n = pressed_normal_adjoint(g->press, at->v, at->n, at->friction, g->epsilon, at->mass,
                                 &at->before, dv, d.v);
    return d;
  }
  d.v = boundary_adjoint(g->kind, at->v, at->n, at->friction, g->epsilon, dv, &d.friction);
  d.n = boundary_normal_adjoint(g->kind, at->v, at->n, at->friction, g->epsilon, dv);
  d.before = *dafter;
  return d;
}

#endif
