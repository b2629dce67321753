/* Where a rigid body is: pose and twist that fit its points best, by least squares weighted with
 * their masses, and the adjoint of that. One dimension, in double.
 *
 * With means X_m, V_m and A_m of places x, velocities v and of the places a where the body has
 * them when it is not turned, the rotation R is that of the polar decomposition of
 * sum m x (a - A_m)^T, and the spin is W = J^-1 sum m r x (v - V_m), J = sum m (|r|^2 1 - r r^T),
 * r = x - X_m. The centre of mass c of the shape is not quite that of the points: X = X_m + o,
 * V = V_m + W x o, o = R (c - A_m). */
#ifndef CQ_RIGID_FIT_H
#define CQ_RIGID_FIT_H

#include "bodies.h"
#include "polar.h"
#include "rigid_free.h"
#include "turn_numbers.h"

#include <string.h>

/* a point of a body */
typedef struct fit_point {
  vec x, v, a;
  double density, volume, mass;
} fit_point;

typedef struct fit {
  double mass, scale; /* scale: sum of m |a - A_m|^2 */
  vec x, v, a;        /* means */
  polar turned;
  vec off; /* o */
  moment J;
  spin w;
} fit;

static inline vec fit_vec(const double *a, int p) {
  vec r;
  memcpy(&r, a + (size_t)p * CQ_DIM, sizeof r);
  return r;
}

static inline fit_point fit_point_at(const cq_rigid_points *of, int p) {
  fit_point g;
  g.x = fit_vec(of->x, p);
  g.v = fit_vec(of->v, p);
  g.a = fit_vec(of->placed, p);
  g.density = of->density[p];
  g.volume = of->volume[p];
  g.mass = g.density * g.volume;
  return g;
}

static inline void fit_means(const cq_rigid_points *of, fit *f) {
  f->mass = 0.0;
  f->x = f->v = f->a = vec_zero();
  for (int p = 0; p < of->n; p++) {
    const fit_point g = fit_point_at(of, p);
    f->mass += g.mass;
    f->x = vec_axpy(f->x, g.mass, g.x);
    f->v = vec_axpy(f->v, g.mass, g.v);
    f->a = vec_axpy(f->a, g.mass, g.a);
  }
  f->x = vec_scale(1.0 / f->mass, f->x);
  f->v = vec_scale(1.0 / f->mass, f->v);
  f->a = vec_scale(1.0 / f->mass, f->a);
}

static inline void fit_add_moment(moment *J, double mass, vec r) {
  const moment I = moment_of_point(r);
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      J->m[i][j] += mass * I.m[i][j];
    }
  }
}

/* What is added to a decomposition and a moment that are undefined: one particle, and in 3D a
 * straight row of them, does not say how it is turned. By its place in the model, so that it is the
 * same for all designs. Sets the scale that they are divided by. */
static inline double fit_lacking(const cq_rigid_points *of, mat S, fit *f) {
  const double trace = mat_trace(S), length = of->length;
  f->scale = trace;
  if (!(trace > 1e-12 * f->mass * length * length)) {
    f->scale = f->mass * length * length;
    return 1.0;
  }
#if CQ_DIM == 2
  return 0.0;
#else
  return 0.5 * (trace * trace - mat_dot(S, S)) > 1e-9 * trace * trace ? 0.0 : 1e-5;
#endif
}

/* Means, turn and spin that fit best. */
static inline fit fit_of(const cq_rigid_points *of) {
  fit f = {.J = {{{0.0}}}};
  fit_means(of, &f);
  mat H = mat_zero(), S = mat_zero();
  spin around = spin_zero();
  for (int p = 0; p < of->n; p++) {
    const fit_point g = fit_point_at(of, p);
    const vec r = vec_sub(g.x, f.x), a = vec_sub(g.a, f.a);
    H = mat_axpy(H, g.mass, vec_outer(r, a));
    S = mat_axpy(S, g.mass, vec_outer(a, a));
    fit_add_moment(&f.J, g.mass, r);
    around = spin_axpy(around, g.mass, spin_arm(r, vec_sub(g.v, f.v)));
  }
  const double lack = fit_lacking(of, S, &f);
  f.turned = polar_decompose(mat_axpy(mat_scale(1.0 / f.scale, H), lack, mat_identity()));
  FOR_SPINS(s) {
    f.J.m[s][s] += lack * f.scale;
  }
  f.w = moment_solve(f.J, around);
  f.off = mat_vec(f.turned.R, vec_sub(fit_vec(of->center, 0), f.a));
  return f;
}

static inline void fit_motion(const cq_rigid_points *of, pose *p, twist *t) {
  const fit f = fit_of(of);
  p->x = vec_add(f.x, f.off);
  p->q = turn_of_matrix(f.turned.R);
  t->v = vec_add(f.v, spin_turn(f.w, f.off));
  t->w = f.w;
}

/* what is due to the sums of a fit */
typedef struct fit_due {
  vec x, v, a; /* the means */
  mat H;
  spin l; /* J^-1 dW */
} fit_due;

/* From dL/d(pose, twist) to the sums that the fit is made of. */
static inline fit_due fit_sums_due(const fit *f, turn q, pose dp, twist dt) {
  const vec doff = vec_sub(dp.x, spin_turn(f->w, dt.v));
  const spin dw = spin_add(dt.w, spin_arm(f->off, dt.v));
  const spin g = spin_add(turn_due(q, dp.q), spin_arm(f->off, doff));
  fit_due d;
  d.x = dp.x;
  d.v = dt.v;
  d.a = vec_scale(-1.0, mat_t_vec(f->turned.R, doff));
  d.l = moment_solve_transposed(f->J, dw);
  mat D;
  FOR_AXES(c) {
    vec column;
    FOR_AXES(r) {
      column.v[r] = f->turned.R.m[r][c];
    }
    const vec turned = spin_turn(g, column);
    FOR_AXES(r) {
      D.m[r][c] = 0.5 * turned.v[r];
    }
  }
  d.H = mat_scale(1.0 / f->scale, polar_tangent(f->turned, D));
  return d;
}

/* Of one particle. What arms are due through the means adds up to 0, as sum m r does. */
static inline void fit_point_adjoint(const fit *f, const fit_due *d, const fit_point *g, double *dx,
                                     double *dv, double *dmass) {
  const vec r = vec_sub(g->x, f->x), u = vec_sub(g->v, f->v), a = vec_sub(g->a, f->a);
  const vec lr = spin_turn(d->l, r), wr = spin_turn(f->w, r), Ha = mat_vec(d->H, a);
  const double share = 1.0 / f->mass;
  vec dr = vec_add(spin_turn(d->l, wr), spin_turn(f->w, lr));
  dr = vec_scale(g->mass, vec_sub(dr, spin_turn(d->l, u)));
  FOR_AXES(k) {
    dx[k] = g->mass * (Ha.v[k] + share * d->x.v[k]) + dr.v[k];
    dv[k] = g->mass * (lr.v[k] + share * d->v.v[k]);
  }
  *dmass = vec_dot(r, Ha) + vec_dot(lr, u) - vec_dot(lr, wr) +
           share * (vec_dot(r, d->x) + vec_dot(u, d->v) + vec_dot(a, d->a));
}

#endif
