/* Derivatives of rigid_pose.h and rigid_free.h in a direction, for engines that carry tangents
 * along. An argument's direction stands after the argument, with a d before its name. */
#ifndef CQ_RIGID_TANGENT_H
#define CQ_RIGID_TANGENT_H

#include "rigid_free.h"

CQ_FN vec placed_point_tangent(const placed *b, const placed *db, vec y, vec dy) {
  return vec_add(db->x, vec_add(mat_vec(db->R, y), mat_vec(b->R, dy)));
}

CQ_FN vec placed_local_tangent(const placed *b, const placed *db, vec x, vec dx) {
  return vec_add(mat_t_vec(db->R, vec_sub(x, b->x)), mat_t_vec(b->R, vec_sub(dx, db->x)));
}

CQ_FN vec placed_direction_tangent(const placed *b, const placed *db, vec n, vec dn) {
  return vec_add(mat_vec(db->R, n), mat_vec(b->R, dn));
}

CQ_FN vec placed_velocity_tangent(const placed *b, const placed *db, vec x, vec dx) {
  const vec turned =
      vec_add(spin_turn(db->w, vec_sub(x, b->x)), spin_turn(b->w, vec_sub(dx, db->x)));
  return vec_add(vec_add(db->v, db->belt), turned);
}

CQ_FN wrench placed_wrench_tangent(const placed *b, const placed *db, vec x, vec dx, vec f,
                                   vec df) {
  wrench r;
  r.f = df;
  r.t = spin_add(spin_arm(vec_sub(dx, db->x), f), spin_arm(vec_sub(x, b->x), df));
  return r;
}

CQ_FN turn turn_unit_tangent(turn q, turn dq) {
  return turn_unit_adjoint(q, dq); /* symmetric */
}

CQ_FN turn turn_after_tangent(turn a, turn da, turn b, turn db) {
#if CQ_DIM == 2
  (void)a;
  (void)b;
  return turn_after(da, db);
#else
  return turn_add(turn_after(da, b), turn_after(a, db));
#endif
}

#if CQ_DIM == 2

/* a spin is the same in both frames, so that the turn has no part in its change */
CQ_FN spin spin_turned_tangent(mat R, mat dR, spin w, spin dw, int to_world) {
  (void)R;
  (void)dR;
  (void)w;
  (void)to_world;
  return dw;
}

CQ_FN mat turn_matrix_tangent(turn q, turn dq) {
  const mat R = turn_matrix(q);
  mat r;
  r.m[0][0] = -(R.m[1][0] * dq.q[0]);
  r.m[0][1] = -(R.m[0][0] * dq.q[0]);
  r.m[1][0] = R.m[0][0] * dq.q[0];
  r.m[1][1] = -(R.m[1][0] * dq.q[0]);
  return r;
}

CQ_FN turn turn_step_tangent(turn q, turn dq, spin w, spin dw, real h) {
  (void)q;
  (void)w;
  return turn_step(dq, dw, h);
}

CQ_FN spin free_midpoint_tangent(const moment *I, const moment *dI, spin w, spin dw, spin mid,
                                 real h) {
  (void)I;
  (void)dI;
  (void)w;
  (void)mid;
  (void)h;
  return dw;
}

#else

CQ_FN spin spin_turned_tangent(mat R, mat dR, spin w, spin dw, int to_world) {
  return to_world ? spin_add(spin_to_world(dR, w), spin_to_world(R, dw))
                  : spin_add(spin_to_body(dR, w), spin_to_body(R, dw));
}

/* the matrix is B(q, q)/|q|^2 with a symmetric bilinear form B, and B(q, p) follows from squares:
 * 4 B(q, p) = B(q + p, q + p) - B(q - p, q - p) */
CQ_FN mat turn_matrix_tangent(turn q, turn dq) {
  turn sum = q, difference = q;
  for (int i = 0; i < CQ_TURN; i++) {
    sum.q[i] = q.q[i] + dq.q[i];
    difference.q[i] = q.q[i] - dq.q[i];
  }
  mat r = mat_zero();
  r = mat_axpy(r, K(0.5) * turn_dot(sum, sum), turn_matrix(sum));
  r = mat_axpy(r, -(K(0.5) * turn_dot(difference, difference)), turn_matrix(difference));
  r = mat_axpy(r, -(K(2) * turn_dot(q, dq)), turn_matrix(q));
  return mat_scale(K(1) / turn_dot(q, q), r);
}

CQ_FN turn turn_step_tangent(turn q, turn dq, spin w, spin dw, real h) {
  const turn s = turn_of(real_splat(K(1)), vec_scale(K(0.5) * h, spin_vec(w)));
  const turn ds = turn_of(real_splat(K(0)), vec_scale(K(0.5) * h, spin_vec(dw)));
  return turn_unit_tangent(turn_after(q, s), turn_after_tangent(q, dq, s, ds));
}

CQ_FN spin free_midpoint_tangent(const moment *I, const moment *dI, spin w, spin dw, spin mid,
                                 real h) {
  const spin change = spin_axpy(mid, real_splat(K(-1)), w);
  spin r = spin_axpy(moment_times(*I, dw), real_splat(K(-1)), moment_times(*dI, change));
  const vec gyro = vec_turn(moment_times(*dI, mid).w, spin_vec(mid));
  r = spin_axpy(r, K(0.5) * h, vec_spin(gyro));
  return moment_solve(free_jacobian(I, mid, h), r);
}

#endif

CQ_FN placed pose_placed_tangent(pose p, pose dp, twist dt, vec belt, vec dbelt) {
  placed r;
  r.x = dp.x;
  r.R = turn_matrix_tangent(p.q, dp.q);
  r.v = dt.v;
  r.w = dt.w;
  r.belt = vec_add(mat_vec(r.R, belt), mat_vec(turn_matrix(p.q), dbelt));
  return r;
}

CQ_FN twist heft_kick_tangent(const heft *m, const heft *dm, mat R, mat dR, wrench impulse,
                              wrench dimpulse) {
  const real inverse = K(1) / m->mass;
  const spin t = spin_to_body(R, impulse.t), a = moment_solve(m->I, t);
  spin dt = spin_turned_tangent(R, dR, impulse.t, dimpulse.t, 0);
  dt = spin_axpy(dt, real_splat(K(-1)), moment_times(dm->I, a));
  twist r;
  r.v = vec_scale(inverse, vec_axpy(dimpulse.f, -(inverse * dm->mass), impulse.f));
  r.w = spin_turned_tangent(R, dR, a, moment_solve(m->I, dt), 1);
  return r;
}

/* of free_drift, step by step as it goes */
CQ_FN motion free_drift_tangent(const moment *I, const moment *dI, motion s, motion ds, real h) {
  const mat R = turn_matrix(s.p.q), dR = turn_matrix_tangent(s.p.q, ds.p.q);
  const spin w = spin_to_body(R, s.t.w), mid = free_midpoint(I, w, h);
  const spin dw = spin_turned_tangent(R, dR, s.t.w, ds.t.w, 0);
  const spin dmid = free_midpoint_tangent(I, dI, w, dw, mid, h);
  const real two = real_splat(K(2)), minus = real_splat(K(-1));
  motion r;
  r.p.x = vec_axpy(ds.p.x, h, ds.t.v);
  r.t.v = ds.t.v;
  r.p.q = turn_step_tangent(s.p.q, ds.p.q, mid, dmid, h);
  const turn q1 = turn_step(s.p.q, mid, h);
  r.t.w = spin_turned_tangent(turn_matrix(q1), turn_matrix_tangent(q1, r.p.q),
                              spin_axpy(spin_scale(two, mid), minus, w),
                              spin_axpy(spin_scale(two, dmid), minus, dw), 1);
  return r;
}

#endif
