/* A rigid body as points meet it: where its frame is, which way it is turned and how it moves.
 *
 * `placed` is made of a body's pose and twist once a step (rigid_pose.h), so that everything which
 * is done for each particle, node or contact is a few products, without a root or a sine, for one
 * `real` or a vector of them. Adjoints add to what is there; those of a body are added up as a
 * `placed` too, and go back to its pose and twist once a step.
 *
 * The frame of a body has its origin at the centre of mass. */
#ifndef CQ_RIGID_RIGID_H
#define CQ_RIGID_RIGID_H

#include "linalg.h"
#include "placement.h"

/* a rate of rotation [rad/s], or a torque [N m]; 2D: one number, anticlockwise */
typedef struct spin {
  real w[CQ_SPINS];
} spin;

/* a force and its torque about the centre of mass [N, N m], or impulses of both */
typedef struct wrench {
  vec f;
  spin t;
} wrench;

typedef struct placed {
  vec x;    /* centre of mass [m] */
  mat R;    /* from the body's frame to the world's */
  vec v;    /* velocity of the centre of mass [m/s] */
  spin w;   /* in the world's frame */
  vec belt; /* what the surface moves beside the body, in the world's frame [m/s] */
} placed;

CQ_FN spin spin_zero(void) {
  spin r;
  FOR_SPINS(a) {
    r.w[a] = real_splat(K(0));
  }
  return r;
}

/* a + s b */
CQ_FN spin spin_axpy(spin a, real s, spin b) {
  FOR_SPINS(i) {
    a.w[i] = a.w[i] + s * b.w[i];
  }
  return a;
}

CQ_FN spin spin_add(spin a, spin b) {
  FOR_SPINS(i) {
    a.w[i] = a.w[i] + b.w[i];
  }
  return a;
}

CQ_FN spin spin_scale(real s, spin a) {
  FOR_SPINS(i) {
    a.w[i] = s * a.w[i];
  }
  return a;
}

CQ_FN real spin_dot(spin a, spin b) {
  real s = a.w[0] * b.w[0];
  for (int i = 1; i < CQ_SPINS; i++) {
    s = s + a.w[i] * b.w[i];
  }
  return s;
}

/* w x r */
CQ_FN vec spin_turn(spin w, vec r) {
  return vec_turn(w.w, r);
}

/* r x f, the torque of a force at the end of an arm. Its adjoint is spin_turn(d, r) by f and
 * -spin_turn(d, f) by r. */
CQ_FN spin spin_arm(vec r, vec f) {
  spin t = spin_zero();
  vec_turn_adjoint(r, f, t.w);
  return t;
}

CQ_FN wrench wrench_zero(void) {
  wrench r;
  r.f = vec_zero();
  r.t = spin_zero();
  return r;
}

CQ_FN wrench wrench_axpy(wrench a, real s, wrench b) {
  a.f = vec_axpy(a.f, s, b.f);
  a.t = spin_axpy(a.t, s, b.t);
  return a;
}

/* nothing, to which adjoints are added */
CQ_FN placed placed_zero(void) {
  placed r;
  r.x = vec_zero();
  r.R = mat_zero();
  r.v = vec_zero();
  r.w = spin_zero();
  r.belt = vec_zero();
  return r;
}

/* the same for all lanes */
CQ_FN placed placed_read(const cq_placed *b) {
  placed r;
  FOR_AXES(i) {
    r.x.v[i] = real_splat((scalar)b->x[i]);
    r.v.v[i] = real_splat((scalar)b->v[i]);
    r.belt.v[i] = real_splat((scalar)b->belt[i]);
    FOR_AXES(j) {
      r.R.m[i][j] = real_splat((scalar)b->R[i][j]);
    }
  }
  FOR_SPINS(i) {
    r.w.w[i] = real_splat((scalar)b->w[i]);
  }
  return r;
}

/* the world's point of a point y of the body */
CQ_FN vec placed_point(const placed *b, vec y) {
  return vec_add(b->x, mat_vec(b->R, y));
}

CQ_FN void placed_point_adjoint(const placed *b, vec y, vec d, placed *db, vec *dy) {
  db->x = vec_add(db->x, d);
  db->R = mat_add(db->R, vec_outer(d, y));
  *dy = vec_add(*dy, mat_t_vec(b->R, d));
}

/* the body's point of a point x of the world */
CQ_FN vec placed_local(const placed *b, vec x) {
  return mat_t_vec(b->R, vec_sub(x, b->x));
}

CQ_FN void placed_local_adjoint(const placed *b, vec x, vec d, placed *db, vec *dx) {
  const vec back = mat_vec(b->R, d);
  db->R = mat_add(db->R, vec_outer(vec_sub(x, b->x), d));
  db->x = vec_sub(db->x, back);
  *dx = vec_add(*dx, back);
}

/* the world's direction of a direction n of the body */
CQ_FN vec placed_direction(const placed *b, vec n) {
  return mat_vec(b->R, n);
}

CQ_FN void placed_direction_adjoint(const placed *b, vec n, vec d, placed *db, vec *dn) {
  db->R = mat_add(db->R, vec_outer(d, n));
  *dn = vec_add(*dn, mat_t_vec(b->R, d));
}

/* velocity of the body's surface at a point x of the world: v + w x (x - x_body) + belt */
CQ_FN vec placed_velocity(const placed *b, vec x) {
  return vec_add(vec_add(b->v, b->belt), spin_turn(b->w, vec_sub(x, b->x)));
}

CQ_FN void placed_velocity_adjoint(const placed *b, vec x, vec d, placed *db, vec *dx) {
  const vec turned = spin_turn(b->w, d); /* w x d, and dL/d(x - x_body) is minus that */
  db->v = vec_add(db->v, d);
  db->belt = vec_add(db->belt, d);
  db->w = spin_add(db->w, spin_arm(vec_sub(x, b->x), d));
  db->x = vec_add(db->x, turned);
  *dx = vec_sub(*dx, turned);
}

/* what a force f at a point x of the world does to the body */
CQ_FN wrench placed_wrench(const placed *b, vec x, vec f) {
  wrench r;
  r.f = f;
  r.t = spin_arm(vec_sub(x, b->x), f);
  return r;
}

CQ_FN void placed_wrench_adjoint(const placed *b, vec x, vec f, wrench d, placed *db, vec *dx,
                                 vec *df) {
  const vec turned = spin_turn(d.t, f);
  *df = vec_add(*df, vec_add(d.f, spin_turn(d.t, vec_sub(x, b->x))));
  db->x = vec_add(db->x, turned);
  *dx = vec_sub(*dx, turned);
}

#endif
