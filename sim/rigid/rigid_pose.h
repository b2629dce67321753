/* Pose and twist of a rigid body, and what a step makes of them.
 *
 * Pose: centre of mass and orientation, a unit quaternion (scalar part first) in 3D and an angle
 * [rad] in 2D. Twist: velocity of the centre of mass and spin, both in the world's frame. In plain
 * arrays a pose has CQ_POSE numbers and a twist CQ_TWIST, in that order. A quaternion need not be
 * exactly of length 1 where it is read: what is meant is q/|q|, and derivatives are those of that.
 *
 * Not for vectors of particles: the orientation of a body is found once a step, in double. */
#ifndef CQ_RIGID_POSE_H
#define CQ_RIGID_POSE_H

#include "rigid.h"

#if CQ_DIM == 2
enum { CQ_TURN = 1 };
#else
enum { CQ_TURN = 4 };
#endif
enum { CQ_POSE = CQ_DIM + CQ_TURN, CQ_TWIST = CQ_DIM + CQ_SPINS };

typedef struct turn {
  real q[CQ_TURN];
} turn;

typedef struct pose {
  vec x;
  turn q;
} pose;

typedef struct twist {
  vec v;
  spin w;
} twist;

CQ_FN turn turn_zero(void) {
  turn r;
  for (int i = 0; i < CQ_TURN; i++) {
    r.q[i] = real_splat(K(0));
  }
  return r;
}

CQ_FN turn turn_add(turn a, turn b) {
  for (int i = 0; i < CQ_TURN; i++) {
    a.q[i] = a.q[i] + b.q[i];
  }
  return a;
}

/* not turned */
CQ_FN turn turn_none(void) {
  turn r = turn_zero();
#if CQ_DIM == 3
  r.q[0] = real_splat(K(1));
#endif
  return r;
}

#if CQ_DIM == 2

CQ_FN mat turn_matrix(turn q) {
  const real c = (real)cq_wide_cos((wide)q.q[0]), s = (real)cq_wide_sin((wide)q.q[0]);
  mat r;
  r.m[0][0] = c;
  r.m[0][1] = -s;
  r.m[1][0] = s;
  r.m[1][1] = c;
  return r;
}

/* dL/dq from dL/dR */
CQ_FN turn turn_matrix_adjoint(turn q, mat d) {
  const mat R = turn_matrix(q);
  turn r;
  r.q[0] = R.m[0][0] * (d.m[1][0] - d.m[0][1]) - R.m[1][0] * (d.m[0][0] + d.m[1][1]);
  return r;
}

/* a after b: the matrix of the result is that of a times that of b */
CQ_FN turn turn_after(turn a, turn b) {
  a.q[0] = a.q[0] + b.q[0];
  return a;
}

/* the other way round */
CQ_FN turn turn_conjugate(turn q) {
  q.q[0] = -q.q[0];
  return q;
}

CQ_FN void turn_after_adjoint(turn a, turn b, turn d, turn *da, turn *db) {
  (void)a;
  (void)b;
  da->q[0] = da->q[0] + d.q[0];
  db->q[0] = db->q[0] + d.q[0];
}

/* as a body is shown: nothing to do for an angle */
CQ_FN turn turn_unit(turn q) {
  return q;
}

CQ_FN turn turn_unit_adjoint(turn q, turn d) {
  (void)q;
  return d;
}

/* Orientation after h of the spin w of the body's own frame. */
CQ_FN turn turn_step(turn q, spin w, real h) {
  q.q[0] = q.q[0] + h * w.w[0];
  return q;
}

CQ_FN void turn_step_adjoint(turn q, spin w, real h, turn d, turn *dq, spin *dw) {
  (void)q;
  (void)w;
  dq->q[0] = dq->q[0] + d.q[0];
  dw->w[0] = dw->w[0] + h * d.q[0];
}

/* a spin of the body's frame in the world's, and the other way */
CQ_FN spin spin_to_world(mat R, spin w) {
  (void)R;
  return w;
}

CQ_FN void spin_to_world_adjoint(mat R, spin w, spin d, mat *dR, spin *dw) {
  (void)R;
  (void)w;
  (void)dR;
  *dw = spin_add(*dw, d);
}

CQ_FN spin spin_to_body(mat R, spin w) {
  (void)R;
  return w;
}

CQ_FN void spin_to_body_adjoint(mat R, spin w, spin d, mat *dR, spin *dw) {
  spin_to_world_adjoint(R, w, d, dR, dw);
}

#else

CQ_FN vec turn_axial(turn q) {
  vec u;
  FOR_AXES(i) {
    u.v[i] = q.q[1 + i];
  }
  return u;
}

CQ_FN turn turn_of(real scalar_part, vec u) {
  turn r;
  r.q[0] = scalar_part;
  FOR_AXES(i) {
    r.q[1 + i] = u.v[i];
  }
  return r;
}

CQ_FN real turn_dot(turn a, turn b) {
  real s = a.q[0] * b.q[0];
  for (int i = 1; i < CQ_TURN; i++) {
    s = s + a.q[i] * b.q[i];
  }
  return s;
}

/* ((a^2 - u.u) I + 2 u u^T + 2 a [u]) / |q|^2, with [u] y = u x y */
CQ_FN mat turn_matrix(turn q) {
  const real a = q.q[0], inverse = K(1) / turn_dot(q, q);
  const vec u = turn_axial(q);
  mat R = mat_scale(real_splat(K(2)), vec_outer(u, u));
  const real diagonal = a * a - vec_dot(u, u);
  FOR_AXES(i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R.m[i][i] = R.m[i][i] + diagonal;
    R.m[k][j] = R.m[k][j] + K(2) * a * u.v[i];
    R.m[j][k] = R.m[j][k] - K(2) * a * u.v[i];
  }
  return mat_scale(inverse, R);
}

/* dL/dq from dL/dR; it is across q, since R does not change with the length of q */
CQ_FN turn turn_matrix_adjoint(turn q, mat d) {
  const real a = q.q[0], inverse = K(1) / turn_dot(q, q);
  const vec u = turn_axial(q);
  const real trace = mat_trace(d), along = mat_dot(d, turn_matrix(q));
  vec axial;
  FOR_AXES(i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    axial.v[i] = d.m[k][j] - d.m[j][k];
  }
  vec du = mat_vec(mat_add(d, mat_transpose(d)), u);
  du = vec_axpy(du, a, axial);
  du = vec_axpy(du, -(trace + along), u);
  turn r = turn_of(a * (trace - along) + vec_dot(u, axial), du);
  for (int i = 0; i < CQ_TURN; i++) {
    r.q[i] = K(2) * inverse * r.q[i];
  }
  return r;
}

/* the product of quaternions */
CQ_FN turn turn_after(turn a, turn b) {
  const vec u = turn_axial(a), v = turn_axial(b);
  vec w = vec_turn(u.v, v);
  w = vec_axpy(w, a.q[0], v);
  w = vec_axpy(w, b.q[0], u);
  return turn_of(a.q[0] * b.q[0] - vec_dot(u, v), w);
}

/* the other way round, of a unit quaternion */
CQ_FN turn turn_conjugate(turn q) {
  for (int i = 1; i < CQ_TURN; i++) {
    q.q[i] = -q.q[i];
  }
  return q;
}

CQ_FN void turn_after_adjoint(turn a, turn b, turn d, turn *da, turn *db) {
  *da = turn_add(*da, turn_after(d, turn_conjugate(b)));
  *db = turn_add(*db, turn_after(turn_conjugate(a), d));
}

/* q/|q| */
CQ_FN turn turn_unit(turn q) {
  const real inverse = K(1) / real_sqrt(turn_dot(q, q));
  for (int i = 0; i < CQ_TURN; i++) {
    q.q[i] = inverse * q.q[i];
  }
  return q;
}

CQ_FN turn turn_unit_adjoint(turn q, turn d) {
  const real inverse = K(1) / real_sqrt(turn_dot(q, q));
  const turn unit = turn_unit(q);
  const real along = turn_dot(unit, d);
  for (int i = 0; i < CQ_TURN; i++) {
    d.q[i] = inverse * (d.q[i] - along * unit.q[i]);
  }
  return d;
}

/* The Cayley map in quaternions: q (1, h w/2), of length 1 again. It turns by 2 atan(h |w|/2), and
 * is what makes the free step keep its invariants. */
CQ_FN turn turn_step(turn q, spin w, real h) {
  vec u;
  FOR_AXES(i) {
    u.v[i] = K(0.5) * h * w.w[i];
  }
  return turn_unit(turn_after(q, turn_of(real_splat(K(1)), u)));
}

CQ_FN void turn_step_adjoint(turn q, spin w, real h, turn d, turn *dq, spin *dw) {
  vec u;
  FOR_AXES(i) {
    u.v[i] = K(0.5) * h * w.w[i];
  }
  const turn s = turn_of(real_splat(K(1)), u);
  turn ds = turn_zero();
  turn_after_adjoint(q, s, turn_unit_adjoint(turn_after(q, s), d), dq, &ds);
  FOR_AXES(i) {
    dw->w[i] = dw->w[i] + K(0.5) * h * ds.q[1 + i];
  }
}

CQ_FN vec spin_vec(spin w) {
  vec r;
  FOR_AXES(i) {
    r.v[i] = w.w[i];
  }
  return r;
}

CQ_FN spin vec_spin(vec w) {
  spin r;
  FOR_AXES(i) {
    r.w[i] = w.v[i];
  }
  return r;
}

CQ_FN spin spin_to_world(mat R, spin w) {
  return vec_spin(mat_vec(R, spin_vec(w)));
}

CQ_FN void spin_to_world_adjoint(mat R, spin w, spin d, mat *dR, spin *dw) {
  *dR = mat_add(*dR, vec_outer(spin_vec(d), spin_vec(w)));
  *dw = spin_add(*dw, vec_spin(mat_t_vec(R, spin_vec(d))));
}

CQ_FN spin spin_to_body(mat R, spin w) {
  return vec_spin(mat_t_vec(R, spin_vec(w)));
}

CQ_FN void spin_to_body_adjoint(mat R, spin w, spin d, mat *dR, spin *dw) {
  *dR = mat_add(*dR, vec_outer(spin_vec(w), spin_vec(d)));
  *dw = spin_add(*dw, vec_spin(mat_vec(R, spin_vec(d))));
}

#endif

CQ_FN pose pose_zero(void) {
  pose r;
  r.x = vec_zero();
  r.q = turn_zero();
  return r;
}

CQ_FN twist twist_zero(void) {
  twist r;
  r.v = vec_zero();
  r.w = spin_zero();
  return r;
}

/* a body as points meet it; `belt` is the velocity of its surface, in its own frame */
CQ_FN placed pose_placed(pose p, twist t, vec belt) {
  placed b;
  b.x = p.x;
  b.R = turn_matrix(p.q);
  b.v = t.v;
  b.w = t.w;
  b.belt = mat_vec(b.R, belt);
  return b;
}

CQ_FN void pose_placed_adjoint(pose p, vec belt, placed d, pose *dp, twist *dt, vec *dbelt) {
  d.R = mat_add(d.R, vec_outer(d.belt, belt));
  dp->x = vec_add(dp->x, d.x);
  dp->q = turn_add(dp->q, turn_matrix_adjoint(p.q, d.R));
  dt->v = vec_add(dt->v, d.v);
  dt->w = spin_add(dt->w, d.w);
  *dbelt = vec_add(*dbelt, mat_t_vec(turn_matrix(p.q), d.belt));
}

/* a body, or what is due to it, in plain doubles */
CQ_FN cq_placed placed_write(const placed *b) {
  cq_placed r = {{0.0}, {{0.0}}, {0.0}, {0.0}, {0.0}};
  FOR_AXES(i) {
    r.x[i] = cq_wide_number(b->x.v[i]);
    r.v[i] = cq_wide_number(b->v.v[i]);
    r.belt[i] = cq_wide_number(b->belt.v[i]);
    FOR_AXES(j) {
      r.R[i][j] = cq_wide_number(b->R.m[i][j]);
    }
  }
  FOR_SPINS(i) {
    r.w[i] = cq_wide_number(b->w.w[i]);
  }
  return r;
}

/* Plain arrays, of doubles whatever `real` is. */
CQ_FN pose pose_read(const double *a) {
  pose p;
  FOR_AXES(i) {
    p.x.v[i] = (real)a[i];
  }
  for (int i = 0; i < CQ_TURN; i++) {
    p.q.q[i] = (real)a[CQ_DIM + i];
  }
  return p;
}

CQ_FN twist twist_read(const double *a) {
  twist t;
  FOR_AXES(i) {
    t.v.v[i] = (real)a[i];
  }
  FOR_SPINS(i) {
    t.w.w[i] = (real)a[CQ_DIM + i];
  }
  return t;
}

#endif
