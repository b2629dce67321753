/* Driven joints: a link hangs at the frame of the link before it by a hinge or a slider, and where
 * a chain of them is follows from their angles and ways (a serial arm). Forward kinematics and its
 * adjoint, link by link.
 *
 * A hinge turns the link about `axis`, through `anchor`, by s [rad]; a slider moves it along `axis`
 * by s [m]. Both stand in the frame of the link before, whose origin is its centre of mass; `arm`
 * goes from the anchor to the centre of mass of the link, in the link's frame. 2D: a hinge has no
 * axis. */
#ifndef CQ_RIGID_LINKAGE_H
#define CQ_RIGID_LINKAGE_H

#include "rigid_pose.h"

typedef enum joint_kind { JOINT_HINGE, JOINT_SLIDER } joint_kind;

typedef struct joint {
  joint_kind kind;
  vec anchor, axis, arm; /* axis: of length 1 */
} joint;

/* where a link is, and how it moves */
typedef struct link_state {
  pose p;
  twist t;
} link_state;

CQ_FN link_state link_zero(void) {
  link_state r;
  r.p = pose_zero();
  r.t = twist_zero();
  return r;
}

/* the turn of a hinge; its spin at a rate of 1, in the frame of the link before */
CQ_FN turn joint_turn(const joint *j, real s, spin *unit) {
  turn r = turn_none();
  *unit = spin_zero();
  if (j->kind == JOINT_SLIDER) {
    return r;
  }
#if CQ_DIM == 2
  r.q[0] = s;
  unit->w[0] = real_splat(K(1));
#else
  const wide half = (wide)s * 0.5;
  r = turn_of((real)cq_wide_cos(half), vec_scale((real)cq_wide_sin(half), j->axis));
  *unit = vec_spin(j->axis);
#endif
  return r;
}

/* dL/ds of that turn */
CQ_FN real joint_turn_adjoint(const joint *j, real s, turn d) {
  if (j->kind == JOINT_SLIDER) {
    return real_splat(K(0));
  }
#if CQ_DIM == 2
  (void)s;
  return d.q[0];
#else
  const wide half = (wide)s * 0.5;
  const real across = vec_dot(j->axis, turn_axial(d));
  return K(0.5) * ((real)cq_wide_cos(half) * across - (real)cq_wide_sin(half) * d.q[0]);
#endif
}

/* The link after `base`, with its joint at s and moving at the rate r. */
CQ_FN link_state joint_link(const joint *j, const link_state *base, real s, real r) {
  link_state l;
  spin unit;
  const real slides = real_splat(j->kind == JOINT_SLIDER ? K(1) : K(0));
  l.p.q = turn_after(base->p.q, joint_turn(j, s, &unit));
  const mat R = turn_matrix(base->p.q);
  const vec hold = mat_vec(R, vec_axpy(j->anchor, slides * s, j->axis));
  const vec arm = mat_vec(turn_matrix(l.p.q), j->arm);
  const vec way = mat_vec(R, vec_scale(slides * r, j->axis));
  l.p.x = vec_add(base->p.x, vec_add(hold, arm));
  l.t.w = spin_axpy(base->t.w, r, spin_to_world(R, unit));
  l.t.v =
      vec_add(vec_add(base->t.v, way), vec_add(spin_turn(base->t.w, hold), spin_turn(l.t.w, arm)));
  return l;
}

/* d is dL/d(link): adds to dL/d(base), dL/ds and dL/dr */
CQ_FN void joint_link_adjoint(const joint *j, const link_state *base, real s, real r, link_state d,
                              link_state *dbase, real *ds, real *dr) {
  spin unit;
  const real slides = real_splat(j->kind == JOINT_SLIDER ? K(1) : K(0));
  const turn by = joint_turn(j, s, &unit), q = turn_after(base->p.q, by);
  const mat R = turn_matrix(base->p.q), Q = turn_matrix(q);
  const vec at = vec_axpy(j->anchor, slides * s, j->axis);
  const vec hold = mat_vec(R, at), arm = mat_vec(Q, j->arm);
  const spin turned = spin_to_world(R, unit), w = spin_axpy(base->t.w, r, turned);

  /* l.t.v */
  dbase->t.v = vec_add(dbase->t.v, d.t.v);
  vec dhold = vec_scale(real_splat(K(-1)), spin_turn(base->t.w, d.t.v));
  vec darm = vec_scale(real_splat(K(-1)), spin_turn(w, d.t.v));
  dbase->t.w = spin_add(dbase->t.w, spin_arm(hold, d.t.v));
  const spin dw = spin_add(d.t.w, spin_arm(arm, d.t.v));
  mat dR = vec_outer(d.t.v, vec_scale(slides * r, j->axis));
  *dr = *dr + slides * vec_dot(d.t.v, mat_vec(R, j->axis));
  /* l.t.w */
  dbase->t.w = spin_add(dbase->t.w, dw);
  *dr = *dr + spin_dot(dw, turned);
  spin dunit = spin_zero();
  spin_to_world_adjoint(R, unit, spin_scale(r, dw), &dR, &dunit);
  /* l.p.x, and what both are made of */
  dbase->p.x = vec_add(dbase->p.x, d.p.x);
  dhold = vec_add(dhold, d.p.x);
  darm = vec_add(darm, d.p.x);
  dR = mat_add(dR, vec_outer(dhold, at));
  *ds = *ds + slides * vec_dot(dhold, mat_vec(R, j->axis));
  /* orientations */
  const turn dq = turn_add(d.p.q, turn_matrix_adjoint(q, vec_outer(darm, j->arm)));
  turn dby = turn_zero();
  turn_after_adjoint(base->p.q, by, dq, &dbase->p.q, &dby);
  *ds = *ds + joint_turn_adjoint(j, s, dby);
  dbase->p.q = turn_add(dbase->p.q, turn_matrix_adjoint(base->p.q, dR));
}

/* A chain of n joints after `base`: links[n], s and r [n]. */
CQ_FN void linkage_links(int n, const joint *joints, const link_state *base, const real *s,
                         const real *r, link_state *links) {
  for (int i = 0; i < n; i++) {
    links[i] = joint_link(&joints[i], i == 0 ? base : &links[i - 1], s[i], r[i]);
  }
}

/* d[n] is dL/d(links), of which all but the first link's are used up on the way; adds to dbase, ds
 * and dr [n]. */
CQ_FN void linkage_adjoint(int n, const joint *joints, const link_state *base, const real *s,
                           const real *r, const link_state *links, link_state *d, link_state *dbase,
                           real *ds, real *dr) {
  for (int i = n - 1; i >= 0; i--) {
    joint_link_adjoint(&joints[i], i == 0 ? base : &links[i - 1], s[i], r[i], d[i],
                       i == 0 ? dbase : &d[i - 1], &ds[i], &dr[i]);
  }
}

#endif
