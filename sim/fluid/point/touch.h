/* What a body, or all walls together, are to a particle, and what they do to each other. Not for
 * vectors of particles: few of them touch anything. */
#ifndef CQ_FLUID_TOUCH_H
#define CQ_FLUID_TOUCH_H

#include "linalg.h"

/* g = sum_b V_b grad W, t = sum_b r_b x that with r_b from the body's centre. */
typedef struct fluid_touch {
  int particle, body; /* of the sorted list; -1: walls */
  scalar g[CQ_DIM], t[CQ_SPINS];
  scalar weight; /* sqrt(g . g/M + t . I^-1 t), 0 where the body is not free */
  scalar drag[CQ_DIM],
      drag_t[CQ_SPINS]; /* impulse of the fluid's viscosity on the body, and its moment */
} fluid_touch;

typedef struct fluid_twist {
  scalar v[CQ_DIM], w[CQ_SPINS];
} fluid_twist;

CQ_FN vec touch_splat(const scalar *a) {
  vec r;
  FOR_AXES(i) {
    r.v[i] = real_splat(a[i]);
  }
  return r;
}

/* Adds a sample that is at `arm` from the body's centre (of walls: 0): g is V_b grad W. */
CQ_FN void touch_add(fluid_touch *touch, const scalar *arm, const scalar *g) {
  real t[CQ_SPINS];
  for (int s = 0; s < CQ_SPINS; s++) {
    t[s] = real_splat(K(0));
  }
  vec_turn_adjoint(touch_splat(arm), touch_splat(g), t);
  FOR_AXES(a) {
    touch->g[a] += g[a];
  }
  for (int s = 0; s < CQ_SPINS; s++) {
    touch->t[s] += real_first(t[s]);
  }
}

/* Takes an impulse at x from what a sample belongs to; center [bodies]. */
CQ_FN void touch_react(fluid_touch *touch, const scalar *x, scalar (*center)[CQ_DIM],
                       const scalar *impulse) {
  vec arm, f;
  real t[CQ_SPINS];
  FOR_AXES(a) {
    touch->drag[a] -= impulse[a];
    arm.v[a] = real_splat(touch->body >= 0 ? x[a] - center[touch->body][a] : K(0));
    f.v[a] = real_splat(impulse[a]);
  }
  for (int s = 0; s < CQ_SPINS; s++) {
    t[s] = real_splat(K(0));
  }
  vec_turn_adjoint(arm, f, t);
  for (int s = 0; s < CQ_SPINS; s++) {
    touch->drag_t[s] -= real_first(t[s]);
  }
}

/* velocity at x of a body; -1: of walls, 0 */
CQ_FN vec touch_velocity(int body, const fluid_twist *bodies, scalar (*center)[CQ_DIM],
                         const scalar *x) {
  vec v = vec_zero(), arm;
  if (body >= 0) {
    real w[CQ_SPINS];
    FOR_AXES(a) {
      arm.v[a] = real_splat(x[a] - center[body][a]);
      v.v[a] = real_splat(bodies[body].v[a]);
    }
    for (int s = 0; s < CQ_SPINS; s++) {
      w[s] = real_splat(bodies[body].w[s]);
    }
    v = vec_add(v, vec_turn(w, arm));
  }
  return v;
}

/* adds what the motion of the body takes from the divergence at the particle */
CQ_FN scalar touch_divergence(scalar sum, const fluid_touch *touch, const fluid_twist *body) {
  FOR_AXES(a) {
    sum += body->v[a] * touch->g[a];
  }
  for (int s = 0; s < CQ_SPINS; s++) {
    sum += body->w[s] * touch->t[s];
  }
  return sum;
}

#endif
