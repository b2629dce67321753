/* Derivatives of drive.h, linkage.h and track.h in a direction. An argument's direction stands
 * after the argument, with a d before its name. */
#ifndef CQ_RIGID_DRIVEN_TANGENT_H
#define CQ_RIGID_DRIVEN_TANGENT_H

#include "drive.h"
#include "linkage.h"
#include "rigid_tangent.h"
#include "track.h"

CQ_FN twist drive_twist_tangent(const drive *m, pose p, pose dp, const wide *u, const wide *du) {
  drive world = *m;
  world.own = 0;
  twist d = drive_twist(&world, p, du);
  if (m->own) {
    const twist t = drive_twist(&world, p, u);
    const mat R = turn_matrix(p.q), dR = turn_matrix_tangent(p.q, dp.q);
    d.v = vec_add(mat_vec(R, d.v), mat_vec(dR, t.v));
    d.w = spin_turned_tangent(R, dR, t.w, d.w, 1);
  }
  return d;
}

CQ_FN pose drive_move_tangent(pose p, pose dp, twist t, twist dt, real h) {
  pose r;
  r.x = vec_axpy(dp.x, h, dt.v);
#if CQ_DIM == 2
  r.q = turn_step_tangent(p.q, dp.q, t.w, dt.w, h);
#else
  const mat R = turn_matrix(p.q);
  const spin w = spin_to_body(R, t.w);
  const spin dw = spin_turned_tangent(R, turn_matrix_tangent(p.q, dp.q), t.w, dt.w, 0);
  const real stretch = drive_stretch(w, h), more = spin_dot(w, dw) * h * h * K(1.0 / 6.0);
  r.q = turn_step_tangent(p.q, dp.q, spin_scale(stretch, w),
                          spin_axpy(spin_scale(stretch, dw), more, w), h);
#endif
  return r;
}

/* of the turn of a joint */
CQ_FN turn joint_turn_tangent(const joint *j, real s, real ds) {
  spin unit;
  turn r = turn_zero();
  if (j->kind == JOINT_SLIDER) {
    return r;
  }
#if CQ_DIM == 2
  (void)s;
  (void)unit;
  r.q[0] = ds;
#else
  /* half the angle further on by a quarter of a turn is the derivative */
  const turn at = joint_turn(j, s, &unit);
  const vec axis = joint_vec(j->axis);
  r = turn_of(-(K(0.5) * ds * vec_dot(axis, turn_axial(at))),
              vec_scale(K(0.5) * ds * at.q[0], axis));
#endif
  return r;
}

/* Tangent of the twist of a link: by the twists and poses of both bodies and the rate of the joint.
 */
CQ_FN twist link_twist_tangent(const joint *j, pose b, pose db, twist t, twist dt, pose p, pose dp,
                               real r, real dr) {
  spin unit;
  joint_turn(j, r, &unit);
  const real slides = joint_slides(j);
  const vec axis = joint_vec(j->axis), arm_of = joint_vec(j->arm);
  const mat R = turn_matrix(b.q), dR = turn_matrix_tangent(b.q, db.q);
  const vec arm = mat_vec(turn_matrix(p.q), arm_of);
  const vec darm = mat_vec(turn_matrix_tangent(p.q, dp.q), arm_of);
  const vec hold = vec_sub(vec_sub(p.x, arm), b.x), dhold = vec_sub(vec_sub(dp.x, darm), db.x);
  const spin turned = spin_to_world(R, unit), w = spin_axpy(t.w, r, turned);
  twist d;
  d.w = spin_axpy(spin_axpy(dt.w, dr, turned), r, spin_turned_tangent(R, dR, unit, spin_zero(), 1));
  d.v = vec_axpy(dt.v, slides * dr, mat_vec(R, axis));
  d.v = vec_axpy(d.v, slides * r, mat_vec(dR, axis));
  d.v = vec_add(d.v, vec_add(spin_turn(dt.w, hold), spin_turn(t.w, dhold)));
  d.v = vec_add(d.v, vec_add(spin_turn(d.w, arm), spin_turn(w, darm)));
  return d;
}

/* Tangent of the pose of a link after a step: by the poses of both bodies and what the joint goes.
 */
CQ_FN pose link_move_tangent(const joint *j, pose b, pose db, pose p, pose dp, pose next,
                             pose dnext, real s, real ds) {
  spin unit;
  const vec arm_of = joint_vec(j->arm);
  const turn by = joint_turn(j, s, &unit), back = turn_conjugate(b.q);
  const turn own = turn_after(back, p.q), before = turn_after(next.q, own);
  const turn q = turn_after(before, by);
  const turn down = turn_after_tangent(back, turn_conjugate(db.q), p.q, dp.q);
  const turn dbefore = turn_after_tangent(next.q, dnext.q, own, down);
  pose d;
  d.q = turn_unit_tangent(q, turn_after_tangent(before, dbefore, by, joint_turn_tangent(j, s, ds)));
  vec dhold = vec_zero();
  if (j->kind == JOINT_SLIDER) {
    const vec way = vec_sub(vec_sub(p.x, mat_vec(turn_matrix(p.q), arm_of)), b.x);
    const vec darm = mat_vec(turn_matrix_tangent(p.q, dp.q), arm_of);
    dhold = vec_add(mat_t_vec(turn_matrix_tangent(b.q, db.q), way),
                    mat_t_vec(turn_matrix(b.q), vec_sub(vec_sub(dp.x, darm), db.x)));
    dhold = vec_axpy(dhold, ds, joint_vec(j->axis));
  }
  const vec hold = link_hold(j, b, p, s);
  d.x = vec_add(dnext.x, mat_vec(turn_matrix_tangent(next.q, dnext.q), hold));
  d.x = vec_add(d.x, mat_vec(turn_matrix(next.q), dhold));
  d.x = vec_add(d.x, mat_vec(turn_matrix_tangent(turn_unit(q), d.q), arm_of));
  return d;
}

#if CQ_DIM == 2

/* Tangent of the turn and spin of a track by its knots and its steady motion. */
CQ_FN void track_turned_tangent(const track *t, const wide *y, const wide *dy, const wide *rate,
                                const wide *drate, const track_extra *e, const track_extra *de,
                                turn *dq, spin *dw) {
  (void)y;
  (void)rate;
  (void)e;
  track_turned(t, dy, drate, de, dq, dw);
}

#else

/* The product rule along track_turned: the turn of the knots, then the one about the axis. */
CQ_FN void track_turned_tangent(const track *t, const wide *y, const wide *dy, const wide *rate,
                                const wide *drate, const track_extra *e, const track_extra *de,
                                turn *dq, spin *dw) {
  const turn r = track_quaternion(y), dr = track_quaternion(dy);
  const turn p = track_quaternion(rate), dp = track_quaternion(drate);
  vec axis;
  const turn about = track_about(t, e->angle, &axis);
  const real half = K(0.5) * (real)de->angle;
  const turn dabout =
      turn_of(-(half * vec_dot(axis, turn_axial(about))), vec_scale(half * about.q[0], axis));
  *dq = turn_after_tangent(turn_unit(r), turn_unit_tangent(r, dr), about, dabout);
  vec d = mat_vec(turn_matrix_tangent(r, dr), vec_scale((real)e->spin, axis));
  d = vec_axpy(d, (real)de->spin, mat_vec(turn_matrix(r), axis));
  const turn product = turn_after_tangent(p, dp, turn_conjugate(r), turn_conjugate(dr));
  const real inverse = K(1) / turn_dot(r, r);
  d = vec_axpy(d, K(2) * inverse, turn_axial(product));
  d = vec_axpy(d, -(K(2) * inverse * turn_dot(r, dr)), track_spin(r, p));
  *dw = vec_spin(d);
}

#endif

/* `dt` is the direction of what a design may change of t, as a track of as many knots and sways. */
CQ_FN void track_tangent(const track *t, const track *dt, double time, pose *dp, twist *dv) {
  const track_weights w = track_weights_at(t, time);
  track moved = *t;
  track_sway sway;
  wide y[CQ_POSE], rate[CQ_POSE], dy[CQ_POSE], drate[CQ_POSE];
  track_knots(t, &w, y, rate);
  track_knots(dt, &w, dy, drate);
  const track_extra e = track_extra_at(t, time);
  /* linear in everything a design may change; frequencies and phases are those of t */
  moved.n_sways = 0;
  FOR_AXES(a) {
    moved.velocity[a] = dt->velocity[a];
  }
  moved.rate = dt->rate;
  track_extra de = track_extra_at(&moved, time);
  for (int k = 0; k < t->n_sways; k++) {
    sway = dt->sways[k];
    sway.frequency = t->sways[k].frequency;
    sway.phase = t->sways[k].phase;
    track_extra_add(&de, &sway, time);
  }
  track_turned_tangent(t, y, dy, rate, drate, &e, &de, &dp->q, &dv->w);
  FOR_AXES(a) {
    dp->x.v[a] = (real)(dy[a] + de.x[a]);
    dv->v.v[a] = (real)(drate[a] + de.v[a]);
  }
}

#endif
