/* Driven joints: a link hangs at another body by a hinge, which turns it about the axis through the
 * anchor by s [rad], or by a slider, which moves it along the axis by s [m].
 *
 * Where a chain of links is follows from all s and their rates (forward kinematics: joint_link,
 * linkage_links). A step needs the rates alone, for which s stands in the poses: link_twist is how
 * a link moves, link_move where it is after the step; a hinge stays in its anchor exactly. All with
 * adjoints. */
#ifndef CQ_RIGID_LINKAGE_H
#define CQ_RIGID_LINKAGE_H

#include "driven.h"
#include "rigid_pose.h"

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

CQ_FN vec joint_vec(const double *a) {
  vec r;
  FOR_AXES(i) {
    r.v[i] = real_splat((scalar)a[i]);
  }
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
  r = turn_of((real)cq_wide_cos(half), vec_scale((real)cq_wide_sin(half), joint_vec(j->axis)));
  *unit = vec_spin(joint_vec(j->axis));
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
  const real across = vec_dot(joint_vec(j->axis), turn_axial(d));
  return K(0.5) * ((real)cq_wide_cos(half) * across - (real)cq_wide_sin(half) * d.q[0]);
#endif
}

/* 1 of a slider, 0 of a hinge */
CQ_FN real joint_slides(const joint *j) {
  return real_splat(j->kind == JOINT_SLIDER ? K(1) : K(0));
}

/* The link after `base`, with its joint at s and moving at the rate r. */
CQ_FN link_state joint_link(const joint *j, const link_state *base, real s, real r) {
  link_state l;
  spin unit;
  const vec axis = joint_vec(j->axis), arm_of = joint_vec(j->arm);
  const real slides = joint_slides(j);
  l.p.q = turn_after(base->p.q, joint_turn(j, s, &unit));
  const mat R = turn_matrix(base->p.q);
  const vec hold = mat_vec(R, vec_axpy(joint_vec(j->anchor), slides * s, axis));
  const vec arm = mat_vec(turn_matrix(l.p.q), arm_of);
  const vec way = mat_vec(R, vec_scale(slides * r, axis));
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
  const vec axis = joint_vec(j->axis), arm_of = joint_vec(j->arm);
  const real slides = joint_slides(j);
  const turn by = joint_turn(j, s, &unit), q = turn_after(base->p.q, by);
  const mat R = turn_matrix(base->p.q), Q = turn_matrix(q);
  const vec at = vec_axpy(joint_vec(j->anchor), slides * s, axis);
  const vec hold = mat_vec(R, at), arm = mat_vec(Q, arm_of);
  const spin turned = spin_to_world(R, unit), w = spin_axpy(base->t.w, r, turned);

  /* l.t.v */
  dbase->t.v = vec_add(dbase->t.v, d.t.v);
  vec dhold = vec_scale(real_splat(K(-1)), spin_turn(base->t.w, d.t.v));
  vec darm = vec_scale(real_splat(K(-1)), spin_turn(w, d.t.v));
  dbase->t.w = spin_add(dbase->t.w, spin_arm(hold, d.t.v));
  const spin dw = spin_add(d.t.w, spin_arm(arm, d.t.v));
  mat dR = vec_outer(d.t.v, vec_scale(slides * r, axis));
  *dr = *dr + slides * vec_dot(d.t.v, mat_vec(R, axis));
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
  *ds = *ds + slides * vec_dot(dhold, mat_vec(R, axis));
  /* orientations */
  const turn dq = turn_add(d.p.q, turn_matrix_adjoint(q, vec_outer(darm, arm_of)));
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

/* How a link at the pose p moves, whose joint has the rate r, at a body at b that moves by t. */
CQ_FN twist link_twist(const joint *j, pose b, twist t, pose p, real r) {
  spin unit;
  joint_turn(j, r, &unit);
  const mat R = turn_matrix(b.q);
  const vec arm = mat_vec(turn_matrix(p.q), joint_vec(j->arm));
  const vec hold = vec_sub(vec_sub(p.x, arm), b.x);
  const vec way = mat_vec(R, vec_scale(joint_slides(j) * r, joint_vec(j->axis)));
  twist l;
  l.w = spin_axpy(t.w, r, spin_to_world(R, unit));
  l.v = vec_add(vec_add(t.v, way), vec_add(spin_turn(t.w, hold), spin_turn(l.w, arm)));
  return l;
}

/* adds to db, dt, dp, dr */
CQ_FN void link_twist_adjoint(const joint *j, pose b, twist t, pose p, real r, twist d, pose *db,
                              twist *dt, pose *dp, real *dr) {
  spin unit;
  joint_turn(j, r, &unit);
  const real minus = real_splat(K(-1)), slides = joint_slides(j);
  const vec axis = joint_vec(j->axis), arm_of = joint_vec(j->arm);
  const mat R = turn_matrix(b.q);
  const vec arm = mat_vec(turn_matrix(p.q), arm_of);
  const vec hold = vec_sub(vec_sub(p.x, arm), b.x);
  const spin turned = spin_to_world(R, unit), w = spin_axpy(t.w, r, turned);

  dt->v = vec_add(dt->v, d.v);
  dt->w = spin_add(dt->w, spin_arm(hold, d.v));
  const spin dw = spin_add(d.w, spin_arm(arm, d.v));
  dt->w = spin_add(dt->w, dw);
  *dr = *dr + slides * vec_dot(d.v, mat_vec(R, axis)) + spin_dot(dw, turned);
  mat dR = vec_outer(d.v, vec_scale(slides * r, axis));
  spin dunit = spin_zero();
  spin_to_world_adjoint(R, unit, spin_scale(r, dw), &dR, &dunit);
  const vec dhold = vec_scale(minus, spin_turn(t.w, d.v));
  const vec darm = vec_scale(minus, vec_add(spin_turn(w, d.v), dhold));
  dp->x = vec_add(dp->x, dhold);
  db->x = vec_sub(db->x, dhold);
  dp->q = turn_add(dp->q, turn_matrix_adjoint(p.q, vec_outer(darm, arm_of)));
  db->q = turn_add(db->q, turn_matrix_adjoint(b.q, dR));
}

/* what does not change of a link in the frame of its body: how it is turned, and where it hangs */
CQ_FN turn link_turn(const joint *j, pose b, pose p, pose next, real s) {
  spin unit;
  const turn own = turn_after(turn_conjugate(b.q), p.q);
  return turn_after(turn_after(next.q, own), joint_turn(j, s, &unit));
}

CQ_FN vec link_hold(const joint *j, pose b, pose p, real s) {
  if (j->kind == JOINT_HINGE) {
    return joint_vec(j->anchor);
  }
  const vec arm = mat_vec(turn_matrix(p.q), joint_vec(j->arm));
  const vec hold = vec_sub(vec_sub(p.x, arm), b.x);
  return vec_axpy(mat_t_vec(turn_matrix(b.q), hold), s, joint_vec(j->axis));
}

/* Where a link at p is when its body has gone from b to `next` and its joint has gone on by s. */
CQ_FN pose link_move(const joint *j, pose b, pose p, pose next, real s) {
  pose l;
  l.q = turn_unit(link_turn(j, b, p, next, s));
  const vec hold = mat_vec(turn_matrix(next.q), link_hold(j, b, p, s));
  const vec arm = mat_vec(turn_matrix(l.q), joint_vec(j->arm));
  l.x = vec_add(next.x, vec_add(hold, arm));
  return l;
}

/* adds to db, dp, dnext, ds */
CQ_FN void link_move_adjoint(const joint *j, pose b, pose p, pose next, real s, pose d, pose *db,
                             pose *dp, pose *dnext, real *ds) {
  spin unit;
  const vec arm_of = joint_vec(j->arm), axis = joint_vec(j->axis);
  const turn by = joint_turn(j, s, &unit), back = turn_conjugate(b.q);
  const turn own = turn_after(back, p.q), before = turn_after(next.q, own);
  const turn q = turn_after(before, by);
  const mat N = turn_matrix(next.q);

  /* place */
  dnext->x = vec_add(dnext->x, d.x);
  const vec hold = link_hold(j, b, p, s), dhold = mat_t_vec(N, d.x);
  dnext->q = turn_add(dnext->q, turn_matrix_adjoint(next.q, vec_outer(d.x, hold)));
  const turn unit_q = turn_unit(q);
  d.q = turn_add(d.q, turn_matrix_adjoint(unit_q, vec_outer(d.x, arm_of)));
  if (j->kind == JOINT_SLIDER) {
    const mat R = turn_matrix(b.q);
    const vec arm = mat_vec(turn_matrix(p.q), arm_of), out = mat_vec(R, dhold);
    const vec way = vec_sub(vec_sub(p.x, arm), b.x), none = vec_scale(real_splat(K(-1)), out);
    *ds = *ds + vec_dot(axis, dhold);
    db->q = turn_add(db->q, turn_matrix_adjoint(b.q, vec_outer(way, dhold)));
    db->x = vec_sub(db->x, out);
    dp->x = vec_add(dp->x, out);
    dp->q = turn_add(dp->q, turn_matrix_adjoint(p.q, vec_outer(none, arm_of)));
  }
  /* orientation */
  turn dby = turn_zero(), dbefore = turn_zero(), down = turn_zero(), dback = turn_zero();
  turn_after_adjoint(before, by, turn_unit_adjoint(q, d.q), &dbefore, &dby);
  *ds = *ds + joint_turn_adjoint(j, s, dby);
  turn_after_adjoint(next.q, own, dbefore, &dnext->q, &down);
  turn_after_adjoint(back, p.q, down, &dback, &dp->q);
  db->q = turn_add(db->q, turn_conjugate(dback));
}

#endif
