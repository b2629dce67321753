/* A body driven by controls: each control is a component of its velocity or spin, in the world's
 * frame or in the body's own (a vehicle). Its pose goes along with its twist. */
#ifndef CQ_RIGID_DRIVE_H
#define CQ_RIGID_DRIVE_H

#include "driven.h"
#include "rigid_pose.h"

/* the twist, all of whose other components are 0 */
CQ_FN twist drive_twist(const drive *m, pose p, const wide *u) {
  twist t = twist_zero();
  for (int k = 0; k < m->n_controls; k++) {
    const int c = m->component[k];
    if (c < CQ_DIM) {
      t.v.v[c] = t.v.v[c] + (real)u[k];
    } else {
      t.w.w[c - CQ_DIM] = t.w.w[c - CQ_DIM] + (real)u[k];
    }
  }
  if (m->own) {
    const mat R = turn_matrix(p.q);
    t.v = mat_vec(R, t.v);
    t.w = spin_to_world(R, t.w);
  }
  return t;
}

/* adds to dp and du */
CQ_FN void drive_twist_adjoint(const drive *m, pose p, const wide *u, twist d, pose *dp, wide *du) {
  if (m->own) {
    drive world = *m;
    world.own = 0;
    const twist own = drive_twist(&world, p, u);
    const mat R = turn_matrix(p.q);
    mat dR = vec_outer(d.v, own.v);
    spin dw = spin_zero();
    spin_to_world_adjoint(R, own.w, d.w, &dR, &dw);
    d.v = mat_t_vec(R, d.v);
    d.w = dw;
    dp->q = turn_add(dp->q, turn_matrix_adjoint(p.q, dR));
  }
  for (int k = 0; k < m->n_controls; k++) {
    const int c = m->component[k];
    du[k] = du[k] + (wide)(c < CQ_DIM ? d.v.v[c] : d.w.w[c - CQ_DIM]);
  }
}

/* tan(a)/a is 1 + a^2/3 to fourth order: with it the Cayley map turns by h |w|, off by its fifth
 * power over 120 */
CQ_FN real drive_stretch(spin w, real h) {
  return K(1) + h * h * spin_dot(w, w) * K(1.0 / 12.0);
}

/* the pose after a step h at the twist t */
CQ_FN pose drive_move(pose p, twist t, real h) {
  p.x = vec_axpy(p.x, h, t.v);
#if CQ_DIM == 2
  p.q = turn_step(p.q, t.w, h);
#else
  const spin w = spin_to_body(turn_matrix(p.q), t.w);
  p.q = turn_step(p.q, spin_scale(drive_stretch(w, h), w), h);
#endif
  return p;
}

/* adds to dp and dt */
CQ_FN void drive_move_adjoint(pose p, twist t, real h, pose d, pose *dp, twist *dt) {
  dp->x = vec_add(dp->x, d.x);
  dt->v = vec_axpy(dt->v, h, d.x);
#if CQ_DIM == 2
  turn_step_adjoint(p.q, t.w, h, d.q, &dp->q, &dt->w);
#else
  const mat R = turn_matrix(p.q);
  const spin w = spin_to_body(R, t.w);
  const real stretch = drive_stretch(w, h);
  spin ds = spin_zero();
  turn_step_adjoint(p.q, spin_scale(stretch, w), h, d.q, &dp->q, &ds);
  const real along = spin_dot(ds, w) * h * h * K(1.0 / 6.0);
  mat dR = mat_zero();
  spin_to_body_adjoint(R, t.w, spin_axpy(spin_scale(stretch, ds), along, w), &dR, &dt->w);
  dp->q = turn_add(dp->q, turn_matrix_adjoint(p.q, dR));
#endif
}

#endif
