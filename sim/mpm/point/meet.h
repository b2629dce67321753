/* A grid node that meets a rigid body. The node takes a share s of the condition at the body's
 * surface, which is as a wall's (boundary/) but for the velocity relative to the surface:
 *   u = v - v_B(x),  v' = v + s q,  q = cond(u) - u,
 * where v_B(x) is the velocity of the body at the node (rigid.h). s follows from the signed
 * distance d and goes from 1 to 0 within a cell, so that derivatives by place and motion of the
 * body are those of a smooth function: what is inside or outside has none. The body gets the
 * impulse -m s q at x. Where friction goes by the mean of the pressure, that is of the whole -m
 * u.n.
 */
#ifndef CQ_POINT_MEET_H
#define CQ_POINT_MEET_H

#include "point/grip.h"
#include "point/share.h"
#include "rigid.h"

/* a node, and what it sees of the body */
typedef struct met {
  vec x; /* place [m] */
  vec v; /* velocity before */
  vec n; /* unit normal of the surface, out of the body */
  real mass;
  real share;
  real friction;
  pressed before; /* mean pressure */
} met;

CQ_FN met met_zero(void) {
  met r;
  r.x = r.v = r.n = vec_zero();
  r.mass = r.share = r.friction = real_splat(K(0));
  r.before = pressed_none();
  return r;
}

/* u, the velocity relative to the surface */
CQ_FN vec meet_relative(const placed *b, const met *m) {
  return vec_sub(m->v, placed_velocity(b, m->x));
}

/* what the condition is about */
CQ_FN gripped meet_grip(const placed *b, const met *m) {
  gripped at;
  at.v = meet_relative(b, m);
  at.n = m->n;
  at.friction = m->friction;
  at.mass = m->mass;
  at.before = m->before;
  return at;
}

/* q = cond(u) - u, and the mean pressure after it; without friction along n, and never against it
 * where the kind separates */
CQ_FN vec meet_push(const grip *g, const placed *b, const met *m, pressed *after) {
  const gripped at = meet_grip(b, m);
  return vec_sub(grip_apply(g, &at, after), at.v);
}

/* the change of the node's velocity */
CQ_FN vec meet_change(const grip *g, const placed *b, const met *m, pressed *after) {
  return vec_scale(m->share, meet_push(g, b, m, after));
}

/* what a change of the node's velocity means for the body: its impulse */
CQ_FN wrench meet_impulse(const placed *b, const met *m, vec change) {
  return placed_wrench(b, m->x, vec_scale(-m->mass, change));
}

/* Adjoint of both and of the mean, d = dL/d(change), di = dL/d(impulse): adds to db and dm. That by
 * v is of the change alone, v' = v + change adds its own. */
CQ_FN void meet_adjoint(const grip *g, const placed *b, const met *m, vec d, wrench di,
                        const pressed *dafter, placed *db, met *dm) {
  pressed after;
  const gripped at = meet_grip(b, m);
  const vec q = meet_push(g, b, m, &after);
  const vec change = vec_scale(m->share, q), impulse = vec_scale(-m->mass, change);
  vec df = vec_zero();
  placed_wrench_adjoint(b, m->x, impulse, di, db, &dm->x, &df);
  dm->mass = dm->mass - vec_dot(df, change);
  d = vec_axpy(d, -m->mass, df);
  dm->share = dm->share + vec_dot(d, q);
  const vec dq = vec_scale(m->share, d);
  const gripped by = grip_adjoint(g, &at, dq, dafter);
  const vec du = vec_sub(by.v, dq);
  dm->n = vec_add(dm->n, by.n);
  dm->friction = dm->friction + by.friction;
  dm->mass = dm->mass + by.mass;
  dm->before.sum = dm->before.sum + by.before.sum;
  dm->before.weight = dm->before.weight + by.before.weight;
  dm->before.owed = dm->before.owed + by.before.owed;
  dm->v = vec_add(dm->v, du);
  placed_velocity_adjoint(b, m->x, vec_scale(real_splat(K(-1)), du), db, &dm->x);
}

/* d(q)/d(v_B) = 1 - d(cond)/du, for the velocity of a body that gives way */
CQ_FN mat meet_jacobian(const grip *g, const placed *b, const met *m) {
  const gripped at = meet_grip(b, m);
  const pressed none = pressed_none();
  mat J = mat_identity();
  FOR_AXES(i) {
    vec unit = vec_zero();
    unit.v[i] = real_splat(K(1));
    const vec row = grip_adjoint(g, &at, unit, &none).v;
    FOR_AXES(j) {
      J.m[i][j] = J.m[i][j] - row.v[j];
    }
  }
  return J;
}

#endif
