/* A rigid body during a step: what pushes it, and what it is to the particles that touch it. */
#ifndef CQ_FLUID_BODY_H
#define CQ_FLUID_BODY_H

#include "rigid_free.h"
#include "touch.h"

#ifndef __cplusplus
#  include <stdbool.h>
#endif

typedef struct fluid_body {
  struct heft heft;
  vec thrust;      /* of this step [m/s^2] */
  twist goal;      /* of a driven one, or at its release */
  motion now;      /* during a step */
  pose end;        /* of an obstacle that moves: at the end of the step */
  wrench push;     /* impulse of this step */
  wrench sum;      /* of a sweep */
  bool free;       /* in this step */
  double touching; /* sum of V weight over what touches it */
} fluid_body;

CQ_FN void fluid_kick(fluid_body *b, wrench impulse) {
  b->push = wrench_axpy(b->push, real_splat(K(1)), impulse);
  if (b->free) {
    const twist t = heft_kick(&b->heft, turn_matrix(b->now.p.q), impulse);
    b->now.t.v = vec_add(b->now.t.v, t.v);
    b->now.t.w = spin_add(b->now.t.w, t.w);
  }
}

CQ_FN wrench fluid_wrench(const scalar *f, const scalar *t) {
  wrench r;
  FOR_AXES(a) {
    r.f.v[a] = f[a];
  }
  FOR_SPINS(s) {
    r.t.w[s] = t[s];
  }
  return r;
}

/* A free body moves when one particle's pressure changes, and all others that touch it see that.
 * Those are a full block of the matrix, whose row sums are at most weight_i sum_j V_j weight_j: on
 * the diagonal that keeps the sweeps stable however light the body is. */
CQ_FN scalar fluid_weight(const fluid_body *b, const fluid_touch *touch) {
  const wrench w = fluid_wrench(touch->g, touch->t);
  const twist moved = heft_kick(&b->heft, turn_matrix(b->now.p.q), w);
  return real_sqrt(vec_dot(w.f, moved.v) + spin_dot(w.t, moved.w));
}

/* as particles meet it */
CQ_FN void fluid_show(const fluid_body *b, fluid_twist *t, scalar *center) {
  FOR_AXES(a) {
    t->v[a] = b->now.t.v.v[a];
    center[a] = b->now.p.x.v[a];
  }
  FOR_SPINS(s) {
    t->w[s] = b->now.t.w.w[s];
  }
}

#endif
